#!/bin/bash
# Recorded calls are joined to the lives of their instances: one case an instance, a run for each plan and what carries it out.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures

if ! perl -MJSON::PP -MMIME::Base64 -e 1 2>/dev/null; then
    echo "ok - joining of calls # SKIP perl is not installed"
    exit 0
fi
perl "$root/tests/cli/checks/calls.pl" <<<"1 schema" >schema.jsonl

# lives NAME LINE...: what a recording in calls.pl's notation comes to. A line is a case with its runs, as
# `demo_disk#1: plan, validate+final_plan+apply`, or a finding that is not an info, as `demo_disk#1 2 error final/changed .id`.
lives_of() { # a file
    "$lifecheck" --format json "$1" 2>stderr | perl -MJSON::PP -e '
        my $report = decode_json(join "", <STDIN>);
        for my $case (@{$report->{cases}}) {
            print "$case->{name}: ", join(", ", map { join "+", @{$_->{calls}} } @{$case->{runs}}), "\n";
            for my $f (@{$case->{findings}}) {
                print "$case->{name} $f->{run} $f->{severity} $f->{rule} $f->{path}\n" if $f->{severity} ne "info";
            }
        }' >stdout
}
lives() {
    local name=$1
    shift
    { cat schema.jsonl && perl "$root/tests/cli/checks/calls.pl"; } >calls.jsonl
    lives_of calls.jsonl
    printf '%s\n' "$@" | diff - stdout >differs
    local same=$?
    [ $same = 0 ] || mv differs stdout
    result $same "$name"
}
captured() { # FILE LINE...
    local name=$1
    lives_of "${folder:-$captures}/$name"
    shift
    printf '%s\n' "$@" | diff - stdout >differs
    local same=$?
    [ $same = 0 ] || mv differs stdout
    result $same "$name"
}

# ---- Recordings of real clients.

captured update-not-joined.jsonl \
    'time_offset#1: upgrade+read+validate+plan+upgrade+validate+final_plan+apply'
captured aws-write-only-split.jsonl \
    'aws_secretsmanager_secret_version#1: validate+plan+validate+final_plan+apply' \
    'aws_secretsmanager_secret_version#1 1 warning apply/was-null .secret_binary' \
    'aws_secretsmanager_secret_version#1 1 warning apply/was-null .secret_string'
captured unapplied-plan-two-runs.jsonl \
    'postgresql_grant_role#1: plan, plan'
captured time-update.jsonl \
    'time_static#1: validate+validate+plan+validate+final_plan+apply, validate+upgrade+read+validate+plan, validate+upgrade+read+validate+plan, upgrade+read, validate+validate+upgrade+read+validate+plan, upgrade+destroy_plan+upgrade+destroy' \
    'time_offset#1: validate+validate+plan+validate+final_plan+apply, validate+upgrade+read+validate+plan, validate+upgrade+read+validate+plan+upgrade+validate+final_plan+apply, upgrade+read, validate+validate+upgrade+read+validate+plan, upgrade+destroy_plan+upgrade+destroy'

# Terraform 1.11.4 with create_before_destroy: `apply -replace`, which no plan requires, and the apply of a plan file, where only
# the deposed object is upgraded.
folder=$root/tests/cli/data captured replace-asked.jsonl \
    'random_pet.a: validate+upgrade+read+validate+plan+plan_create+validate+final_plan+apply+upgrade+destroy_plan+destroy'
folder=$root/tests/cli/data captured deposed-plan-file.jsonl \
    'random_pet.a: validate+final_plan+apply, upgrade+destroy_plan+destroy'

# ---- One instance.

