/* The YAML of the built-in themes, made from themes/ by embed_themes.sh. */
#ifndef KEYAVG_THEME_DATA_H
#define KEYAVG_THEME_DATA_H

struct theme_source {
    const char *name;
    const char *const *lines; /* each with its newline; ends with NULL */
};

extern const struct theme_source theme_sources[];
extern const unsigned theme_source_count;

#endif
