#!/bin/bash
# Limits that an input reaches: what lies beyond is reported as not checked, never passed over.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# ---- Paths that force a replace

paths() { # COUNT: so many good ones, then one that leads nowhere
    local list
    list=$(seq "$1" | sed 's/.*/[size]/' | paste -sd,)
    sed "s/replace_paths: .*/replace_paths: [$list, [zz]]/; /^expect:/d" "$root/scenarios/run/planned-values/pass-replace-of-a-secret.yaml"
}
paths 1 >two.yaml
wants 1 "a path that leads nowhere" "$lifecheck" two.yaml
out_has "replace/path-invalid" "is reported"
paths 1000 >many.yaml
run "$lifecheck" -v many.yaml
out_has "not checked: a limit was reached: replace/* (2)" "behind a thousand others it is not looked for, and that is reported"
wants 1 "which --require refuses" "$lifecheck" --require replace/path-invalid many.yaml

# ---- Sets whose elements have nothing in common

set_of() { # COUNT: blocks that are planned with other names than they are configured with
    awk -v n="$1" 'BEGIN {
        print "lifecheck: 1"
        print "schema: {version: 0, block: {block_types: {s: {nesting_mode: set, block: {attributes: {a: {type: string, optional: true}, b: {type: string, computed: true}}}}}}}"
        print "config:\n  s:"
        for (i = 0; i < n; i++) printf "    - {a: x%d}\n", i
        print "prior_state: null\nplanned_state:\n  s:"
        for (i = 0; i < n; i++) printf "    - {a: z%d, b: !unknown }\n", i
    }'
}
set_of 40 >small.yaml
wants 1 "a small set is decided" "$lifecheck" small.yaml
out_has "[plan/set-element]: " "element by element"
set_of 3000 >large.yaml
run "$lifecheck" -v large.yaml
out_has "not checked: a limit was reached: plan/set-element (1)" "a large one is reported as not checked"

# ---- The stack: what is nested as deeply as limits allow, and deeper, where `ulimit -s` is low.

