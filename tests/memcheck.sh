#!/bin/sh
# Runs keyavg under valgrind's memcheck, over what the samples hold and over inputs that once broke something.
# Use: memcheck.sh KEYAVG SAMPLES TESTS-FOLDER
# Exit status 1 when memory was lost, or read where nothing is known to be; 77 without valgrind.
set -u
keyavg=$1 samples=$2 tests=$3
command -v valgrind >/dev/null 2>&1 || { echo 'SKIP: valgrind is not installed'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# checked STATUS WORD...: keyavg with these words, which ends with this status.
checked() {
    wanted=$1
    shift
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        "$keyavg" "$@" >"$work/out" 2>"$work/err" <"$work/in"
    status=$?
    if [ $status -eq "$wanted" ]; then
        echo "memcheck: $*: fine"
    else
        echo "memcheck: $*: status $status, not $wanted"
        cat "$work/err"
        failed=1
    fi
}

: >"$work/in"
gpu=$samples/gpu_small/trace.json steps=$samples/cnn_steps/trace.json.gz mlp=$samples/mlp_all/trace.json.gz
checked 0 --format torch --sort-by self_cuda_time_total --threads 2 "$gpu"
checked 0 --format json --group-by name,shape,stack=3,thread,step,scope,module,device "$gpu"
checked 0 --format csv --filter '!kind:kernel /^aten/ count>1' --percent-of shown "$steps"
checked 0 --format stacks "$mlp"
checked 0 --view tree --bottom-up "$gpu"
checked 0 --view pairs "$mlp"
checked 0 --play '<Down 3><Enter><Esc>S}/conv<Enter>n\kernel<Enter><Esc>?<Esc>:theme light<Enter>' "$gpu"
checked 0 --compare "$mlp" "$samples/mlp_plain/trace.json.gz"
gzip -dc "$mlp" >"$work/in"
checked 0 --play '<Down><Enter>' -
: >"$work/in"
for input in "$tests"/fuzz/found/trace/* "$tests"/fuzz/found/blocks/*; do
    # With 3 nothing of a trace was found in it.
    "$keyavg" --batch "$input" >"$work/out" 2>&1
    checked $? --batch "$input"
done
exit $failed
