#!/bin/bash
# Every JSON report is valid by the JSON Schema that is installed with the program, which allows no other members.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
schema=$root/share/lifecheck/report.schema.json

if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "ok - reports by their JSON Schema # SKIP python3 has no jsonschema"
    exit 0
fi

cat >valid.py <<'EOF'
import collections, json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
validator = jsonschema.Draft202012Validator(schema)
validator.check_schema(schema)
# The records are distinguished by one member, and a case by its kind alone: errors then name the member that is wrong.
by_record = {part["properties"]["record"]["const"]: part for part in schema["oneOf"] if "record" in part["properties"]}
whole = next(part for part in schema["oneOf"] if "record" not in part["properties"])
# Of the cases that have the same members, one is enough: the package needs a second for 200 cases.
seen = collections.Counter()
def members(value, path=""):
    if isinstance(value, dict):
        return frozenset().union({path}, *(members(child, path + "." + key) for key, child in value.items()))
    if isinstance(value, list):
        return frozenset().union({path}, *(members(child, path + "[]") for child in value))
    return frozenset({path + type(value).__name__})
def is_new(case):
    shape = members(case)
    seen[shape] += 1
    return seen[shape] == 1
bad = 0
for path in sys.argv[2:]:
    texts = open(path).read().splitlines() if path.endswith("l") else [open(path).read()]
    for text in texts:
        value = json.loads(text)
        if "cases" in value:
            value["cases"] = [case for case in value["cases"] if is_new(case)]
        part = by_record[value["record"]] if "record" in value else whole
        checker = jsonschema.Draft202012Validator(dict(part, **{"$defs": schema["$defs"]}))
        for error in list(checker.iter_errors(value))[:3]:
            bad += 1
            print(path, "/".join(map(str, error.absolute_path)), error.message[:300])
sys.exit(bad > 0)
EOF
is_valid() { # NAME FILE...
    local name=$1
    shift
    python3 valid.py "$schema" "$@" >stdout 2>&1
    result $? "$name"
}

cp "$data"/*.yaml .
run "$lifecheck" --format json --select '*/*' --ignore read/normalized several.yaml nowhere.yaml --report jsonl=lines.jsonl
cp stdout whole.json
is_valid "a report, and its lines" whole.json lines.jsonl
(cd "$root" && "$lifecheck" check --lint --format json scenarios testdata/captures >"$OLDPWD"/all.json 2>/dev/null)
[ -s all.json ]
result $? "there is a report of all scenarios and captures"
is_valid "of all scenarios and captures" all.json
(cd "$root" && "$lifecheck" --shard 1/3 --format json testdata/bad scenarios >"$OLDPWD"/shard.json 2>/dev/null)
is_valid "of a shard" shard.json
echo "exclude: nothing" >settings.yaml
"$lifecheck" --settings settings.yaml --format json several.yaml >narrowed.json 2>/dev/null
is_valid "narrowed by settings" narrowed.json

# The schema is not merely lenient.
change() { python3 -c 'import json, sys; report = json.load(sys.stdin); exec(sys.argv[1]); print(json.dumps(report))' "$1"; }
change 'report["cases"][0]["surprise"] = 1' <whole.json >wrong.json
python3 valid.py "$schema" wrong.json >stdout 2>&1
[ $? = 1 ] && grep -q surprise stdout
result $? "another member is refused"
change 'del report["cases"][1]["findings"][0]["rule"]' <whole.json >wrong.json
python3 valid.py "$schema" wrong.json >stdout 2>&1
[ $? = 1 ] && grep -q rule stdout
result $? "a missing member is refused"

# Every member that the schema knows is written somewhere in these reports.
cat >used.py <<'EOF'
import json, sys
schema = json.load(open(sys.argv[1]))
seen = set()
def walk(value):
    if isinstance(value, dict):
        for key, child in value.items():
            seen.add(key)
            walk(child)
    elif isinstance(value, list):
        for child in value:
            walk(child)
for path in sys.argv[2:]:
    for text in open(path).read().splitlines() if path.endswith("l") else [open(path).read()]:
        walk(json.loads(text))
known = set()
def names(part):
    if isinstance(part, dict):
        known.update(part.get("properties", {}))
        for child in part.values():
            names(child)
    elif isinstance(part, list):
        for child in part:
            names(child)
# What `probe` and providers report depends on the provider.
schema["$defs"] = {name: part for name, part in schema["$defs"].items() if not name.startswith("probe")}
names(schema)
# Of these no small input is at hand.
unused = known - seen - {"broken_elsewhere", "case", "contested", "learned", "reasons", "rests_on", "seen", "probe", "evidence_more", "domain", "predictions", "address", "unused", "by", "answered_by", "providers", "asked", "invented", "left_out", "online", "restarts"}
print(sorted(unused))
sys.exit(bool(unused))
EOF
mkdir ends
echo 'resource "terraform_data" "p" {
  triggers_replace = var.x
  lifecycle {
    prevent_destroy = true
  }
}
variable "x" {}' >ends/main.tf
echo '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": [
  {"mode": "managed", "type": "terraform_data", "name": "p", "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [
    {"schema_version": 0, "attributes": {"id": "i", "input": null, "output": null, "triggers_replace": null}}]}]}' >ends.json
"$lifecheck" predict --open-variables --config ends --prior-state ends.json --format json >protected.json 2>/dev/null
is_valid "a possible replace that prevent_destroy stops" protected.json
python3 used.py "$schema" whole.json lines.jsonl all.json shard.json narrowed.json protected.json >stdout
result $? "every member of the schema occurs"

# ---- Reports of probe

peer=$(dirname "$lifecheck")/tests/probe/provider
if [ -x "$peer" ]; then
    mkdir run home
    export XDG_RUNTIME_DIR=$work/run HOME=$work/home
    for fault in promises-new,trims unknown-dies rejects-default; do
        run timeout -k 5 120 "$lifecheck" probe --provider "$peer" --env "FAULT=$fault" --format json --report jsonl=probe.jsonl --force
        cp stdout probe.json
        is_valid "the report of probe: $fault" probe.json probe.jsonl
    done
    mkdir asks
    printf 'terraform {\n  required_providers {\n    peer = { source = "a.b/c/peer" }\n  }\n}\nprovider "peer" { token = "x" }\nresource "peer_thing" "a" { name = "a" }\n' >asks/main.tf
    run timeout -k 5 120 "$lifecheck" predict --config asks --provider "c/peer=$peer" --format json
    cp stdout asks.json
    is_valid "a prediction that asks a provider" asks.json
    run timeout -k 5 120 "$lifecheck" probe --provider "$peer" --type nobody --allow-empty --format json
    cp stdout probe.json
    is_valid "the report of probe: no type" probe.json
fi
