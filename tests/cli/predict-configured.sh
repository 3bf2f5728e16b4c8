#!/usr/bin/env bash
# lifecheck predict without a provider: what the configuration does not set is not a change, and what
# it sets otherwise is reported.
# shellcheck source=tests/cli/lib.bash disable=SC2016 # backquotes of reports
. "$(dirname "$0")/lib.bash"

cat >schema.json <<'EOS'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"resource_schemas": {"demo_queue": {"version": 0, "block": {
 "attributes": {"id": {"type": "string", "optional": true, "computed": true}, "arn": {"type": "string", "computed": true},
  "name": {"type": "string", "optional": true}, "delay": {"type": "number", "optional": true}, "fifo": {"type": "bool", "optional": true},
  "policy": {"type": "string", "optional": true}, "secret": {"type": "map"  , "optional": true}, "password": {"type": "string", "optional": true, "sensitive": true},
  "token_wo": {"type": "string", "optional": true, "write_only": true},
  "tags": {"type": ["map", "string"], "optional": true}, "zones": {"type": ["set", "string"], "optional": true}},
 "block_types": {"rule": {"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "optional": true}, "note": {"type": "string", "optional": true}}}},
  "grant": {"nesting_mode": "set", "block": {"attributes": {"who": {"type": "string", "optional": true}, "note": {"type": "string", "optional": true}}}}}}}}}}}
EOS
sed -i 's/"secret": {"type": "map"  , "optional": true}/"secret": {"type": ["map", "string"], "optional": true, "sensitive": true}/' schema.json
stored() { # name, attributes that are not zero values
    printf '{"mode": "managed", "type": "demo_queue", "name": "%s", "provider": "provider[\\"example.test/demo/demo\\"]", "instances": [{"schema_version": 0, "attributes": {"id": "%s", "arn": "arn:%s", %s}}]}' "$1" "$1" "$1" "$2"
}
zero='"name": "", "delay": 0, "fifo": false, "policy": "", "secret": {}, "password": "", "token_wo": null, "tags": {}, "zones": [], "rule": [], "grant": []'
with() { # name, value, ...
    local all=$zero
    while [ $# -gt 1 ]; do
        all=$(printf '%s' "$all" | python3 -c 'import json, sys; a = json.loads("{" + sys.stdin.read() + "}"); a[sys.argv[1]] = json.loads(sys.argv[2]); print(json.dumps(a)[1:-1])' "$1" "$2")
        shift 2
    done
    printf '%s' "$all"
}
state() { # objects
    local IFS=,
    printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [%s]}' "$*" >prior.json
}
predict() { "$lifecheck" predict --config config --prior-state prior.json --schema schema.json --no-provider "$@"; }
likely() { # name -> the first action of the object, as JSON
    predict --format json >report.json
    python3 -c 'import json, sys
for p in json.load(open("report.json"))["cases"][0]["predictions"]:
    if p["address"] == "demo_queue." + sys.argv[1]:
        print(" ".join(p["actions"]), "firm" if p["firm"] else "open", *(c["path"] + ":" + c["how"] for c in p.get("causes", [])), sep="|")' "$1"
}
likely_is() { # name, wanted, what
    local got
    got=$(likely "$1")
    [ "$got" = "$2" ] || echo "# $got"
    [ "$got" = "$2" ]
    result $? "$3"
}

# ---- What is not set is not a change.

