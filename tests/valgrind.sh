#!/bin/bash
# valgrind.sh PROGRAM UNIT-TEST...: unit tests and the scenario library under valgrind.
set -u
program=$1
shift
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
check() { # name, command...
    local name=$1
    shift
    if valgrind -q --suppressions=tests/valgrind.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name:"
        tail -n 40 "$log"
    fi
}
for test in "$@"; do
    CK_FORK=no CK_TIMEOUT_MULTIPLIER=20 check "$(basename "$test")" "$test"
done
check scenarios "$program" -j1 scenarios
check json "$program" -j1 --format json scenarios
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
