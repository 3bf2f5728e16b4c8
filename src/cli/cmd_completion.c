/* lifecheck completion bash: a script that completes commands, options, their values and rules. It
 * is made from the same tables as --help and knows nothing else; it does not run lifecheck. */
#include "internal.h"

#include <string.h>

/* Values that are words of a list; rules and files are told by the kind of argument. */
static const struct {
    lc_option option;
    const char *words;
} values[] = {
    {LC_OPTION_AS, "document opentofu terraform awscc"},
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

/* ---- Parts of the script. */

static void add_rules(lc_buf *out)
{
    lc_buf_add_c(out, "_lifecheck_rules='");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        lc_buf_printf(out, "%s%.*s", rule ? "\n" : "", LC_FMT(lc_rule_get((lc_rule)rule)->slug));
    lc_buf_add_c(out, "'\n\n");
}

static void add_commands(lc_buf *out, const char *separator)
{
    for (unsigned i = 0; i < LC_COMMAND_COUNT; i++)
        lc_buf_printf(out, "%s%s", i ? separator : "", lc_command_name((lc_command)i));
}

/* `--a|--b` of the options that `chosen` accepts. */
static void add_pattern(lc_buf *out, bool (*chosen)(const lc_option_info *info))
{
    bool any = false;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (!chosen(info))
            continue;
        lc_buf_printf(out, "%s--%s", any ? " | " : "", info->name);
        if (info->letter)
            lc_buf_printf(out, " | -%c", info->letter);
        any = true;
    }
}

static void add_command_options(lc_buf *out)
{
    for (unsigned c = 0; c < LC_COMMAND_COUNT; c++) {
        lc_buf_printf(out, "        %s) options='", lc_command_name((lc_command)c));
        const char *separator = "";
        for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
            const lc_option_info *info = lc_option_get((lc_option)i);
            if (!(info->commands & 1u << c))
                continue;
            lc_buf_printf(out, "%s--%s", separator, info->name);
            separator = " ";
        }
        lc_buf_add_c(out, "' ;;\n");
    }
}

static void add_values(lc_buf *out)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        lc_buf_printf(out, "        --%s) words='", lc_option_get(values[i].option)->name);
        if (values[i].words)
            lc_buf_add_c(out, values[i].words);
        for (unsigned f = 0; !values[i].words && f < LC_FORMAT_COUNT; f++)
            lc_buf_printf(out, "%s%s", f ? " " : "", lc_format_name((lc_format)f));
        lc_buf_add_c(out, "' ;;\n");
    }
    lc_buf_add_c(out, "        ");
    add_pattern(out, takes_rule);
    lc_buf_add_c(out, ") words=$_lifecheck_rules ;;\n        ");
    add_pattern(out, takes_file);
    lc_buf_add_c(out, ") files=1 ;;\n        ");
    add_pattern(out, takes_other);
    lc_buf_add_c(out, ") return ;;\n");
}

/* ---- The script. */

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
    add_pattern(out, takes_argument);
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
                      "            rules | explain) words=$_lifecheck_rules ;;\n"
                      "            completion) words=bash ;;\n"
                      "            schema) words='show lint' files=1 ;;\n"
                      "            cfn) words='schema name' files=1 ;;\n"
                      "            *) files=1 ;;\n"
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

lc_exit lc_cmd_completion(const lc_cli *cli)
{
    lc_buf out = {0};
    if (cli->words.count != 1 || !lc_str_is(cli->words.items[0], "bash")) {
        lc_tell("completion takes a shell: bash");
        return LC_EXIT_USAGE;
    }
    add_head(&out);
    add_search(&out);
    add_answers(&out);
    return lc_print(&out);
}
