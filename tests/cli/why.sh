#!/usr/bin/env bash
# lifecheck predict PLAN: why each object changes, from the plan alone and with its configuration; and the same without
# a plan. testdata/why holds a configuration, its state, and the plan that Terraform 1.11 made with -var rev=2
# and -replace=terraform_data.named.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v jq >/dev/null; then
    echo "ok - why # SKIP jq is not installed"
    exit 0
fi
cd "$root/testdata/why" || exit 1

because() { # address, pattern, name
    jq -r --arg a "$1" '.cases[0].predictions[] | select(.address == $a).because' "$work/stdout" >"$work/because"
    grep -q -- "$2" "$work/because" || sed 's/^/# /' "$work/because"
    grep -q -- "$2" "$work/because"
    result $? "$3"
}
jq_true() { # filter, name
    jq -e "$1" "$work/stdout" >"$work/jq" 2>&1
    result $? "$2"
}

wants 0 "with the configuration" "$lifecheck" predict --config . plan.json --format json
jq_true '.cases[0].prediction | .actions_of == "plan" and .state == "complete" and .open == 0 and .firm == .objects' "all is firm"
jq_true '[.cases[0].predictions[] | select(.actions != .possible[0] or (.possible | length) != 1)] == []' "the actions are those of the plan"
because terraform_data.app '^`triggers_replace` changes # forces replacement (./main.tf.json:6:[0-9]*): it refers to var.rev$' "an attribute, its line, a local and a variable beside a literal"
because module.m.terraform_data.in '^`triggers_replace\[0\]` is known after apply # forces replacement (./mod/main.tf.json:5:[0-9]*): terraform_data.app.id is known after apply, because terraform_data.app is replaced, because `triggers_replace`' "an argument of a module"
because terraform_data.web '^`input.a` is known after apply (./main.tf.json:8:[0-9]*): module.m.terraform_data.in.id is known after apply, because module.m.terraform_data.in is replaced, because .* because terraform_data.app is replaced' "an output of a module, and a chain"
because terraform_data.t 'terraform_data.web changes, and replace_triggered_by names it (./main.tf.json:16:[0-9]*): terraform_data.web is updated, because `input.a`' "a trigger, and what triggers it"
because terraform_data.named 'the options of this run ask for it' "-replace"
because 'terraform_data.n[1]' 'count does not reach its index (./main.tf.json:11:[0-9]*)' "an index beyond count"
because 'terraform_data.n[0]' '^`input` changes (./main.tf.json:12:[0-9]*): its value comes from var.rev$' "an update"
because 'terraform_data.new["k"]' 'it is declared, and has no object yet' "a creation"
jq_true '.cases[0].predictions[] | select(.address == "terraform_data.named") | .moved.line == 26 and .previous_address == "terraform_data.old"' "a move, and its line"
jq_true '.cases[0].predictions[] | select(.address == "terraform_data.t").triggered_by == "terraform_data.web"' "the trigger as an address"
jq_true '.cases[0].predictions[] | select(.address == "terraform_data.web").causes | map(del(.column)) == [{path: "input.a", how: "is known after apply", file: "./main.tf.json", line: 8, through: "module.m.terraform_data.in.id", address: "module.m.terraform_data.in"}]' "causes as members"
jq_true '.cases[0].predictions[] | select(.address == "terraform_data.secret").causes[0] | .path == "input" and .how == "changes"' "what is sensitive changes"
! grep -q 'v2' "$work/stdout"
result $? "no values"
jq_true '.cases[0].foreseen | length > 5' "what is foreseen is reported beside it"

wants 0 "the plan alone" "$lifecheck" predict plan.json --format json
because terraform_data.web '^`input.a` is known after apply (plan.json:[0-9]*:[0-9]*): module.m.terraform_data.in.id is known after apply, because module.m.terraform_data.in is replaced, because .*: terraform_data.app.id is known after apply, because' "a chain, with places in the plan"
because terraform_data.t '^something that replace_triggered_by names changes$' "a setting that the plan does not hold"

wants 0 "without a plan" "$lifecheck" predict --config . --prior-state prior.json --as terraform --var rev=2 --replace terraform_data.named --format json
jq_true '.cases[0].prediction | .actions_of == "prediction" and .state == "complete"' "is a prediction"
because terraform_data.web '^`input` is known after apply (./main.tf.json:8:[0-9]*): module.m.terraform_data.in.id is known after apply, because module.m.terraform_data.in is replaced, because .* because terraform_data.app is replaced' "and tells the same chain"
because terraform_data.t 'terraform_data.web is updated, because' "and what triggers"

