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
    result $? "  what is next to them stays"
    for words in "" respelt changed "respelt changed" late "late respelt" "late changed"; do
        # shellcheck disable=SC2086 # words
        record "$form" hunter2-Secret $words && diff <(places recording.jsonl) <(places copy.jsonl) >differs
        result $? "  ${words:-good}: the same findings"
    done
    places copy.jsonl | grep -q 'error.apply/changed. .*\.content'
    result $? "  and there are some"
    record "$form" hunter2-Secret late && ! unpacked copy.jsonl -i hunter2
    result $? "  copies that were written before the secret was known are replaced too"
    record "$form" test && unpacked copy.jsonl 'the testing of tests' && unpacked copy.jsonl 'it is test!'
    result $? "  a short secret is not part of other strings"
    unpacked recording.jsonl -E 'mode.{1,9}test' && ! unpacked copy.jsonl -E 'mode.{1,9}test'
    result $? "  but a whole text"
    for secret in true 8080 'with "quotes"' '{"a":"hunter2-Secret"}' $'of two\nlines' 12345678; do
        record "$form" "$secret" respelt changed && diff <(places recording.jsonl) <(places copy.jsonl) >differs
        result $? "  $(tr '\n' ' ' <<<"$secret"): the same findings"
    done
done

# A diagnostic may quote a secret before the call that reveals it. The settings of a provider are secret, but a short
# word that its schema does not call sensitive is a word like others elsewhere.
python3 - >settings.jsonl <<'P'
import base64, json
def b64(text):
    return base64.b64encode(text.encode()).decode()
def value(v):
    return {"json": b64(json.dumps(v))}
def block(**attributes):
    return {"block": {"attributes": [{"name": n, "type": b64('"string"'), "optional": True, "sensitive": s} for n, s in sorted(attributes.items())]}}
def call(rpc, request, response):
    print(json.dumps({"process": 1, "seq": 1, "protocol": 6, "rpc": rpc, "request": request, "response": response}))
schema = {"provider": block(user=False, role=True, digits=False), "resource_schemas": {"x_file": block(content=False, mode=False, pw=True, name=False)}}
call("GetProviderSchema", {}, schema)
warning = {"severity": "WARNING", "summary": "pw hunter2-Secret", "detail": "in base64 " + b64("hunter2-Secret")}
call("ConfigureProvider", {"config": value({"user": "admin", "role": "janitor", "digits": "ab12cd"})}, {"diagnostics": [warning]})
config = {"content": "admin", "mode": "janitor", "name": "ab12cd", "pw": "hunter2-Secret"}
call("ValidateResourceConfig", {"type_name": "x_file", "config": value(config)}, {"diagnostics": [{"severity": "WARNING", "summary": "private-of-it"}]})
call("ReadResource", {"type_name": "x_file", "current_state": value(config), "private": b64("private-of-it")}, {"new_state": value(config), "private": b64("private-of-it")})
P
wants 0 "a secret that is quoted before it is known" "$lifecheck" redact settings.jsonl
! unpacked stdout -E 'hunter2|private-of' && unpacked stdout '"summary":"pw ' && unpacked stdout 'in base64 '
result $? "is replaced there"
unpacked stdout '"content":"admin"' && ! unpacked stdout '"user":"admin"'
result $? "a short word of a provider's settings stays in resources"
! unpacked stdout -E 'janitor|ab12cd'
result $? "one that is sensitive does not, nor one that is not a word"
