#!/bin/bash
# Capture directories: data files paired by a log, by their order, or not at all.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures

wants 1 "data files with a log" "$lifecheck" "$captures/thing/proto-data"
out_finds "the finding names the file" "error[apply/changed]: .name:" "1795229203905_ApplyResourceChange_Response_NewState.msgpack   " ", ApplyResourceChange"
out_has "1 case: 1 violates; 1 error, 0 warnings" "all calls are one run"
! grep -q 'not checked: needs diagnostics' stdout
result $? "diagnostics come from the log"

cp -r "$captures/thing" nolog && rm nolog/sdk.log
wants 1 "without a log" "$lifecheck" nolog/proto-data
out_has "error[apply/changed]: .name:" "the order of files pairs them, and values show the type"
out_has "1 case: 1 violates" "all calls are one run"

wants 0 "two files were written by two calls each" "$lifecheck" "$captures/crowded/proto-data"
[ "$(grep -c 'were also written by another call in the same millisecond' stdout)" = 4 ]
result $? "is reported for all four, and nothing is taken from them"
out_has "sdk.log:25:1: warning:" "with the line of the log"
wants 0 "a configuration that may be of either of two instances" "$lifecheck" "$captures/overwritten/proto-data"
tail -n 1 stdout | grep -q '^2 cases: 2 conform'
result $? "proves nothing, and both are joined by what was planned"
cp -r "$captures/crowded" crowd && rm crowd/sdk.log
wants 0 "without a log calls that overlap" "$lifecheck" crowd/proto-data
out_has "PlanResourceChange calls overlap here" "are reported, and left out"

cp -r "$captures/thing" bare && rm bare/schema.json && sed -i '/"vertex /d' bare/sdk.log # what the client said is found in any case
wants 3 "no schema document" "$lifecheck" bare/proto-data
out_has "no schema document next to the capture" "is reported"

mkdir tree && cp -r "$captures/thing" tree/ && cp "$captures/fault-none.jsonl" tree/
wants 1 "a walk" "$lifecheck" tree
out_has "2 cases: 1 conforms, 1 violates" "takes a capture as one input, in addition to streams"

mkdir twice && cp -r "$captures/thing/proto-data" "$captures/thing/schema.json" "$captures/thing/sdk.log" twice/ && cp "$captures/fault-apply-value-changed.jsonl" twice/rpc.jsonl
wants 1 "a run that is recorded twice" "$lifecheck" twice
out_has "1 case: 1 violates" "is checked once"
out_has "twice/proto-data: warning: the calls of this run are also in twice/rpc.jsonl" "and it says where"
cp "$captures/fault-none.jsonl" twice/rpc.jsonl
run "$lifecheck" twice
out_has "2 cases: 1 conforms, 1 violates" "calls of another run are checked next to it"

head -c -200 nolog/proto-data/1795229203905_ApplyResourceChange_Response_NewState.msgpack >short.bin
cp short.bin nolog/proto-data/1795229203905_ApplyResourceChange_Response_NewState.msgpack
wants 1 "a data file that is cut" "$lifecheck" nolog/proto-data
out_has "wire/value-decode" "is a finding"
: >nolog/proto-data/1795229203999_Nonsense
: >nolog/proto-data/readme.txt
wants 1 "other files" "$lifecheck" nolog/proto-data
out_has "1 violates" "do not matter"
cp "$captures/thing/sdk.log" whole.log && cp -r "$captures/thing" half && head -c 20000 whole.log >half/sdk.log
run "$lifecheck" half/proto-data
[ "$status" != 4 ] && grep -q 'appear in no line of the log and are paired by order' stdout
result $? "a log that is cut: the rest is paired by order"

# ---- Addresses, from plans and states next to it.

plan=$root/testdata/plans/plan.json
cp -r "$captures/thing" named && sed 's/"fault":"none"/"fault":"apply-value-changed"/g' "$plan" >named/plan.json
wants 1 "a plan beside the files" "$lifecheck" -v named/proto-data
out_has "named/proto-data#lifecheck_thing.t: violates" "gives the address of the values that it has"
wants 0 "inspect" "$lifecheck" inspect named/proto-data
out_has "used       named/plan.json: addresses of 1 of 1 cases" "says so"
cp -r "$captures/thing" other && cp "$plan" other/plan.json
wants 1 "a plan of other values" "$lifecheck" -v other/proto-data
out_has "other/proto-data#lifecheck_thing#1: violates" "gives none"
cp -r named twins
sed 's/"resource_changes":\[\({.*}\)\],"configuration"/"resource_changes":[\1,\1],"configuration"/; s/"address":"lifecheck_thing.t"/"address":"lifecheck_thing.u"/2' \
    named/plan.json >twins/plan.json
