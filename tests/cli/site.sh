#!/bin/bash
# The documentation as pages: each link leads somewhere, each rule and diagnosis has a page, search works from files, and links of
# reports lead to pages. With AXE=FILE, axe.min.js of the npm package axe-core, the pages have no findings of it.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
for tool in python3 cmark-gfm mandoc; do
    if ! command -v "$tool" >/dev/null; then
        echo "ok - pages # SKIP $tool is not installed"
        exit 0
    fi
done
wants 0 "the pages" python3 "$root/tools/site/site.py" "$lifecheck" site
python3 "$root/tests/cli/checks/site_check.py" site >problems
good=$?
sed '1d; /^$/d; s/^/#   /' problems
[ "$good" = 0 ]
result $? "each link leads to a page and a place: $(head -n 1 problems)"

missing=$("$lifecheck" rules | while read -r rule _; do [ -e "site/rules/$rule/index.html" ] || echo "$rule"; done)
[ -z "$missing" ]
result $? "each rule has a page $missing"
page=site/rules/apply/changed/index.html
for part in 'must have an identical value in the new state' '<td>OpenTofu and Terraform</td><td><code>was %v, but now %v</code></td>' \
    'opentofu   error (tolerated with legacy_type_system): Provider produced inconsistent result' 'terraform  error (tolerated' '<h2 id="a-near-miss">' \
    'aws-38603.yaml.html'; do
    grep -qF "$part" "$page"
    result $? "with its clause, examples and messages: ${part:0:40}"
done
! grep -rqE '<(p|td|dd|h1)>[^<]*`' site/rules site/diagnoses site/laws
result $? "no page of a rule, diagnosis or law shows a backquote"
for name in "$root"/docs/*.md; do
    [ -e "site/docs/$(basename "$name" .md).html" ]
    result $? "$(basename "$name") has a page"
done
for name in "$root"/man/*; do
    [ -e "site/man/$(basename "$name").html" ]
    result $? "$(basename "$name") has a page"
done
sed -n '/aria-label="Parts/,/<\/nav>/p' site/docs/ci.html | grep -q 'aria-current'
[ $? = 1 ] && grep -q 'index.html" aria-current=true' "$page"
result $? "a page marks the part that it belongs to, and no other"
grep -qF '<div class="scroll" tabindex="0" role="group"' site/laws/index.html && [ "$(grep -n '<main\|aria-label="Documents"' site/laws/index.html | head -n 1 | grep -c '<main')" = 1 ]
result $? "tables scroll by the keyboard, and the text comes before the list of documents"

# Links of reports: the address of the folder of rules, and a rule's name.
address=http://localhost/rules/
run "$lifecheck" --format sarif --rules-url "$address" "$data/several.yaml"
python3 - "$address" <<'EOF'
import json, os, sys
rules = [rule["helpUri"] for rule in json.load(open("stdout"))["runs"][0]["tool"]["driver"]["rules"] if "helpUri" in rule]
sys.exit(len(rules) < 400 or any(not os.path.isfile("site/rules/" + uri.removeprefix(sys.argv[1]) + "/index.html") for uri in rules))
EOF
result $? "links of SARIF lead to the pages of rules"

# ---- A link that leads nowhere

mkdir -p copy/docs
for name in "$root"/* "$root"/.[a-z]*; do
    case $name in */docs | */build | */.git) ;; *) ln -s "$name" copy/ ;; esac
done
rm copy/tools && cp -R "$root/tools" copy/tools
cp -R "$root"/docs/* copy/docs/
echo '[gone](gone.md)' >>copy/docs/ci.md
wants 1 "a link that leads nowhere" python3 copy/tools/site/site.py "$lifecheck" other
err_has "site: docs/ci.md: gone.md leads nowhere" "is named with its page"

# ---- A browser

if ! command -v chromium >/dev/null; then
    echo "ok - pages in a browser # SKIP chromium is not installed"
    exit 0
fi
browse() { # PAGE
    timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --virtual-time-budget=20000 --dump-dom "file://$work/$1" 2>/dev/null
}
if ! browse site/index.html >/dev/null; then
    echo "ok - pages in a browser # SKIP chromium does not start here"
    exit 0
fi
browse 'site/docs/ci.html?q=inconsistent+final+plan' >dom
grep -q '<li><a href="../[^"]*">[^<]*</a>' dom && grep -q '[0-9] results' dom
result $? "search finds what was asked, from files"
browse 'site/index.html?q=apply/changed' >dom
grep -o '<ol><li><a href="[^"]*">' dom | grep -qF 'rules/apply/changed/index.html'
result $? "and the rule of this name first"
browse 'site/index.html?q=nothinghasthisword' >dom
grep -q '<p>Nothing found.</p>' dom
result $? "and says if there is nothing"
[ -n "${AXE:-}" ] || exit 0
"$lifecheck" check --format html "$data/several.yaml" >site/report.html
for name in index.html docs/ci.html rules/index.html rules/apply/changed/index.html laws/index.html diagnoses/null-empty/index.html \
    scenarios/museum/README.html scenarios/museum/aws-33690.yaml.html man/lifecheck-probe.1.html report.html; do
    cp "$AXE" site/axe.js
    # shellcheck disable=SC2016 # JavaScript
    sed 's|</body>|<script src="/AXE"></script><script>axe.run().then(function (r) { document.title = "axe: " + r.violations.map(function (v) { return v.id; }).join(" "); });</script></body>|' \
        "site/$name" | sed "s|/AXE|file://$work/site/axe.js|" >"site/${name%.html}.axe.html"
    browse "site/${name%.html}.axe.html" | grep -oE '<title>axe: [^<]*</title>' >dom
    grep -qx '<title>axe: </title>' dom
    result $? "axe-core finds nothing: $name $(cat dom)"
done
