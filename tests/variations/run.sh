#!/bin/bash
# run.sh CASES VALUES [FAMILY]: every case of the scenarios with one thing changed at a time, and every value of a pool next to
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
# As many at once as there are processors, each a part of the files; the parts are joined in order.
some() { # the number of a part; the files follow
    local part=$1
    shift
    printf '%s\0' "$@" | xargs -0 "$cases" -r "$recorded" >"$work/part$part" 2>"$work/stderr$part" || echo "cases: status $?" >>"$work/part$part"
}
if [ "$family" != values ]; then
    mapfile -d '' -t files < <(find "scenarios/$family" -name '*.yaml' -print0 | LC_ALL=C sort -z)
    parts=${JOBS:-$(nproc)}
    size=$(((${#files[@]} + parts - 1) / parts))
    for ((i = 0; i * size < ${#files[@]}; i++)); do
        some "$((1000 + i))" "${files[@]:i*size:size}" &
    done
fi
if [ "${family:-values}" = values ]; then
    { "$values" >"$work/part9999" 2>"$work/stderr9999" || echo "values: status $?" >>"$work/part9999"; } &
fi
wait
cat "$work"/part* >"$work/now"
cat "$work"/stderr[0-9]* >"$work/stderr"

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
