#!/usr/bin/env python3
"""Look into the JSON report of a gate of two binaries.

    gate_finding.py REPORT none     nothing is found but what is harmless
    gate_finding.py REPORT FOUND    one that matches one of the words: globs of rules, or schema:KIND;
                                    of a rule its scenario is printed
"""
import fnmatch
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        gate = json.load(file)
    found = [one for one in gate["findings"] if one["rule"].startswith("gate/")]
    changes = [("gone", one["type"], "") for one in gate["schema_changes"] if one["type_removed"]]
    for one in gate["schema_changes"]:
        for change in one["changes"]:
            if change["class"] != "mention" and not (one["new_version"] and change["breaks_stored"]):
                changes.append((change["kind"], one["type"], change["path"]))
    if sys.argv[2] == "none":
        texts = [f"{one['rule']} at {one['path']} of {one['type']}: {one['message']}" for one in found]
        texts += [f"schema: {kind} {name} {path}" for kind, name, path in changes]
        print("\n".join(texts), file=sys.stderr)
        return bool(texts)
    kinds = {kind for kind, _, _ in changes}
    for one in gate["schema_changes"]:
        kinds |= {change["kind"] for change in one["changes"]}
    for word in sys.argv[2].split():
        if word.startswith("schema:") and word[7:] in kinds:
            print("-")
            return 0
        for one in found:
            if fnmatch.fnmatchcase(one["rule"], word):
                print(one["location"]["file"], one["rule"])
                return 0
    print("found: " + ", ".join(sorted({one["rule"] for one in found} | kinds)), file=sys.stderr)
    return 1


sys.exit(main())
