#!/bin/bash
# run.sh VECTORS COMPARE DIR [NAME]: answers for each DIR/*.jsonl, or that one, compared with the recorded verdicts.
set -u
vectors=$1 compare=$2 dir=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
for file in "$dir"/${4:-*}.jsonl; do
    if [ ! -f "$file" ]; then
        echo "skipped: no vectors in $dir"
        skipped=$((skipped + 1))
        continue
    fi
    "$vectors" <"$file" >"$work/answers" 2>"$work/errors"
    status=$?
    output=$("$compare" "$file" "$work/answers" 2>&1)
    sum=$(echo "$output" | tail -n 1)
    read -r p f s < <(echo "$sum" | sed 's/[^0-9]\+/ /g')
    lines=$(wc -l <"$file")
    if [ "$status" != 0 ] || [ $((${p:-0} + ${f:-0} + ${s:-0})) != "$lines" ]; then
        echo "$(basename "$file"): status $status, $((${p:-0} + ${f:-0} + ${s:-0})) of $lines lines"
        head -n 5 "$work/errors"
        f=$((${f:-0} + 1))
    fi
    if [ $((${s:-0} * 100)) -gt $((lines * 3)) ]; then
        echo "$(basename "$file"): more than 3 % of the lines are refused on purpose"
        f=$((f + 1))
    fi
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
    if [ "${f:-0}" != 0 ]; then
        echo "$(basename "$file"):"
        echo "$output"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
