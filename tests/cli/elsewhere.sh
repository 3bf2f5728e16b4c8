#!/bin/bash
# A violation of one instance that its client only logged, followed to the instances that use the value.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# ---- Streams. Values are msgpack, made of: s TEXT, n NUMBER (16 bits), u (unknown), z (null).
s() { printf '\\x%02x%s' $((0xa0 + ${#1})) "$1"; }
n() { printf '\\xcd\\x%02x\\x%02x' $(($1 / 256)) $(($1 % 256)); }
z() { printf '\\xc0'; }
u() { printf '\\xd4\\x00\\x00'; }
list() { printf '\\x%02x' $((0x90 + $#)) && printf '%s' "$@"; }
up() { printf '\\x82' && s arn && printf %s "$1" && s name && printf %s "$2"; }                             # arn name
down() { printf '\\x84' && s id && printf %s "$1" && s ids && printf %s "$2" && s port && printf %s "$3" && s target && printf %s "$4"; } # id ids port target
value() { printf '{"msgpack":"%s"}' "$(printf '%b' "$1" | base64 -w0)"; }
type() { printf %s "$1" | base64 -w0; }
schemas() {
    local string number set
    string=$(type '"string"') number=$(type '"number"') set=$(type '["set","string"]')
    printf '{"process":1,"rpc":"GetSchema","request":{},"response":{"provider":{"block":{}},"resource_schemas":{'
    printf '"x_up":{"block":{"attributes":[{"name":"arn","type":"%s","computed":true},{"name":"name","type":"%s","optional":true}]}},' "$string" "$string"
    printf '"x_down":{"block":{"attributes":[{"name":"id","type":"%s","computed":true},{"name":"ids","type":"%s","optional":true},' "$string" "$set"
    printf '{"name":"port","type":"%s","optional":true},{"name":"target","type":"%s","optional":true,"sensitive":%s}]}}}}}\n' "$number" "$string" "${SENSITIVE:-false}"
}
plan() { # process type config planned flag proposed
    printf '{"process":%s,"rpc":"PlanResourceChange","request":{"type_name":"%s","prior_state":%s,"proposed_new_state":%s,"config":%s},"response":{"planned_state":%s%s}}\n' \
        "$1" "$2" "$(value "$(z)")" "$(value "$6")" "$(value "$3")" "$(value "$4")" "${5:-}"
}
apply() { # process type config planned new [flag]
    printf '{"process":%s,"rpc":"ApplyResourceChange","request":{"type_name":"%s","prior_state":%s,"planned_state":%s,"config":%s},"response":{"new_state":%s%s}}\n' \
        "$1" "$2" "$(value "$(z)")" "$(value "$4")" "$(value "$3")" "$(value "$5")" "${6:-}"
}
legacy=',"legacy_type_system":true'
breaks() { # name promised came: in the apply phase
    plan 2 x_up "$(up "$(z)" "$(s "$1")")" "$(up "$(s "$2")" "$(s "$1")")" "${FLAG-$legacy}" "$(up "$(z)" "$(s "$1")")"
    apply 2 x_up "$(up "$(z)" "$(s "$1")")" "$(up "$(s "$2")" "$(s "$1")")" "$(up "$(s "$3")" "$(s "$1")")" "${FLAG-$legacy}"
}
promises() { plan 1 x_up "$(up "$(z)" "$(s "$1")")" "$(up "$(s "$2")" "$(s "$1")")" "${FLAG-$legacy}" "$(up "$(z)" "$(s "$1")")"; } # name promised
relies() { # process ids port target: as configured, and planned so
    plan "$1" x_down "$(down "$(z)" "$2" "$3" "$4")" "$(down "$(u)" "$2" "$3" "$4")" '' "$(down "$(z)" "$2" "$3" "$4")"
}
told() { grep -c '^ *= elsewhere ' stdout; }
is() { # what is wanted, what is there, name
    [ "$1" = "$2" ] || echo "#   $2, not $1"
    [ "$1" = "$2" ]
    result $? "$3"
}

old=arn:old:1234 new=arn:new:1234
{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old)" && breaks a $old $new && relies 2 "$(z)" "$(z)" "$(s $new)"; } >hit.jsonl
wants 1 "a value that another instance changed" "$lifecheck" hit.jsonl
out_finds "is found where it came" "error[final/changed]: .target:" "hit.jsonl:6:1   " ", PlanResourceChange (the final plan)"
out_has "the configured value is not the expected one because of x_up#1: apply/changed at .arn (hit.jsonl:5)" "and where it was changed"
is 2 "$(told)" "both findings of it say so"
out_finds "the violation itself is reported" "warning[apply/changed]: .arn:" "hit.jsonl:5:1   "
out_has "2 cases: 1 conforms, 1 violates; 1 error, 2 warnings" "and nothing else"
run "$lifecheck" --format json hit.jsonl
is '2' "$(grep -o '"broken_elsewhere": *{"case": *"x_up#1", *"rule": *"apply/changed", *"path": *".arn", *"location": *{"file": *"hit.jsonl", *"line": *5, *"column": *1}}' stdout | wc -l)" "the report for programs has it"

{ sed '5s/"process":2,/&"seq":9,/' hit.jsonl && echo '{"addresses":[{"address":"x_up.a","calls":[[2,9]]}]}'; } >addressed.jsonl
run "$lifecheck" addressed.jsonl
out_has "because of x_up.a: apply/changed at .arn" "an address that comes later names both"
out_has "x_up.a, create, ApplyResourceChange" "the case too"

{ schemas && promises a $old && relies 1 "$(list "$(s one)" "$(s $old)")" "$(z)" "$(z)" && breaks a $old $new && relies 2 "$(list "$(s $new)" "$(s one)")" "$(z)" "$(z)"; } >set.jsonl
wants 1 "an element of a set" "$lifecheck" set.jsonl
[ "$(told)" -ge 2 ] && ! grep -A9 '^[a-z]*.final/' stdout | grep -qE '^ *= (fix|framework|SDKv2) '
result $? "all findings about the set say so"
is 1 "$(grep -c 'error.final/' stdout)" "which is one error"

{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old)" && FLAG= && breaks a $old $new && unset FLAG && relies 2 "$(z)" "$(z)" "$(s $new)"; } >strict.jsonl
run "$lifecheck" strict.jsonl
is 0 "$(told)" "a violation that stops the client is not followed"

{ schemas && promises a $old && promises b $old && relies 1 "$(z)" "$(z)" "$(s $old)" && breaks a $old $new && breaks b $old $new && relies 2 "$(z)" "$(z)" "$(s $new)"; } >two.jsonl
run "$lifecheck" two.jsonl
is 0 "$(told)" "two instances that changed it alike: nobody can tell which"
{ schemas && promises a $old && promises b $old && relies 1 "$(z)" "$(z)" "$(s $old)" && breaks a $old $new && breaks b $old arn:other:1 && relies 2 "$(z)" "$(z)" "$(s $new)"; } >other.jsonl
run "$lifecheck" other.jsonl
is 2 "$(told)" "two that changed it in different ways: what came tells"
out_has "because of x_up#1" "which one it was"

{ schemas && promises a x1 && relies 1 "$(z)" "$(z)" "$(s x1)" && breaks a x1 x2 && relies 2 "$(z)" "$(z)" "$(s x2)"; } >small.jsonl
run "$lifecheck" small.jsonl
is 0 "$(told)" "a string that may be anybody's is not followed"
{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old/x)" && breaks a $old $new && relies 2 "$(z)" "$(z)" "$(s $new/x)"; } >part.jsonl
run "$lifecheck" part.jsonl
is 0 "$(told)" "a string that only holds it is not followed"
{ schemas && promises a $old && relies 1 "$(z)" "$(n 2000)" "$(s $old)" && breaks a $old $new && relies 2 "$(z)" "$(n 3000)" "$(s $new)"; } >more.jsonl
run "$lifecheck" more.jsonl
is 0 "$(told)" "something else that differs: the plans are not joined"
{ schemas && promises a $old && breaks a $old $new && relies 1 "$(z)" "$(z)" "$(s $old)" && relies 3 "$(z)" "$(z)" "$(s $new)"; } >late.jsonl
run "$lifecheck" late.jsonl
is 0 "$(told)" "a plan that was made after the change did not rely on it"
{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old)" && relies 2 "$(z)" "$(z)" "$(s $new)" && breaks a $old $new; } >early.jsonl
run "$lifecheck" early.jsonl
is 0 "$(told)" "nor did a final plan before it"

config=$(down "$(z)" "$(z)" "$(z)" "$(s $new)")
{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old)" && breaks a $old $new &&
    plan 2 x_down "$config" "$(down "$(u)" "$(z)" "$(z)" "$(s $new/)")" '' "$config"; } >own.jsonl
run "$lifecheck" own.jsonl
is 1 "$(told)" "a provider that changes the value itself"
grep -A14 'final/changed.: .target' stdout | grep -qE '^ *= (fix|framework) '
result $? "how to fix that is reported"

SENSITIVE=true
{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old)" && breaks a $old $new && relies 2 "$(z)" "$(z)" "$(s $new)"; } >secret.jsonl
run "$lifecheck" -v secret.jsonl
is 2 "$(told)" "a sensitive value is followed"
! grep -A14 ': .target' stdout | grep -qE 'arn:(old|new)'
result $? "and not shown"
unset SENSITIVE

# The same in a capture directory, which does not show the flag of SDKv2.
mkdir -p folder/proto-data
printf '{"format_version":"1.0","provider_schemas":{"x":{"provider":{"version":0,"block":{}},"resource_schemas":{"x_up":{"version":0,"block":{"attributes":{"arn":{"type":"string","computed":true},"name":{"type":"string","optional":true}}}},"x_down":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true},"ids":{"type":["set","string"],"optional":true},"port":{"type":"number","optional":true},"target":{"type":"string","optional":true}}}}}}}}' >folder/schema.json
clock=1700000000000
data() { # name, value
    clock=$((clock + 1))
    printf '%b' "$2" >"folder/proto-data/${clock}_$1.msgpack"
}
plan_files() { # config planned
    data PlanResourceChange_Request_Config "$1"
    data PlanResourceChange_Request_PriorState "$(z)"
    data PlanResourceChange_Request_ProposedNewState "$1"
    data PlanResourceChange_Response_PlannedState "$2"
}
a=$(up "$(z)" "$(s a)") a_planned=$(up "$(s $old)" "$(s a)") a_new=$(up "$(s $new)" "$(s a)")
data ConfigureProvider_Request_Config '\x80'
plan_files "$a" "$a_planned"
plan_files "$(down "$(z)" "$(z)" "$(z)" "$(s $old)")" "$(down "$(u)" "$(z)" "$(z)" "$(s $old)")"
data ConfigureProvider_Request_Config '\x80'
plan_files "$a" "$a_planned"
data ApplyResourceChange_Request_Config "$a"
data ApplyResourceChange_Request_PlannedState "$a_planned"
data ApplyResourceChange_Request_PriorState "$(z)"
data ApplyResourceChange_Response_NewState "$a_new"
plan_files "$(down "$(z)" "$(z)" "$(z)" "$(s $new)")" "$(down "$(u)" "$(z)" "$(z)" "$(s $new)")"
run "$lifecheck" folder/proto-data
is 2 "$(told)" "in a capture directory"
grep -q 'elsewhere .* of x_up#1: apply/changed at .arn (folder/proto-data/[0-9]*_ApplyResourceChange_Response_NewState.msgpack)' stdout
result $? "the place is a file"
"$lifecheck" redact --all-values folder/proto-data -o folder.copy
run "$lifecheck" folder.copy
is 2 "$(told)" "in a copy too"

# More violations than are remembered: the first ones are followed, no other is taken for one.
{ schemas && promises a $old && relies 1 "$(z)" "$(z)" "$(s $old)" && breaks a $old $new >>first && cat first
  one=$(breaks b "arn:many:0001" "arn:gone:0001" | tail -n 1)
  yes "$one" | head -n 1100
  relies 2 "$(z)" "$(z)" "$(s $new)"; } >many.jsonl
run "$lifecheck" many.jsonl
is 2 "$(told)" "among many"
