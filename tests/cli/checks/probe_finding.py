#!/usr/bin/env python3
"""Look into the JSON report of a probe.

    probe_finding.py REPORT none            there is no finding of any law
    probe_finding.py REPORT RULES           one by a rule that matches one of the globs, of which
                                            FILE, LEAVES and RULE are printed
"""
import fnmatch
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        probe = json.load(file)["probe"]
    found = [(finding, kind["type"]) for kind in probe["types"] for finding in kind["findings"]]
    texts = [
        f"{kind}: {one['law']}, {one['rule']} at {one['path']} {one.get('unwritten', '')}"
        for one, kind in found
    ]
    if sys.argv[2] == "none":
        tried = sum(1 for kind in probe["types"] if kind["configured"])
        print("\n".join(texts), file=sys.stderr)
        return bool(found) or tried != len(probe["types"])
    for finding, _ in found:
        if any(fnmatch.fnmatchcase(finding["rule"], glob) for glob in sys.argv[2].split()):
            print(finding.get("file", "-"), finding.get("leaves", 0), finding["rule"])
            return 0
    print("\n".join(texts) or "nothing was found", file=sys.stderr)
    return 1


sys.exit(main())
