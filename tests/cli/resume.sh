#!/bin/bash
# Probe goes on where an earlier run ended: checkpoints, budgets, runs that are killed, and the costs of each type.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# shellcheck source=tests/cli/probe.bash
. "$root/tests/cli/probe.bash"

# One type has half of the calls, and adds nothing to what is tested here.
faulty=(--provider "$peer" --law '*' --env FAULT=promises-new -o found --force)
types='peer_l*,peer_t*,function.*,data.*'
# probe STATUS OPTION...: into a folder that was not there before
probe() {
    local want=$1
    shift
    rm -rf found
    run timeout -k 5 300 "$lifecheck" probe "${faulty[@]}" --type "$types" "$@"
    [ "$status" = "$want" ]
}

# ---- A limit for everything, and going on

probe 1 --checkpoint ck --report json=whole.json
head -n 1 ck | grep -q '^{"lifecheck_probe":1,"run":"[0-9a-f]\{16\}"}$' && tail -n 1 ck | grep -qx '{"complete":true}' &&
    [ "$(wc -l <ck)" = 9 ]
result $? "a checkpoint has a line for each type"
probe 1 --checkpoint ck --resume --report json=again.json && cmp whole.json again.json && [ "$(grep -c '"before"' ck)" = 7 ]
result $? "after a complete run a new one begins, and remembers it"
grep -o '^{"type":{"type":"[^"]*' ck >order
head -n 1 order | grep -q '"function\.' && grep -v '"function\.' order | head -n 1 | grep -q '"peer_thing'
result $? "what failed is asked first"
probe 1 --checkpoint whole.ck
for bytes in 0 20 60 200 3000 20000 36000; do
    head -c $((bytes + 1)) whole.ck >cut.ck
    probe 1 --checkpoint cut.ck --resume --report json=again.json && cmp whole.json again.json
    result $? "a file that ends after $bytes bytes"
done
cp whole.ck cut.ck
sed -i '$d' cut.ck
run timeout -k 5 120 "$lifecheck" probe "${faulty[@]}" --type "$types" --seed 1 --checkpoint cut.ck --resume
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

probe 1 --type '*' --jobs 2 --report json=whole.json
(cd found && sha256sum -- *) >whole.files
rm -rf found
rm -f ck
for killed in -9:process -9:group -TERM:process -9:process -9:group; do
    setsid "$lifecheck" probe "${faulty[@]}" --jobs 2 --checkpoint ck --resume --report json=part.json >stdout 2>stderr &
    pid=$!
    sleep "0.$((RANDOM % 40 + 10))"
    [ "${killed#*:}" = group ] && kill "${killed%:*}" -- "-$pid" 2>missing || kill "${killed%:*}" "$pid" 2>missing
    wait "$pid" 2>missing
    ! grep -q complete ck || rm -rf found ck # it was faster; the next one would be a new run
done
run timeout -k 5 300 "$lifecheck" probe "${faulty[@]}" --jobs 2 --checkpoint ck --resume --report json=part.json
[ "$status" = 1 ] && cmp whole.json part.json && (cd found && sha256sum -- *) | cmp - whole.files
result $? "the report is that of a run that nothing interrupted"

# ---- Since a schema

printf '{"format_version":"1.0","provider_schemas":{"example/peer":{"provider":{"version":0,"block":{}}}}}' >old.json
run "$lifecheck" probe "${faulty[@]}" --since old.json --type peer_thing
err_has "1 of 1 type changed since old.json" "what is new is asked"
printf '[]' >bad.json
wants 3 "no schema document" "$lifecheck" probe --provider "$peer" --since bad.json

# ---- Costs, and progress in a log

probe 1 --costs costs.tsv
[ "$(wc -l <costs.tsv)" = 8 ] && head -n 1 costs.tsv | grep -q '^type.calls.seconds' && [ "$(cut -f 3 costs.tsv | sed 1d | sort -rnc 2>&1)" = "" ]
result $? "a table of what each type took, the slowest first"

run timeout -k 5 60 "$lifecheck" probe "${hangs[@]}" --total-budget 2
! grep -q "left" stderr
result $? "a short run writes no progress to a log"
