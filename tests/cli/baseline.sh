#!/bin/bash
# --baseline and --write-baseline: what is known does not fail, and may only become less.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
mkdir all
cp "$data"/{conforms,legacy,violates,several}.yaml all
cp all/violates.yaml all/violates2.yaml
cp all/violates.yaml all/violates3.yaml

refuses() { # message, text of the baseline
    printf '%s\n' "$2" >bad.json
    wants 3 "refuses: $2" "$lifecheck" --baseline bad.json all/conforms.yaml
    err_has "lifecheck: bad.json$1" "  says: $1"
}

wants 0 "what is written is known" "$lifecheck" --write-baseline known.json all/violates.yaml all/violates2.yaml all/violates3.yaml
out_has "3 known by the baseline" "and counted"
cp stdout written
[ "$(grep -c fingerprint known.json)" = 1 ] && grep -q '"count": 3, "rule": "apply/changed", "type": "example_thing", "path": ".name"' known.json
result $? "one entry a fingerprint, with its count"
wants 0 "the same findings do not fail" "$lifecheck" --baseline known.json all/violates.yaml all/violates2.yaml all/violates3.yaml
cmp -s stdout written
result $? "and are reported in the same way"
wants 1 "one more does" "$lifecheck" --baseline known.json all/violates.yaml all/violates2.yaml all/violates3.yaml all/violates.yaml
out_has "1 error, 0 warnings, 3 known by the baseline" "only that one"
run "$lifecheck" -v --baseline known.json all/violates.yaml
out_has "ignored: apply/changed at .name: baseline" "-v names them"
run "$lifecheck" --format json --baseline known.json all/violates.yaml
out_has '"suppressed":"baseline"' "and JSON"
out_has '"suppressed":{"ignored":0,"baseline":1}' "with their number"
wants 0 "fewer" "$lifecheck" --baseline known.json all/violates.yaml
out_has "known.json:2:3: warning: the baseline has 3 of apply/changed at .name in example_thing, and 1 was found" "it is reported that the baseline is too large"
wants 1 "which can be made an error" "$lifecheck" --baseline known.json --baseline-strict all/violates.yaml
out_has "known.json:2:3: error: the baseline has 3" "as such"
wants 0 "a smaller one" "$lifecheck" --baseline known.json --write-baseline less.json all/violates.yaml
grep -q '"count": 1' less.json
result $? "is written"
wants 0 "and holds" "$lifecheck" --baseline less.json --baseline-strict all/violates.yaml
wants 1 "a baseline does not grow" "$lifecheck" --baseline less.json --write-baseline less.json all/violates.yaml all/violates2.yaml
grep -q '"count": 1' less.json
result $? "its file neither"
wants 0 "nothing found" "$lifecheck" --baseline less.json --write-baseline none.json all/conforms.yaml
[ "$(cat none.json)" = '{"lifecheck_baseline": 2, "entries": []}' ]
result $? "an empty baseline"
wants 1 "expectations are compared with everything" "$lifecheck" --write-baseline x.json "all/several.yaml#not as expected"
[ "$(grep -c fingerprint x.json)" = 0 ]
result $? "and not made known"
"$lifecheck" --write-baseline a.json -j1 all >one
"$lifecheck" --write-baseline b.json -j2 all >two
cmp -s a.json b.json && cmp -s one two
result $? "the number of workers changes nothing"

# ---- Counts cannot grow by accident, and nothing else is replaced.

