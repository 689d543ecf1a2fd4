#!/bin/sh
# What `make ci` does beyond `make check`: each stage in a folder of its own under the build
# folder, with a time limit. What the machine lacks is skipped by name.
# Use: MAKE=make ci.sh SOURCE-FOLDER BUILD-FOLDER
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
    name=$1 seconds=$2 script=$3
    shift 3
    log=$build/ci-$name/ci.log
    mkdir -p "$build/ci-$name"
    echo "ci: $name (at most $seconds s)"
    (cd "$build/ci-$name" && timeout -k 10 "$seconds" sh -c "$script" ci "$@") >"$log" 2>&1 </dev/null
    stage_status=$?
    if [ $stage_status -eq 124 ] || [ $stage_status -eq 137 ]; then
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

has() {
    command -v "$1" >/dev/null 2>&1
}

sanitizers_work() {
    echo 'int main(void) { return 0; }' >"$build/ci-probe.c"
    gcc -fsanitize=address,undefined "$build/ci-probe.c" -o "$build/ci-probe" >/dev/null 2>&1 && "$build/ci-probe"
    probe=$?
    rm -f "$build/ci-probe.c" "$build/ci-probe"
    return $probe
}

# Every test again, where a wrong read or an overflow ends the program.
stage_asan() {
    if ! has gcc || ! sanitizers_work; then
        skip "ci-asan: no gcc with sanitizers"
        return
    fi
    stage asan 780 'rm -f tests/*.trs
        "$1"/configure -q CC=gcc CFLAGS="-O1 -g" --enable-sanitizers --enable-werror && $2 -j2 || exit
        $2 -j2 check VERBOSE=1 || { $2 -s summary 2>/dev/null; exit 1; }' "$source" "$make"
    counts=$(count_cases) || return
    # What failed, and what it printed; of the skipped cases the check has told.
    [ $stage_status -eq 0 ] || tail -n 100 "$log" | grep -v -e '^SKIP: ' -e ' passed, .* failed'
    set -- $counts
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

# A second compiler's warnings.
stage_clang() {
    if ! has clang; then
        skip "ci-clang: clang is not installed"
        return
    fi
    stage clang 300 '"$1"/configure -q CC=clang --enable-werror && $2 -j2 &&
        $2 -j2 check TESTS=' "$source" "$make" && passed=$((passed + 1))
}

# The summary made by several processes.
stage_mpi() {
    if ! has mpirun || ! { pkg-config --exists ompi-c || pkg-config --exists mpich; }; then
        skip "ci-mpi: neither Open MPI nor MPICH is installed"
        return
    fi
    stage mpi 300 'rm -f tests/*.trs
        "$1"/configure -q --with-mpi --enable-werror && $2 -j2 keyavg keyavg-mpi || exit
        $2 check TESTS=tests/test_mpi.sh check_PROGRAMS= VERBOSE=1 || { $2 -s summary 2>/dev/null; exit 1; }' \
        "$source" "$make"
    counts=$(count_cases) || return
    [ $stage_status -eq 0 ] || tail -n 100 "$log"
    set -- $counts
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

stage_asan
stage_clang
stage_mpi
echo "$passed passed, $failed failed, $skipped skipped" | tee "$build/ci-summary"
[ $failed -eq 0 ]
