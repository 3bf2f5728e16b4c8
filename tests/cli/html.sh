#!/bin/bash
# The HTML report: one page without scripts that loads nothing, and a browser makes of it what was written.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/*.yaml .

checks() { # name
    python3 "$root/tests/cli/checks/html_check.py" stdout >problems 2>&1
    local good=$?
    sed 's/^/#   /' problems
    [ "$good" = 0 ]
    result $? "$1"
}

if ! command -v python3 >/dev/null; then
    echo "ok - HTML # SKIP python3 is not installed"
    exit 0
fi
wants 1 "HTML" "$lifecheck" --format html several.yaml nowhere.yaml
checks "is one whole page"
cp stdout several.html
out_has '<title>lifecheck: 1 violation in 1 case</title>' "says what came of it"
out_has '<li class="error"><b>ApplyResourceChange</b><span class="dim">apply</span> <span class="badge error">1 finding</span></li>' "calls are a timeline"
out_has '<tr class="diff broken"><th scope="row" class="path">.name <a href="#c1f1" title="finding 1">' "broken paths are marked in the tree"
out_has '<td class="v broken" data-c="new, actual">&quot;b&quot;</td></tr>' "evidence is a table"
out_has '<th scope="col">new<small>actual</small></th>' "and says which call is the violation"
out_has '<td class="error">&#10007; 2</td>' "types and rules are a matrix"
out_has 'nowhere.yaml: no such file' "inputs that cannot be read are reported"
run "$lifecheck" --format html several.yaml nowhere-{1..15}.yaml
checks "with many inputs that cannot be read is one whole page"
out_has '<summary class="dim">and 5 more</summary>' "and folds the messages"
wants 0 "HTML of lists" "$lifecheck" check -v --format html "$root/scenarios/plan/block-element-unknown/fail-whole-element.yaml"
out_has '<tr class="same"><th scope="row" class="path">&emsp;[0]' "elements of a list are rows"
out_has '<tr class="diff broken"><th scope="row" class="path">&emsp;[1] <a href="#c1f1" title="finding 1">' "and the broken one is marked"
printf 'resource "a_b" "c" {\n  x = each.key\n}\n' >each.tf
wants 1 "HTML of a configuration" "$lifecheck" predict --config each.tf --format html
out_has 'inside <code>dynamic &quot;x&quot;</code> it is x.key.' "what stands between backquotes is code, and escaped"
printf 'lifecheck: 1\nnaem: "`<b>`"\n' >'odd`.yaml'
wants 3 "HTML of a file with a backquote in its name" "$lifecheck" --format html 'odd`.yaml'
out_has 'odd`.yaml:1:1: a case needs the key &quot;schema&quot;: <code>schema: {file: schemas.json' "only pairs in sentences are code"
wants 0 "HTML of the rules" "$lifecheck" rules --format html
! grep -q '`' stdout
result $? "has no backquotes"
wants 0 "HTML of a clean run" "$lifecheck" --format html conforms.yaml
checks "is one whole page"
wants 0 "HTML with -v" "$lifecheck" -v --format html conforms.yaml
out_has '<table class="tree">' "shows cases that pass"
run "$lifecheck" check --lint --format html "$root/testdata/lint"
checks "mistakes in scenarios are one whole page"
for options in "" "-v --strict"; do
    # shellcheck disable=SC2086 # words
    (cd "$root" && "$lifecheck" check --lint $options --format html scenarios testdata/captures testdata/plans) >stdout 2>stderr
    checks "all scenarios and recordings${options:+ with $options} are one whole page"
done

# ---- What a reader looks for

run "$lifecheck" --format html several.yaml leaves.yaml
checks "findings of several types are one whole page"
out_has '<li><span class="badge error">error</span> <a href="#c1f1">apply/changed</a> <code>.name in ApplyResourceChange</code> the value is not the planned one <span class="dim">several.yaml#violates</span></li>' "findings are a list that leads to them"
[ "$(grep -c '^<section id="r-' stdout)" = "$(grep -o 'href="#r-[^"]*' stdout | sort -u | wc -l)" ]
result $? "each broken rule is there once"
grep -q '<h3><span class="badge error">error</span> <a href="#r-apply/changed">apply/changed</a>' stdout && ! grep -q 'href="[^#]' stdout
result $? "findings lead to rules, and nothing to another page"
run "$lifecheck" --format html --rules-url 'https://docs.example/r?a&n=' several.yaml
out_has '<h3><a href="https://docs.example/r?a&amp;n=apply/changed">apply/changed</a></h3>' "unless an address is given"
cat >appeared.yaml <<'EOF'
lifecheck: 1
schema: {version: 0, block: {attributes: {tags: {type: [map, string], optional: true}, id: {type: string, computed: true}}}}
config: {tags: {a: b}}
prior_state: null
planned_state: {tags: {a: b}, id: !unknown }
new_state: {tags: {a: b, team: x}, id: y}
EOF
wants 1 "an element that appeared" "$lifecheck" --format html appeared.yaml
out_has '[&quot;team&quot;] <a href="#c1f1" title="finding 1">&#10007;</a></th><td class="v"></td><td class="v"></td><td class="v broken">&quot;x&quot;</td>' "is marked as broken, not as changed"
out_has '<span class="key broken">violation</span> <span class="key diff">differs from the state before</span>' "and marks are explained"
grep -q '<i>!unknown</i>' stdout && ! grep -q 'unknown&quot;:true\|<i>unknown' stdout
result $? "what is unknown is spelled as in scenarios"
wants 0 "cases that expect violations" "$lifecheck" --format html "$root/scenarios/plan"
out_has '<title>lifecheck: all cases meet their expectation</title>' "have their own words"
! grep -q 'no violations' stdout
result $? "and not those of a provider that keeps all"
{
    printf '{"recording":{"format":1,"by":"lifecheck 0.1.0","redacted":true,"client":{"name":"terraform","version":"1.11.4"},"providers":[{"address":"registry.terraform.io/hashicorp/random","version":"3.7.2"}]}}\n'
    cat "$root/testdata/captures/fault-none.jsonl"
} >told.jsonl
run "$lifecheck" --format html told.jsonl
checks "a recording that tells of itself is one whole page"
out_has 'told.jsonl</code>: terraform 1.11.4, registry.terraform.io/hashicorp/random 3.7.2; recorded by lifecheck 0.1.0; secrets are redacted' "with client and providers in its head"
cp stdout first.html
sleep 1
"$lifecheck" --format html told.jsonl | cmp -s - first.html
result $? "the same input gives the same bytes: there is no clock in it"

