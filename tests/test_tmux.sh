#!/bin/sh
# The explorer inside tmux: suspend, resize while stopped, back, the terminal given back. Waits for
# what it expects, never for a time.
sample=$KEYAVG_SAMPLES/gpu_small/trace.json
if ! command -v tmux >/dev/null 2>&1 || ! command -v bash >/dev/null 2>&1; then
    echo 'ok - tmux # SKIP tmux or bash is not there'
    exit 0
fi

folder=$(mktemp -d) || exit 1
tmux="tmux -S $folder/socket -f /dev/null"
trap '$tmux kill-server 2>/dev/null; rm -rf "$folder"' EXIT
unset TMUX

LC_ALL=C.UTF-8 $tmux new-session -d -x 80 -y 24 'PS1="READY> " exec bash --norc --noprofile -i' || {
    echo 'ok - tmux # SKIP tmux does not start here'
    exit 0
}

failed=0
number=0

# expect TEXT NAME: waits until the text is on the screen.
expect()
{
    tries=0
    while ! $tmux capture-pane -p | grep -qF -e "$1"; do
        tries=$((tries + 1))
        if [ $tries -ge 500 ]; then
            echo "not ok - $2"
            $tmux capture-pane -p | sed 's/^/# /'
            exit 1
        fi
        sleep 0.02
    done
    echo "ok - $2"
}

# expect_not TEXT NAME
expect_not()
{
    tries=0
    while $tmux capture-pane -p | grep -qF -e "$1"; do
        tries=$((tries + 1))
        if [ $tries -ge 500 ]; then
            echo "not ok - $2"
            $tmux capture-pane -p | sed 's/^/# /'
            exit 1
        fi
        sleep 0.02
    done
    echo "ok - $2"
}

keys()
{
    $tmux send-keys "$@"
}

expect 'READY>' 'a shell starts'
keys "$KEYAVG_BIN $sample" Enter
expect 'row 1 of' 'the explorer starts'
keys F7
expect 'F7SHAPES' 'F7 groups by shape'
keys F7
expect 'F7Shapes' 'F7 again groups without'
keys Down Down
expect 'row 3 of' 'arrows move'
keys End
expect_not 'row 3 of' 'End moves'
keys Home
expect 'row 1 of' 'Home moves'
keys C-z
expect 'Stopped' 'C-z suspends'
$tmux resize-window -x 100 -y 30
keys 'fg' Enter
expect 'F10Quit' 'fg comes back'
keys Down
expect 'row 2 of' 'keys work after fg'
[ "$($tmux capture-pane -p | sed -n '30p' | cut -c1-6)" = F1Help ] &&
    echo 'ok - the screen has the new size after fg' || {
    echo 'not ok - the screen has the new size after fg'
    failed=1
}
keys /
expect '/' 'the search prompt opens'
keys 'gemm' Enter
expect 'F3SEARCH' 'search is on'
keys q
expect 'READY>' 'q quits'
[ "$($tmux display-message -p '#{alternate_on}')" = 0 ] && echo 'ok - the alternate screen is left' || {
    echo 'not ok - the alternate screen is left'
    failed=1
}
keys 'echo "given"back' Enter
expect 'givenback' 'the terminal echoes again'
exit $failed
