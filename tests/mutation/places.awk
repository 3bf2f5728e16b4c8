# places.awk FILE...: every place that can be mutated, one a line, tabs between:
# file, line, function, column, length, replacement, the line as it is -> the line as it becomes.
# Comments, strings, characters, preprocessor lines and static assertions hold no places.

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# The line with what is not code blanked out, column by column.
function masked(line,    at, c, two, out, quote) {
    out = ""
    quote = ""
    for (at = 1; at <= length(line); at++) {
        c = substr(line, at, 1)
        two = substr(line, at, 2)
        if (comment) {
            if (two == "*/") {
                comment = 0
                at++
                out = out " "
            }
            out = out " "
        } else if (quote != "") {
            if (c == "\\") {
                at++
                out = out "_"
            } else if (c == quote) {
                quote = ""
            }
            out = out "_"
        } else if (two == "//") {
            break
        } else if (two == "/*") {
            comment = 1
            at++
            out = out "  "
        } else if (c == "\"" || c == "'") {
            quote = c
            out = out "_"
        } else {
            out = out c
        }
    }
    return out
}

function place(at, len, becomes) {
    printf "%s\t%d\t%s\t%d\t%d\t%s\t%s -> %s\n", FILENAME, FNR, name, at, len, becomes,
        trim($0), trim(substr($0, 1, at - 1) becomes substr($0, at + len))
}

# Every occurrence of a text becomes another; `after`, when given, must not follow it.
function each(code, text, becomes, after,    from, at) {
    from = 1
    while ((at = index(substr(code, from), text)) > 0) {
        at += from - 1
        from = at + length(text)
        if (after == "" || substr(code, from, 1) !~ after)
            place(at, length(text), becomes)
    }
}

FNR == 1 {
    comment = directive = assertion = switches = 0
    name = "-"
    before = ";"
}

{
    code = masked($0)
    match(code, /[^ ]/)
    indent = RSTART
}

# The `break` that ends a case is not a condition of a loop.
code ~ /^ *switch \(/ { inside[++switches] = indent }
switches && code ~ /^ *\}/ && indent == inside[switches] { switches-- }

directive || code ~ /^[ \t]*#/ {
    directive = code ~ /\\$/
    next
}

assertion || code ~ /(static_assert|_Static_assert)/ {
    assertion = code !~ /;[ \t]*$/
    next
}

/^[a-z].*\(/ && !/;$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[^A-Za-z0-9_]/, "", name)
}

code ~ /^[ \t]*$/ { next }

{
    each(code, " == ", " != ")
    each(code, " != ", " == ")
    each(code, " < ", " <= ")
    each(code, " > ", " >= ")
    each(code, " <= ", " < ")
    each(code, " >= ", " > ")
    each(code, " && ", " || ")
    each(code, " || ", " && ")
    each(code, " + 1", " - 1", "[0-9.xXuUlL]")
    each(code, " - 1", " + 1", "[0-9.xXuUlL]")
    each(code, "return true;", "return false;")
    each(code, "return false;", "return true;")
    each(code, " continue;", " break;")
    if (!switches || indent != inside[switches] + 4)
        each(code, " break;", " continue;")
    each(code, "if (!", "if (")
    # A call that is a whole statement of one line.
    if (code ~ /^[ \t]+[a-z_][A-Za-z0-9_]*\(.*\);[ \t]*$/ && code !~ /^[ \t]+(if|for|while|switch|return|sizeof)[ (]/ &&
        (before ~ /[;{}:]$/ || before ~ /^(if|for|while|else|\} else).*[)e]$/)) {
        match(code, /[^ \t]/)
        call = RSTART
        place(call, length(trim(code)), ";")
    }
    before = trim(code)
}
