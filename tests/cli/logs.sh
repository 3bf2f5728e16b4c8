#!/bin/bash
# Logs: what the cores say of violations, next to the data of the calls and alone, in JSON and in
# text; cut, torn and foreign lines.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$root"/testdata/logs/*.log .
captures=$root/testdata/captures

places() { # NAME PLACE-AND-FINDING...: all findings and warnings of stdout
    local name=$1
    shift
    diff <(printf '%s\n' "$@" | sort) <({ grep -E '^[^ ]*:[0-9]+:[0-9]+: ' stdout; findings; } | sort) | sed 's/^/# /' | tee differs
    [ ! -s differs ]
    result $? "$name"
}

# ---- A log alone.

wants 0 "a JSON log" "$lifecheck" -v tolerated.json.log
places "each bullet is a finding with its place" \
    'tolerated.json.log:22:635: warning: this message of the core is not understood, and gives no finding' \
    'info[wire/diag-severity]: a diagnostic that is neither an error nor a warning --> tolerated.json.log:15:1   thing_box (request 00000000-0000-0000-0000-000000000003), ValidateResourceConfig' \
    'warning[response/null-block]: a core'\''s log says: Provider (...) produced an invalid new value containing null blocks for "(...)" during refresh --> tolerated.json.log:10:30   module.m["a b"].thing_box.b, ReadResource' \
    'warning[plan/noncomputed-value]: .size: a core'\''s log says: planned value (...) for a non-computed attribute --> tolerated.json.log:22:295   thing_box.b, PlanResourceChange' \
    'warning[plan/mismatch-config]: .tags[*].name: a core'\''s log says: planned value (...) does not match config value (...) --> tolerated.json.log:22:374   thing_box.b, PlanResourceChange' \
    'warning[plan/block-null]: .parts[1]: a core'\''s log says: attribute representing a set of nested blocks must be empty to indicate no blocks, not null --> tolerated.json.log:22:523   thing_box.b, PlanResourceChange' \
    'warning[apply/changed]: .name: a core'\''s log says: was (...), but now (...) --> tolerated.json.log:28:321   thing_box.b, ApplyResourceChange' \
    'warning[apply/changed]: .parts[*].key: a core'\''s log says: inconsistent values for sensitive attribute --> tolerated.json.log:28:404   thing_box.b, ApplyResourceChange'
out_has 'tolerated.json.log#module.m["a b"].thing_box.b: ' "under the address that the core names"
out_has 'not checked: needs schema' "and nothing else is checked"
out_has 'thing_box (request 00000000-0000-0000-0000-000000000003)' "a call is named by its request"
run "$lifecheck" -v --format json tolerated.json.log
! grep -q 'hunter\|a b\\"\]\.name' stdout
result $? "no value is shown, and without a schema no key below the object"
grep -q '"opentofu":{"effect":"tolerated"' stdout && grep -q '"effect":"logged"' stdout && grep -q '"source":"log"' stdout
result $? "what the cores do is in the report"
wants 1 "tolerated findings can fail" "$lifecheck" --strict tolerated.json.log

wants 0 "a string log" "$lifecheck" tolerated.text.log
places "each bullet is a line" \
    'warning[plan/noncomputed-value]: .size: a core'\''s log says: planned value (...) for a non-computed attribute --> tolerated.text.log:12:9   thing_box.b, PlanResourceChange' \
    'warning[plan/mismatch-config]: .name: a core'\''s log says: planned value (...) does not match config value (...) --> tolerated.text.log:13:9   thing_box.b, PlanResourceChange'
sed 's/$/\r/' tolerated.text.log >crlf.log
wants 0 "with CR LF" "$lifecheck" crlf.log
out_finds "it is the same" "warning[plan/noncomputed-value]: .size:" "crlf.log:12:9   "
wants 0 "from a pipe" "$lifecheck" - <tolerated.text.log
out_finds "it is the same" "warning[plan/noncomputed-value]:" "--> -:12:9   "

cat >schema.json <<'S'
{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/example/thing": {"resource_schemas": {"thing_box":
 {"version": 0, "block": {"attributes": {"size": {"type": "number", "optional": true}, "name": {"type": "string", "optional": true}},
  "block_types": {"tags": {"nesting_mode": "map", "block": {"attributes": {"name": {"type": "string", "optional": true}}}},
   "parts": {"nesting_mode": "list", "block": {"attributes": {"key": {"type": "string", "optional": true, "sensitive": true}}}}}}}}}}}