cat >odd.yaml <<'EOF'
lifecheck: 1
name: "odd </title><script>alert(1)</script> &amp; \u0001 \u2028 \" ' end"
resource: 'x<b>.y'
schema: {version: 0, block: {attributes: {m: {type: [map, string], optional: true}}}}
config: {m: {"<i>\"k": "</td><img src=x onerror=y>", "k\u0001": v}}
prior_state: null
planned_state: {m: {"<i>\"k": "</td><img src=y>", "k\u0001": w}}
new_state: {m: {"<i>\"k": "</td><img src=y>", "k\u0001": w}}
EOF
wants 1 "texts from inputs" "$lifecheck" --format html odd.yaml
checks "are escaped"
out_has '&lt;/td&gt;&lt;img src=x onerror=y&gt;' "and there"

# ---- The size of many findings

{
    printf 'lifecheck: 1\nprior_state: null\ncases:\n'
    for i in $(seq 40); do
        printf '  - name: case %s\n    resource: t%s.x\n    schema: {version: 0, block: {attributes: {' "$i" "$((i % 12))"
        for k in $(seq 25); do printf 'a%s: {type: string, optional: true}, ' "$k"; done
        printf 'z: {type: string, optional: true}}}}\n    config: &c%s {' "$i"
        for k in $(seq 25); do printf 'a%s: v, ' "$k"; done
        printf '}\n    planned_state: *c%s\n    new_state: {' "$i"
        for k in $(seq 25); do printf 'a%s: V, ' "$k"; done
        printf '}\n'
    done
} >thousand.yaml
wants 1 "1,000 findings" "$lifecheck" --format html thousand.yaml
[ "$(grep -c '<article' stdout)" = 1000 ] && [ "$(wc -c <stdout)" -lt 3000000 ]
result $? "are less than 3 MB ($(wc -c <stdout) bytes)"
checks "are one whole page"
[ "$(grep -c '^<details class="group"' stdout)" = 12 ]
result $? "in groups by type"
left=0
for more in $(sed -n 's/^<li class="dim">and \([0-9]*\) more, with.*/\1/p' stdout); do left=$((left + more)); done
[ "$(grep -c '^<li><span class="badge error">' stdout)" = 500 ] && [ "$left" = 500 ]
result $? "500 of them in the list, the others are counted"
{
    printf 'lifecheck: 1\nprior_state: null\nschema: {version: 0, block: {attributes: {a: {type: string, optional: true}}}}\nconfig: {a: v}\nplanned_state: {a: v}\ncases:\n'
    for i in $(seq 400); do printf '  - {name: bad %s, new_state: {a: w}}\n' "$i"; done
} >more.yaml
wants 1 "400 cases that fail" "$lifecheck" --format html more.yaml
checks "are one whole page"
[ "$(grep -c '^<details class="case' stdout)" = 300 ] && grep -q '^<p>100 more cases are not shown here' stdout
result $? "300 of them are shown"
wants 1 "and with -v" "$lifecheck" -v --format html more.yaml
[ "$(grep -c '^<details class="case' stdout)" = 400 ]
result $? "all"

# ---- A browser

if ! command -v chromium >/dev/null; then
    echo "ok - HTML in a browser # SKIP chromium is not installed"
    exit 0
fi
browse() { # URL
    timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --dump-dom "$1" 2>/dev/null
}
if ! browse about:blank >/dev/null; then
    echo "ok - HTML in a browser # SKIP chromium does not start here"
    exit 0
fi
for page in several odd; do
    [ "$page" = several ] || "$lifecheck" --format html odd.yaml >odd.html
    browse "file://$work/$page.html" >dom
    python3 - "$page.html" dom >problems <<'EOF'
import sys
from html.parser import HTMLParser

def events(path):
    found = []
    parser = HTMLParser(convert_charrefs=True)
    parser.handle_starttag = lambda tag, attrs: found.append((tag, sorted(attrs)))
    parser.handle_data = lambda data: found.append(data.strip()) if data.strip() else None
    with open(path, encoding="utf-8") as file:
        parser.feed(file.read())
    return [(tag, [(n, v or "") for n, v in attrs]) for tag, attrs in (e for e in found if isinstance(e, tuple)) if tag != "tbody"], \
        "".join(e for e in found if isinstance(e, str))

written, shown = events(sys.argv[1]), events(sys.argv[2])
if written != shown:
    print("elements", len(written[0]), len(shown[0]), "text", len(written[1]), len(shown[1]))
EOF
    cat problems
    [ -s dom ] && [ ! -s problems ]
    result $? "$page: a browser sees the elements and the text that were written"
done
