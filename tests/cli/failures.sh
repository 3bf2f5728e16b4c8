#!/bin/bash
# What the world does to a program: full disks, closed descriptors, signals, dying workers, lack of
# memory. Always the documented status, one line, and no process left.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
set -m # background jobs do not ignore SIGINT

"$lifecheck" "$data/violates.yaml" >/dev/full 2>stderr
[ $? = 4 ]
result $? "a full disk"
err_lines 1 "is reported in one line"
err_has "standard output cannot be written: No space left on device" "with its reason"
for command in "rules" "explain apply/changed" "--help" "--version" "propose $data/conforms.yaml"; do
    # shellcheck disable=SC2086 # words
    "$lifecheck" $command >/dev/full 2>stderr
    [ $? = 4 ] && [ "$(wc -l <stderr)" = 1 ]
    result $? "a full disk: $command"
done
wants 4 "a report on a full disk" "$lifecheck" "$data/conforms.yaml" --report json=/dev/full
"$lifecheck" "$data/conforms.yaml" >&- 2>stderr
[ $? = 4 ]
result $? "a closed standard output"
err_lines 1 "is reported in one line"
"$lifecheck" "$data/conforms.yaml" <&- >stdout 2>stderr
[ $? = 0 ]
result $? "a closed standard input does not matter"
"$lifecheck" - <&- >stdout 2>stderr
[ $? = 3 ]
result $? "unless it is read"
"$lifecheck" "$data/conforms.yaml" 2>&- >stdout
[ $? = 0 ]
result $? "a closed standard error does not matter"
mkfifo left
true <left &
exec 9>left
wait $! # nobody reads any more
"$lifecheck" "$data/violates.yaml" >&9 2>stderr
echo $? >status
exec 9>&-
[ "$(cat status)" = 141 ]
result $? "a reader that went away ends it by SIGPIPE"
err_lines 0 "silently"

# ---- Workers. One of them waits for a pipe that no one writes to.

