"""Random configurations of terraform_data, and random changes of them, for hunt.py.

A configuration is a tree of modules. Everything in it is text in native syntax; types of expressions are tracked only as
far as is needed for most of them to be valid.
"""

import copy
import json

STRINGS = ('"a"', '"b"', '"A"', '"x-y"', '""', '"1"', '"true"', '"é"', '"a,b"', '"{\\"k\\":1}"', '"0.10"', '"line\\n"')
NUMBERS = ("0", "1", "2", "-1", "1.5", "10", "0.1", "1e3", "12345678901234567890", "3.0")
KEYS = ("a", "b", "c", "d")
PRIMITIVE = ("string", "number", "bool")


def constraint(t):
    """The type constraint of a type."""
    if isinstance(t, str):
        return t
    if t[0] == "object":
        return "object({%s})" % ", ".join("%s = %s" % (k, constraint(v)) for k, v in sorted(t[1].items()))
    if t[0] == "tuple":
        return "tuple([%s])" % ", ".join(constraint(v) for v in t[1])
    return "%s(%s)" % (t[0], constraint(t[1]))


def random_type(rng, depth=2):
    if depth == 0 or rng.random() < 0.45:
        return rng.choice(("string", "string", "number", "bool"))
    kind = rng.choice(("list", "map", "set", "object", "tuple"))
    if kind == "object":
        return ("object", {k: random_type(rng, depth - 1) for k in rng.sample(KEYS, rng.randint(1, 2))})
    if kind == "tuple":
        return ("tuple", [random_type(rng, depth - 1) for _ in range(rng.randint(1, 2))])
    return (kind, random_type(rng, depth - 1))


