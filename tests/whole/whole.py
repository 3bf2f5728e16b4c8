#!/usr/bin/env python3
"""How well the shipped command foresees recorded plans: `lifecheck predict` on the files, the prior state and the
options of each line, for each client, held against what that client planned.

    whole.py LIFECHECK DIR [NAME...] [--schema FILE] [--learn FILE]... [--only ID] [--show N]

DIR holds NAME.jsonl (default: whole and runs) in the form of recorded plans: id, files, prior_state, options, answers,
and for each client errors and changes; and schemas.json, unless --schema names the schemas. Lines whose `answers` are
not empty are left out: there a provider did what no command line can say.

Every object of a recorded plan is counted once for each client: answered firmly and right, firmly and wrong, by what was
learned and right or wrong, open with the recorded action first, open with it among others, open without it, not foreseen; and what is foreseen but not
planned. What is firm
only if data sources read what the state holds is counted beside that. Errors are counted by summary: right, missed, false. Causes follow, the most frequent first. Ends with
`N passed, N failed, N skipped`: what is firm and wrong, or open without the truth, has failed; so has a crash.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

CLIENTS = ("terraform", "opentofu")
KINDS = (
    "firm, right", "firm, wrong", "learned, right", "learned, wrong", "open, truth first", "open, truth among", "open, truth not among",
    "block not expanded", "not foreseen",
)
FAILURES = ("firm, wrong", "open, truth not among", "firm, not planned", "crash")
WORDS = {"-target": "--target", "-replace": "--replace", "-exclude": "--exclude", "-var": "--var"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", default=["whole", "runs"])
    parser.add_argument("--schema")
    parser.add_argument("--learn", action="append", default=[])
    parser.add_argument("--only", help="the line with this id, and the output of the command")
    parser.add_argument("--show", type=int, default=12, help="so many causes of each kind")
    return parser.parse_args()


def write_files(folder, line):
    for name, content in line["files"].items():
        path = os.path.join(folder, "config", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(content if isinstance(content, str) else json.dumps(content))
    if line.get("prior_state"):
        with open(os.path.join(folder, "prior.tfstate"), "w", encoding="utf-8") as f:
            json.dump(line["prior_state"], f)


def command(options, line, client, schema):
    words = [options.program, "predict", "--no-settings", "--show-file-values", "--config", "config", "--as", client, "--format", "json"]
    words += ["--schema", schema] if schema else []
    words += [w for file in options.learn for w in ("--learn", os.path.abspath(file))]
    words += ["--prior-state", "prior.tfstate"] if line.get("prior_state") else []
    for option in line["options"]:
        name, _, value = option.partition("=")
        if name in WORDS:
            words += [WORDS[name], value]
        elif name in ("-destroy", "-refresh-only"):
            words += ["--mode", name[1:]]
        elif option == "-refresh=false":
            words += ["--no-refresh"]
        else:
            raise ValueError("an option that predict does not have: " + option)
    return words


class Answer:
    """What the command said."""

    def __init__(self, text):
        cases = json.loads(text)["cases"] if text.strip() else []
        case = cases[0] if cases else {}
        self.objects = {(p["address"], p.get("deposed", "")): p for p in case.get("predictions", [])}
        self.errors, self.open = set(), {}
        self.assumed = case.get("prediction", {}).get("assumed", 0)
        for note in case.get("prediction_notes", []):
            said = note["text"]
            if said.startswith("the client fails: "):
                self.errors.add(said.partition(": ")[2])
            elif said.startswith("undecided instances: "):
                self.open[note["address"]] = said.partition(": ")[2]

    def block_of(self, address):
        """Why the block of an address could not be expanded, or None."""
        plain = re.sub(r"\[[^]]*\]", "", address)
        for at, why in self.open.items():
            if address.startswith(at) or plain.startswith(re.sub(r"\[[^]]*\]", "", at)):
                return why
        return None


def same_object(recorded, foreseen):
    return (
        recorded["actions"] == foreseen["actions"]
        and recorded.get("action_reason", "") in foreseen.get("reasons", [foreseen.get("reason", "")])
        and recorded.get("previous_address", "") == foreseen.get("previous_address", "")
        and bool(recorded.get("importing")) == bool(foreseen.get("importing"))
    )


def type_of(address):
    steps = re.sub(r"\[[^]]*\]", "", address).split(".")
    return steps[-2] if len(steps) > 1 else "?"


def in_order(error):
    """A cycle begins with any of its members: the client takes them from a map."""
    return "Cycle: " + ", ".join(sorted(error[7:].split(", "))) if error.startswith("Cycle: ") else error


def compare_errors(count, truth, answer, where):
    recorded, foreseen = {in_order(e) for e in truth["errors"]}, {in_order(e) for e in answer.errors}
    for error in sorted(recorded | foreseen):
        kind = "right" if error in recorded & foreseen else "missed" if error in recorded else "false"
        count("error " + kind, error, where)


def compare_objects(count, line, client, answer):
    truth, where = line[client], "%s %s" % (line["id"], client)
    left = dict(answer.objects)
    for change in truth["changes"]:
        address = change["address"]
        foreseen = left.pop((address, change.get("deposed", "")), None)
        actions = "/".join(change["actions"])
        if not foreseen:
            why = answer.block_of(address)
            count("block not expanded" if why else "not foreseen", why or type_of(address), where + " " + address)
        elif foreseen["firm"]:
            said = "%s %s, recorded %s %s" % ("/".join(foreseen["actions"]), foreseen.get("reason", ""), actions,
                                              change.get("action_reason", ""))
            right = same_object(change, foreseen)
            count("firm, right" if right else "firm, wrong", "" if right else said, where + " " + address)
        else:
            first = foreseen["actions"] == change["actions"]
            among = change["actions"] in foreseen["possible"]
            kind = "open, truth first" if first else "open, truth among" if among else "open, truth not among"
            if "learned" in foreseen and among:
                kind = "learned, right" if first else "learned, wrong"
            said = "%s for %s, recorded %s: %s" % ("/".join(foreseen["actions"]), type_of(address), actions,
                                                   foreseen.get("open_because", "-"))
            count(kind, said, where + " " + address)
    for (address, _), foreseen in left.items():
        firm = foreseen["firm"]
        said = "%s, truth: %s" % ("/".join(foreseen["actions"]), "; ".join(truth["errors"]) or "a plan without it")
        count("firm, not planned" if firm else "open, not planned", said, where + " " + address)


def compare(count, line, client, answer):
    truth, where = line[client], "%s %s" % (line["id"], client)
    compare_objects(count, line, client, answer)
    compare_errors(count, truth, answer, where)
    for _ in range(answer.assumed):
        count("firm, assumed", "", where)
    if not truth["errors"] and not answer.errors:
        full = not answer.open and all(p["firm"] for p in answer.objects.values())
        count("runs answered fully" if full else "runs answered in part", "", where)


class Counter:
    def __init__(self):
        self.kinds, self.causes = collections.Counter(), collections.defaultdict(lambda: collections.defaultdict(list))

    def __call__(self, kind, cause, where):
        self.kinds[kind] += 1
        if cause:
            self.causes[kind][cause].append(where)

    def print(self, title, show):
        objects = sum(self.kinds[k] for k in KINDS)
        print("\n%s: %d objects" % (title, objects))
        for kind in list(KINDS) + sorted(set(self.kinds) - set(KINDS)):
            share = " %5.1f %%" % (100 * self.kinds[kind] / objects) if kind in KINDS and objects else ""
            print("  %-24s %6d%s" % (kind, self.kinds[kind], share))
        for kind in self.causes:
            if kind == "error right":
                continue
            print("  -- %s" % kind)
            for cause, places in sorted(self.causes[kind].items(), key=lambda c: -len(c[1]))[:show]:
                print("  %5d  %s  (%s)" % (len(places), cause, places[0]))


def run_line(options, count, line, client, schema):
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, line)
        words = command(options, line, client, schema)
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600)
        if options.only:
            print(run.stdout, run.stderr)
        if run.returncode not in (0, 1):
            kind = "refused" if run.returncode in (2, 3) else "crash"
            said = run.stderr.strip().splitlines()[-1:] or ["status %d" % run.returncode]
            count(kind, said[0], "%s %s" % (line["id"], client))
        compare(count, line, client, Answer(run.stdout))


def main():
    options = arguments()
    options.program = os.path.abspath(options.program)
    beside = os.path.join(options.folder, "schemas.json")
    schema = os.path.abspath(options.schema or beside) if options.schema or os.path.exists(beside) else None
    skipped, total, passed = 0, collections.Counter(), 0
    for name in options.names:
        counts = {client: Counter() for client in CLIENTS}
        path = os.path.join(options.folder, name + ".jsonl")
        with open(path, encoding="utf-8") as f:
            lines = [json.loads(text) for text in f]
        for line in lines:
            if options.only not in (None, line["id"]):
                continue
            for client in CLIENTS:
                if client in line and line.get("answers"):
                    skipped += 1
                elif client in line:
                    run_line(options, counts[client], line, client, schema)
        for client in CLIENTS:
            counts[client].print("%s, %s" % (name, client), options.show)
            total += counts[client].kinds
            passed += counts[client].kinds["firm, right"]
    failed = sum(total[k] for k in FAILURES)
    print("\n%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
