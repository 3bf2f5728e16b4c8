#!/bin/bash
# run.sh PROGRAM [NAME]: what is reported of every scenario and recording, or that one, is what testdata/reports has.
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
    case $name in
        format-*) cp "$work/report.json" "$work/$name.txt" ;;
        *) jq -r -f tests/reports/digest.jq "$work/report.json" >"$work/$name.txt" ;;
    esac
    [ -z "${GOLDEN_ACCEPT:-}" ] || cp "$work/$name.txt" "testdata/reports/$name.txt"
    if [ "$status" -le 3 ] && [ -s "$work/$name.txt" ] && cmp -s "testdata/reports/$name.txt" "$work/$name.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        diff -U 3 "testdata/reports/$name.txt" "$work/$name.txt" | head -n 60
        head -n 20 "$work/stderr"
    fi
}

# In one process: of its workers a sanitizer does not report what they leak.
check() {
    "$program" check -j1 --format json "$@"
}

# Of each plan alone, and of a configuration next to its state.
predictions() {
    local plan
    for plan in testdata/runs/*.plan.json testdata/predict/alone.plan.json; do
        "$program" predict --format json "$plan" || return
    done
    "$program" predict --format json --config testdata/predict --prior-state testdata/predict/prior.json
}

# What each format makes of a few inputs: words, escapes, tables, cuts, what is suppressed, open or not checked. Of
# the catalogue in a SARIF report the first rules stand for all.
format() { # NAME, OPTION...
    local name=$1 own=testdata/reports/formats inputs status
    shift
    inputs=("$own/odd.yaml" tests/cli/data/{leaves,nothing}.yaml nowhere.yaml)
    case $name in
        text | verbose | strict | markdown)
            inputs+=("$own/many.yaml" testdata/logs/tolerated.json.log testdata/captures/{unapplied-plan-two-runs,fault-destroy-plan-not-null,sdk2-random-import}.jsonl
                testdata/captures/overwritten/proto-data)
            ;;
        tap | github) inputs+=("$own/many.yaml") ;;
        cases) inputs=(testdata/captures/sdk2-random-import.jsonl scenarios/cfn/patch-result scenarios/wo/returned) ;;
    esac
    case $name in
        verbose | cases) inputs+=(scenarios/planning/behaviors/{import,needs-the-provider,requires-replace}.yaml scenarios/provider/expected) ;;
    esac
    "$program" check -j1 "$@" "${inputs[@]}" >"$work/format"
    status=$?
    case $name in
        sarif) jq '.runs[].tool.driver.rules |= .[:3]' "$work/format" ;;
        *) cat "$work/format" ;;
    esac
    return "$status"
}

# The tables of commands that are asked for them.
tables() {
    local format
    for format in text markdown html; do
        "$program" predict --config testdata/reports/formats/imported.tf.json --schema testdata/schemas/demo-disk.json --report $format=- &&
            "$program" providers --report $format=- scenarios/providers/regions || return
    done
}

for folder in scenarios/*/; do
    compare "$(basename "$folder")" check "$folder"
done
compare captures check testdata/captures/*.jsonl testdata/captures/*/proto-data
compare plans check testdata/plans
compare predictions predictions
for format in text sarif junit tap github markdown html; do
    compare "format-$format" format $format --format $format
done
compare format-verbose format text -v --lint --width 100
compare format-strict format text --strict -q --color always
compare format-tables tables
compare format-cases format cases --format html -v
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
