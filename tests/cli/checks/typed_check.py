#!/usr/bin/env python3
"""typed_check.py LIFECHECK FILE...: scenario files whose schema is one type of a document, by the JSON Schema that is
made for that type. Prints what is wrong, and at last how many files and types were looked at."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("format_check", os.path.join(HERE, "format_check.py"))
format_check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(format_check)


def types(node):
    """Every (file, type, kind, provider) below; None for a schema that is not a type of a file."""
    if isinstance(node, list):
        return set().union(*map(types, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    found = set()
    schema = node.get("schema")
    if schema is not None:
        whole = isinstance(schema, dict) and "file" in schema and "type" in schema
        found.add(tuple(schema.get(k, "") for k in ("file", "type", "kind", "provider")) if whole else None)
    return found.union(types(node.get("cases")), types(node.get("runs")))


def main():
    made, looked, bad = {}, 0, 0
    for path in sys.argv[2:]:
        loaders = (format_check.Loader, format_check.Editor)
        each = [format_check.documents(path, loader) for loader in loaders]
        found = types(each[0])
        if len(found) != 1 or None in found or "cloudformation" in str(found):
            continue
        file, kind_of = os.path.join(os.path.dirname(path), next(iter(found))[0]), next(iter(found))[1:]
        key = (os.path.realpath(file),) + kind_of
        if key not in made:
            options = [f"--{name}={value}" for name, value in zip(("type", "kind", "provider"), kind_of) if value]
            out = subprocess.run([sys.argv[1], "schema", "scenario", "--schema", file, *options], check=True,
                                 stdout=subprocess.PIPE).stdout
            made[key] = format_check.Checker(json.loads(out))
        looked += 1
        for value in [value for values in each for value in values]:
            wrong = made[key].wrong(made[key].root, value)
            if wrong:
                bad += 1
                print(f"{path}: {wrong}")
                break
    print(f"{looked} files, {len(made)} types")
    return 1 if bad else 0


sys.exit(main())
