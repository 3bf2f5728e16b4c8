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

typeset -ga _lifecheck_described=(
    '@command@:@command-help@'
)
# `--option:what it does`, one a line.
typeset -gA _lifecheck_described_options=(
    @command@ '@described-options@'
)

# By option that takes an argument: FILE, RULE, FORMAT, REPORT, TYPE, its values, or OTHER.
typeset -gA _lifecheck_arguments=(
    @argument-option@ '@values@'
)

# The types of the schema document that the words name.
_lifecheck_types() {
    local at document=''
    for ((at = 2; at < CURRENT; at++)); do
        if [[ ${words[at]} == --schema ]]; then
            document=${words[at + 1]}
        elif [[ ${words[at]} == --schema=* ]]; then
            document=${words[at]#*=}
        elif [[ $command == schema && -z $document && ${words[at]} != -* && -f ${words[at]} ]]; then
            document=${words[at]}
        fi
    done
    [[ -z $document ]] || ${words[1]} schema show $document 2>/dev/null | awk 'NF >= 3 {print $2}'
}

# The cases of FILE, for FILE#CASE.
_lifecheck_cases() {
    local -a cases
    cases=("${(@f)$(${words[1]} check --format tap -- ${PREFIX%%\#*} 2>/dev/null | sed -n 's/ # [A-Z]* .*//; s/^\(not \)\{0,1\}ok [0-9]* - .*\\#//p')}")
    compadd -- ${PREFIX%%\#*}\#${^cases}
}

# Words, and what stands for rules and files.
_lifecheck_take() {
    local word
    for word in ${=1}; do
        case $word in
        (FILE)
            if [[ $PREFIX == *\#* && -f ${PREFIX%%\#*} ]]; then _lifecheck_cases; else _files; fi
            ;;
        (COMMAND) _describe -t commands command _lifecheck_described ;;
        (RULE) compadd -a -- _lifecheck_rules ;;
        (FORMAT) compadd -- ${=_lifecheck_formats[$command]} ;;
        (REPORT)
            if [[ $PREFIX == *=* ]]; then
                compset -P '*='
                _files
            else
                compadd -S = -- ${=_lifecheck_formats[$command]}
            fi
            ;;
        (TYPE) compadd -- $(_lifecheck_types) ;;
        (OTHER) ;;
        (*) compadd -- $word ;;
        esac
    done
}

_lifecheck() {
    local command=check named='' before=${words[CURRENT - 1]} at position=0
    for ((at = 2; at < CURRENT; at++)); do
        if [[ -n $named ]]; then
            [[ ${words[at]} == -* || -n ${_lifecheck_arguments[${words[at - 1]}]} ]] || ((position++))
        elif (( ${_lifecheck_commands[(Ie)${words[at]}]} )); then
            command=${words[at]} named=$command
        elif [[ -n ${words[at]} && -n ${_lifecheck_arguments[${words[at]}]} ]]; then
            ((at++))
        elif [[ ${words[at]} != -* ]]; then
            named=path
        fi
    done
    if [[ $PREFIX == --*=* ]]; then
        before=${PREFIX%%=*}
        compset -P '*='
    fi
    if [[ -n $before && -n ${_lifecheck_arguments[$before]} ]]; then
        _lifecheck_take ${_lifecheck_arguments[$before]}
    elif [[ $PREFIX == -* ]]; then
        local -a described=("${(@f)_lifecheck_described_options[$command]}")
        described=(${described:#})
        _describe -t options option described
    else
        [[ -n $named ]] || _describe -t commands command _lifecheck_described
        local takes=${_lifecheck_words[$command]}
        # what words a command has come first, then files
        if [[ $takes == *' FILE' ]]; then
            if ((position)); then takes=FILE; else takes=${takes% FILE}; fi
        fi
        _lifecheck_take $takes
    fi
}

if [[ ${funcstack[1]-} == _lifecheck ]]; then
    _lifecheck "$@"
else
    compdef _lifecheck lifecheck
fi
