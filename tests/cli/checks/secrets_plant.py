#!/usr/bin/env python3
"""secrets_plant.py FOLDER: in the scenario files of a folder (a copy!) puts a word that stands nowhere else instead of
each secret value: at attributes that the schema of the case calls sensitive or write-only, wherever that schema stands,
at ephemeral_values, and behind the marker for sensitive. Equal values get equal words. The words are written to
FILE.words; a file without secrets stays as it is."""
import json
import os
import sys

import yaml

OBJECTS = {
    "config", "prior_state", "final_config", "upgraded_state", "proposed_new_state", "planned_state", "final_planned_state",
    "new_state", "read_state", "import_stub_state", "current_state", "target_state", "state", "result", "planned",
    "prepared_config", "generated_config", "raw_state", "source_state"}
GROUPS = {
    "move", "import", "upgrade", "read", "validate", "plan", "plan_create", "destroy_plan", "open", "data", "final_plan",
    "destroy", "action", "apply", "reread"}
KINDS = {
    "resource": "resource_schemas", "data": "data_source_schemas", "ephemeral": "ephemeral_resource_schemas",
    "list": "list_resource_schemas", "action": "action_schemas"}


def members(node):
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: value for key, value in node.value}


def plain(node):
    """A node of a schema as data."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(item) for item in node.value]
    return {"true": True, "false": False}.get(node.value, node.value)


def marked(node):
    """The marker of a node and what it marks."""
    if node.tag.startswith("!"):
        return node.tag[1:], node
    if isinstance(node, yaml.MappingNode) and len(node.value) == 1 and node.value[0][0].value.startswith("$"):
        return node.value[0][0].value[1:], node.value[0][1]
    return None, node


Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Planter:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.edits, self.words = {}, {}

    # ---- Schemas

    def schema_of(self, node):
        found = plain(node)
        if not isinstance(found, dict) or "file" not in found:
            return found if isinstance(found, dict) else {}
        with open(os.path.join(os.path.dirname(self.path), found["file"]), encoding="utf-8") as file:
            providers = json.load(file)["provider_schemas"]
        for name, provider in sorted(providers.items()):
            if found.get("provider", name) not in (name, name.split("/", 1)[-1], name.rsplit("/", 1)[-1]):
                continue
            if found.get("kind") == "provider":
                return provider.get("provider", {})
            types = provider.get(KINDS[found.get("kind", "resource")], {})
            if found["type"] in types:
                return types[found["type"]]
        return {}

    # ---- Values

    def plant(self, node):
        """Every value below."""
        marker, node = marked(node)
        if marker in ("msgpack", "json", "unknown", "null"):
            return
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if not (marker == "typed" and key.value == "type"):
                    self.plant(value)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                self.plant(item)
        else:
            self.plant_scalar(node)

    def plant_scalar(self, node):
        kind = yaml.resolver.Resolver().resolve(yaml.ScalarNode, node.value, (node.style is None, True))
        if node.value == "" or kind.endswith((":null", ":bool")):
            return
        number = kind.endswith((":int", ":float"))
        word = self.words.setdefault((node.value, number), f"{908070 + len(self.words)}" if number else f"Xyzzy{len(self.words)}Plugh")
        if node.tag.startswith("!"):
            start = self.text.index(node.value, node.start_mark.index)
            self.edits[start] = (start + len(node.value), word)
            return
        end = node.end_mark.index
        self.edits[node.start_mark.index] = (end, word if number else f'"{word}"' + ("\n" if node.style in ("|", ">") else ""))

    def marks(self, node):
        """Values behind the marker, anywhere."""
        marker, content = marked(node)
        if marker == "sensitive":
            self.plant(content)
        elif isinstance(content, yaml.MappingNode):
            for _, value in content.value:
                self.marks(value)
        elif isinstance(content, yaml.SequenceNode):
            for item in content.value:
                self.marks(item)

    def attributes(self, node, attributes):
        _, node = marked(node)
        for name, value in members(node).items():
            about = attributes.get(name, {})
            if about.get("sensitive") is True or about.get("write_only") is True:
                self.plant(value)
            elif isinstance(about.get("nested_type"), dict):
                nested = about["nested_type"]
                self.elements(value, nested.get("nesting_mode"), lambda each, n=nested: self.attributes(each, n.get("attributes") or {}))

    def elements(self, node, nesting, visit):
        _, node = marked(node)
        if nesting in ("list", "set") and isinstance(node, yaml.SequenceNode):
            for item in node.value:
                visit(item)
        elif nesting == "map":
            for value in members(node).values():
                visit(value)
        else:
            visit(node)

    def block(self, node, block):
        self.attributes(node, block.get("attributes") or {})
        _, node = marked(node)
        for name, value in members(node).items():
            about = (block.get("block_types") or {}).get(name)
            if about:
                self.elements(value, about.get("nesting_mode"), lambda each, b=about: self.block(each, b.get("block") or {}))

    # ---- Runs

    def layer(self, layers, key):
        return next((layer[key] for layer in layers if key in layer), None)

    def fields(self, node, block):
        for key, value in members(node).items():
            if key in OBJECTS:
                value = members(value).get("json", value)
                self.block(value, block)
            elif key in ("imported", "imported_resources") and isinstance(value, yaml.SequenceNode):
                for item in value.value:
                    self.fields(item, block)

    def run(self, layers):
        schema = self.layer(layers, "schema")
        block = (self.schema_of(schema).get("block") if schema else None) or {}
        for key in OBJECTS:
            node = self.layer(layers, key)
            if node:
                self.block(node, block)
        stored = self.layer(layers, "previous_run_state")
        if stored and "attributes" in members(stored):
            self.block(members(stored)["attributes"], block)
        for key in GROUPS:
            node = self.layer(layers, key)
            for each in node.value if isinstance(node, yaml.SequenceNode) else [node] if node else []:
                self.fields(each, block)
        calls = self.layer(layers, "calls")
        for call in calls.value if calls else []:
            for part in ("request", "response"):
                if part in members(call):
                    self.fields(members(call)[part], block)
        expected = members(self.layer(layers, "expect") or yaml.ScalarNode("", "")).get("proposed_new_state")
        if expected:
            for each in [expected, *members(expected).values()]:
                self.block(each, block)
        ephemeral = self.layer(layers, "ephemeral_values")
        for path in ephemeral.value if ephemeral else []:
            for key in ("config", "final_config"):
                value = members(self.layer(layers, key) or yaml.ScalarNode("", "")).get(path.value[1:])
                if value:
                    self.plant(value)

    def case(self, layers):
        runs = self.layer(layers, "runs")
        for run in runs.value if runs else []:
            self.run([members(run), *layers])
        if not runs:
            self.run(layers)

    def document(self, node):
        for root in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            own = members(root)
            self.marks(root)
            for case in own["cases"].value if "cases" in own else []:
                self.case([members(case), own])
            if "cases" not in own:
                self.case([own])


def plant_file(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    planter = Planter(path, text)
    for node in yaml.compose_all(text, Loader):
        planter.document(node)
    if not planter.edits:
        return
    for start, (end, word) in sorted(planter.edits.items(), reverse=True):
        text = text[:start] + word + text[end:]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    with open(path + ".words", "w", encoding="utf-8") as file:
        file.writelines(word + "\n" for word in planter.words.values())


for folder, _, names in os.walk(sys.argv[1]):
    for name in sorted(names):
        if name.endswith(".yaml"):
            plant_file(os.path.join(folder, name))