create='plan config={"name":"a"} prior=null planned={"name":"a","id":"?","size":"?"}'
created='apply config={"name":"a"} prior=null planned={"name":"a","id":"?","size":"?"} result={"name":"a","id":"i","size":1}'
lives "a create: plan and apply are two processes" 'demo_disk#1: validate+plan+validate+final_plan+apply' <<EOF
2 configure
2 validate config={"name":"a"}
2 $create
3 configure
3 validate config={"name":"a"}
3 $create
3 $created
EOF
lives "processes that nothing names, but that are configured" 'demo_disk#1: validate+plan+validate+final_plan+apply' <<EOF
- configure
- validate config={"name":"a"}
- $create
- configure
- validate config={"name":"a"}
- $create
- $created
EOF
lives "a saved plan is applied: two objects that look the same" 'demo_disk#1: validate+final_plan+apply' 'demo_disk#2: validate+final_plan+apply' <<EOF
3 configure
3 validate config={"name":"a"}
3 validate config={"name":"a"}
3 $create
3 $create
3 $created
3 $created
EOF
lives "two aliases plan at the same time: objects that look the same" 'demo_disk#1: validate+plan+validate+final_plan+apply' 'demo_disk#2: validate+plan+validate+final_plan+apply' <<EOF
2 configure
3 configure
2 validate config={"name":"a"}
3 validate config={"name":"a"}
2 $create
3 $create
4 configure
5 configure
4 validate config={"name":"a"}
5 validate config={"name":"a"}
4 $create
5 $create
5 $created
4 $created
EOF
# OpenTofu starts the process of the second alias when the first one has planned. The validate walk came before.
lives "two aliases plan one after the other, and nothing is applied" 'demo_disk#1: validate+validate+validate+plan, validate+plan' 'demo_disk#2: validate+plan' <<EOF
1 validate config={"name":"?"}
2 validate config={"name":"?"}
3 configure
3 validate config={"name":"?"}
3 plan prior=null config={"name":"?"} planned={"id":"?","name":"?","size":"?"}
4 configure
3 validate config={"name":"b"}
3 plan prior=null config={"name":"b"} planned={"id":"?","name":"b","size":"?"}
4 validate config={"name":"?"}
4 plan prior=null config={"name":"?"} planned={"id":"?","name":"?","size":"?"}
EOF
lives "one process for all, as in the tests of a provider" 'demo_disk#1: validate+plan+validate+final_plan+apply' <<EOF
7 validate config={"name":"a"}
7 $create
7 validate config={"name":"a"}
7 $create
7 $created
EOF
lives "an apply of a saved plan in a file of its own" 'demo_disk#1: validate+final_plan+apply' <<EOF
3 configure
3 validate config={"name":"a"}
3 $create
3 $created
EOF
lives "a client that plans once" 'demo_disk#1: plan+apply' 'demo_disk#1 1 warning sequence/plan-twice .' <<EOF
2 $create
3 $created
EOF
o='{"name":"a","id":"i","size":1}' p='{"name":"a","id":"i","size":2}'
update="plan config={\"name\":\"a\",\"size\":2} prior=$o planned=$p"
updated="apply config={\"name\":\"a\",\"size\":2} prior=$o planned=$p result=$p"
lives "an update: the apply phase upgrades again" 'demo_disk#1: upgrade+read+plan+upgrade+final_plan+apply' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=$o
2 $update
3 configure
3 upgrade raw=$o result=$o
3 $update
3 $updated
EOF
lives "its final plan is another one: the apply says which was meant" \
    'demo_disk#1: upgrade+read+plan+upgrade+final_plan+apply' \
    'demo_disk#1 1 error final/changed .size' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=$o
2 plan config={"name":"a"} prior=$o planned={"name":"a","id":"i","size":3}
3 configure
3 upgrade raw=$o result=$o
3 plan config={"name":"a"} prior=$o planned=$p
3 apply config={"name":"a"} prior=$o planned=$p result=$p
EOF
lives "a life: each run begins with what the one before has stored" \
    'demo_disk#1: plan+final_plan+apply, upgrade+read+plan, upgrade+read+plan+upgrade+final_plan+apply, upgrade+destroy_plan+upgrade+destroy' <<EOF
