#!/bin/sh
# Installs what deb and portable have made where nothing else is, and uses it there: bare Debian systems that debootstrap
# makes (as root), without any terminfo for the portable binary, and a fresh virtual environment for the wheel. It is
# `make check-packages`; what the machine lacks is skipped by name.
# Use: check.sh PACKAGES SAMPLES [MIRROR]
set -u
packages=$(cd "$1" && pwd) samples=$2/gpu_small mirror=${3-}
work=$packages/check
passed=0 failed=0 skipped=0
LC_ALL=C.UTF-8
export LC_ALL

has() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "SKIP: $1"; skipped=$((skipped + 1)); }
# result STATUS NAME
result() {
    if [ "$1" -eq 0 ]; then
        echo "PASS: $2"
        passed=$((passed + 1))
    else
        echo "FAIL: $2"
        failed=$((failed + 1))
    fi
}

# -- What is done with it everywhere ---------------------------------------------------------------

# check_table WHERE COMMAND...: COMMAND is keyavg, and prints torch's own table.
check_table() {
    where=$1
    shift
    "$@" --version >"$work/out" 2>&1 && grep -q '^keyavg ' "$work/out"
    result $? "$where: --version"
    "$@" --sort-by self_device_time_total --row-limit -1 - <"$samples/trace.json" >"$work/out" 2>"$work/err" &&
        cmp -s "$work/out" "$samples/name.self_device_time_total.txt"
    result $? "$where: torch's table, byte for byte"
}

# shown WORD: waits until the terminal shows it.
shown() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        tmux -L "$socket" capture-pane -p -t check >"$work/screen" 2>/dev/null
        grep -q -e "$1" "$work/screen" && return
        sleep 0.25
    done
    cat "$work/screen"
    return 1
}

# check_explorer WHERE TERM COMMAND: in a real terminal; COMMAND ends with the trace.
check_explorer() {
    socket=keyavg-check-$2 # of its own: a server that ends is in nobody's way
    tmux -L "$socket" -f /dev/null new-session -d -s check -x 80 -y 24 "env TERM=$2 LC_ALL=C.UTF-8 $3; echo status \$?; sleep 30"
    shown 'aten::mm' && tmux -L "$socket" send-keys -t check S && shown 'Input Shapes' &&
        tmux -L "$socket" send-keys -t check q && shown 'status 0'
    result $? "$1: explorer on TERM=$2"
    tmux -L "$socket" kill-session -t check 2>/dev/null
}

# inside FOLDER COMMAND...: in the system there, with /proc as everywhere, which goes with the command.
inside() { unshare --mount sh -c "$in_root" "$@"; }
# shellcheck disable=SC2016 # for the shell that is started
in_root='mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'

# bare FOLDER: a system with nothing but what every Debian has.
bare() {
    [ -f "$work/base.tar" ] || {
        rm -rf "$work/base"
        # shellcheck disable=SC2086 # may be no word at all
        debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/base" $mirror \
            >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; return 1; }
        tar -C "$work/base" -cf "$work/base.tar" . && rm -rf "$work/base"
    }
    rm -rf "$1"
    mkdir "$1" && tar -C "$1" -xpf "$work/base.tar" && cp "$samples/trace.json" "$1/trace.json"
}

# -- The portable tarball --------------------------------------------------------------------------

check_portable() {
    root=$work/portable
    bare "$root"
    result $? "portable: a bare system" || return
    rm -rf "$root/lib/terminfo" "$root/usr/lib/terminfo" "$root/usr/share/terminfo" "$root/etc/terminfo"
    tar -C "$root/opt" -xzf "$1"
    binary=$(cd "$root" && echo opt/*/bin/keyavg)
    check_table portable inside "$root" "/$binary"
    has tmux || { skip "portable: explorer: tmux is not installed"; return; }
    for term in xterm xterm-256color screen tmux-256color vt100 linux xterm-kitty; do
        check_explorer portable $term "unshare --mount sh -c '$in_root' $root /$binary /trace.json"
    done
}

# -- The Debian package ----------------------------------------------------------------------------

check_deb() {
    root=$work/deb
    bare "$root"
    result $? "deb: a bare system" || return
    cp "$1" "$root/keyavg.deb"
    inside "$root" sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install /keyavg.deb' >"$work/out" 2>&1
    status=$?
    [ $status -eq 0 ] || tail "$work/out"
    result $status "deb: apt-get install"
    check_table deb inside "$root" keyavg
    if has tmux; then
        check_explorer deb xterm-256color "unshare --mount sh -c '$in_root' $root keyavg /trace.json"
    else
        skip "deb: explorer: tmux is not installed"
    fi
    inside "$root" dpkg --purge keyavg >"$work/out" 2>&1 && [ -z "$(find "$root/usr" -name '*keyavg*')" ]
    result $? "deb: nothing is left of it when it is removed"
}

# -- The wheel -------------------------------------------------------------------------------------

check_wheel() {
    environment=$work/venv
    rm -rf "$environment"
    python3 -m venv "$environment" && "$environment/bin/pip" -q install --no-index "$1"
    result $? "wheel: pip install"
    check_table wheel env "PATH=$environment/bin:/usr/bin:/bin" keyavg
    "$environment/bin/pip" -q uninstall -y keyavg && [ -z "$(find "$environment" -name '*keyavg*' -o -name '*cjson*')" ]
    result $? "wheel: nothing is left of it when it is removed"
}

mkdir -p "$work"
for kind in portable deb wheel; do
    case $kind in
    portable) file=$(ls "$packages"/keyavg-*-linux-*.tar.gz 2>/dev/null) ;;
    deb) file=$(ls "$packages"/keyavg_*.deb 2>/dev/null) ;;
    wheel) file=$(ls "$packages"/keyavg-*.whl 2>/dev/null) ;;
    esac
    if [ -z "$file" ]; then
        skip "$kind: not built; make deb portable"
    elif [ $kind = wheel ]; then
        if has python3 && python3 -c 'import venv, ensurepip' 2>/dev/null; then check_wheel "$file"; else skip "wheel: python3 has no venv"; fi
    elif [ "$(id -u)" -ne 0 ]; then
        skip "$kind: only root can"
    elif ! has debootstrap; then
        skip "$kind: debootstrap is not installed"
    else
        check_$kind "$file"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
