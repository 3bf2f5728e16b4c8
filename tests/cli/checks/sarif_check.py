#!/usr/bin/env python3
"""sarif_check.py FILE: is this a valid SARIF 2.1.0 log, as far as lifecheck uses the format?

The tables are the part of the JSON schema of OASIS that lifecheck writes: every object with its
properties, a star behind the required ones. What is not in the tables is refused. Then what the
schema cannot say: rule indices, unique rules, places that count from 1, messages without
placeholders, numbers of related places, lists without the same item twice, all or none compared with
a baseline, logical places that end with their name. Prints what is wrong, one line each; the exit status says whether anything is."""
import json
import re
import sys

SHAPES = {
    "log": {"$schema": "uri", "version*": {"2.1.0"}, "runs*": ["run"]},
    "run": {"tool*": "tool", "columnKind": {"utf16CodeUnits", "unicodeCodePoints"}, "results": ["result"],
            "invocations": ["invocation"], "automationDetails": "automation", "originalUriBaseIds": "bases",
            "properties": "bag"},
    "automation": {"id": "str"},
    "bases": {"%SRCROOT%": "base"},
    "base": {"description*": "multiformat"},
    "tool": {"driver*": "component"},
    "component": {"name*": "str", "version": "str", "semanticVersion": "str", "informationUri": "uri",
                  "rules": ["descriptor"]},
    "descriptor": {"id*": "str", "name*": "str", "shortDescription": "multiformat", "fullDescription": "multiformat",
                   "help": "multiformat", "helpUri": "uri", "defaultConfiguration": "configuration",
                   "properties": "bag"},
    "multiformat": {"text*": "str", "markdown": "str"},
    "configuration": {"level": {"none", "note", "warning", "error"}},
    "result": {"ruleId": "str", "ruleIndex": "int", "kind": {"fail"},
               "level": {"none", "note", "warning", "error"}, "message*": "message",
               "locations": ["location"], "relatedLocations": ["location"], "partialFingerprints": "texts",
               "suppressions": ["suppression"], "baselineState": {"new", "unchanged", "updated", "absent"},
               "properties": "bag"},
    "message": {"text*": "str"},
    "location": {"id": "int", "physicalLocation": "physical", "logicalLocations": ["logical"],
                 "message": "message"},
    "physical": {"artifactLocation*": "artifact", "region": "region"},
    "artifact": {"uri*": "uri", "uriBaseId": {"%SRCROOT%"}},
    "region": {"startLine*": "int", "startColumn": "int"},
    "logical": {"name": "str", "fullyQualifiedName": "str", "kind": "str"},
    "suppression": {"kind*": {"inSource", "external"},
                    "justification": "str"},
    "invocation": {"executionSuccessful*": "bool", "toolExecutionNotifications": ["notification"]},
    "notification": {"level": {"none", "note", "warning", "error"}, "message*": "message",
                     "locations": ["location"]},
}
URI = re.compile(r"^(https?://[!-~]+|file:///[A-Za-z0-9._~/%-]*|[A-Za-z0-9._~%-][A-Za-z0-9._~/%-]*)$")
wrong = []


def scalar(value, want, place):
    kinds = {"str": str, "int": int, "bool": bool, "uri": str, "bag": dict, "texts": dict}
    if isinstance(want, set):
        good = value in want
    else:
        good = isinstance(value, kinds[want]) and (want != "int" or not isinstance(value, bool))
    if good and want == "uri":
        good = bool(URI.match(value))
    if good and want == "texts":
        good = all(isinstance(text, str) for text in value.values())
    if not good:
        wrong.append(f"{place}: {value!r} is not {want}")


def check(value, want, place):
    if isinstance(want, list):
        if not isinstance(value, list):
            wrong.append(f"{place}: no array")
            return
        for index, item in enumerate(value):
            check(item, want[0], f"{place}[{index}]")
    elif isinstance(want, str) and want in SHAPES:
        members(value, SHAPES[want], place)
    else:
        scalar(value, want, place)


