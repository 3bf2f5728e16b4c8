#!/usr/bin/env python3
"""Makes testdata/protocol/tfplugin5.tsv or tfplugin6.tsv from the published definitions.

usage: table.py terraform=FILE opentofu=FILE sdk=FILE

Each FILE is a .proto file of one protocol. The table is their union; its last column names who has
a row. Messages and fields that were renamed without a change on the wire (MESSAGES, FIELDS) count
as one,
under the name of the SDK. A field that two definitions number differently has a row for each number.
"""
import re
import sys

# What definitions call otherwise than the SDK's, with the same number and type.
MESSAGES = {
    "GetMetadata.EphemeralMetadata": "GetMetadata.EphemeralResourceMetadata",
    "ReadStateBytes.Response": "ReadStateBytes.ResponseChunk",
    "StateRange": "StateByteRange",
    "ValidateStateStore.Request": "ValidateStateStoreConfig.Request",
    "ValidateStateStore.Response": "ValidateStateStoreConfig.Response",
}
FIELDS = {
    ("GetStates.Response", "state_id"): "state_ids",
    ("ValidateActionConfig.Request", "type_name"): "action_type",
}


def tokens(source):
    source = re.sub(r"/\*.*?\*/", " ", source, flags=re.S)
    source = re.sub(r"//[^\n]*", " ", source)
    return re.findall(r'"[^"]*"|[A-Za-z_][\w.]*|\d+|[{}()\[\];=<>,.\-]', source)


class Reader:
    def __init__(self, source):
        self.t = tokens(source)
        self.at = 0
        self.rows = []

    def take(self, expected=None):
        token = self.t[self.at]
        if expected is not None and token != expected:
            raise SystemExit(f"{expected} expected, {token} found near {self.t[self.at - 5:self.at + 5]}")
        self.at += 1
        return token

    def skip_statement(self):
        while self.take() != ";":
            pass

    def file(self):
        while self.at < len(self.t):
            word = self.take()
            if word == "message":
                self.message("")
            elif word == "enum":
                self.enum("")
            elif word == "service":
                self.service()
            else:
                self.skip_statement()
        return self.rows

    def message(self, scope):
        name = scope + self.take()
        self.take("{")
        while self.t[self.at] != "}":
            self.member(name)
        self.take("}")

    def member(self, name):
        word = self.take()
        if word == "message":
            self.message(name + ".")
        elif word == "enum":
            self.enum(name + ".")
        elif word == "reserved" or word == "option":
            self.skip_statement()
        elif word == "oneof":
            label = "oneof " + self.take()
            self.take("{")
            while self.t[self.at] != "}":
                self.field(name, self.take(), label)
            self.take("}")
        elif word in ("optional", "repeated"):
            self.field(name, self.take(), word)
        elif word == ";":
            pass
        else:
            self.field(name, word, "")

    def field(self, message, kind, label):
        if kind == "map":
            self.take("<")
            key = self.take()
            self.take(",")
            kind = f"map<{key},{self.take()}>"
            self.take(">")
        name = self.take()
        self.take("=")
        number = self.take()
        self.skip_statement()
        self.rows.append(("field", message, name, number, kind, label))

    def enum(self, scope):
        name = scope + self.take()
        self.take("{")
        while self.t[self.at] != "}":
            value = self.take()
            self.take("=")
            self.rows.append(("enum", name, value, self.take(), "", ""))
            self.skip_statement()
        self.take("}")

    def service(self):
        service = self.take()
        self.take("{")
        while self.t[self.at] != "}":
            self.take("rpc")
            name = self.take()
            request = self.argument()
            self.take("returns")
            response = self.argument()
            if self.take() == "{":
                self.take("}")
            self.rows.append(("call", service, name, "", request, response))
        self.take("}")

    def argument(self):
        self.take("(")
        word = self.take()
        if word == "stream":
            word += " " + self.take()
        self.take(")")
        return word


def renamed(row):
    """The row under the names of the SDK."""
    kind, where, name, number, one, two = row
    where = MESSAGES.get(where, where)
    name = FIELDS.get((where, name), name)
    if kind == "call":
        one, two = (re.sub(r"[\w.]+$", lambda m: MESSAGES.get(m[0], m[0]), t) for t in (one, two))
    elif kind == "field":
        last = {old.split(".")[-1]: new.split(".")[-1] for old, new in MESSAGES.items()}
        one = last.get(one, one)
    return kind, where, name, number, one, two


def main():
    owners, rows = [], {}
    for argument in sys.argv[1:]:
        owner, path = argument.split("=", 1)
        owners.append(owner)
        with open(path, encoding="utf-8") as file:
            for row in map(renamed, Reader(file.read()).file()):
                rows.setdefault(row, []).append(owner)
    print("kind\tin\tname\tnumber\ttype_or_request\tlabel_or_response\tin_definitions_of")
    for row, has in rows.items():
        print("\t".join(row) + "\t" + ("all" if has == owners else " ".join(has)))


main()