2 configure
2 $create
3 configure
3 $create
3 $created
4 configure
4 upgrade raw=$o result=$o
4 read prior=$o result=$o
4 plan config={"name":"a"} prior=$o planned=$o
5 configure
5 upgrade raw=$o result=$o
5 read prior=$o result=$o
5 $update
6 configure
6 upgrade raw=$o result=$o
6 $update
6 $updated
7 configure
7 upgrade raw=$p result=$p
7 plan config=null prior=$p planned=null
8 configure
8 upgrade raw=$p result=$p
8 apply config=null prior=$p planned=null result=null
EOF
b='{"name":"b","id":"j","size":1}'
replace="plan config={\"name\":\"b\"} prior=$o planned={\"name\":\"b\",\"id\":\"i\",\"size\":1} rr=name"
new='plan config={"name":"b"} prior=null planned={"name":"b","id":"?","size":"?"}'
made="apply config={\"name\":\"b\"} prior=null planned={\"name\":\"b\",\"id\":\"?\",\"size\":\"?\"} result=$b"
lives "a replace, the old one first" 'demo_disk#1: upgrade+read+plan+plan_create+upgrade+destroy+final_plan+apply' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=$o
2 $replace
2 $new
3 configure
3 upgrade raw=$o result=$o
3 apply config=null prior=$o planned=null result=null
3 $new
3 $made
EOF
lives "a replace, the new one first" 'demo_disk#1: upgrade+read+plan+plan_create+final_plan+apply+upgrade+destroy, upgrade+read+plan' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=$o
2 $replace
2 $new
3 configure
3 $new
3 $made
3 upgrade raw=$o result=$o
3 apply config=null prior=$o planned=null result=null
4 configure
4 upgrade raw=$b result=$b
4 read prior=$b result=$b
4 plan config={"name":"b"} prior=$b planned=$b
EOF
lives "a replace that fails halfway is planned again as a create" \
    'demo_disk#1: upgrade+read+plan+plan_create+upgrade+destroy+final_plan+apply, plan+final_plan+apply' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=$o
2 $replace
2 $new
3 configure
3 upgrade raw=$o result=$o
3 apply config=null prior=$o planned=null result=null
3 $new
3 ${made/result=$b/result=null} error=Failed
4 configure
4 $new
5 configure
5 $new
5 $made
EOF
lives "an object that is gone is planned anew" 'demo_disk#1: upgrade+read+plan+final_plan+apply' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=null
2 $create
3 configure
3 $create
3 $created
EOF
lives "an import, and the update after it" 'demo_disk#1: import+read+plan+upgrade+final_plan+apply' <<EOF
2 configure
2 import id=i state={"id":"i"}
2 read prior={"id":"i"} result=$o
2 $update
3 configure
3 upgrade raw=$o result=$o
3 $update
3 $updated
EOF
lives "what a refresh found may be stored, or not" 'demo_disk#1: upgrade+read, upgrade+read, upgrade+read' <<EOF
2 configure
2 upgrade raw=$o result=$o
2 read prior=$o result=$p
3 configure
3 upgrade raw=$o result=$o
3 read prior=$o result=$p
4 configure
4 upgrade raw=$p result=$p
4 read prior=$p result=$p
EOF

# ---- A diff that never ends.

n='{"name":"a","id":"i","size":1}' d='{"name":"a","id":"i","size":7}' n2='{"name":"b","id":"i","size":1}' d2='{"name":"b","id":"i","size":7}'
lives "the same difference is read after every apply" \
    'demo_disk#1: plan+final_plan+apply, upgrade+read+plan+upgrade+final_plan+apply, upgrade+read+plan' \
    'demo_disk#1 3 warning read/after-apply-unstable .size' <<EOF
2 configure
2 $create
3 configure
3 $create
3 $created
4 configure
4 upgrade raw=$n result=$n
4 read prior=$n result=$d
4 plan config={"name":"b"} prior=$d planned={"name":"b","id":"i","size":"?"}
5 configure
5 upgrade raw=$d result=$d
5 plan config={"name":"b"} prior=$d planned={"name":"b","id":"i","size":"?"}
5 apply config={"name":"b"} prior=$d planned={"name":"b","id":"i","size":"?"} result=$n2
6 configure
6 upgrade raw=$n2 result=$n2
6 read prior=$n2 result=$d2
6 plan config={"name":"b"} prior=$d2 planned=$d2
EOF
lives "what a failed create returns is stored, tainted and replaced" \
    'demo_disk#1: plan+final_plan+apply, upgrade+read+plan+upgrade+destroy+final_plan+apply' <<EOF
