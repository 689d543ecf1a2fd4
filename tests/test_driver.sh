#!/bin/sh
# The test driver and the summary: every way a program can end is counted as it should be.
set -u
support=$KEYAVG_TESTS/support
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# run NAME [--criterion] -- COMMAND...: what the driver says and writes
run() {
    name=$1
    shift
    sh "$support/driver.sh" --test-name "$name" --log-file "$name.log" --trs-file "$name.trs" \
        --color-tests no --expect-failure no --enable-hard-errors yes "$@" >"$name.out"
}
# expect WHAT FILE PATTERN
expect() {
    if grep -q "$3" "$2"; then
        echo "ok - driver: $1"
    else
        echo "not ok - driver: $1"
        sed 's/^/    /' "$2"
    fi
}

run plain -- sh -c 'exit 0'
expect 'exit status 0 passes' plain.trs '^:test-result: PASS plain$'
run broken -- sh -c 'exit 1'
expect 'exit status 1 fails' broken.trs '^:test-result: FAIL broken: ended with status 1$'
expect 'the whole program failed' broken.trs '^:global-test-result: FAIL$'
run skipped -- sh -c 'echo SKIP: no terminal; exit 77'
expect 'exit status 77 skips' skipped.trs '^:test-result: SKIP skipped: no terminal$'
run cases -- sh -c 'echo "ok - one"; echo "not ok - two"; echo "ok - three # SKIP why not"; exit 1'
expect 'each printed case counts' cases.out '^FAIL: cases (1 ok, 1 failed, 1 skipped)$'
expect 'a skipped case keeps its reason' cases.trs '^:test-result: SKIP three: why not$'
run late -- sh -c 'echo "ok - one"; exit 5'
expect 'a bad end after good cases fails' late.trs '^:test-result: FAIL late: ended with status 5$'
run leaky -- sh -c 'echo "ok - one"; echo "==1==ERROR: LeakSanitizer: detected memory leaks"'
expect 'a leak fails though the case passed' leaky.trs '^:test-result: FAIL leaky: a sanitizer reports$'
KEYAVG_TEST_LIMIT=1 run slow -- sh -c 'sleep 30'
expect 'a program that hangs is stopped' slow.trs '^:test-result: FAIL slow: stopped after 1 s$'

sh "$support/summary.sh" plain.trs skipped.trs cases.trs absent.trs >sum 2>&1
[ $? -eq 1 ] && echo 'ok - summary: fails with a failed case' || echo 'not ok - summary: fails with a failed case'
expect 'what did not run failed' sum '^FAIL: absent: did not run$'
tail -n 1 sum >last
expect 'the last line counts every case' last '^2 passed, 2 failed, 2 skipped$'
sh "$support/summary.sh" plain.trs skipped.trs >sum && echo 'ok - summary: passes' || echo 'not ok - summary: passes'


mkdir sources
printf 'Test(a, b)\n{\n}\nParameterizedTest(struct x *y, c, d) {}\nTest(e, f, .init = g)\n' >sources/test_some.c
(KEYAVG_TESTS=$work/sources run skips -- sh "$support/no-criterion.sh")
expect 'without Criterion every case is skipped' skips.out '^SKIP: skips (0 ok, 3 skipped)$'
expect 'by its name' skips.trs '^:test-result: SKIP c::d: Criterion is not installed$'
