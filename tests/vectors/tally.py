#!/usr/bin/env python3
"""tally.py [--show N] [--only PREFIX] RECORDED ANSWERS: passed and failed of each id prefix and client.

RECORDED holds expressions, files or type constraints with the results of both clients, ANSWERS what the vectors program says of
them. Without --show no differences are printed. Prints last how many lines of both clients agree."""
import argparse
import collections
import json
import re
import sys
import threading

IGNORED = {"detail", "warnings", "text_of_error"}


def canonical(x, key=None):
    if isinstance(x, dict):
        out = {k: canonical(v, k) for k, v in x.items() if k not in IGNORED}
        if "convert_error" in out:
            out["convert_error"] = True
        for k in ("unknown", "marks"):
            if isinstance(out.get(k), list) and key != "marks":
                out[k] = sorted(out[k], key=lambda p: json.dumps(p, sort_keys=True))
        return {k: v for k, v in out.items() if v not in ([], {}) or k in ("value", "type", "expression")}
    if isinstance(x, list):
        items = [canonical(v) for v in x]
        return sorted(items, key=str) if key == "marks" and all(isinstance(i, str) for i in items) else items
    return x


def load(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line, parse_float=str, parse_int=str) for line in f if line.strip()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("recorded")
    parser.add_argument("answers")
    args = parser.parse_args()
    answers = {a.get("id"): a for a in load(args.answers)}
    table = collections.defaultdict(collections.Counter)
    shown = 0
    for line in load(args.recorded):
        prefix = re.sub(r"-[0-9]+$", "", line["id"])
        if not prefix.startswith(args.only):
            continue
        got = answers.get(line["id"], {})
        good = "skipped" not in got
        for client in ("ot", "tf"):
            if client not in line or "skipped" in got:
                continue
            same = canonical(line[client]) == canonical(got.get(client))
            good = good and same
            table[prefix][client, same] += 1
            if not same and shown < args.show:
                shown += 1
                print(line["id"], client, json.dumps(line.get("expr", line.get("text")), ensure_ascii=False)[:300])
                print("    recorded", json.dumps(canonical(line[client]), ensure_ascii=False)[:500])
                print("    answer  ", json.dumps(canonical(got.get(client)), ensure_ascii=False)[:500])
        table[prefix]["lines"] += 1
        table[prefix]["good"] += good
        table[prefix]["skipped"] += "skipped" in got
    print("%-24s %6s %6s %6s %8s %8s" % ("prefix", "lines", "agree", "left", "ot wrong", "tf wrong"))
    for prefix, row in sorted(table.items()):
        print("%-24s %6d %6d %6d %8d %8d" % (prefix, row["lines"], row["good"], row["skipped"], row["ot", False], row["tf", False]))
    print("%d of %d lines agree" % (sum(r["good"] for r in table.values()), sum(r["lines"] for r in table.values())))


sys.setrecursionlimit(100000)
threading.stack_size(512 << 20)
worker = threading.Thread(target=main)
worker.start()
worker.join()
