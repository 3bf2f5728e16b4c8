#!/bin/bash
# Scenarios that must be refused, by the table testdata/bad/bad.tsv: exit status, place of the first
# error, and what a message says.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
bad=$root/testdata/bad
rows=0
while IFS=$'\t' read -r file line column contains want _; do
    [ "$file" != file ] || continue
    rows=$((rows + 1))
    run "$lifecheck" "$bad/$file"
    first=$(grep -m 1 ': error: ' stdout)
    place=${first#"$bad/$file":}
    right=0
    [ "$status" = "$want" ] || right=1
    grep -qiE -- "$(printf '%s' "$contains" | sed 's/[][(){}.*+?^$\\]/\\&/g')" stdout || right=1
    [ "$line" = - ] || [ "${place%%:*}" = "$line" ] || right=1
    rest=${place#*:}
    [ "$column" = - ] || [ "${rest%%:*}" = "$column" ] || right=1
    [ ! -s stderr ] || right=1
    [ "$right" = 0 ] || echo "#   wanted status $want at $line:$column with: $contains; status $status"
    result "$right" "$file"
    if [ "$want" = 3 ]; then
        run "$lifecheck" "$data/conforms.yaml" "$bad/$file"
        [ "$status" = 3 ] && grep -q ': error: ' stdout
        result $? "$file next to a good one"
    fi
done <"$bad/bad.tsv"
[ "$rows" -gt 10 ]
result $? "the table has rows"
for file in "$bad"/*.yaml "$bad"/*.json; do
    name=$(basename "$file")
    if [ -f "$file" ] && ! cut -f 1 "$bad/bad.tsv" | grep -qxF "$name"; then
        result 1 "$name stands in no row"
    fi
done