cp all/violates.yaml unread.yaml
"$lifecheck" --write-baseline two.json all/violates.yaml unread.yaml >/dev/null
cp two.json two.before
wants 4 "a baseline is not written anew where one is" "$lifecheck" --write-baseline two.json all
err_has "two.json cannot be written: File exists; --baseline two.json makes it smaller, --force begins anew" "says what to do"
wants 4 "nor by way of another one" "$lifecheck" --baseline known.json --write-baseline two.json all/violates.yaml
cmp -s two.json two.before
result $? "it is as it was"
ln -s two.json link.json
wants 0 "the same file by another name" "$lifecheck" --baseline two.json --write-baseline link.json all/violates.yaml unread.yaml
[ -L link.json ] && cmp -s two.json two.before
result $? "a link stays a link"
echo 'lifecheck: [' >unread.yaml
wants 3 "what could not be read may still be there" "$lifecheck" --baseline two.json --write-baseline two.json all/violates.yaml unread.yaml
err_has "two.json is not written: not all inputs were understood" "is reported"
cmp -s two.json two.before
result $? "and nothing is taken out"
cp all/violates.yaml unread.yaml
wants 0 "rules that are not looked for" "$lifecheck" --baseline two.json --baseline-strict --select 'plan/*' all/violates.yaml
wants 0 "are not repaired" "$lifecheck" --baseline two.json --write-baseline two.json --ignore 'apply/*' all/violates.yaml
cmp -s two.json two.before
result $? "and stay in the file"
chmod 640 two.json
wants 0 "a smaller one in its place" "$lifecheck" --baseline two.json --write-baseline two.json all/violates.yaml
[ "$(stat -c %a two.json)" = 640 ] && grep -q '"count": 1' two.json
result $? "has the same mode"
wants 0 "--force begins anew" "$lifecheck" --force --write-baseline two.json all/violates.yaml unread.yaml
cmp -s two.json two.before
result $? "with what is there"
mkfifo fifo
cat fifo >piped &
wants 0 "a pipe" "$lifecheck" --write-baseline fifo all/violates.yaml unread.yaml
wait
[ -p fifo ] && cmp -s piped two.before
result $? "is written, not replaced"
wants 4 "a full disk" "$lifecheck" --write-baseline /dev/full all/violates.yaml
err_has "/dev/full cannot be written: No space left" "is reported"
[ -c /dev/full ]
result $? "and no device is replaced"
mkdir folder
wants 4 "a folder" "$lifecheck" --write-baseline folder all/violates.yaml
! compgen -G 'folder.*' >/dev/null
result $? "leaves nothing behind"
cat >baseline-word.yaml <<'X'
lifecheck: 1
name: the reason is a word that lifecheck uses as well
resource: example_thing.a
schema: {version: 0, block: {attributes: {name: {type: string, required: true}}}}
config: {name: a}
prior_state: null
planned_state: {name: a}
new_state: {name: b}
ignore: [{rule: apply/changed, reason: baseline}]
X
wants 0 "an ignore with the reason baseline" "$lifecheck" --format json baseline-word.yaml
out_has '"suppressed":{"ignored":1,"baseline":0}' "is none of a baseline"
out_has '"suppressed_by":"scenario"' "but of the scenario"

wants 4 "a baseline that cannot be written" "$lifecheck" --write-baseline nowhere/a.json all/violates.yaml
err_has "nowhere/a.json cannot be written" "is reported"
wants 3 "a baseline that is not there" "$lifecheck" --baseline nowhere.json all/violates.yaml

refuses ':1:1: this is not a baseline of version 2' '{}'
refuses ':1:1: this is not a baseline of version 2' '[1]'
refuses ':1:1: this is not a baseline of version 2' '{"lifecheck_baseline": 1, "entries": []}'
refuses ':1:1:' 'known'
refuses ':1:41: an entry of a baseline has a fingerprint and a count' '{"lifecheck_baseline": 2, "entries": [  {"count": 1}]}'
refuses ':1:40: an entry of a baseline' '{"lifecheck_baseline": 2, "entries": [ 7]}'
refuses ':1:67: count is a whole number from 1' '{"lifecheck_baseline": 2, "entries": [{"fingerprint":"a","count": 0}]}'
refuses ':1:40: the key "fingreprint" is not known' '{"lifecheck_baseline": 2, "entries": [{"fingreprint":"a","count": 1}]}'
refuses ':1:69: this fingerprint is listed twice' '{"lifecheck_baseline": 2, "entries": [{"fingerprint":"a","count":1},{"fingerprint":"a","count":1}]}'
