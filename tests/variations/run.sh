#!/bin/bash
# run.sh CASES VALUES: every case of the scenarios with one thing changed at a time, and every value of a pool beside
# every other. Hashes stand in testdata/variations.txt; where one differs, `cases -v FILE` or `values -v` of both builds
# tells what. GOLDEN_ACCEPT=1 renews them.
set -u
cases=$1 values=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    find scenarios -name '*.yaml' -print0 | LC_ALL=C sort -z | xargs -0 "$cases" || echo "cases: status $?"
    "$values" || echo "values: status $?"
} >"$work/now" 2>"$work/stderr"
[ -z "${GOLDEN_ACCEPT:-}" ] || cp "$work/now" testdata/variations.txt
broken=$(grep -vc ': \([0-9]* \)\{0,1\}[0-9a-f]*$' "$work/now")
differ=$(diff testdata/variations.txt "$work/now" | grep -c '^[<>]')
if [ "$((differ + broken))" != 0 ]; then
    grep -v ': \([0-9]* \)\{0,1\}[0-9a-f]*$' "$work/now" | sort | uniq -c | head -n 20
    diff testdata/variations.txt "$work/now" | head -n 20
    head -n 20 "$work/stderr"
fi
echo "$(wc -l <"$work/now") passed, $((differ + broken)) failed"
[ "$((differ + broken))" = 0 ]
