#!/bin/sh
# Stands for all Criterion programs where there is no Criterion: each of their cases is skipped.
set -u
cases='s/^\(Parameterized\)\{0,1\}Test(\([^,()]*,\)\{0,1\} *\([A-Za-z0-9_]*\), *\([A-Za-z0-9_]*\).*/\3::\4/p'
sed -n "$cases" "$KEYAVG_TESTS"/test_*.c | sed 's/.*/ok - & # SKIP Criterion is not installed/'