def members(value, shape, place):
    if not isinstance(value, dict):
        wrong.append(f"{place}: no object")
        return
    known = {name.rstrip("*"): want for name, want in shape.items()}
    for name in shape:
        if name.endswith("*") and name[:-1] not in value:
            wrong.append(f"{place}: {name[:-1]} is missing")
    for name, part in value.items():
        if name in known:
            check(part, known[name], f"{place}.{name}")
        else:
            wrong.append(f"{place}: {name} is not known")


def meanings(run):
    rules = run["tool"]["driver"]["rules"]
    ids = [rule["id"] for rule in rules]
    if len(set(ids)) != len(ids):
        wrong.append("rules: an id is there twice")
    for rule in rules:
        if not re.fullmatch(r"([A-Z0-9][a-z0-9]*)+", rule["name"]) or rule["name"] == rule["id"]:
            wrong.append(f"{rule['id']}: {rule['name']} is not a name of a rule")
        if any(not re.fullmatch(r"tags|precision|problem\.severity", key) for key in rule.get("properties", {})):
            wrong.append(f"{rule['id']}: a property that code scanning does not know")
        if not rule.get("help", {}).get("text") or "defaultConfiguration" not in rule:
            wrong.append(f"{rule['id']}: no help or no level")
    if len({"suppressions" in result for result in run["results"]}) > 1:
        wrong.append("results: some have suppressions, some have not")
    if len({"baselineState" in result for result in run["results"]}) > 1:
        wrong.append("results: some are compared with a baseline, some are not")
    for notification in run["invocations"][0]["toolExecutionNotifications"]:
        if notification["level"] == "error" and run["invocations"][0]["executionSuccessful"]:
            wrong.append("invocations: successful in spite of an error")
    for place, result in enumerate(run["results"]):
        numbers = [related["id"] for related in result.get("relatedLocations", [])]
        if len(set(numbers)) != len(numbers) or any(number < 0 for number in numbers):
            wrong.append(f"results[{place}]: related places have the same number")
        for name in ("suppressions", "relatedLocations"):
            items = [json.dumps(item) for item in result.get(name, [])]
            if len(set(items)) != len(items) or name in result and not items and name != "suppressions":
                wrong.append(f"results[{place}]: {name} are empty or twice the same")
        if not result["message"]["text"] or not result["partialFingerprints" if "properties" in result else "message"]:
            wrong.append(f"results[{place}]: says nothing, or has no fingerprint")
        for logical in [each for where in result["locations"] for each in where.get("logicalLocations", [])]:
            if not logical["fullyQualifiedName"].endswith(logical["name"]) or not logical["name"]:
                wrong.append(f"results[{place}]: {logical['name']} is not the name's end")
        if any(not key.startswith("lifecheck/") for key in result.get("properties", {})):
            wrong.append(f"results[{place}]: a property that other tools may take for theirs")
        if re.search(r"(^|\n)\s|^[a-z]+/[a-z-]+ ", result["message"]["text"]) and "properties" in result:
            wrong.append(f"results[{place}]: the message begins with a rule, or has columns of spaces")
        index = result["ruleIndex"]
        if not 0 <= index < len(ids) or ids[index] != result["ruleId"]:
            wrong.append(f"results[{place}]: the index is that of another rule")
        for location in result["locations"] + result.get("relatedLocations", []):
            region = location["physicalLocation"].get("region", {})
            artifact = location["physicalLocation"]["artifactLocation"]
            if artifact["uri"].startswith("file:") == ("uriBaseId" in artifact):
                wrong.append(f"results[{place}]: relative places have a base, and no others")
            if any(number < 1 for number in region.values()):
                wrong.append(f"results[{place}]: a place counts from 1")
        if re.search(r"(?<!\{)\{\d+\}(?!\})", result["message"]["text"]):
            wrong.append(f"results[{place}]: a placeholder without arguments")


def strict(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        wrong.append("an object has a member twice")
    return dict(pairs)


with open(sys.argv[1], "rb") as file:
    log = json.loads(file.read().decode("utf-8", "strict"), object_pairs_hook=strict)
check(log, "log", "log")
if not wrong:
    for each in log["runs"]:
        meanings(each)
for each in wrong[:20]:
    print(each)
sys.exit(1 if wrong else 0)
