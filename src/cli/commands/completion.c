/* lifecheck completion bash|zsh|fish: a script that completes commands, options, their values and
 * rules. It is made from the same tables as --help and knows nothing else; it does not run
 * lifecheck. */
#include "cli/internal.h"

#include <string.h>

/* Words that commands begin with. */
static const struct {
    lc_command command;
    const char *words;
    bool files; /* can follow, too */
} first_words[] = {
    {LC_COMMAND_COMPLETION, "bash zsh fish", false},
    {LC_COMMAND_SCHEMA, "show lint scenario", true},
    {LC_COMMAND_CFN, "schema documents name property", true},
};
#define FIRST_WORDS (sizeof first_words / sizeof first_words[0])

/* Values that are words of a list; rules and files are told by the kind of argument. */
static const struct {
    lc_option option;
    const char *words;
} values[] = {
    {LC_OPTION_AS, "document opentofu terraform"},
    {LC_OPTION_FORMAT, NULL}, /* the formats of reports */
    {LC_OPTION_FAIL_ON, "error warning info"},
    {LC_OPTION_COLOR, "auto always never"},
    {LC_OPTION_INPUT, "scenarios calls capture plan state log"},
    {LC_OPTION_KIND, "resource data ephemeral list provider"},
};

static bool takes_argument(const lc_option_info *info)
{
    return *info->argument != '\0';
}

static bool takes_file(const lc_option_info *info)
{
    return strcmp(info->argument, "FILE") == 0 || strcmp(info->argument, "PATH") == 0;
}

static bool takes_rule(const lc_option_info *info)
{
    return strcmp(info->argument, "GLOB") == 0;
}

static bool takes_other(const lc_option_info *info)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (info == lc_option_get(values[i].option))
            return false;
    }
    return takes_argument(info) && !takes_file(info) && !takes_rule(info);
}

/* ---- Parts of the scripts. */

static void add_slugs(lc_buf *out, const char *separator)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        lc_buf_printf(out, "%s%.*s", rule ? separator : "",
                      LC_FMT(lc_rule_get((lc_rule)rule)->slug));
}

static void add_rules(lc_buf *out)
{
    lc_buf_add_c(out, "_lifecheck_rules='");
    add_slugs(out, "\n");
    lc_buf_add_c(out, "'\n\n");
}

static void add_commands(lc_buf *out, const char *separator)
{
    for (unsigned i = 0; i < LC_COMMAND_COUNT; i++)
        lc_buf_printf(out, "%s%s", i ? separator : "", lc_command_get((lc_command)i)->name);
}

/* `--a | --b` of the options that `chosen` accepts. */
static void add_pattern(lc_buf *out, const char *separator,
                        bool (*chosen)(const lc_option_info *info))
{
    bool any = false;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (!info->commands || !chosen(info))
            continue;
        lc_buf_printf(out, "%s--%s", any ? separator : "", info->name);
        if (info->letter)
            lc_buf_printf(out, "%s-%c", separator, info->letter);
        any = true;
    }
}

/* All options of a command, ` --a --b`. */
static void add_options_of(lc_buf *out, unsigned command)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (info->commands & 1u << command)
            lc_buf_printf(out, " --%s", info->name);
    }
}

static void add_command_options(lc_buf *out)
{
    for (unsigned c = 0; c < LC_COMMAND_COUNT; c++) {
        lc_buf_printf(out, "        %s) options='", lc_command_get((lc_command)c)->name);
        add_options_of(out, c);
        lc_buf_add_c(out, "' ;;\n");
    }
}

static void add_words_of(lc_buf *out, size_t i)
{
    if (values[i].words)
        lc_buf_add_c(out, values[i].words);
    for (unsigned f = 0; !values[i].words && f < LC_FORMAT_COUNT; f++)
        lc_buf_printf(out, "%s%s", f ? " " : "", lc_format_name((lc_format)f));
}

