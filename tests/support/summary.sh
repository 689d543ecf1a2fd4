#!/bin/sh
# Names what failed or was skipped in the .trs files that driver.sh wrote, then counts every case.
# Use: summary.sh FILE.trs...
# Ends with the line "N passed, N failed, N skipped"; exit status 1 when anything failed.
set -u
results=$(for trs in "$@"; do
    if [ -f "$trs" ]; then
        sed -n 's/^:test-result: //p' "$trs"
    else
        echo "FAIL ${trs%.trs}: did not run"
    fi
done)
printf '%s\n' "$results" | sed -n -e 's/^SKIP /SKIP: /p'
printf '%s\n' "$results" | sed -n -e 's/^FAIL /FAIL: /p'
count() { printf '%s\n' "$results" | grep -c "^$1 "; }
failed=$(count FAIL)
echo "$(count PASS) passed, $failed failed, $(count SKIP) skipped"
[ "$failed" -eq 0 ]
