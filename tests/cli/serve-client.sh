#!/bin/bash
# `lifecheck serve` with a client that has one fault: a finding of the rule that faults.def names, with blame on the client, and none
# with blame on the provider. The same client without a fault has no findings.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
schema=$root/testdata/schemas/serve.json
wrong=$(dirname "$lifecheck")/tests/serve/client
cat >replaced.yaml <<END
lifecheck: 1
name: replaced
resource: full_thing.t
schema: {file: "$schema", type: full_thing}
config: {name: n, note: b}
prior_state: {name: n, note: a, code: c, id: i}
plan:
  planned_state: {name: n, note: b, code: c, id: i}
  requires_replace: [.note]
END

asks() { # [FAULT]: the findings are in report.json
    : >"$PEER_LOG"
    run timeout -k 5 120 "$lifecheck" serve --schema "$schema" --learn replaced.yaml --state-dir objects --report json=report.json --force -- "$wrong" "$@"
}

asks
[ "$status" = 0 ] && ! grep -q '"blame"' report.json
result $? "without a fault: no finding"
out_has "ListResource 1" "without a fault: the object is listed"
out_has "InvokeAction 1" "without a fault: an action completes"
out_has "states: locked again 0, read 1, listed 1, left 0, unlocked 0 1" "without a fault: a state store keeps states and locks"
[ "$(find objects -name 'full_*')" = "$(find objects -name 'full_thing.*' | head -n 1)" ]
result $? "without a fault: of what was created only the imported object is left"
leaves_nothing "without a fault"
first=$(find objects -name 'full_*')
asks
[ "$status" = 0 ] && [ "$(find objects -name 'full_*')" = "$first" ]
result $? "an object that is imported again is the same one"
sed -i 's/"id":"given"/"id":"other"/' "$first"
asks
[ "$status" = 0 ] && [ "$(find objects -name 'full_*' | wc -l)" = 2 ] && grep -q '"id":"other"' "$first"
result $? "one that has got another id is not"

# Paths of an input that lead into lists and maps are answered as they are stated.
cat >paths.yaml <<END
lifecheck: 1
name: replaced by an element
resource: full_thing.t
schema: {file: "$schema", type: full_thing}
config: {name: n, items: [a, b], tags: {k: b}}
prior_state: {name: n, items: [a, c], tags: {k: c}, code: x, id: i}
plan:
  planned_state: {name: n, items: [a, b], tags: {k: b}, code: x, id: i}
  requires_replace: ['.items[1]', '.tags["k"]']
END
cat >drives.sh <<'END'
socket=$(printf '%s' "$TF_REATTACH_PROVIDERS" | grep -o '"String":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
exec "$LIFECHECK" drive --provider "example.test/tests/full=unix:$socket" paths.yaml
END
LIFECHECK=$lifecheck run timeout -k 5 60 "$lifecheck" serve --schema "$schema" paths.yaml -- sh drives.sh
[ "$status" = 0 ] && grep -q '^1 case: 1 conforms' "$work/stdout"
result $? "paths into lists and maps are answered as stated"
leaves_nothing "paths into lists and maps"

# A full disk: applies fail, and the folder has complete files alone.
if unshare -m true 2>/dev/null; then
    mkdir -p small
    run unshare -m bash -c 'mount -t tmpfs -o size=8k none small && timeout -k 5 120 "$@"; ls -A small | grep -v "^store.json$\|^full_thing\.[0-9a-f]*\.json$" >left' - \
        "$lifecheck" serve --schema "$schema" --state-dir small --report json=report.json --force -o calls.jsonl -- "$wrong"
    grep -q 'No space left on device' calls.jsonl && ! [ -s left ]
    result $? "a full disk: the client gets an error, and no incomplete file is left"
    ! grep -qE '"severity":"(error|warning)","strength":"[^"]*","blame":"provider"' report.json
    result $? "a full disk: an error of the provider is not a violation"
else
    echo "ok - a full disk # SKIP no folder can be mounted"
fi

# What no client of make check-clients asks.
for rule in $("$lifecheck" serve --break help | grep -E '^(list|action)/'); do
    rm -rf objects report.json
    run timeout -k 5 120 "$lifecheck" serve --schema "$schema" --learn replaced.yaml --state-dir objects --report json=report.json --force --break "$rule" -- "$wrong"
    found=$(grep -o '"rule":"[^"]*"' report.json | sort -u)
    [ "$found" = "\"rule\":\"$rule\"" ]
    result $? "--break $rule: is found, and nothing else"
done
rm -rf objects

# Several clients at once use one folder that none of them has used before.
rm -rf objects
for i in 1 2 3 4; do
    mkdir "at$i"
    (cd "at$i" && timeout -k 5 120 "$lifecheck" serve --schema "$schema" --learn ../replaced.yaml --state-dir ../objects --report json=report.json -- "$wrong" >out 2>&1; echo $? >status) &
done
wait
[ "$(cat at?/status | tr -d '\n')" = 0000 ] && ! grep -q '"blame"' at?/report.json
result $? "four clients at once: no finding"
[ "$(find objects -type f ! -name 'full_thing.*.json')" = objects/store.json ]
result $? "four clients at once: no incomplete file is left"
leaves_nothing "four clients at once"

while IFS=$'\t' read -r fault rules; do
    rm -rf objects report.json
    asks "$fault"
    found=$(sed -n 's/"rule":/\n&/gp' report.json | sed -n 's/^"rule":"\([^"]*\)","severity":"[^"]*","strength":"[^"]*","blame":"client".*/\1/p' | sort -u)
    hit=1
    for rule in $rules; do
        ! grep -qxF -- "$rule" <<<"$found" || hit=0
    done
    [ $hit = 0 ] || echo "#   found: ${found:-nothing}"
    result $hit "$fault: $rules"
    ! grep -q '"blame":"provider"' report.json
    result $? "$fault: the provider is not at fault"
done < <("$wrong" faults)
