#!/bin/bash
# Clients as the oracle: each requirement that `lifecheck serve --break` violates, or a schema, is served to a client, and
# what the client does is compared with the verdict: run.sh LIFECHECK CLIENT [RULE...]. One line a rule:
#   ok|not ok <tab> RULE <tab> found|missed <tab> says an error|accepts it <tab> the verdict <tab> what the client prints
# With CONFIRMED=FILE (src/catalog/confirmed.def) the rules of which the client stopped with the message of the rule are written
# there. `found`: lifecheck reports the rule. A rule that is missed, of which verdict and client differ, or of which the
# client prints another message, is a failure.
set -u
lifecheck=$(realpath "$1") client=$2
CONFIRMED=${CONFIRMED:+$(realpath "$CONFIRMED")}
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v "$client" >/dev/null; then
    echo "skipped: $client is not installed"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
if ! command -v jq >/dev/null; then
    echo 'skipped: jq is not installed, which reads the verdicts'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset TF_CLI_CONFIG_FILE TF_REATTACH_PROVIDERS
# Each client is checked as itself.
version=$("$client" version | sed -n 's/^[A-Za-z]* v\([0-9.]*\).*/\1/p' | head -n 1)
as=$([ "$client" = tofu ] && echo opentofu || echo "$client")
mkdir honest
cat >honest/main.tf <<'END'
terraform {
  required_providers {
    full = { source = "example.test/tests/full" }
  }
}
variable "note" {
  default = "a"
}
resource "full_thing" "t" {
  name        = "n"
  note        = var.note == "" ? null : var.note
  items       = ["a", "b"]
  tags        = { a = "1", b = "2" }
  password_wo = "secret"
  ports       = [{ number = 1 }, { number = 2 }]
  any         = "a"
  modes       = { a = { mode = "1" }, b = { mode = "2" } }
  one         = { size = 1 }
  zones       = ["a", "b"]
  disk {
    size = 1
  }
  net {
    cidr = "10.0.0.0/16"
  }
  place {
    room = "r"
  }
  rule "a" {
    port = 1
  }
  rule "b" {
    port = 2
  }
}
data "full_data" "d" {
  name = "n"
}
ephemeral "full_token" "e" {
  name = "n"
}
output "id" {
  value = [full_thing.t.id, data.full_data.d.zones]
}
END
cat >thing.tf <<'END'
terraform {
  required_providers {
    full = { source = "example.test/tests/full" }
  }
}
resource "full_thing" "t" {
  name = "n"
}
resource "full_thing" "after" {
  name = full_thing.t.id
}
END
# Schemas with a fault that a client tolerates, which are served as they are: rules and how jq makes it.
faults='schema/attr-name|.block.attributes["Upper"] = {type: "string", optional: true}
schema/reserved-root-name|.block.attributes.count = {type: "string", optional: true}
schema/set-writeonly|.block.block_types.net.block.attributes.any = {type: "string", optional: true, write_only: true}
schema/writeonly-computed|.block.attributes.password_wo.computed = true'
schema=$root/testdata/schemas/serve.json
serve() { # COMMAND...: with the options in `options`
    timeout -k 5 120 "$lifecheck" serve --as "$as" --schema "$schema" "${options[@]}" -- "$client" "$@" -no-color
}
options=()
(cd honest && serve init && serve apply -auto-approve) >honest.log 2>&1 || { cat honest.log; echo '0 passed, 1 failed, 0 skipped'; exit 1; }
[ $# -gt 0 ] || mapfile -t rules < <("$lifecheck" serve --break help && cut -d '|' -f 1 <<<"$faults")
[ $# = 0 ] || rules=("$@")
passed=0 failed=0 skipped=0 confirmed=()
for rule in "${rules[@]}"; do
    case $rule@$client@$version in
    identity/*@terraform@1.[0-9].* | identity/*@terraform@1.1[01].* | identity/*@tofu@1.[0-9].* | identity/*@tofu@1.1[01].*)
        printf 'skipped\t%s\tthe client knows no identities\n' "$rule"
        skipped=$((skipped + 1))
        continue
        ;;
    esac
    case $rule in list/* | action/*)
        printf 'skipped\t%s\ttests/serve/client asks this, no client here\n' "$rule"
        skipped=$((skipped + 1))
        continue
        ;;
    esac
    rm -rf run
    cp -r honest run
    cd run || exit 1
    options=(--break "$rule" --report json=../report.json --force -q)
    schema=$root/testdata/schemas/serve.json
    if grep -q "^$rule|" <<<"$faults"; then
        options=("${options[@]:2}")
        jq "(.provider_schemas[].resource_schemas.full_thing) |= ($(sed -n "s#^$rule|##p" <<<"$faults"))" "$schema" >../schema.json
        schema=$work/schema.json
    fi
    command=(apply -auto-approve) more=
    case $rule in
    validate/*) command=(validate) ;;
    upgrade/* | read/* | identity/changed | response/null-block) command=(plan) ;;
    replace/path-invalid | replace/path-unchanged | final/action-changed | plan/kept-prior) command=(apply -auto-approve -var note=other) ;;
    destroy/*) command=(destroy -auto-approve) ;;
    import/*)
        rm terraform.tfstate
        sed '/"after"/,$d' ../thing.tf >main.tf
        printf 'import {\n  to = full_thing.t\n  id = "given"\n}\n' >>main.tf
        ;;
    move/*)
        rm terraform.tfstate
        sed 's/full_thing/full_old/; /"after"/,$d' ../thing.tf >main.tf
        (options=(); serve apply -auto-approve) >/dev/null 2>&1
        sed '/"after"/,$d' ../thing.tf >main.tf
        printf 'moved {\n  from = full_old.t\n  to = full_thing.t\n}\n' >>main.tf
        ;;
    sequence/perpetual-diff) command=(apply -auto-approve -var note=other) more="plan -var note=other" ;;
    plan/noncomputed-value | apply/was-null) rm terraform.tfstate; command+=(-var note=) ;;
    *) rm terraform.tfstate ;;
    esac
    rm -f ../report.json
    if [ -n "$more" ]; then
        timeout -k 5 120 "$lifecheck" serve --as "$as" --schema "$schema" "${options[@]}" -- \
            sh -c "$client ${command[*]} -no-color && $client $more -no-color" >../out 2>&1
    else
        serve "${command[@]}" >../out 2>&1
    fi
    cd ..
    said=$(sed -n 's/^ *[│╷]* *Error: //p; s/^!* *\([A-Z]* CRASH\) .*/\1/p; s/^panic: .*/CRASH/p' out | head -n 1)
    # the rules whose message this is
    means=$(sed -n '/Error: /,/^[a-z]*\[/p' out | "$lifecheck" explain --error | sed -n 's|^\([a-z]*/[a-z-]*\): .*|\1|p')
    found=missed
    grep -qs "\"rule\": *\"$rule\"" report.json && found=found
    verdict=$(jq -r --arg rule "$rule" --arg client "$as" '[.. | objects | select(.rule? == $rule) | .[$client]?.effect? // empty] | unique | join(",")' report.json 2>/dev/null)
    [ -n "$said" ] && does="says an error" || does="accepts it"
    # without a verdict nothing was compared
    [ "$found" = found ] && [ -n "$verdict" ] && result=ok || result="not ok"
    case $verdict in
    *error* | *crash*)
        # after a crash there is no message
        { [[ $said == *CRASH && $verdict == *crash* ]] || grep -qxF "$rule" <<<"$means"; } && confirmed+=("$rule") || result="not ok"
        ;;
    *)
        # what the provider itself says (--break), and the message of another finding, are not a verdict on this rule
        [ -z "$said" ] || grep -qF 'requested with --break' out || grep -qsF "$(sed 's/.*/"rule":"&"/' <<<"${means:-none}")" report.json || result="not ok"
        ;;
    esac
    [ "$result" = ok ] && passed=$((passed + 1)) || failed=$((failed + 1))
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$result" "$rule" "$found" "$does" "verdict: $verdict" "$said"
done
if [ -n "$CONFIRMED" ] && [ $# = 0 ]; then
    name=$([ "$client" = tofu ] && echo OpenTofu || echo Terraform)
    kept=$(grep -v "\"$name [^\"]*\")\$" "$CONFIRMED")
    {
        echo "$kept"
        printf "CONFIRMED(\"%s\", \"$name $version\")\n" "${confirmed[@]}"
    } >"$CONFIRMED"
fi
echo "$passed passed, $failed failed, $skipped skipped ($client $version)"
[ "$failed" = 0 ]