mkdir config
cat >config/main.tf <<'EOC'
terraform {
  required_providers {
    demo = { source = "example.test/demo/demo" }
  }
}
resource "demo_queue" "zero" {}
resource "demo_queue" "default" {
  name = "q"
}
resource "demo_queue" "empty" {
  name  = ""
  delay = 0
  tags  = {}
}
resource "demo_queue" "document" {
  policy = jsonencode({ b = 1, a = [1, 2] })
}
resource "demo_queue" "blocks" {
  rule {
    port = 80
  }
  grant {
    who = "b"
  }
  grant {
    who = "a"
  }
}
resource "demo_queue" "written" {
  token_wo = "t"
}
resource "demo_queue" "edited" {
  name   = "new"
  policy = jsonencode({ a = 2 })
  zones  = ["a", "b"]
  tags   = { Name = "x", Team = "y" }
  secret = { hidden_key = "b" }
  rule {
    port = 81
  }
  grant {
    who = "z"
  }
}
EOC
state "$(stored zero "$zero")" "$(stored default "$(with name '"q"' delay 30 fifo true zones '["a"]' rule '[{"port": 1, "note": ""}]')")" \
    "$(stored empty "$(with name null delay null tags null)")" \
    "$(stored document "$(with policy '"{\"a\":[1,2],\"b\":1}"')")" \
    "$(stored blocks "$(with rule '[{"port": 80, "note": ""}]' grant '[{"who": "a", "note": ""}, {"who": "b", "note": "d"}]')")" \
    "$(stored written "$zero")" \
    "$(stored edited "$(with name '"old"' policy '"{\"a\":1}"' zones '["a"]' tags '{"Name": "w", "Gone": "g", "Team": "y"}' secret '{"hidden_key": "a"}' rule '[{"port": 80, "note": ""}]' grant '[{"who": "a", "note": ""}]')")"
likely_is zero "no-op|open" "zero values that the configuration does not set"
likely_is default "no-op|open" "defaults"
likely_is empty "no-op|open" "zero values that it sets, and null in the state"
likely_is document "no-op|open" "a JSON document in another order"
likely_is blocks "no-op|open" "blocks, in a set in any order"
likely_is written "no-op|open" "a write-only attribute, which no state holds"

# ---- What is set otherwise is reported.

likely_is edited "update|open|grant[0].who:changes|name:changes|policy:changes|rule[0].port:changes|secret:changes|tags.Gone:is removed|tags.Name:changes|zones:changes" "what the configuration sets otherwise"
wants 0 "as text" predict
out_has '    `name` changes (config/main.tf:33:12)' "has lines"
out_has '    `rule[0].port` changes (config/main.tf:39:12)' "... of nested blocks"
! grep -q 'hidden_key\|"new"\|"old"' "$work/stdout" report.json
result $? "and neither values nor what is below sensitive ones"

policy() { predict --format concise "$@"; }
wants 1 "a policy about what is configured" policy --forbid configured:demo_queue
out_has 'error[run/forbidden] demo_queue.edited: demo_queue.edited is configured otherwise than it is stored, which "configured:demo_queue" forbids: ' "fails"
[ "$(grep -c 'run/' "$work/stdout")" = 1 ]
result $? "... for what is edited alone"
wants 1 "beside what only may happen" policy --forbid configured,replace:demo_queue.edited
out_has 'demo_queue.edited is configured otherwise than it is stored, which' "what is certain is reported"
wants 0 "an exception" policy --forbid configured --allow configured:demo_queue.edited
grep -q '"configured":true' report.json && grep -q '"configured":false' report.json
result $? "JSON says so of each object"
cat >plain.tf <<'EOC'
resource "terraform_data" "a" {
  input = "new"
}
EOC
printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "a", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": [{"schema_version": 0, "attributes": {"id": "x", "input": {"value": "old", "type": "string"}, "output": {"value": "old", "type": "string"}, "triggers_replace": null}}]}]}' >plain.json
wants 1 "a firm update" "$lifecheck" predict --config plain.tf --prior-state plain.json --forbid configured
out_has '`input` changes (plain.tf:2:11)' "is configured"
mkdir bare
sed 's/resource "terraform_data"/resource "demo_queue"/' plain.tf >bare/main.tf
sed 's/"terraform_data"/"demo_queue"/; s|terraform.io/builtin/terraform|example.test/demo/demo|' plain.json >bare/state.json
wants 0 "without a schema" "$lifecheck" predict --config bare --prior-state bare/state.json --no-provider --forbid configured --format concise
out_has 'warning[run/may-be-forbidden] demo_queue.a: demo_queue.a may be configured otherwise than it is stored' "it is possible"
wants 3 "without a state" "$lifecheck" predict --config config --no-provider --forbid configured --format concise
