#!/bin/bash
# Runs TAP scripts and adds up their results. A script that says nothing, or fails without saying
# what, counts as one failure.
set -u
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for script in "$@"; do
    bash "$script" >"$log" 2>&1
    status=$?
    ok=$(grep -c '^ok' "$log") bad=$(grep -c '^not ok' "$log")
    skips=$(grep -ciE '^ok.*# skip' "$log")
    if [ $((ok + bad)) = 0 ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
        echo "not ok - $script (exit status $status)"
        bad=$((bad + 1))
    fi
    if [ "$bad" != 0 ]; then
        echo "$script:"
        grep -v '^ok' "$log"
    fi
    grep -iE '^ok.*# skip' "$log"
    passed=$((passed + ok - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) != 0 ]
