#!/bin/sh
# Prints theme_data.c: the given themes as C, a string a line. Usage: embed_themes.sh THEME.yaml... >theme_data.c
LC_ALL=C
export LC_ALL
exec "${AWK-awk}" '
function quoted(line,    result, i, c) {
    result = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\\" || c == "\"")
            result = result "\\"
        result = result c
    }
    return "\"" result "\\n\""
}
BEGIN {
    print "/* Made by embed_themes.sh from themes/; changes belong there. */"
    print "#include \"src/config/theme_data.h\""
    print ""
    print "#include <stddef.h>"
}
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.yaml$/, "", name)
    names[++count] = name
    if (count > 1)
        print "    NULL,\n};"
    printf "\nstatic const char *const theme_%d[] = {\n", count
}
{ printf "    %s,\n", quoted($0) }
END {
    if (!count)
        exit 1
    print "    NULL,\n};\n\nconst struct theme_source theme_sources[] = {"
    for (i = 1; i <= count; i++)
        printf "    {\"%s\", theme_%d},\n", names[i], i
    printf "};\n\nconst unsigned theme_source_count = %d;\n", count
}' "$@"