class Writer:
    """Random expressions of a type. `names` are pairs of a reference and its type."""

    def __init__(self, rng, names, wild=0.03):
        self.rng, self.names, self.wild = rng, names, wild

    def some(self, *choices):
        return self.rng.choice(choices)()

    def name(self, t):
        fitting = [n for n, of in self.names if of == t]
        return self.rng.choice(fitting) if fitting else None

    def any(self, depth):
        return self.of(random_type(self.rng, 1), depth)

    def of(self, t, depth):
        """An expression of the type, sometimes of another, null or not known."""
        rng = self.rng
        if rng.random() < self.wild:
            return rng.choice(("null", self.any(0), "uuid()", "timestamp()"))
        name = self.name(t)
        if name and rng.random() < 0.5:
            return name
        if depth <= 0:
            return self.literal(t, 0)
        if rng.random() < 0.3:
            return self.general(t, depth - 1)
        if isinstance(t, str):
            return getattr(self, t)(depth - 1)
        return self.collection(t, depth - 1)

    def literal(self, t, depth):
        rng = self.rng
        if t == "string":
            return rng.choice(STRINGS)
        if t == "number":
            return rng.choice(NUMBERS)
        if t == "bool":
            return rng.choice(("true", "false"))
        if t[0] in ("list", "set"):
            text = "[%s]" % ", ".join(self.of(t[1], depth) for _ in range(rng.randint(0, 3)))
            return "toset(%s)" % text if t[0] == "set" else rng.choice(("%s", "%s", "tolist(%s)")) % text
        if t[0] == "map":
            keys = rng.sample(KEYS, rng.randint(0, 3))
            text = "{ %s }" % ", ".join("%s = %s" % (k, self.of(t[1], depth)) for k in keys)
            return rng.choice(("%s", "%s", "tomap(%s)")) % text
        if t[0] == "object":
            return "{ %s }" % ", ".join("%s = %s" % (k, self.of(v, depth)) for k, v in t[1].items())
        return "[%s]" % ", ".join(self.of(v, depth) for v in t[1])

    def general(self, t, depth):
        """What gives a value of any type."""
        a, o = self.of, self.rng
        wrap = ("list", t)
        return self.some(
            lambda: "(%s ? %s : %s)" % (a("bool", depth), a(t, depth), a(t, depth)),
            lambda: "try(%s, %s)" % (a(t, depth), a(t, 0)),
            lambda: "coalesce(%s, %s)" % (a(t, depth), a(t, 0)) if isinstance(t, str) else a(t, depth),
            lambda: "sensitive(%s)" % a(t, depth),
            lambda: "nonsensitive(sensitive(%s))" % a(t, depth),
            lambda: "element(concat(%s, [%s]), 0)" % (a(wrap, depth), a(t, 0)),
            lambda: "one([%s])" % a(t, depth),
            lambda: "lookup({ a = %s }, %s, %s)" % (a(t, depth), o.choice(('"a"', '"b"')), a(t, 0)),
            lambda: "[%s, %s][%s]" % (a(t, depth), a(t, 0), o.choice("01")),
            lambda: "{ k = %s }.k" % a(t, depth),
            lambda: "(%s)" % a(t, depth),
        )

    def string(self, d):
        a, o = self.of, self.rng
        return self.some(
            lambda: '"${%s}-%s"' % (a(o.choice(PRIMITIVE), d), o.choice(KEYS)),
            lambda: '"p${%s}%%{ if %s }y%%{ else }${%s}%%{ endif }"' % (a("string", d), a("bool", d), a("number", 0)),
            lambda: "%s(%s)" % (o.choice(("upper", "lower", "title", "trimspace", "chomp", "strrev", "md5", "sha1",
                                          "base64encode", "urlencode")), a("string", d)),
            lambda: "replace(%s, %s, %s)" % (a("string", d), o.choice(('"a"', '"-"', '"/[a-z]/"')), a("string", 0)),
            lambda: "join(%s, %s)" % (o.choice(('","', '""')), a(("list", "string"), d)),
            lambda: "format(%s, %s, %s)" % (o.choice(('"%s/%v"', '"%q-%v"', '"%s %5v"')), a("string", d), a("number", d)),
            lambda: "jsonencode(%s)" % self.any(d),
            lambda: "tostring(%s)" % a(o.choice(PRIMITIVE), d),
            lambda: "substr(%s, 0, %d)" % (a("string", d), o.randint(0, 3)),
            lambda: 'join("+", sort(keys(%s)))' % a(("map", "string"), d),
            lambda: 'join("", [for v in %s : v if %s])' % (a(("list", "string"), d), a("bool", d)),
            lambda: 'trimprefix(%s, %s)' % (a("string", d), o.choice(STRINGS)),
            lambda: "terraform.workspace",
            lambda: "yamlencode(%s)" % self.any(d),
        )

    def number(self, d):
        a, o = self.of, self.rng
        return self.some(
            lambda: "length(%s)" % a((o.choice(("list", "set", "map")), "string"), d),
            lambda: "length(%s)" % a("string", d),
            lambda: "(%s %s %s)" % (a("number", d), o.choice("+-*"), a("number", d)),
            lambda: "(%s %% %s)" % (a("number", d), o.choice(("2", "3"))),
            lambda: "(%s / %s)" % (a("number", d), o.choice(("2", "3", "4"))),
            lambda: "%s(%s, %s)" % (o.choice(("min", "max")), a("number", d), a("number", d)),
            lambda: "%s(%s)" % (o.choice(("floor", "ceil", "abs", "signum")), a("number", d)),
            lambda: 'tonumber("%d")' % o.randint(0, 9),
            lambda: "sum(concat([0], %s))" % a(("list", "number"), d),
            lambda: 'index(["a", "b"], "%s")' % o.choice("ab"),
            lambda: "-%s" % a("number", 0).replace("-", ""),
        )

    def bool(self, d):
        a, o = self.of, self.rng
        t = random_type(o, 1)
        return self.some(
            lambda: "(%s %s %s)" % (a(t, d), o.choice(("==", "!=")), a(t, d)),
            lambda: "(%s %s null)" % (a(t, d), o.choice(("==", "!="))),
            lambda: "(%s %s %s)" % (a("number", d), o.choice(("<", ">=", "<=", ">")), a("number", d)),
            lambda: "(%s %s %s)" % (a("bool", d), o.choice(("&&", "||")), a("bool", d)),
            lambda: "!%s" % a("bool", d),
            lambda: "contains(%s, %s)" % (a(("list", "string"), d), a("string", d)),
            lambda: "can(%s)" % self.any(d),
            lambda: "issensitive(%s)" % self.any(d),
            lambda: "%s(%s)" % (o.choice(("anytrue", "alltrue")), a(("list", "bool"), d)),
            lambda: '%s(%s, "a")' % (o.choice(("startswith", "endswith")), a("string", d)),
        )

    def collection(self, t, d):
        if t[0] in ("object", "tuple"):
            return self.literal(t, d)
        return getattr(self, t[0])(t, d)

    def list(self, t, d):
        a, o, e = self.of, self.rng, t[1]
        return self.some(
            lambda: self.literal(t, d),
            lambda: "concat(%s, %s)" % (a(t, d), a(t, d)),
            lambda: "[for v in %s : v]" % a((o.choice(("list", "set", "map")), e), d),
            lambda: "[for i, v in %s : %s if i < 2]" % (a(t, d), o.choice(("v", a(e, 0)))),
            lambda: "reverse(%s)" % a(t, d),
            lambda: "distinct(%s)" % a(t, d),
            lambda: "flatten([%s, %s])" % (a(t, d), a(t, d)) if isinstance(e, str) else a(t, d),
            lambda: "tolist(%s)" % a(("set", e), d),
            lambda: "values(%s)" % a(("map", e), d),
            lambda: "%s[*]" % a(t, d),
            lambda: "slice(concat(%s, %s), 0, 1)" % (a(t, d), "[%s]" % a(e, 0)),
            lambda: {"string": "split(\",\", %s)" % a("string", d), "number": "range(%d)" % o.randint(0, 3)}.get(
                e if isinstance(e, str) else "", self.literal(t, d)),
            lambda: "compact(%s)" % a(t, d) if e == "string" else self.literal(t, d),
        )

    def set(self, t, d):
        a, o = self.of, self.rng
        return self.some(
            lambda: self.literal(t, d),
            lambda: "toset(%s)" % a(("list", t[1]), d),
            lambda: "%s(%s, %s)" % (o.choice(("setunion", "setintersection", "setsubtract")), a(t, d), a(t, d)),
        )

    def map(self, t, d):
        a = self.of
        return self.some(
            lambda: self.literal(t, d),
            lambda: "merge(%s, %s)" % (a(t, d), a(t, d)),
            lambda: "{ for k, v in %s : k => v }" % a(t, d),
            lambda: "{ for k, v in %s : upper(k) => v if k != \"b\" }" % a(t, d),
            lambda: "{ for v in %s : v => %s }" % (a(("set", "string"), d), a(t[1], 0)),
            lambda: "zipmap([\"a\", \"b\"], [%s, %s])" % (a(t[1], d), a(t[1], 0)),
        )


