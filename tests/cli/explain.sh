#!/usr/bin/env bash
# lifecheck explain --error: pasted errors of the cores in every form, and messages that are not errors.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.bash"

names() { # rules expected, name; the text is standard input
    run "$lifecheck" explain --error --format json
    got=$(grep -o '"rule":"[^"]*"' "$work/stdout" | cut -d'"' -f4 | paste -sd' ')
    [ "$got" = "$1" ] || echo "# wanted $1, got $got"
    [ "$got" = "$1" ]
    result $? "$2"
}

message='When applying changes to module.a["x y"].nimbus_disk.data[0], provider "provider[\"example.test/x/nimbus\"]" produced an unexpected new value: .zone: was cty.StringVal("was null, but now"), but now cty.StringVal("Z1").'
for width in 40 55 72 80 100 120; do
    { printf '\033[31m╷\033[0m\n\033[31m│\033[0m Error: Provider produced inconsistent result after apply\n│\n'
        fold -s -w "$width" <<<"$message" | sed "s/^/$(printf '\033[31m')│$(printf '\033[0m') /"
        printf '╵\n'; } >boxed
    names apply/changed "boxed at $width" <boxed
    fold -w "$width" <<<"$message" | sed 's/^/2024-05-01T10:00:00.1234567Z   /' >stamped
    run "$lifecheck" explain --error --format json <stamped
    ! sed 's|"rule":"apply/changed"||' "$work/stdout" | grep -q '"rule"'
    result $? "stamped and cut at $width: right or silent"
done
names final/was-null "a final plan" <<<'When expanding the plan for nimbus_disk.data to include new values learned so far during apply, provider "example.test/x/nimbus" produced an invalid new value for .zone: was null, but now cty.StringVal("a").'
names apply/null-result "an old root" <<<'When applying changes to nimbus_disk.data, provider "nimbus" produced an unexpected new value: Root resource was present, but now absent.'
names "plan/mismatch-config plan/noncomputed-value" "bullets of a log" <<'E2'
2024-05-01T10:00:00.123Z [WARN]  Provider "example.test/x/nimbus" produced an invalid plan for nimbus_disk.data, but we are tolerating it because it is using the legacy plugin SDK.
    The following problems may be the cause of any confusing errors from downstream operations:
      - .zone: planned value cty.StringVal("a") does not match config value cty.StringVal("b")
      - .size: planned value cty.NumberIntVal(1) for a non-computed attribute
E2
names plan/block-count "a JSON stream" <<'E2'
{"@level":"error","@message":"Error: Provider produced invalid plan","diagnostic":{"severity":"error","summary":"Provider produced invalid plan","detail":"Provider \"example.test/x/nimbus\" planned an invalid value for nimbus_disk.data.part: block count in plan (3) disagrees with count in config (2)."}}
E2
for text in 'Error: Invalid value for variable' 'Error: creating disk: 409 Conflict: was null, but now there' \
    'Error: Missing required argument' 'Error: Unsupported argument' ''; do
    wants 1 "no rule: $text" "$lifecheck" explain --error "$text"
    out_has "No lifecycle rule" "says so"
done

# Whole plans, configurations and states. The detail distinguishes rules of one summary.
about() { # what it is about, name; the text is standard input
    run "$lifecheck" explain --error --format json
    got=$(grep -o '"about":"[^"]*"' "$work/stdout" | cut -d'"' -f4 | paste -sd' ')
    [ "$got" = "$1" ] && ! grep -q '"rule"' "$work/stdout"
    result $? "$2"
}
names "provider/key-missing provider/orphan-key provider/orphan-no-key" "a summary of several rules" <<<'Error: Provider instance not present'
out_has '"unsure":true' "says so"
names "provider/orphan-no-key" "a detail that decides" <<'E2'
│ Error: Provider instance not present
│
│ To work with nimbus_disk.a its original provider instance at provider["example.test/x/nimbus"].r is required, but it
│ has been removed. This suggests that you've added for_each to this provider configuration while there are existing
│ instances.
E2
names "provider/config-missing provider/orphan-config" "a detail that does not" <<<$'Error: Provider configuration not present\n\nTo work with nimbus_disk.a its original provider configuration is required.'
names "provider/orphan-config" "an orphan" <<<$'Error: Provider configuration not present\n\nTo work with nimbus_disk.a (orphan) its original provider configuration is required.'
names "provider/for-each-null" "for_each of a provider" <<<$'Error: Invalid for_each argument\n\n  on main.tf line 3, in provider "nimbus":\n\nThe given "for_each" argument value is null.'
about repetition "for_each of a resource" <<<$'Error: Invalid for_each argument\n\n  on main.tf line 3, in resource "nimbus_disk" "a":\n\nThe given "for_each" argument value is null.'
names "provider/key-unexpected" "a key on a single block" <<<$'Error: Invalid module provider configuration\n\nAn instance key can be specified only for a provider configuration that uses for_each.'
names "provider/state-both provider/state-missing" "bullets of a state" <<'E2'
error loading state: 2 problems:

