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
because terraform_data.app '^`triggers_replace` changes, which cannot be done in place (./main.tf.json:6:[0-9]*): its value comes from var.rev$' "an attribute, its line, a local and a variable"
because module.m.terraform_data.in '^`triggers_replace\[0\]` is known after apply, .* (./mod/main.tf.json:5:[0-9]*): terraform_data.app.id is known after apply, because terraform_data.app is replaced, because `triggers_replace`' "an argument of a module"
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
jq_true '.cases[0].foreseen | length > 5' "what is foreseen is told beside it"

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
out_has 'terraform_data.n[1] is deleted, which no --allow names: count does not reach its index' "and told"

wants 0 "as text" "$lifecheck" predict plan.json --config .
out_has '    `input.a` is known after apply (./main.tf.json:8:' "with causes"

# Pages: the worst first, then what stays as it is, folded; bounded as a comment.
wants 0 "as Markdown and HTML" "$lifecheck" predict plan.json --config . --report markdown="$work/plan.md" --report html="$work/plan.html"
grep -q '^9 objects: 9 firm' "$work/plan.md" && grep -q '<p>9 objects: 9 firm (4 replaced, 1 deleted, 3 updated, 1 created), 0 open</p>' "$work/plan.html"
result $? "they begin with the counts"
sed -n 's/^| `\([^`]*\)` | `\([^`]*\)`.*/\2/p' "$work/plan.md" | uniq >"$work/order"
[ "$(tr '\n' ';' <"$work/order")" = "delete, then create;delete;delete, then create;update;create;" ]
result $? "what destroys comes first"
grep -q 'triggers.*cannot be done in place.*main.tf.json:6:' "$work/plan.md" && grep -q 'terraform_data.app is replaced, because' "$work/plan.html"
result $? "with the reasons"
! grep -q '<script\|src=\|href="http' "$work/plan.html"
result $? "and need nothing else"
wants 0 "objects that stay" "$lifecheck" predict "$root/testdata/predict/alone.plan.json" --format markdown
out_has "<details><summary>3 unchanged</summary>" "are folded"
cd "$work" || exit 1
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
