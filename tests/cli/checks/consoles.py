#!/usr/bin/env python3
"""consoles.py NAME DOCUMENT LEAST: runs the commands behind `$ ` in the ```console blocks of a document, and compares
what they print with what is shown. Prints TAP. With GOLDEN_ACCEPT the document gets what they print.

The last line of a block may be `...`: more is printed than shown.
`<!-- the tests replay: COMMAND -->` before a block: COMMAND runs in place of the command that is shown, because that wants a
published provider. With PUBLISHED=DIR, a folder that has this provider, the command itself runs, too; what is shown must be
among what it prints."""
import os
import re
import subprocess
import sys

name, path, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
accept, published = os.environ.get("GOLDEN_ACCEPT"), os.environ.get("PUBLISHED")
text = open(path, encoding="utf-8").read()
count = 0


def run(command, folder="."):
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode("utf-8").splitlines()


def replays():
    os.makedirs("replay", exist_ok=True)
    if not os.path.lexists("replay/testdata"):
        os.symlink("../testdata", "replay/testdata")
    return "replay"


def check(good, what, shown=(), printed=()):
    print(("ok" if good else "not ok") + f" - {what}")
    if not good:
        for line in [f"-{each}" for each in shown] + [f"+{each}" for each in printed]:
            print("# " + line)


def among(lines, all_lines):
    return any(all_lines[i : i + len(lines)] == lines for i in range(len(all_lines) - len(lines) + 1))


def block(match):
    global count
    replay, lines = match.group("replay"), match.group("body").splitlines()
    commands = [line[2:] for line in lines if line.startswith("$ ")]
    cut = len(lines) if lines[-1] == "..." else None
    printed = []
    for command in commands:
        count += 1
        printed += ["$ " + command] + (run(replay, replays()) if replay else run(command))
    if cut:
        printed = printed[: cut - 1] + ["..."]
    check(printed == lines, f"{name}: {lines[0]}", lines, printed)
    if replay and published:
        shown = [line for line in lines[1:] if line != "..."]
        real = run(commands[0])
        check(shown and among(shown, real), f"{name}: {lines[0]}: as published", shown, real)
    return match.group("head") + "".join(line + "\n" for line in printed) + "```\n"


new = re.sub(
    r"(?P<head>(?:<!-- the tests replay: (?P<replay>.*) -->\n)?```console\n)(?P<body>(?:.*\n)*?)```\n", block, text
)
check(count >= least, f"{name}: shows commands")
if accept:
    open(path, "w", encoding="utf-8").write(new)