static void add_values(lc_buf *out)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        lc_buf_printf(out, "        --%s) words='", lc_option_get(values[i].option)->name);
        add_words_of(out, i);
        lc_buf_add_c(out, "' ;;\n");
    }
    lc_buf_add_c(out, "        ");
    add_pattern(out, " | ", takes_rule);
    lc_buf_add_c(out, ") words=$_lifecheck_rules ;;\n        ");
    add_pattern(out, " | ", takes_file);
    lc_buf_add_c(out, ") files=1 ;;\n        ");
    add_pattern(out, " | ", takes_other);
    lc_buf_add_c(out, ") return ;;\n");
}

/* ---- bash. */

static void add_head(lc_buf *out)
{
    lc_buf_add_c(out, "# bash completion of lifecheck; made by: lifecheck completion bash\n"
                      "# shellcheck shell=bash\n");
    add_rules(out);
    lc_buf_add_c(out,
                 "_lifecheck() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                 "    local command=check named='' at options='' words='' files=''\n"
                 "    COMPREPLY=()\n"
                 "    # --option=value comes as three words\n"
                 "    if [ \"$word\" = '=' ]; then\n"
                 "        word=''\n"
                 "    elif [ \"$before\" = '=' ]; then\n"
                 "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                 "    fi\n");
}

/* Which command it is, the words before the one that is completed tell. */
static void add_search(lc_buf *out)
{
    lc_buf_add_c(out, "    # the first word that is no option, nor the argument of one\n"
                      "    for ((at = 1; at < COMP_CWORD; at++)); do\n"
                      "        case ${COMP_WORDS[at]} in\n"
                      "        ");
    add_commands(out, " | ");
    lc_buf_add_c(out, ")\n"
                      "            command=${COMP_WORDS[at]}\n"
                      "            named=$command\n"
                      "            break\n"
                      "            ;;\n"
                      "        ");
    add_pattern(out, " | ", takes_argument);
    lc_buf_add_c(out, ")\n"
                      "            [ \"${COMP_WORDS[at + 1]}\" = '=' ] && ((at++))\n"
                      "            ((at++))\n"
                      "            ;;\n"
                      "        -*) ;;\n"
                      "        *)\n"
                      "            named=path\n"
                      "            break\n"
                      "            ;;\n"
                      "        esac\n"
                      "    done\n");
}

static void add_answers(lc_buf *out)
{
    lc_buf_add_c(out, "    case $before in\n");
    add_values(out);
    lc_buf_add_c(out, "        *)\n"
                      "            case $command in\n"
                      "            rules | explain) words=$_lifecheck_rules ;;\n");
    for (size_t i = 0; i < FIRST_WORDS; i++)
        lc_buf_printf(out, "            %s) words='%s' files=%s ;;\n",
                      lc_command_get(first_words[i].command)->name, first_words[i].words,
                      first_words[i].files ? "1" : "''");
    lc_buf_add_c(out, "            *) files=1 ;;\n"
                      "            esac\n"
                      "            [ -n \"$named\" ] || words=\"");
    add_commands(out, " ");
    lc_buf_add_c(out, "\"\n"
                      "            ;;\n"
                      "    esac\n"
                      "    if [[ $word == -* ]]; then\n"
                      "        files='' words=''\n"
                      "        case $command in\n");
    add_command_options(out);
    lc_buf_add_c(
        out, "        esac\n"
             "        words=$options\n"
             "    fi\n"
             "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
             "    if [ -n \"$files\" ]; then\n"
             "        compopt -o filenames 2>/dev/null\n"
             "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$word\")\n"
             "    fi\n"
             "}\n"
             "complete -F _lifecheck lifecheck\n");
}

static void add_bash(lc_buf *out)
{
    add_head(out);
    add_search(out);
    add_answers(out);
}

/* ---- zsh. */

static void add_zsh_search(lc_buf *out)
{
    lc_buf_add_c(out, "    for ((at = 2; at < CURRENT; at++)); do\n"
                      "        case ${words[at]} in\n"
                      "        (");
    add_commands(out, " | ");
    lc_buf_add_c(out, ")\n"
                      "            command=${words[at]} named=$command\n"
                      "            break\n"
                      "            ;;\n"
                      "        (");
    add_pattern(out, " | ", takes_argument);
    lc_buf_add_c(out, ") ((at++)) ;;\n"
                      "        (-*) ;;\n"
                      "        (*)\n"
                      "            named=path\n"
                      "            break\n"
                      "            ;;\n"
                      "        esac\n"
                      "    done\n");
}

static void add_zsh_values(lc_buf *out)
{
    lc_buf_add_c(out, "    if [[ $PREFIX == --*=* ]]; then\n"
                      "        before=${PREFIX%%=*}\n"
                      "        compset -P '*='\n"
                      "    fi\n"
                      "    case $before in\n");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        lc_buf_printf(out, "    (--%s) compadd -- ", lc_option_get(values[i].option)->name);
        add_words_of(out, i);
        lc_buf_add_c(out, "; return ;;\n");
    }
    lc_buf_add_c(out, "    (");
    add_pattern(out, " | ", takes_rule);
    lc_buf_add_c(out, ") compadd -a -- _lifecheck_rules; return ;;\n    (");
    add_pattern(out, " | ", takes_file);
    lc_buf_add_c(out, ") _files; return ;;\n    (");
    add_pattern(out, " | ", takes_other);
    lc_buf_add_c(out, ") return ;;\n    esac\n");
}

