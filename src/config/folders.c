/* Where a user's files are: the XDG base directories. */
#include <stdlib.h>

#include "keyavg/config.h"

/* Relative paths in these variables are to be ignored, says the XDG specification. */
static bool add_folder(struct text *out, const char *variable, const char *below_home)
{
    const char *folder = getenv(variable), *home = getenv("HOME");
    if (folder != NULL && folder[0] == '/')
        text_addf(out, "%s/keyavg", folder);
    else if (home != NULL && home[0] == '/')
        text_addf(out, "%s/%s/keyavg", home, below_home);
    else
        return false;
    return true;
}

bool config_add_folder(struct text *out)
{
    return add_folder(out, "XDG_CONFIG_HOME", ".config");
}

bool config_add_state_folder(struct text *out)
{
    return add_folder(out, "XDG_STATE_HOME", ".local/state");
}

bool config_add_path(struct text *out)
{
    const char *path = getenv("KEYAVG_CONFIG");
    if (path != NULL && *path != '\0') {
        text_add_string(out, path);
        return true;
    }
    if (!config_add_folder(out))
        return false;
    text_add_string(out, "/config.yaml");
    return true;
}