nested() { # COUNT OPEN INNER CLOSE
    printf "$2%.0s" $(seq "$1")
    printf '%s' "$3"
    printf "$4%.0s" $(seq "$1")
}
deep() { # NAME EXPRESSION
    mkdir -p "deep/$1"
    printf 'locals {\n  a = %s\n}\nresource "terraform_data" "x" {\n  input = local.a\n}\n' "$2" >"deep/$1/main.tf"
}
for count in 190 1400 5000; do
    rm -rf deep
    deep parentheses "$(nested $count '(' 1 ')')"
    deep lists "$(nested $count '[' '' ']')"
    deep objects "$(nested $count '{a=' 1 '}')"
    deep calls "$(nested $count 'abs(' 1 ')')"
    deep conditions "$(nested $count 'true ? ' 1 ' : 2')"
    deep templates "$(nested $count '"x${' 1 '}"')"
    deep loops "$(nested $count '[for x in [1] : ' x ']')"
    mkdir -p deep/blocks deep/json deep/types
    { echo 'resource "a_b" "x" {'; nested $count 'a {\n' '' '}\n'; echo '}'; } >deep/blocks/main.tf
    { echo 'variable "v" {'; echo "  type = $(nested $count 'object({a=' string '})')"; echo '  default = null'; echo '}'; } >deep/types/main.tf
    echo "{\"locals\": {\"a\": $(nested $count '[' '' ']')}}" >deep/json/main.tf.json
    nested $count '[' '' ']' >deep.json
    for folder in deep/*; do
        run "$lifecheck" predict --no-settings --config "$folder"
        usual=$status
        low=$(ulimit -s 512 && run "$lifecheck" predict --no-settings --config "$folder" && echo "$status")
        [ "$usual" -le 3 ] && [ "$low" = "$usual" ]
        result $? "$count ${folder#deep/} within each other: on a small stack as on the usual one ($usual, $low)"
    done
    low=$(ulimit -s 512 && run "$lifecheck" deep.json && echo "$status")
    [ "$low" = 3 ]
    result $? "$count brackets in a JSON input are refused on a small stack ($low)"
done

# ---- Values that become deep in a chain of objects

mkdir -p chain
{
    echo '{"resource": {"terraform_data": {"r0": {"input": "x"}'
    for i in $(seq 3000); do echo ", \"r$i\": {\"input\": {\"before\": \"\${terraform_data.r$((i - 1)).output}\"}}"; done
    echo '}}, "output": {"o": {"value": "${length(terraform_data.r201.input)}"}}}'
} >chain/main.tf.json
([ -n "${ASAN_OPTIONS:-}" ] || ulimit -v 400000; run "$lifecheck" predict --config chain; exit "$status")
result $? "3,000 objects, each within the next one, need little memory"
grep -q 'output.o may be added: it is nested too deeply: at most 200 levels are evaluated' stdout && grep -q '3001 to add' stdout
result $? "the limit is reported, and all are created"

# ---- Expressions: what a step touches counts.

# bounded NAME REASON LOCALS...: a prediction of these locals ends soon, says why, and needs less than 1.2 GB
bounded() {
    local name=$1 reason=$2
    shift 2
    mkdir -p costly
    {
        printf 'locals {\n'
        printf '  %s\n' "l = flatten([for a in range(50) : [for b in range(1000) : \"item-\${a}-\${b}\"]])" "$@"
        printf '}\noutput "o" {\n  value = local.r\n}\n'
    } >costly/main.tf
    (ulimit -t 20; [ -n "${ASAN_OPTIONS:-}" ] || ulimit -v 1300000; run "$lifecheck" predict --config costly; exit "$status")
    result $? "$name ends within its bounds"
    grep -q "^o  undecided instances: .*$reason" "$work/stdout"
    result $? "$name: the output says why it is not known"
}
two='for i in range(1000) : [for j in range(1000)'
bounded contains 'too many steps' 'r = [for i in local.l : contains(local.l, "x")]'
bounded "contains in two loops" 'too many steps' "r = [$two : contains(local.l, \"x\")]]"
bounded "== of large values" 'too many steps' "r = [$two : local.l == local.l]]"
bounded base64gzip 'too many steps' 's = join("", local.l)' 'r = [for i in range(1000) : base64gzip("${i}${local.s}")]'
bounded "merge in a chain" 'too much memory; --max-memory' 'm0 = { for i in local.l : i => i }' \
    "$(for i in $(seq 200); do echo "m$i = merge(local.m$((i - 1)), { a$i = 1 })"; done)" 'r = local.m200'
bounded keys 'too m' 'm = { for i in local.l : i => i }' "r = [$two : keys(local.m)]]"
bounded distinct 'too m' "r = [$two : distinct(local.l)]]"
bounded jsondecode 'too m' 's = jsonencode(local.l)' "r = [$two : jsondecode(local.s)]]"
bounded sort 'too m' "r = [$two : sort(local.l)]]"
cat >costly/main.tf <<'END'
locals {
  l = flatten([for a in range(100) : [for b in range(1000) : "item-${a}-${b}"]])
}
resource "terraform_data" "x" {
  for_each = { for k in local.l : k => { name = k } }
  input    = "${each.key}-${each.value.name}"
}
END
wants 0 "100,000 instances" "$lifecheck" predict --config costly
grep -q '100000 objects: 100000 firm' "$work/stdout"
result $? "are predicted"
wants 0 "with less memory" "$lifecheck" predict --config costly --max-memory 10M
grep -q 'too much memory; --max-memory permits more' "$work/stdout"
result $? "they are open, with the reason"
cat >costly/main.tf <<'END'
locals {
  l = flatten([for a in range(100) : [for b in range(1000) : "item-${a}-${b}"]])
}
output "o" {
  value = length(setproduct(local.l, local.l, local.l))
}
END
wants 0 "an output whose function has a limit" "$lifecheck" predict --config costly
grep -q '^  ? output.o may be added: ' "$work/stdout"
result $? "says why it is not known"
