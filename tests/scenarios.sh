#!/bin/bash
# scenarios.sh PROGRAM DIR: every case states an expectation and meets it, and the report is the same
# for one process and for several.
set -u
program=$1 dir=$2
export SOURCE_DATE_EPOCH=1767225600
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

"$program" check -j1 --report json="$work/one.json" "$dir" >"$work/one.txt" 2>&1
status=$?
"$program" check -j3 --report json="$work/three.json" "$dir" >"$work/three.txt" 2>&1

count() {
    sed -n 's/.*"summary":{\(.*\)}$/\1/p' "$work/one.json" | grep -oE "\"$1\":[0-9]+" | head -n 1 |
        grep -oE '[0-9]+$'
}
met=$(count met) unmet=$(count unmet) known=$(count known_failing) cases=$(count cases)
errors=$(sed -n 's/.*"known_failing":[0-9]*,"errors":\([0-9]*\).*/\1/p' "$work/one.json")
passed=$((${met:-0} + ${known:-0}))
failed=$((${cases:-0} - passed + ${errors:-1}))
if [ "$status" != 0 ] || [ "$failed" != 0 ] || [ "${unmet:-1}" != 0 ]; then
    cat "$work/one.txt"
    [ "$failed" = 0 ] && failed=1
fi
for kind in txt json; do
    if cmp -s "$work/one.$kind" "$work/three.$kind"; then
        passed=$((passed + 1))
    else
        echo "the $kind report differs between -j1 and -j3"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 2 ]
