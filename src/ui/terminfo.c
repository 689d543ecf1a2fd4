#include "terminfo.h"

#include <stddef.h>
#include <string.h>

#include "terminfo_data.h"

/* Terminals of other names that understand what the named one does. */
static const struct {
    const char *start, *known;
} families[] = {
    {"xterm", "xterm-256color"}, {"tmux", "tmux-256color"},       {"screen", "screen"},
    {"linux", "linux"},          {"vt", "vt100"},                 {"alacritty", "xterm-256color"},
    {"foot", "xterm-256color"},  {"ghostty", "xterm-256color"},   {"gnome", "xterm-256color"},
    {"iterm", "xterm-256color"}, {"kitty", "xterm-256color"},     {"konsole", "xterm-256color"},
    {"mintty", "xterm-256color"}, {"putty", "xterm-256color"},    {"rxvt", "xterm-256color"},
    {"st-", "xterm-256color"},   {"vte", "xterm-256color"},       {"wezterm", "xterm-256color"},
};

static const char *find_entry(const char *name, const char **known)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].name, name) == 0) {
            *known = entries[i].name;
            return entries[i].entry;
        }
    }
    return NULL;
}

const char *terminfo_find(const char *name, const char **known)
{
    const char *entry = find_entry(name, known);
    for (size_t i = 0; entry == NULL && i < sizeof families / sizeof *families; i++)
        if (strncmp(families[i].start, name, strlen(families[i].start)) == 0)
            entry = find_entry(families[i].known, known);
    return entry;
}