static void add_zsh_words(lc_buf *out)
{
    lc_buf_add_c(out, "    if [[ $PREFIX == -* ]]; then\n"
                      "        case $command in\n");
    for (unsigned c = 0; c < LC_COMMAND_COUNT; c++) {
        lc_buf_printf(out, "        (%s) compadd --", lc_command_get((lc_command)c)->name);
        add_options_of(out, c);
        lc_buf_add_c(out, " ;;\n");
    }
    lc_buf_add_c(out, "        esac\n"
                      "        return\n"
                      "    fi\n"
                      "    [[ -n $named ]] || compadd -- ");
    add_commands(out, " ");
    lc_buf_add_c(out, "\n"
                      "    case $command in\n"
                      "    (rules | explain) compadd -a -- _lifecheck_rules ;;\n");
    for (size_t i = 0; i < FIRST_WORDS; i++)
        lc_buf_printf(out, "    (%s) compadd -- %s%s ;;\n",
                      lc_command_get(first_words[i].command)->name, first_words[i].words,
                      first_words[i].files ? "; _files" : "");
    lc_buf_add_c(out, "    (*) _files ;;\n"
                      "    esac\n");
}

/* The file works in a folder of fpath and when it is read by source. */
static void add_zsh(lc_buf *out)
{
    lc_buf_add_c(out, "#compdef lifecheck\n"
                      "# zsh completion of lifecheck; made by: lifecheck completion zsh\n"
                      "typeset -ga _lifecheck_rules=(");
    add_slugs(out, "\n");
    lc_buf_add_c(out, ")\n\n"
                      "_lifecheck() {\n"
                      "    local command=check named='' before=${words[CURRENT - 1]} at\n");
    add_zsh_search(out);
    add_zsh_values(out);
    add_zsh_words(out);
    lc_buf_add_c(out, "}\n\n"
                      "if [[ ${funcstack[1]-} == _lifecheck ]]; then\n"
                      "    _lifecheck \"$@\"\n"
                      "else\n"
                      "    compdef _lifecheck lifecheck\n"
                      "fi\n");
}

/* ---- fish. */

/* In single quotes. */
static void add_fish_text(lc_buf *out, const char *text)
{
    lc_buf_add_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            lc_buf_add_char(out, '\\');
        lc_buf_add_char(out, *text);
    }
    lc_buf_add_char(out, '\'');
}

