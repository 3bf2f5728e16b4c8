# fish completion of lifecheck; made by: lifecheck completion fish
set -g __lifecheck_rules @rules@
set -g __lifecheck_commands @all-commands@
# Those that take an argument.
set -g __lifecheck_arguments @all-argument-options@

# The command; fails where none and no path was named yet.
function __lifecheck_command
    set -l words (commandline -opc)
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word $__lifecheck_commands
            echo $word
            return 0
        else if contains -- $word $__lifecheck_arguments
            set skip 1
        else if not string match -q -- '-*' $word
            echo check
            return 0
        end
    end
    echo check
    return 1
end

# How many words follow the command that are not options, nor their arguments.
function __lifecheck_position
    set -l words (commandline -opc)
    set -l count 0
    set -l before ''
    for word in $words[2..-1]
        if not string match -q -- '-*' $word; and not contains -- $before $__lifecheck_arguments
            set count (math $count + 1)
        end
        set before $word
    end
    math $count - 1
end

# The types of the schema document that the words name.
function __lifecheck_types
    set -l words (commandline -opc)
    set -l document
    set -l before ''
    for word in $words[2..-1]
        if test "$before" = --schema
            set document $word
        else if string match -q -- '--schema=*' $word
            set document (string replace -- --schema= '' $word)
        else if __lifecheck_in schema; and test -z "$document" -a -f "$word"
            set document $word
        end
        set before $word
    end
    test -n "$document"; and $words[1] schema show $document 2>/dev/null | awk 'NF >= 3 {print $2}'
end

# The cases of FILE, for FILE#CASE.
function __lifecheck_cases
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l file (string replace -r '#.*' '' -- $token)
    string match -q -- '*#*' $token; and test -f "$file"; or return
    $words[1] check --format tap -- $file 2>/dev/null | string replace -r ' # [A-Z]+ .*' '' | string replace -rf '^(not )?ok [0-9]+ - .*\\\\#' "$file#"
end

function __lifecheck_in
    contains -- (__lifecheck_command) $argv
end

function __lifecheck_unnamed
    not __lifecheck_command >/dev/null
end

function __lifecheck_formats
    set -l command (__lifecheck_command)
    test $command = @command@; and printf '%s\n' @formats@
end

# What completes a word of a command: files, rules, words.
function __lifecheck_words --argument-names command words
    set -l list (string split ' ' -- $words)
    set -l more -f
    contains FILE $list; and set more
    contains RULE $list; and set -a list $__lifecheck_rules
    contains COMMAND $list; and set -a list $__lifecheck_commands
    if contains FILE $list; and test (count $list) -gt 1 # words first, then files
        complete -c lifecheck -n "__lifecheck_in $command; and test (__lifecheck_position) = 0" -f -a "$(string match -rv '^FILE$' -- $list)"
        return
    end
    complete -c lifecheck -n "__lifecheck_in $command" $more -a "$(string match -rv '^(FILE|RULE|COMMAND)$' -- $list)"
    contains FILE $list; and complete -c lifecheck -n "__lifecheck_in $command" -a '(__lifecheck_cases)'
end

function __lifecheck_option --argument-names commands name letter values help
    set -l more
    test -n "$letter"; and set -a more -s $letter
    switch "$values"
        case ''
        case FILE
            set -a more -r -F
        case RULE
            set -a more -x -a "$__lifecheck_rules"
        case FORMAT
            set -a more -x -a '(__lifecheck_formats)'
        case REPORT
            set -a more -x -a '(__lifecheck_formats)='
        case TYPE
            set -a more -x -a '(__lifecheck_types)'
        case OTHER
            set -a more -x
        case '*'
            set -a more -x -a "$values"
    end
    complete -c lifecheck -n "__lifecheck_in $commands" -l $name $more -d $help
end

complete -c lifecheck -n __lifecheck_unnamed -a @command@ -d '@command-help@'
__lifecheck_words @command@ '@words@'
__lifecheck_option '@commands@' @option@ '@letter@' '@values@' '@help@'
