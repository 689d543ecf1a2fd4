#!/bin/sh
# Prints a page of docs/ with the tables and screens that the program of today prints. What a page asks for stands in it:
#
#   <!-- screen: --play 'S' samples/gpu_small/trace.json -->   keyavg's output
#   <!-- run: --sort-by count TRACE | head -n 5 -->            the same below its command line
#   <!-- table: columns -->                                    a table of tools/manual
#   <!-- end -->                                               ends each of them
#
# A page may name recordings that are not part of the project, in "$KEYAVG_SHARED"/traces/; where these are not there it stays
# as it is.
#
# Use: fill.sh KEYAVG MANUAL SOURCE-FOLDER PAGE >RESULT. Exit status 1 when a command failed.
set -u
keyavg=$1 manual=$2 source=$3 page=$4
LC_ALL=C.UTF-8 HOME=/nowhere
export LC_ALL HOME
unset XDG_CONFIG_HOME XDG_STATE_HOME KEYAVG_CONFIG NO_COLOR COLORFGBG TMUX
status=0
KEYAVG_SHARED=${KEYAVG_SHARED-$source/../shared}
export KEYAVG_SHARED
if grep -q '^<!-- .*KEYAVG_SHARED' "$page" && [ ! -d "$KEYAVG_SHARED/traces" ]; then
    cat "$page"
    exit
fi

keyavg() { "$keyavg" "$@" || return; }

# A command of the page, with the samples where they are.
run() {
    (cd "$source" && eval "keyavg $1") || {
        echo "fill.sh: $page: this failed: keyavg $1" >&2
        status=1
    }
}

inside=no
while IFS= read -r line || [ -n "$line" ]; do
    if [ $inside = yes ] && [ "$line" != '<!-- end -->' ]; then
        continue
    fi
    printf '%s\n' "$line"
    words=${line#'<!-- '*': '}
    words=${words%' -->'}
    case $line in
    '<!-- end -->') inside=no ;;
    '<!-- screen: '*' -->')
        inside=yes
        echo '```text'
        run "$words 2>/dev/null"
        echo '```'
        ;;
    '<!-- run: '*' -->')
        inside=yes
        echo '```text'
        printf '$ keyavg %s\n' "${words%' 2>&1 || true'}" | sed 's|"$KEYAVG_SHARED"/traces/||'
        run "$words"
        echo '```'
        ;;
    '<!-- table: '*' -->')
        inside=yes
        echo
        "$manual" "$words" || status=1
        echo
        ;;
    esac
done <"$page"
[ $inside = no ] || {
    echo "fill.sh: $page: the last table or screen has no end" >&2
    status=1
}
exit $status
