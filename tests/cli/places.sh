#!/bin/bash
# Wherever it runs, lifecheck says the same: as process 1, without /proc, on a root that cannot be written, without a home, as
# a user that the system does not know, with little memory, in other locales, at other times.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
cp "$root/tests/cli/data/conforms.yaml" "$root/tests/cli/data/leaves.yaml" "$whole" "$good" .
chmod -R a+rX . && chmod 777 . run
export SOURCE_DATE_EPOCH=1767225600

# What is compared: verdicts and values in two formats by several workers, with what Unicode has to say; a recording of
# a client and its provider, where times are those of the recording; a provider that is probed; a client that is served.
cat >all.sh <<'X2'
check() {
    "$LIFECHECK" "$@"
    echo "status $?"
}
check check -j2 --format json conforms.yaml leaves.yaml "$SCENARIOS/diagnosis" fault-apply-value-changed.jsonl
check check -j2 conforms.yaml leaves.yaml fault-apply-value-changed.jsonl
check explain apply/changed
check predict "$PLAN"
check record --provider "$ADDRESS=$PROVIDER" -o "$OUT/recorded.jsonl" --format concise -- "$CLIENT" "$PLAYED" >"$OUT/said" 2>"$OUT/errors"
sed 's/^[0-9]* ms$//' "$OUT/said" "$OUT/errors"
check check --format concise "$OUT/recorded.jsonl"
check probe --provider "$PROBED" --env FAULT=promises-new --type peer_thing --format concise
check serve --schema "$SERVED" --state-dir "$OUT/objects" -- "$SERVED_CLIENT"
X2
export LIFECHECK=$lifecheck SCENARIOS=$root/scenarios PLAN=$root/testdata/predict/alone.plan.json ADDRESS=$address \
    PROVIDER=$peers/provider CLIENT=$client PLAYED=$whole OUT=$work PROBED=$peers/../probe/provider \
    SERVED=$root/testdata/schemas/serve.json SERVED_CLIENT=$peers/../serve/client
bash all.sh 2>&1 | cat >expected
[ "$(grep -c '^status [01]$' expected)" = 8 ]
result $? "each command has its result"

same() { # name, command that runs the rest...
    local name=$1
    shift
    rm -rf recorded.jsonl said errors objects .lifecheck
    "$@" bash all.sh 2>&1 </dev/null | grep -v '^bash: warning: setlocale' >answers
    if ! cmp -s expected answers; then
        diff expected answers | head -n 10 | sed 's/^/#   /'
        false
    fi
    result $? "$name"
}
offers() { # name, command...: can this system do it, and is the program reached then? /root is for root alone
    local name=$1
    shift
    "$@" test -x "$lifecheck" >/dev/null 2>&1 || { echo "ok - $name # SKIP not possible here: $1" && return 1; }
}

same "no home" env -u HOME
same "a home that is not there" env HOME=/nowhere/at/all
same "256 MB of memory" bash -c 'ulimit -v 262144 && exec "$@"' -
# A locale that the system does not have is the locale C: the test makes its own.
mkdir locales
for locale in tr_TR de_DE; do
    localedef -i $locale -f UTF-8 "$work/locales/$locale.UTF-8" >/dev/null 2>&1
done
for locale in C POSIX C.UTF-8 tr_TR.UTF-8 de_DE.UTF-8 no_SUCH; do
    case $locale in
        *_[A-Z][A-Z].UTF-8) [ -d "locales/$locale" ] || { echo "ok - locale $locale # SKIP localedef cannot make it" && continue; } ;;
    esac
    same "locale $locale" env LOCPATH="$work/locales" LC_ALL=$locale LANG=$locale
done
for time in "1970-01-01 00:00:10" "2040-06-01 12:00:00"; do
    ! offers "clock of ${time%%-*}" faketime "$time" || same "clock of ${time%%-*}" faketime "$time"
done
if offers "another user" setpriv --reuid 54321 --regid 54321 --clear-groups; then
    same "a user that the system does not know" setpriv --reuid 54321 --regid 54321 --clear-groups
fi
if offers "process 1" unshare -p -f --mount-proc; then
    # The shell would be process 1: it becomes the program.
    unshare -p -f --mount-proc "$lifecheck" check -j2 conforms.yaml leaves.yaml fault-apply-value-changed.jsonl >answers 2>&1
    echo "status $?" >>answers
    "$lifecheck" check -j2 conforms.yaml leaves.yaml fault-apply-value-changed.jsonl >plain 2>&1
    echo "status $?" >>plain
    cmp -s plain answers
    result $? "process 1: check"
    for recorded in one.jsonl two.jsonl; do
        runner=(unshare -p -f --mount-proc)
        [ $recorded = one.jsonl ] || runner=()
        "${runner[@]}" "$lifecheck" record --provider "$address=$peers/provider" -o $recorded --format concise -- "$client" "$whole" >said 2>&1
        echo "status $?" >>said
        mv said $recorded.said
    done
    diff <(sed 's/one.jsonl/R/; s/^[0-9]* ms$//' one.jsonl.said) <(sed 's/two.jsonl/R/; s/^[0-9]* ms$//' two.jsonl.said) >difference && [ -s one.jsonl ]
    result $? "process 1: record with a client"
    mkfifo input
    for signal in TERM INT HUP; do
        sleep 20 >input &
        holder=$!
        env --default-signal=INT,TERM,HUP unshare -p -f --mount-proc "$lifecheck" - <input >/dev/null 2>&1 &
        outer=$!
        for _ in $(seq 100); do
            inner=$(pgrep -P $outer) && [ -n "$inner" ] && grep -q lifecheck "/proc/$inner/comm" 2>/dev/null && break
            sleep 0.05
        done
        sleep 0.2
        kill -s $signal "$inner"
        is_gone "$inner"
        result $? "process 1: SIG$signal ends it"
        kill $holder "$outer" 2>/dev/null
        wait $holder $outer 2>/dev/null
    done
    same "below process 1" unshare -p -f --mount-proc
fi
if offers "without /proc" unshare -m; then
    same "without /proc" unshare -m bash -c 'mount -t tmpfs none /proc && exec "$@"' -
    # /work may be a mount of its own: all that can be written is the folder of this test.
    same "a root that cannot be written" unshare -m bash -c 'mount --bind "$OUT" "$OUT" && mount -o remount,ro,bind / && ! touch /etc/x 2>/dev/null && cd "$OUT" && exec "$@"' -
fi
