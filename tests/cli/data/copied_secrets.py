#!/usr/bin/env python3
"""A recording in which secrets of one type stand in attributes of another that are not sensitive.

    copied_secrets.py FORM SECRET [WORD...]

FORM: msgpack or json, how values are encoded. WORDs: `late` (the copies are recorded before the secret is known),
`respelt` and `changed` (the provider gives back a copy in capitals, or another one), `many=N` (N secrets, default 1).
"""

import base64
import json
import struct
import sys

TYPES = {
    "x_password": {"id": "string", "keepers": ["map", "string"], "length": "number", "result": "string"},
    "x_file": {"any": "dynamic", "content": "string", "id": "string", "mode": "string", "tags": ["map", "string"]},
}


def b64(data):
    return base64.b64encode(data).decode()


def packed(value):
    if value is None:
        return b"\xc0"
    if isinstance(value, Unknown):
        return b"\xd4\x00\x00"
    if isinstance(value, int):
        return b"\xd2" + struct.pack(">i", value)
    if isinstance(value, bytes):
        return b"\xc5" + struct.pack(">H", len(value)) + value
    if isinstance(value, str):
        return b"\xdb" + struct.pack(">I", len(value.encode())) + value.encode()
    if isinstance(value, dict):
        return b"\xdf" + struct.pack(">I", len(value)) + b"".join(packed(k) + packed(v) for k, v in sorted(value.items()))
    return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(packed, value))


class Unknown:
    pass


UNKNOWN = Unknown()


def schema(kind):
    marks = {"result": {"computed": True, "sensitive": True}, "id": {"computed": True}}
    rows = [{"name": n, "type": b64(json.dumps(t).encode()), **marks.get(n, {"optional": True})} for n, t in TYPES[kind].items()]
    return {"block": {"attributes": rows}}


class Recording:
    def __init__(self, form):
        self.form, self.lines = form, 0
        self.call("GetProviderSchema", {}, {"provider": {"block": {}}, "resource_schemas": {k: schema(k) for k in TYPES}})

    def call(self, rpc, request, response):
        self.lines += 1
        print(json.dumps({"process": 1, "seq": self.lines, "protocol": 6, "rpc": rpc, "request": request, "response": response}))

    def value(self, kind, value):
        unknown = value and any(isinstance(v, Unknown) for v in value.values())
        if self.form == "json" and not unknown:
            return {"json": b64(json.dumps(value).encode())}
        if value and "any" in value:
            value = {**value, "any": value["any"] and [json.dumps(value["any"]["type"]).encode(), value["any"]["value"]]}
        return {"msgpack": b64(packed(value))}

    def create(self, kind, config, new):
        def v(value):
            return self.value(kind, value)

        planned = {n: UNKNOWN if config[n] is None and new[n] is not None else config[n] for n in config}
        name, plan = {"type_name": kind}, {"config": v(config), "prior_state": v(None)}
        self.call("ValidateResourceConfig", {**name, "config": v(config)}, {})
        self.call("PlanResourceChange", {**name, **plan, "proposed_new_state": v(planned)}, {"planned_state": v(planned)})
        self.call("ApplyResourceChange", {**name, **plan, "planned_state": v(planned)}, {"new_state": v(new)})
        raw = {"json": b64(json.dumps(new).encode())}
        self.call("UpgradeResourceState", {**name, "version": "0", "raw_state": raw}, {"upgraded_state": v(new)})
        self.call("ReadResource", {**name, "current_state": v(new)}, {"new_state": v(new)})


def main():
    form, secret, *words = sys.argv[1:]
    recording = Recording(form)
    many = next((int(w[5:]) for w in words if w.startswith("many=")), 1)
    for i in range(many):
        s = f"{secret}-{i}" if many > 1 else secret
        inner = {"type": ["object", {"deep": "string", "n": "number"}], "value": {"deep": s, "n": 8080}}
        content = json.dumps({"user": "somebody", "password": s, "encoded": b64(s.encode())})
        config = {"any": inner, "content": content, "id": None, "mode": s, "tags": {"whole": s, f"of {s}": f"it is {s}!", "other": "the testing of tests"}}
        back = dict(config, id=f"id-{i}")
        if "respelt" in words:
            back["mode"] = s.upper()
        if "changed" in words:
            back["content"] = content.replace("somebody", "nobody")
        password = {"id": None, "keepers": {"a": "b"}, "length": 16, "result": None}
        steps = [("x_password", password, dict(password, id="none", result=s)), ("x_file", config, back)]
        for step in reversed(steps) if "late" in words else steps:
            recording.create(*step)


main()