class Module:
    """What stands in one folder."""

    def __init__(self, path, rng, depth):
        self.path, self.rng, self.depth = path, rng, depth
        self.variables, self.locals, self.resources, self.calls, self.outputs, self.others = {}, {}, {}, {}, {}, []

    # ---- What may be referred to.

    def names(self, before=None):
        """References and types; of resources and calls only those that stand before the one of this name."""
        out = [("var.%s" % n, v["type"]) for n, v in self.variables.items()]
        out += [("local.%s" % n, l["type"]) for n, l in self.locals.items() if before is not l]
        for name, r in self.resources.items():
            if r is before:
                return out
            out += self.of_resource(name, r)
        for name, c in self.calls.items():
            if c is before:
                return out
            for o, item in c["module"].outputs.items():
                single = "module.%s.%s" % (name, o)
                if c["repeat"][0] == "single":
                    out.append((single, item["type"]))
                elif c["repeat"][0] == "count":
                    out += [("module.%s[*].%s" % (name, o), ("list", item["type"])), ("module.%s[0].%s" % (name, o), item["type"])]
                else:
                    out += [("{ for k, v in module.%s : k => v.%s }" % (name, o), ("map", item["type"]))]
        return out

    def of_resource(self, name, r):
        at, kind = "terraform_data.%s" % name, r["repeat"][0]
        if kind == "single":
            return [(at + ".id", "string"), (at + ".output", r["type"]), (at + ".input", r["type"])]
        if kind == "count":
            return [(at + "[0].output", r["type"]), (at + "[*].output", ("list", r["type"])), (at + "[*].id", ("list", "string")),
                    ("length(%s)" % at, "number")]
        return [(at + "[\"a\"].output", r["type"]), ("{ for k, v in %s : k => v.output }" % at, ("map", r["type"])),
                ("values(%s)[*].id" % at, ("list", "string")), ("toset(keys(%s))" % at, ("set", "string"))]

    def writer(self, before=None, repeat="single", wild=0.03):
        names = self.names(before)
        names += {"count": [("count.index", "number")], "for_each": [("each.key", "string")] * 2}.get(repeat, [])
        return Writer(self.rng, names, wild)

    # ---- Parts.

    def add_variable(self):
        rng, name = self.rng, "v%d" % len(self.variables)
        t = random_type(rng)
        w = Writer(rng, [], 0)
        v = {"type": t, "typed": rng.random() < 0.8, "sensitive": rng.random() < 0.25, "nullable": rng.random() < 0.8}
        v["default"] = w.literal(t, 0)
        if "(" in v["default"]:
            v["default"] = v["default"].replace("toset(", "").replace("tolist(", "").replace("tomap(", "").replace(")", "")
        self.variables[name] = v

    def add_local(self):
        t = random_type(self.rng)
        item = {"type": t}
        self.locals["l%d" % len(self.locals)] = item
        del self.locals["l%d" % (len(self.locals) - 1)]
        item["value"] = self.writer().of(t, 2)
        self.locals["l%d" % len(self.locals)] = item

    def repeat(self, before):
        rng, w = self.rng, self.writer(before, wild=0.01)
        kind = rng.choice(("single", "single", "single", "count", "for_each"))
        if kind == "count":
            return (kind, rng.choice(("1", "2", "2", "(%s ? 2 : 1)" % w.of("bool", 1), "min(2, abs(floor(%s)))" % w.of("number", 1))))
        if kind == "for_each":
            return (kind, rng.choice(('toset(["a", "b"])', '{ a = 1, b = "x" }', w.of(("map", "string"), 1), w.of(("set", "string"), 1))))
        return (kind, None)

    def lifecycle(self, before, repeat):
        rng, out = self.rng, []
        if rng.random() < 0.25:
            out.append("ignore_changes = %s" % rng.choice(("all", "[input]", "[triggers_replace]", "[input, triggers_replace]", "[output]",
                                                           "[input.a]", "[input[0]]", "[]")))
        if rng.random() < 0.25:
            out.append("create_before_destroy = %s" % rng.choice(("true", "true", "false")))
        others = []
        for n, r in self.resources.items():
            if r is before:
                break
            others += {"single": ["terraform_data.%s", "terraform_data.%s.output", "terraform_data.%s.input"],
                       "count": ["terraform_data.%s", "terraform_data.%s[0]", "terraform_data.%s[0].id"]
                       + (["terraform_data.%s[count.index]"] if repeat == "count" else []),
                       "for_each": ["terraform_data.%s", "terraform_data.%s[\"a\"]"]
                       + (["terraform_data.%s[each.key]"] if repeat == "for_each" else [])}[r["repeat"][0]]
            others = [o % n if "%s" in o else o for o in others]
        if others and rng.random() < 0.3:
            out.append("replace_triggered_by = [%s]" % ", ".join(rng.sample(others, min(len(others), rng.randint(1, 2)))))
        if rng.random() < 0.04:
            out.append("prevent_destroy = true")
        if rng.random() < 0.12:
            kind = rng.choice(("precondition", "postcondition"))
            w = self.writer(before, repeat)
            if kind == "postcondition":
                w.names += [("self.output", "string"), ("self.id", "string")]
            condition = w.of("bool", 1)
            out.append("%s {\n      condition = %s || %s\n      error_message = \"no\"\n    }" % (
                kind, condition, rng.choice(("true", "length(\"%s\") > 0" % rng.choice(KEYS), "false"))))
        return out

    def make_resource(self, r):
        rng = self.rng
        kind = r["repeat"][0]
        w = self.writer(r, kind)
        r["input"] = w.of(r["type"], 2) if rng.random() < 0.93 else None
        r["triggers"] = w.any(2) if rng.random() < 0.3 else None
        r["lifecycle"] = self.lifecycle(r, kind)

    def add_resource(self):
        name = "r%d" % (max([int(n[1:]) for n in self.resources] or [-1]) + 1)
        r = {"type": random_type(self.rng), "repeat": ("single", None), "depends": []}
        self.resources[name] = r
        r["repeat"] = self.repeat(r)
        self.make_resource(r)
        earlier = [n for n in self.resources if n != name]
        if earlier and self.rng.random() < 0.1:
            r["depends"] = [self.rng.choice(earlier)]

    def add_call(self, folder):
        name = "m%d" % len(self.calls)
        c = {"module": random_module(self.rng, folder, self.depth - 1), "repeat": ("single", None), "arguments": {}}
        self.calls[name] = c
        c["repeat"] = self.repeat(c)
        self.make_call(c)

    def make_call(self, c):
        w = self.writer(c, c["repeat"][0])
        c["arguments"] = {n: w.of(v["type"], 1) for n, v in c["module"].variables.items() if self.rng.random() < 0.7}

    def add_output(self):
        t = random_type(self.rng)
        self.outputs["o%d" % len(self.outputs)] = {"type": t, "value": self.writer().of(t, 1), "sensitive": self.rng.random() < 0.4}

    # ---- Text.

    def repeat_text(self, item):
        kind, value = item["repeat"]
        return [] if kind == "single" else ["  %s = %s" % (kind, value)]

    def blocks(self):
        out = []
        for n, v in self.variables.items():
            lines = ["variable \"%s\" {" % n] + (["  type = %s" % constraint(v["type"])] if v["typed"] else [])
            lines += ["  default = %s" % v["default"]] + (["  sensitive = true"] if v["sensitive"] else [])
            out.append("\n".join(lines + ([] if v["nullable"] else ["  nullable = false"]) + ["}"]))
        for n, item in self.locals.items():
            out.append("locals {\n  %s = %s\n}" % (n, item["value"]))
        for n, r in self.resources.items():
            lines = ["resource \"terraform_data\" \"%s\" {" % n] + self.repeat_text(r)
            lines += ["  input = %s" % r["input"]] if r["input"] is not None else []
            lines += ["  triggers_replace = %s" % r["triggers"]] if r["triggers"] is not None else []
            lines += ["  depends_on = [%s]" % ", ".join("terraform_data.%s" % d for d in r["depends"])] if r["depends"] else []
            lines += ["  lifecycle {"] + ["    " + text for text in r["lifecycle"]] + ["  }"] if r["lifecycle"] else []
            out.append("\n".join(lines + ["}"]))
        for n, c in self.calls.items():
            lines = ["module \"%s\" {" % n, "  source = \"./%s\"" % c["module"].path.split("/")[-1]] + self.repeat_text(c)
            out.append("\n".join(lines + ["  %s = %s" % a for a in c["arguments"].items()] + ["}"]))
        for n, o in self.outputs.items():
            # Terraform before 1.13 forgets that a module's output is sensitive, unless its value is.
            value = "sensitive(%s)" % o["value"] if o["sensitive"] and self.path else o["value"]
            out.append("output \"%s\" {\n  value = %s%s\n}" % (n, value, "\n  sensitive = true" if o["sensitive"] else ""))
        return out + self.others

    def files(self, out, manifest, key=""):
        prefix = self.path + "/" if self.path else ""
        out[prefix + "main.tf"] = "\n\n".join(self.blocks()) + "\n"
        manifest.append({"Key": key, "Source": "./" + self.path.split("/")[-1] if self.path else "", "Dir": self.path or "."})
        for n, c in self.calls.items():
            c["module"].files(out, manifest, key + "." + n if key else n)


