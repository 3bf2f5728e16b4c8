#!/bin/bash
# The workflow of docs/provider-ci.md: each of its steps runs here as the forge runs it, in a repository with
# the test provider, whose acceptance tests are recorded calls.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider
if ! python3 -c 'import yaml' 2>missing || ! command -v git >missing || ! command -v make >missing; then
    echo "ok - the pipeline of a provider # SKIP python3 with its YAML, git or make is not installed"
    exit 0
fi
mkdir bin steps
ln -s "$lifecheck" bin/lifecheck
export PATH=$work/bin:$PATH GIT_CONFIG_NOSYSTEM=1
git config --global user.name nobody
git config --global user.email nobody@example.org
git config --global init.defaultBranch main
awk '/^```yaml$/ {on = 1; next} /^```$/ {on = 0} on' "$root/docs/provider-ci.md" >workflow.yaml
python3 - <<'PY' >stdout 2>stderr
import yaml
for name, job in yaml.safe_load(open("workflow.yaml"))["jobs"].items():
    assert job["runs-on"] and job["timeout-minutes"] and job["if"]
    for i, step in enumerate(job["steps"]):
        assert ("run" in step) != ("uses" in step), step
        if "run" in step:
            open(f"steps/{name}-{i}", "w").write(step["run"] + "\n")
PY
result $? "the workflow is one"

# What LIFECHECK_SOURCE stands for: it has the same doors, and installs the program under test.
git init -q source
mkdir source/.ci temp
echo 'echo nothing to install' >source/.ci/deps
# shellcheck disable=SC2016 # for make
printf 'install:\n\tinstall -D %s $(PREFIX)/bin/lifecheck\n' "$lifecheck" >source/Makefile
git -C source add -A && git -C source commit -q -m source
export LIFECHECK_SOURCE=$work/source RUNNER_TEMP=$work/temp GITHUB_PATH=$work/path

# ---- A provider's repository: the fault of a version is a file

git init -q repository
cd repository || exit 1
cat >Makefile <<END
build:
	cp $peer terraform-provider-nimbus
	cp settings terraform-provider-nimbus.env
testacc:
	LIFECHECK_CLIENT=$client TF_REATTACH_PROVIDERS="\$\$(cat ../entry)" "\$\$TF_ACC_TERRAFORM_PATH" --provider $address \$\$(cat ../played)
END
: >settings
printf 'terraform-provider-nimbus*\n' >.gitignore
git add -A
git commit -q -m one
git tag v1.0.0

# step JOB: all its steps; sets status
step() {
    status=0
    rm -rf acceptance.jsonl "$RUNNER_TEMP/lifecheck" "$HOME/.local" # a checkout and a runner have none
    for script in ../steps/"$1"-*; do
        [ "$status" != 0 ] || bash --noprofile --norc -eo pipefail "$script" >stdout 2>stderr || status=$?
    done
}

# ---- Nightly

lifecheck probe --provider "$peer" --type peer_thing --law 1 --format json >first.json
lifecheck merge --write-baseline known.json first.json >stdout
step nightly
[ "$status" = 0 ] && [ -s probe.md ] && [ -s probe.xml ]
result $? "nightly: nothing is found on a good provider"
[ -x "$(tail -n 1 "$GITHUB_PATH")/lifecheck" ]
result $? "nightly: lifecheck is installed where the path leads"
step nightly
[ "$status" = 0 ] && tail -n 1 checkpoint | grep -qx '{"complete":true}'
result $? "nightly: the next night begins anew"
echo FAULT=promises-new >settings
step nightly
[ "$status" = 1 ] && grep -q '^::error' stdout && [ -n "$(find found-issues -name issue.md)" ]
result $? "nightly: a new fault fails, with an annotation and an issue"
lifecheck merge --write-baseline known.json --force probe.json >stdout
step nightly
[ "$status" = 0 ]
result $? "nightly: once it is known the job passes"
git checkout -q settings

# ---- Acceptance tests

start_provider RECORDING="$good"
echo "{\"$address\":$entry}" >../entry
echo "$good" >../played
step acceptance
[ "$status" = 0 ] && [ -s acceptance.jsonl ]
result $? "acceptance: tests that pass, of a good provider"
stop_provider
start_provider RECORDING="$whole"
echo "{\"$address\":$entry}" >../entry
echo "$whole" >../played
step acceptance
[ "$status" = 1 ] && cat stdout stderr | grep -qF 'apply/changed'
result $? "acceptance: a rule that no test looks at"
stop_provider
echo '{}' >../entry
echo /nowhere.jsonl >../played
step acceptance
[ "$status" = 1 ]
result $? "acceptance: a test that fails"

# ---- Release

step release
[ "$status" != 0 ] && grep -q 'fatal' stderr
result $? "release: the first one has none before it"
git commit -q --allow-empty -m two
git tag v1.1.0
step release
[ "$status" = 0 ] && [ -s gate.md ] && grep -q '^pass: ' stdout
result $? "release: a version without changes passes"
git worktree remove --force before
echo UPGRADE=new-required >settings
git commit -q -am three
git tag v1.2.0
step release
[ "$status" = 1 ] && grep -q 'zone' gate.md && grep -q '"passes": *false\|zone' gate.json
result $? "release: an attribute that is required now fails"
