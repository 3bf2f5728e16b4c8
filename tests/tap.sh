#!/bin/bash
# Runs TAP scripts, as many at once as there are processors (JOBS), and adds up their results in the
# order of their names. A script that says nothing, or fails without saying what, counts as one
# failure.
set -u
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0 skipped=0 running=0

run() { # a script, the file for what it says
    bash "$1" >"$2" 2>&1
    echo $? >"$2.status"
}

tell() { # the same
    local ok bad skips status
    status=$(cat "$2.status" 2>/dev/null || echo "not known")
    ok=$(grep -c '^ok' "$2") bad=$(grep -c '^not ok' "$2")
    skips=$(grep -ciE '^ok.*# skip' "$2")
    if [ $((ok + bad)) = 0 ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
        echo "not ok - $1 (exit status $status)"
        bad=$((bad + 1))
    fi
    if [ "$bad" != 0 ]; then
        echo "$1:"
        grep -v '^ok' "$2"
    fi
    grep -iE '^ok.*# skip' "$2"
    passed=$((passed + ok - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
}

for script in "$@"; do
    if [ "$running" -ge "${JOBS:-$(nproc)}" ]; then
        wait -n
        running=$((running - 1))
    fi
    run "$script" "$logs/${script//\//-}" &
    running=$((running + 1))
done
wait
for script in "$@"; do
    tell "$script" "$logs/${script//\//-}"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) != 0 ]
