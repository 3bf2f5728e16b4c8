#!/usr/bin/env python3
"""tap_check.py FILE: is this a TAP 14 stream? Numbers without gaps, a plan at each level, subtests
that agree with the test behind them, YAML blocks that a YAML reader takes (where there is one).
Prints what is wrong; the exit status says whether anything is."""
import re
import sys

try:
    import yaml
except ImportError:
    yaml = None
TEST = re.compile(r"^(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO) (.+))?$")
wrong = []


def block(lines, at, indent):
    """The YAML block that begins at this line; what stands behind it."""
    end = at + 1
    while end < len(lines) and lines[end] != indent + "  ...":
        if not lines[end].startswith(indent + "  "):
            wrong.append(f"line {end + 1}: leaves its YAML block")
        end += 1
    if yaml:
        try:
            found = yaml.safe_load("\n".join(line[len(indent) + 2:] for line in lines[at + 1:end]))
            if not isinstance(found, dict):
                wrong.append(f"line {at + 1}: the YAML block is not a mapping")
        except yaml.YAMLError as error:
            wrong.append(f"line {at + 1}: {error}")
    return end + 1


def level(lines, at, indent):
    """Tests of one level: the line behind them, and whether all are well."""
    plan, count, good, child = None, 0, True, None
    while at < len(lines) and lines[at].startswith(indent):
        line = lines[at][len(indent):]
        if line.startswith("    "):
            at, child = level(lines, at, indent + "    ")
            continue
        test = TEST.match(line)
        if test:
            count += 1
            if int(test[2]) != count:
                wrong.append(f"line {at + 1}: number {test[2]} is not {count}")
            passed = not test[1] or test[4] is not None
            if child is not None and child != passed:
                wrong.append(f"line {at + 1}: does not agree with its subtest")
            good, child = good and passed, None
        elif line == "  ---":
            at = block(lines, at, indent)
            continue
        elif re.match(r"^1\.\.\d+( # SKIP .*)?$", line) and plan is None:
            plan = int(line[3:].split()[0])
        elif not line.startswith("# "):
            wrong.append(f"line {at + 1}: {line[:60]}")
        at += 1
    if plan != count:
        wrong.append(f"line {at}: {count} tests, a plan of {plan}")
    return at, good


with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
    text = file.read().split("\n")
if text[0] != "TAP version 14" or text[-1] != "":
    wrong.append("no version, or no line end")
last, _ = level(text[1:-1], 0, "")
if last != len(text) - 2:
    wrong.append(f"line {last + 2}: does not belong to any level")
for each in wrong[:20]:
    print(each)
sys.exit(1 if wrong else 0)
