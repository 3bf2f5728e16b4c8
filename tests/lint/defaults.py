#!/usr/bin/env python3
"""A number that a man page calls the default of an option is the one of options.def, or of the help there. Prints those
that are not."""
import glob
import re
import sys

known, seen, bad = {}, 0, 0
for line in open("src/cli/options.def", encoding="utf-8"):
    row = re.match(r'(?:OPTION|WORDED)\((\w+), (.*)', line)
    if row:
        stated = re.search(r'"([\w-]+)", (?:0|\'.\'), "[^"]*", "[^"]*", "(\d+\w?)"', row.group(2))
        numbers = known.setdefault(row.group(1).lower().replace("_", "-"), set())
        numbers.update(re.findall(r"(?:default:? |; )(\d+\w?)", row.group(2)))
        if stated:
            known.setdefault(stated.group(1), numbers).add(stated.group(2))
for path in sorted(glob.glob("man/*.[17]")):
    text = re.sub(r'^\.\\" OPTIONS:.*?^\.\\" END', "", open(path, encoding="utf-8").read(), flags=re.S | re.M).replace("\\-", "-")
    for item in re.split(r"^\.(?:TP|SH|SS).*\n", text, flags=re.M):
        title, _, body = item.partition("\n")
        options = re.findall(r"--([a-z][a-z-]*)", title)
        for number in re.findall(r"default (?:is )?(\d+\w?)", body):
            seen += 1
            if options and not any(number in known.get(option, ()) for option in options):
                print(f"{path}: {title.strip()}: default {number}")
                bad += 1
if seen < 15:
    print(f"only {seen} defaults were found")
    bad += 1
sys.exit(bool(bad))
