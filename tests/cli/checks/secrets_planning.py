#!/usr/bin/env python3
"""secrets_planning.py FOLDER: writes scenarios of whole plans and configurations, configurations, plans and states in which
every secret holds the word hush: values of sensitive and write-only attributes, names within dynamic ones, keys of maps,
values of sensitive variables, places that a plan or a state marks. Each breaks something at or beside a secret."""
import json
import os
import sys

SCHEMA = {"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"provider": {"version": 0, "block": {}}, "resource_schemas": {
    "demo_vault": {"version": 0, "block": {"attributes": {
        "id": {"type": "string", "computed": True}, "name": {"type": "string", "optional": True},
        "size": {"type": "number", "optional": True}, "password": {"type": "string", "optional": True, "sensitive": True},
        "pin": {"type": "number", "optional": True, "sensitive": True},
        "keys": {"type": ["map", "string"], "optional": True, "sensitive": True},
        "items": {"type": ["list", "string"], "optional": True, "sensitive": True},
        "blob": {"type": "dynamic", "optional": True, "sensitive": True},
        "once": {"type": "string", "optional": True, "write_only": True}}}}}}}}
STORED = {"id": "v-1", "name": "n", "password": "hushpassword", "pin": 987654, "keys": {"hushmapkey": "hushstored"}, "items": ["hushitem"]}
VARIABLES = {
    "secret": {"type": "string", "sensitive": True, "default": "hushdefault"},
    "number": {"type": "string", "sensitive": True, "default": "hush7"},
    "keyed": {"sensitive": True, "default": {"hushkey": "hushvalue", "k": "hushk"}},
    "listed": {"type": "list(string)", "sensitive": True, "default": ["hushelement"]}}
LOCALS = {"l": "${var.keyed}", "deep": {"hidden": "${var.secret}"}}

ARGUMENTS = {
    "plain": {"name": "${var.secret}"},
    "for_each": {"for_each": "${var.keyed}"},
    "for_each_set": {"for_each": "${toset(var.listed)}"},
    "for_each_local": {"for_each": "${{for k, v in local.l : k => v}}"},
    "for_each_text": {"for_each": "${var.secret}"},
    "count": {"count": "${var.number}"},
    "count_length": {"count": "${length(var.listed)}"},
    "missing_key": {"name": "${var.keyed.hushmissing}", "size": "${var.keyed[\"nothing\"]}"},
    "index": {"name": "${var.listed[7]}"},
    "index_by": {"name": "${{a = 1}[var.secret]}", "size": "${[1, 2][var.number]}"},
    "arithmetic": {"size": "${var.secret + 1}"},
    "wrong_type": {"size": "${var.secret}", "pin": "${var.secret}", "items": "${var.secret}"},
    "wrong_constant": {"pin": "hushpin", "keys": "hushkeys", "items": {"hushitems": 1}},
    "wrong_map": {"keys": {"hushinner": ["hushlist"]}},
    "nested": {"password": ["hushlisted"]},
    "function": {"name": "${tonumber(var.secret)}", "size": "${element(var.listed, var.number)}"},
    "template": {"name": "x-${var.secret}-${local.deep.hidden}"},
    "conditional": {"name": "${var.secret ? \"a\" : \"b\"}"},
    "splat": {"name": "${join(\",\", var.listed[*].x)}"},
    "unknown_attribute": {"hushless": 1, "blob": {"hushname": {"hushdeep": "hushtext"}}},
    "trigger": {"lifecycle": {"replace_triggered_by": ["${demo_vault.a.keys[\"k\"]}"]}},
    "ignore": {"password": "hushnew", "lifecycle": {"ignore_changes": ["keys[\"k\"]"]}},
    "once": {"once": "hushonce"},
    "condition": {"lifecycle": {"precondition": {"condition": "${var.secret == \"x\"}", "error_message": "no ${var.secret}"}}},
}
ANSWERS = {
    "planned": {"planned": {**STORED, "password": "hushplanned"}, "requires_replace": [".keys[\"hushmapkey\"]", ".password"]},
    "keyed": {"planned": {**STORED, "password": "hushnew", "name": "x", "keys": {"hushmapkey": "hushchanged", "hushmore": "v"}, "blob": {"hushname": 1}},
              "requires_replace": [".keys[\"hushmapkey\"]", ".keys[\"hushmore\"]", ".blob.hushname"]},
    "read": {"read": {**STORED, "password": "hushread", "blob": {"hushread": "hushblob"}}},
    "planned_type": {"planned": {**STORED, "pin": "hushpinned", "keys": ["hushkeyed"]}},
    "read_type": {"read": {**STORED, "password": {"hushobject": 1}}},
    "path": {"planned": STORED, "requires_replace": [".keys[\"hushother\"]", ".blob.hushname"]},
}


