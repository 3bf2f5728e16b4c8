#!/bin/bash
# Calls of actions, and generated configurations, from recordings.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

string=InN0cmluZyI= # "string"
schemas='{"process":1,"rpc":"GetProviderSchema","request":{},"response":{"server_capabilities":{"generate_resource_config":true},"provider":{"block":{}},"resource_schemas":{"x_disk":{"block":{"attributes":[{"name":"id","type":"'$string'","computed":true},{"name":"name","type":"'$string'","required":true}]}}},"action_schemas":{"x_reboot":{"schema":{"block":{"attributes":[{"name":"host","type":"'$string'","required":true},{"name":"key","type":"'$string'","optional":true,"sensitive":true}]}}}}}}'
value() { printf '{"msgpack":"%s"}' "$(printf '%b' "$1" | base64 -w0)"; }
s() { printf '\\x%02x%s' $((0xa0 + ${#1})) "$1"; }
map() { # key value, as msgpack
    printf '\\x%02x' $((0x80 + $# / 2))
    while [ $# -gt 0 ]; do s "$1" && printf '%s' "$2" && shift 2; done
}
z='\xc0'
config=$(value "$(map host "$(s web)" key "$(s hush1234)")")
plan() { echo '{"process":1,"rpc":"PlanAction","request":{"action_type":"x_reboot","config":'"$config"',"client_capabilities":{"deferral_allowed":'"${1:-false}"'}},"response":{'"${2:-}"'}}'; }
invoke() { echo '{"process":2,"rpc":"InvokeAction","request":{"action_type":"x_reboot","config":'"$config"'}'"$1"'}'; }
found() { findings | sed -E 's/^[a-z]+\[([^]]+)\]: ((\.[^ ]*): )?.* --> [^ ]*:([0-9]+):1 .*/\4 \1 \3/; s/ $//'; } # line, rule, path
finds() { # name, findings
    [ "$(found)" = "${2:-}" ] || found | sed 's/^/#   there is: /'
    [ "$(found)" = "${2:-}" ]
    result $? "$1"
}

{ echo "$schemas" && plan && invoke ',"responses":[{"progress":{"message":"hush1234 off"}},{"completed":{}}]'; } >good.jsonl
wants 0 "an action that is planned and invoked" "$lifecheck" good.jsonl
finds "has no finding"
out_has "1 case: 1 conforms" "both calls are one case"
! grep -q 'action.events' stdout
result $? "and its events are checked"
run "$lifecheck" inspect good.jsonl
out_has "action 2" "inspect counts them"

{ echo "$schemas" && plan; } >planned.jsonl
wants 0 "an action that is only planned" "$lifecheck" -v planned.jsonl
out_has "not checked: needs action.events" "says nothing of its events"
(echo "$schemas" && plan && config=$(value "$(map host "$(s other)" key "$z")") && invoke ',"responses":[{"completed":{}}]') >two.jsonl
run "$lifecheck" two.jsonl
out_has "2 cases" "another configuration: another action"
for events in '[]' '[{"progress":{}}]'; do
    { echo "$schemas" && invoke ',"responses":'"$events"; } >open.jsonl
    run "$lifecheck" open.jsonl
    finds "events without an end: $events" "2 action/no-events"
done
{ echo "$schemas" && invoke ''; } >left.jsonl
run "$lifecheck" left.jsonl
finds "no answers at all" "2 action/no-events"
{ echo "$schemas" && invoke ',"responses":[{"progress":{}}],"error":{"code":"Unavailable"}'; } >broken.jsonl
run "$lifecheck" broken.jsonl
finds "a status in place of the end" "2 wire/rpc-error"
{ echo "$schemas" && invoke ',"responses":[{},{"completed":{}}]'; } >unknown.jsonl
run "$lifecheck" unknown.jsonl
finds "an event that is none of the protocol's" "2 action/unknown-event"
{ echo "$schemas" && invoke ',"responses":[{"raw":"aHVzaDEyMzQ="}]'; } >raw.jsonl
run "$lifecheck" raw.jsonl
finds "events that the recorder could not decode"
{ echo "$schemas" && invoke ',"responses":[{"completed":{"diagnostics":[{"severity":"ERROR","summary":"hush1234"}]}}]'; } >failed.jsonl
run "$lifecheck" failed.jsonl
finds "an action that failed says so in its last event"
{ echo "$schemas" && plan true '"deferred":{"reason":"PROVIDER_CONFIG_UNKNOWN"}' && plan true '"deferred":{"reason":"RESOURCE_CONFIG_UNKNOWN"}' && plan false '"deferred":{"reason":"PROVIDER_CONFIG_UNKNOWN"}'; } >deferred.jsonl
run "$lifecheck" --all deferred.jsonl
found | grep -q '^3 deferred/action-reason' && found | grep -q '^4 deferred/action-reason' && ! found | grep -q '^2 '
result $? "plans of actions that are put off"

# A copy holds no secret of requests, events and messages that were not decoded.
for file in good raw failed; do
    "$lifecheck" redact "$file.jsonl" -o "copy-$file.jsonl"
    ! grep -qE 'hush1234|aHVzaDEyMzQ|qGh1c2gxMjM0' "copy-$file.jsonl" && ! grep -o '"msgpack":"[^"]*"' "copy-$file.jsonl" | cut -d'"' -f4 | while read -r b; do base64 -d <<<"$b"; done | grep -aq hush1234
    result $? "a copy of $file has no secret"
    run "$lifecheck" "$file.jsonl"
    before=$(found)
    run "$lifecheck" "copy-$file.jsonl"
    finds "and the same findings" "$before"
done
echo '{"rpc":"ListResource","request":{"type_name":"x"},"responses":[{"display_name":"hush1234"}]}' >list.jsonl
"$lifecheck" redact list.jsonl >copy
grep -q ListResource copy && ! grep -q hush1234 copy
result $? "answers of calls that no one can read are left out"

# ---- A configuration that is generated for what was imported.

state=$(value "$(map id "$(s d-1)" name "$(s data)")")
imported() {
    echo '{"process":1,"rpc":"ImportResourceState","request":{"type_name":"x_disk","id":"d-1"},"response":{"imported_resources":[{"type_name":"x_disk","state":'"$(value "$(map id "$(s d-1)" name "$z")")"'}]}}'
    echo '{"process":1,"rpc":"ReadResource","request":{"type_name":"x_disk","current_state":'"$(value "$(map id "$(s d-1)" name "$z")")"'},"response":{"new_state":'"$state"'}}'
}
generated() { # state config
    echo '{"process":1,"rpc":"GenerateResourceConfig","request":{"type_name":"x_disk","state":'"$1"'},"response":{"config":'"$2"'}}'
}
good=$(value "$(map id "$z" name "$(s data)")")
{ echo "$schemas" && imported && generated "$state" "$good"; } >generated.jsonl
wants 0 "a generated configuration" "$lifecheck" generated.jsonl
finds "that somebody could have written"
{ echo "$schemas" && imported && generated "$state" "$state"; } >computed.jsonl
run "$lifecheck" computed.jsonl
finds "one that sets what cannot be set" "4 import/generated-config .id"
{ echo "$schemas" && imported && generated "$good" "$state"; } >foreign.jsonl
run "$lifecheck" foreign.jsonl
finds "one that was generated for another object"
{ echo "$schemas" && imported && imported && generated "$state" "$state"; } >twice.jsonl
run "$lifecheck" twice.jsonl
[ "$(found | wc -l)" -le 1 ]
result $? "objects that are the same in everything: one of them has it"
