/* A configuration, applied to an explorer and written out again; the same bytes as a theme. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "explorer.h"
#include "fuzz.h"
#include "keyavg/config.h"
#include "keyavg/theme.h"

static void apply(struct span bytes)
{
    char *argv[] = {(char[]){"keyavg"}, (char[]){"sample.json"}, NULL};
    struct options options;
    struct error error = {0};
    struct app app;
    struct startup startup = {0};
    if (!options_parse(&options, 2, argv, &error))
        fuzz_fail("%s", error.text);
    config_parse(&startup.config, "config.yaml", bytes);
    explorer_open(&app, &startup, &options);
    if (!config_page_save(&app, "saved.yaml", &error))
        fuzz_fail("%s", error.text);
    explorer_close(&app, &startup);
    options_free(&options);
}

/* The same bytes as a theme, which is read from a file: one without a name. */
static void read_theme(struct span bytes)
{
    static int file = -1;
    static char path[40];
    struct theme theme;
    struct messages messages = {0};
    if (file < 0) {
        file = memfd_create("theme", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes.bytes, bytes.length, 0) != (ssize_t)bytes.length)
        fuzz_fail("no file for the theme");
    theme_load(&theme, path, NULL, (struct place){0, 0}, &messages);
    for (int role = 0; role < ROLE_COUNT; role++)
        for (int colors = 0; colors <= 256; colors = colors == 0 ? 8 : colors == 8 ? 16 : colors + 240) {
            struct style style = theme_style(&theme, (enum role)role, colors);
            if (style.fg >= (colors > 0 ? colors : 1) || style.bg >= (colors > 0 ? colors : 1) || style.fg < -1 || style.bg < -1)
                fuzz_fail("colour %d of %d", style.fg, colors);
        }
    theme_free(&theme);
    messages_free(&messages);
}

int fuzz_config(const uint8_t *bytes, size_t length)
{
    struct span all = {(const char *)bytes, length};
    struct config config;
    config_parse(&config, "config.yaml", all);
    bool good = config.messages.count <= 2;
    for (size_t i = 0; i < config.messages.count; i++)
        for (const char *at = config.messages.items[i]; *at != '\0'; at++)
            if ((unsigned char)*at < 0x20 || *at == 0x7F)
                fuzz_fail("a control character in a message");
    config_free(&config);
    /* An explorer is slow: only for what could be read. */
    if (memmem(bytes, length, "roles:", 6) != NULL)
        read_theme(all);
    else if (good)
        apply(all);
    return 0;
}
