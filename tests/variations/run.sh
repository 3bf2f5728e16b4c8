#!/bin/bash
# run.sh PROGRAM: every case of the scenarios with one thing changed at a time. A hash per case stands in
# testdata/variations.txt; where one differs, `vary -v FILE` of both builds tells what. GOLDEN_ACCEPT=1 renews them.
set -u
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find scenarios -name '*.yaml' -print0 | LC_ALL=C sort -z | xargs -0 "$program" >"$work/now" 2>"$work/stderr"
status=$?
[ -z "${GOLDEN_ACCEPT:-}" ] || cp "$work/now" testdata/variations.txt
differ=$(diff testdata/variations.txt "$work/now" | grep -c '^[<>]')
if [ "$status" != 0 ] || [ "$differ" != 0 ]; then
    grep -v ': [0-9]* [0-9a-f]*$' "$work/now" | sort | uniq -c | head -n 20
    diff testdata/variations.txt "$work/now" | head -n 20
    head -n 20 "$work/stderr"
    [ "$differ" != 0 ] || differ=1
fi
echo "$(wc -l <"$work/now") passed, $differ failed"
[ "$differ" = 0 ] && [ "$status" = 0 ]
