#!/usr/bin/env python3
"""mistakes_check.py LIFECHECK MISTAKES.jsonl: are configurations refused with the errors of the clients?

A line of MISTAKES: id, files (path to text), and for each client what `plan -json` printed: the summaries of all errors, with file, line
and column where they had them. With the option --open-variables: what `validate -json` printed. Each error of
a prediction needs a fix of its own. Prints a line of TAP for each line and client."""
import json
import os
import subprocess
import sys
import tempfile


def errors_of(program, folder, client, options):
    words = [program, "predict", "--no-settings", "--config", ".", "--as", client, "--format", "json", *options]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, done.stdout + done.stderr
    found = []
    for case in report.get("cases", []):
        found += (case.get("prediction") or {}).get("errors", [])
    return found + syntax_errors(report), done.stderr


def syntax_errors(report):
    """Errors of syntax are errors of the input, not of a plan; the client's summary begins the text."""
    return [dict(e, summary=e["message"].split(":")[0]) for e in report.get("errors", []) if "line" in e]


def summary(error):
    """Both clients print the names of a cycle in varying order."""
    text = error["summary"]
    if not text.startswith("Cycle: "):
        return text
    return " ".join(sorted(text.replace(",", "").replace("(", "").replace(")", "").split()))


def place(error):
    return (error.get("line") or 0, error.get("column") or 0)


def difference(want, got):
    if got is None:
        return "no report"
    if sorted(map(summary, want)) != sorted(map(summary, got)):
        return "summaries"
    where = sorted((summary(e),) + place(e) for e in want if "line" in e)
    placed = sorted((summary(e),) + place(e) for e in got if place(e) != (0, 0))
    if not all(w in placed for w in where):
        return "places"
    general = [e["summary"] for e in got if "fix" not in e and "message" not in e]
    return "no fix for %s" % general if general else ""


def main():
    program, recorded = sys.argv[1:3]
    for text in open(recorded, encoding="utf-8"):
        line = json.loads(text)
        with tempfile.TemporaryDirectory() as folder:
            for path, content in line["files"].items():
                path = os.path.join(folder, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as out:
                    out.write(content)
            for client in ("terraform", "opentofu"):
                got, said = errors_of(program, folder, client, line.get("options", []))
                wrong = difference(line[client], got)
                print("%sok - %s, %s" % ("not " if wrong else "", line["id"], client))
                if wrong:
                    short = [(e["summary"],) + place(e) for e in got or []]
                    print("#   %s: the client says %s" % (wrong, [(e["summary"],) + place(e) for e in line[client]]))
                    print("#   got %s %s" % (short, said[:200].replace("\n", " ")))


if __name__ == "__main__":
    main()