wants 1 "a policy of a plan" "$lifecheck" predict plan.json --config . --forbid 'replace:**.terraform_data.in' --allow 'update' --format concise
out_has "./mod/main.tf.json:5:" "names the line"
wants 0 "a plan is firm" "$lifecheck" predict plan.json --require-firm --forbid 'forget' --format concise
wants 1 "actions of a plan are certain" "$lifecheck" predict plan.json --allow 'update,replace,create' --format concise
out_has 'terraform_data.n[1] is deleted, which no --allow names: count does not reach its index' "and reported"

wants 0 "as text" "$lifecheck" predict plan.json --config .
out_has '    `input.a` is known after apply (./main.tf.json:8:' "with causes"

# Pages: the worst first, then what stays as it is, folded; bounded as a comment.
wants 0 "as Markdown and HTML" "$lifecheck" predict plan.json --config . --report markdown="$work/plan.md" --report html="$work/plan.html"
grep -q '^9 objects: 9 firm' "$work/plan.md" && grep -q '<p>9 objects: 9 firm (4 replaced, 1 deleted, 3 updated, 1 created), 0 undecided; for Terraform 1.11.4 (named by the plan)' "$work/plan.html"
result $? "they begin with the counts"
sed -n 's/^| `\([^`]*\)` | `\([^`]*\)`.*/\2/p' "$work/plan.md" | uniq >"$work/order"
[ "$(tr '\n' ';' <"$work/order")" = "-/+ must be replaced;- will be destroyed;-/+ will be replaced, as requested;-/+ will be replaced due to changes in replace_triggered_by;-/+ must be replaced;~ will be updated in-place;+ will be created;" ]
result $? "what destroys comes first"
grep -q 'triggers.*forces replacement.*main.tf.json:6:' "$work/plan.md" && grep -q 'terraform_data.app is replaced, because' "$work/plan.html"
result $? "with the reasons"
! grep -q '<script\|src=\|href="http' "$work/plan.html"
result $? "and need nothing else"
wants 0 "objects that stay" "$lifecheck" predict "$root/testdata/predict/alone.plan.json" --format markdown
out_has "<details><summary>3 unchanged</summary>" "are folded"
cd "$work" || exit 1
if command -v python3 >/dev/null; then
    python3 - "$root/testdata/why/plan.json" <<'PY'
import copy, json, sys
plan = json.load(open(sys.argv[1]))
one = next(c for c in plan["resource_changes"] if c["address"] == "terraform_data.web")
block = next(r for r in plan["configuration"]["root_module"]["resources"] if r["name"] == "web")
for i in range(10000):
    name = f"web{i}"
    change = copy.deepcopy(one)
    change["address"], change["name"] = f"terraform_data.{name}", name
    plan["resource_changes"].append(change)
    plan["configuration"]["root_module"]["resources"].append(dict(block, name=name, address=change["address"]))
json.dump(plan, open("large.json", "w"))
PY
    run "$lifecheck" predict large.json --format markdown --report json=large.report.json --forbid 'update:terraform_data.web1' --select 'run/forbidden'
    [ "$status" = 1 ] && [ "$(wc -c <"$work/stdout")" -le 65536 ]
    result $? "a plan of 10,000 objects fits into a comment"
    jq -e '.cases[0] | .prediction.objects == 10009 and (.findings | length == 1)' large.report.json >"$work/jq" 2>&1
    result $? "and all of it is in JSON"
else
    echo "ok - a plan of 10,000 objects fits into a comment # SKIP python3 is not installed"
fi

