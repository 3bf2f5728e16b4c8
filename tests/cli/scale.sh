#!/bin/bash
# The files of docs/scale.md: they are YAML or shell, and what is in them runs here with the test provider.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider
if [ ! -x "$peer" ]; then
    echo "ok - scale # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
mkdir run home bin
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME JOB_COMPLETION_INDEX CI_NODE_INDEX CI_NODE_TOTAL SLURM_ARRAY_TASK_ID PARALLEL_SEQ
export PATH=$work/bin:$PATH
ln -s "$lifecheck" bin/lifecheck
ln -s "$peer" terraform-provider-nimbus
awk '/^```yaml$/ {n++; on = 1; next} /^```$/ {on = 0} on {print > ("block" n ".yaml")}' "$root/docs/scale.md"
awk '/^```bash$/ {on = 1; next} /^```$/ {on = 0} on' "$root/docs/scale.md" >slurm.sh
awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on' "$root/docs/scale.md" >parallel.sh
lifecheck probe --provider ./terraform-provider-nimbus --offline --report json=whole.json -o found >stdout 2>stderr
[ $? -lt 2 ] && [ -s whole.json ]
result $? "one run"

# is_whole NAME: shards as they are there make the report of one run
is_whole() {
    lifecheck merge --format json shard-*.json >merged 2>stderr
    cmp whole.json merged >stdout 2>&1
    result $? "$1: joined they are what one run reports"
    rm -rf shard-*.json checkpoint* found
}

# ---- GNU parallel: the program, or what it does

if ! parallel --version 2>missing | grep -q '^GNU parallel'; then
    cat >bin/parallel <<'SH'
#!/bin/bash
shift 2 # --joblog FILE
while read -r word; do
    PARALLEL_SEQ=$((${PARALLEL_SEQ:-0} + 1))
    export PARALLEL_SEQ
    "${@//\{\}/$word}"
done
SH
    chmod +x bin/parallel
fi
rm -rf found
bash parallel.sh >stdout 2>stderr
[ -s probe.xml ]
result $? "parallel: a report of all"
is_whole "parallel"

# ---- Slurm: an array is a variable

for task in 1 2 3 4 5 6 7 8; do
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=8 bash slurm.sh >stdout 2>stderr || echo "#   task $task"
done
is_whole "Slurm"

# ---- What is in YAML: Kubernetes, GitHub, GitLab

if ! python3 -c 'import yaml' 2>missing; then
    echo "ok - YAML # SKIP PyYAML is not installed"
    exit 0
fi
python3 - <<'PY' >stdout 2>stderr
import yaml
load = lambda n: yaml.safe_load(open(f"block{n}.yaml"))
job, github, gitlab = load(1), load(2), load(3)
spec = job["spec"]
assert (job["apiVersion"], job["kind"], spec["completionMode"]) == ("batch/v1", "Job", "Indexed")
assert spec["completions"] == spec["parallelism"] == 8 and spec["template"]["spec"]["restartPolicy"] in ("Never", "OnFailure")
pod = spec["template"]["spec"]
container = pod["containers"][0]
assert {m["name"] for m in container["volumeMounts"]} == {v["name"] for v in pod["volumes"]}
text = container["args"][0].replace("/probe\n", ".\n").replace("/opt/", "./")
open("kubernetes.sh", "w").write(text)
steps = github["jobs"]["probe"]["steps"]
assert github["jobs"]["probe"]["strategy"]["matrix"]["shard"] == [1, 2, 3, 4] and github["jobs"]["report"]["needs"] == "probe"
assert all("uses" in s or "run" in s for s in steps)
run = [s["run"] for s in steps if "lifecheck" in s.get("run", "")][0]
open("github.sh", "w").write("set -e\n" + run.replace("${{ matrix.shard }}", "$1"))
assert gitlab["probe"]["parallel"] == 4 and gitlab["report"]["needs"] == ["probe"]
open("gitlab.sh", "w").write("set -e\n" + "\n".join(gitlab["probe"]["script"][1:]))
PY
result $? "the files have the members that their systems read"
for i in 0 1 2 3 4 5 6 7; do JOB_COMPLETION_INDEX=$i sh kubernetes.sh >stdout 2>stderr || echo "#   pod $i"; done
is_whole "Kubernetes"
for i in 1 2 3 4; do bash github.sh $i >stdout 2>stderr || echo "#   shard $i"; done
is_whole "GitHub"
for i in 1 2 3 4; do CI_NODE_INDEX=$i CI_NODE_TOTAL=4 bash gitlab.sh >stdout 2>stderr || echo "#   node $i"; done
is_whole "GitLab"