2 configure
2 $create
3 configure
3 $create
3 $created error=Slow
4 configure
4 upgrade raw=$n result=$n
4 read prior=$n result=$n
4 $create
5 configure
5 upgrade raw=$n result=$n
5 apply config=null prior=$n planned=null result=null
5 $create
5 $created
EOF
lives "an object that was just applied is planned to change" \
    'demo_disk#1: plan+final_plan+apply, upgrade+read+plan' 'demo_disk#1 2 warning sequence/perpetual-diff .size' <<EOF
2 configure
2 $create
3 configure
3 $create
3 $created
4 configure
4 upgrade raw=$n result=$n
4 read prior=$n result=$n
4 plan config={"name":"a"} prior=$n planned=$d
EOF
{ cat schema.jsonl && perl "$root/tests/cli/checks/calls.pl" <<EOF; } >calls.jsonl
2 configure
2 upgrade raw=$n result=$n
2 read prior=$n result=$n
2 plan config={"name":"a"} prior=$n planned=$n
3 configure
3 upgrade raw=$n result=$n
3 read prior=$n result=$n
3 plan config={"name":"a"} prior=$n planned=$d
EOF
run "$lifecheck" calls.jsonl
out_finds "two plans of one state that differ" 'info[sequence/not-deterministic]: .size:' ', run 2,' ', PlanResourceChange'
run "$lifecheck" <(awk '/ConfigureProvider/ && !n++ {sub(/"msgpack":"[^"]*"/, "\"msgpack\":\"gaFhoWI=\"")} {print}' calls.jsonl)
! grep -q not-deterministic stdout
result $? "unless the provider was configured in another way"

# ---- Plans that nothing carries out.

known1='plan config={"name":"a"} prior=null planned={"name":"a","id":"one","size":"?"}'
known2='plan config={"name":"a"} prior=null planned={"name":"a","id":"two","size":"?"}'
lives "two plans of two runs are not final plans of each other" 'demo_disk#1: plan, plan' <<EOF
2 $known1
3 $known2
EOF
lives "the apply carries out the plan that it carries" \
    'demo_disk#1: plan+final_plan+apply, plan' <<EOF
2 configure
2 $known2
3 configure
3 $known1
4 configure
4 $known2
4 apply config={"name":"a"} prior=null planned={"name":"a","id":"two","size":"?"} result={"name":"a","id":"two","size":1}
EOF
lives "a final plan that the client refused: there was no validate walk before it" \
    'demo_disk#1: validate+validate+plan+validate+final_plan' 'demo_disk#1 1 error final/changed .id' <<EOF
2 validate config={"name":"a"}
3 configure
3 validate config={"name":"a"}
3 $known1
4 configure
4 validate config={"name":"a"}
4 $known2
EOF
lives "with one before it, it is the plan of another run" 'demo_disk#1: validate+validate+plan, validate+validate+plan' <<EOF
2 validate config={"name":"a"}
3 configure
3 validate config={"name":"a"}
3 $known1
4 validate config={"name":"a"}
5 configure
5 validate config={"name":"a"}
5 $known2
EOF

# ---- Several instances.

