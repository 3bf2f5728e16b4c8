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

# By option that takes an argument: FILE, RULE, FORMAT, its values, or OTHER.
declare -gA _lifecheck_arguments=(
    [@argument-option@]='@values@'
)

# Words, and what stands for rules and files, to words and files.
_lifecheck_take() {
    local word
    for word in $1; do
        case $word in
        FILE) files=1 ;;
        RULE) words+=" $_lifecheck_rules" ;;
        FORMAT) words+=" ${_lifecheck_formats[$command]}" ;;
        OTHER) ;;
        *) words+=" $word" ;;
        esac
    done
}

_lifecheck() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=check named='' at words='' files=''
    COMPREPLY=()
    # --option=value comes as three words
    if [ "$word" = '=' ]; then
        word=''
    elif [ "$before" = '=' ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    # the first word that is no option, nor the argument of one
    for ((at = 1; at < COMP_CWORD; at++)); do
        local typed=${COMP_WORDS[at]}
        if [[ " $_lifecheck_commands " == *" $typed "* ]]; then
            command=$typed
            named=$command
            break
        elif [[ -n $typed && -n ${_lifecheck_arguments[$typed]:-} ]]; then
            [ "${COMP_WORDS[at + 1]}" = '=' ] && ((at++))
            ((at++))
        elif [[ $typed != -* ]]; then
            named=path
            break
        fi
    done
    if [[ -n $before && -n ${_lifecheck_arguments[$before]:-} ]]; then
        _lifecheck_take "${_lifecheck_arguments[$before]}"
    elif [[ $word == -* ]]; then
        words=${_lifecheck_options[$command]}
    else
        _lifecheck_take "${_lifecheck_words[$command]}"
        [ -n "$named" ] || words=$_lifecheck_commands
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _lifecheck lifecheck
