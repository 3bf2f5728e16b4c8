#!/bin/bash
# --input: what an input is taken for, whatever it looks like.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
calls=$root/testdata/captures/fault-apply-value-changed.jsonl
cp "$root"/testdata/plans/* .

same() { # KIND FILE: forced to what it is, nothing changes
    "$lifecheck" "$2" >want
    run "$lifecheck" --input "$1" "$2"
    diff want stdout >differs
    result $? "--input $1 of $2"
}
same plan plan.json
same state state.json
cp "$calls" calls.jsonl && same calls calls.jsonl
cp "$root/testdata/readme/bucket.yaml" . && same scenarios bucket.yaml
cp -r "$root/testdata/captures/thing" . && same capture thing/proto-data

{ echo '# recorded by hand' && cat "$calls"; } >odd.txt
wants 3 "calls behind a line of something else" "$lifecheck" odd.txt
wants 1 "forced" "$lifecheck" --input calls odd.txt
out_finds "are checked" "error[apply/changed]:" "odd.txt:12:1   "
out_has "odd.txt:1:1: error: this line is not a recorded call" "and the line is reported"
wants 1 "from a pipe" "$lifecheck" --input calls - <odd.txt

refuses() { # KIND FILE TEXT: told with its place
    wants 3 "$2 is no $1" "$lifecheck" --input "$1" "$2"
    out_has "$3" "which is reported with its place"
    wants 3 "inspect too" "$lifecheck" inspect --input "$1" "$2"
}
printf '\n {"a": 1}\n' >other.json
refuses plan other.json "other.json:2:2: error: this is not a plan as JSON"
refuses state other.json "other.json:2:2: error: this is not a state file"
refuses plan state.json "state.json:1:1: error: this is not a plan as JSON"
refuses state plan.json "plan.json:1:1: error: this is not a state file"
refuses plan bucket.yaml "bucket.yaml:1:1: error: "
refuses calls other.json "other.json:1:1: error: no line of this is a recorded call"
refuses log other.json "other.json:1:1: error: this is not a line of a log"
refuses scenarios other.json "other.json:2:2: error: a scenario needs the key"
refuses capture other.json "other.json: error: a capture directory is a folder"
mkdir empty
refuses capture empty "empty: error: no data files are in this folder"

for command in check inspect extract redact; do
    wants 2 "$command with a kind that does not exist" "$lifecheck" "$command" --input plans plan.json
    err_has '--input takes scenarios, calls, capture, plan, state or log, not "plans"; did you mean "plan"?' "names the kinds"
done
wants 2 "commands that read scenarios only" "$lifecheck" propose --input plan plan.json
wants 0 "inspect" "$lifecheck" inspect plan.json
out_has "plan.json: a plan as JSON (--input plan)" "names the kind"
wants 0 "inspect in JSON" "$lifecheck" inspect --format json thing/proto-data
out_has '"input":"capture"' "too"

wants 1 "a folder" "$lifecheck" --input calls .
out_finds "is walked for this kind" "error[apply/changed]:" "calls.jsonl:11:1   "
! grep -q 'plan.json#\|bucket.yaml\|proto-data' stdout
result $? "and for no other"

wants 0 "redact calls behind something else" "$lifecheck" redact --input calls odd.txt
err_has "odd.txt:1:1: this line is not a recorded call" "names the line"
wants 3 "redact what is not a plan" "$lifecheck" redact --input plan state.json
err_has "state.json:1:1: this is not a plan as JSON" "is refused"
[ ! -s stdout ]
result $? "and nothing is written"
wants 3 "redact what holds no calls" "$lifecheck" redact --input calls other.json
wants 3 "redact a kind that it cannot" "$lifecheck" redact --input scenarios bucket.yaml
wants 3 "extract, which reports the line" "$lifecheck" extract --input calls --time-limit 0 odd.txt
out_has "lifecheck: 1" "takes it too"
wants 3 "extract from what is not a plan" "$lifecheck" extract --input plan other.json