def config(arguments):
    return {"variable": VARIABLES, "locals": LOCALS, "resource": {"demo_vault": {"a": arguments}},
            "output": {"o": {"value": "${var.secret}", "sensitive": True}}}


def write(name, document):
    with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
        json.dump(document, file)


def forecast(name, arguments, answers=None, state=None, variables=None):
    for profile in ("opentofu", "terraform"):
        planning = {
            "schemas": ["vault.schema"], "profile": profile, "config": config(arguments),
            "variables": variables or {"secret": "hushgiven"},
            "state": {"demo_vault.a": {"value": state or STORED}},
            "expect": {"demo_vault.a": {"actions": "forget"}, "demo_vault.b": {"actions": "create"}}}
        if answers:
            planning["provider"] = {"demo_vault.a": answers}
        write(f"forecast-{name}-{profile}.yaml", {"lifecheck": 1, "planning": planning})
    os.makedirs(os.path.join(sys.argv[1], "config-" + name), exist_ok=True)
    write(f"config-{name}/main.tf.json", config(arguments))
    write(f"config-{name}/terraform.tfvars.json", variables or {"secret": "hushgiven"})


def plan(name, edit):
    marks = {"password": True, "pin": True, "keys": True, "items": [True], "name": True}
    shown = {**STORED, "name": "hushname", "blob": {"hushpart": "hushblob"}, "size": 1, "once": None}
    marks["blob"] = True
    about = {"address": "demo_vault.a", "mode": "managed", "type": "demo_vault", "name": "a", "provider_name": "example.test/demo/demo"}
    change = {"actions": ["update"], "before": {**shown, "password": "hushbefore"}, "after": dict(shown), "after_unknown": {},
              "before_sensitive": dict(marks), "after_sensitive": dict(marks)}
    document = {
        "format_version": "1.2", "terraform_version": "1.11.4",
        "variables": {"secret": {"value": "hushgiven"}},
        "planned_values": {"outputs": {"o": {"sensitive": True, "type": "string", "value": "hushoutput"}},
                           "root_module": {"resources": [{**about, "schema_version": 0, "values": dict(shown), "sensitive_values": dict(marks)}]}},
        "resource_changes": [{**about, "change": change}],
        "output_changes": {"o": {"actions": ["create"], "before": None, "after": "hushoutput", "after_unknown": False, "before_sensitive": True, "after_sensitive": True}},
        "prior_state": {"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": {"resources": [
            {**about, "schema_version": 0, "values": {**shown, "password": "hushbefore"}, "sensitive_values": dict(marks)}]}}},
        "configuration": {"provider_config": {"demo": {"name": "demo", "full_name": "example.test/demo/demo", "expressions": {"token": {"constant_value": "hushtoken"}}}},
                          "root_module": {"variables": {"secret": {"sensitive": True}}, "outputs": {"o": {"sensitive": True, "expression": {"references": ["var.secret"]}}},
                                          "resources": [{"address": "demo_vault.a", "mode": "managed", "type": "demo_vault", "name": "a", "provider_config_key": "demo",
                                                         "schema_version": 0, "expressions": {"password": {"constant_value": "hushnew"}, "name": {"references": ["var.secret"]}}}]}},
        "applyable": True, "complete": True, "errored": False}
    edit(document, change, document["planned_values"], document["prior_state"]["values"]["root_module"]["resources"][0])
    write(f"plan-{name}.plan.json", document)
    write(f"plan-{name}.yaml", {"lifecheck": 1, "planning": {"plan": document, "schemas": ["vault.schema"]}})


def state(name, edit):
    instance = {"schema_version": 0, "attributes": {**STORED, "name": "hushname", "blob": {"value": {"hushpart": "hushblob"}, "type": ["object", {"hushpart": "string"}]}},
                "sensitive_attributes": [[{"type": "get_attr", "value": "name"}], [{"type": "get_attr", "value": "keys"}, {"type": "index", "value": {"value": "hushmapkey", "type": "string"}}]],
                "private": "aHVzaA=="}
    document = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {"o": {"value": "hushoutput", "type": "string", "sensitive": True}},
                "resources": [{"mode": "managed", "type": "demo_vault", "name": "a", "provider": "provider[\"example.test/demo/demo\"]", "instances": [instance]}]}
    edit(document, instance)
    write(f"state-{name}.tfstate", document)
    write(f"state-{name}.yaml", {"lifecheck": 1, "planning": {"state": document, "schemas": ["vault.schema"]}})
    write(f"stored-{name}.yaml", {"lifecheck": 1, "providers": {"config": config({"name": "x"}), "state": document}})


write("vault.schema", SCHEMA)
for key, value in ARGUMENTS.items():
    forecast(key, value)
