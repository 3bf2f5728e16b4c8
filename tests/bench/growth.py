#!/usr/bin/env python3
"""What twice the input costs: processor time of the program for n, 2n and 4n of one thing, the ratios, and the memory
at 4n for each thing.

    growth.py [--counts] LIFECHECK [ROW...]

Prints a table; judges nothing. A ratio above 2.3 between times of a tenth of a second and more wants a look. With
BASE=PROGRAM, an earlier build, the last column is the time at 4n as a part of the time of that build, runs alternating.

--counts counts instructions by valgrind instead, of an eighth of each input: the same on a machine with other work.
What 2n more cost than 2n is divided by what n more cost than n, so that the start does not count: 2 is linear. Above
2.2 is a failure, and the exit status is 1.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile

OPTIONAL = {"optional": True}
PROBE = "probe"  # a member of a report, not of the scenario that it is about


def scenario(attributes, config, planned, new, prior=None, **more):
    head = {"lifecheck": 1, "name": "grown", "resource": "demo_thing.a"}
    schema = {"version": 0, "block": {"attributes": attributes}}
    states = {"config": config, "prior_state": prior, "planned_state": planned, "new_state": new}
    return {**head, "schema": schema, **states, **more}


def attribute(wanted):
    return {"type": wanted, **OPTIONAL}


def keys(n):
    return [f"key-{i}" for i in range(n)]


def changed_map(n, **more):
    here = dict.fromkeys(keys(n), "a")
    return scenario({"m": attribute(["map", "string"])}, {"m": here}, {"m": here}, {"m": dict.fromkeys(here, "b")}, **more)


def places(n):
    return [f'.m["{key}"]' for key in keys(n)]


def marks(n):
    secret = {"m": {key: {"$sensitive": "a"} for key in keys(n)}}
    plain = {"m": dict.fromkeys(keys(n), "a")}
    return scenario({"m": attribute(["map", "string"])}, secret, plain, {"m": dict.fromkeys(keys(n), "b")})


def misspelt(n):
    return scenario({f"attribute_{i}": attribute("string") for i in range(n)}, {f"attribute_{i}x": "" for i in range(n)}, {}, {})


def set_changed(n):
    before, after = ({"s": [f"{word}-{i}" for i in range(n)]} for word in ("old", "new"))
    return scenario({"s": attribute(["set", "string"])}, before, before, after)


def ignore_changes(n):
    new, old = ({"m": dict.fromkeys(keys(n), text)} for text in "ab")
    return scenario({"m": attribute(["map", "string"])}, new, old, old, prior=old, ignore_changes=places(n))


def requires_replace(n):
    new, old = ({"m": dict.fromkeys(keys(n), text)} for text in "ab")
    whole = scenario({"m": attribute(["map", "string"])}, new, None, new, prior=old)
    del whole["planned_state"]
    return {**whole, "plan": {"planned_state": new, "requires_replace": places(n)}}


def secrets(n):
    kept = {"list": [f"same-first-bytes-{i}" for i in range(n)]}
    change = {"actions": ["no-op"], "before": kept, "after": kept, "after_unknown": {}}
    change |= {"before_sensitive": {"list": True}, "after_sensitive": {"list": True}}
    resource_change = {"address": "demo_thing.a", "mode": "managed", "type": "demo_thing", "name": "a", "change": change}
    return {"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [resource_change]}


def objects(n):
    each = {key: f"value of {key}" for key in keys(n // 2)}
    many = {"for_each": each, "input": "${each.value}"}
    single = {f"single_{i}": {"input": f"value-{i}"} for i in range(n // 2)}
    return {"resource": {"terraform_data": {"many": many, **single}}}


def references(n):
    """Resources of one object each, each of which refers to the one before it."""
    each = {f"r_{i}": {"input": "name-%d after ${terraform_data.r_%d.id}" % (i, i - 1)} for i in range(1, n)}
    return {"resource": {"terraform_data": {"r_0": {"input": "first"}, **each}}}


def prior_objects(n):
    """A configuration together with a plan, whose prior state alone says what is stored."""
    head = {"mode": "managed", "type": "terraform_data", "name": "many", "provider_name": "terraform.io/builtin/terraform"}
    values = {"id": "x", "input": None, "output": None, "triggers_replace": None}
    one = {**head, "schema_version": 0, "values": values, "sensitive_values": {}}
    stored = [{"address": f"terraform_data.many[{i}]", "index": i, **one} for i in range(n)]
    prior = {"format_version": "1.0", "values": {"root_module": {"resources": stored}}}
    plan = {"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [], "prior_state": prior}
    config = {"resource": {"terraform_data": {"many": {"count": n}}}}
    return {"lifecheck": 1, "name": "grown", "planning": {"plan": plan, "config": config}}


def sensitive_paths(n):
    """An object that does not change, each element of which is sensitive."""
    kept = dict.fromkeys(keys(n), "x")
    steps = [[{"type": "get_attr", "value": "input"}, {"type": "get_attr", "value": key}] for key in reversed(keys(n))]
    types = ["object", dict.fromkeys(keys(n), "string")]
    values = {"id": "i", "input": {"value": kept, "type": types}, "output": {"value": kept, "type": types}, "triggers_replace": None}
    instance = {"schema_version": 0, "attributes": values, "sensitive_attributes": steps}
    object_ = {"mode": "managed", "type": "terraform_data", "name": "a", "provider": 'provider["terraform.io/builtin/terraform"]'}
    state = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "check_results": None}
    state["resources"] = [{**object_, "instances": [instance]}]
    config = {"variable": {"s": {"default": "x", "sensitive": True}}}
    config["resource"] = {"terraform_data": {"a": {"input": dict.fromkeys(keys(n), "${var.s}")}}}
    return {"lifecheck": 1, "name": "grown", "planning": {"config": config, "state": state}}


def cases(n):
    one = scenario({"a": attribute("string")}, {"a": "x"}, {"a": "x"}, {"a": "y"})
    shared = {key: one.pop(key) for key in ("lifecheck", "schema", "resource")}
    return {**shared, "cases": [{**one, "name": key} for key in keys(n)]}


def probed(n):
    """One case, and n types of a provider in the report, each with a finding."""
    finding = {"law": "unknown-completes", "rule": "final/changed", "severity": "error", "call": "final_plan", "place": ".slug"}
    finding |= {"path": ".slug", "message": "the value is not the planned one", "tolerated": False, "fails": True, "leaves": 2}
    laws = {"tried": {"unknown-completes": 11}, "skipped": {}, "why": {}}
    one = {"kind": "resource", "configured": True, "configurations": 2, "from": "schema", "asked_all": True, "laws": laws}
    types = [{"type": f"demo_type{i}", **one, "shape": f"{i:016x}", "findings": [finding], "calls": 47} for i in range(n)]
    head = {"provider": "demo", "protocol": 6, "seed": 0, "laws": ["unknown-completes"]}
    totals = {"types": n, "configured": n, "left_out": 0, "failing": n, "warnings": 0, "tolerated": 0, "calls": 47 * n, "died": 0, "hung": 0}
    return {**cases(1), PROBE: {**head, "totals": totals, "types": types}}


def blocks(mode, known):
    """A block type with n blocks, created."""

    def make(n):
        texts = {"name": attribute("string"), "port": attribute("number"), "id": {"type": "string", "computed": True}}
        nested = {"nesting_mode": mode, "block": {"attributes": texts}}
        made = [{"name": f"name-{i * 7919 % n:07}", "port": i} for i in range(n)]
        planned = [{**one, "id": f"id-{i}" if known else {"$unknown": None}} for i, one in enumerate(made)]
        new = [{**one, "id": f"id-{i}"} for i, one in enumerate(made)]
        whole = scenario({}, {"x": made}, {"x": planned}, {"x": new})
        whole["schema"]["block"] = {"block_types": {"x": nested}}
        return whole

    return make


def provider_instances(n):
    """n objects of a provider with n instances, of which the state knows all."""
    each = {f"key-{i}": "v" for i in range(n)}
    type_ = "terraform_data"
    resource = {type_: {"a": {"input": "x", "for_each": each, "provider": "terraform.by_key[each.key]"}}}
    return {"provider": {"terraform": {"alias": "by_key", "for_each": each}}, "resource": resource}


def packed(text):
    """{"name": text} as MessagePack in base64; the text has less than 32 bytes."""
    string = text.encode()
    return {"msgpack": base64.b64encode(b"\x81\xa4name" + bytes([0xA0 + len(string)]) + string).decode()}


def recording(n):
    """n objects, each planned and applied."""
    name = {"name": "name", "type": base64.b64encode(b'"string"').decode(), **OPTIONAL}
    schemas = {"resource_schemas": {"demo_thing": {"block": {"attributes": [name]}}}}
    lines = [{"rpc": "GetSchema", "request": {}, "response": {"provider": {"block": {}}, **schemas}}]
    nothing = {"msgpack": base64.b64encode(b"\xc0").decode()}
    for i in range(n):
        value = packed(f"name-{i}")
        asked = {"type_name": "demo_thing", "prior_state": nothing, "config": value}
        plan, new = {"planned_state": value}, {"new_state": packed(f"other-{i}") if i % 10 == 0 else value}
        lines.append({"rpc": "PlanResourceChange", "request": {**asked, "proposed_new_state": value}, "response": plan})
        lines.append({"rpc": "ApplyResourceChange", "request": {**asked, **plan}, "response": new})
    head = {"process": 1, "protocol": 5, "provider": "example/demo"}
    return [{**head, "seq": i + 1, **line} for i, line in enumerate(lines)]


def equal_creates(n):
    """n objects with one configuration, planned in one walk of a client."""
    lines = recording(1)[:1]
    nothing, value = {"msgpack": base64.b64encode(b"\xc0").decode()}, packed("same")
    lines.append({**lines[0], "rpc": "Configure", "request": {"config": {"msgpack": base64.b64encode(b"\x80").decode()}}, "response": {}})
    plan = {"type_name": "demo_thing", "prior_state": nothing, "config": value, "proposed_new_state": value}
    lines += [{**lines[0], "rpc": "PlanResourceChange", "request": plan, "response": {"planned_state": value}}] * n
    return [{**line, "seq": i + 1} for i, line in enumerate(lines)]


# The report of a first run over the input, before the command.
REPORT = ["check", "--shard", "1/1", "--format", "json", "--force", "-o"]

ROWS = {
    "map entries, all changed": (changed_map, 4000, []),
    "set of strings, all changed": (set_changed, 8000, []),
    "sensitive marks": (marks, 4000, []),
    "misspelt attributes": (misspelt, 4000, []),
    "expected findings": (
        lambda n: changed_map(n, expect={"findings": [{"rule": "apply/changed", "path": path} for path in places(n)]}),
        4000,
        [],
    ),
    "ignores": (
        lambda n: changed_map(n, ignore=[{"rule": "apply/changed", "path": path, "reason": "known"} for path in places(n)]),
        4000,
        [],
    ),
    "ignore_changes": (ignore_changes, 8000, []),
    "requires_replace": (requires_replace, 8000, []),
    "redact, secrets alike": (secrets, 8000, ["redact", "-o", os.devnull]),
    "cases of a file": (cases, 2000, []),
    "list blocks": (blocks("list", True), 10000, []),
    "list blocks, unknown": (blocks("list", False), 10000, []),
    "set blocks": (blocks("set", True), 20000, []),  # from 2,500 on a rule that compares pairs reports its limit
    "set blocks, unknown": (blocks("set", False), 20000, []),
    "findings as text": (changed_map, 4000, ["check", "-v"]),
    "findings as HTML": (changed_map, 4000, ["check", "--format", "html"]),
    "findings as JSON": (changed_map, 4000, ["check", "--format", "json"]),
    "findings as SARIF": (changed_map, 4000, ["check", "--format", "sarif"]),
    "findings as JUnit": (changed_map, 4000, ["check", "--format", "junit"]),
    "calls of a recording": (recording, 4000, []),
    "equal creates of a recording": (equal_creates, 4000, []),
    "redact, calls of a recording": (recording, 4000, ["redact", "-o", os.devnull]),
    "merge, cases": (cases, 2000, ["merge"]),
    "merge, findings of a case": (changed_map, 4000, ["merge"]),
    "gate, cases": (cases, 2000, ["gate", "--old", "REPORT", "--new"]),
    "findings as Markdown": (changed_map, 4000, ["check", "--format", "markdown"]),
    "cases as HTML": (cases, 4000, ["check", "--format", "html"]),
    "provider instances": (provider_instances, 4000, ["providers", "--config"]),
    "sensitive paths of an object": (sensitive_paths, 2000, []),
    "prior objects of a plan": (prior_objects, 10000, []),
    "objects of a configuration": (objects, 10000, ["predict", "--config"]),
    "resources that refer to each other": (references, 10000, ["predict", "--config"]),
    "merge, types of a probe": (probed, 2000, ["merge"]),
}


def cost(arguments):
    """Seconds of processor time, and the largest size in kB."""
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = os.wait4(child.pid, 0)[2]
    child.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def count(arguments):
    """Instructions, which valgrind counts."""
    counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", *arguments]
    run = subprocess.run(counting, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : ([0-9]+)", run.stderr)
    return int(found.group(1)) if found else sys.exit(f"growth.py: valgrind counted nothing:\n{run.stderr}")


def written(program, path, words, thing):
    """Writes the input, and returns the words of the command, after its report where that is the input."""
    probe = thing.pop(PROBE, None) if isinstance(thing, dict) else None
    with open(path, "w", encoding="utf-8") as file:
        if isinstance(thing, list):
            file.writelines(json.dumps(line) + "\n" for line in thing)
        else:
            json.dump(thing, file)
    if words[:1] not in (["merge"], ["gate"]):
        return [program, *words, path]
    report = path + ".report"
    subprocess.run([program, *REPORT, report, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if probe:
        with open(report, encoding="utf-8") as file:
            whole = json.load(file)
        with open(report, "w", encoding="utf-8") as file:
            json.dump({**whole, PROBE: probe}, file)
    return [program, *(report if word == "REPORT" else word for word in words), report]


def time_row(program, words, path, make, n):
    base, times, sizes, ratio = os.environ.get("BASE"), [], [], ""
    for size in (n, 2 * n, 4 * n):
        command = written(program, path, words, make(size))
        costs, before = [], []
        for _ in range(3):
            costs.append(cost(command))
            if base and size == 4 * n:
                before.append(cost([base, *command[1:]])[0])
        times.append(min(seconds for seconds, _ in costs))
        sizes.append(min(size for _, size in costs))
        if before:
            ratio = f"  {times[-1] / max(min(before), 0.001):.2f} of BASE"
    ratios = [times[i + 1] / max(times[i], 0.001) for i in range(2)]
    each = (sizes[2] - sizes[0]) / (3 * n)
    return f"{n:6} {times[0]:7.3f} {times[1]:7.3f} {times[2]:7.3f}  {ratios[0]:.1f} {ratios[1]:.1f} {each:9.1f}{ratio}"


def main():
    words = sys.argv[1:]
    counts = words[:1] == ["--counts"]
    program, wanted = words[counts], words[counts + 1 :]
    passed = failed = 0
    if not counts:
        print(f"{'twice the input':30} {'n':>6} {'n':>7} {'2n':>7} {'4n':>7}  growth   kB each")
    with tempfile.TemporaryDirectory() as folder:
        for name, (make, n, words) in ROWS.items():
            if wanted and name not in wanted:
                continue
            path = os.path.join(folder, "main.tf.json" if "--config" in words else "grown.jsonl" if make in (recording, equal_creates) else "grown.json")
            if not counts:
                print(f"{name:30} {time_row(program, words, path, make, n)}", flush=True)
                continue
            found = []
            for size in (n // 8, n // 4, n // 2):
                found.append(count(written(program, path, words, make(size))))
            growth = (found[2] - found[1]) / (found[1] - found[0])
            failed += growth > 2.2
            passed += growth <= 2.2
            word = "not ok" if growth > 2.2 else "ok"
            print(f"{word} - {name}: {found[2] / 1e6:.1f} million instructions for {n // 2}, growth {growth:.2f}", flush=True)
    if counts:
        print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
