#!/usr/bin/env python3
"""secrets_of.py FILE: the secrets of a scenario file, one a line: texts and numbers of three characters
and more at attributes that a schema of the file calls sensitive or write-only, or that `sensitive:`
names, if they stand nowhere else in the file. Without a schema of its own a file gives nothing."""
import sys

import yaml


class Loader(yaml.SafeLoader):
    pass


def tagged(loader, _suffix, node):
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return None


Loader.add_multi_constructor("!", tagged)
NOT_VALUES = {"schema", "schemas", "expect", "name", "ignore", "known_failing", "sensitive", "lifecheck"}


def names(node, found):
    """Attributes that are secret, by name."""
    if isinstance(node, list):
        for item in node:
            names(item, found)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if isinstance(value, dict) and (value.get("sensitive") is True or value.get("write_only") is True):
            found.add(key)
        if key == "sensitive" and isinstance(value, list):
            for path in value:
                found.add(str(path).rstrip("]").replace("[", ".").split(".")[-1].strip('"'))
        names(value, found)


def scalars(node, secret, inside, open_values, secrets):
    if isinstance(node, dict):
        for key, value in node.items():
            if inside or key not in NOT_VALUES:
                scalars(value, secret, inside or key in secret, open_values, secrets)
    elif isinstance(node, list):
        for item in node:
            scalars(item, secret, inside, open_values, secrets)
    elif isinstance(node, (str, int, float)) and not isinstance(node, bool):
        (secrets if inside else open_values).add(str(node))


secret, secrets, open_values = set(), set(), set()
with open(sys.argv[1], encoding="utf-8") as file:
    documents = list(yaml.load_all(file, Loader))
names(documents, secret)
scalars(documents, secret, False, open_values, secrets)
for each in sorted(secrets):
    if len(each) > 3 and not any(each in other for other in open_values):
        print(each)
