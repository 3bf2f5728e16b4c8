#!/usr/bin/env python3
"""site_check.py FOLDER: each page of a site is whole: elements are closed, headings are in order, ids are unique; each link leads to a
file and a place that are there; nothing is loaded from elsewhere. Prints the number of pages and links, then what is wrong."""
import os
import posixpath
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}
OPTIONAL = {"p", "li", "dt", "dd"}  # their ends may be left out


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.wrong, self.level, self.mains = [], set(), [], [], 0, 0

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            if int(tag[1]) > self.level + 1:
                self.wrong.append(f"{tag} after h{self.level}")
            self.level = int(tag[1])
        self.mains += tag == "main"
        if "id" in values:
            if values["id"] in self.ids:
                self.wrong.append(f"the id {values['id']} is there twice")
            self.ids.add(values["id"])
        for name in ("href", "src"):
            if name in values:
                self.links.append((values[name] or "", tag != "a"))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")


root, pages, wrong, links = sys.argv[1], {}, [], 0
for folder, _, names in os.walk(root):
    for name in names:
        if name.endswith(".html"):
            path = os.path.relpath(os.path.join(folder, name), root)
            pages[path] = Page()
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                pages[path].feed(file.read())
for path, page in sorted(pages.items()):
    wrong += [f"{path}: {each}" for each in page.wrong]
    if page.mains != 1:
        wrong.append(f"{path}: {page.mains} elements main")
    for link, loaded in page.links:
        links += 1
        if re.match("https?:", link):
            wrong += [f"{path}: loads {link}"] if loaded else []
            continue
        to, _, place = link.partition("#")
        to = posixpath.normpath(posixpath.join(posixpath.dirname(path), to)) if to else path
        if not os.path.isfile(os.path.join(root, to)):
            wrong.append(f"{path}: {link} leads nowhere")
        elif place and place not in pages[to].ids:
            wrong.append(f"{path}: {link} is not a place in {to}")
print(len(pages), "pages,", links, "links")
print("\n".join(wrong[:30]))
sys.exit(bool(wrong))
