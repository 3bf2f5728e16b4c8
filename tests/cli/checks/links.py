#!/usr/bin/env python3
"""links.py DOCUMENT...: each relative link of a Markdown document leads to a file, and its anchor to a heading there.
Prints the links that do not."""
import os
import re
import sys


def prose(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)


def anchors(path):
    names = set()
    for heading in re.findall(r"^#+ (.*)$", prose(path), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return names


for document in sys.argv[1:]:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        if ":" in link:
            continue
        path, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(document), path) if path else document
        if not os.path.exists(target) or anchor and anchor not in anchors(target):
            print(f"{document}: {link}")
