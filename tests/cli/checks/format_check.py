#!/usr/bin/env python3
"""format_check.py SCHEMA FILE...: is each scenario file valid by the JSON Schema of the format?
Prints `FILE: PLACE: what is wrong` and ends with 1 if one is not. Every file is looked at twice: with tags as
mappings with a $-key, which is what lifecheck takes them for, and without them, which is how an editor sees them.
Judged by the checker below, which refuses a schema with a keyword that it does not know, and by the package
jsonschema too if it is installed; the two must agree. The package takes ten times as long, so of many files it sees each sixteenth
and those that are wrong."""
import json
import re
import sys

import yaml

try:
    import jsonschema
except ImportError:
    jsonschema = None

# ---- YAML 1.2 with the core schema, which PyYAML does not have


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    keep_tags = True


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("merge", r"<<", "<"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN", "-+0123456789."),
]:
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile("^(?:" + pattern + ")$"), list(first))


def integer(loader, node):
    text = node.value.replace("0o", "0o" if node.value.startswith("0o") else "")
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


def tagged(loader, suffix, node):
    if isinstance(node, yaml.MappingNode):
        value = loader.construct_mapping(node, deep=True)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = node.value
    return {"$" + suffix: value} if loader.keep_tags else value


Loader.add_constructor("tag:yaml.org,2002:int", integer)
Loader.add_multi_constructor("!", tagged)


class Editor(Loader):
    keep_tags = False


def documents(path, loader):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".json"):
        return [json.loads(text)]
    return list(yaml.load_all(text, loader))


# ---- A strict checker of the keywords that are used

KINDS = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: not isinstance(v, bool) and (isinstance(v, int) or isinstance(v, float) and v.is_integer()),
}
ANNOTATIONS = {"$schema", "$defs", "title", "description", "patternErrorMessage"}
KNOWN = ANNOTATIONS | {
    "$ref", "type", "enum", "const", "properties", "patternProperties", "additionalProperties", "required", "items",
    "minItems", "uniqueItems", "minLength", "minimum", "minProperties", "maxProperties", "pattern", "anyOf", "allOf",
    "not", "if", "then", "else"}


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Checker:
    def __init__(self, schema):
        self.root = schema
        self.used = set()
        self.read = set()  # schemas whose keywords are known, by identity: all of them are parts of the root

    def wrong(self, schema, value, at="."):
        """What is wrong, or None."""
        if schema is True:
            return None
        if schema is False:
            return f"{at}: has no place here"
        if not isinstance(schema, dict):
            raise SystemExit(f"no schema: {schema!r}")
        if id(schema) not in self.read:
            unknown = set(schema) - KNOWN
            if unknown:
                raise SystemExit(f"a keyword that nobody checks: {unknown}")
            self.read.add(id(schema))
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            self.used.add(name)
            found = self.wrong(self.root["$defs"][name], value, at)
            if found:
                return found
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if kinds and not any(KINDS[kind](value) for kind in kinds):
            return f"{at}: is no {' or '.join(kinds)}"
        if "enum" in schema and not any(same(value, each) for each in schema["enum"]):
            return f"{at}: is none of the words: {value!r}"
        if "const" in schema and not same(value, schema["const"]):
            return f"{at}: is not {schema['const']!r}"
        return (self.wrong_text(schema, value, at) or self.wrong_list(schema, value, at)
                or self.wrong_mapping(schema, value, at) or self.wrong_parts(schema, value, at))

    def wrong_text(self, schema, value, at):
        if isinstance(value, str) and len(value) < schema.get("minLength", 0):
            return f"{at}: is too short"
        if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
            return f"{at}: does not match {schema['pattern']}"
        if KINDS["number"](value) and "minimum" in schema and value < schema["minimum"]:
            return f"{at}: is too small"
        return None

    def wrong_list(self, schema, value, at):
        if not isinstance(value, list):
            return None
        if len(value) < schema.get("minItems", 0):
            return f"{at}: has too few items"
        if schema.get("uniqueItems") and any(same(a, b) for i, a in enumerate(value) for b in value[:i]):
            return f"{at}: has an item twice"
        return next(filter(None, (self.wrong(schema.get("items", True), each, f"{at}[{i}]")
                                  for i, each in enumerate(value))), None)

    def wrong_mapping(self, schema, value, at):
        if not isinstance(value, dict):
            return None
        for key in schema.get("required", []):
            if key not in value:
                return f"{at}: needs {key}"
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            return f"{at}: has another number of keys"
        for key, each in value.items():
            where, known = f"{at}{key}." if at == "." else f"{at}{key}.", False
            if key in schema.get("properties", {}):
                known = True
                found = self.wrong(schema["properties"][key], each, where)
                if found:
                    return found
            for pattern, rest in schema.get("patternProperties", {}).items():
                if re.search(pattern, str(key)):
                    known = True
                    found = self.wrong(rest, each, where)
                    if found:
                        return found
            if not known:
                found = self.wrong(schema.get("additionalProperties", True), each, where)
                if found:
                    return found
        return None

    def wrong_parts(self, schema, value, at):
        for each in schema.get("allOf", []):
            found = self.wrong(each, value, at)
            if found:
                return found
        if "anyOf" in schema:
            tried = [self.wrong(each, value, at) for each in schema["anyOf"]]
            if None not in tried:
                return tried[0]
        if "not" in schema and self.wrong(schema["not"], value, at) is None:
            return f"{at}: is reserved"
        if "if" in schema:
            branch = "else" if self.wrong(schema["if"], value, at) else "then"
            return self.wrong(schema.get(branch, True), value, at)
        return None


# ---- The files

def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    checker, bad = Checker(schema), 0
    package = None
    if jsonschema:
        if len(sys.argv) > 12:  # it takes longer than all the rest, so not for each file anew
            jsonschema.Draft202012Validator.check_schema(schema)
        package = jsonschema.Draft202012Validator(schema)
    for at, path in enumerate(sys.argv[2:]):
        found, before = None, None
        sampled = len(sys.argv) < 12 or at % 16 == 0
        for loader in Loader, Editor:
            try:
                values = documents(path, loader)
            except (yaml.YAMLError, json.JSONDecodeError) as error:
                found = f"cannot be read: {str(error).splitlines()[0]}"
                break
            if repr(values) == before:  # no tags: both see the same
                break
            before = repr(values)
            for value in values:
                wrong = checker.wrong(schema, value)
                if package and (sampled or wrong) and package.is_valid(value) != (wrong is None):
                    raise SystemExit(f"{path}: the package jsonschema sees it differently: {wrong}")
                found = found or wrong
        if found:
            bad += 1
            print(f"{path}: {found}")
    never = sorted(set(schema["$defs"]) - checker.used)
    if "--all" in sys.argv[2:]:
        print("never used:", *never)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
