#!/usr/bin/env python3
"""doc_options.py LIFECHECK DOCUMENT...: of every command of lifecheck that a document names, in a block or between
backquotes, whether the options are among those of its help. Prints TAP, a line for each document. Commands that are not
run, because they need a provider or a cloud, are checked at least for this."""
import os
import re
import shlex
import subprocess
import sys

program, documents = sys.argv[1], sys.argv[2:]
options = {}  # of a command: those in its help


def printed(*words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")


commands = set(re.findall(r"^  ([a-z]+)  ", printed("help"), re.M))


def options_of(command):
    if command not in options:
        options[command] = options_of("check") if command == "settings" else set()  # it takes those of check, too
        options[command] |= set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", printed(command, "--help")))
    return options[command]


def named(text):
    """The commands in a document: those in blocks, with continued lines joined, and those between backquotes."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.S | re.M)
    rest = re.sub(r"^```\w*\n.*?^```$", "", text, flags=re.S | re.M)
    for line in "\n".join(blocks).replace("\\\n", " ").split("\n") + re.findall(r"`([^`]+)`", rest):
        for found in re.finditer(r"(?:^|[\s;|&(./])lifecheck( [^|;&#>]*)", line):
            yield found.group(1)


def wrong(command):
    try:
        words = shlex.split(command.replace("\\|", ""))
    except ValueError:
        words = command.split()
    if "--" in words:
        words = words[: words.index("--")]
    name = words[0] if words and words[0] in commands else "check"
    used = [word.split("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
    return [f"{name} {option}" for option in used if option not in options_of(name)]


for document in documents:
    with open(document, encoding="utf-8") as file:
        all_named = list(named(file.read()))
    found = [bad for command in all_named for bad in wrong(command)]
    good = all_named and not found
    print(("ok" if good else "not ok") + f" - {os.path.basename(document)}: each of its commands has the options given")
    for bad in found:
        print("# " + bad)
