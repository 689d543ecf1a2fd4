#!/bin/sh
# What `make ci` does beyond `make check`: each stage in a folder of its own under the build
# folder, with a time limit. What the machine lacks is skipped by name.
# Use: MAKE=make PATIENCE=1 ci.sh SOURCE-FOLDER BUILD-FOLDER; PATIENCE times as long on a machine that is busy
# Ends with the line "N passed, N failed, N skipped", also kept in BUILD-FOLDER/ci-summary; exit
# status 1 when anything failed.
set -u
source=$1 build=$2
make=${MAKE:-make}
passed=0 failed=0 skipped=0

# A make above this one must not pass its job server or its words on.
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS

skip() {
    echo "SKIP: $1"
    skipped=$((skipped + 1))
}

fail() {
    echo "FAIL: $1"
    failed=$((failed + 1))
}

# stage NAME SECONDS SCRIPT [ARGUMENT]...: runs SCRIPT in BUILD/ci-NAME with its output in a log.
stage() {
    name=$1 seconds=$(($2 * ${PATIENCE:-1})) script=$3
    shift 3
    log=$build/ci-$name/ci.log
    mkdir -p "$build/ci-$name"
    echo "ci: $name (at most $seconds s)"
    began=$(date +%s)
    (cd "$build/ci-$name" && timeout -k 10 "$seconds" sh -c "$script" ci "$@") >"$log" 2>&1 </dev/null
    stage_status=$?
    echo "ci: $name took $(($(date +%s) - began)) s"
    if [ $stage_status -eq 77 ]; then
        skip "ci-$name: $(tail -n 1 "$log")"
    elif [ $stage_status -eq 124 ] || [ $stage_status -eq 137 ]; then
        tail -n 30 "$log"
        fail "ci-$name: stopped after $seconds s"
    elif [ $stage_status -ne 0 ] && ! count_cases >/dev/null; then
        tail -n 60 "$log"
        fail "ci-$name: ended with status $stage_status"
    fi
    return $stage_status
}

# The line of counts that the stage's own summary ended with.
count_cases() {
    tail -n 1 "$log" | grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
}

# A stage that is one case: it passes when its script does.
stage_of_one() {
    stage "$@" && passed=$((passed + 1))
}

# A stage that runs tests: each of their cases counts.
stage_of_tests() {
    stage "$@"
    counts=$(count_cases) || return
    # What failed, and what it printed; of the skipped cases the check has told.
    [ $stage_status -eq 0 ] || tail -n 100 "$log" | grep -v -e '^SKIP: ' -e ' passed, .* failed'
    set -- $counts
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# links COMPILER FLAG: whether programs with this sanitizer can be made, and run.
links() {
    has "$1" || return
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return b && n; } int main(void) { return 0; }' >"$build/ci-probe.c"
    "$1" "$2" "$build/ci-probe.c" -o "$build/ci-probe" >/dev/null 2>&1 && "$build/ci-probe"
    probe=$?
    rm -f "$build/ci-probe.c" "$build/ci-probe"
    return $probe
}

# Every test again, where a wrong read or an overflow ends the program.
stage_asan() {
    if ! links gcc -fsanitize=address,undefined; then
        skip "ci-asan: no gcc with sanitizers"
        return
    fi
    stage_of_tests asan 1500 'rm -f tests/*.trs
        "$1"/configure -q CC=gcc CFLAGS="-O1 -g" --enable-sanitizers --enable-werror && $2 -j2 || exit
        $2 -j2 check VERBOSE=1 || { $2 -s summary 2>/dev/null; exit 1; }' "$source" "$make"
}

# A second compiler's warnings.
stage_clang() {
    if ! has clang; then
        skip "ci-clang: clang is not installed"
        return
    fi
    stage_of_one clang 600 '"$1"/configure -q CC=clang --enable-werror && $2 -j2 &&
        $2 -j2 check TESTS=' "$source" "$make"
}

# The scanner as it is on processors without SSE2.
stage_plain() {
    tests='tests/test_scan tests/test_differential tests/test_identity tests/test_loading tests/test_fuzz'
    stage_of_tests plain 600 'rm -f tests/*.trs
        "$1"/configure -q CFLAGS="-O2 -g -U__SSE2__" --enable-werror && $2 -j2 keyavg || exit
        $2 -j2 check VERBOSE=1 TESTS="$3" check_PROGRAMS="$3" || { $2 -s summary TESTS="$3" 2>/dev/null; exit 1; }' \
        "$source" "$make" "$tests"
}

