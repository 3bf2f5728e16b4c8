#!/usr/bin/env python3
"""secrets_of.py COMMON FOLDER FILE...: writes the secrets of each scenario file to FOLDER/<n>.words, one a line, where n
counts the files from 0: texts at attributes that a schema of the file calls sensitive or write-only, or that `sensitive:`
names, and the words in them, if they stand nowhere else in the file, are longer than what could be there by chance, and
do not stand in the file COMMON. A file without secrets, or whose schema is elsewhere, gives nothing."""
import os
import re
import sys

import yaml


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    pass


def tagged(loader, _suffix, node):
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return None


Loader.add_multi_constructor("!", tagged)
NOT_VALUES = {"schema", "schemas", "expect", "ignore", "known_failing", "sensitive", "lifecheck"}


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


def texts(node, secret, inside, found, secrets):
    """All other strings, keys too, and those that are secret."""
    if isinstance(node, dict):
        for key, value in node.items():
            found.add(str(key))
            texts(value, secret, inside or key in secret, found, secrets)
    elif isinstance(node, list):
        for item in node:
            texts(item, secret, inside, found, secrets)
    elif isinstance(node, (str, int, float)) and not isinstance(node, bool):
        (secrets if inside else found).add(str(node))


def secrets_of(path):
    secret, secrets, found = set(), set(), set()
    with open(path, encoding="utf-8") as file:
        documents = list(yaml.load_all(file, Loader))
    names(documents, secret)
    for document in documents:
        rest = {key: value for key, value in document.items() if key in NOT_VALUES}
        texts(rest, set(), False, found, secrets)
        texts({key: value for key, value in document.items() if key not in NOT_VALUES}, secret, False, found, secrets)
    words = {word for each in secrets for word in re.findall(r"\w{5,}", each)} | secrets
    return [each for each in sorted(words) if len(each) > 4 and not each.isdigit() and not any(each in other for other in found)]


with open(sys.argv[1], encoding="utf-8") as file:
    common = file.read().lower()
for number, path in enumerate(sys.argv[3:]):
    # A search is for lines.
    lines = [line for each in secrets_of(path) for line in map(str.strip, each.split("\n")) if line and line.lower() not in common]
    if lines:
        with open(os.path.join(sys.argv[2], f"{number}.words"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
