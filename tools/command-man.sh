#!/bin/sh
# A page of the manual about one command: what `lifecheck help COMMAND` prints, as roff.
#   command-man.sh PROGRAM COMMAND head|options    a part of the page of one command
#   command-man.sh PROGRAM commands                the list of all
#   command-man.sh PROGRAM renew PAGE...           writes these parts into pages, between `.\" HEAD:` and `.\" END`
set -eu
program=$1 command=$2 part=${3:-}

if [ "$command" = commands ]; then
    "$program" help --width 110 | awk '
        /^[A-Z].*:$/ { sub(/:$/, ""); title = $0; next }
        /^  [a-z]+ / && title != "" {
            if (title != last) printf ".SS %s\n", title
            last = title; name = $1; sub(/^ +[a-z]+ +/, ""); gsub(/-/, "\\-")
            printf ".TP\n.B %s\n%s\n", name, $0; next
        }
        /^   +/ && last != "" && title != "" { sub(/^ +/, ""); gsub(/-/, "\\-"); print; next }
        $0 != "" && last != "" { title = "" }'
    exit
fi
if [ "$command" = renew ]; then
    shift 2
    for page in "$@"; do
        name=${page##*/lifecheck-}
        name=${name%.1}
        part=$(mktemp)
        for mark in HEAD OPTIONS COMMANDS; do
            grep -q "^\.\\\\\" $mark:" "$page" || continue
            if [ $mark = COMMANDS ]; then sh "$0" "$program" commands; else sh "$0" "$program" "$name" "$(echo $mark | tr A-Z a-z)"; fi >"$part"
            sed -i -e "/^\.\\\\\" $mark:/,/^\.\\\\\" END/{/^\.\\\\\"/!d}" -e "/^\.\\\\\" $mark:/r $part" "$page"
        done
        rm -f "$part"
    done
    exit
fi
"$program" help "$command" --width 110 | awk -v command="$command" -v part="$part" '
    function plain(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); return text }
    function flush() {
        if (name != "") printf ".TP\n.B %s\n%s\n", plain(name), plain(text)
        name = text = ""
    }
    BEGIN { state = "usage" }
    state == "usage" && !/^(usage:| )/ { state = "what" }
    state == "usage" { sub(/^usage: */, ""); sub(/^ +/, " "); usage = usage $0 }
    state == "what" && $0 == "" { state = "options" }
    state == "what" { what = what (what == "" ? "" : " ") $0 }
    state == "options" && /^Examples:$/ { flush(); state = "examples"; if (part == "options") print ".SH EXAMPLES"; next }
    state == "options" && part == "options" && /^[A-Z].*:$/ {
        flush()
        if (!any++) print ".SH OPTIONS"
        sub(/:$/, ""); printf ".SS %s\n", $0; next
    }
    state == "options" && part == "options" && /^  -/ {
        flush()
        line = $0; sub(/^ +/, "", line)
        at = match(line, /  +/)
        if (length($0) > 25 && substr($0, 25, 1) == " " && substr($0, 26, 1) != " ") {
            name = substr($0, 3, 22); text = substr($0, 26)
            sub(/ +$/, "", name)
        } else if (at) {
            name = substr(line, 1, at - 1); text = substr(line, at + RLENGTH)
        } else { name = line; text = "" }
        next
    }
    state == "options" && part == "options" && /^ / { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
    state == "examples" && $0 == "" { state = "end" }
    state == "examples" && part == "options" && /^  #/ { sub(/^  # */, ""); printf ".PP\n%s:\n.PP\n", plain(toupper(substr($0, 1, 1)) substr($0, 2)); next }
    state == "examples" && part == "options" { sub(/^ +/, ""); printf ".EX\n%s\n.EE\n", plain($0); next }
    END {
        flush()
        if (part == "head")
            printf ".SH NAME\nlifecheck\\-%s \\- %s\n.SH SYNOPSIS\n.B %s\n", command, plain(what), plain(usage)
    }'
