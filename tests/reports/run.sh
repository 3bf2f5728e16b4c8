#!/bin/bash
# run.sh PROGRAM [NAME]: what is reported of every scenario and recording, or that one, is what testdata/reports tells.
# An expectation names the findings; this also holds the messages, the values shown, each core's effect and words, what
# was predicted, and what was not checked and why. GOLDEN_ACCEPT=1 renews the records, for a commit whose diff shows
# what changed.
set -u
program=$1 only=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
export SOURCE_DATE_EPOCH=1767225600
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
if ! command -v jq >/dev/null; then
    echo "skipped: jq is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

compare() { # name, command...
    local name=$1 status
    shift
    [ -z "$only" ] || [ "$only" = "$name" ] || return
    "$@" >"$work/report.json" 2>"$work/stderr"
    status=$?
    jq -r -f tests/reports/digest.jq "$work/report.json" >"$work/$name.txt"
    [ -z "${GOLDEN_ACCEPT:-}" ] || cp "$work/$name.txt" "testdata/reports/$name.txt"
    if [ "$status" -le 3 ] && [ -s "$work/$name.txt" ] && cmp -s "testdata/reports/$name.txt" "$work/$name.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        diff -U 3 "testdata/reports/$name.txt" "$work/$name.txt" | head -n 60
        head -n 20 "$work/stderr"
    fi
}

check() {
    "$program" check --format json "$@"
}

# Of each plan alone, and of a configuration beside its state.
predictions() {
    local plan
    for plan in testdata/runs/*.plan.json testdata/predict/alone.plan.json; do
        "$program" predict --format json "$plan" || return
    done
    "$program" predict --format json --config testdata/predict --prior-state testdata/predict/prior.json
}

for folder in scenarios/*/; do
    compare "$(basename "$folder")" check "$folder"
done
compare captures check testdata/captures/*.jsonl testdata/captures/*/proto-data
compare plans check testdata/plans
compare predictions predictions
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
