#!/bin/bash
# Probe as a nightly job: shards and what joins them, several providers side by side.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# ---- What runs us says which shard this is

: >"$work/one.yaml"
unset JOB_COMPLETION_INDEX CI_NODE_INDEX CI_NODE_TOTAL CIRCLE_NODE_INDEX CIRCLE_NODE_TOTAL SLURM_ARRAY_TASK_ID SGE_TASK_ID \
    AWS_BATCH_JOB_ARRAY_INDEX PARALLEL_SEQ
# is_shard WANT OPTION NAME=VALUE...
is_shard() {
    local want=$1 option=$2
    shift 2
    run env "$@" "$lifecheck" check --shard "$option" --format json --allow-empty one.yaml
    grep -qF "\"shard\":{\"index\":${want%/*},\"of\":${want#*/}," stdout
    result $? "--shard $option with $*"
}
is_shard 1/3 auto/3 JOB_COMPLETION_INDEX=0
is_shard 3/3 auto/3 JOB_COMPLETION_INDEX=2
is_shard 2/5 auto CI_NODE_INDEX=2 CI_NODE_TOTAL=5
is_shard 1/4 auto CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4
is_shard 4/8 auto SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8
is_shard 2/4 auto SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4
is_shard 1/8 auto SGE_TASK_ID=1 SGE_TASK_FIRST=1 SGE_TASK_LAST=8 SGE_TASK_STEPSIZE=1
is_shard 3/4 auto SGE_TASK_ID=14 SGE_TASK_FIRST=10 SGE_TASK_LAST=17 SGE_TASK_STEPSIZE=2
is_shard 6/6 auto AWS_BATCH_JOB_ARRAY_INDEX=5 AWS_BATCH_JOB_ARRAY_SIZE=6
is_shard 3/4 auto/4 PARALLEL_SEQ=3
is_shard 2/7 auto/7 CI_NODE_INDEX=2 CI_NODE_TOTAL=5
# no_shard TEXT OPTION NAME=VALUE...
no_shard() {
    local text=$1 option=$2
    shift 2
    run env "$@" "$lifecheck" check --shard "$option" one.yaml
    [ "$status" = 2 ] && grep -qF -- "$text" stderr
    result $? "--shard $option with $*: $text"
}
no_shard "none of these variables has a number" auto A=b
no_shard "none of these variables has a number" auto SGE_TASK_ID=undefined
no_shard "more than one of these variables has a number" auto CI_NODE_INDEX=1 PARALLEL_SEQ=1
no_shard "Kubernetes does not say how many shards there are: give it as --shard auto/N" auto JOB_COMPLETION_INDEX=0
no_shard "JOB_COMPLETION_INDEX=4 is not one of 4 shards" auto/4 JOB_COMPLETION_INDEX=4
no_shard "is not one of 0 shards" auto/ JOB_COMPLETION_INDEX=4
no_shard "SLURM_ARRAY_TASK_ID=1 is not one of 3 shards" auto SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_COUNT=3
no_shard "or auto, not \"automatic\"" automatic A=b

# shellcheck source=tests/cli/probe.bash
. "$root/tests/cli/probe.bash"

# probe STATUS OPTION...: into a folder that was not there before
probe() {
    local want=$1
    shift
    rm -rf found
    run timeout -k 5 300 "$lifecheck" probe --provider "$peer" --law '*' --env FAULT=promises-new -o found --force "$@"
    [ "$status" = "$want" ]
}

# ---- Jobs

