#!/bin/bash
# Recorded calls: from files and pipes, cut anywhere, broken, foreign, endless.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures

finds() { # STATUS FILE SUMMARY [FINDING...]: all findings of severity error and warning, and the last line
    local want=$1 file=$2 summary=$3
    shift 3
    run "$lifecheck" "$captures/$file.jsonl"
    [ "$status" = "$want" ] && tail -n 1 stdout | grep -q "^$summary" &&
        diff <([ $# = 0 ] || printf '%s\n' "$@") <({ grep -E '^[^ ].*: (error|warning): ' stdout; findings | grep -Ev '^info'; } | sed "s|$captures/||") >differs
    result $? "$file"
}
finds 0 fault-none '1 case: 1 conforms; 0 errors, 0 warnings'
finds 1 fault-apply-value-changed '1 violation in 1 resource; 1 case: 1 violates; 1 error, 0 warnings' \
    'error[apply/changed]: .name: the value is not the planned one --> fault-apply-value-changed.jsonl:11:1   lifecheck_thing#1, create, ApplyResourceChange'
finds 1 fault-destroy-plan-not-null '1 violation in 1 resource; 1 case: 1 violates; 1 error, 0 warnings' \
    'error[destroy/plan-not-null]: a delete is planned with a planned state that is not null --> fault-destroy-plan-not-null.jsonl:12:1   lifecheck_thing#1, run 2, delete, PlanResourceChange (the delete)'
finds 1 fault-final-value-changed '1 violation in 1 resource; 1 case: 1 violates; 1 error, 0 warnings' \
    'error[final/changed]: .arn: the value is not the planned one --> fault-final-value-changed.jsonl:10:1   lifecheck_thing#1, create, PlanResourceChange (the final plan)'
finds 0 fault-read-json-normalized '1 case: 1 conforms; 0 errors, 1 warning' \
    'warning[read/normalized]: .document: the same meaning in another form --> fault-read-json-normalized.jsonl:6:1   lifecheck_thing#1, update, ReadResource'
finds 0 time-update '2 cases: 2 conform; 0 errors, 0 warnings'
finds 0 random-replace '2 cases: 2 conform; 0 errors, 0 warnings'

run "$lifecheck" "$captures/sdk2-random-import.jsonl"
[ "$status" = 0 ] && [ "$(grep -c '^warning\[plan/noncomputed-value\]' stdout)" = 7 ]
result $? "what SDKv2 does is tolerated: warnings"

whole=$captures/fault-apply-value-changed.jsonl
"$lifecheck" "$whole" | sed "s|$whole|-|" >want
wants 1 "a pipe" "$lifecheck" - <"$whole"
diff want stdout >differs
result $? "gives the same"
run bash -c "(head -c 1000 '$whole'; sleep 0.1; tail -c +1001 '$whole') | '$lifecheck' -" # either way the same
[ "$status" = 1 ] && diff want stdout >differs
result $? "so does one that stops in the middle of a line"

grep -v GetProviderSchema "$whole" >schemaless.jsonl
wants 3 "no schema" "$lifecheck" schemaless.jsonl
out_has 'no schema for "lifecheck_thing"' "is reported"
[ "$(grep -c 'no schema for' stdout)" = 1 ]
result $? "once"

head -c -40 "$whole" >cut.jsonl
wants 3 "a last line that is cut" "$lifecheck" cut.jsonl
out_has "cut.jsonl:11:" "is reported with its line"
out_has "1 case: 1 conforms" "everything before it is checked"

{ head -n 5 "$whole"; echo '[1, 2]'; echo '{"level":"info"}'; echo; tail -n +6 "$whole"; } >mixed.jsonl
wants 1 "foreign lines" "$lifecheck" mixed.jsonl
out_has "2 lines held no recorded call" "are counted"
out_finds "and do not shift places" "error[apply/changed]:" "mixed.jsonl:14:1   "

sed 's/"msgpack":"[^"]*"/"msgpack":"3Q=="/g' "$whole" >rotten.jsonl
run "$lifecheck" rotten.jsonl
[ "$status" = 1 ] && grep -q 'wire/value-decode' stdout
result $? "bytes that are not a value are findings"
sed '$s/,"response":.*/,"error":{"code":"Unavailable","message":"hunter2"}}/' "$whole" >broken.jsonl
wants 1 "a call that was never answered" "$lifecheck" broken.jsonl -v
out_finds "is reported" 'error[wire/rpc-error]: ' 'broken.jsonl:11:1   ' ', ApplyResourceChange'
out_has 'no response, but the gRPC status Unavailable' "with its code"
out_has 'error: Plugin did not respond' "and the words of the cores"
! grep -q hunter2 stdout
result $? "but not with its message"
sed -n 1,200p "$whole" | sed 's/"planned_state"/"plannedState"/g; s/"new_state"/"newState"/g; s/"type_name"/"typeName"/g' >camel.jsonl
wants 1 "lowerCamelCase names" "$lifecheck" camel.jsonl
out_has "[apply/changed]: .name:" "are read"

mkdir folder && cp "$whole" folder/calls.jsonl && echo '{"a":1}' >folder/other.json
wants 1 "a folder" "$lifecheck" folder
out_finds "its recordings are checked" "error[apply/changed]:" "folder/calls.jsonl:11:1   "
out_has "skipped 1 file" "other files are not"

# ---- What happens to files and pipes.

{ printf '\xef\xbb\xbf' && cat "$whole"; } >bom.jsonl
wants 1 "a byte order mark" "$lifecheck" bom.jsonl
out_finds "does not matter" "error[apply/changed]:" "bom.jsonl:11:1   "
{
    sed -n 1,4p "$whole"
    sed -n 5p "$whole" | head -c 300
    sed -n 6p "$whole"
    sed -n 5p "$whole" | tail -c +301
    sed -n '7,$p' "$whole"
} >torn.jsonl
wants 1 "two writers" "$lifecheck" torn.jsonl
grep -q '^torn.jsonl:5:[0-9]*: error: this line is not a recorded call' stdout && grep -q '^torn.jsonl:6:1: error: this line' stdout
result $? "torn lines are reported with their places"
out_finds "and everything else is checked" "error[apply/changed]: .name:" "torn.jsonl:11:1   "
{ head -n 3 "$whole" && head -c 3000 /dev/zero && echo && tail -n +4 "$whole"; } >zeros.jsonl
wants 1 "a hole in a file" "$lifecheck" zeros.jsonl
out_has "zeros.jsonl:4:1: error: this line is not a recorded call" "is reported"
out_finds "the rest is checked" "error[apply/changed]:" "zeros.jsonl:12:1   "

# What a recorder could not read of a newer protocol.
{
    head -n 1 "$whole"
    echo '{"rpc":"NewCall","request":{"raw":"CAE="},"response":{"raw":"CAE="}}'
    sed -n '2,$p' "$whole" | sed 's/"request":{/&"unknown_fields":"CAE=",/'
    sed '$!d; s/"response":.*/"cut":true}/' "$whole"
} >newer.jsonl
wants 1 "a newer protocol" "$lifecheck" newer.jsonl
out_finds "is checked as far as it is known" "error[apply/changed]:" "newer.jsonl:12:1   "
out_has "newer.jsonl:2:1: warning: 1 call has messages that the recorder could not read" "unknown calls are reported"
grep -q '^newer.jsonl:3:1: warning: [0-9]* calls have fields that lifecheck does not know' stdout
result $? "unknown fields are reported once"
out_has "newer.jsonl:13:1: warning: 1 call was not recorded as a whole" "calls that were cut are reported"
tail -n 1 stdout | grep -q '^[0-9]* violations* in 1 resource; 1 case: 1 violates'
result $? "and no case of their own"

# What a recording says in addition to its calls.
about='{"recording": {"format": 1, "by": "lifecheck 0.1.0", "redacted": false, "client": {"name": "terraform", "version": "1.11.4"}, "providers": [{"address": "registry.example.test/a/thing", "version": "3.7.2", "protocol": 6}], "calls": 11, "repeated_schemas": 2, "lost": 0}}'
last=$(tail -n 1 "$whole" | sed 's/.*"process":\([0-9]*\),"seq":\([0-9]*\),.*/[\1, \2]/')
{
    echo "$about"
    cat "$whole"
    echo "{\"addresses\": [{\"address\": \"module.m.lifecheck_thing.a[0]\", \"calls\": [$last]}]}"
} >told.jsonl
wants 1 "a recording that says more" "$lifecheck" -v told.jsonl
! grep -q 'no recorded call' stdout && grep -q '^told.jsonl#module.m.lifecheck_thing.a\[0\]' stdout
result $? "names its cases"
run bash -c "cat told.jsonl | '$lifecheck' -v -"
[ "$status" = 1 ] && grep -q '^-#module.m.lifecheck_thing.a\[0\]' stdout
result $? "also in a pipe"
wants 0 "inspect" "$lifecheck" inspect told.jsonl
out_has "  recorded   by lifecheck 0.1.0, client terraform 1.11.4, not redacted" "shows the client"
out_has "  providers  registry.example.test/a/thing 3.7.2 (protocol 6)" "and the providers"
"$lifecheck" inspect --format json told.jsonl | grep -q '"recording":{"by":"lifecheck 0.1.0","client":"terraform","client_version":"1.11.4","redacted":false,"lost":0,"providers":\[{"address":"registry.example.test/a/thing","version":"3.7.2","protocol":6}\]}'
result $? "also as JSON"
"$lifecheck" redact told.jsonl >told-copy.jsonl
grep -q '^{"recording":{.*"redacted":true}}$' told-copy.jsonl && grep -q '^{"addresses":\[{"address":"module.m.lifecheck_thing.a\[0\]"' told-copy.jsonl
result $? "a redacted copy says it too"
wants 1 "the copy" "$lifecheck" -v told-copy.jsonl
out_has 'told-copy.jsonl#module.m.lifecheck_thing.a[0]' "has the same names"
{ cat told.jsonl && echo '{"recording": {"lost": 3}}'; } >lost.jsonl
wants 1 "calls that were lost" "$lifecheck" lost.jsonl
out_has "lost.jsonl: warning: 3 calls were lost when this was recorded" "are reported"
run "$lifecheck" inspect lost.jsonl
out_has "  lost       3 calls" "also by inspect"
sed 's/"format": 1/"format": 2/' told.jsonl >later.jsonl
wants 3 "a newer format" "$lifecheck" later.jsonl
out_has "later.jsonl:1:1: error: this recording has format 2, and this lifecheck reads format 1 only: use a newer lifecheck" "is reported"
wants 3 "a newer format" "$lifecheck" redact later.jsonl
! grep -q '"rpc"' stdout
result $? "is not copied"

# A pipe that stays open: what is broken is reported when nothing more comes for now, and once.
plan=$captures/fault-final-value-changed.jsonl
await() { # text, file
    for _ in $(seq 1200); do
        ! grep -qF -- "$1" "$2" || return 0
        sleep 0.05
    done
    result 1 "$2 has $1 within a minute"
}
mkfifo calls
"$lifecheck" calls >live 2>&1 &
reader=$!
exec 9>calls
cat "$plan" >&9
await 'error[final/changed]' live
grep -q 'error\[final/changed\]: .arn: ' live && ! grep -q '^calls#' live
result $? "a finding is reported while its run goes on"
exec 9>&-
wait "$reader"
[ "$(grep -c 'error.final/changed' live)" = 1 ] && grep -q '1 case: 1 violates; 1 error' live
result $? "once, and counted at the end"
"$lifecheck" --format jsonl - <calls >live.jsonl &
reader=$!
exec 9>calls
cat "$plan" >&9
await '"record":"finding"' live.jsonl
exec 9>&-
wait "$reader"
"$lifecheck" --format jsonl - <"$plan" >at-once.jsonl
grep -c '^{"record":"finding"' live.jsonl | grep -qx 1 && grep -v '"record":"finding"' live.jsonl | cmp -s - at-once.jsonl
result $? "as a record of its own, and the rest is as ever"

cat "$captures/random-replace.jsonl" "$whole" >both.jsonl
wants 1 "protocol 5 and 6 in one stream" "$lifecheck" both.jsonl
tail -n 1 stdout | grep -q '^1 violation in 1 resource; 3 cases: 2 conform, 1 violates; 1 error, 0 warnings'
result $? "are what they are apart"
# Lines of two runs, taken in turns, as two programs that append to one file write them.
paste -d '\n' "$captures/random-replace.jsonl" "$whole" | grep . >turns.jsonl
wants 1 "two runs in turns" "$lifecheck" turns.jsonl
tail -n 1 stdout | grep -q '^1 violation in 1 resource; 3 cases: 2 conform, 1 violates; 1 error, 0 warnings'
result $? "are distinguished"

run timeout 120 "$lifecheck" - </
[ "$status" = 3 ] && grep -q -- '^-: error: ' stdout
result $? "a folder as standard input"
run bash -c "head -c 5000 '$whole' | timeout 120 '$lifecheck' -"
[ "$status" = 3 ] && grep -q '^-:1:[0-9]*: error: this line is not a recorded call' stdout
result $? "a writer that goes away in the middle of a line"
run bash -c "while cat '$whole'; do :; done 2>/dev/null | timeout 120 '$lifecheck' - 2>stderr | head -n 1; echo \"\${PIPESTATUS[1]}\""
[ "$(tail -n 1 stdout)" = 141 ]
result $? "a reader that goes away ends an endless stream"

# ---- What a recording repeats

{
    head -n 1 "$root/testdata/captures/unapplied-plan-two-runs.jsonl"
    sed 1d "$root/testdata/captures/unapplied-plan-two-runs.jsonl"
} >repeats.jsonl
run "$lifecheck" repeats.jsonl
grep -qE '^info: wire/json-response of postgresql_grant_role, 1 more: repeats.jsonl:3:1$' stdout
result $? "is counted, with a few places"
[ "$(grep -c '^info.wire/json-response' stdout)" = 1 ]
result $? "and reported in full once"
tail -n 1 stdout >folded
run "$lifecheck" --all repeats.jsonl
[ "$(grep -c '^info.wire/json-response' stdout)" = 2 ] && ! grep -q '^again' stdout
result $? "--all reports each"
tail -n 1 stdout | cmp - folded
result $? "the sums are the same"
run "$lifecheck" "$root/testdata/captures/aws-write-only-split.jsonl"
grep -qE '^info: replace/path-on-create of [a-z_]+ \([0-9]+\); this is inherent to SDKv2; there is nothing to fix$' stdout && ! grep -q '^info.replace/path-on-create' stdout
result $? "what is inherent to SDKv2 is one line of the type"

# ---- A provider with thousands of types

if ! command -v jq >/dev/null; then
    echo "ok - a provider with thousands of types # SKIP jq is not installed"
    exit 0
fi
widen() { # SPELLING FILE: the recording, with its types 3,000 times over
    jq -c --arg spelling "$1" '
        def camel: split("_") | .[0] + (.[1:] | map((.[0:1] | ascii_upcase) + .[1:]) | join(""));
        def renamed: if $spelling == "camel" then with_entries(.key |= camel) else . end;
        if .rpc == "GetSchema" or .rpc == "GetProviderSchema" then
            .response.resource_schemas |= . + ([to_entries[0:2][] as $type | range(1500) |
                {key: "\($type.key)_\(.)", value: $type.value}] | from_entries) |
            .response |= renamed
        else . end' "$captures/$2.jsonl"
}
for name in fault-apply-value-changed fault-final-value-changed random-replace; do
    run "$lifecheck" "$captures/$name.jsonl"
    sed "s/.*\.jsonl/FILE/" stdout >narrow
    for spelling in snake camel; do
        widen "$spelling" "$name" >wide.jsonl
        run "$lifecheck" wide.jsonl
        sed "s/.*\.jsonl/FILE/" stdout | cmp - narrow && [ "$(wc -c <wide.jsonl)" -gt 524288 ]
        result $? "$name: the same findings ($spelling)"
    done
done
line=$(grep -n -m 1 '"rpc":"Get[A-Za-z]*Schema"' wide.jsonl | cut -d : -f 1)
sed "${line}s/\"attributes\":\[/\"attributes\":[x,/" wide.jsonl >odd.jsonl
run "$lifecheck" odd.jsonl
[ "$status" = 3 ] && grep -q "^odd.jsonl:$line:[0-9]*: error: this line is not a recorded call" stdout
result $? "what is not JSON within is reported with its place"
sed "${line}s/}$//" wide.jsonl >odd.jsonl
run "$lifecheck" odd.jsonl
[ "$status" = 3 ] && grep -q "^odd.jsonl:$line:[0-9]*: error: this line is not a recorded call" stdout
result $? "so is a line that ends too early"
sed "${line}s/\"\([a-z_]*\)_1\":/\"\1_2\":/g" wide.jsonl >odd.jsonl
run "$lifecheck" odd.jsonl
[ "$status" = 3 ] && grep -q 'duplicate key' stdout
result $? "and a type that is said twice"