S
wants 1 "with a schema beside it" "$lifecheck" tolerated.json.log
out_has '[plan/mismatch-config]: .tags["a b"].name:' "keys that are not secrets are shown"
out_finds "paths of diagnostics are looked up" 'info[wire/diag-path]: .nowhere[2]:' 'tolerated.json.log:16:1   ' ', ValidateResourceConfig'
rm schema.json

wants 0 "inspect" "$lifecheck" inspect tolerated.json.log
out_has "tolerated.json.log: a log (--input log)" "says what it is"
out_has "5 calls: GetProviderSchema 1, ReadResource 1, ValidateResourceTypeConfig 1, PlanResourceChange 1, ApplyResourceChange 1; of thing_box 4; 2 diagnostics; 6 violations as the client logs them; the provider announces plan_destroy" "and what it holds"
grep -v sdk.proto tolerated.json.log | head -n 1 >quiet.log
wants 3 "a log without protocol lines" "$lifecheck" quiet.log
out_has "quiet.log:1:1: warning: this log has no line of the provider protocol" "is reported"
wants 3 "what is not a log" "$lifecheck" --input log "$root/Makefile"
out_has "Makefile:1:1: error: this is not a line of a log" "is reported"
mkdir walk && cp tolerated.json.log walk
wants 3 "a walk" "$lifecheck" walk
wants 0 "takes logs only where they are asked for" "$lifecheck" --input log walk

grep -v ' produced an ' tolerated.json.log >clean.log
sed -i 's/"diagnostic_severity":"INVALID"/"diagnostic_severity":"WARNING"/' clean.log
wants 0 "a log of a provider without complaint" "$lifecheck" -v clean.log
out_has "clean.log#4 calls: conforms" "is checked, and says how many calls it has"

# ---- Cut and torn lines.

head -n 22 tolerated.json.log | head -c -30 >cut.log
wants 3 "a log that is cut in the middle of a line" "$lifecheck" cut.log
out_has "cut.log:22:" "is an error with its place"
out_finds "everything before it is checked" "warning[response/null-block]:" "cut.log:10:30   "
head -n 12 tolerated.text.log | head -c -20 >cut.log
wants 3 "a string log that is cut in the middle of a bullet" "$lifecheck" cut.log
out_has "cut.log:12:9: warning: this message of the core is not understood" "is reported with its place"
head -n 9 tolerated.text.log | head -c -90 >cut.log
run "$lifecheck" cut.log
out_has "cut.log:9:1: warning: the log ends in the middle of this line" "a protocol line that is cut too"
sed 's/tf_req_id=[0-9-]*//' tolerated.text.log >cut.log
run "$lifecheck" cut.log
out_has "cut.log:2:1: error: this line of the log has no tf_req_id: it is cut" "and one without its middle"
{ sed -n 1,12p tolerated.json.log && sed -n 13p tolerated.json.log | head -c 150 && sed -n '14,$p' tolerated.json.log; } >torn.log
wants 3 "two writers" "$lifecheck" torn.log
out_has "torn.log:13:1" "a line that another was written into is reported"
out_finds "everything else is checked" "warning[plan/noncomputed-value]: .size:" "torn.log:21:295   "
{ sed -n 1,12p tolerated.json.log && sed -n 13p tolerated.json.log | tail -c 200 && sed -n '14,$p' tolerated.json.log; } >torn.log
wants 3 "a line without its beginning" "$lifecheck" torn.log
out_has "torn.log:13:1: error: this line of the log has lost its beginning" "is reported"
{ sed -n 1,2p tolerated.text.log && sed -n 3p tolerated.text.log | head -c 80 && sed -n '4,$p' tolerated.text.log; } >torn.log
wants 3 "two writers of a string log" "$lifecheck" torn.log
out_has "torn.log:3:1: error: two lines of the log were written into one" "are reported"
{ printf 'panic: oh\n\tgoroutine 1\n{\n "a": [\n 1 ]\n}\n\x01\x02\n' && cat tolerated.json.log; } >foreign.log
wants 0 "foreign lines" "$lifecheck" --input log foreign.log
out_finds "do not matter, and do not shift places" "warning[plan/noncomputed-value]: .size:" "foreign.log:29:295   "

