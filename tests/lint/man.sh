#!/usr/bin/env bash
# The man pages: section 7 is what the catalogue says, each command has a page that says what its help says, and
# groff has nothing to say.
set -u
shopt -s globstar
lifecheck=${LIFECHECK:-build/release/lifecheck}
if "$lifecheck" rules --format man | diff - man/lifecheck-rules.7 | head -n 20 | sed 's/^/# /' | grep .; then
    echo "not ok - man/lifecheck-rules.7 is not up to date; make man renews it"
else
    echo "ok - man/lifecheck-rules.7"
fi
if sed -n '/^.\\" LAWS:/,/^.\\" END/{/^.\\"/!p}' man/lifecheck-probe.1 | diff - <(sh tools/laws-man.sh) | head -n 20 | sed 's/^/# /' | grep .; then
    echo "not ok - the laws of man/lifecheck-probe.1 are not up to date; make man renews them"
else
    echo "ok - laws of man/lifecheck-probe.1"
fi
if sed -n '/^.\\" FUNCTIONS:/,/^.\\" END/{/^.\\"/!p}' man/lifecheck-predict.1 | diff - <(sh tools/functions-man.sh) | head -n 20 | sed 's/^/# /' | grep .; then
    echo "not ok - the functions of man/lifecheck-predict.1 are not up to date; make man renews them"
else
    echo "ok - functions of man/lifecheck-predict.1"
fi
if [ "$(sh tools/functions-man.sh | tr -d , | wc -w)" -lt 100 ]; then
    echo "not ok - functions are looked for where they stand"
fi
missing=$(
    sed -n 's/^OPTION([A-Z_]*, [a-z_]*, [A-Z]*, "\([a-z-]*\)".*/\1/p' src/cli/options.def | while read -r name; do
        grep -qF -- "\\-\\-${name//-/\\-}" man/lifecheck-options.7 || echo "--$name"
    done
    for command in $(sed -n 's/^COMMAND([A-Z]*, \([a-z]*\),.*/\1/p' src/cli/commands.def); do
        [ "$command" = help ] || [ "$command" = version ] || [ -e "man/lifecheck-$command.1" ] || echo "a page of $command"
        grep -qx "\.B $command" man/lifecheck.1 || echo "$command in lifecheck.1"
    done
)
if [ -n "$missing" ]; then
    echo "$missing" | sed 's/^/# not in the man pages: /'
    echo "not ok - options and commands"
else
    echo "ok - options and commands"
fi
if ! command -v python3 >/dev/null; then
    echo "ok - defaults of options # SKIP python3 is not installed"
elif python3 tests/lint/defaults.py | sed 's/^/# /' | grep .; then
    echo "not ok - defaults of options"
else
    echo "ok - defaults of options"
fi
# What pages say of options is what help says.
copy=$(mktemp -d)
cp man/lifecheck.1 man/lifecheck-*.1 "$copy"
sh tools/command-man.sh "$lifecheck" renew "$copy"/*.1
if diff -r "$copy" man | grep -v '^Only in man' | head -n 20 | sed 's/^/# /' | grep .; then
    echo "not ok - the pages of commands are not up to date; make man renews them"
else
    echo "ok - pages of commands"
fi
rm -rf "$copy"
if grep -A 1 '^\.SH NAME' man/*.[1-9] | grep -E -- '-lifecheck[^ ]* [\\]- *$' | sed 's/^/# /' | grep .; then
    echo "not ok - a page that does not say what it is about"
else
    echo "ok - pages say what they are about"
fi
if [ "$(grep -c '^OPTION(' src/cli/options.def)" -lt 60 ]; then
    echo "not ok - options are looked for where they stand"
fi
if diff <(sed -n 's/^LC_LINT([A-Z_]*, "\([^"]*\)", \([A-Z]*\), "\([^"]*\)".*/\1 \2 \3/p' include/lifecheck/verdict/lint.def | sed 's/ ADVICE / Info: /; s/ \(MISTAKE\|TRAP\) / /' | tr A-Z a-z) \
    <(grep -A 1 '^\.B lint/' man/lifecheck-check.1 | sed 's/\\-/-/g; s/\.$//' | awk '/^\.B/ {id = $2; next} /^--/ {next} {print id, $0}' | tr A-Z a-z) | sed 's/^/# /' | grep .; then
    echo "not ok - man/lifecheck-check.1 lists other lints than include/lifecheck/verdict/lint.def"
else
    echo "ok - lints"
fi
# shellcheck disable=SC2013 # keys are words
missing=$(
    grep -ohE 'KEY\([A-Z_]+, "[a-z_]+"|\{"[a-z_]+", LC_SHAPE_' src/**/keys.def src/**/*.c | sed 's/.*"\(.*\)".*/\1/' | sort -u | while read -r key; do
        grep -qF -- "$key" man/lifecheck-scenario.5 || echo "$key"
    done
)
if [ -n "$missing" ]; then
    echo "$missing" | sed 's/^/# not in man\/lifecheck-scenario.5: /'
    echo "not ok - keys"
else
    echo "ok - keys"
fi
if [ "$(grep -c '^KEY(' src/**/keys.def)" -lt 40 ] || [ "$(grep -ohE '\{"[a-z_]+", LC_SHAPE_' src/**/*.c | wc -l)" -lt 40 ]; then
    echo "not ok - keys are looked for where they stand"
fi
if "$lifecheck" schema scenario | diff - share/lifecheck/scenario.schema.json | head -n 20 | sed 's/^/# /' | grep .; then
    echo "not ok - share/lifecheck/scenario.schema.json is not up to date; make man renews it"
else
    echo "ok - share/lifecheck/scenario.schema.json"
fi
if ! command -v groff >/dev/null; then
    echo "ok - groff # SKIP groff is not installed"
else
    for page in man/*.[0-9]; do
        if groff -t -man -ww -z -Tutf8 "$page" 2>&1 | head -n 10 | sed 's/^/# /' | grep .; then
            echo "not ok - $page"
        else
            echo "ok - $page"
        fi
    done
fi