- Provider field conflict in state: Resource nimbus_disk.a has a provider address
- Provider field missing state: Resource nimbus_disk.b is missing a provider address
E2
names "provider/same-for-each" "a warning" <<<'Warning: Provider configuration for_each matches resource'
out_has '"effect":"none"' "no error"
names "run/errored-prevent-destroy run/moved-statement" "two errors of a plan" <<<$'Error: Instance cannot be destroyed\n\nResource nimbus_disk.a\n\nError: Ambiguous move statements\n'
names "run/state-deposed" "a state" <<<'error loading state: Invalid resource instance metadata in state: Instance nimbus_disk.a has an object with deposed key "x"'
about cycle "a cycle" <<<'Error: Cycle: nimbus_disk.a (destroy), nimbus_disk.b'
about reference "an undeclared resource" <<<'{"@level":"error","@message":"Error","diagnostic":{"summary":"Reference to undeclared resource","detail":"A managed resource has not been declared"}}'
names "cfn/patch-createonly cfn/replace-missing" "Cloud Control" <<<'operation error CloudControl: UpdateResource, NotUpdatableException: Invalid patch update: createOnlyProperties [/properties/Tags] cannot be updated'
names "cfn/config-pattern" "Cloud Control about a value" <<<'Model validation failed (#/SourceArn: failed validation constraint for keyword [pattern])'
for text in 'Error: Invalid references' 'Error: creating disk: Invalid reference' 'Error: Provider type mismatches'; do
    wants 1 "no rule: $text" "$lifecheck" explain --error "$text"
done

# The whole object: an apply that returns none has a rule of its own.
for whole in 'root object' 'Root object' 'Root resource'; do
    names apply/null-result "$whole is absent after apply" <<<"Error: Provider produced inconsistent result after apply

When applying changes to nimbus_disk.a, provider \"provider[\\\"example.test/x/nimbus\\\"]\" produced an unexpected new value: $whole was present, but now absent."
    names apply/null-result "$whole is absent, behind the summary alone" <<<"Error: Provider produced inconsistent result after apply: $whole was present, but now absent."
    names apply/null-result "$whole is absent, tolerated" <<<"[WARN] Provider \"example.test/x/nimbus\" produced an unexpected new value for nimbus_disk.a, but we are tolerating it because it is using the legacy plugin SDK. The following problems may be the cause of any confusing errors from downstream operations:
      - $whole was present, but now absent"
    names final/absent "$whole is absent in the final plan" <<<"When expanding the plan for nimbus_disk.a to include new values learned so far during apply, provider \"example.test/x/nimbus\" produced an invalid new value: $whole was present, but now absent."
    names apply/present "$whole is present after apply" <<<"When applying changes to nimbus_disk.a, provider \"example.test/x/nimbus\" produced an unexpected new value: $whole was absent, but now present."
    names final/present "$whole is present in the final plan" <<<"When expanding the plan for nimbus_disk.a to include new values learned so far during apply, provider \"example.test/x/nimbus\" produced an invalid new value for : $whole was absent, but now present."