def random_module(rng, path, depth):
    m = Module(path, rng, depth)
    for _ in range(rng.randint(1, 4)):
        m.add_variable()
    for _ in range(rng.randint(0, 2)):
        m.add_local()
    for _ in range(rng.randint(1, 5 if depth else 3)):
        m.add_resource()
    if depth and rng.random() < 0.5:
        m.add_call((path + "/" if path else "") + "mod%d" % rng.randint(0, 9))
    if depth:
        for _ in range(rng.randint(0, 2)):
            m.add_resource()
    for _ in range(rng.randint(1, 3)):
        m.add_output()
    return m


def files_of(root):
    out, manifest = {}, []
    root.files(out, manifest)
    if len(manifest) > 1:
        out[".terraform/modules/modules.json"] = json.dumps({"Modules": manifest})
    return out


# ---- Changes.


def all_modules(m, prefix=""):
    yield prefix, m
    for n, c in m.calls.items():
        yield from all_modules(c["module"], prefix + "module.%s." % n)


def rename(m, old, new):
    """The resource of another name, at the same place, and references to it."""
    m.resources = {new if n == old else n: r for n, r in m.resources.items()}
    text = json.dumps([{k: v for k, v in r.items()} for r in m.resources.values()])
    for n, r in zip(list(m.resources), json.loads(text.replace("terraform_data.%s" % old, "terraform_data.%s" % new))):
        kept = m.resources[n]
        kept.update(input=r["input"], triggers=r["triggers"], lifecycle=r["lifecycle"], repeat=tuple(r["repeat"]))
        kept["depends"] = [new if d == old else d for d in kept["depends"]]
    for group in (m.locals, m.outputs):
        for item in group.values():
            item["value"] = item["value"].replace("terraform_data.%s" % old, "terraform_data.%s" % new)
    for c in m.calls.values():
        c["arguments"] = {n: v.replace("terraform_data.%s" % old, "terraform_data.%s" % new) for n, v in c["arguments"].items()}
        c["repeat"] = (c["repeat"][0], (c["repeat"][1] or "").replace("terraform_data.%s" % old, "terraform_data.%s" % new))


