"""recording.py PLAYED RECORDED...: does each recording have the calls that were played for it?

Compared are names, requests, answers and errors of the calls, in order of their process and place in it; of schema
calls with equal answers only the first. Prints the recordings that differ, with the first difference."""
import json
import sys


def lines(path):
    with open(path, "rb") as file:
        text = file.read()
    if not text.endswith(b"\n"):
        sys.exit(f"{path}: the last line is torn")
    return [line for line in map(json.loads, text.splitlines()) if "rpc" in line]


def calls(all_lines, own):
    """Processes in `own` recordings are numbered in the order in which clients spoke to them."""
    seen, order = set(), {}
    for line in all_lines:
        order.setdefault(line["process"], line["process"] if own else len(order) + 1)
    for line in sorted(all_lines, key=lambda one: (order[one["process"]], one["seq"])):
        what = {key: line[key] for key in ("request", "requests", "response", "responses", "error", "cut") if key in line}
        schema = line["rpc"] in ("GetSchema", "GetProviderSchema")
        if schema:
            what["response"] = {key: value for key, value in what["response"].items() if value != {}}
        text = f'{line["rpc"]} {json.dumps(what, sort_keys=True)}'
        if not schema or text not in seen:
            seen.add(text)
            yield text


names = sys.argv[1:]
for played, recorded in zip(names[::2], names[1::2]):
    want, have = list(calls(lines(played), False)), list(calls(lines(recorded), True))
    for i in range(max(len(want), len(have))):
        pair = [some[i] if i < len(some) else "no call" for some in (want, have)]
        if pair[0] != pair[1]:
            print(f"{recorded}: call {i + 1}\n  played   {pair[0][:300]}\n  recorded {pair[1][:300]}")
            break