[ "$(grep -o '"address":"lifecheck_thing.[tu]"' twins/plan.json | sort -u | wc -l)" = 2 ]
result $? "(a plan with two addresses)"
wants 1 "two addresses with the same values" "$lifecheck" -v twins/proto-data
out_has "twins/proto-data#lifecheck_thing#1: violates" "are not reported apart"
wants 0 "inspect" "$lifecheck" inspect twins/proto-data
out_has "twins/plan.json: addresses of 0 of 1 cases" "says so"
cp -r named broken && head -c 3000 named/plan.json >broken/plan.json
wants 1 "a plan that is cut" "$lifecheck" broken/proto-data
out_has "broken/plan.json:1:2997: warning: no addresses are read from this" "is reported with its place, and the calls are checked"
mv named/plan.json named/proto-data/
wants 1 "a plan among the files" "$lifecheck" -v named/proto-data
out_has "#lifecheck_thing.t: violates" "is taken too"

# ---- What happens to folders.

file=1795229203905_ApplyResourceChange_Response_NewState.msgpack
cp -r "$captures/thing" sick && sed -i '/"vertex /d' sick/sdk.log && : >"sick/proto-data/$file"
wants 3 "a data file without a byte" "$lifecheck" sick/proto-data
out_has "sick/proto-data/$file: error: this data file is cut" "is reported, and is not null"
! grep -q 'null-result' stdout
result $? "so that no one is at fault"
rm "sick/proto-data/$file" && mkdir "sick/proto-data/$file"
wants 3 "a folder where a data file should be" "$lifecheck" sick/proto-data
out_has "sick/proto-data/$file: error: this is a folder, not a file" "is reported"
out_has "1 case: 1 conforms" "everything else is checked"
rmdir "sick/proto-data/$file" && ln -s nowhere "sick/proto-data/$file"
wants 3 "a link to nowhere" "$lifecheck" sick/proto-data
out_has "sick/proto-data/$file: error: no such file" "is reported"

mkdir both && cp -r "$captures/thing/proto-data" both/ && cp "$captures"/crowded/proto-data/* both/proto-data/
cp "$captures/thing/schema.json" both/a-schema.json && cp "$captures/crowded/schema.json" both/b-schema.json
cp "$captures/thing/sdk.log" both/a.log && cp "$captures/crowded/sdk.log" both/b.log
wants 1 "two providers, of protocol 5 and 6, in one folder" "$lifecheck" both/proto-data
out_has "17 cases: 16 conform, 1 violates; 1 error, 0 warnings" "are what they are apart"
paste -d '\n' both/a.log both/b.log | grep . >turns.log && rm both/?.log && mv turns.log both/
wants 1 "their logs written in turns" "$lifecheck" both/proto-data
out_has "17 cases: 16 conform, 1 violates; 1 error, 0 warnings" "are distinguished"

cp -r "$captures/thing" wide && iconv -f UTF-8 -t UTF-16 wide/sdk.log >wide.log && cp wide.log wide/sdk.log
wants 1 "a log in UTF-16" "$lifecheck" wide/proto-data
out_has "wide/sdk.log:1:1: error: this log is UTF-16" "is reported"
out_has "1 case: 1 violates" "the files are paired without it"
echo nothing >empty.log
wants 1 "a log that was named, and holds nothing" "$lifecheck" --log empty.log "$captures/thing/proto-data"
out_has "empty.log:1:1: error: this log has no line of the provider protocol" "is reported"

# An import writes a file for each of its objects; that there is none is reported by the log alone.
cp -r "$captures/thing" import
protocol() { # MESSAGE [MORE]: a line of an import
    printf '{"@level":"trace","@message":"%s","@module":"sdk.proto","tf_req_id":"i","tf_resource_type":"lifecheck_thing","tf_rpc":"ImportResourceState"%s}\n' "$1" "${2:-}"
}
{ protocol 'Received request' && protocol 'Received downstream response' && protocol 'Served request'; } >>import/sdk.log
wants 1 "an import without an object" "$lifecheck" import/proto-data
out_finds "is a finding in the log" "error[import/none]: " "import/sdk.log:$(($(wc -l <import/sdk.log) - 2)):1   " ", ImportResourceState"
protocol 'Unable to write protocol data file' >>import/sdk.log
wants 1 "one whose files could not be written" "$lifecheck" import/proto-data
! grep -q import/none stdout
result $? "is none"
