#!/bin/bash
# The completion scripts, asked in bash, zsh and fish what they offer.
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
    COMP_WORDS=("$lifecheck" "$@") COMP_CWORD=$#
    _lifecheck
    local got="${COMPREPLY[*]}"
    [ "$got" = "$want" ] || echo "#   offers: $got"
    [ "$got" = "$want" ]
    result $? "$name"
}

offers "record redact rules" "commands" r
offers "scenario.yaml" "files" scenar
offers "schema schema.json" "commands and files" schem
offers "--secrets --schema --settings" "options of a command" extract input --s
offers "--strict" "options without a command" --str
offers "--strict" "options behind a path" scenario.yaml --str
offers "--show-origin" "options of another command" settings --sho
offers "document" "values of an option" --as d
offers "text tsv" "formats of a command" rules --format t
offers "yaml" "formats of another" init --format y
offers "scenarios state" "kinds of inputs" --input s
offers "normal" "modes" predict --mode n
offers "opentofu" "values behind an equals sign" --as = o
offers "error warning info" "all values" --fail-on =
offers "apply/changed" "rules of --select" --select apply/chang
offers "apply/changed" "rules of explain" explain apply/chang
offers "apply/changed" "rules of --require, behind another option" --strict --require apply/chang
offers "schema.json" "files of an option" check --schema sche
: >"with space.yaml"
offers "with space.yaml" "a file with a space" with
offers "captures" "files of gate" gate --old capt
offers "" "nothing for a number" -j 1
offers "show" "words of schema" schema sh
offers "show lint scenario" "its words first" schema ""
offers "schema.json" "then files" schema show schem
offers "gate" "commands of help" help ga
offers "github=" "a format of a report" --report gith
offers "json= jsonl=" "formats of a report" --report json
offers "schema.json" "the file of a report" --report json=schem
offers "schema.json" "the file of a report, in three words" --report json = schem
cp "$root/testdata/schemas/nimbus.json" .
offers "nimbus_disk nimbus_dns_zone" "types of a document" init --schema nimbus.json --type nimbus_d
offers "nimbus_zone" "types of a document that is shown" schema show nimbus.json --type nimbus_z
cp "$data/several.yaml" .
offers "several.yaml#known" "cases of a file" several.yaml#kn
offers "bash zsh fish" "shells" completion ""
offers "captures" "the argument of an option is not a command" --select rules capt
offers "--help" "an option of a command behind options" --no-settings inspect --he
while read -r option; do
    COMP_WORDS=(lifecheck check "$option") COMP_CWORD=2
    _lifecheck
    [[ " ${COMPREPLY[*]} " == *" $option "* ]] || echo "not ok - $option is not offered"