for key, value in ANSWERS.items():
    forecast("answer-" + key, {"name": "x", "password": "hushnew", "keys": {"hushmapkey": "hushchanged", "hushmore": "v"}, "blob": {"hushname": 1}}, value)
forecast("state-type", {"name": "x"}, state={**STORED, "pin": "hushpinned", "items": "hushitems", "keys": ["hushkeyed"]})
forecast("variable-type", {"name": "x"}, variables={"listed": {"hushlisted": 1}, "secret": ["hushtext"]})
forecast("variable-extra", {"name": "x"}, variables={"secret": "hushgiven", "keyed": {"hushone": {"hushtwo": 1}}})

plan("plain", lambda d, c, p, q: None)
plan("no-op", lambda d, c, p, q: c.update(actions=["no-op"]))
plan("after", lambda d, c, p, q: p["root_module"]["resources"][0]["values"].update(password="hushelse", keys={"hushelsekey": "v"}))
plan("prior", lambda d, c, p, q: q["values"].update(password="hushelse", blob={"hushelsename": 1}))
plan("marks", lambda d, c, p, q: c["after_sensitive"].update(keys={"hushmapkey": True}, blob={"hushpart": True}))
plan("unknown", lambda d, c, p, q: c["after_unknown"].update(keys={"hushmapkey": True}, blob={"hushlater": True}, password=True))
plan("replace", lambda d, c, p, q: c.update(replace_paths=[["keys", "hushmapkey"], ["blob", "hushpart"], ["blob", "hushnot"]], actions=["delete", "create"]))
plan("type", lambda d, c, p, q: c["after"].update(pin="hushpin", keys=["hushkeyed"], items="hushitems"))
plan("extra", lambda d, c, p, q: c["after"].update(blob={"hushpart": ["hushbloblist"]}, once="hushonce"))
plan("missing", lambda d, c, p, q: [c["after"].pop(k) for k in ("password", "keys", "blob")])
plan("output", lambda d, c, p, q: d["output_changes"]["o"].update(after="hushelse"))
plan("output-type", lambda d, c, p, q: p["outputs"]["o"].update(type=["object", {"hushmember": "string"}], value={"hushother": 1}))
plan("drift", lambda d, c, p, q: d.update(resource_drift=[{**d["resource_changes"][0], "change": {**c, "before": {**c["before"], "password": "hushdrift", "blob": {"hushdrifted": 1}}}}]))
plan("import", lambda d, c, p, q: c.update(importing={"id": "hush-import"}, actions=["create"]))

state("plain", lambda d, i: None)
state("type", lambda d, i: i["attributes"].update(pin="hushpin", keys=["hushkeyed"], password=["hushlist"]))
state("extra", lambda d, i: i["attributes"].update(blob={"value": {"hushpart": 1}, "type": "hushtype"}))
state("path", lambda d, i: [i["attributes"].update(name="n"), i.update(sensitive_attributes=[[{"type": "get_attr", "value": "blob"}, {"type": "get_attr", "value": "hushnothing"}]])])
state("status", lambda d, i: i.update(status="odd"))
state("member", lambda d, i: [i["attributes"].update(name="n"), i.update(sensitive_attributes={"not": 1}, private=["hushprivate"])])

PROVIDERS = {
    "for_each": ({"alias": "by", "for_each": "${var.keyed}", "token": "hushtoken"}, "aws.by"),
    "for_each_text": ({"alias": "by", "for_each": "${var.secret}", "token": "hushtoken"}, "aws.by"),
    "for_each_list": ({"alias": "by", "for_each": "${var.listed}", "token": "hushtoken"}, "aws.by"),
    "key": ({"alias": "by", "for_each": "${toset([\"a\"])}", "token": "${var.secret}"}, "aws.by[var.secret]"),
    "key_missing": ({"alias": "by", "for_each": "${toset([\"a\"])}", "token": "${var.secret}"}, "aws.by[var.keyed.k]"),
    "key_type": ({"alias": "by", "for_each": "${toset([\"a\"])}"}, "aws.by[var.listed]"),
    "alias": ({"alias": "${var.secret}"}, "aws"),
}
for key, (block, reference) in PROVIDERS.items():
    whole = {"terraform": {"required_providers": {"aws": {"source": "hashicorp/aws"}}}, "variable": VARIABLES, "locals": LOCALS, "provider": {"aws": block},
             "resource": {"aws_bucket": {"a": {"provider": reference}, "b": {"for_each": "${var.keyed}", "provider": "aws"}}}}
    for profile in ("document", "opentofu", "terraform"):
        write(f"providers-{key}-{profile}.yaml", {"lifecheck": 1, "providers": {"profile": profile, "config": whole, "variables": {"secret": "hushgiven"}}})
    os.makedirs(os.path.join(sys.argv[1], "config-providers-" + key), exist_ok=True)
    write(f"config-providers-{key}/main.tf.json", whole)