probe 1 --report json=whole.json
result $? "the whole run"
(cd found && sha256sum -- *) >whole.files
grep -q '"types":\[{"type":"peer_' whole.json && [ "$(grep -o '"type":"function\.' whole.json | wc -l)" -gt 1 ]
result $? "has types and functions"
for jobs in 2 5; do
    probe 1 --report json=jobs.json --jobs $jobs && cmp whole.json jobs.json
    result $? "with $jobs jobs the same report"
    (cd found && sha256sum -- *) >jobs.files
    cmp whole.files jobs.files
    result $? "and the same scenarios"
done
# Go's maps have another order each time, and so have lists that providers make from them.
for run in 1 2 3; do
    probe 1 --type 'peer_b*,peer_c*,peer_thing' --env PEER_ORDER=any --report "json=order-$run.json" --jobs 2 --seed 3
    (cd found && sha256sum -- *) >"order-$run.files"
    cmp order-1.json "order-$run.json" && cmp order-1.files "order-$run.files"
    result $? "run $run of a provider that gives its lists in any order"
done
wants 2 "no job" "$lifecheck" probe --provider "$peer" --jobs 0
err_has "--jobs takes a number of processes from 1" "is wrong usage"
wants 2 "a provider that runs" "$lifecheck" probe --provider unix:socket --jobs 2
err_has "a provider that runs already is one process" "is asked by one worker"

# ---- Shards of a provider

for shard in 3 1 2; do
    probe 1 --shard $shard/3 --report "json=$shard.json" --jobs 2
    [ "$status" -lt 2 ]
    result $? "shard $shard"
done
reports=()
for format in json jsonl sarif junit tap github concise text markdown; do
    reports+=(--report "$format=whole.$format")
done
probe 1 "${reports[@]}"
result $? "one run, all reports"
for format in json jsonl sarif junit tap github concise; do
    "$lifecheck" merge --format $format 2.json 1.json 3.json >merged 2>stderr
    [ $? = 1 ] && cmp whole.$format merged
    result $? "$format: joined they are what one run reports"
done
for format in text markdown; do
    sed -E 's/ in [0-9]+\.[0-9] s//; s/ [0-9]+\.[0-9] s \|$/  |/' whole.$format >whole
    "$lifecheck" merge --format $format 2.json 1.json 3.json >merged 2>stderr
    cmp whole merged
    result $? "$format: the same but for times"
done
"$lifecheck" merge --format json whole.json >merged
cmp whole.json merged
result $? "a single report stays what it is"
wants 0 "gate compares joined reports" "$lifecheck" gate --old whole.json --new merged
for count in 1 40; do
    rm -f many-*.json
    for ((i = 1; i <= count; i++)); do
        rm -rf found
        "$lifecheck" probe --provider "$peer" --type 'peer_l*,peer_t*,function.s*' --env FAULT=promises-new -o found --shard "$i/$count" \
            --format json >"many-$i.json" 2>stderr
        [ $? -lt 2 ] || echo "#   shard $i"
    done
    rm -rf found
    "$lifecheck" probe --provider "$peer" --type 'peer_l*,peer_t*,function.s*' --env FAULT=promises-new -o found --format json >whole
    "$lifecheck" merge --format json many-*.json >merged
    grep -q peer_thing whole && cmp whole merged
    result $? "$count shards"
done
wants 3 "a shard is missing" "$lifecheck" merge 1.json 3.json
err_has "shard 2 of 3 is missing" "it is named"
sed 's/"seed":0/"seed":1/' 2.json >other.json
wants 3 "a shard of another run" "$lifecheck" merge 1.json other.json 3.json
err_has "of another provider, version, protocol, seed or choice of laws" "is refused"
sed 's/"inputs":\[{[^}]*},/"inputs":[/' 2.json >other.json
wants 3 "a shard that contradicts itself" "$lifecheck" merge 1.json other.json 3.json
"$lifecheck" --shard 2/3 --allow-empty --format json one.yaml >other.json
wants 3 "a shard of check" "$lifecheck" merge 1.json other.json 3.json
err_has "shard of the same run" "does not fit"
wants 2 "a baseline" "$lifecheck" probe --provider "$peer" --shard 1/2 --write-baseline known.json
err_has "give it to lifecheck merge" "is for merge"
wants 0 "which takes it" "$lifecheck" merge --write-baseline known.json 1.json 2.json 3.json
wants 0 "and applies it" "$lifecheck" merge --baseline known.json 1.json 2.json 3.json
probe 0 --baseline known.json --jobs 2
result $? "a whole run applies the same"

# ---- A worker that exits loses one type

setsid "$lifecheck" probe --provider "$peer" --law '*' --env FAULT=hangs --timeout 60 --type peer_thing,peer_blocks -o found >stdout 2>stderr &
pid=$!
sleep 1
worker=$(pgrep -P "$pid" -x lifecheck | head -n 1)
kill -9 "$worker"
sleep 0.3
kill -TERM "$pid" 2>missing
wait "$pid"
status=$?
[ -n "$worker" ] && [ "$status" = 4 ] && grep -qF "internal error while peer_" stderr
result $? "a worker that exits is reported"
for _ in $(seq 100); do
    pgrep -r D,R,S,T -f "^$peer" >stdout || break
    sleep 0.1
done
! pgrep -r D,R,S,T -f "^$peer" >stdout
result $? "and leaves no provider"

# ---- gate

for shard in 1/2 2/2; do
    run "$lifecheck" gate --old "$peer" --new "$peer" --type 'peer_*' --shard $shard --format json
    [ "$status" = 0 ] && cp stdout "gate-${shard%/*}.json"
    result $? "gate of two binaries, shard $shard"
done
run "$lifecheck" gate --old "$peer" --new "$peer" --type 'peer_*' --format json
cp stdout gate-whole.json
python3 - <<'PY' >stdout
import json
names = lambda path: [t["type"] for t in json.load(open(path))["asked"]["types"]]
whole, parts = names("gate-whole.json"), names("gate-1.json") + names("gate-2.json")
raise SystemExit(not (parts and len(parts) < 2 * len(whole) and sorted(parts) == sorted(whole)))
PY
result $? "each type is in one of them"
wants 2 "gate of files" "$lifecheck" gate --old whole.json --new whole.json --shard 1/2
err_has "--shard is about types of two binaries" "has no shards"
