#!/usr/bin/env python3
"""site.py PROGRAM FOLDER: the documents, rules, diagnoses, laws and man pages as HTML pages that need no server. Pages have the
paths of their sources: docs/ci.md becomes docs/ci.html. The page of a rule is rules/FAMILY/NAME/index.html, so that the
address of rules/ is what --rules-url takes. cmark-gfm makes the Markdown, mandoc the man pages, PROGRAM the rest.
A link to a file that is not there is an error."""
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SECTIONS = [("index.html", "Start"), ("docs/tutorial.html", "Tutorial"), ("rules/index.html", "Rules"), ("diagnoses/index.html", "Diagnoses"),
            ("laws/index.html", "Laws"), ("scenarios/museum/README.html", "Museum"), ("man/index.html", "Man pages")]
TAG = re.compile(r"<[^>]+>")
EXAMPLES = 30  # of one rule, each folded

escape = html.escape


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)
    if done.returncode not in (0, 1):
        sys.exit(f"site: {' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def prose(text):
    """A sentence as HTML: what stands between backquotes is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def plain(markup):
    return " ".join(html.unescape(TAG.sub(" ", markup)).split())


class Site:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        self.pages, self.index, self.wrong, self.more = {}, [], [], []
        self.rules = json.loads(run(self.program, "rules", "--format", "json"))
        names = re.findall(r"^\.B (\S+)$", read("man/lifecheck-rules.7").split(".SH DIAGNOSES")[1], re.M)
        self.diagnoses = [json.loads(run(self.program, "explain", name.replace("\\-", "-"), "--format", "json"))[0] for name in names]
        self.named = {rule["rule"]: f"rules/{rule['rule']}/index.html" for rule in self.rules}
        self.named.update({d["diagnosis"]: f"diagnoses/{d['diagnosis']}/index.html" for d in self.diagnoses})
        self.manual = sorted(name for name in os.listdir(os.path.join(ROOT, "man")) if name.startswith("lifecheck"))
        linked = re.findall(r"\]\(docs/([\w-]+)\.md\)", read("README.md").split("## Documentation")[1])
        every = sorted(name[:-3] for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
        order = linked + every
        every.sort(key=order.index)
        self.documents = [(f"docs/{name}.html", re.match(r"# (.*)", read(f"docs/{name}.md")).group(1)) for name in every]

    # ---- Pages

    def link(self, page, to):
        path, mark, place = to.partition("#")
        return escape(posixpath.relpath(path, posixpath.dirname(page) or ".") + mark + place) if path else mark + place

    def items(self, page, pairs, section=False):
        """Links as a list; the one that leads here, or to the list that has this page, is marked."""
        def here(to):
            return "page" if to == page else "true" if section and not to.startswith("docs/") and page.startswith(posixpath.dirname(to) + "/") else ""

        return "".join(f'<li><a href="{self.link(page, to)}"{here(to) and f" aria-current={here(to)}"}>{prose(title)}</a></li>\n' for to, title in pairs)

    def add(self, page, title, body, text=None, kind="Page"):
        """`text`: what search finds; without it the body, section by section."""
        body = self.headings(body)
        heads = re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', body)
        contents = "".join(f'<li><a href="#{place}">{TAG.sub("", head)}</a></li>\n' for place, head in heads)
        contents = f'<nav class="side contents" aria-label="On this page"><p>On this page</p><ul>\n{contents}</ul></nav>'
        up = self.link(page, "site")[:-4]
        self.pages[page] = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{prose(title)}{"" if title == "lifecheck" else " - lifecheck"}</title>
<link rel="stylesheet" href="{up}site.css">
<script defer src="{up}search.js" data-root="{up}"></script>
</head><body>
<a class="skip" href="#main">Skip to the text</a>
<header><a class="home" href="{up}index.html">lifecheck</a>
<nav aria-label="Parts of this site"><ul>
{self.items(page, SECTIONS, True)}</ul></nav>
<div id="search" role="search"></div></header>
<div class="frame">
<main id="main">
{body}</main>
<nav class="side documents" aria-label="Documents"><ul>
{self.items(page, self.documents)}</ul></nav>
{contents if len(heads) > 2 else ""}
</div></body></html>
"""
        if text is not None:
            self.index.append([page, title, kind, text])
            return
        parts = re.split(r'<h[23] id="([^"]*)">(.*?)</h[23]>', body)
        self.index.append([page, title, kind, plain(parts[0])])
        for place, head, part in zip(parts[1::3], parts[2::3], parts[3::3]):
            self.index.append([f"{page}#{place}", f"{title}: {plain(head)}", kind, plain(part)])

    @staticmethod
    def headings(body):
        """Ids as GitHub gives them, and tables and blocks that scroll by the keyboard, too."""
        used = set()

        def one(match):
            if " id=" in match.group(2):
                return match.group(0)
            name = re.sub(r"[^\w\- ]", "", plain(match.group(3)).lower()).replace(" ", "-")
            place, count = name, 0
            while place in used:
                count += 1
                place = f"{name}-{count}"
            used.add(place)
            return f'<h{match.group(1)} id="{place}">{match.group(3)}</h{match.group(1)}>'

        body = re.sub(r"<h([1-4])([^>]*)>(.*?)</h\1>", one, body, flags=re.S)
        body = re.sub(r"<table", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table', body).replace("</table>", "</table></div>")
        return body.replace("<pre>", '<pre tabindex="0">')

    def names(self, page, body):
        """Rules, diagnoses and man pages that are named alone in code or in a cell of a table are links."""
        def code(match):
            to = self.named.get(match.group(1).removeprefix("lifecheck explain "))
            man = re.fullmatch(r"man (?:\d )?([\w-]+)", match.group(1))
            found = [name for name in self.manual if man and name.rpartition(".")[0] == man.group(1)]
            to = f"man/{found[0]}.html" if found else to
            return f'<a href="{self.link(page, to)}">{match.group(0)}</a>' if to and to != page else match.group(0)

        def cell(match):
            words = match.group(2).split(", ")
            if not all(word in self.named for word in words):
                return match.group(0)
            return match.group(1) + ", ".join(f'<a href="{self.link(page, self.named[w])}">{w}</a>' for w in words) + "</td>"

        parts = re.split(r"(<(?:pre|a)[ >].*?</(?:pre|a)>)", body, flags=re.S)
        for i in range(0, len(parts), 2):
            parts[i] = re.sub(r"<code>([^<]*)</code>", code, parts[i])
            parts[i] = re.sub(r"(<td[^>]*>)([^<]+)</td>", cell, parts[i])
            parts[i] = re.sub(r"(<b>)?(lifecheck[\w-]*)(</b>)? ?\((\d)\)", lambda m: self.manual_link(page, m), parts[i])
        return "".join(parts)

    def manual_link(self, page, match):
        name = f"{match.group(2)}.{match.group(4)}"
        return f'<a href="{self.link(page, f"man/{name}.html")}">{match.group(2)}({match.group(4)})</a>' if name in self.manual and page != f"man/{name}.html" else match.group(0)

    # ---- Documents, and files that they name

    def target(self, source, page, address):
        """Where a link of a document leads; what it names becomes part of the site."""
        if re.match(r"[a-z]+:|#", address):
            return address
        path, mark, place = address.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if os.path.isdir(os.path.join(ROOT, path)):
            path += "/README.md"
        if path.startswith("../") or not os.path.isfile(os.path.join(ROOT, path)):
            self.wrong.append(f"{source}: {address} leads nowhere")
            return address
        to = "index.html" if path == "README.md" else path[:-3] + ".html" if path.endswith(".md") else path if path.endswith(".png") else path + ".html"
        if to not in self.pages and path not in self.more:
            self.more.append(path)
        return self.link(page, to + mark + place)

    def document(self, source):
        page = "index.html" if source == "README.md" else source[:-3] + ".html"
        extensions = [word for name in ("table", "strikethrough", "autolink") for word in ("-e", name)]
        body = run("cmark-gfm", *extensions, text=re.sub(r"<!--.*?-->\n?", "", read(source), flags=re.S))
        body = re.sub(r'(href|src)="([^"]*)"', lambda m: f'{m.group(1)}="{escape(self.target(source, page, html.unescape(m.group(2))))}"', body)
        title = plain(re.search(r"<h1>(.*?)</h1>", body, re.S).group(1))
        self.add(page, title, self.names(page, body), kind="Museum" if "museum" in source else "Document")

    def file(self, source):
        page, text = source + ".html", read(source)
        about = []
        while source.endswith(".yaml") and text.startswith("#"):
            line, _, text = text.partition("\n")
            about.append(line.lstrip("# "))
        title = next((line.partition(": ")[2] for line in about if line.startswith("Mechanism: ")), source)
        title = title[:1].upper() + title[1:] if title != source else title
        lines = [f'<a href="{escape(line)}">{escape(line)}</a><br>' if line.startswith("https://") else
                 escape(line) + ("<br>" if re.match(r"[A-Z]\w+: ", line) else "") if line else "</p><p>" for line in about]
        body = f"<h1>{prose(title)}</h1>\n" + (f"<p>{chr(10).join(lines)}</p>\n" if lines else "")
        body += f"<h2>{escape(posixpath.basename(source))}</h2>\n<pre><code>{escape(text)}</code></pre>\n"
        if source.startswith("scenarios/") and source.endswith(".yaml"):
            body += f"<h2>What lifecheck reports</h2>\n{self.console(source)}"
        museum = source.startswith("scenarios/museum/")
        self.add(page, title, self.names(page, body), text=plain("".join(lines)), kind="Museum" if museum else "File")

    def console(self, source, first=False):
        """What -v prints, or only the first finding."""
        printed = run(self.program, "check", "--no-settings", "-v", "--width", "100", source)
        if first:
            printed = printed.split("\n\n")[0] + "\n"
        return f"<pre><code>$ lifecheck check -v {escape(source)}\n{escape(printed)}</code></pre>\n"

    # ---- Rules, diagnoses, laws

    def fixes(self, fix):
        return [("Fix", fix["framework"])] if fix["framework"] == fix["sdkv2"] else [("Fix, framework", fix["framework"]), ("Fix, SDKv2", fix["sdkv2"])]

    @staticmethod
    def terms(rows):
        shown = [(name, prose(text)) for name, text in rows if text]
        return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>\n" for name, text in shown) + "</dl>\n"

    def rule(self, rule):
        slug = rule["rule"]
        page = self.named[slug]
        quote = f'"{rule["quote"]}" ({rule["clause"]})' if rule["quote"] else rule["clause"]
        rows = [("Strength", f'{rule["strength"]}; at fault: {rule["blame"]}'), ("Source", quote), ("Mirrors", rule["core_function"]),
                ("Checked in", ", ".join(rule["calls"])), ("Applies when", rule["applies_when"]), ("Needs", ", ".join(rule["needs"])),
                ("OpenTofu", rule["opentofu"]), ("Terraform", rule["terraform"]), ("Versions", rule.get("versions", ""))] + self.fixes(rule["fix"])
        body = f'<p class="dim"><a href="{self.link(page, "rules/index.html")}">Rules</a> / {slug.split("/")[0]}</p>\n<h1><code>{slug}</code> {prose(rule["title"])}</h1>\n'
        body += f"<p>{prose(rule['requirement'] if 'requirement' in rule else rule['promise'])}</p>\n{self.terms(rows)}"
        if rule["messages"]:
            body += "<h2>What is printed</h2>\n<p class=\"dim\">%v is a value, %a an address, %q a provider, %* anything.</p>\n<table><thead><tr><th>by</th><th>message</th></tr></thead><tbody>\n"
            body += "".join(f"<tr><td>{m['by']}</td><td><code>{escape(m['pattern'])}</code></td></tr>\n" for m in rule["messages"]) + "</tbody></table>\n"
        body += self.examples(slug) + self.museum_of(3, slug, page)
        text = " ".join([rule["promise"], quote] + [m["pattern"] for m in rule["messages"]] + list(rule["fix"].values()))
        self.add(page, f"{slug}: {rule['title']}", self.names(page, body), text=text, kind="Rule")

    def examples(self, slug):
        folder = "scenarios/" + slug
        if not os.path.isdir(os.path.join(ROOT, folder)):
            return ""
        names = sorted(name for name in os.listdir(os.path.join(ROOT, folder)) if re.match(r"(fail|pass)-.*\.yaml$", name))
        body = ""
        for kind, title in (("fail", "A violation"), ("pass", "A near miss")):
            own = [f"{folder}/{name}" for name in names if name.startswith(kind)]
            if own:
                body += f"<h2>{title}</h2>\n<p><code>{own[0]}</code></p>\n<pre><code>{escape(read(own[0]))}</code></pre>\n"
                body += self.console(own[0], first=True) if kind == "fail" else ""
            body += "".join(f"<details><summary>{posixpath.basename(source)}</summary>\n<pre><code>{escape(read(source))}</code></pre></details>\n"
                            for source in own[1:EXAMPLES])
        return body

    def rule_list(self):
        page, families = "rules/index.html", {}
        for rule in self.rules:
            families.setdefault(rule["rule"].split("/")[0], []).append(rule)
        body = "<h1>Rules</h1>\n<p>Each rule is one requirement of the contract between a provider and its client.</p>\n"
        for family, rules in families.items():
            body += f"<h2>{family}</h2>\n<table><thead><tr><th>rule</th><th>requirement</th><th>strength</th><th>at fault</th></tr></thead><tbody>\n"
            body += "".join(f'<tr><td id="{rule["rule"]}"><a href="{self.link(page, self.named[rule["rule"]])}"><code>{rule["rule"]}</code></a></td><td>{prose(rule["title"])}</td><td>{rule["strength"]}</td><td>{rule["blame"]}</td></tr>\n' for rule in rules)
            body += "</tbody></table>\n"
        self.add(page, "Rules", body, text="", kind="Rule")

    def diagnosis_pages(self):
        page, rows = "diagnoses/index.html", ""
        for d in self.diagnoses:
            name, proof = d["diagnosis"], "exact: the values prove it" if d["confidence"] == "exact" else "likely: the usual cause"
            own = self.named[name]
            body = f'<p class="dim"><a href="{self.link(own, page)}">Diagnoses</a></p>\n<h1><code>{name}</code></h1>\n<p>{prose(d["why"][:1].upper() + d["why"][1:])}.</p>\n'
            body += self.terms([("Confidence", proof), ("Seen in", d["seen_in"])] + self.fixes(d["fix"])) + self.museum_of(4, name, own)
            self.add(own, name, body, text=" ".join([d["why"], d["seen_in"]] + list(d["fix"].values())), kind="Diagnosis")
            rows += f'<tr><td><a href="{self.link(page, own)}"><code>{name}</code></a></td><td>{prose(d["why"])}</td><td>{d["confidence"]}</td></tr>\n'
        self.add(page, "Diagnoses", "<h1>Diagnoses</h1>\n<p>A diagnosis is the cause of a violation, as the values show it. It never changes a verdict.</p>\n"
                 f"<table><thead><tr><th>diagnosis</th><th>cause</th><th>confidence</th></tr></thead><tbody>\n{rows}</tbody></table>\n", text="", kind="Diagnosis")

    def museum_of(self, column, name, page):
        rows = [line.split(" | ") for line in read("scenarios/museum/README.md").splitlines() if line.startswith("| ")]
        found = [re.match(r"\[(.*)\]\((.*)\)$", row[2]) for row in rows if name in row[column].split(", ")]
        return "<h2>In the museum</h2>\n<ul>" + "".join(
            f'<li><a href="{self.link(page, "scenarios/museum/" + m.group(2) + ".html")}">{escape(m.group(1))}</a></li>\n' for m in found if m) + "</ul>\n" if found else ""

    def laws(self):
        page, rows = "laws/index.html", ""
        for law in re.findall(r'^LAW\((\d+), "([^"]*)", LC_(\w+), (\w+), "([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)"\)$', read("include/lifecheck/probe/laws.def"), re.M):
            number, name, strength, asked, title, needs, rules, guard = law
            links = ", ".join(f'<a href="{self.link(page, self.named[r])}">{r}</a>' if r in self.named else r for r in rules.split())
            rows += (f'<tr id="{name}"><td>{number}</td><td><code>{name}</code><br>{prose(title)}</td><td>{strength.lower().replace("_rule", "")}'
                     f'{"" if asked == "true" else ", not tried by probe"}</td><td>{prose(needs)}</td><td>{links}</td><td>{prose(guard)}</td></tr>\n')
        self.add(page, "Laws", "<h1>Laws</h1>\n<p><code>lifecheck probe</code> compares the responses of a provider with each other. "
                 "A law says which responses must agree. <code>man lifecheck-probe</code> describes the requests.</p>\n<table><thead><tr><th>law</th><th>requirement</th><th>strength</th><th>needs</th><th>rules</th><th>kept from false alarms by</th></tr></thead>"
                 f"<tbody>\n{rows}</tbody></table>\n", kind="Law")
        self.pages[page] = self.names(page, self.pages[page])

    # ---- Man pages

    def man_pages(self):
        items = ""
        for name in self.manual:
            page, text = f"man/{name}.html", read("man/" + name)
            body = run("mandoc", "-T", "html", "-O", "fragment", text=text)
            body = re.sub(r'<table class="(head|foot)">.*?</table>', "", body, flags=re.S)
            body = re.sub(r'<h([12]) class="S[hs]" id="([^"]*)"><a class="permalink" href="[^"]*">(.*?)</a></h\1>',
                          lambda m: f'<h{int(m.group(1)) + 1} id="{m.group(2)}">{m.group(3).capitalize() if m.group(1) == "1" else m.group(3)}</h{int(m.group(1)) + 1}>', body, flags=re.S)
            body = re.sub(r'<a class="permalink" href="[^"]*">(.*?)</a>', r"\1", body, flags=re.S)
            title = f"{name.rpartition('.')[0]}({name[-1]})"
            what = plain(re.search(r'id="NAME">.*?</h2>\s*<p class="Pp">(.*?)</p>', body, re.S).group(1)).partition(" - ")[2]
            body = f'<p class="dim"><a href="{self.link(page, "man/index.html")}">Man pages</a></p>\n<h1>{title}</h1>\n{body}'
            self.add(page, title, self.names(page, body), kind="Man page", text=what if name == "lifecheck-rules.7" else None)
            items += f'<tr><td><a href="{self.link("man/index.html", page)}">{title}</a></td><td>{escape(what)}</td></tr>\n'
        self.add("man/index.html", "Man pages", f"<h1>Man pages</h1>\n<table><thead><tr><th>page</th><th>about</th></tr></thead><tbody>\n{items}</tbody></table>\n", text="", kind="Man page")

    # ---- All

    def write(self):
        self.more += ["README.md", "CHANGELOG.md", "scenarios/museum/README.md"] + [page[:-5] + ".md" for page, _ in self.documents]
        done = set()
        while self.more:
            source = self.more.pop(0)
            if source in done:
                continue
            done.add(source)
            if source.endswith(".md"):
                self.document(source)
            elif source.endswith(".png"):
                os.makedirs(os.path.join(self.folder, os.path.dirname(source)), exist_ok=True)
                shutil.copyfile(os.path.join(ROOT, source), os.path.join(self.folder, source))
            else:
                self.file(source)
        for rule in self.rules:
            self.rule(rule)
        self.rule_list()
        self.diagnosis_pages()
        self.laws()
        self.man_pages()
        for page, text in self.pages.items():
            path = os.path.join(self.folder, page)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(self.folder, "index.js"), "w", encoding="utf-8") as file:
            file.write("var lifecheckPages = " + json.dumps(self.index, ensure_ascii=False).replace("</", "<\\/") + ";\n")
        with open(os.path.join(self.folder, "site.css"), "w", encoding="utf-8") as file:
            file.write(read("share/lifecheck/report.css") + read("tools/site/site.css"))
        shutil.copyfile(os.path.join(HERE, "search.js"), os.path.join(self.folder, "search.js"))


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: site.py PROGRAM FOLDER")
    for tool in ("cmark-gfm", "mandoc"):
        if not shutil.which(tool):
            sys.exit(f"site: {tool} is not installed; sh .ci/deps --test installs it")
    site = Site(sys.argv[1], sys.argv[2])
    site.write()
    if site.wrong:
        sys.exit("\n".join("site: " + line for line in site.wrong))
    print(f"{len(site.pages)} pages: {os.path.join(sys.argv[2], 'index.html')}")


if __name__ == "__main__":
    main()
