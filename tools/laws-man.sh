#!/bin/sh
# The section LAWS of man/lifecheck-probe.1, from the table of laws.
sed -n 's/^LAW(\([0-9]*\), "\([^"]*\)", LC_\([A-Z_]*\), \([a-z]*\), "\([^"]*\)", "\([^"]*\)", "[^"]*", "\([^"]*\)")$/\1\t\2\t\3\t\4\t\5\t\6\t\7/p' include/lifecheck/probe/laws.def |
    awk -F'\t' 'function plain(s) {gsub(/-/, "\\-", s); return s}
        {strength = tolower($3); sub(/_rule/, "", strength)
         printf ".TP\n.B %s%s %s\n%s. (%s)\n", $1, $4 == "true" ? "" : "*", plain($2), plain($5), strength
         if ($6 != "") printf ".br\nNeeds: %s.\n", plain($6)
         if ($7 != "") printf ".br\nAgainst false alarms: %s.\n", plain($7)}'
