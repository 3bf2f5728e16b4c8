#!/bin/bash
# `lifecheck predict` that asks providers: what is asked, what is firm, and what a provider cannot do
# while it is asked. The provider is that of probe's tests, with its faults.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider
if [ ! -x "$peer" ]; then
    echo "ok - predict asks providers # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
mkdir run home
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME TF_CLI_CONFIG_FILE TERRAFORM_CONFIG TF_REATTACH_PROVIDERS TF_DATA_DIR
mkdir project
cat >project/main.tf <<'END'
terraform {
  required_providers {
    peer = { source = "example.test/lifecheck/peer" }
  }
}
variable "token" {
  sensitive = true
  default   = "hunter2secret"
}
provider "peer" {
  endpoint = "https://api.example.test"
  token    = var.token
}
resource "peer_thing" "updated" {
  name  = "a"
  title = "new"
}
resource "peer_thing" "replaced" {
  name = "renamed"
  note = peer_thing.updated.url
}
resource "peer_thing" "kept" {
  name  = "c"
  title = "same"
}
resource "peer_thing" "created" {
  name = "d"
}
END
object() { # NAME ID OBJECT-NAME TITLE NOTE
    printf '{"mode":"managed","type":"peer_thing","name":"%s","provider":"provider[\\"example.test/lifecheck/peer\\"]","instances":[{"schema_version":2,"private":"eyJwZWVyIjoxfQ==","attributes":{"id":"%s","name":"%s","title":%s,"note":%s,"enabled":true,"size":10,"amount":null,"owner":"me","password":null,"pin":null,"pin_version":null,"url":"of-%s","slug":%s,"titled":%s,"summary":"%s","revision":"r1"}}]}' "$@"
}
{
    echo '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"5d9f55d5-c985-aa77-f85a-9e3d0ac54cc1","outputs":{},"resources":['
    object updated 1 a '"old"' null a '"of-old"' true 'old-10'
    echo ,
    object replaced 2 b null '"of-a"' b null false '10'
    echo ,
    object kept 3 c '"same"' null c '"of-same"' true 'same-10'
    echo ']}'
} >prior.json

# predict [OPTION...]: sets status and the two files
predict() {
    run timeout -k 5 120 "$lifecheck" predict --config project --prior-state prior.json --as terraform \
        --provider "lifecheck/peer=$peer" "$@"
}

# fault NAME: the same with a fault, and a short time-out
fault() {
    local name=$1
    shift
    predict --env "FAULT=$name" --timeout 3 "$@"
}

# ---- What it asks

predict
[ "$status" = 0 ]
result $? "a provider is asked"
out_has "4 objects: 4 firm" "everything is firm"
grep -q '^peer_thing.updated .*update$\|~ peer_thing.updated' stdout
result $? "an update"
grep -q 'peer_thing.replaced.*\(delete, then create\|replaced\)' stdout
result $? "a replace"
out_has "provider peer: example.test/lifecheck/peer, offline" "the report names the provider"
out_has "generated: token" "and what was generated"
! grep -q hunter2secret stdout stderr
result $? "a secret is not shown"
predict --format json
python3 - <<'END' 2>&1
import json
case = json.load(open("stdout"))["cases"][0]
actions = {c["address"]: c["actions"] for c in case["predictions"]}
want = {"peer_thing.updated": ["update"], "peer_thing.replaced": ["delete", "create"],
        "peer_thing.created": ["create"]}
for address, action in want.items():
    print("ok" if actions[address] == action else "not ok", "-", address, "in JSON")
by = {c.get("answered_by") for c in case["predictions"]}
print("ok" if by == {"example.test/lifecheck/peer"} else "not ok", "- who answered")
asked = case["prediction"]["providers"][0]
good = asked["asked"] and not asked["online"] and asked["invented"] == ["token"] and asked["calls"] > 8
print("ok" if good else "not ok", "- what was asked")
END
predict --no-provider
out_has "the type's schema is not known (3)" "--no-provider asks none"

# ---- What it may not do

AWS_SECRET_ACCESS_KEY=hunter2secret TF_VAR_x=y fault lists-environment
! grep -q 'AWS_SECRET_ACCESS_KEY\|TF_VAR_x\|XDG_RUNTIME_DIR' stdout
result $? "its environment is its own"
out_has "HTTPS_PROXY" "with the proxy"
if unshare -rn true 2>errors || unshare -n true 2>errors; then
    fault reaches
    out_has "tries to reach api.example.test:443" "a host that it tries leaves the object open"
    ! grep -q hunter2 stdout stderr
    result $? "what it sends to the proxy is not shown"
    fault reaches-directly
    out_has "needs the network to respond" "an error of the network is not an error of the plan"
    OUTSIDE=$work/outside.txt fault escapes --env OUTSIDE
    [ ! -e outside.txt ] && [ ! -e project/escaped.txt ]
    result $? "it leaves no file"
    if grep -q "no Landlock" stderr; then
        echo "ok - it cannot write elsewhere # SKIP this kernel has no Landlock"
    else
        grep -q "wrote into its folder only\|wrote nowhere" stdout
        result $? "it cannot write elsewhere"
    fi