done
names apply/absent "a nested object is absent" <<<'When applying changes to nimbus_disk.a, provider "example.test/x/nimbus" produced an unexpected new value: .logging: was present, but now absent.'
names plan/absent "the whole object in a plan" <<<'Provider "example.test/x/nimbus" planned an invalid value for nimbus_disk.a: planned for absence but config wants existence.'
names ephemeral/null "an ephemeral object" <<<$'Error: Provider produced invalid ephemeral resource instance\n\nThe provider for nimbus_token produced an inconsistent result: planned for absence but config wants existence.'
names ephemeral/config-changed "an attribute of an ephemeral object" <<<$'Error: Provider produced invalid ephemeral resource instance\n\nThe provider for nimbus_token produced an inconsistent result: .part: planned for absence but config wants existence.'
names config/block-max "too many blocks" <<<$'Error: Too many rule blocks\n\n  on main.tf line 3:\n\nNo more than 1 "rule" blocks are allowed'
names list/identity-missing "a list without an identity" <<<'Error: missing identity data in ListResource event for x_y'
names store/chunk-size "a chunk size" <<<'Error: Failed to negotiate acceptable chunk size. Expected size > 0 and <= 134217728 bytes, provider wants 0 bytes'
names store/length "a state that was cut" <<<'Error: expected state file of total 14 bytes, received 12 bytes'
names plan/absent "a word of Terraform 1.0" <<<'Provider "example.test/x/nimbus" planned an invalid value for nimbus_disk.a: planned for absense but config wants existence.'
topic() { # words of the answer, error
    run "$lifecheck" explain --error "$2"
    out_has "$1" "$2"
}
topic 'servers do not fit together' 'Error: Invalid Provider Server Combination'
topic 'too old for what the configuration sets' 'Error: WriteOnly Attribute Not Allowed'
topic 'what a mocked provider cannot do' 'Error: No ephemeral resource types in mock providers'
wants 1 "a label that is missing" "$lifecheck" explain --error $'Error: Missing block label\n\nA block is required'

# Everything that lifecheck itself says of a core is recognised as the same rule. Where a secret or two rules with the
# same words leave several, the answer says so. What a core only logs needs its address, which findings do not quote.
"$lifecheck" --format json "$root/scenarios" >all.json 2>/dev/null
if ! command -v python3 >where; then
    echo "ok - our own messages # SKIP no python3"
else
    python3 - "$lifecheck" all.json <<'E2'
import json, subprocess, sys
PHASES = {"plan": "Provider produced invalid plan", "final": "Provider produced inconsistent final plan",
          "apply": "Provider produced inconsistent result after apply"}
said, summaries, diagnoses = set(), set(), set()
def walk(node):
    if isinstance(node, list):
        for item in node:
            walk(item)
    elif isinstance(node, dict):
        for core in ("opentofu", "terraform"):
            view, rule = node.get(core), node.get("rule")
            if not isinstance(rule, str): # a value may have such a member
                continue
            if isinstance(view, dict) and view.get("message") and not view.get("masked"):
                if view["effect"] != "logged":
                    said.add((rule, view.get("summary") or "", view["message"]))
                    if "diagnosis" in node:
                        diagnoses.add((rule, (node["diagnosis"] or {}).get("id"), view["message"]))
            # run/client-stops quotes whatever stops a client.
            elif rule != "run/client-stops" and rule.startswith(("provider/", "run/")) and isinstance(view, dict) and view.get("summary"):
                summaries.add((rule, view["summary"]))
        for item in node.values():
            walk(item)
walk(json.load(open(sys.argv[2])))
wrong, silent = [], []
unknown = []
for rule, summary in sorted(summaries):
    answer = subprocess.run([sys.argv[1], "explain", "--error", "--format", "json"], input="Error: " + summary, capture_output=True, text=True)
    if answer.returncode:
        unknown.append((rule, summary))
for row in unknown:
    print("# unknown:", row)
print("ok" if summaries and not unknown else "not ok", "- our own summaries of plans and providers: %d" % len(summaries))
for rule, summary, message in sorted(said):
    text = "Error: %s\n\n%s" % (summary, message)
    answer = subprocess.run([sys.argv[1], "explain", "--error", "--format", "json"], input=text, capture_output=True, text=True)
    found = json.loads(answer.stdout)["recognised"]
    if not found:
        silent.append((rule, text))
    elif not (all(f["rule"] == rule or f["hidden"] or f["unsure"] for f in found) and (found[0]["hidden"] and found[0]["rule"].split("/")[0] == rule.split("/")[0] or rule in [f["rule"] for f in found])):
        wrong.append((rule, text, [f["rule"] for f in found]))
