#!/bin/sh
# Builds with gcov, runs every test and prints how many lines of each room they reach, beside the goals; with --files of each
# file too. Exit status 1 where a room falls short.
# Use: MAKE=make coverage.sh SOURCE-FOLDER FOLDER [--files]
set -eu
source=$1 folder=$2 files=${3-}
make=${MAKE:-make}
LC_ALL=C
export LC_ALL

# A make above this one must not pass its job server or its words on.
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS

mkdir -p "$folder"
cd "$folder"
jobs=$(getconf _NPROCESSORS_ONLN)
[ -f Makefile ] || "$source"/configure -q CC=gcc CFLAGS='-O0 -g --coverage -fprofile-update=atomic'
$make -s -j"$jobs"
$make -s -j"$jobs" check TESTS= >check.log 2>&1 || { tail -n 30 check.log; exit 1; }
find . -name '*.gcda' -exec rm -f {} +
# A failed test still shows what it reached.
$make -s -j"$jobs" check >check.log 2>&1 || $make -s summary || :
tail -n 1 check.log

find src -name '*.gcno' | sort | while read -r notes; do
    gcov -n -o "$(dirname "$notes")" "$notes" 2>/dev/null |
        awk -v name="$(basename "$notes" .gcno).c" '
            /^File / { path = $2; gsub(/\x27/, "", path); mine = path ~ "/" name "$" }
            /^Lines executed:/ && mine { sub(/.*:/, ""); sub(/%/, ""); print path, $3, int($1 * $3 / 100 + 0.5); mine = 0 }'
done >lines

awk -v files="$files" '
    {
        path = $1
        sub(/.*\/src\//, "", path)
        room = path ~ /\// ? path : "program"
        sub(/\/.*/, "", room)
        total[room] += $2
        reached[room] += $3
        if (files != "")
            printf "  %-32s %6d %6d %6.1f %%\n", path, $2, $3, 100 * $3 / $2
    }
    END {
        count = split("base trace average table export config ui program", rooms, " ")
        split("trace average table export config", strict, " ")
        for (i in strict)
            goal[strict[i]] = 90
        goal["ui"] = 80
        printf "%-10s %8s %8s %8s   %s\n", "room", "lines", "reached", "", "goal"
        for (i = 1; i <= count; i++) {
            room = rooms[i]
            if (!total[room])
                continue
            share = 100 * reached[room] / total[room]
            short = goal[room] && share < goal[room]
            failed = failed || short
            printf "%-10s %8d %8d %6.1f %%   %s%s\n", room, total[room], reached[room], share,
                goal[room] ? goal[room] " %" : "", short ? "  falls short" : ""
            all += total[room]
            hit += reached[room]
        }
        printf "%-10s %8d %8d %6.1f %%\n", "all", all, hit, 100 * hit / all
        exit failed
    }' lines
