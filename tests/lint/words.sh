#!/usr/bin/env bash
# No message, help, rule, diagnosis, man page or document has a word that the style sheet of CONTRIBUTING.md replaces.
set -u
if ! command -v python3 >/dev/null; then
    echo "ok - words # SKIP python3 is not installed"
    exit 0
fi
if found=$(python3 tests/lint/words.py 2>&1); then
    echo "ok - words"
else
    echo "$found" | head -n 40 | sed 's/^/# /'
    echo "not ok - words"
fi
if [ "$(grep -c '^| ' CONTRIBUTING.md)" -lt 41 ]; then
    echo "not ok - the style sheet has 40 rows"
fi