def change_resource(rng, root, prefix, m, name):
    r = m.resources[name]
    what = rng.randrange(13)
    w = m.writer(r, r["repeat"][0])
    if what <= 3:
        r["input"] = w.of(r["type"], 2)
    elif what == 4:
        r["triggers"] = w.any(1) if rng.random() < 0.8 else None
    elif what == 5:
        r["lifecycle"] = m.lifecycle(r, r["repeat"][0])
    elif what == 6:
        r["repeat"] = m.repeat(r)
        m.make_resource(r)
    elif what == 7:
        new = "n%d" % rng.randint(10, 99)
        rename(m, name, new)
        if rng.random() < 0.8:
            m.others.append("moved {\n  from = terraform_data.%s\n  to = terraform_data.%s\n}" % (name, new))
    elif what == 8:
        del m.resources[name]
        if rng.random() < 0.5:
            extra = "\n  lifecycle {\n    destroy = %s\n  }" % rng.choice(("true", "false")) if rng.random() < 0.9 else ""
            m.others.append("removed {\n  from = terraform_data.%s%s\n}" % (name, extra))
    elif what == 9:
        key = {"single": "", "count": "[0]", "for_each": '["a"]'}
        old = r["repeat"][0]
        r["repeat"] = rng.choice((("single", None), ("count", "2"), ("for_each", 'toset(["a", "b"])')))
        if rng.random() < 0.7 and r["repeat"][0] != old:
            m.others.append("moved {\n  from = terraform_data.%s%s\n  to = terraform_data.%s%s\n}" % (name, key[old], name, key[r["repeat"][0]]))
    elif what == 10:
        r["input"] = rng.choice(("sensitive(%s)", "nonsensitive(sensitive(%s))", "(%s)", "try(%s, null)")) % (r["input"] or "null")
    elif what == 11:
        r["input"], r["triggers"] = r["triggers"], r["input"]
    elif m.calls:
        call, c = rng.choice(list(m.calls.items()))
        index = {"single": "", "count": "[0]", "for_each": '["a"]'}[c["repeat"][0]]
        new = "q%d" % rng.randint(10, 99)
        moved = copy.copy(r)
        moved["input"], moved["triggers"], moved["lifecycle"], moved["depends"] = Writer(rng, []).of(r["type"], 1), None, [], []
        moved["repeat"] = ("single", None)
        c["module"].resources[new] = moved
        at = {"single": "", "count": "[0]", "for_each": '["a"]'}[r["repeat"][0]]
        del m.resources[name]
        m.others.append("moved {\n  from = terraform_data.%s%s\n  to = module.%s%s.terraform_data.%s\n}" % (name, at, call, index, new))


