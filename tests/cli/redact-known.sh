#!/bin/bash
# In a copy of a recording known secrets have tokens in attributes that are not sensitive too.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v python3 >/dev/null; then
    echo "ok - copies of secrets # SKIP python3 is not installed"
    exit 0
fi

record() { # FORM SECRET [WORD...]: recording.jsonl and copy.jsonl
    python3 "$data/copied_secrets.py" "$@" >recording.jsonl && "$lifecheck" redact recording.jsonl -o copy.jsonl --force
}

places() { # of a file: all findings, without the values that they quote
    "$lifecheck" --format concise --all "$1" 2>/dev/null | sed -nE 's/^[^:]*:([0-9]+:[0-9]+: (error|warning|info)\[[^]]*\] [^:]*):.*/\1/p'
}

# Is a pattern in a file, or in what base64 of it stands for, and so on?
unpacked() { # FILE GREP-ARGUMENT...
    local file=$1
    shift
    python3 - "$file" >unpacked <<'P'
import base64, re, sys
todo = [open(sys.argv[1], "rb").read()]
while todo:
    data = todo.pop()
    print(data)
    for found in re.findall(rb"[A-Za-z0-9+/]{8,}", data):
        todo.append(base64.b64decode(found[: len(found) // 4 * 4]))
P
    grep -a "$@" unpacked >found
}

for form in msgpack json; do
    record "$form" hunter2-Secret && unpacked recording.jsonl hunter2-Secret && [ "$(wc -l <found)" -gt 10 ]
    result $? "$form: a recording with copies of a secret"
    ! unpacked copy.jsonl -i hunter2
    result $? "  its copy has none of them, whole or as a part, in plain or in base64"
    unpacked copy.jsonl somebody && unpacked copy.jsonl 'the testing of tests'
    result $? "  what is beside them stays"
    for words in "" respelt changed "respelt changed" late "late respelt" "late changed"; do
        # shellcheck disable=SC2086 # words
        record "$form" hunter2-Secret $words && diff <(places recording.jsonl) <(places copy.jsonl) >differs
        result $? "  ${words:-good}: the same findings"
    done
    places copy.jsonl | grep -q 'error.apply/changed. .*\.content'
    result $? "  and there are some"
    record "$form" hunter2-Secret late && ! unpacked copy.jsonl '"result": *"hunter2' && unpacked copy.jsonl hunter2
    result $? "  copies that were written before the secret was known stay"
    record "$form" test && unpacked copy.jsonl 'the testing of tests' && unpacked copy.jsonl 'it is test!'
    result $? "  a short secret is no part of other texts"
    unpacked recording.jsonl -E 'mode.{1,9}test' && ! unpacked copy.jsonl -E 'mode.{1,9}test'
    result $? "  but a whole text"
    for secret in true 8080 'with "quotes"' '{"a":"hunter2-Secret"}' $'of two\nlines' 12345678; do
        record "$form" "$secret" respelt changed && diff <(places recording.jsonl) <(places copy.jsonl) >differs
        result $? "  $(tr '\n' ' ' <<<"$secret"): the same findings"
    done
done
