#!/bin/bash
# Workflow commands as GitHub's runner reads them, the summary of a job, and Markdown as it is rendered.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/*.yaml .

cat >runner.py <<'EOF'
"""Reads standard input as the runner does: `::name key=value,...::message`, one a line, and prints
level, file, line, column, title and message as JSON."""
import json
import sys

def plain(text, more=()):
    for escaped, char in [("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")]:
        text = text.replace(escaped, char)
    return text

for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
    if not line.lstrip().startswith("::"):
        continue
    head, message = line.lstrip()[2:].split("::", 1)
    level, _, properties = head.partition(" ")
    found = {"level": level, "message": plain(message)}
    for part in properties.split(","):
        key, value = part.split("=", 1)
        assert key in ("file", "line", "col", "title") and value, part
        found[key] = plain(value, [("%3A", ":"), ("%2C", ",")])
    print(json.dumps(found))
EOF
annotations() {
    python3 runner.py <stdout >annotations
    result $? "$1"
}

if ! command -v python3 >/dev/null || ! command -v jq >/dev/null; then
    echo "ok - annotations # SKIP python3 or jq is not installed"
    exit 0
fi
wants 1 "annotations" "$lifecheck" --format github several.yaml nowhere.yaml
annotations "are commands that the runner reads"
jq -se '.[0] | .level == "error" and .file == "several.yaml" and .line == "17" and .col == "23" and
    .title == "apply/changed: .name in ApplyResourceChange" and (.message | contains("\nnew, actual: \"b\"\n"))' annotations >/dev/null
result $? "with place, title and text"
jq -se '.[0].message | startswith("the value is not the planned one (.name in ApplyResourceChange)\n") and endswith("\nmore: lifecheck explain apply/changed") and (contains("  ") | not)' annotations >/dev/null
result $? "which begins with the reason and has no columns"
mkdir -p checkout/sub && cp several.yaml checkout/sub
for where in . checkout checkout/sub; do
    (cd "$where" && GITHUB_WORKSPACE=$work/checkout "$lifecheck" --format github "$work/checkout/sub/several.yaml") >stdout
    annotations "from $where"
    jq -se 'all(.file == "sub/several.yaml")' annotations >/dev/null
    result $? "files are named from the checkout"
done
(cd checkout/sub && GITHUB_WORKSPACE=$work/checkout "$lifecheck" --format github ../sub/./several.yaml) >stdout
annotations "named by the working directory"
jq -se 'all(.file == "sub/several.yaml")' annotations >/dev/null
result $? "so are they"
(cd checkout && "$lifecheck" --format github "$work/checkout/sub/several.yaml") >stdout
annotations "without a checkout"
jq -se 'all(.file == "sub/several.yaml")' annotations >/dev/null
result $? "they are named from the working directory"
wants 1 "annotations" "$lifecheck" --format github several.yaml nowhere.yaml
annotations "again"
jq -se '[.[].level] == ["error","error","error","error","error","error","error","warning"]' annotations >/dev/null
result $? "errors come first"
out_has "6 cases: 2 conform" "the sums are reported"
wants 0 "without findings" "$lifecheck" --format github conforms.yaml
annotations "a clean run"
[ ! -s annotations ]
result $? "annotates nothing"

mkdir 'a,b:c%'
sed 's/"a"/"100%\\r\\nb"/; s/name: violates/name: "a,b::c"/' several.yaml >'a,b:c%/x y.yaml'
run "$lifecheck" --format github 'a,b:c%/x y.yaml'
annotations "odd names are escaped"
jq -se 'all(.file == "a,b:c%/x y.yaml")' annotations >/dev/null
result $? "and come out as they were"
mv 'a,b:c%/x y.yaml' stdin.yaml
"$lifecheck" --format github - <stdin.yaml >stdout
annotations "standard input"
jq -se 'all(.file == null)' annotations >/dev/null
result $? "has no file"

# ---- Ten of each

{
    printf 'lifecheck: 1\nschema: {version: 0, block: {attributes: {'
    for i in $(seq 25); do printf 'a%s: {type: string, optional: true}, ' "$i"; done
    printf 'z: {type: string, optional: true}}}}\nprior_state: null\nconfig: {}\nplanned_state: {'
    for i in $(seq 25); do printf 'a%s: x, ' "$i"; done
    printf '}\n'
} >many.yaml
"$lifecheck" --format json many.yaml | jq -r '.summary.findings.error' >count
wants 1 "many findings" "$lifecheck" --format github many.yaml
annotations "are commands"
[ "$(wc -l <annotations)" = 10 ] && jq -se --arg more "$(($(cat count) - 9)) more" '.[9].message | startswith($more)' annotations >/dev/null
result $? "ten are shown, the last one counts the others"

# ---- The summary of the job

wants 1 "a summary" env GITHUB_STEP_SUMMARY=summary.md "$lifecheck" several.yaml nowhere.yaml --report github=g.txt --report markdown=m.md
cmp -s summary.md m.md
result $? "is the Markdown report"
grep -q '^| error | `apply/changed` | `.name` | ApplyResourceChange | `several.yaml:17:23` |' summary.md
result $? "with a row for each finding"
run env GITHUB_STEP_SUMMARY=summary.md "$lifecheck" --format github several.yaml nowhere.yaml
[ "$(grep -c '^## lifecheck' summary.md)" = 2 ]
result $? "is added to what other steps wrote"
run env GITHUB_STEP_SUMMARY=other.md "$lifecheck" several.yaml
[ ! -e other.md ]
result $? "is not written without annotations"
wants 4 "a summary that cannot be written" env GITHUB_STEP_SUMMARY=/no/where "$lifecheck" --format github conforms.yaml
err_lines 1 "is reported in one line"
for i in $(seq 400); do
    printf -- '---\n'
    cat many.yaml
