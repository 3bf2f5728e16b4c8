# bash completion of lifecheck; made by: lifecheck completion bash
# shellcheck shell=bash
_lifecheck_rules='@rules@'
_lifecheck_commands='@all-commands@'

# By command: its options, its formats, what completes a word of it.
declare -gA _lifecheck_options=(
    [@command@]='@options@'
)
declare -gA _lifecheck_formats=(
    [@command@]='@formats@'
)
declare -gA _lifecheck_words=(
    [@command@]='@words@'
)

# By option that takes an argument: FILE, RULE, FORMAT, REPORT, TYPE, its values, or OTHER.
declare -gA _lifecheck_arguments=(
    [@argument-option@]='@values@'
)

# The types of the schema document that the words name.
_lifecheck_types() {
    local at document='' typed
    for ((at = 1; at < COMP_CWORD; at++)); do
        typed=${COMP_WORDS[at]}
        if [ "$typed" = --schema ]; then
            document=${COMP_WORDS[at + 1]}
            [ "$document" = '=' ] && document=${COMP_WORDS[at + 2]}
        elif [[ $command == schema && -z $document && $typed != -* && -f $typed ]]; then
            document=$typed
        fi
    done
    [ -z "$document" ] || "${COMP_WORDS[0]}" schema show "$document" 2>/dev/null | awk 'NF >= 3 {print $2}'
}

# The cases of FILE, for FILE#CASE.
_lifecheck_cases() {
    "${COMP_WORDS[0]}" check --format tap -- "$1" 2>/dev/null | sed -n 's/ # [A-Z]* .*//; s/^\(not \)\{0,1\}ok [0-9]* - .*\\#//p'
}

# Words, and what stands for rules and files, to words and files.
_lifecheck_take() {
    local word
    for word in $1; do
        case $word in
        FILE) files=1 ;;
        RULE) words+=" $_lifecheck_rules" ;;
        COMMAND) words+=" $_lifecheck_commands" ;;
        FORMAT) words+=" ${_lifecheck_formats[$command]}" ;;
        REPORT) words+=" ${_lifecheck_formats[$command]// /= }=" ;;
        TYPE) words+=" $(_lifecheck_types)" ;;
        OTHER) ;;
        *) words+=" $word" ;;
        esac
    done
}

_lifecheck() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=check named='' at words='' files='' position=0 value=''
    COMPREPLY=()
    # --option=value comes as three words
    if [ "$word" = '=' ]; then
        word=''
    elif [ "$before" = '=' ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    # the first word that is not an option, nor the argument of one; and how many follow
    for ((at = 1; at < COMP_CWORD; at++)); do
        local typed=${COMP_WORDS[at]}
        if [[ -n $named && $typed != -* && -z ${_lifecheck_arguments[${COMP_WORDS[at - 1]}]:-} ]]; then
            ((position++))
        elif [[ -n $named ]]; then
            continue
        elif [[ " $_lifecheck_commands " == *" $typed "* ]]; then
            command=$typed
            named=$command
        elif [[ -n $typed && -n ${_lifecheck_arguments[$typed]:-} ]]; then
            [ "${COMP_WORDS[at + 1]}" = '=' ] && ((at++))
            ((at++))
        elif [[ $typed != -* ]]; then
            named=path
        fi
    done
    # --report FORMAT=FILE
    if [[ $before == --report && $word == *=* ]]; then
        value=${word#*=} word=$value
    elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = && ${COMP_WORDS[COMP_CWORD - 3]:-} == --report ]]; then
        value=$word before=--output
    fi
    if [[ $before == --report && $word == "$value" && -n $value ]]; then
        files=1
    elif [[ -n $before && -n ${_lifecheck_arguments[$before]:-} ]]; then
        _lifecheck_take "${_lifecheck_arguments[$before]}"
    elif [[ $word == -* ]]; then
        words=${_lifecheck_options[$command]}
    else
        _lifecheck_take "${_lifecheck_words[$command]}"
        # what words a command has come first, then files
        if [ -n "$words" ] && [ -n "$files" ]; then
            if [ $position = 0 ]; then files=''; else words=''; fi
        fi
        [ -n "$named" ] || words=$_lifecheck_commands
    fi
    if [[ -n $files && $word == *'#'* && -f ${word%%'#'*} ]]; then
        local name IFS=$'\n'
        while IFS= read -r name; do
            [[ $name != "${word#*'#'}"* ]] || COMPREPLY+=("${word%%'#'*}#$name")
        done < <(_lifecheck_cases "${word%%'#'*}")
        compopt -o filenames 2>/dev/null
        return
    fi
    [[ " $words" != *'= '* ]] || compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _lifecheck lifecheck
