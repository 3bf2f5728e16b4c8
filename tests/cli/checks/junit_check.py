#!/usr/bin/env python3
"""junit_check.py FILE: is this a JUnit report that strict readers take? Only elements and attributes
that the common readers know, totals that are right at every level, and one outcome a test. Prints
what is wrong; the exit status says whether anything is."""
import sys
import xml.etree.ElementTree as tree

COUNTS = {"tests", "failures", "errors", "skipped"}
SHAPES = {
    "testsuites": (COUNTS | {"name"}, {"testsuite"}),
    "testsuite": (COUNTS | {"name"}, {"testcase", "system-out"}),
    "testcase": ({"classname", "name"}, {"failure", "error", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}
OUTCOMES = {"failure": "failures", "error": "errors", "skipped": "skipped"}
wrong = []


def shape(element):
    attributes, children = SHAPES.get(element.tag, (set(), set()))
    if element.tag not in SHAPES or set(element.keys()) != attributes:
        wrong.append(f"{element.tag}: attributes {sorted(element.keys())}")
    for child in element:
        if child.tag not in children:
            wrong.append(f"{element.tag}: holds {child.tag}")
        shape(child)
    if element.tag in ("testsuites", "testsuite", "testcase") and (element.text or "").strip():
        wrong.append(f"{element.tag}: text outside of a test's outcome")


def names(suite):
    seen = [test.get("name") for test in suite]
    for name in sorted({name for name in seen if seen.count(name) > 1}):
        wrong.append(f"{suite.get('name')}: the test {name} is there twice")


def totals(element):
    sums = dict.fromkeys(COUNTS, 0)
    if element.tag == "system-out":
        return sums
    if element.tag == "testcase":
        outcomes = [child.tag for child in element if child.tag in OUTCOMES]
        if len(outcomes) > 1:
            wrong.append(f"{element.get('name')}: has {outcomes}")
        sums["tests"] = 1
        for outcome in outcomes:
            sums[OUTCOMES[outcome]] += 1
        return sums
    for child in element:
        for name, count in totals(child).items():
            sums[name] += count
    for name in COUNTS:
        if element.get(name) != str(sums[name]):
            wrong.append(f"{element.tag} {element.get('name')}: {name} is {element.get(name)}, not {sums[name]}")
    return sums


root = tree.parse(sys.argv[1]).getroot()
if root.tag != "testsuites":
    wrong.append(f"the root is {root.tag}")
shape(root)
totals(root)
for suite in root:
    names(suite)
for each in wrong[:20]:
    print(each)
sys.exit(1 if wrong else 0)
