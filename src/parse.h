/* For the files that read the command line. */
#ifndef KEYAVG_PARSE_H
#define KEYAVG_PARSE_H

#include "keyavg/options.h"

/* `unknown KIND 'WORD'; did you mean 'NAME'?`, or what `otherwise` says. Returns false. */
bool option_unknown(struct error *error, const char *kind, struct span word, const char *dashes, const char *nearest,
                    const char *otherwise);

/* Whether --view and what goes with it fit each other; on a screen no format is needed. */
bool parse_check_view(struct options *options, bool screen, struct error *error);

#endif