else
    echo "ok - without a network # SKIP namespaces are not allowed here"
fi

# ---- What goes wrong

fault wrong-type
out_has "wire/value-decode" "a violation is a finding"
[ "$status" = 1 ]
result $? "that fails the command"
fault no-state
out_has "Provider produced invalid plan" "an invalid plan stops the client"
fault upgrade-dies
out_has "does not upgrade the stored object" "an upgrade that exits leaves the object open"
out_has "started again" "and the process is started again"
fault null-dies
out_has "did not respond (Unavailable" "a plan that exits, too"
fault configure-hangs
out_has "did not respond when it was configured" "a provider that hangs is not waited for"
fault second-leg
out_has "Name is taken" "the second plan of a replace is asked"
predict --env FAULT=nothing
out_has "cannot be started" "a provider that does not start is reported"

# ---- Settings

printf 'peer: {endpoint: "https://other", token: "x"}\n' >settings.yaml
predict --provider-config settings.yaml
out_has "4 objects: 4 firm" "settings that are given"
! grep -q "generated: token" stdout
result $? "are not replaced"
printf 'peer: {endpont: "https://other"}\n' >settings.yaml
predict --provider-config settings.yaml
grep -q "cannot be read" stdout
result $? "settings that cannot be read are reported"

# ---- Installed providers, and what may come with a pull request

