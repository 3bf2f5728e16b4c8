#compdef lifecheck
# zsh completion of lifecheck; made by: lifecheck completion zsh
# The file works in a folder of fpath and when it is read by source.
typeset -ga _lifecheck_rules=(@rules@)
typeset -ga _lifecheck_commands=(@all-commands@)

# By command: its options, its formats, what completes a word of it.
typeset -gA _lifecheck_options=(
    @command@ '@options@'
)
typeset -gA _lifecheck_formats=(
    @command@ '@formats@'
)
typeset -gA _lifecheck_words=(
    @command@ '@words@'
)

# By option that takes an argument: FILE, RULE, FORMAT, its values, or OTHER.
typeset -gA _lifecheck_arguments=(
    @argument-option@ '@values@'
)

# Words, and what stands for rules and files.
_lifecheck_take() {
    local word
    for word in ${=1}; do
        case $word in
        (FILE) _files ;;
        (RULE) compadd -a -- _lifecheck_rules ;;
        (FORMAT) compadd -- ${=_lifecheck_formats[$command]} ;;
        (OTHER) ;;
        (*) compadd -- $word ;;
        esac
    done
}

_lifecheck() {
    local command=check named='' before=${words[CURRENT - 1]} at
    for ((at = 2; at < CURRENT; at++)); do
        if (( ${_lifecheck_commands[(Ie)${words[at]}]} )); then
            command=${words[at]} named=$command
            break
        elif [[ -n ${words[at]} && -n ${_lifecheck_arguments[${words[at]}]} ]]; then
            ((at++))
        elif [[ ${words[at]} != -* ]]; then
            named=path
            break
        fi
    done
    if [[ $PREFIX == --*=* ]]; then
        before=${PREFIX%%=*}
        compset -P '*='
    fi
    if [[ -n $before && -n ${_lifecheck_arguments[$before]} ]]; then
        _lifecheck_take ${_lifecheck_arguments[$before]}
    elif [[ $PREFIX == -* ]]; then
        compadd -- ${=_lifecheck_options[$command]}
    else
        [[ -n $named ]] || compadd -a -- _lifecheck_commands
        _lifecheck_take ${_lifecheck_words[$command]}
    fi
}

if [[ ${funcstack[1]-} == _lifecheck ]]; then
    _lifecheck "$@"
else
    compdef _lifecheck lifecheck
fi
