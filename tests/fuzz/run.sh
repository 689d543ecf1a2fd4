#!/bin/sh
# Runs the fuzz targets, each for TIME seconds, from the committed corpora.
# Use: MAKE=make TIME=60 JOBS=1 SEED=0 LENGTH=8192 SANITIZERS=address,undefined FUZZ='trace blocks' run.sh SOURCE-FOLDER
# FOLDER; JOBS of them run at the same time; with a SEED other than 0 the inputs are the same each time; none is longer
# than LENGTH bytes
# Builds in FOLDER/build-SANITIZERS. What is new goes to FOLDER/corpus/TARGET, what breaks something to FOLDER/TARGET-*.
# Prints a line of executions for each target; exit status 1 when something was found, 77 without clang's libFuzzer.
set -u
source=$1 folder=$2
make=${MAKE:-make} time=${TIME:-60} jobs=${JOBS:-1} length=${LENGTH:-8192}
sanitizers=${SANITIZERS:-address,undefined}
build=build-$(echo "$sanitizers" | tr , -)
here=$source/tests/fuzz
targets=${FUZZ:-"trace blocks json inflate filter config keys play summary"}
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS

say() { echo "fuzz: $*"; }

mkdir -p "$folder/$build" && cd "$folder" || exit 1
echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return b && n > 99; }' >probe.c
if ! clang -fsanitize=fuzzer,"$sanitizers" probe.c -o probe >probe.log 2>&1; then
    say "clang's libFuzzer is not there"
    exit 77
fi
rm -f probe probe.c probe.log

flags="-O2 -g -fsanitize=fuzzer-no-link,$sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"
if ! { cd "$build" && { [ -f Makefile ] || "$source/configure" -q CC=clang CFLAGS="$flags"; } &&
    $make -s tests/fuzz/fuzz; } >"$folder/build.log" 2>&1; then
    tail -n 30 "$folder/build.log"
    say "does not build"
    exit 1
fi
cd "$folder" || exit 1

# Runs one target; its line, and what it found, in one piece.
run() {
    target=$1
    mkdir -p "corpus/$target"
    committed=
    for inputs in "$here/corpus/$target" "$here/found/$target"; do
        [ ! -d "$inputs" ] || committed="$committed $inputs"
    done
    # shellcheck disable=SC2086 # a list of folders
    "$build/tests/fuzz/fuzz" --target="$target" -max_total_time="$time" -seed="${SEED:-0}" -timeout=25 -rss_limit_mb=4096 \
        -max_len="$length" -dict="$here/words" -artifact_prefix="$folder/$target-" -print_final_stats=1 \
        "corpus/$target" $committed >"$target.log" 2>&1 </dev/null
    ended=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")
    say "$target: ${executions:-0} executions"
    if [ $ended -ne 0 ]; then
        grep -E '^fuzz: |ERROR|runtime error|SUMMARY|Test unit' "$target.log"
        echo "$target" >>found
    fi
}

rm -f found
running=0
for target in $targets; do
    run "$target" &
    running=$((running + 1))
    [ $((running % jobs)) -ne 0 ] || wait
done
wait
[ ! -f found ]