lives "two of the same kind in one walk" 'demo_disk#1: plan+final_plan+apply' 'demo_disk#2: plan+final_plan+apply' <<EOF
2 configure
2 $create
2 $create
3 configure
3 $create
3 $created
3 $create
3 ${created/\"i\"/\"j\"}
EOF
lives "the same, each call of the one between those of the other" 'demo_disk#1: plan+final_plan+apply, upgrade+read+plan' 'demo_disk#2: plan+final_plan+apply, upgrade+read+plan' <<EOF
2 configure
2 $create
2 $create
3 configure
3 $create
3 $create
3 $created
3 ${created/\"i\"/\"j\"}
4 configure
4 upgrade raw=$o result=$o
4 upgrade raw=${o/\"i\"/\"j\"} result=${o/\"i\"/\"j\"}
4 read prior=${o/\"i\"/\"j\"} result=${o/\"i\"/\"j\"}
4 read prior=$o result=$o
4 plan config={"name":"a"} prior=$o planned=$o
4 plan config={"name":"a"} prior=${o/\"i\"/\"j\"} planned=${o/\"i\"/\"j\"}
EOF
lives "what was unknown distinguishes them once it is known" \
    'demo_disk#1: plan+final_plan+apply' 'demo_disk#2: plan+final_plan+apply' <<EOF
2 configure
2 plan config={"name":"?","size":1} prior=null planned={"name":"?","id":"?","size":1}
2 plan config={"name":"?","size":"?"} prior=null planned={"name":"?","id":"?","size":"?"}
3 configure
3 plan config={"name":"x","size":2} prior=null planned={"name":"x","id":"?","size":2}
3 apply config={"name":"x","size":2} prior=null planned={"name":"x","id":"?","size":2} result={"name":"x","id":"k","size":2}
3 plan config={"name":"y","size":1} prior=null planned={"name":"y","id":"?","size":1}
3 apply config={"name":"y","size":1} prior=null planned={"name":"y","id":"?","size":1} result={"name":"y","id":"l","size":1}
EOF
lives "where plans differ and either may be meant, none is joined" \
    'demo_disk#1: plan' 'demo_disk#2: plan' 'demo_disk#3: final_plan+apply' <<EOF
2 configure
2 plan config={"name":"?","size":1} prior=null planned={"name":"?","id":"?","size":1}
2 plan config={"name":"?","size":"?"} prior=null planned={"name":"?","id":"?","size":"?"}
3 configure
3 plan config={"name":"x","size":1} prior=null planned={"name":"x","id":"?","size":1}
3 apply config={"name":"x","size":1} prior=null planned={"name":"x","id":"?","size":1} result={"name":"x","id":"k","size":1}
EOF
run "$lifecheck" calls.jsonl
out_has 'warning: 1 ApplyResourceChange call of demo_disk may carry out several plans that differ' "and it is reported"
lives "data sources are counted apart" 'demo_disk#1: plan' 'data.demo_disk#1: data, data' 'data.demo_disk#2: data' <<EOF
2 configure
2 $create
2 data config={"name":"a"} result={"name":"a","id":"d","size":1}
2 data config={"name":"b"} result={"name":"b","id":"d","size":1}
3 configure
3 data config={"name":"a"} result={"name":"a","id":"d","size":1}
EOF

# ---- Validations.

lives "a validation with references that are unknown belongs to its instance" \
    'demo_disk#1: validate+validate+plan' 'demo_disk#2: validate+validate+plan' <<EOF
2 validate config={"name":"?","size":1}
2 validate config={"name":"?","size":2}
3 configure
3 validate config={"name":"x","size":2}
3 plan config={"name":"x","size":2} prior=null planned={"name":"x","id":"?","size":2}
3 validate config={"name":"y","size":1}
3 plan config={"name":"y","size":1} prior=null planned={"name":"y","id":"?","size":1}
EOF
lives "of those that belong to nobody there is one case a type" \
    'demo_disk#1: plan' 'demo_disk#2: plan' 'demo_disk (validation only): validate, validate' <<EOF
2 validate config={"name":"?"}
2 validate config={"name":"z"}
3 configure
3 plan config={"name":"x"} prior=null planned={"name":"x","id":"?","size":"?"}
3 plan config={"name":"y"} prior=null planned={"name":"y","id":"?","size":"?"}
EOF

# ---- Write-only values may differ.

lives "a write-only value of an ephemeral resource does not split a create" 'demo_disk#1: validate+plan+validate+final_plan+apply' <<EOF
2 configure
2 validate config={"name":"a","tag":"one"}
2 plan config={"name":"a","tag":"one"} prior=null planned={"name":"a","id":"?","size":"?"}
3 configure
3 validate config={"name":"a","tag":"two"}
3 plan config={"name":"a","tag":"two"} prior=null planned={"name":"a","id":"?","size":"?"}
3 apply config={"name":"a","tag":"two"} prior=null planned={"name":"a","id":"?","size":"?"} result={"name":"a","id":"i","size":1}
EOF

# ---- What the recording itself says: providers and addresses.

both() { # PROCESS PROVIDER: a create, and a refresh in the next process
    echo "$1 configure provider=$2"
    echo "$1 $create provider=$2"
    echo "$1 $created provider=$2 seq=3"
    echo "$(($1 + 1)) configure provider=$2"
    echo "$(($1 + 1)) read prior={\"name\":\"a\",\"id\":\"i\",\"size\":1} result={\"name\":\"a\",\"id\":\"i\",\"size\":1} provider=$2"
}
lives "objects of two providers that are equal are two instances" 'demo_disk#1: final_plan+apply, read' 'demo_disk#2: final_plan+apply, read' \
    <<<"$(both 2 example.test/a/p && both 4 example.test/b/q)"
lives "providers that are configured at the same time, in processes that nothing names" 'demo_disk#1: final_plan+apply' 'demo_disk#2: final_plan+apply' <<EOF
- configure provider=p
- configure provider=q
- $create provider=p
- $create provider=q
- $created provider=q
- $created provider=p
EOF
{ cat schema.jsonl && { both 2 p && both 4 p | sed 's,"i","j",g; s,"name":"a","name":"b",g'; } | perl "$root/tests/cli/checks/calls.pl"; } >addressed.jsonl
echo '{"addresses":[{"address":"demo_disk.a[\"x\"]","calls":[[2,3],[9,9]]},{"address":"demo_disk.b","calls":[[4,3]]}]}' >>addressed.jsonl
mkdir beside && cp addressed.jsonl "$root/testdata/plans/plan.json" beside
for file in addressed.jsonl beside/addressed.jsonl; do
    lives_of $file
    printf '%s\n' 'demo_disk.a["x"]: final_plan+apply, read' 'demo_disk.b: final_plan+apply, read' | diff - stdout >differs
    result $? "addresses that the recording gives its calls: $file"
done

# Objects that are equal in everything are distinguished by their addresses only; in a file these are read first.
{
    cat schema.jsonl
    perl "$root/tests/cli/checks/calls.pl" <<EOF
2 configure
2 $create seq=2
2 $create seq=3
3 configure
3 $create seq=2
3 $create seq=3
3 $created seq=4
3 $created seq=5
4 configure
4 read prior={"name":"a","id":"i","size":1} result={"name":"a","id":"i","size":2} seq=2
4 read prior={"name":"a","id":"i","size":1} result={"name":"a","id":"i","size":3} seq=3
EOF
    echo '{"addresses":[{"address":"demo_disk.a[0]","calls":[[2,3],[3,2],[3,4],[4,3]]},{"address":"demo_disk.a[1]","calls":[[2,2],[3,3],[3,5],[4,2]]}]}'
} >equal.jsonl
lives_of equal.jsonl
printf '%s\n' 'demo_disk.a[1]: plan+final_plan+apply, read' 'demo_disk.a[0]: plan+final_plan+apply, read' | diff - stdout >differs
result $? "equal objects with addresses"
! grep -q 'several addresses' stderr
result $? "of which none has two"

# ---- Many at once: all of a run are planned before any is applied.

many() { # N: a final plan of each differs from its first
    awk -v n="$1" 'BEGIN {
        print "2 configure"
        for (i = 0; i < n; i++) print "2 plan config={\"name\":\"n" i "\"} prior=null planned={\"name\":\"n" i "\",\"id\":\"?\",\"size\":2}"
        print "3 configure"
        for (i = 0; i < n; i++) {
            print "3 plan config={\"name\":\"n" i "\"} prior=null planned={\"name\":\"n" i "\",\"id\":\"?\",\"size\":3}"
            print "3 apply config={\"name\":\"n" i "\"} prior=null planned={\"name\":\"n" i "\",\"id\":\"?\",\"size\":3} result={\"name\":\"n" i "\",\"id\":\"i" i "\",\"size\":3}"
        }
    }' | perl "$root/tests/cli/checks/calls.pl"
}
{ cat schema.jsonl && many 3000; } >many.jsonl
run "$lifecheck" --all many.jsonl
[ "$(grep -c 'error\[final/changed\]: .size: ' stdout)" = 3000 ] && tail -n 1 stdout | grep -q '^3000 violations in 3000 resources; 3000 cases: 3000 violate; 3000 errors'
result $? "3000 instances in flight are followed"
