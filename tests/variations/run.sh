#!/bin/bash
# run.sh CASES VALUES [FAMILY]: every case of the scenarios with one thing changed at a time, and every value of a pool beside
# every other. Hashes stand in testdata/variations.txt, those of verdicts apart from those of wording; where one differs,
# the variations that differ are printed. GOLDEN_ACCEPT=1 renews all, GOLDEN_ACCEPT=words only where no verdict changed.
# FAMILY is a folder of scenarios, or `values`: then these alone are compared.
set -u
cases=$1 values=$2 family=${3:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
recorded=testdata/variations.txt

if [ "$family" = values ]; then
    grep -v '^scenarios/' "$recorded" >"$work/recorded"
elif [ -n "$family" ]; then
    grep "^scenarios/$family/" "$recorded" >"$work/recorded"
fi
[ -z "$family" ] || recorded=$work/recorded
{
    if [ "$family" != values ]; then
        find "scenarios/$family" -name '*.yaml' -print0 | LC_ALL=C sort -z | xargs -0 "$cases" -r "$recorded" || echo "cases: status $?"
    fi
    if [ "${family:-values}" = values ]; then
        "$values" || echo "values: status $?"
    fi
} >"$work/now" 2>"$work/stderr"

hashes=': \([0-9]* [0-9a-f]* [0-9a-f]* [0-9A-Za-z_-]*\|[0-9a-f]*\)$'
broken=$(grep -vc "$hashes" "$work/now")
verdicts() { # without the hash of the wording and the marks
    sed 's/\(: [0-9]* [0-9a-f]*\) [0-9a-f]* [^ ]*$/\1/' "$1"
}
case ${GOLDEN_ACCEPT:-} in
'') ;;
words)
    if diff <(verdicts "$recorded") <(verdicts "$work/now") >"$work/verdicts"; then
        cp "$work/now" "$recorded"
    else
        echo "not renewed: verdicts differ, too ($(grep -c '^>' "$work/verdicts") lines)"
    fi
    ;;
*) cp "$work/now" "$recorded" ;;
esac
differ=$(diff "$recorded" "$work/now" | grep -c '^[<>]')
if [ "$((differ + broken))" != 0 ]; then
    grep -v "$hashes" "$work/now" | sort | uniq -c | head -n 20
    diff <(verdicts "$recorded") <(verdicts "$work/now") | head -n 20
    echo "variations that differ, as they are now ($(wc -l <"$work/stderr")):"
    cut -c 1-2000 "$work/stderr" | head -n 20
fi
echo "$(wc -l <"$work/now") passed, $((differ + broken)) failed"
[ "$((differ + broken))" = 0 ]