def change(rng, root):
    """One random change of a configuration."""
    prefix, m = rng.choice(list(all_modules(root)))
    what = rng.random()
    if what < 0.55 and m.resources:
        change_resource(rng, root, prefix, m, rng.choice(list(m.resources)))
    elif what < 0.68 and m.variables:
        v = rng.choice(list(m.variables.values()))
        v["default"] = Writer(rng, [], 0).literal(v["type"], 0)
        for function in ("toset(", "tolist(", "tomap(", ")"):
            v["default"] = v["default"].replace(function, "")
    elif what < 0.73 and m.variables:
        v = rng.choice(list(m.variables.values()))
        v[rng.choice(("sensitive", "typed", "nullable"))] ^= True
    elif what < 0.80:
        m.add_resource()
    elif what < 0.86 and m.calls:
        c = rng.choice(list(m.calls.values()))
        m.make_call(c)
    elif what < 0.89 and m.calls:
        name, c = rng.choice(list(m.calls.items()))
        old = c["repeat"][0]
        c["repeat"] = rng.choice((("single", None), ("count", "2"), ("for_each", 'toset(["a", "b"])')))
        key = {"single": "", "count": "[0]", "for_each": '["a"]'}
        m.make_call(c)
        if old != c["repeat"][0] and rng.random() < 0.6:
            m.others.append("moved {\n  from = module.%s%s\n  to = module.%s%s\n}" % (name, key[old], name, key[c["repeat"][0]]))
    elif what < 0.94 and m.outputs:
        o = rng.choice(list(m.outputs.values()))
        o["value"] = m.writer().of(o["type"], 1)
    elif what < 0.97 and m is root:
        singles = [n for n, r in m.resources.items()]
        if singles:
            name = rng.choice(singles)
            key = {"single": "", "count": "[1]", "for_each": '["c"]'}[m.resources[name]["repeat"][0]]
            m.others.append("import {\n  to = terraform_data.%s%s\n  id = \"%s\"\n}" % (name, key, rng.choice(KEYS)))
    elif m.locals:
        item = rng.choice(list(m.locals.values()))
        item["value"] = Writer(rng, [("var.%s" % n, v["type"]) for n, v in m.variables.items()]).of(item["type"], 2)


