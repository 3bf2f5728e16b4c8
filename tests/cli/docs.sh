#!/bin/bash
# README, tutorial and man pages: every command is run, and every output shown is what it prints. With
# GOLDEN_ACCEPT=1 the outputs in README and tutorial are renewed.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
mkdir -p build/release
ln -s "$lifecheck" build/release/lifecheck
PATH=$work/build/release:$PATH
ln -s "$root/testdata" testdata
ln -s "$root/scenarios" scenarios

# ---- README

awk '/^```yaml$/ {n++; on = 1; next} /^```$/ {on = 0} on {print > ("block" n ".yaml")}' "$root/README.md"
cmp -s block1.yaml <(grep -v '^#' "$root/testdata/readme/policy.yaml")
result $? "README: the scenario shown is the file named"
# consoles NAME FILE LEAST: commands behind `$ ` are run, and what is shown is what they print.
consoles() {
    local name=$1 document=$2 count=0 block line
    rm -f console*
    awk '/^```console$/ {name = sprintf("console%02d", ++n); on = 1; next} /^```$/ {on = 0} on {print >name}' "$document"
    for block in console[0-9]*; do
        : >"printed-$block"
        while IFS= read -r line; do
            case $line in
            '$ '*)
                count=$((count + 1))
                echo "$line" >>"printed-$block"
                eval "${line#\$ }" >>"printed-$block" 2>&1
                ;;
            esac
        done <"$block"
        diff -u "$block" "printed-$block" | sed 's/^/# /'
        cmp -s "$block" "printed-$block"
        result $? "$name: $(head -n 1 "$block")"
    done
    [ "$count" -ge "$3" ]
    result $? "$name: shows commands"
    if [ -n "${GOLDEN_ACCEPT:-}" ]; then
        awk '/^```console$/ {name = sprintf("printed-console%02d", ++n); on = 1; print; while ((getline line < name) > 0) print line; next}
             /^```$/ {on = 0} !on {print}' "$document" >renewed && cp renewed "$document"
    fi
}
consoles README "$root/README.md" 2
consoles tutorial "$root/docs/tutorial.md" 10

awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on && /^build/' "$root/README.md" | sed 's/ *#  *.*//' >commands
[ "$(wc -l <commands)" -ge 5 ]
result $? "README: lists commands"
while IFS= read -r line; do
    eval "$line" >stdout 2>stderr
    status=$?
    [ "$status" = 0 ] && [ -s stdout ] && [ ! -s stderr ]
    result $? "README: $line"
done <commands
cat block1.yaml block2.yaml >judged.yaml
wants 0 "README: with its expectation the scenario passes" lifecheck judged.yaml
# ---- EXAMPLES of the man page

sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$root/man/lifecheck.1" | sed -n '/^\.EX/,/^\.EE/p' | grep -v '^\.' |
    sed 's/\\-/-/g' >examples
[ "$(wc -l <examples)" -ge 5 ]
result $? "man: shows commands"
while IFS= read -r line; do
    eval "$line" >stdout 2>stderr
    status=$?
    [ "$status" = 0 ] && [ -s stdout ] && [ ! -s stderr ]
    result $? "man: $line"
done <examples
sed -n '/^\.EX/,/^\.EE/p' "$root/man/lifecheck-scenario.5" | sed '/^\.EE/q' | grep -v '^\.' | sed 's/\\-/-/g' >scenario.yaml
wants 0 "man: the scenario of section 5" lifecheck scenario.yaml