place=project/.terraform/providers/example.test/lifecheck/peer/1.2.3/$(uname -s | tr A-Z a-z)_amd64
mkdir -p "$place"
cp "$peer" "$place/terraform-provider-peer_v1.2.3"
installed() {
    run timeout -k 5 120 "$lifecheck" predict --config project --prior-state prior.json --as terraform "$@"
}
installed
out_has "example.test/lifecheck/peer 1.2.3, offline" "what init installed is found"
cat >project/.terraform.lock.hcl <<'END'
provider "example.test/lifecheck/peer" {
  version = "1.2.3"
  hashes = [
    "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ]
}
END
installed
out_has "its package is not the one of the lock file" "another package than that of the lock file is not run"
if command -v python3 >missing; then
    hash=$(python3 - "$place" <<'END'
import base64, hashlib, sys
name = "terraform-provider-peer_v1.2.3"
one = hashlib.sha256(open(sys.argv[1] + "/" + name, "rb").read()).hexdigest()
print(base64.b64encode(hashlib.sha256(f"{one}  {name}\n".encode()).digest()).decode())
END
    )
    sed -i "s|h1:[A=]*|h1:$hash|" project/.terraform.lock.hcl
    installed
    out_has "example.test/lifecheck/peer 1.2.3, offline" "that of the lock file is"
else
    echo "ok - a package of the lock file # SKIP python3 is not installed"
fi
rm project/.terraform.lock.hcl
if git init -q project 2>errors; then
    git -C project -c core.autocrlf=false add -f .terraform 2>errors
    installed
    out_has "git tracks its binary" "what git tracks is not run"
    git -C project update-index --index-version 4
    installed
    out_has "git tracks its binary" "by an index of version 4"
    cp -r project/.terraform/providers trusted
    installed --providers trusted
    out_has "example.test/lifecheck/peer 1.2.3, offline" "a folder outside is trusted"
else
    echo "ok - what git tracks # SKIP git is not installed"
fi

# ---- Functions

mkdir functions
cat >functions/main.tf <<'END'
terraform {
  required_providers {
    peer = { source = "example.test/lifecheck/peer" }
  }
}
resource "terraform_data" "loud" {
  count = provider::peer::shout("a") == "A" ? 2 : 1
  input = provider::peer::shout("b")
}
END
function_of() {
    run timeout -k 5 120 "$lifecheck" predict --config functions --as terraform --provider "lifecheck/peer=$peer" "$@"
}
function_of
out_has "2 objects: 2 firm" "a function of a provider decides instances"
function_of --no-provider
out_has "is a function of a provider" "which are not known without it"

# ---- Ephemeral resources

mkdir ephemeral
cat >ephemeral/main.tf <<'END'
terraform {
  required_providers {
    peer = { source = "example.test/lifecheck/peer" }
  }
}
variable "want" {
  default = "of-abc"
}
ephemeral "peer_session" "one" {
  name = "abc"
  lifecycle {
    postcondition {
      condition     = self.ticket == var.want
      error_message = "another ticket"
    }
  }
}
resource "peer_thing" "first" {
  name = "d"
}
ephemeral "peer_session" "later" {
  name = peer_thing.first.id
  lifecycle {
    postcondition {
      condition     = self.ticket == "never"
      error_message = "cannot be decided before the apply"
    }
  }
}
resource "peer_thing" "second" {
  name = "e"
  pin  = ephemeral.peer_session.one.ticket
}
END
session_of() {
    run timeout -k 5 120 "$lifecheck" predict --config ephemeral --as terraform --provider "lifecheck/peer=$peer" "$@"
}
session_of
[ "$status" = 0 ] && grep -q "2 objects: 2 firm" stdout
result $? "an ephemeral resource is opened, its conditions hold"
! grep -q of-abc stdout
result $? "and its values are not shown"
session_of --var want=x
grep -q "Resource postcondition failed: ephemeral.peer_session.one" stdout
result $? "a condition about what was opened fails"
out_has "1 object: 1 firm" "so that what refers to it is not planned"
session_of --var want=x --no-provider
! grep -q "postcondition" stdout
result $? "without its provider nothing is opened"

# ---- What the client validates before it plans, and in the plan

actions_of='import json, sys
case = json.load(sys.stdin)["cases"][0]
print({one["address"].split(".")[1]: one["actions"] for one in case["predictions"]}.get(sys.argv[1], "-"))'
late() { # KIND
    printf 'resource "peer_checked" "late" {\n  kind = %s\n  one  = "1"\n}\n' "$1" >project/late.tf
    predict --format json
}
late peer_thing.kept.title
[ "$(python3 -c "$actions_of" updated <stdout)" = "['update']" ] && grep -q 'Invalid Attribute Value Match' stdout
result $? "a value of another object that is refused stops that object alone"
late '"same"'
[ "$(python3 -c "$actions_of" updated <stdout)" = - ] && grep -q 'Invalid Attribute Value Match' stdout
result $? "a constant that is refused stops everything"
# refused BLOCK WHAT: a block of which nothing is planned stops everything
refused() {
    printf '%s\n' "$1" >project/late.tf
    predict --format json "${@:3}"
    [ "$(python3 -c "$actions_of" updated <stdout)" = - ] && grep -q 'Invalid Attribute Value Match' stdout
    result $? "$2"
}
checked() { # ARGUMENT KIND: a block of the type whose kind the provider checks
    printf 'resource "peer_checked" "late" {\n  %s\n  kind = %s\n  one  = "1"\n}\n' "$@"
}
refused "$(checked 'count = 0' '"same"')" "so does one in a block without instances"
refused "$(checked 'for_each = {}' '"same"')" "  or with an empty for_each"
refused "$(checked 'count = 1' '"same"')" "  and one of a block that has an instance" --target peer_thing.updated
mkdir project/inner
inner() { # KIND: a module that has no instance, and gives its variable the value that is refused
    printf 'terraform {\n  required_providers {\n    peer = { source = "example.test/lifecheck/peer" }\n  }\n}\nvariable "kind" {}\n' >project/inner/main.tf
    checked '' "$1" >>project/inner/main.tf
}
late_call='module "inner" {
  source = "./inner"
  count  = 0
  kind   = "same"
}'
inner '"same"'
refused "$late_call" "  and in a module without instances"
inner var.kind
printf '%s\n' "$late_call" >project/late.tf
predict --format json
[ "$(python3 -c "$actions_of" updated <stdout)" = "['update']" ] && ! grep -q 'Invalid Attribute Value Match' stdout
result $? "  where variables have no value yet"
checked 'count = 0' 'tostring(count.index)' >project/late.tf
predict --format json
[ "$(python3 -c "$actions_of" updated <stdout)" = "['update']" ] && ! grep -q 'Invalid Attribute Value Match' stdout
result $? "  nor have the keys of instances"
rm -r project/late.tf project/inner

# ---- Sensitive by schema, in a state of a client that stored it, or did not

# kept ACTION STATE WHAT [OPTION...]: the object that nothing changes
kept() {
    predict --prior-state "$2" --format json "${@:4}"
    [ "$(python3 -c "$actions_of" kept <stdout)" = "['$1']" ]
    result $? "$3"
}
sed 's|"same-10"|"same/10"|' prior.json >settled.json
sed 's/"private":/"sensitive_attributes":[[{"type":"get_attr","value":"password"}]],&/g' settled.json >stored.json
sed 's/1\.11\.4/1.7.5/' settled.json >older.json
kept update settled.json "without a refresh what is newly sensitive by schema is an update" --no-refresh
kept no-op stored.json "  what the state has is not" --no-refresh
kept no-op older.json "  nor with a client before Terraform 1.8" --no-refresh
kept no-op settled.json "  nor after a refresh"
