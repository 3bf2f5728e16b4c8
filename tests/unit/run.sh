#!/bin/bash
# Runs the unit test programs named, as many at once as there are processors (JOBS), and adds up their checks. The
# tests of a program share one process, which takes half the time under the sanitizers. A program that fails, crashes or
# hangs is repeated with a process for each test, so that the test is named and the others count.
set -u
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0
printf '%s\0' "$@" | CK_VERBOSITY=normal xargs -0 -n 1 -P "${JOBS:-$(nproc)}" bash -c '
    log=$0/${1##*/}
    CK_FORK=no timeout -k 5 $((300 * ${CK_TIMEOUT_MULTIPLIER:-1})) "$1" >"$log" 2>&1
    status=$?
    echo $status >"$log.status"
    [ $status = 0 ] || { mv "$log" "$log.together" && CK_FORK=yes "$1" >"$log" 2>&1; }' "$logs"
for program in "$@"; do
    name=${program##*/}
    status=$(cat "$logs/$name.status" 2>/dev/null || echo "not known")
    line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$' "$logs/$name")
    read -r _ checks failures errors <<<"${line//[^0-9]/ }"
    bad=$((${failures:-0} + ${errors:-0}))
    if [ "$status" != 0 ] && [ "$bad" = 0 ] || [ -z "$line" ]; then
        bad=$((bad + 1))
    fi
    passed=$((passed + ${checks:-0} - ${failures:-0} - ${errors:-0}))
    failed=$((failed + bad))
    if [ "$bad" != 0 ]; then
        echo "$name:"
        cat "$logs/$name.together" "$logs/$name" 2>/dev/null | tail -n 60
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