mkfifo stuck
gone() { # processes
    local pid
    for pid in "$@"; do
        ! runs "$pid" || return 1
    done
}
wait_for_workers() { # parent, number
    for _ in $(seq 1200); do
        # shellcheck disable=SC2046 # words
        set -- "$1" "$2" $(children_of "$1")
        [ $# -lt $(($2 + 2)) ] || return 0
        sleep 0.05
    done
    return 1
}
ignored=$((0x$(sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/$$/status)))
for name in INT TERM HUP; do
    # What was ignored when we were started, as in a background job, stays ignored in the program too.
    if [ $((ignored >> ($(kill -l $name) - 1) & 1)) = 1 ]; then
        echo "ok - SIG$name # SKIP it is ignored here"
        continue
    fi
    "$lifecheck" -j2 stuck "$data/conforms.yaml" >stdout 2>stderr &
    parent=$!
    wait_for_workers $parent 2
    result $? "workers are running"
    workers=$(children_of $parent)
    kill -s $name $parent
    wait $parent 2>/dev/null
    status=$?
    [ "$status" = $((128 + $(kill -l $name))) ]
    result $? "SIG$name ends the program as usual"
    # shellcheck disable=SC2086 # words
    gone $workers
    result $? "and its workers"
done

# Whoever reads the pipe is killed, until none comes any more. That the pipe is open here for reading and
# writing lets open(2) return in the program.
kill_readers() { # parent
    local pid
    while kill -0 "$1" 2>/dev/null; do
        for pid in $(children_of "$1"); do
            if [ "$(readlink "/proc/$pid"/fd/* 2>/dev/null | grep -cxF "$work/stuck")" != 0 ]; then
                kill -KILL "$pid"
            fi
        done
        sleep 0.05
    done
}
exec 9<>stuck
"$lifecheck" -j2 stuck "$data/conforms.yaml" "$data/violates.yaml" "$data/legacy.yaml" --report json=r.json >stdout 2>stderr 9>&- &
parent=$!
kill_readers $parent
wait $parent
status=$?
[ "$status" = 4 ]
result $? "a worker that exited costs status 4"
err_has "lifecheck: internal error in stuck" "names the file"
out_has "3 cases" "the other files are checked"
grep -q '"file":"stuck","line":0,"column":0,"message":"internal error"' r.json
result $? "stands in the JSON report"

# A stretch of several files: the others of it are checked by the next worker.
for i in $(seq 10 50); do cp "$data/conforms.yaml" "file$i.yaml"; done
rm file30.yaml
ln -s stuck file30.yaml
"$lifecheck" -j2 file??.yaml >stdout 2>stderr 9>&- &
parent=$!
kill_readers $parent
wait $parent
status=$?
[ "$status" = 4 ]
result $? "a worker that exited with several files"
[ "$(cat stderr)" = "lifecheck: internal error in file30.yaml" ]
result $? "costs the one it was at"
exec 9>&-
out_has "40 cases: 40 conform" "the others are checked"

# The descriptor that workers report signals to belongs to something else: the work is done without them.
cp "$data/conforms.yaml" file30.yaml.new && mv file30.yaml.new file30.yaml
echo theirs >theirs
"$lifecheck" -j2 file??.yaml >stdout 2>stderr 200<theirs
[ $? = 0 ] && [ ! -s stderr ]
result $? "a descriptor that is taken"
out_has "41 cases: 41 conform" "stays theirs"

# ---- Lack of memory: refuse the first, second, ... block.

if [ -z "${LIFECHECK_ALLOC_PROGRAM:-}" ]; then
    echo "ok - lack of memory # SKIP the program with refusing blocks is not built"
else
    for arguments in "$data/several.yaml" "--format json $data/several.yaml" \
        "--format sarif $data/several.yaml" "--format tap $data/several.yaml" "--format html $data/several.yaml" "rules --format json" \
        "propose --format json $data/conforms.yaml" "nowhere.yaml"; do
        # shellcheck disable=SC2086 # words
        "$LIFECHECK_ALLOC_PROGRAM" $arguments >stdout 2>stderr
        normal=$?
        bad=0 k=0 status=4
        while [ "$status" = 4 ] && [ "$k" -lt 1000000 ]; do
            k=$((k + 1))
            # shellcheck disable=SC2086 # words
            LC_FAIL_ALLOC=$k "$LIFECHECK_ALLOC_PROGRAM" $arguments >stdout 2>stderr
            status=$?
            if [ "$status" = 4 ] && [ "$(cat stderr)" != "lifecheck: out of memory" ]; then
                echo "#   block $k: $(head -n 3 stderr)"
                bad=1
            fi
            # Every block up to 60, then ever larger steps: the later ones are alike.
            [ "$k" -lt 60 ] || k=$((k + k / 16))
        done
        [ "$bad" = 0 ] && [ "$status" = "$normal" ] && [ "$k" -gt 5 ]
        result $? "lack of memory: ${arguments//$data\//} (refused up to block $k)"
    done
fi

# The C library allocates as well, when it opens a folder.
cat >refuse.c <<'X'
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <dlfcn.h>
void *opendir(const char *name)
{
    static long left = -1;
    if (left < 0)
        left = atol(getenv("REFUSE_FOLDER"));
    if (left && --left == 0) {
        errno = ENOMEM;
        return NULL;
    }
    void *(*next)(const char *) = (void *(*)(const char *))dlsym((void *)-1L, "opendir");
    return next(name);
}
X
mkdir -p modules/empty modules/child
echo 'variable "a" {}' >modules/child/main.tf
printf 'module "a" {\n  source = "./child"\n  a = 1\n}\nlocals {\n  f = fileset(path.module, "*")\n}\noutput "f" {\n  value = local.f\n}\n' >modules/main.tf
if [ -n "${ASAN_OPTIONS:-}" ] || ! cc -shared -fPIC -o refuse.so refuse.c 2>/dev/null; then
    echo "ok - no memory for a folder # SKIP no compiler, or one with a sanitizer"
else
    for arguments in "predict --config modules" "check modules"; do
        # shellcheck disable=SC2086 # words
        "$lifecheck" $arguments >stdout 2>/dev/null
        normal=$? bad=0 k=0 status=4
        while [ "$status" = 4 ] && [ "$k" -lt 100 ]; do
            k=$((k + 1))
            # shellcheck disable=SC2086 # words
            REFUSE_FOLDER=$k LD_PRELOAD=$work/refuse.so "$lifecheck" $arguments >stdout 2>stderr
            status=$?
            [ "$status" != 4 ] || [ "$(cat stderr)" = "lifecheck: out of memory" ] || bad=1
        done
        [ "$bad" = 0 ] && [ "$status" = "$normal" ] && [ "$k" -gt 1 ]
        result $? "no memory for a folder: $arguments (refused up to folder $k)"
    done
fi