# What is named has changed the value; what may not be at fault is only referred to.
mkdir "$work/innocent" "$work/innocent/m" && cd "$work/innocent" || exit 1
cat >main.tf <<'TF'
variable "env" { default = "dev" }
variable "qs" { default = ["a", "b"] }
variable "m" { default = { a = 1, b = 2 } }
variable "k" { default = "a" }
locals {
  name  = "${var.env}-local"
  plain = var.env
}
resource "terraform_data" "x" { input = jsonencode({ env = var.env, q = var.qs }) }
resource "terraform_data" "y" { input = "${var.env}-application" }
resource "terraform_data" "local" { input = local.name }
resource "terraform_data" "joined" { input = join(",", var.qs) }
resource "terraform_data" "merged" { input = merge({ e = var.env }, { k = var.k }) }
resource "terraform_data" "many" { input = "${var.env}${var.k}${var.m.a}${var.qs[0]}${local.name}${local.plain}" }
resource "terraform_data" "plain" { input = local.plain }
module "m" {
  source   = "./m"
  for_each = var.m
}
resource "terraform_data" "z" { input = join(",", [for k, v in module.m : v.id]) }
resource "terraform_data" "d" { for_each = var.m }
resource "terraform_data" "q" {
  for_each = var.m
  input    = "two ${terraform_data.d[each.key].id}"
}
resource "terraform_data" "chosen" { input = "two ${terraform_data.d[var.k].id}" }
resource "terraform_data" "two" { input = "${terraform_data.x.output}-${terraform_data.y.output}" }
resource "terraform_data" "one" { input = "${var.env}-${terraform_data.x.output}-${terraform_data.d["a"].id}" }
resource "terraform_data" "late" { input = "${timestamp()}-${terraform_data.x.output}" }
TF
cat >m/main.tf <<'TF'
resource "terraform_data" "in" {}
resource "terraform_data" "beside" { input = "new ${terraform_data.in.id}" }
output "id" { value = terraform_data.in.id }
TF
cat >state.py <<'PY'
import json
objects = []
def add(name, value=None, key=None, module=None):
    attributes = {"id": f"{module}{name}{key}", "input": None, "output": None, "triggers_replace": None}
    if value is not None:
        attributes["input"] = attributes["output"] = {"value": value, "type": "string"}
    instance = {"schema_version": 0, "attributes": attributes}
    if key is not None:
        instance["index_key"] = key
    one = {"mode": "managed", "type": "terraform_data", "name": name, "instances": [instance],
           "provider": 'provider["terraform.io/builtin/terraform"]'}
    if module:
        one["module"] = module
    objects.append(one)
for name in "x y local joined merged many plain z chosen two one late".split():
    add(name, "was")
add("d", key="a")
add("q", "one", key="a")
add("in", module='module.m["a"]')
add("beside", "was", module='module.m["a"]')
json.dump({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": objects}, open("state.json", "w"))
PY
if ! command -v python3 >/dev/null; then
    echo "ok - references that may be innocent # SKIP python3 is not installed"
    exit 0
fi
python3 state.py
wants 0 "innocent references" "$lifecheck" predict --config . --prior-state state.json --as terraform --format json
because terraform_data.x 'changes ([^)]*): it refers to var.env, var.qs$' "all references of an object with literal keys"
because terraform_data.y 'changes ([^)]*): it refers to var.env$' "a reference beside a literal"
because terraform_data.local 'changes ([^)]*): it refers to var.env$' "a literal in a local"
because terraform_data.joined 'changes ([^)]*): it refers to var.qs$' "an argument beside a literal"
because terraform_data.merged 'changes ([^)]*): it refers to var.env, var.k$' "arguments of merge"
because terraform_data.many 'it refers to var.env, var.k, var.m.a, var.qs\[0\] and 2 more$' "at most four references"
because terraform_data.plain 'changes ([^)]*): its value comes from var.env$' "the only reference, through a local"
because terraform_data.z 'known after apply ([^)]*): module.m.terraform_data.in.id is known after apply, because module.m\["b"\].terraform_data.in is created$' "the only object that may be unknown"
because 'terraform_data.q["a"]' '^`input` changes ([^)]*): it refers to terraform_data.d\[each.key\].id$' "a known key names no other instance"
because 'module.m["a"].terraform_data.beside' '^`input` changes ([^)]*): it refers to module.m\["a"\].terraform_data.in.id$' "nor does a module's instance"
because terraform_data.chosen '^`input` changes ([^)]*): it refers to terraform_data.d\[var.k\].id, var.k$' "a key that is not a literal names no instance"
because terraform_data.two 'known after apply ([^)]*): it refers to terraform_data.x.output, terraform_data.y.output$' "two objects that may be unknown"
because terraform_data.one 'known after apply ([^)]*): terraform_data.x.output is known after apply, because terraform_data.x is updated, because .* it refers to var.env, var.qs$' "one object that may be unknown beside others"
because terraform_data.late 'known after apply ([^)]*): it refers to terraform_data.x.output$' "a function that is unknown too"
jq_true '.cases[0].predictions[] | select(.address == "terraform_data.many").causes[0] | .refers_to == ["var.env", "var.k", "var.m.a", "var.qs[0]"] and .refers_to_more == 2 and (has("input") or has("address") | not)' "references as members"
