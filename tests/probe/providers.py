#!/usr/bin/env python3
"""providers.py BUILT FOLDER: the table of docs/providers.md. BUILT has a line for each provider: address, version, repository,
commit. FOLDER has what `lifecheck probe --confirm --format json` reported of each, as NAME.json. Only findings that the
client confirmed are listed; all others are counted with what they are."""
import json
import os
import sys

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
print("| provider | version | types | took a configuration | calls | confirmed | not confirmed | warnings | tolerated for SDKv2 |")
print("|---|---|---|---|---|---|---|---|---|")
for address, version, commit, t, yes, no, why in rows:
    print(f"| `{address}` | {version} (`{commit}`) | {t['types']} | {t['configured']} | {t['calls']} | {yes} | {no} | {t['warnings']} | {t['tolerated']} |")
print("\n| provider | type | rule | at | law | confirmed by |")
print("|---|---|---|---|---|---|")
for address, version, kind, f in found:
    at = f["path"] if f["path"] != "." else "(the whole object)"
    print(f"| `{address}` {version} | `{kind}` | `{f['rule']}` | `{at}` | {f['law']} | {f['confirmed']} |")
