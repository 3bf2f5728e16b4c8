#!/bin/bash
# The templates of docs/ci.md, run as far as that goes here: the commands of their steps in a generated checkout, with a
# generated clone instead of the network; and the hooks in a repository of their own.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! python3 -c 'import yaml' 2>/dev/null || ! command -v git >/dev/null || ! command -v make >/dev/null; then
    echo "ok - templates for pipelines # SKIP python3 with its YAML, git or make is not installed"
    exit 0
fi
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1
mkdir home bin
git config --global user.name nobody
git config --global user.email nobody@example.org
git config --global init.defaultBranch main
awk '/^```yaml$/ {n++; on = 1; next} /^```$/ {on = 0} on {print > ("block" n ".yaml")}' "$root/docs/ci.md"
awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on' "$root/docs/ci.md" >hook
grep -q 'docs/ci.md' "$root/README.md"
result $? "README leads to them"

# What LIFECHECK_SOURCE stands for: it has the same doors, and installs the program under test.
git init -q source
mkdir source/.ci
echo 'echo nothing to install' >source/.ci/deps
# shellcheck disable=SC2016 # for make
printf 'install:\n\tinstall -D %s $(PREFIX)/bin/lifecheck\n' "$lifecheck" >source/Makefile
git -C source add -A && git -C source commit -q -m source
[ -f "$root/.ci/deps" ] && grep -q '^install:' "$root/Makefile"
result $? "the doors are there"
printf '#!/bin/sh\necho "$@" >>%s/apt\n' "$work" >bin/apt-get
chmod +x bin/apt-get
PATH=$work/bin:$PATH
for case in conforms violates; do
    mkdir -p "$case/scenarios"
    cp "$data/$case.yaml" "$case/scenarios/"
done

# steps FILE JOB KEYS...: the commands, each in a file of its own
cat >steps.py <<'X'
import sys, yaml
with open(sys.argv[1], encoding="utf-8") as file:
    template = yaml.safe_load(file)
