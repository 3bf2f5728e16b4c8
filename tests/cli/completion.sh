#!/bin/bash
# The completion script, asked in bash what it offers.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
wants 0 "a script for bash" "$lifecheck" completion bash
cp stdout lifecheck.bash
err_lines 0 "and nothing else"
bash -n lifecheck.bash
result $? "bash can read it"
if command -v shellcheck >/dev/null; then
    shellcheck lifecheck.bash >stdout
    result $? "shellcheck has nothing to say"
else
    echo "ok - shellcheck has nothing to say # SKIP shellcheck is not installed"
fi
# shellcheck source=/dev/null
. ./lifecheck.bash
: >schema.json
: >scenario.yaml
mkdir captures

# offers WORDS NAME WORD...: the words typed, the last one being completed
offers() {
    local want=$1 name=$2
    shift 2
    COMP_WORDS=(lifecheck "$@") COMP_CWORD=$#
    _lifecheck
    local got="${COMPREPLY[*]}"
    [ "$got" = "$want" ] || echo "#   offers: $got"
    [ "$got" = "$want" ]
    result $? "$name"
}

offers "rules redact" "commands" r
offers "scenario.yaml" "files" scenar
offers "schema schema.json" "commands and files" schem
offers "--schema --secrets" "options of a command" extract input --s
offers "--strict" "options without a command" --str
offers "--strict" "options behind a path" scenario.yaml --str
offers "--show-origin" "options of another command" config --sh
offers "document" "values of an option" --as d
offers "opentofu" "values behind an equals sign" --as = o
offers "error warning info" "all values" --fail-on =
offers "apply/changed" "rules of --select" --select apply/chang
offers "apply/changed" "rules of explain" explain apply/chang
offers "apply/changed" "rules of --require, behind another option" --strict --require apply/chang
offers "schema.json" "files of an option" check --schema sche
: >"with blank.yaml"
offers "with blank.yaml" "a file with a blank" with
offers "captures" "files of gate" gate --old capt
offers "" "nothing for a number" -j 1
offers "show" "words of schema" schema sh
offers "bash" "shells" completion b
offers "captures" "the argument of an option is no command" --select rules capt
offers "--help" "an option of a command behind options" --no-config inspect --he
while read -r option; do
    COMP_WORDS=(lifecheck check "$option") COMP_CWORD=2
    _lifecheck
    [[ " ${COMPREPLY[*]} " == *" $option "* ]] || echo "not ok - $option is not offered"
done < <("$lifecheck" check --help | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
# shellcheck disable=SC2154 # the script sets it
[ "$("$lifecheck" rules --format tsv | grep -c /)" = "$(printf '%s\n' "$_lifecheck_rules" | wc -l)" ]
result $? "all rules"
