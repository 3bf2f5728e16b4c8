#!/bin/bash
# Runs the unit test programs named and adds up their checks.
set -u
passed=0 failed=0
for program in "$@"; do
    output=$(CK_VERBOSITY=normal "$program" 2>&1)
    status=$?
    line=$(echo "$output" | grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$')
    read -r _ checks failures errors < <(echo "$line" | sed 's/[^0-9]\+/ /g')
    bad=$((${failures:-0} + ${errors:-0}))
    if [ "$status" != 0 ] && [ "$bad" = 0 ] || [ -z "$line" ]; then
        bad=$((bad + 1))
    fi
    passed=$((passed + ${checks:-0} - ${failures:-0} - ${errors:-0}))
    failed=$((failed + bad))
    if [ "$bad" != 0 ]; then
        echo "$(basename "$program"):"
        echo "$output" | tail -n 60
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
