#!/bin/sh
# keyavg-mpi: one process, four processes and a plain merge give the same bytes; a broken and a missing file are
# told and left out. Needs a build with --with-mpi.
set -u
if [ ! -x "$KEYAVG_MPI" ]; then
    echo "SKIP: built without --with-mpi"
    exit 77
fi
if ! command -v mpirun >/dev/null 2>&1; then
    echo "SKIP: no mpirun"
    exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# Open MPI does not run as root or on fewer processors than processes unless it is told to.
flags=
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    flags='--allow-run-as-root --oversubscribe'
    # Without these, it looks for other machines and for rights that a container does not give.
    OMPI_MCA_plm_rsh_agent=false OMPI_MCA_btl_vader_single_copy_mechanism=none
    export OMPI_MCA_plm_rsh_agent OMPI_MCA_btl_vader_single_copy_mechanism
fi

# mpi PROCESSES WORD...: runs keyavg-mpi, with what it says in the file err
mpi() {
    count=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    timeout 120 mpirun $flags -n "$count" "$KEYAVG_MPI" "$@" >out 2>err </dev/null
}

# check NAME COMMAND...
check() {
    name=$1
    shift
    if "$@"; then
        echo "ok - mpi: $name"
    else
        echo "not ok - mpi: $name"
        sed 's/^/    /' err
    fi
}

mkdir traces
for rank in 0 1 2 3; do
    cp "$KEYAVG_SAMPLES/ddp/rank$rank/trace.json.gz" traces/rank$rank.json.gz
    "$KEYAVG_BIN" --summarise plain$rank.kavg traces/rank$rank.json.gz || exit 99
done
"$KEYAVG_BIN" --summarise plain.kavg plain3.kavg plain1.kavg plain0.kavg plain2.kavg || exit 99

check 'one process' mpi 1 --summarise one.kavg traces
check 'one process gives the bytes of a plain merge' cmp one.kavg plain.kavg
check 'four processes' mpi 4 --summarise four.kavg traces
check 'they tell what was done' grep -q 'keyavg-mpi: 4 files by 4 processes, 0 left out' err
check 'four processes give the bytes of a plain merge' cmp four.kavg plain.kavg
check 'three processes' mpi 3 --summarise three.kavg traces
check 'three processes give the bytes of a plain merge' cmp three.kavg plain.kavg
check 'more processes than files' mpi 7 --summarise seven.kavg traces
check 'they give the bytes of a plain merge' cmp seven.kavg plain.kavg
check 'traces and summaries together' mpi 2 --summarise mixed.kavg traces/rank0.json.gz plain1.kavg plain2.kavg \
    traces/rank3.json.gz
check 'they give the bytes of a plain merge, too' cmp mixed.kavg plain.kavg

# What cannot be read is no reason to stop.
head -c 5000 plain1.kavg >traces/broken.kavg
echo '{"no": "trace"}' >traces/other.json
check 'a broken and a missing file are not fatal' mpi 4 --summarise left.kavg traces /nowhere/rank9.json
check 'the broken one is told' grep -q 'traces/broken.kavg: damaged.*; left out' err
check 'the missing one is told' grep -q '/nowhere/rank9.json: No such file or directory; left out' err
check 'they are counted' grep -q 'keyavg-mpi: 6 files by 4 processes, 3 left out' err
check 'the others give the bytes of a plain merge' cmp left.kavg plain.kavg

mpi 2 --summarise none.kavg traces/other.json
check 'nothing to read ends with status 3' test $? -eq 3
check 'and writes nothing' test ! -e none.kavg
mpi 2 traces
check 'without a place to write to it is wrong usage' test $? -eq 2
check 'all of it can be opened as ranks' sh -c '"$KEYAVG_BIN" --batch four.kavg 2>err | grep -q "of 4 ranks"'
