#!/usr/bin/env python3
"""Looks for wrong answers: random configurations are applied by a client, changed at random and planned by it, and
`lifecheck predict` is asked the same.

    hunt.py LIFECHECK CLIENT [--as terraform|opentofu] [--seed N] [--count N] [--out FILE] [--minutes N] [--shrink]

CLIENT is a terraform or tofu program. Only resources that it has itself are used, so no provider is needed, and no network.
Each seed is a configuration (configurations.py), one apply, and several plans of changed configurations with options;
`--seed N --count M` are the seeds N to N+M-1. A plan becomes a line in the form of recorded plans, which whole.py counts;
lines in which something is wrong are written to FILE, with what is wrong as `wrong`, and `--shrink` makes them small first.
`lifecheck predict PLAN --config DIR` and `lifecheck PLAN` must have no findings for the same plan.
Ends with `N passed, N failed, N skipped`; what is firm and wrong, open without the truth, a false error or a finding has failed.
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True # nothing is left next to the sources

import configurations
import whole

FAILED = whole.FAILURES + ("error false", "error missed", "finding", "output, wrong", "refused")
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1",
               "TF_CLI_CONFIG_FILE": os.devnull, "TMPDIR": os.environ.get("TMPDIR", "/tmp")}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("client")
    parser.add_argument("--as", dest="profile", choices=whole.CLIENTS, default="terraform")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--plans", type=int, default=4, help="so many changes of each configuration")
    parser.add_argument("--out", help="a file for the lines with something wrong")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--again", metavar="FILE", help="the lines of an earlier --out, planned and asked again")
    parser.add_argument("--show", type=int, default=8, help="so many causes of each kind")
    parser.set_defaults(learn=[], only=None)
    return parser.parse_args()


# ---- The client.


class Folder:
    """A folder with the files of a line in config/, and its state where the client keeps it."""

    def __init__(self, line):
        self.at = tempfile.mkdtemp(prefix="hunt-")
        whole.write_files(self.at, line)
        self.config = os.path.join(self.at, "config")
        self.state = os.path.join(self.config, "terraform.tfstate")
        if line.get("prior_state"):
            shutil.copy(os.path.join(self.at, "prior.tfstate"), self.state)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.at)

    def run(self, options, *words):
        run = subprocess.run([options.client, *words], cwd=self.config, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
        return run.returncode, run.stdout


def errors_of(stream):
    out = []
    for text in stream.splitlines():
        message = json.loads(text) if text.startswith("{") else {}
        if message.get("@level") == "error" and "diagnostic" in message:
            out.append(message["diagnostic"]["summary"])
    return out


def apply(options, line):
    """The state after an apply, or None if nothing came of it."""
    with Folder(line) as folder:
        folder.run(options, "apply", "-auto-approve", "-input=false", "-no-color", "-lock=false")
        if not os.path.exists(folder.state):
            return None
        with open(folder.state, encoding="utf-8") as f:
            return json.load(f)


def plan(options, line):
    """What the client plans, as in recorded plans, and the text of the plan; None: it crashes."""
    with Folder(line) as folder:
        status, stream = folder.run(options, "plan", "-json", "-out=../plan", "-input=false", "-lock=false", *line["options"])
        truth = {"exit": status, "errors": errors_of(stream), "changes": [], "outputs": {}}
        if status and not truth["errors"]:
            return None, None
        status, text = folder.run(options, "show", "-json", "../plan") if os.path.exists(os.path.join(folder.at, "plan")) else (1, "")
    document = json.loads(text) if not status else {}
    for change in document.get("resource_changes", []):
        row = {"address": change["address"]}
        row.update((k, change[k]) for k in ("previous_address", "deposed") if k in change)
        row.update(actions=change["change"]["actions"])
        row.update((k, change[k]) for k in ("action_reason",) if k in change)
        row.update((k, change["change"][k]) for k in ("importing",) if k in change["change"])
        truth["changes"].append(row)
    truth["outputs"] = {n: o["actions"] for n, o in document.get("output_changes", {}).items()}
    return truth, text


# ---- The comparison.


def compare_outputs(count, line, truth, text, where):
    cases = json.loads(text)["cases"] if text.strip() else []
    for output in (cases[0].get("prediction") or {}).get("outputs", []) if cases else []:
        said, recorded = output["actions"], truth["outputs"].get(output["name"])
        if recorded is None:
            recorded = ["no-op"]
        if output["firm"]:
            count("output, right" if said == recorded else "output, wrong",
                  "" if said == recorded else "%s, recorded %s" % (said, recorded), where + " " + output["name"])
        else:
            count("output, open" if recorded in output["possible"] else "output, wrong", "", where + " " + output["name"])


def findings(options, line, text, count, where):
    """The plan itself, alone and with its configuration, breaks no rule."""
    with Folder(line) as folder:
        with open(os.path.join(folder.at, "plan.json"), "w", encoding="utf-8") as f:
            f.write(text)
        os.path.exists(folder.state) and os.remove(folder.state)
        for words in (["predict", "--config", "config"], []):
            command = [options.program, *words, "--no-settings", "--as", options.profile, "--format", "json", "plan.json"]
            run = subprocess.run(command, cwd=folder.at, capture_output=True, text=True, timeout=300)
            if run.returncode not in (0, 1):
                count("refused", "%s: %s" % (" ".join(words), run.stderr.strip().splitlines()[-1:]), where)
                continue
            for case in json.loads(run.stdout)["cases"]:
                for f in case["findings"]:
                    if f["severity"] != "info":
                        count("finding", "%s%s: %s" % (" ".join(words[:1]) and "predict ", f["rule"], f["message"]), where)


def judge(options, line):
    """Counts of one line; its truth is recorded in it first."""
    count = whole.Counter()
    truth, text = plan(options, line)
    if not truth:
        return count
    line[options.profile] = truth
    where = "%s %s" % (line["id"], options.profile)
    with Folder(line) as folder:
        run = subprocess.run(whole.command(options, line, options.profile, None), cwd=folder.at, capture_output=True, text=True,
                             timeout=300)
    if run.returncode not in (0, 1):
        count("refused" if run.returncode in (2, 3) else "crash", (run.stderr.strip().splitlines() or ["?"])[-1], where)
        return count
    answer = whole.Answer(run.stdout)
    if truth["errors"] and not truth["changes"]: # refused before anything was planned
        whole.compare_errors(count, truth, answer, where)
        return count
    whole.compare(count, line, options.profile, answer)
    if not truth["errors"]:
        compare_outputs(count, line, truth, run.stdout, where)
    if text and not truth["errors"]:
        findings(options, line, text, count, where)
    return count


def wrong_of(count):
    return {k: sorted(count.causes[k]) for k in FAILED if count.kinds[k]}


# ---- Smaller lines.


def pieces(line):
    """Ways to make a line smaller, as functions that give a new one."""
    for name, text in line["files"].items():
        if not name.endswith(".tf"):
            continue
        blocks = text.rstrip("\n").split("\n\n")
        for i in range(len(blocks)):
            yield lambda n=name, b=blocks, i=i: dict(line, files=dict(line["files"], **{n: "\n\n".join(b[:i] + b[i + 1:]) + "\n"}))
        lines = text.split("\n")
        for i in range(len(lines)):
            if re.match(r"^\s+\S", lines[i]):
                yield lambda n=name, b=lines, i=i: dict(line, files=dict(line["files"], **{n: "\n".join(b[:i] + b[i + 1:])}))
            if re.match(r"^\s+(lifecycle|precondition|postcondition) {$", lines[i]):
                end = next(k for k in range(i, len(lines)) if lines[k].rstrip() == lines[i][:len(lines[i]) - len(lines[i].lstrip())] + "}")
                yield lambda n=name, b=lines, i=i, e=end: dict(line, files=dict(line["files"], **{n: "\n".join(b[:i] + b[e + 1:])}))
    for i in range(len(line["options"])):
        yield lambda i=i: dict(line, options=line["options"][:i] + line["options"][i + 1:])
    state = line["prior_state"]
    if not state:
        return
    yield lambda: dict(line, prior_state=None)
    for i in range(len(state["resources"])):
        yield lambda i=i: dict(line, prior_state=dict(state, resources=state["resources"][:i] + state["resources"][i + 1:]))
        for k in range(len(state["resources"][i]["instances"])):
            if len(state["resources"][i]["instances"]) > 1:
                r = state["resources"][i]
                less = dict(r, instances=r["instances"][:k] + r["instances"][k + 1:])
                yield lambda i=i, less=less: dict(
                    line, prior_state=dict(state, resources=state["resources"][:i] + [less] + state["resources"][i + 1:]))
    for name in state.get("outputs", {}):
        yield lambda name=name: dict(line, prior_state=dict(state, outputs={k: v for k, v in state["outputs"].items() if k != name}))


def simpler_expressions(line):
    """Lines in which a part of an expression in brackets stands for the whole, or a literal for a part."""
    for name, text in line["files"].items():
        if not name.endswith(".tf"):
            continue
        for m in re.finditer(r"[\w.]*[(\[{]", text):
            depth, end = 0, m.end() - 1
            while end < len(text) and text[end] != "\n":
                depth += text[end] in "([{"
                depth -= text[end] in ")]}"
                end += 1
                if depth == 0:
                    break
            if depth:
                continue
            inner = text[m.end():end - 1].strip()
            for instead in {"null", '"a"', "1", "true", "[]", inner, *[p.strip() for p in inner.split(", ")],
                            *[p.split("=", 1)[-1].strip() for p in inner.split(", ")], *re.split(r" [?:|&=!]+ ", inner)}:
                if instead and len(instead) < end - m.start():
                    yield lambda n=name, t=text, a=m.start(), e=end, i=instead: dict(
                        line, files=dict(line["files"], **{n: t[:a] + i + t[e:]}))


def shrink(options, line, kind):
    """A smaller line in which the same kind of thing is wrong. A configuration that the client refuses is not an answer,
    unless that was the matter."""
    refused = bool(line[options.profile]["errors"])
    until, smaller = time.monotonic() + 120, True
    while smaller and time.monotonic() < until:
        smaller = False
        for ways in (pieces, simpler_expressions):
            for way in list(ways(line)):
                if time.monotonic() > until:
                    return line
                tried = way()
                count = judge(options, tried)
                if count.kinds[kind] and options.profile in tried and bool(tried[options.profile]["errors"]) == refused:
                    line, smaller = tried, True
                    break
            if smaller:
                break
    return line


# ---- Seeds.


def lines_of(options, seed):
    rng = random.Random("%s/%d" % (options.profile, seed))
    for _ in range(5):
        root = configurations.random_module(rng, "", 2)
        first = {"files": configurations.files_of(root), "options": [], "prior_state": None}
        state = apply(options, first)
        if state and state["resources"]:
            break
    else:
        return
    for k in range(options.plans):
        changed, prior = configurations.copy.deepcopy(root), json.loads(json.dumps(state))
        for m in configurations.all_modules(changed):
            m[1].rng = rng
        for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
            configurations.change(rng, changed)
        if rng.random() < 0.15:
            configurations.edit_state(rng, prior)
        yield {"id": "hunt-%d-%d" % (seed, k), "features": ["hunt"], "files": configurations.files_of(changed), "prior_state": prior,
               "options": configurations.options(rng, prior, options.profile)}


def all_lines(options):
    if options.again:
        with open(options.again, encoding="utf-8") as f:
            yield from map(json.loads, f)
        return
    for seed in range(options.seed, options.seed + options.count):
        yield from lines_of(options, seed)


def main():
    options = arguments()
    options.program, options.client = os.path.abspath(options.program), shutil.which(options.client)
    total, plans, refused, until = whole.Counter(), 0, 0, time.monotonic() + 60 * options.minutes
    out = open(options.out, "a", encoding="utf-8") if options.out else None
    failed = 0
    for line in all_lines(options):
        if time.monotonic() > until:
            break
        count = judge(options, line)
        if options.profile not in line:
            continue
        plans += 1
        refused += bool(line[options.profile]["errors"])
        total.kinds.update(count.kinds)
        for kind, causes in count.causes.items():
            for cause, places in causes.items():
                total.causes[kind][cause] += places
        wrong = wrong_of(count)
        failed += bool(wrong)
        if wrong and options.shrink:
            line = shrink(options, line, next(iter(wrong)))
        if wrong and out:
            out.write(json.dumps(dict(line, wrong=wrong)) + "\n")
            out.flush()
    total.print("%d plans of %s, %d of them refused by it" % (plans, options.profile, refused), options.show)
    print("\n%d passed, %d failed, 0 skipped" % (plans - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
