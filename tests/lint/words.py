#!/usr/bin/env python3
"""The words of the style sheet in CONTRIBUTING.md: those in its first column are in no message, help, rule, diagnosis,
man page, document or comment, of scenarios, too; comments may say judge, as names of functions do. A word ends with *
if its forms are meant, too. Prints file:line: word: the text around it."""
import glob
import re
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|\'(?:\\.|[^\'\\\n])*\'|[^\s"\'/]+|[^\s]|\s+', re.S)
ASIDE = ("judge", "answer", "provider is asked")  # rows for sentences that users read; comments may say so, as names do
THERE = re.compile(r"(?i:\bthere\b[\s*#/]*$)")  # before `is no`
IN_TESTS = "told, tells, somebody, everybody, lacks, held against, made-up, the old SDK, is judged, are judged, broken promise*, breaks a promise, is no, are no"
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|\'(?:\\.|[^\'\\\n])*\'', re.S)  # strings hide them


def sheet():
    """The table is the only list of words: each has a replacement and one row, and ASIDE names rows of it."""
    rows, inside, words = [], False, []
    for line in open("CONTRIBUTING.md", encoding="utf-8"):
        inside = line.startswith("| out |") or (inside and line.startswith("|"))
        if inside and not line.startswith(("| out |", "|--")):
            rows.append(line.split("|")[1].strip())
            words += [word.strip() for word in rows[-1].split(",")]
            if not line.split("|")[2].strip():
                sys.exit(f"CONTRIBUTING.md: no word replaces {rows[-1]}")
    twice = sorted({word for word in words if words.count(word) > 1})
    lost = [name for name in ASIDE if not any(row.startswith(name) for row in rows)]
    if twice or lost:
        sys.exit(f"CONTRIBUTING.md: words in two rows: {twice}; rows that are named here and missing: {lost}")
    return rows


def pattern(rows):
    words = [word.strip() for row in rows for word in row.split(",")]
    each = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in words]
    each = [word if word.startswith("computed") else f"(?i:{word})" for word in each]  # Computed is what it should be
    return re.compile(r"(?<![\w/.`\"-])(" + "|".join(each) + r")(?![\w/`-])")


def finds(words, text):
    """`There is no` and `is no longer` are plain English."""
    for match in words.finditer(text):
        plain = THERE.search(text[: match.start()]) or re.match(r"\s+(longer|such|more|better)\b", text[match.end() :])
        if match.group(1) not in ("is no", "are no") or not plain:
            yield match


def literals(path):
    """Adjacent literals are one; those without a space are names."""
    text, line, start, found, quote = open(path, encoding="utf-8").read(), 1, 1, "", False
    for match in TOKEN.finditer(text):
        token = match.group(0)
        begin = text.rfind("\n", 0, match.start()) + 1
        if token[0] == '"' and not text[begin : match.start()].lstrip().startswith("#include"):
            start = start if found else line
            quote = quote if found else text[begin : match.start()].strip() == ".quote = S("
            found += token[1:-1]
        elif not token.isspace() and not token.startswith(("//", "/*")) and found:
            if " " in found.strip() and not quote:
                yield start, found
            found = ""
        line += token.count("\n")


def comments(path):
    """The rows about judging are for sentences that users read."""
    text = open(path, encoding="utf-8").read()
    for match in COMMENT.finditer(text):
        if match.group(0).startswith(("//", "/*")):
            yield text.count("\n", 0, match.start()) + 1, re.sub(r"line feeds|[A-Z]{3,}", "X", match.group(0))


def remarks(path):
    """Comments of scenarios, which explain shows; after `Seen:` a museum quotes."""
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.lstrip().startswith("#") and not line.startswith("# Seen:"):
            yield number, line.strip().replace("line feeds", "X")


def names(path):
    """Comments of a test, and the names under which it reports."""
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        named = re.match(r"\s*result \S+ (.*)|\s*(?:out_has|err_has|wants) .* \"([^\"]*)\"$|\s*(#.*)", line)
        if named:
            yield number, next(group for group in named.groups() if group is not None)


def prose(path):
    """Lines of a document; what programs print, and examples, are not our sentences."""
    code = False
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.startswith(("```", ".EX", ".EE")):
            code = not code if line.startswith("```") else line.startswith(".EX")
        elif not code and not line.startswith(('.\\"', "| out |")):
            yield number, line.rstrip("\n").replace("\\-", "-")


def main():
    rows, seen, bad = sheet(), 0, 0
    words = {prose: pattern(rows), names: pattern([IN_TESTS])}
    words[comments] = pattern([row for row in rows if not row.startswith(ASIDE)])
    sources = glob.glob("src/**/*.[ch]", recursive=True) + glob.glob("src/**/*.def", recursive=True)
    sources += glob.glob("include/**/*.def", recursive=True)
    # Both clients' own messages, and what Go's libraries say, are quoted.
    quoted = ("core_messages.def", "encodings.def", "src/regexp/go.c")
    texts = [(path, literals) for path in sorted(sources) if not path.endswith(quoted)]
    texts += [(path, prose) for path in sorted(glob.glob("man/*.[0-9]") + glob.glob("docs/*.md") + glob.glob("scenarios/*.md") + ["README.md", "SECURITY.md"])]
    texts += [(path, remarks) for path in sorted(glob.glob("scenarios/*/**/*.yaml", recursive=True))]
    headers = glob.glob("include/**/*.h", recursive=True)
    texts += [(path, comments) for path in sorted(headers + [path for path in sources if path.endswith((".c", ".h"))])]
    texts += [(path, names) for path in sorted(glob.glob("tests/**/*.sh", recursive=True))]
    for path, read in texts:
        for number, text in read(path):
            seen += 1
            for match in finds(words.get(read, words[prose]), text):
                around = text[max(0, match.start() - 30) : match.end() + 30]
                print(f"{path}:{number}: {match.group(1)}: {around}")
                bad += 1
    if seen < 8000:
        print(f"only {seen} texts were found")
        bad += 1
    return 1 if bad else 0


sys.exit(main())
