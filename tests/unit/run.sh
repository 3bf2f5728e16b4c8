#!/bin/bash
# Runs the unit test programs named, as many at once as there are processors (JOBS), and adds up their checks.
set -u
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0
printf '%s\0' "$@" | CK_VERBOSITY=normal xargs -0 -n 1 -P "${JOBS:-$(nproc)}" bash -c '
    "$1" >"$0/${1##*/}" 2>&1
    echo $? >"$0/${1##*/}.status"' "$logs"
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
        tail -n 60 "$logs/$name"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
