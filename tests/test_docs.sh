#!/bin/sh
# The pages for users: their tables and screens are what the program prints, their links lead somewhere, and what they say of
# options is so.
set -u
source=$(cd "$KEYAVG_TESTS/.." && pwd)
manual=$(dirname "$KEYAVG_BIN")/tools/manual
LC_ALL=C.UTF-8
export LC_ALL

# result STATUS NAME
result() { [ "$1" -eq 0 ] && echo "ok - docs: $2" || echo "not ok - docs: $2"; }

for page in "$source"/docs/*.md; do
    grep -q -E '^<!-- (screen|run|table): ' "$page" || continue
    name=docs/$(basename "$page")
    if grep -q '^<!-- .*KEYAVG_SHARED' "$page" && [ ! -d "$KEYAVG_SHARED/traces" ]; then
        echo "ok - docs: tables and screens of $name are what keyavg prints # SKIP no shared data: set KEYAVG_SHARED to its folder"
        continue
    fi
    sh "$source/docs/fill.sh" "$KEYAVG_BIN" "$manual" "$source" "$page" >docs-page 2>docs-errors &&
        cmp -s docs-page "$page"
    status=$?
    result $status "tables and screens of $name are what keyavg prints (make docs)"
    [ $status -eq 0 ] || { cat docs-errors; diff "$page" docs-page | head -n 40; }
done
rm -f docs-page docs-errors

screens=$(grep -c '^<!-- screen: ' "$source/docs/tour.md")
[ "$screens" -ge 10 ]
result $? "the tour has ten screens"

# -- Links -----------------------------------------------------------------------------------------

# The anchors of a page: its headings in lower case, spaces as dashes, without signs.
anchors() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ +/, ""); print tolower($0) }' "$1" |
        sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}
# `page line target` of each link, but for those in code.
links() {
    awk '/^```/ { code = !code; next } !code && !/^    / {
        line = $0
        gsub(/`[^`]*`/, "", line)
        while (match(line, /\]\([^)]*\)/)) {
            print FNR, substr(line, RSTART + 2, RLENGTH - 3)
            line = substr(line, RSTART + RLENGTH)
        }
    }' "$1"
}
broken=0
for page in "$source"/*.md "$source"/docs/*.md; do
    links "$page" >docs-links
    while read -r line target; do
        case $target in
        http://* | https://* | mailto:*) continue ;;
        esac
        path=${target%%#*} anchor=${target#"${target%%#*}"}
        file=$page
        [ -z "$path" ] || file=$(dirname "$page")/$path
        if [ ! -e "$file" ]; then
            echo "${page#"$source/"}:$line: there is no $path"
            broken=$((broken + 1))
        elif [ -n "$anchor" ] && ! anchors "$file" | grep -q -x -e "${anchor#\#}"; then
            echo "${page#"$source/"}:$line: $path has no heading $anchor"
            broken=$((broken + 1))
        fi
    done <docs-links
done
rm -f docs-links
[ $broken -eq 0 ]
result $? "links lead somewhere"

# -- What is said ----------------------------------------------------------------------------------

# What keyavg printed into the pages is not looked at: a screen may cut a word.
options=$("$KEYAVG_BIN" --help | grep -o -E -e '--[a-z][a-z-]*' | sort -u)
unknown=
for option in $(sed '/^<!-- screen: /,/^<!-- end/d; /^<!-- run: /,/^<!-- end/d' "$source"/docs/*.md "$source/README.md" | grep -o -E -e '`--[a-z][a-z-]*' -e 'keyavg [^`|]*' |
    grep -o -E -e '(^|[ `])--[a-z][a-z-]*' | tr -d ' `' | sort -u); do
    echo "$options" | grep -q -x -e "$option" || unknown="$unknown $option"
done
[ -z "$unknown" ]
result $? "there are all options that the pages name"
[ -z "$unknown" ] || echo "unknown:$unknown"

wrong=0
"$manual" filter-examples >docs-examples
while IFS= read -r example; do
    "$KEYAVG_BIN" --filter "$example" --format csv "$KEYAVG_SAMPLES/gpu_small/trace.json" >/dev/null || wrong=$((wrong + 1))
done <docs-examples
rm -f docs-examples
[ $wrong -eq 0 ]
result $? "filters in the examples are taken"