static void add_fish_functions(lc_buf *out)
{
    lc_buf_add_c(out, "function __lifecheck_rules\n    printf '%s\\n' ");
    add_slugs(out, " ");
    lc_buf_add_c(out, "\nend\n\n"
                      "# The command; fails where none and no path was named yet.\n"
                      "function __lifecheck_command\n"
                      "    set -l words (commandline -opc)\n"
                      "    set -l skip 0\n"
                      "    for word in $words[2..-1]\n"
                      "        if test $skip = 1\n"
                      "            set skip 0\n"
                      "            continue\n"
                      "        end\n"
                      "        switch $word\n"
                      "            case ");
    add_commands(out, " ");
    lc_buf_add_c(out, "\n                echo $word\n"
                      "                return 0\n"
                      "            case ");
    add_pattern(out, " ", takes_argument);
    lc_buf_add_c(out, "\n                set skip 1\n"
                      "            case '-*'\n"
                      "            case '*'\n"
                      "                echo check\n"
                      "                return 0\n"
                      "        end\n"
                      "    end\n"
                      "    echo check\n"
                      "    return 1\n"
                      "end\n\n"
                      "function __lifecheck_in\n"
                      "    contains -- (__lifecheck_command) $argv\n"
                      "end\n\n"
                      "function __lifecheck_unnamed\n"
                      "    not __lifecheck_command >/dev/null\n"
                      "end\n\n");
}

static void add_fish_argument(lc_buf *out, const lc_option_info *info)
{
    if (takes_file(info))
        lc_buf_add_c(out, " -r -F");
    else if (takes_rule(info))
        lc_buf_add_c(out, " -x -a '(__lifecheck_rules)'");
    else if (takes_argument(info))
        lc_buf_add_c(out, " -x");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (info != lc_option_get(values[i].option))
            continue;
        lc_buf_add_c(out, " -a '");
        add_words_of(out, i);
        lc_buf_add_char(out, '\'');
    }
}

static void add_fish_option(lc_buf *out, const lc_option_info *info)
{
    lc_buf_add_c(out, "complete -c lifecheck -n '__lifecheck_in");
    for (unsigned c = 0; c < LC_COMMAND_COUNT; c++) {
        if (info->commands & 1u << c)
            lc_buf_printf(out, " %s", lc_command_get((lc_command)c)->name);
    }
    lc_buf_printf(out, "' -l %s", info->name);
    if (info->letter)
        lc_buf_printf(out, " -s %c", info->letter);
    add_fish_argument(out, info);
    lc_buf_add_c(out, " -d ");
    add_fish_text(out, info->help);
    lc_buf_add_char(out, '\n');
}

static void add_fish(lc_buf *out)
{
    lc_buf_add_c(out, "# fish completion of lifecheck; made by: lifecheck completion fish\n");
    add_fish_functions(out);
    lc_buf_add_c(out, "complete -c lifecheck -n __lifecheck_unnamed -a '");
    add_commands(out, " ");
    lc_buf_add_c(out, "'\n"
                      "complete -c lifecheck -n '__lifecheck_in rules explain' -f "
                      "-a '(__lifecheck_rules)'\n");
    for (size_t i = 0; i < FIRST_WORDS; i++)
        lc_buf_printf(out, "complete -c lifecheck -n '__lifecheck_in %s'%s -a '%s'\n",
                      lc_command_get(first_words[i].command)->name,
                      first_words[i].files ? "" : " -f", first_words[i].words);
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++)
        if (lc_option_get((lc_option)i)->commands)
            add_fish_option(out, lc_option_get((lc_option)i));
}

lc_exit lc_cmd_completion(const lc_cli *cli)
{
    lc_str shell = cli->words.count == 1 ? cli->words.items[0] : LC_STR_EMPTY;
    lc_buf out = {0};
    if (lc_str_is(shell, "bash")) {
        add_bash(&out);
    } else if (lc_str_is(shell, "zsh")) {
        add_zsh(&out);
    } else if (lc_str_is(shell, "fish")) {
        add_fish(&out);
    } else {
        lc_message("completion takes a shell: bash, zsh or fish");
        return LC_EXIT_USAGE;
    }
    return lc_print(cli, LC_IN_TEXT, &out);
}