def edit_state(rng, state):
    """Things that happen to states: an object is tainted, deposed, or lost."""
    resources = [r for r in state["resources"] if r["instances"]]
    if not resources:
        return
    r = rng.choice(resources)
    instance = rng.choice(r["instances"])
    what = rng.randrange(4)
    if what == 0:
        instance["status"] = "tainted"
    elif what == 1:
        r["instances"].remove(instance)
    elif what == 2:
        r["instances"].append(dict(copy.deepcopy(instance), deposed="%08x" % rng.getrandbits(32)))
    else:
        instance["sensitive_attributes"] = rng.choice(([], [[{"type": "get_attr", "value": "input"}]],
                                                       [[{"type": "get_attr", "value": "output"}]]))


def options(rng, state, client):
    """Options of a plan."""
    addresses = []
    for r in state["resources"]:
        if r["mode"] != "managed":
            continue
        base = (r["module"] + "." if "module" in r else "") + "%s.%s" % (r["type"], r["name"])
        addresses.append(base)
        addresses += [r["module"]] if "module" in r else []
        for i in r["instances"]:
            if "index_key" in i:
                addresses.append("%s[%s]" % (base, json.dumps(i["index_key"])))
    what = rng.random()
    if what < 0.72 or not addresses:
        return []
    if what < 0.80:
        return ["-target=" + a for a in rng.sample(addresses, min(len(addresses), rng.randint(1, 2)))]
    if what < 0.84 and client == "opentofu":
        return ["-exclude=" + rng.choice(addresses)]
    if what < 0.89:
        return ["-replace=" + rng.choice(addresses)]
    if what < 0.94:
        return ["-destroy"] + (["-target=" + rng.choice(addresses)] if rng.random() < 0.3 else [])
    return ["-refresh-only"] if what < 0.97 else ["-refresh=false"]