done >large.yaml
rm summary.md
run env GITHUB_STEP_SUMMARY=summary.md "$lifecheck" --format github large.yaml
[ "$(wc -c <summary.md)" -le 1048576 ] && [ "$(wc -c <summary.md)" -gt 900000 ] && grep -q 'more cases are not shown: the report would be too long' summary.md
result $? "is not longer than 1 MiB, and says what is left out"
[ $(($(grep -c '^### ' summary.md) + $(sed -n 's/^\([0-9]*\) more cases.*/\1/p' summary.md))) = 400 ]
result $? "the numbers add up"
cp summary.md full.md
head -c 100000 /dev/zero >>full.md
cp full.md before.md
wants 1 "a summary that is full" env GITHUB_STEP_SUMMARY=full.md "$lifecheck" --format github violates.yaml
cmp -s full.md before.md
result $? "stays as it is"

# ---- Markdown

wants 1 "Markdown of many findings" "$lifecheck" --format markdown large.yaml
cp stdout comment.md
[ "$(wc -c <comment.md)" -le 65536 ] && [ "$(wc -c <comment.md)" -gt 55000 ]
result $? "fits into a comment ($(wc -c <comment.md) bytes)"
cases=$(grep -c '^### ' comment.md) folded=$(grep -c '^<details>' comment.md)
[ $((cases + $(sed -n 's/^\([0-9]*\) more cases are not shown.*/\1/p' comment.md))) = 400 ] &&
    [ $((folded + $(sed -n 's/^Values, reasons and fixes of \([0-9]*\) cases.*/\1/p' comment.md))) = "$cases" ]
result $? "and says how many cases are left out, and of how many only the findings are there"
grep -q '^400 cases: ' comment.md
result $? "the sums are those of all cases"
{ for i in $(seq 6); do echo ---; cat many.yaml; done; } >six.yaml
wants 1 "with room for all findings" "$lifecheck" --format markdown six.yaml
[ "$(wc -c <stdout)" -le 65536 ] && [ "$(grep -c '^### ' stdout)" = 6 ]
result $? "all findings are there"
wants 1 "and with -v" "$lifecheck" -v --format markdown six.yaml
[ "$(grep -c '^<details>' stdout)" = 6 ] && ! grep -q 'not shown' stdout
result $? "everything is"
"$lifecheck" --format markdown legacy.yaml violates.yaml >stdout
[ "$(grep '^### ' stdout | head -n 1)" = '### `violates.yaml#changes the name` violates' ]
result $? "cases that fail come first"
wants 1 "Markdown" "$lifecheck" --format markdown several.yaml nowhere.yaml
cp stdout report.md
for count in 10 11; do
    {
        printf 'lifecheck: 1\nprior_state: null\nschema: {version: 0, block: {attributes: {m: {type: [map, string], optional: true}}}}\n'
        printf 'config: &c {m: {'
        for i in $(seq $count); do printf 'k%s: v, ' "$i"; done
        printf '}}\nplanned_state: *c\nnew_state: {m: {'
        for i in $(seq $count); do printf 'k%s: V, ' "$i"; done
        printf '}}\n'
    } >"$count.yaml"
    run "$lifecheck" --format github "$count.yaml"
    [ "$(grep -c '^::error ' stdout)" = 10 ] && [ "$(grep -c '::2 more; ' stdout)" = $((count - 10)) ]
    result $? "of $count findings 10 annotations are shown, the rest is counted"
done
wants 0 "Markdown of a clean run" "$lifecheck" --format markdown conforms.yaml
out_has "## lifecheck: no violations" "says so"
if ! command -v cmark-gfm >/dev/null; then
    echo "ok - Markdown rendered # SKIP cmark-gfm is not installed"
    exit 0
fi
cat >odd.yaml <<'EOF'
lifecheck: 1
name: "odd ` | ``` <script>x</script> [a](b) *e* \\| @x"
schema: {version: 0, block: {attributes: {m: {type: [map, string], optional: true}}}}
config: {m: {"` | <b> ``` \\|": "```\n<i>|</i>"}}
prior_state: null
planned_state: {m: {"` | <b> ``` \\|": "x```` <u> | y"}}
EOF
wants 1 "odd names in Markdown" "$lifecheck" --format markdown odd.yaml
cp stdout odd.md
for page in report.md odd.md; do
    cmark-gfm --unsafe -e table "$page" >rendered.html
    ! grep -oE '<[a-z0-9]+' rendered.html | sort -u | grep -vxE '<(h2|h3|p|table|thead|tbody|tr|th|td|ul|li|code|pre|details|summary)'
    result $? "$page: no markup of an input is rendered"
    [ "$(grep -c '<td>' rendered.html)" -gt 0 ] && [ "$(grep -c '<td>' rendered.html)" = "$(($(grep -c '^| \(error\|warning\|info\) ' "$page") * 6))" ]
    result $? "$page: rows have as many cells as columns"
done
grep -qF '<code>odd.yaml#odd ` | ``` &lt;script&gt;x&lt;/script&gt; [a](b) *e* \| @x</code>' rendered.html
result $? "names are rendered as they are"
