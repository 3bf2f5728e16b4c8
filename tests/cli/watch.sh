#!/bin/bash
# lifecheck check --watch: judges again when a file changes, without a terminal too, and ends with the status of the
# last run.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
mkdir lib
cp "$data/conforms.yaml" lib/a.yaml

# awaits TEXT FILE COUNT: until the file has the text that often
awaits() {
    local tries=0
    while [ "$(grep -c -- "$1" "$2")" -lt "$3" ] && [ "$tries" -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ "$(grep -c -- "$1" "$2")" = "$3" ]
}

# watches OPTION... PATH: in the background; its files are there, and empty, before it starts
watches() {
    : >out
    : >err
    "$lifecheck" check --watch "$@" >out 2>err &
    watcher=$!
}

watches --report json=report.json lib
awaits '^1 case: ' out 1
result $? "the first run"
sleep 1
[ "$(grep -c '^1 case' out)" = 1 ]
result $? "waits while nothing changes"
cp "$data/violates.yaml" lib/b.yaml
awaits '^1 violation in 1 resource; 2 cases: ' out 1
result $? "a new file"
cp "$data/violates.yaml" lib/a.yaml
awaits '^2 violations in 2 resources; 2 cases: ' out 1
result $? "a file that has changed"
awaits '^lifecheck: lib.* has changed$' err 2
result $? "each is named"
! grep -q "$(printf '\033')" out
result $? "nothing is cleared where there is no terminal"
[ "$(grep -c '"verdict": *"violates"\|"violates"' report.json)" -ge 1 ]
result $? "reports are written anew"
kill -TERM $watcher
wait $watcher
[ $? = 1 ]
result $? "it ends with the status of the last run"

# A schema document that a scenario names.
mkdir one
cp "$root/testdata/schemas/nimbus.json" one/schemas.json
(cd one && "$lifecheck" init --schema schemas.json --type nimbus_disk -o disk.yaml)
watches one/disk.yaml
awaits '^1 case: ' out 1
echo '{}' >one/schemas.json
awaits 'one/schemas.json has changed' err 1
result $? "a schema document"
awaits 'error' out 1
kill -TERM $watcher
wait $watcher
[ $? = 3 ]
result $? "its fault is the last status"
wants 2 "standard input" "$lifecheck" check --watch -
err_has "standard input can be read only once" "is reported"
wants 2 "nothing named" "$lifecheck" check --watch
