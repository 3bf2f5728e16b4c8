#!/usr/bin/env python3
"""providers.py BUILT FOLDER [SCENARIOS]: the table of docs/providers.md. BUILT has a line for each provider: address, version,
repository, commit. FOLDER has what `lifecheck probe --confirm --format json -o ...` reported of each, as NAME.json. Only
findings that the client confirmed are listed; all others are counted with what they are. With SCENARIOS, the scenario of each
confirmed finding is written to a folder of its provider there."""
import json
import os
import re
import sys



def keep(scenarios, folder, address, version, commit, kind, finding):
    """The scenario of a finding, with a head that says what it is of; the place of the binary is not ours to say."""
    text = open(os.path.join(folder, finding["file"]), encoding="utf-8").read()
    name = address.split("/")[1]
    at = re.sub(r"[^a-z0-9_]+", "-", finding["path"].lower()).strip("-")
    os.makedirs(os.path.join(scenarios, name), exist_ok=True)
    path = os.path.join(scenarios, name, "-".join(filter(None, [kind, finding["rule"].replace("/", "-"), at])) + ".yaml")
    head = f"# {address} {version} ({commit[:12]}), confirmed by {finding['confirmed']}.\n"
    text = re.sub(r"--provider '[^']*'", f"--provider {address}=./terraform-provider-{name}", text)
    text = re.sub(r"--config \S+", f"--config {os.path.basename(path)}", text)
    with open(path, "w", encoding="utf-8") as out:
        out.write(head + text)


rows, found = [], []
for line in open(sys.argv[1], encoding="utf-8"):
    address, version, repository, commit = line.split()
    path = os.path.join(sys.argv[2], address.split("/")[1] + ".json")
    if not os.path.exists(path) or not os.path.getsize(path):
        continue
    probe = json.load(open(path, encoding="utf-8"))["probe"]
    totals = probe["totals"]
    if totals["left_out"]:
        continue
    fails = [(t["type"], f) for t in probe["types"] if not t.get("same_as") for f in t["findings"] if f["fails"]]
    confirmed = [(t, f) for t, f in fails if f.get("confirmed")]
    rows.append((address, version, commit[:12], totals, len(confirmed), len(fails) - len(confirmed), probe.get("not_configured", "")))
    found += [(address, version, t, f) for t, f in confirmed]
    for kind, finding in confirmed:
        if len(sys.argv) > 3 and finding.get("file"):
            keep(sys.argv[3], sys.argv[2], address, version, commit, kind, finding)
print("| provider | version | types | configured | calls | confirmed | not confirmed | warnings | tolerated for SDKv2 |")
print("|---|---|---|---|---|---|---|---|---|")
for address, version, commit, t, yes, no, why in rows:
    print(f"| `{address}` | {version} (`{commit}`) | {t['types']} | {t['configured']} | {t['calls']} | {yes} | {no} | {t['warnings']} | {t['tolerated']} |")
print("\n| provider | type | rule | at | law | confirmed by |")
print("|---|---|---|---|---|---|")
for address, version, kind, f in found:
    at = f["path"] if f["path"] != "." else "(the whole object)"
    print(f"| `{address}` {version} | `{kind}` | `{f['rule']}` | `{at}` | {f['law']} | {f['confirmed']} |")
