#!/bin/sh
# The man pages and completions that the build makes.
set -u
made=$(dirname "$KEYAVG_BIN")/tools
LC_ALL=C.UTF-8
export LC_ALL

has() { command -v "$1" >/dev/null 2>&1; }
# result STATUS NAME
result() { [ "$1" -eq 0 ] && echo "ok - manual: $2" || echo "not ok - manual: $2"; }
# A page as a reader sees it, one word a line.
words_of() { sed -e 's/\\f[BIPR]//g' -e 's/\\-/-/g' -e 's/\\://g' "$1" | tr -s ' ",' '\n'; }

words_of "$made/keyavg.1" >manual-words
missing=
for word in $("$KEYAVG_BIN" --help | grep -o -E '^ +(-., )?--[a-z-]+' | grep -o -E -e '--[a-z-]+') \
    $("$KEYAVG_BIN" --list-columns | grep -o -E '^[a-z0-9_]+'); do
    grep -q -x -e "$word" manual-words || missing="$missing $word"
done
[ -z "$missing" ]
result $? "keyavg(1) has every option and column"
[ -z "$missing" ] || echo "missing in keyavg(1):$missing"

words_of "$made/keyavg.5" >manual-words
missing=
for word in $("$KEYAVG_BIN" --print-config | sed -n -E 's/^ *(# +)?([a-z][a-z0-9_-]+): .*/\2/p'); do
    grep -q -x -e "$word" manual-words || missing="$missing $word"
done
[ -z "$missing" ]
result $? "keyavg(5) has every word of --print-config"
[ -z "$missing" ] || echo "missing in keyavg(5):$missing"
rm -f manual-words

if has groff && has preconv; then
    for page in keyavg.1 keyavg.5; do
        said=$(groff -man -ww -z -k -Tutf8 "$made/$page" 2>&1)
        [ -z "$said" ]
        result $? "groff has nothing to say about $page"
        [ -z "$said" ] || echo "$said"
    done
else
    echo "ok - manual: groff has nothing to say # SKIP groff is not installed"
fi

# The words that bash would offer after these, sorted.
# shellcheck disable=SC2016 # for the bash below
offer='. "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_keyavg
printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "'
# offers WANTED WORD...
offers() {
    wanted=$1
    shift
    got=$(bash -c "$offer" bash "$made/keyavg.bash" "$@")
    [ "$got" = "$wanted" ]
    result $? "bash completes '$*'"
    [ "$got" = "$wanted" ] || echo "offered: $got"
}
if has bash; then
    offers '--format ' keyavg --form
    offers 'text torch tsv ' keyavg --format t
    offers 'csv ' keyavg -f c
    offers 'csv ' keyavg --format = c
    offers 'auto ms s us ' keyavg --time-unit ''
    offers 'self_cpu_time_total ' keyavg --sort-by self_cpu_t
    offers 'key,count,self_cpu_time_total ' keyavg --columns key,count,self_cpu_t
    offers 'name,scope name,shape name,stack name,step ' keyavg -g name,s
    offers 'mono ' keyavg --theme mon
    offers ' ' keyavg --row-limit 1
else
    echo "ok - manual: completion in bash # SKIP bash is not installed"
fi
for shell in zsh fish; do
    case $shell in
    zsh) file=_keyavg ;;
    fish) file=keyavg.fish ;;
    esac
    if has $shell; then
        $shell -n "$made/$file"
        result $? "$shell reads its completion"
    else
        echo "ok - manual: $shell reads its completion # SKIP $shell is not installed"
    fi
done
