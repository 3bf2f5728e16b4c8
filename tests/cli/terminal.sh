#!/bin/bash
# What lifecheck does on a terminal: a line of progress for long runs, colours, and neither of them elsewhere.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v python3 >/dev/null; then
    echo "ok - terminals # SKIP python3 is not installed"
    exit 0
fi
if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    echo "ok - terminals # SKIP there are none here"
    exit 0
fi
unset CI NO_COLOR
export TERM=xterm COLUMNS=100
wipe=$'\r\033[K'

# on_terminal COMMAND [SIGNAL WHEN]: run by sh on a terminal of its own; what comes to it is in `log`
on_terminal() {
    python3 "$root/tests/cli/checks/terminal.py" "$@" >log
    status=$?
}
shows_progress() {
    grep -qE "$seen" log
}
# what stays on the screen: of each line only what was written after the last wipe
screen() {
    sed 's/.*\x1b\[K//; s/\r$//; /^$/d' log
}

# ---- Colours

first=$data/violates.yaml
on_terminal "$lifecheck $first"
grep -q $'\033\\[[0-9;]*m' log
result $? "colours on a terminal"
for setting in "NO_COLOR=1" "NO_COLOR=0" "TERM=dumb"; do
    on_terminal "$setting $lifecheck $first"
    ! grep -q $'\033' log
    result $? "none with $setting"
done
on_terminal "NO_COLOR= $lifecheck $first"
grep -q $'\033\\[[0-9;]*m' log
result $? "an empty NO_COLOR is none"
on_terminal "$lifecheck --color never $first"
! grep -q $'\033' log
result $? "none with --color never"
on_terminal "NO_COLOR=1 $lifecheck --color always $first"
grep -q $'\033\\[[0-9;]*m' log
result $? "--color always beats NO_COLOR"
on_terminal "$lifecheck $first >words --report text=report"
! grep -q $'\033' words report
result $? "none in files"
"$lifecheck" --color always "$first" >colored
grep -q $'\033\\[[0-9;]*m' colored
result $? "but with --color always"
"$lifecheck" --color always --format json "$first" >colored
! grep -q $'\033' colored
result $? "of text, not of other formats"
on_terminal "NO_COLOR=1 $lifecheck $first"
diff <(screen) <("$lifecheck" --width 100 "$first" | sed '/^$/d')
result $? "the same text as in a file"

# ---- Progress. A pipe makes a run as long as it has to be; all runs go on at the same time.

calls=$root/testdata/captures/fault-apply-value-changed.jsonl
seen='[0-9]+ of [0-9]+ files?, .*[0-9]+ s'
# slowly WHEN: the calls, with a byte of the longest one now and then until the log has WHEN; without it,
# past the time of the first progress
slowly() {
    local at=0
    head -n 4 "$calls"
    sed -n 5p "$calls" >slow.call
    while [ "$at" -lt 300 ]; do
        at=$((at + 1))
        head -c $at slow.call | tail -c 1 || return
        sleep 0.1
        if [ "$1" ]; then
            ! grep -qE "$1" log || break
        elif [ "$at" = 14 ]; then
            break
        fi
    done
    tail -c +$((at + 1)) slow.call
    tail -n +6 "$calls"
}
long() { # name, environment, options and files, redirections, what to wait for
    mkdir "$1"
    (
        cd "$1" || exit
        mkfifo slow
        slowly "$5" >slow &
        on_terminal "exec env $2 $lifecheck $3 slow $4"
        wait
    ) &
}
for i in $(seq 9); do cp "$data/conforms.yaml" "case$i.yaml"; done
long plain A=a "" ">out" "$seen"
long both A=a "--color never" "" "$seen"
long no-color NO_COLOR=1 "" ">out" "$seen"
long ci CI=true "" ">out" ""
long dumb TERM=dumb "" ">out" ""
long no-ci CI=false "" ">out" "$seen"
long quiet A=a --quiet ">out" ""
long file A=a "" ">out 2>err" ""
counts='[1-9] of 10 files, [1-9] cases?, [0-9]+ s'
long workers A=a "-j2 $work/case*.yaml" ">out" "$counts"
mkdir ended
(
    cd ended || exit
    mkfifo slow
    slowly never >slow 2>/dev/null &
    on_terminal "exec $lifecheck -j1 slow >out" 15 "$seen"
    echo $status >status
    wait
) &
"$lifecheck" --width 100 - <"$calls" 2>stderr | sed 's/^-\([:#]\)/slow\1/; s/^  --> -:/  --> slow:/; /^$/d' >want
[ ! -s stderr ] && grep -q 'apply/changed' want
result $? "none where standard error is not a terminal"
for _ in 1 2 3; do # a machine that stands still makes every run a long one
    on_terminal "$lifecheck $first >out"
    [ -s log ] || break
done
[ ! -s log ]
result $? "none for a short run"
wait

cd plain || exit 1
shows_progress
result $? "progress of a stream"
[ "$(screen)" = "" ] && [ "$(tail -c 4 log)" = "$wipe" ]
result $? "is gone at the end"
grep -q 'apply/changed' out && ! grep -q $'\033\\|1 file' out
result $? "the report has nothing of it"
cd ../ended || exit 1
shows_progress
result $? "progress until a signal comes"
[ "$(screen)" = "" ] && [ "$(tail -c 4 log)" = "$wipe" ]
result $? "which takes the line away"
[ "$(cat status)" = 143 ]
result $? "and ends the program as ever"
cd ../both || exit 1
shows_progress
result $? "beside the report on one terminal"
# what was reported while the calls came has no number yet; the case is then named at the end
plainly() { sed '/^slow#lifecheck_thing#1: violates/d; s/lifecheck_thing#1, create/lifecheck_thing, create/' "$@"; }
diff <(plainly ../want) <(screen | plainly)
result $? "only the report stays"
cd ../no-color || exit 1
shows_progress && ! grep -q $'\033\\[[0-9;]*m' log
result $? "without colours"
for setting in ci dumb quiet file; do
    cd "../$setting" || exit 1
    ! shows_progress && [ ! -s log ] && [ -s out ]
    result $? "none with $setting"
done
[ ! -s err ]
result $? "nor in the file"
cd ../no-ci || exit 1
shows_progress
result $? "CI=false is not CI"
cd ../workers || exit 1
shows_progress
result $? "progress of workers"
grep -qE "$counts" log
result $? "counts files and cases"
[ "$(screen)" = "" ] && [ "$(tail -c 4 log)" = "$wipe" ]
result $? "is gone at the end"
grep -q '; 10 cases: ' out
result $? "the report is whole"