# ---- Next to the data of the calls.

tolerate() { # FOLDER PATH TEXT: the core tolerates this after the last apply
    printf '{"@level":"warn","@message":"Provider \\"registry\\" produced an unexpected new value for lifecheck_thing.t, but we are tolerating it because it is using the legacy plugin SDK.\\n    The following problems may be the cause of any confusing errors from downstream operations:\\n      - %s: %s","@timestamp":"2026-01-02T03:04:05.6Z"}\n' \
        "$2" "$3" >>"$1/sdk.log"
}
changed='was cty.StringVal(\"a\"), but now cty.StringVal(\"b\")'
cp -r "$captures/thing" . && sed -i '/"vertex /d' thing/sdk.log # a client does not stop and tolerate
tolerate thing .name "$changed"
wants 0 "what the log proves to be tolerated" "$lifecheck" thing/proto-data
[ "$(grep -c '\[apply/changed\]: ' stdout)" = 1 ] && findings | grep -q '^warning\[apply/changed\]: \.name: .*NewState.msgpack   '
result $? "is reported once, where the data is, and as tolerated"
out_has "1 case: 1 conforms; 0 errors, 1 warning" "in one case"
tolerate thing .size 'was cty.NumberIntVal(1), but now null'
wants 0 "what no values show" "$lifecheck" -v thing/proto-data
out_has "thing/sdk.log:$(wc -l <thing/sdk.log):" "is reported with its place in the log"
out_finds "as a finding" "warning[apply/became-null]: .size:" ", ApplyResourceChange"
out_has "thing/proto-data#lifecheck_thing.t: conforms" "of the address"
wants 0 "inspect" "$lifecheck" inspect thing/proto-data
out_has "2 violations as the client logs them" "says what was used"
cp -r "$captures/thing" named && cp thing/sdk.log other.txt && rm named/sdk.log
wants 0 "a log that is named" "$lifecheck" --log other.txt named/proto-data
out_has "other.txt:" "is used"
wants 0 "a log that is named and lies beside" "$lifecheck" --log thing/sdk.log thing/proto-data
! grep -q 'overwritten' stdout
result $? "is read once"
cp "$captures/fault-apply-value-changed.jsonl" calls.jsonl
wants 1 "a log with a stream of calls" "$lifecheck" --log other.txt calls.jsonl
[ "$(grep -c '\[apply/changed\]: \.name: ' stdout)" = 1 ] && grep -q '\[apply/became-null\]: \.size: ' stdout
result $? "is joined in the same way"
run "$lifecheck" inspect --log other.txt calls.jsonl
out_has "used       other.txt: 15 calls" "inspect says so"
cp "$root"/testdata/plans/* .
wants 0 "a log with a plan" "$lifecheck" --log other.txt plan.json
out_has "other.txt:$(wc -l <other.txt):" "is reported next to it"
out_has "warning[apply/became-null]: .size:" "and proves what is tolerated"

tolerated_by() { # ADDRESS: the message of thing's log, about another instance
    sed -n "$(($(wc -l <thing/sdk.log) - 1))p" thing/sdk.log | sed "s/lifecheck_thing\.t/$1/"
}
cp -r "$captures/thing" two && sed -i '/"vertex /d' two/sdk.log && sed 's/"fault":"none"/"fault":"apply-value-changed"/g' plan.json >two/plan.json
tolerated_by lifecheck_thing.t >>two/sdk.log && tolerated_by lifecheck_thing.u >>two/sdk.log
wants 0 "two instances, of which one has data" "$lifecheck" -v two/proto-data
[ "$(grep -c '\[apply/changed\]: \.name: ' stdout)" = 2 ] && grep -q 'proto-data#lifecheck_thing.u: ' stdout
result $? "are two findings where the address of the data is known"
rm two/plan.json
wants 0 "where it is not" "$lifecheck" two/proto-data
[ "$(grep -c '\[apply/changed\]: \.name: ' stdout)" = 1 ]
result $? "what the data shows is what the log says"
wants 3 "a log that is not there" "$lifecheck" --log nowhere.log thing/proto-data
err_has "--log: nowhere.log: no such file" "is reported"

# ---- Other commands.

wants 1 "extract" "$lifecheck" extract tolerated.json.log
err_has "this finding cannot be written as a scenario" "has nothing to make a scenario of"
wants 3 "redact" "$lifecheck" redact tolerated.json.log
err_has "can be redacted" "says what it takes"

# ---- An error of the client proves that it tolerated nothing.

mkdir -p stopped/proto-data
cat >stopped/schema.json <<'S'
{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/example/thing": {"provider": {"version": 0, "block": {}}, "resource_schemas": {"thing_box":
 {"version": 0, "block": {"attributes": {"name": {"type": "string", "required": true}, "size": {"type": "number", "optional": true}}}}}}}}
S
request=7
line() { # MESSAGE MORE
    printf '{"@level":"trace","@message":"%s","@module":"sdk.proto","@timestamp":"2026-01-02T03:04:05.000006Z","tf_provider_addr":"registry.terraform.io/example/thing","tf_req_id":"%s","tf_resource_type":"thing_box","tf_rpc":"ApplyResourceChange"%s}\n' \
        "$1" "$request" "${2:+,$2}" >>stopped/sdk.log
}
part() { # NAME BYTES
    printf '%b' "$2" >"stopped/proto-data/1795229203905_ApplyResourceChange_$1.msgpack"
    line "Wrote protocol data file" "\"tf_proto_data_file\":\"proto-data/1795229203905_ApplyResourceChange_$1.msgpack\""
}
line "Received request"
part Request_PriorState '\xc0'
part Request_Config '\x82\xa4name\xa1a\xa4size\xc0'
part Request_PlannedState '\x82\xa4name\xa1a\xa4size\xc0'
line "Received downstream response" '"diagnostic_error_count":0,"diagnostic_warning_count":0'
part Response_NewState '\x82\xa4name\xa1b\xa4size\xc0'
line "Served request"
wants 0 "a violation that may be tolerated" "$lifecheck" stopped/proto-data
out_finds "is a warning" "warning[apply/changed]: .name:" "NewState.msgpack   "
cp stopped/sdk.log silent.log
printf '%s\n' '{"@level":"error","@message":"vertex \"thing_box.a\" error: Provider produced inconsistent result after apply","@timestamp":"2026-01-02T03:04:06Z"}' >>stopped/sdk.log
wants 1 "that the client stopped with" "$lifecheck" stopped/proto-data
out_finds "is an error" "error[apply/changed]: .name:" "NewState.msgpack   "
[ "$(grep -c '\[apply/changed\]: ' stdout)" = 1 ]
result $? "reported once, where the values are"
cp silent.log stopped/sdk.log
cat >stopped/steps.json <<'J'
[{"step": "apply", "exit": 1, "diagnostics": [{"severity": "error", "summary": "Provider produced inconsistent result after apply", "address": "thing_box.a",
  "detail": "When applying changes to thing_box.a, provider \"thing\" produced an unexpected new value: .name: was cty.StringVal(\"a\"), but now cty.StringVal(\"b\")."}]}]
J
wants 1 "that its diagnostics report" "$lifecheck" stopped/proto-data
out_finds "is an error too" "error[apply/changed]: .name:" "NewState.msgpack   "
sed 's/thing_box/thing_other/g' stopped/steps.json >other.json && mv other.json stopped/steps.json
wants 0 "diagnostics of what is not in the recording" "$lifecheck" stopped/proto-data
! grep -q thing_other stdout
result $? "are of another run, and not reported"
rm stopped/steps.json
printf '%s\n' '{"@level":"error","@message":"Error: x","type":"diagnostic","diagnostic":{"severity":"error","summary":"Provider produced inconsistent result after apply","address":"thing_box.a","detail":"When applying changes to thing_box.a, provider \"thing\" produced an unexpected new value: .name: was cty.StringVal(\"a\"), but now cty.StringVal(\"b\")."}}' >>stopped/sdk.log
wants 1 "that a JSON diagnostic in the log reports" "$lifecheck" stopped/proto-data
out_finds "is an error as well" "error[apply/changed]: .name:" "NewState.msgpack   "
wants 1 "the log alone" "$lifecheck" -v stopped/sdk.log
out_finds "reports it with the path that the client gives" "error[apply/changed]: .name:" ", ApplyResourceChange"
out_has "stopped/sdk.log#thing_box.a: violates" "and the address"
! grep -q '"b"' stdout
result $? "and without the values"
