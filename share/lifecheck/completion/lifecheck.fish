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
    complete -c lifecheck -n "__lifecheck_in $command" $more -a "$(string match -rv '^(FILE|RULE)$' -- $list)"
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
        case OTHER
            set -a more -x
        case '*'
            set -a more -x -a "$values"
    end
    complete -c lifecheck -n "__lifecheck_in $commands" -l $name $more -d $help
end

complete -c lifecheck -n __lifecheck_unnamed -a "$__lifecheck_commands"
__lifecheck_words @command@ '@words@'
__lifecheck_option '@commands@' @option@ '@letter@' '@values@' '@help@'