for row in wrong:
    print("# wrong:", row)
for rule in sorted({row[0] for row in silent}):
    print("# silent:", rule, repr(next(t for r, t in silent if r == rule))[:150])
# What the values of a message show is what the finding says, unless that knows more: of other objects and elements.
contradicted, same = [], 0
for rule, diagnosis, message in sorted(diagnoses, key=str):
    if ", but now " not in message and "planned value " not in message:
        continue
    answer = subprocess.run([sys.argv[1], "explain", "--error", "--format", "json"], input="Error: " + PHASES.get(rule.split("/")[0], "") + "\n\n" + message, capture_output=True, text=True)
    found = [f["diagnosis"]["id"] for f in json.loads(answer.stdout)["recognised"] if f["rule"] == rule and "diagnosis" in f]
    same += found == [diagnosis]
    if found and found != [diagnosis] and diagnosis not in ("tolerated-upstream", "list-permuted"):
        contradicted.append((rule, diagnosis, found, message))
for row in contradicted:
    print("# contradicted:", row)
print("ok" if same > 50 and not contradicted else "not ok", "- diagnoses of values in our own messages: %d the same" % same)
print("ok" if said and not wrong and not silent else "not ok", "- our own messages: %d" % len(said))
E2
    result $? "our own messages were looked up"
fi
names import/none "a detail without its summary" <<<'While attempting to import with ID a:one, the provider returned no instance states.'

# ---- What a log says of a stop, messages without their frame, and what SDKs and tests say.

names apply/changed "a vertex of a log" <<<'[ERROR] vertex "nimbus_disk.t" error: Provider produced inconsistent result after apply'
names destroy/plan-not-null "a vertex that destroys" <<<'2026-01-02T03:04:05.686Z [ERROR] vertex "module.a[\"x\"].nimbus_disk.t (destroy)" error: Provider produced invalid plan'
run "$lifecheck" explain --error <<<'.a[\"k\"'
[ "$status" -le 1 ] && grep -q '^No lifecycle rule' stdout
result $? "an index that is cut short"
names provider/state-both "a time within an indented message" <<<$'\t Provider field conflict in state: 4052-01-02T03:04:06'
names provider/state-both "a time behind a job and a step" <<<$'plan\tapply all\t2026-01-02T03:04:05.1Z Provider field conflict in state: x'
names "response/unknown apply/null-result" "a vertex of a JSON log" <<<'{"@level":"error","@message":"vertex \"nimbus_disk.t\" error: Provider returned invalid result object after apply"}'
names "apply/null-result final/absent" "a detail alone" <<<'Root object was present, but now absent.'
names "apply/changed final/changed" "half a sentence with back ticks" <<<'we get `.name`: was cty.StringVal("a"), but now cty.StringVal("b")'
names apply/was-null "an address made anonymous" <<<'When applying changes to <module>.t.n["<key>"], provider "registry.terraform.io/x/y" produced an unexpected new value: .a: was null, but now cty.StringVal("x").'
names identity/changed "the framework of an identity" <<<'Error: Unexpected Identity Change'
names validate/rejects-unknown "the framework of unknown values" <<<$'Error: Value Conversion Error\n\nReceived unknown value, however the target type cannot handle unknown values.'
names sequence/perpetual-diff "a test of the plan" <<<'Step 1/1 error: After applying this test step, the plan was not empty.'
names read/after-apply-unstable "a test of the refresh plan" <<<'Step 1/2 error: After applying this test step, the refresh plan was not empty.'
names import/partial-plan "a test of an import" <<<'Step 3/3 error running import: ImportStateVerify attributes not equivalent. Difference is shown below.'

# ---- The values in a message are compared.

