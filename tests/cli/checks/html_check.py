#!/usr/bin/env python3
"""html_check.py FILE: is this one page that needs nothing else? Elements are closed in order, headings
are in order and within main, frames that scroll can be focused, ids are unique, links lead to them, there is no script, and nothing is
loaded. Prints what is wrong; the exit status says whether anything is."""
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "input"}
KNOWN = set("""html head meta title style body h1 h2 h3 h4 p br ul ol li table thead tbody tr th td details summary
    div span code b i a article dl dt dd
    mark small label section main nav""".split()) | VOID
ATTRIBUTES = set("lang charset name content class id href open colspan data-c type for scope tabindex role title aria-label".split())


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.wrong = [], set(), set(), []
        self.level, self.mains = 0, 0

    def say(self, what):
        self.wrong.append(f"line {self.getpos()[0]}: {what}")

    def handle_starttag(self, tag, attrs):
        if tag not in KNOWN:
            self.say(f"the element {tag}")
        for name, value in attrs:
            if name not in ATTRIBUTES or (name == "href" and not value.startswith("#")):
                self.say(f"{tag}: {name}={value}")
            if name == "id" and value in self.ids:
                self.say(f"the id {value} is there twice")
            if name == "id":
                self.ids.add(value)
            if name == "href" or name == "for":
                self.links.add(value.removeprefix("#"))
            if name == "type" and value != "checkbox":
                self.say(f"an input of type {value}")
        if tag == "th" and dict(attrs).get("scope") not in ("col", "row"):
            self.say("a heading that does not say of what")
        if re.fullmatch("h[1-6]", tag):
            if int(tag[1]) > self.level + 1 or "main" not in self.open:
                self.say(f"{tag} after h{self.level}, or outside of main")
            self.level = int(tag[1])
        self.mains += tag == "main"
        if tag == "div" and dict(attrs).get("class") == "scroll" and (dict(attrs).get("tabindex") != "0" or not dict(attrs).get("aria-label")):
            self.say("a frame that does not scroll by the keyboard, or has no name")
        if tag == "td" and "tr" not in self.open:
            self.say("a cell outside of a row")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.say(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if any(ord(char) < 32 and char not in "\n\t" for char in data):
            self.say("a control character")
        if self.open and self.open[-1] == "style" and ("url(" in data or "@import" in data):
            self.say("the style sheet loads something")

    def handle_comment(self, data):
        self.say("a comment")


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
page = Page()
page.feed(text)
page.close()
if not text.startswith("<!DOCTYPE html>\n"):
    page.wrong.append("no document type")
if page.mains != 1:
    page.wrong.append(f"{page.mains} elements main")
page.wrong += [f"{tag} is left open" for tag in page.open]
page.wrong += [f"a link to {link}, which is not there" for link in sorted(page.links - page.ids)]
for each in page.wrong[:20]:
    print(each)
sys.exit(1 if page.wrong else 0)
