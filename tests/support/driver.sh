#!/bin/sh
# Runs one test program for automake's harness and tells it of each single case, so that the
# totals of `make check` count cases, not programs. See "Custom Test Drivers" in automake's manual.
# Use: driver.sh --test-name NAME --log-file FILE --trs-file FILE [--criterion] [...] -- COMMAND...
set -u
LC_ALL=${LC_ALL:-C.UTF-8}
export LC_ALL

criterion=no color=no
while [ $# -gt 0 ]; do
    case $1 in
    --test-name) name=$2; shift ;;
    --log-file) log=$2; shift ;;
    --trs-file) trs=$2; shift ;;
    --color-tests) color=$2; shift ;;
    --expect-failure | --enable-hard-errors) shift ;;
    --criterion) criterion=yes ;;
    --) shift; break ;;
    *) echo "driver.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift
done

# A program that hangs must not hang the whole check.
limit=${KEYAVG_TEST_LIMIT:-600}
if command -v timeout >/dev/null 2>&1; then
    run="timeout -k 10 $limit"
else
    run=
fi

cases=$log.cases
rm -f "$cases" "$log" "$trs"
if [ $criterion = yes ]; then
    $run "$@" -j1 --color=never --tap="$cases" >"$log" 2>&1 </dev/null
else
    $run "$@" >"$log" 2>&1 </dev/null
fi
status=$?
# Programs that are no Criterion programs may print their cases.
[ -s "$cases" ] || grep -E '^(not )?ok - ' "$log" >"$cases"

# Lines "PASS name", "FAIL name why", "SKIP name why", one a case.
results=$(awk '
    /^(not )?ok - / {
        result = $1 == "ok" ? "PASS" : "FAIL"
        sub(/^(not )?ok - +/, "")
        why = ""
        if (match($0, / +# SKIP */)) {
            if (result == "PASS")
                result = "SKIP"
            why = substr($0, RSTART + RLENGTH)
            $0 = substr($0, 1, RSTART - 1)
        }
        sub(/ *\([0-9.]+s\)$/, "")
        if (result == "FAIL" && match($0, /^[^ ]+::[^ ]+ /)) {
            why = substr($0, RLENGTH + 1)
            $0 = substr($0, 1, RLENGTH - 1)
        }
        print result " " $0 (why == "" ? "" : ": " why)
    }' "$cases")
rm -f "$cases"
failed_case=$(printf '%s\n' "$results" | grep -c '^FAIL ')
if [ -z "$results" ] && [ $status -eq 0 ]; then
    if [ $criterion = yes ]; then
        results="FAIL $name: holds no test case"
    else
        results="PASS $name"
    fi
elif [ -z "$results" ] && [ $status -eq 77 ] && [ $criterion = no ]; then
    results="SKIP $name: $(sed -n 's/^SKIP:* *//p' "$log" | tail -n 1)"
elif [ $status -ne 0 ] && [ "$failed_case" -eq 0 ]; then
    case $status in
    124 | 137) why="stopped after $limit s" ;;
    *) why="ended with status $status" ;;
    esac
    results="$results${results:+
}FAIL $name: $why"
# Leaks are found when a case has ended, too late for Criterion to see.
elif [ "$failed_case" -eq 0 ] && grep -q 'ERROR: [A-Za-z]*Sanitizer: \|: runtime error: ' "$log"; then
    results="$results${results:+
}FAIL $name: a sanitizer reports"
fi

count() { printf '%s\n' "$results" | grep -c "^$1 "; }
passed=$(count PASS) failed=$(count FAIL) skipped=$(count SKIP)
result=PASS paint='\033[0;32m'
if [ "$failed" -gt 0 ]; then
    result=FAIL paint='\033[0;31m'
elif [ "$passed" -eq 0 ]; then
    result=SKIP paint='\033[1;34m'
fi

{
    printf '%s\n' "$results" | sed 's/^/:test-result: /'
    echo ":global-test-result: $result"
    echo ":recheck: $([ $result = FAIL ] && echo yes || echo no)"
    echo ":copy-in-global-log: $([ $result = FAIL ] && echo yes || echo no)"
} >"$trs"

text=$result
[ "$color" = yes ] && text=$(printf "$paint%s\033[m" $result)
detail="$passed ok"
[ "$failed" -gt 0 ] && detail="$detail, $failed failed"
[ "$skipped" -gt 0 ] && detail="$detail, $skipped skipped"
echo "$text: $name ($detail)"