diagnosed() { # diagnosis or nothing, text about values
    run "$lifecheck" explain --error --format json <<<"When applying changes to nimbus_disk.a, provider \"nimbus\" produced an unexpected new value: .p: $2."
    got=$(grep -o '"diagnosis":{"id":"[^"]*"' "$work/stdout" | cut -d'"' -f6 | paste -sd' ')
    [ "$status" -le 1 ] && [ "$got" = "$1" ]
    result $? "${1:-no diagnosis}: ${2//$'\n'/\\n}"
}
diagnosed json-equal 'was cty.StringVal("{\"a\":1,\"b\":2}"), but now cty.StringVal("{\"b\":2,\"a\":1}")'
diagnosed case-only 'was cty.StringVal("Foo"), but now cty.StringVal("foo")'
diagnosed space 'was cty.StringVal("a  b"), but now cty.StringVal("a b")'
diagnosed '' $'was cty.StringVal("a \nb"), but now cty.StringVal("a b")'
diagnosed case-only $'was cty.StringVal("A\nb"), but now cty.StringVal("a b")'
diagnosed eol 'was cty.StringVal("a\n"), but now cty.StringVal("a\r\n")'
diagnosed null-empty 'was null, but now cty.StringVal("")'
diagnosed null-empty 'was null, but now cty.ListValEmpty(cty.String)'
diagnosed null-empty 'was null, but now cty.MapValEmpty(cty.List(cty.Number))'
diagnosed null-empty 'was cty.StringVal(""), but now null'
diagnosed stringified 'was cty.StringVal("80"), but now cty.StringVal("80.0")'
diagnosed stringified 'was cty.NumberIntVal(80), but now cty.StringVal("80")'
diagnosed stringified 'was cty.True, but now cty.StringVal("true")'
diagnosed rounded 'was cty.NumberFloatVal(1.25), but now cty.NumberFloatVal(1.3)'
diagnosed precision 'was cty.MustParseNumberVal("0.1234567890123456789"), but now cty.NumberFloatVal(0.1234567890123456789)'
diagnosed list-permuted 'was cty.ListVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.String)}), but now cty.ListVal([]cty.Value{cty.NullVal(cty.String), cty.StringVal("a")})'
diagnosed list-permuted 'was cty.ListVal([]cty.Value{cty.MapVal(map[string]cty.Value{"k":cty.StringVal("a")}), cty.MapValEmpty(cty.String)}), but now cty.ListVal([]cty.Value{cty.MapValEmpty(cty.String), cty.MapVal(map[string]cty.Value{"k":cty.StringVal("a")})})'
diagnosed time-equal 'was cty.StringVal("2024-01-01T00:00:00Z"), but now cty.StringVal("2024-01-01T01:00:00+01:00")'
diagnosed unicode 'was cty.StringVal("\u00e9\x61\U0001f600"), but now cty.StringVal("?a?")'
diagnosed '' 'was cty.StringVal("a"), but now cty.StringVal("b")'
diagnosed '' 'was cty.StringVal("a), but now cty.StringVal("A")'
diagnosed '' 'was cty.ObjectVal(map[string]cty.Value{"a":cty.True, "a":cty.True}), but now cty.EmptyObjectVal'
diagnosed '' 'was cty.ListVal([]cty.Value{cty.True, cty.StringVal("x")}), but now cty.EmptyTupleVal'
deep=$(printf 'cty.TupleVal([]cty.Value{%.0s' {1..3000})cty.True$(printf '})%.0s' {1..3000})
diagnosed '' "was $deep, but now cty.True"
wants 0 "a diagnosis in text" "$lifecheck" explain --error 'Provider "nimbus" planned an invalid value for nimbus_disk.a.zone: planned value cty.StringVal("z1") does not match config value cty.StringVal("Z1").'
out_has "(case-only)" "its name"
out_has "lifecheck record -- terraform plan" "the next step records the run"
run "$lifecheck" explain --error 'OpenTofu: When applying changes to nimbus_disk.a, provider "registry.opentofu.org/x/nimbus" produced an unexpected new value: .a: was null, but now cty.True.'
out_has "lifecheck record -- tofu apply" "the client that is named, and the command that reaches the call"

# ---- A file.

echo 'Error: Import returned no resources' >err.txt
wants 0 "the text is in a file" "$lifecheck" explain --error err.txt
out_has "import/none" "which is read"
wants 0 "- is standard input" "$lifecheck" explain --error - <err.txt
mkdir folder
wants 3 "a folder has no text" "$lifecheck" explain --error folder
