#!/usr/bin/env bash
# lifecheck predict PLAN: what a plan by itself leaves open, what it says firmly, and what is found where the plan
# contradicts it. The golden file has every prediction of one plan, then for each edit the lines that it changes.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v jq >/dev/null; then
    echo "ok - predict alone # SKIP jq is not installed"
    exit 0
fi

lines() { # plan
    "$lifecheck" predict "$1" --format json 2>stderr | jq -r '.cases[0] |
        (.foreseen[]? | "\(.address)\(if .deposed then " " + .deposed else "" end): " +
            "\([.possible[] | join("+")] | join(" | "))\(if .reason then ", likely " + .reason else "" end): \(.why.text)" +
            "\(if .moved then " (\(.moved.text))" else "" end)\(if .open_because then "; open: " + .open_because else "" end)"),
        (.prediction_notes[]? | "note: \(.address // ""): \(.text)"),
        (.findings[]? | select(.rule | test("^data/|expected|-keys$|no-module")) | "found \(.rule) at \(.address)\(.path // ""): \(.message)")'
}

plans=$root/testdata/runs alone=$root/testdata/predict/alone.plan.json
{
    echo "== alone.plan.json"
    lines "$alone"
} >golden

rows=0
while IFS='#' read -r plan edit; do
    [ -n "$plan" ] || continue
    rows=$((rows + 1))
    file=$plans/$plan.plan.json
    [ "$plan" != alone ] || file=$alone
    jq "def entry(a): .resource_changes[] | select(.address == a);
        def prior(a): .prior_state.values.root_module.resources[] | select(.address == a);
        def block(n): .configuration.root_module.resources[] | select(.name == n);
        def drop(a): .resource_changes |= map(select(.address != a)) |
            .planned_values.root_module |= walk(if type == \"object\" and has(\"resources\") then .resources |= map(select(.address != a)) else . end);
        def copy(a; b; i): .resource_changes |= map(., (select(.address == a) | .address = b | .index = i));
        def ends: .change += {actions: [\"delete\"], after: null, after_sensitive: false, after_unknown: {}};
        $edit" "$file" >edited.plan.json || continue
    [ "$file" = "${last:-}" ] || lines "$file" >before
    last=$file
    lines edited.plan.json >after
    echo "== $plan: $edit"
    diff before after | grep '^[<>]'
done >>golden <<'ROWS'
noop-terraform#.terraform_version = "1.12.0"
alone#(prior("demo_disk.a[0]")).tainted = true
alone#.terraform_version = "x" | (prior("demo_disk.a[0]")).tainted = true
taint-terraform#(entry("terraform_data.a")).change.actions = ["forget", "create"]
alone#(entry("demo_disk.a[0]")).change.actions = ["create"]
alone#(entry("demo_disk.a[1]")).change.actions = ["update"]
alone#(entry("demo_disk.a[1]")).change.actions = ["forget"]
alone#(entry("demo_disk.a[1]")).action_reason = "replace_because_tainted"
alone#(entry("demo_disk.a[1]")).action_reason = "replace_by_triggers"
alone#(entry("demo_disk.a[2]")).change.actions = ["forget"]
alone#(entry("demo_disk.a[2]")).change.actions = ["no-op"]
alone#(entry("demo_disk.a[2]")).action_reason = "delete_because_wrong_repetition"
alone#(entry("demo_disk.a[2]")).action_reason = "forgot_because_lifecycle_destroy_in_state"
alone#(entry("demo_disk.b[\"z\"]")) |= (.change.actions = ["update"] | .change.after = .change.before | del(.action_reason))
alone#(entry("demo_disk.gone")).change.actions = ["update"]
alone#(entry("demo_disk.gone")).action_reason = "delete_because_no_module"
alone#(entry("demo_disk.gone")).previous_address = "demo_disk.before"
alone#(entry("demo_disk.gone")).change.generated_config = "text"
alone#(entry("demo_disk.gone")).change.importing = {"id": "d"}
alone#(entry("demo_disk.b[\"x\"]")).previous_address = "demo_disk.old"
alone#(prior("demo_disk.gone")).deposed_key = "01234567"
alone#(block("a")).count_expression = {}
alone#(block("a")).count_expression = {constant_value: 0}
alone#(block("a")).count_expression = {constant_value: "1"}
alone#(block("a")).count_expression = {constant_value: "${1 + 1}"}
alone#(block("a")).count_expression = {constant_value: "${var.n + 1}", references: ["var.n"]}
alone#(block("a")).count_expression = {constant_value: "${var.m}", references: ["var.n"]}
alone#(block("a")).count_expression = {references: ["local.k"]} | (entry("demo_disk.a[2]")).action_reason = "delete_because_wrong_repetition"
alone#(block("a")).count_expression = {constant_value: 300000}
alone#(block("a")) |= (del(.count_expression) | .for_each_expression = {references: ["local.k"]})
alone#(block("a")) |= del(.count_expression)
alone#(block("a")) |= del(.count_expression) | copy("demo_disk.a[0]"; "demo_disk.a"; null) | del(.resource_changes[] | select(.address == "demo_disk.a").index)
alone#.terraform_version = "x" | (block("a")) |= del(.count_expression)
alone#(block("b")).for_each_expression = {constant_value: {"${1}": {}}}
alone#(block("b")).for_each_expression = {references: ["var.m"]}
alone#(block("b")).for_each_expression = {references: ["var.m"]} | (entry("demo_disk.b[\"x\"]")) |= (ends | .action_reason = "delete_because_each_key")
alone#(block("c")) |= del(.count_expression) | (block("c").expressions.zone) = {constant_value: "${var.n}", references: ["var.n"]}
alone#(block("c")) |= del(.count_expression) | copy("demo_disk.c[1]"; "demo_disk.c[\"k\"]"; "k")
alone#(block("d").expressions.zone) = {references: ["var.m"]}
alone#(block("z").count_expression) = {references: ["local.k"]}
alone#(block("z").expressions.name.references) = ["demo_disk.b", "local.k"]
alone#(block("z").expressions.name.references) = ["local.k"]
alone#(block("z")) |= (del(.expressions) | .depends_on = ["demo_disk.a"])
alone#(block("z").expressions.name.references) = ["local.k"] | drop("data.demo_zone.z[0]")
alone#copy("data.demo_zone.z[0]"; "data.demo_zone.z[1]"; 1)
alone#.variables.n.value = {}
alone#.variables.n.value = 3
alone#del(.variables.m)
alone#.variables.m.value = 2
alone#.variables.m.value = 0
alone#.configuration.root_module.module_calls.disks.count_expression = {references: ["local.k"]}
alone#.configuration.root_module.module_calls.disks |= del(.count_expression)
alone#.configuration.root_module.module_calls.disks.expressions = {}
alone#.configuration.root_module.module_calls.disks.expressions.spares = {references: ["local.k"]}
alone#.configuration.root_module.module_calls.disks |= (del(.count_expression) | .for_each_expression = {constant_value: {k: 1}})
alone#.configuration.root_module.module_calls.disks |= (.count_expression = {references: ["local.k"]} | .module.module_calls.in = {source: "./in", count_expression: {constant_value: 1}, module: {resources: [{address: "demo_disk.q", mode: "managed", type: "demo_disk", name: "q"}]}}) | .prior_state.values.root_module.resources |= map(., (select(.address == "demo_disk.gone") | (.address = "module.disks[0].module.in[3].demo_disk.q"), (.address = "module.disks[4].module.in[0].demo_disk.q")))
alone#copy("module.disks[0].demo_disk.spare[0]"; "module.disks[1].demo_disk.spare[0]"; 0)
alone#copy("demo_disk.a[1]"; "demo_disk.a[\"k\"]"; "k")
alone#drop("demo_disk.a[1]") | .deferred_changes = [{reason: "instance_count_unknown", resource_change: {address: "demo_disk.a[1]", mode: "managed", type: "demo_disk", name: "a", index: 1, change: {actions: ["create"]}}}]
alone#drop("demo_disk.a[1]") | .prior_state.values.root_module.resources |= map(., (select(.address == "demo_disk.a[0]") | .address = "demo_disk.a[1]" | .index = 1))
alone#drop("demo_disk.c[0]")
alone#.errored = true | drop("demo_disk.d")
alone#.format_version = "1.1" | (entry("demo_disk.a[2]")).action_reason = "delete_because_no_module"
alone#.resource_changes |= map(select(.change.after == null)) | .planned_values = {} | .resource_changes[] |= del(.action_reason)
alone#.resource_changes |= map(select(.change.after == null)) | .planned_values = {}
alone#.resource_changes = [] | .planned_values = {}
alone#del(.configuration)
delete-module-count-opentofu#(entry("module.m[1].terraform_data.z")).action_reason = "delete_because_count_index"
delete-module-count-opentofu#(entry("module.m[1].terraform_data.z")).change.actions = ["update"]
delete-module-count-opentofu#.configuration.root_module.module_calls.m.count_expression = {references: ["local.k"]}
delete-module-count-opentofu#.configuration.root_module.module_calls.m |= del(.count_expression)
delete-none-to-each-terraform#(block("a")) |= del(.for_each_expression)
delete-none-to-each-terraform#.terraform_version = "x" | (block("a")) |= del(.for_each_expression)
deposed-noop-opentofu#.resource_changes[1].change.actions = ["forget"]
deposed-noop-terraform#.resource_changes[1].action_reason = "delete_because_no_resource_config"
destroy-terraform#(entry("terraform_data.a")).change.actions = ["forget"]
ROWS

cp golden stdout
out_is predict-alone.txt "what a plan alone leaves open and says firmly, in $rows edits"