# Data that two threads use at once. Criterion's own memory stands where ThreadSanitizer wants its own, so the program
# is run, and the fuzz targets over their committed inputs; `blocks` reads each with several threads and lengths of
# block. libFuzzer's own notes of what was compared are shared by all threads.
stage_threads() {
    if ! links clang -fsanitize=thread; then
        skip "ci-threads: no clang with ThreadSanitizer"
        return
    fi
    stage_of_one threads 600 '
        "$1"/configure -q CC=clang CFLAGS="-O1 -g -fsanitize=thread" || exit
        $2 -j2 keyavg bench/grow tests/fuzz/fuzz || exit
        echo race:__sanitizer_weak_hook_ >suppressions
        export TSAN_OPTIONS="exitcode=99 suppressions=$PWD/suppressions"
        for target in trace blocks inflate; do
            tests/fuzz/fuzz --target=$target "$1/tests/fuzz/corpus/$target"/* "$1/tests/fuzz/found/$target"/* || exit
        done
        gzip -dc "$1/samples/cnn_steps/trace.json.gz" >sample && bench/grow -s 8M -o large sample || exit
        gzip -1 <large >large.gz
        for words in "large" "large.gz" "--group-by name,shape,stack=3,thread,step,scope,module large" \
            "--compare large $1/samples/cnn_steps/trace.json.gz" "--play <Down>S}<Enter> large"; do
            echo "keyavg --threads 4 $words"
            ./keyavg --threads 4 --stats $words >out || exit
        done
        ./keyavg --threads 4 - <large >out || exit
        # ThreadSanitizer keeps a signal back until the program calls something.
        for test in "test_terminal --filter=terminal/!(sighup*|signals*)" "test_loading --filter=loading/!(a_signal*)"; do
            [ ! -x "$3/tests/${test%% *}" ] || KEYAVG_BIN=$PWD/keyavg "$3"/tests/$test || exit
        done' "$source" "$make" "$build"
}

# Memory as valgrind sees it: what is read before it was written, and what is lost.
stage_memcheck() {
    stage_of_one memcheck 480 'sh "$1/tests/memcheck.sh" "$2/keyavg" "$1/samples" "$1/tests"' "$source" "$build"
}

# Each fuzz target for half a minute, from the committed inputs; with one seed, so that a change is judged by what it
# changes. What nobody has seen yet is for `make fuzz` to find.
stage_fuzz() {
    stage_of_one fuzz 900 'rm -rf corpus && MAKE=$2 TIME=30 JOBS=2 SEED=1 sh "$1/tests/fuzz/run.sh" "$1" "$PWD"' "$source" "$make"
}

# What three analysers say of the sources: nothing.
stage_analysis() {
    if has gcc; then
        stage_of_one analyzer 600 '"$1"/configure -q CC=gcc CFLAGS="-O1 -g -fanalyzer" --enable-werror &&
            $2 -j2 libkeyavg.a' "$source" "$make"
    else
        skip 'ci-analyzer: gcc is not installed'
    fi
    # clang's own analyser takes minutes: `make clang-tidy` has it.
    for analyser in cppcheck clang-tidy; do
        if has $analyser; then
            stage_of_one $analyser 120 '$2 -C "$1" -s $3 CHECKS=-clang-analyzer-\*' "$build" "$make" $analyser
        else
            skip "ci-$analyser: $analyser is not installed"
        fi
    done
}

# The summary made by several processes.
stage_mpi() {
    if ! has mpirun || ! { pkg-config --exists ompi-c || pkg-config --exists mpich; }; then
        skip "ci-mpi: neither Open MPI nor MPICH is installed"
        return
    fi
    stage_of_tests mpi 600 'rm -f tests/*.trs
        "$1"/configure -q --with-mpi --enable-werror && $2 -j2 keyavg keyavg-mpi || exit
        $2 check TESTS=tests/test_mpi.sh check_PROGRAMS= VERBOSE=1 || { $2 -s summary 2>/dev/null; exit 1; }' \
        "$source" "$make"
}

stage_asan
stage_clang
stage_mpi
stage_plain
stage_threads
stage_memcheck
stage_fuzz
stage_analysis
echo "$passed passed, $failed failed, $skipped skipped" | tee "$build/ci-summary"
[ $failed -eq 0 ]