if sys.argv[2] == "github":
    job = template["jobs"]["lifecheck"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert [each.split("@")[0] for each in used] == ["actions/checkout", "github/codeql-action/upload-sarif", "actions/upload-artifact"], used
    assert template["permissions"]["security-events"] == "write"
    produced = [step["with"].get("sarif_file", step["with"].get("path")) for step in job["steps"] if "with" in step]
else:
    job = template["lifecheck"]
    commands = ["\n".join(job["before_script"] + job["script"])]
    produced = job["artifacts"]["paths"] + [job["artifacts"]["reports"]["junit"]]
    assert job["artifacts"]["when"] == "always"
for i, command in enumerate(commands):
    open(f"step{i}", "w").write(command + "\n")
open("produced", "w").write("\n".join(produced) + "\n")
X
made() { # what later steps take
    local file
    while read -r file; do
        [ -s "$file" ] || return 1
    done <"$work/produced"
}

# ---- GitHub: each step by bash -e, the path by a file

wants 0 "the workflow for GitHub is read" python3 steps.py block1.yaml github
export GITHUB_PATH=$work/path RUNNER_TEMP=$work/temp LIFECHECK_SOURCE=$work/source
mkdir temp
wants 0 "it installs" bash -e step0
[ -x "$(cat path)/lifecheck" ]
result $? "to where the path leads"
for case in conforms violates; do
    cd "$work/$case" || exit 1
    if [ $case = conforms ]; then want=0; else want=1; fi
    run env GITHUB_STEP_SUMMARY=summary.md PATH="$(cat "$work/path"):$PATH" bash -e "$work/step1"
    [ "$status" = $want ] && made
    result $? "it judges what $case and leaves reports"
    grep -q '^## lifecheck' summary.md
    result $? "and the summary of the job"
done
out_has "::error file=scenarios/violates.yaml," "annotates the line"
python3 "$root/tests/cli/checks/sarif_check.py" lifecheck.sarif >"$work/stdout" 2>&1
result $? "SARIF that can be uploaded"
unset GITHUB_PATH RUNNER_TEMP

# ---- The action of a checkout: its inputs by the workflow of the document, its steps as GitHub runs them

cd "$work" || exit 1
cat >action.py <<'X'
import re, sys, yaml
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
action = yaml.safe_load(text)
with open(sys.argv[2], encoding="utf-8") as file:
    use = yaml.safe_load(file)["jobs"]["lifecheck"]["steps"][-1]
assert use["uses"] == "./.lifecheck" and set(use["with"]) <= set(action["inputs"]), use
assert action["runs"]["using"] == "composite"
known = {"inputs." + name for name in action["inputs"]}
known |= {"github.action_path", "github.action_repository", "github.server_url", "steps.place.outputs.key", "steps.place.outputs.folder",
          "steps.program.outputs.program", "steps.judge.outputs.status"}
for name in re.findall(r"\$\{\{ *([^ }]+) *\}\}", text):
    assert name in known, name
assert [step["uses"] for step in action["runs"]["steps"] if "uses" in step] == ["actions/cache@v4"]
for i, step in enumerate(step for step in action["runs"]["steps"] if "run" in step):
    assert step["shell"] == "bash"
    assert "${{" not in step["run"], "an input in a script is code"
    open(f"action{i}", "w").write(step["run"])
for name in "paths", "args":
    open(name, "w").write(use["with"][name])
# The other gates: steps that replace the last one.
for block in sys.argv[3:]:
    steps = yaml.safe_load(open(block, encoding="utf-8"))
    with_ = steps[-1]["with"]
    assert steps[-1]["uses"] == "./.lifecheck" and set(with_) <= set(action["inputs"]), with_
    name = with_["command"]
    open(name + ".run", "w").write("\n".join(step["run"] for step in steps if "run" in step))
    open(name + ".paths", "w").write(with_.get("paths", ""))
    open(name + ".args", "w").write(with_["args"])
X
step() { # number of the step, NAME=VALUE...
    local file=$work/action$1
    shift
    run env "$@" GITHUB_OUTPUT=output bash --noprofile --norc -eo pipefail "$file"
}
wants 0 "the action and its workflow are read" python3 action.py "$root/action.yml" block2.yaml block3.yaml block4.yaml block5.yaml
for case in conforms violates; do
    cd "$work/$case" || exit 1
    mkdir -p recordings && cp "$root/testdata/captures/time-update.jsonl" recordings/
    if [ $case = conforms ]; then want=0; else want=1; fi
    : >output
    step 0 GIVEN="$lifecheck" VERSION= SOURCE="$root" RUNNER_TEMP="$work/kept"
    grep -qx 'key=' output && step 1 GIVEN="$lifecheck" VERSION= SOURCE="$root" FOLDER="$work/kept"
    program=$(sed -n 's/^program=//p' output)
    [ "$status" = 0 ] && [ "$program" = "$lifecheck" ]
    result $? "the action takes a program that is there"
    rm -f lifecheck.html
    step 2 PROGRAM="$program" COMMAND=check PATHS="$(cat "$work/paths")" ARGS="$(cat "$work/args")"
    [ "$status" = $want ] && grep -qx "status=$want" output && [ -s lifecheck.html ]
    result $? "it judges what $case, and says so"
done
out_has "::error file=scenarios/violates.yaml," "it annotates the line"
grep -q 'time-update.jsonl' lifecheck.html
result $? "it judges each of its paths"
step 2 PROGRAM="$lifecheck" COMMAND=chekc PATHS= ARGS=
[ "$status" = 2 ] && grep -q '^::error::lifecheck: command is check, predict, gate or probe, not chekc' "$work/stdout"
result $? "a command that does not exist is an error"

# A release, as it would be downloaded; RELEASES may be any address that curl knows.
name=lifecheck-9.9.9-linux-$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
mkdir -p "$work/releases/v9.9.9" "$work/tree/$name/bin"
printf '#!/bin/sh\necho released\n' >"$work/tree/$name/bin/lifecheck"
chmod +x "$work/tree/$name/bin/lifecheck"
tar -c -z -f "$work/releases/v9.9.9/$name.tar.gz" -C "$work/tree" "$name"
(cd "$work/releases/v9.9.9" && sha256sum "$name.tar.gz" >SHA256SUMS)
fetch() { # GIVEN VERSION FOLDER: sets program
    : >output
    step 1 GIVEN="$1" VERSION="$2" SOURCE="$root" FOLDER="$work/$3" RELEASES="file://$work/releases"
    program=$(sed -n 's/^program=//p' output)
}
fetch "$work/releases/v9.9.9/$name.tar.gz" "" archive
[ "$status" = 0 ] && [ "$("$program")" = released ]
result $? "the action takes an archive of a release"
if type -P curl >/dev/null; then
    : >output
    step 0 GIVEN= VERSION=9.9.9 SOURCE="$root" RUNNER_TEMP="$work"
    grep -qx "key=lifecheck-9.9.9-$(uname -m)" output
    result $? "a version is the key of what is kept"
    fetch "" 9.9.9 download
    [ "$status" = 0 ] && [ "$("$program")" = released ]
    result $? "the action downloads a released version"
    mv "$work/releases" "$work/away"
    fetch "" 9.9.9 download
    [ "$status" = 0 ] && [ "$("$program")" = released ]
    result $? "what was kept is not downloaded again"
    fetch "" 9.9.9 other
    [ "$status" = 4 ] && grep -q 'cannot be downloaded' "$work/stdout"
    result $? "a version that is not there is an error"
    mv "$work/away" "$work/releases"
    echo more >>"$work/releases/v9.9.9/$name.tar.gz"
    fetch "" 9.9.9 changed
    [ "$status" = 4 ] && grep -q 'is not the released one' "$work/stdout"
    result $? "an archive with another checksum is refused"
else
    echo "ok - the action downloads a released version # SKIP curl is not installed"
fi
: >output
step 0 GIVEN= VERSION= SOURCE="$root" RUNNER_TEMP="$work"
grep -qE '^key=lifecheck-source-[a-z0-9_]+-[0-9a-f]{32}$' output
result $? "without either, the sources are the key"

# The other gates, with a terraform and a go that have what a real one would make.
peer=$(dirname "$lifecheck")/tests/probe/provider
printf '#!/bin/sh\n[ "$1" != show ] || cat %s/testdata/why/plan.json\n' "$root" >"$work/bin/terraform"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\n[ "$1 $2" = "build -o" ] && cp %s "$3"\n' "$peer" >"$work/bin/go"
chmod +x "$work/bin/terraform" "$work/bin/go"
gate() { # STATUS NAME COMMAND SED: in a folder, with the pattern of the document replaced
    : >output
    : >summary.md
    step 2 PROGRAM="$lifecheck" COMMAND="$3" PATHS="$(cat "$work/$3.paths")" ARGS="$(sed "$4" "$work/$3.args")" GITHUB_STEP_SUMMARY=summary.md
    [ "$status" = "$1" ] && grep -qx "status=$1" output
    result $? "$2"
}
cp -R "$root/testdata/why" "$work/plan" && cd "$work/plan" && rm plan.json
run bash -e "$work/predict.run"
[ "$status" = 0 ] && [ -s plan.json ]
result $? "predict: a plan is made"
gate 1 "predict: a replacement that is forbidden fails the job" predict 's/aws_db_\*/terraform_data.app/; s/module.prod/module.m/'
out_has '::error file=main.tf.json,line=6,' "at the line that causes it"
gate 0 "predict: a policy that is kept passes" predict 's/destroy:aws_db_\*/delete:terraform_data.new/; s/destroy:module.prod/delete:module.m/'
if [ -x "$peer" ]; then
    mkdir "$work/built" && cd "$work/built" || exit 1
    git init -q . && git commit -q --allow-empty -m one && git tag v1.0.0 && git remote add origin "$PWD"
    run bash -e "$work/probe.run"
    gate 0 "probe: a provider that conforms passes" probe '$a --type=peer_blocks'
    [ -s lifecheck.html ]
    result $? "and leaves its page"
    gate 1 "probe: a violation fails the job" probe '$a --type=peer_thing\n--env=FAULT=promises-new\n--law=1'
    out_has '::error file=.lifecheck/probe/' "and is annotated"
    run bash -e "$work/gate.run"
    [ "$status" = 0 ] && [ -x terraform-provider-nimbus-released ]
    result $? "gate: both versions are built"
    gate 0 "gate: no change passes" gate '$a --type=peer_blocks'
    grep -q '^##* ' summary.md
    result $? "and its page is the summary"
    gate 2 "gate: a wrong option is status 2" gate '$a --no-such-option'
fi
cd "$work/violates" || exit 1
step 1 GIVEN=./nowhere VERSION= SOURCE="$root" FOLDER="$work/nowhere"
[ "$status" = 4 ] && grep -q '^::error::.*nowhere' "$work/stdout"
result $? "a program that is not there is an error"
mkdir -p "$work/checkout/.ci"
cd "$work/checkout" || exit 1
echo "echo deps >>$PWD/order" >.ci/deps
printf 'all:\n\t@mkdir -p build/release && cp %s build/release/lifecheck && echo make >>order\n' "$lifecheck" >Makefile
for time in first second; do
    : >output
    step 1 GIVEN= VERSION= SOURCE="$PWD" FOLDER="$work/made"
    [ "$status" = 0 ] && [ "$(tr '\n' ' ' <order)" = "deps make " ] && [ -x "$(sed -n 's/^program=//p' output)" ]
    result $? "without one it builds, and only once: $time time"
done

# ---- GitLab: one shell for all lines

cd "$work" || exit 1
rm -rf step? conforms/lifecheck.* violates/lifecheck.*
wants 0 "the template for GitLab is read" python3 steps.py block6.yaml gitlab
for case in conforms violates; do
    cd "$work/$case" || exit 1
    if [ $case = conforms ]; then want=0; else want=1; fi
    run env CI_PROJECT_DIR="$PWD" bash -e "$work/step0"
    [ "$status" = $want ] && made
    result $? "it judges what $case and leaves reports"
done
python3 "$root/tests/cli/checks/junit_check.py" lifecheck.xml >"$work/stdout" 2>&1
result $? "JUnit that can be shown"
cd "$work" || exit 1
grep -q 'install .*git' apt
result $? "it installs git before it clones"

# ---- Hooks

wants 0 "the hooks are read" python3 - "$root/.pre-commit-hooks.yaml" block7.yaml <<'X'
import sys, yaml
hooks = {hook["id"]: hook for hook in yaml.safe_load(open(sys.argv[1]))}
for repository in yaml.safe_load(open(sys.argv[2]))["repos"]:
    for hook in repository["hooks"]:
        assert hook["id"] in hooks, hook
hook = hooks["lifecheck"]
assert set(hook) <= {"id", "name", "description", "entry", "language", "files", "require_serial"}, hook
print(hook["entry"])
print(hook["files"])
X
{ read -r entry && read -r files; } <stdout
mkdir here
ln -s "$lifecheck" here/lifecheck
PATH=$work/here:$PATH
commit() { # hook, scenario: the exit status of a commit
    rm -rf repository
    git init -q repository
    cp "$1" repository/.git/hooks/pre-commit
    chmod +x repository/.git/hooks/pre-commit
    mkdir repository/scenarios
    echo 'other: true' >repository/other.yaml
    [ "$2" = none ] || cp "$data/$2.yaml" "repository/scenarios/a $2.yaml"
    cp "$data/violates.yaml" "repository/scenarios/not-staged.yaml"
    git -C repository add other.yaml
    [ "$2" = none ] || git -C repository add "scenarios/a $2.yaml"
    run git -C repository commit -q -m change
}
# As pre-commit does it: the staged files that match, behind the entry.
cat >framework <<X
#!/bin/bash
mapfile -t staged < <(git diff --cached --name-only --diff-filter=ACMR | grep -E '$files')
[ "\${#staged[@]}" = 0 ] || $entry "\${staged[@]}"
X
for way in hook framework; do
    commit $way conforms
    [ "$status" = 0 ]
    result $? "$way: a scenario that conforms is committed"
    commit $way violates
    [ "$status" = 1 ] && cat stdout stderr | grep -q 'apply/changed'
    result $? "$way: one that does not is not, and why"
    commit $way none
    [ "$status" = 0 ]
    result $? "$way: other files are none of its business"
done
if command -v pre-commit >/dev/null; then
    wants 0 "pre-commit takes the hook" pre-commit validate-manifest "$root/.pre-commit-hooks.yaml"
else
    echo "ok - pre-commit takes the hook # SKIP pre-commit is not installed"
fi
