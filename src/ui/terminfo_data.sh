#!/bin/sh
# Prints terminfo_data.h: descriptions of common terminals as this system has them, compiled, in ncurses' base64.
# Usage: terminfo_data.sh >terminfo_data.h
set -eu
echo '/* Made by terminfo_data.sh from the terminfo database of ncurses (MIT-X11 licence). */'
echo '#ifndef KEYAVG_UI_TERMINFO_DATA_H'
echo '#define KEYAVG_UI_TERMINFO_DATA_H'
echo
echo 'static const struct {'
echo '    const char *name, *entry;'
echo '} entries[] = {'
for name in xterm xterm-256color screen tmux-256color vt100 linux; do
    echo "    {\"$name\","
    infocmp -x -Q2 "$name" | sed '/^#/d' | tr -d '\n' | fold -w 110 | sed -e 's/.*/     "&"/' -e '$s/$/},/'
    echo
done
echo '};'
echo
echo '#endif'