done < <("$lifecheck" check --help | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
# shellcheck disable=SC2154 # the script sets it
[ "$("$lifecheck" rules --format tsv | grep -c /)" = "$(printf '%s\n' "$_lifecheck_rules" | wc -w)" ]
result $? "all rules"

# ---- zsh: what is handed to the shell, by stand-ins for its builtins

wants 0 "a script for zsh" "$lifecheck" completion zsh
cp stdout _lifecheck
err_lines 0 "and nothing else"
[ "$(head -n 1 _lifecheck)" = "#compdef lifecheck" ]
result $? "for a folder of fpath"
wants 0 "a script for fish" "$lifecheck" completion fish
cp stdout lifecheck.fish
err_lines 0 "and nothing else"
! grep -n '@[a-z-]*@' lifecheck.bash _lifecheck lifecheck.fish
result $? "every field of the templates is filled in"
wants 2 "another shell" "$lifecheck" completion tcsh
err_has "completion takes a shell: bash, zsh or fish" "is reported"
cat >ask.zsh <<'X'
compdef() { :; }
compadd() {
    local -a all
    [[ $1 == -S ]] && shift 2
    if [[ $1 == -a ]]; then all=(${(P)argv[-1]}); else shift; all=("$@"); fi
    print -rl -- ${(M)all:#$PREFIX*}
}
_describe() { # as zsh has it: names are what stands before the colon
    local -a all=("${(@P)argv[-1]}")
    print -rl -- ${(M)${all%%:*}:#$PREFIX*}
}
compset() { PREFIX=${PREFIX#*=}; }
_files() { print -rl -- $PREFIX*(N); }
source ./_lifecheck
words=($LIFECHECK_PROGRAM "$@") CURRENT=$(($# + 1)) PREFIX=${@[-1]}
_lifecheck
X
zsh_offers() { LIFECHECK_PROGRAM=$lifecheck zsh -f ask.zsh "$@" | sed '/^$/d' | sort; }
fish_offers() { # fish 4 also offers what has the word somewhere inside
    fish --no-config -c 'source ./lifecheck.fish; complete -C "$argv"' "lifecheck $*" 2>/dev/null | sed 's/\t.*//; s|/$||' |
        awk -v "word=${*: -1}" 'index($0, word) == 1' | sort
}
offers_in() { # shell, words, name, words typed
    local shell=$1 want=$2 name=$3 got
    shift 3
    got=$("${shell}_offers" "$@" | tr '\n' ' ')
    [ "${got% }" = "$want" ] || echo "#   offers: $got"
    [ "${got% }" = "$want" ]
    result $? "$shell: $name"
}
mkdir bin
ln -s "$lifecheck" bin/lifecheck
PATH=$PWD/bin:$PATH
if command -v fish >/dev/null; then
    fish --no-config -c 'source ./lifecheck.fish; complete -C "lifecheck ga"' >stdout
    out_has "$(printf 'gate\tcompare two versions')" "fish: commands have descriptions"
    fish --no-config -c 'source ./lifecheck.fish; complete -C "lifecheck gate --ol"' >stdout
    out_has "$(printf -- '--old\tevidence of the old version')" "fish: options too"
fi
grep -qF "'gate:compare two versions" _lifecheck && grep -q "^--old:evidence of the old version" _lifecheck
result $? "zsh: commands and options have descriptions"
for shell in zsh fish; do
    if ! command -v $shell >/dev/null; then
        echo "ok - completion in $shell # SKIP $shell is not installed"
        continue
    fi
    if [ $shell = zsh ]; then script=_lifecheck; else script=lifecheck.fish; fi
    $shell -n $script
    result $? "$shell can read it"
    offers_in $shell "record redact rules" "commands" r
    offers_in $shell "scenario.yaml" "files" scenar
    offers_in $shell "schema schema.json" "commands and files" schem
    offers_in $shell "--schema --secrets --settings" "options of a command" extract input --s
    offers_in $shell "--strict" "options without a command" --str
    offers_in $shell "--show-origin" "options of another command" settings --sho
    offers_in $shell "document" "values of an option" --as d
    offers_in $shell "text tsv" "formats of a command" rules --format t
    offers_in $shell "normal" "modes" predict --mode n
    offers_in $shell "apply/changed" "rules of --select" --select apply/chang
    offers_in $shell "apply/changed" "rules of explain" explain apply/chang
    offers_in $shell "apply/changed" "rules of --require, behind another option" --strict --require apply/chang
    offers_in $shell "schema.json" "files of an option" check --schema sche
    offers_in $shell "bash fish zsh" "shells" completion ""
    offers_in $shell "lint scenario show" "its words first" schema ""
    offers_in $shell "schema.json" "then files" schema show schem
    offers_in $shell "gate" "commands of help" help ga
    offers_in $shell "nimbus_disk nimbus_dns_zone" "types of a document" init --schema nimbus.json --type nimbus_d
    offers_in $shell "several.yaml#known" "cases of a file" 'several.yaml#kn'
    offers_in $shell "captures" "the argument of an option is not a command" --select rules capt
    offers_in $shell "" "nothing for a number" -j ""
done
