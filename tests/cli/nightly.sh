#!/bin/bash
# Probe as a nightly job: shards and what joins them, several providers side by side.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider

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

if [ ! -x "$peer" ]; then
    echo "ok - nightly # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
# One of its own: other scripts run the same program at the same time.
mkdir "$work/own"
cp "$peer" "$work/own/provider"
peer=$work/own/provider
mkdir run home
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME

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

# ---- A worker that dies loses one type

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
result $? "a worker that dies is reported"
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

# ---- A limit for everything, and going on

probe 1 --checkpoint ck --report json=whole.json
head -n 1 ck | grep -q '^{"lifecheck_probe":1,"run":"[0-9a-f]\{16\}"}$' && tail -n 1 ck | grep -qx '{"complete":true}' &&
    [ "$(wc -l <ck)" = 14 ]
result $? "a checkpoint has a line for each type"
probe 1 --checkpoint ck --resume --report json=again.json && cmp whole.json again.json && [ "$(grep -c '"before"' ck)" = 12 ]
result $? "after a complete run a new one begins, and remembers it"
grep -o '^{"type":{"type":"[^"]*' ck >order
head -n 1 order | grep -q '"function\.' && grep -v '"function\.' order | head -n 1 | grep -q '"peer_thing'
result $? "what failed is asked first"
probe 1 --checkpoint whole.ck
for bytes in 0 20 60 200 3000 20000 40000; do
    head -c $((bytes + 1)) whole.ck >cut.ck
    probe 1 --checkpoint cut.ck --resume --report json=again.json && cmp whole.json again.json
    result $? "a file that ends after $bytes bytes"
done
cp whole.ck cut.ck
sed -i -e '$d' -e 's/^{"type":{"type":"peer_wide".*//' -e '/^$/d' cut.ck
run timeout -k 5 120 "$lifecheck" probe --provider "$peer" --law '*' --env FAULT=promises-new --seed 1 -o found --force --checkpoint cut.ck --resume
grep -qF "belongs to another run" stderr
result $? "another run begins anew, and says so"
sed '3s/^/x/' whole.ck >cut.ck
wants 3 "a file that is not a checkpoint" "$lifecheck" probe --provider "$peer" --checkpoint cut.ck --resume
err_has "cut.ck:3: this is not a line of a checkpoint" "is named with its line"
rm -f budget.ck
hangs=(--provider "$peer" --law '*' --env FAULT=hangs --timeout 30 -o found --force)
for round in 1 2; do
    rm -rf found
    run timeout -k 5 60 "$lifecheck" probe "${hangs[@]}" --checkpoint budget.ck --resume --total-budget 2 --report json=part.json
    [ "$status" = 5 ] && grep -qF "the total budget ran out" stdout && ! grep -qF rpc-error stdout && [ ! -e found ]
    result $? "run $round of two seconds has a status of its own, and no finding that comes from its end"
done
grep -q '"stopped":"the total budget ran out"' part.json
result $? "JSON says it"
wants 5 "--write-baseline" "$lifecheck" probe "${hangs[@]}" --total-budget 1 --write-baseline short.json
[ ! -e short.json ]
result $? "no baseline is made of a part"
if flock -n ck true 2>missing; then
    flock ck "$lifecheck" probe --provider "$peer" --checkpoint ck --resume >stdout 2>stderr
    [ $? = 3 ] && grep -qF "is in use by another run" stderr
    result $? "two runs do not write the same file"
fi

# ---- Killed at any moment

probe 1 --jobs 2 --report json=whole.json
(cd found && sha256sum -- *) >whole.files
rm -rf found
rm -f ck
for killed in -9:process -9:group -TERM:process -9:process -9:group; do
    setsid "$lifecheck" probe --provider "$peer" --law '*' --env FAULT=promises-new --jobs 2 -o found --checkpoint ck --resume \
        --report json=part.json --force >stdout 2>stderr &
    pid=$!
    sleep "0.$((RANDOM % 40 + 10))"
    [ "${killed#*:}" = group ] && kill "${killed%:*}" -- "-$pid" 2>missing || kill "${killed%:*}" "$pid" 2>missing
    wait "$pid" 2>missing
    ! grep -q complete ck || rm -rf found ck # it was faster; the next one would be a new run
done
run timeout -k 5 300 "$lifecheck" probe --provider "$peer" --law '*' --env FAULT=promises-new --jobs 2 -o found --checkpoint ck --resume \
    --report json=part.json --force
[ "$status" = 1 ] && cmp whole.json part.json && (cd found && sha256sum -- *) | cmp - whole.files
result $? "the report is that of a run that nothing interrupted"

# ---- Since a schema

printf '{"format_version":"1.0","provider_schemas":{"example/peer":{"provider":{"version":0,"block":{}}}}}' >old.json
probe 1 --since old.json --type peer_thing
err_has "1 of 1 type changed since old.json" "what is new is asked"
printf '[]' >bad.json
wants 3 "no schema document" "$lifecheck" probe --provider "$peer" --since bad.json

# ---- Costs, and progress in a log

probe 1 --costs costs.tsv
[ "$(wc -l <costs.tsv)" = 13 ] && head -n 1 costs.tsv | grep -q '^type.calls.seconds' && [ "$(cut -f 3 costs.tsv | sed 1d | sort -rnc 2>&1)" = "" ]
result $? "a table of what each type took, the slowest first"

run timeout -k 5 60 "$lifecheck" probe "${hangs[@]}" --total-budget 2
! grep -q "left" stderr
result $? "a short run writes no progress to a log"
