"""What a recording holds.

recording.py calls FILE   each call in order of its process and place in it: name, request, answer and error as
                          JSON with sorted members; of equal schemas the first
recording.py whole FILE   checks that every line is whole, that the first and the last two are about the recording, and
                          that it says the number of its calls; prints this number, that of repeated schemas and that
                          of lost lines"""
import json
import sys


def lines(path):
    with open(path, "rb") as file:
        text = file.read()
    if text and not text.endswith(b"\n"):
        sys.exit(f"{path}: the last line is torn")
    return [json.loads(line) for line in text.splitlines()]


def calls(path):
    seen, processes = set(), {}
    of_calls = [line for line in lines(path) if "rpc" in line]
    for line in of_calls:
        processes.setdefault(line["process"], len(processes))
    if all("provider" in line for line in of_calls):  # ours count from 1, in the order in which clients spoke
        processes = {number: number for number in processes}
    for line in sorted(of_calls, key=lambda one: (processes[one["process"]], one["seq"])):
        what = {key: line[key] for key in ("request", "requests", "response", "responses", "error", "cut") if key in line}
        text = f'{line["rpc"]} {json.dumps(what, sort_keys=True)}'
        if "Schema" in line["rpc"]:
            if text in seen:
                continue
            seen.add(text)
        yield text


def whole(path):
    all_lines = lines(path)
    first, facts, last = all_lines[0], all_lines[-2], all_lines[-1]
    if "addresses" not in last:  # nothing was judged
        facts = last
    else:
        all_lines.pop()
    if first["recording"]["format"] != 1 or not isinstance(first["recording"]["redacted"], bool):
        sys.exit(f"{path}: no first line")
    facts = facts["recording"]
    number = len([line for line in all_lines if "rpc" in line])
    if facts["calls"] != number + facts["repeated_schemas"]:
        sys.exit(f"{path}: {number} calls, not {facts['calls']} with {facts['repeated_schemas']} repeated")
    if len(all_lines) != number + 2:
        sys.exit(f"{path}: further lines")
    print(facts["calls"], facts["repeated_schemas"], facts["lost"])


command, name = sys.argv[1:]
if command == "calls":
    print("\n".join(calls(name)))
else:
    whole(name)
