/* lifecheck explain --error: the rules that a pasted error of a core belongs to. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/diagnose/diagnose.h"
#include "lifecheck/diagnose/error_lookup.h"
#include "lifecheck/yaml_json/document.h"

#include <string.h>
#include <unistd.h>

#define LABEL 13 /* columns */
#define WIDTH 80

lc_str lc_cores_words(lc_cores cores)
{
    if (cores == LC_NO_CORE)
        return LC_STR("the Cloud Control service");
    if (cores == LC_MESSAGE_BY_FRAMEWORK)
        return LC_STR("terraform-plugin-framework");
    if (cores == LC_MESSAGE_BY_TESTING)
        return LC_STR("terraform-plugin-testing");
    if (cores == LC_OT)
        return LC_STR("OpenTofu");
    if (cores == LC_TF)
        return LC_STR("Terraform");
    return LC_STR("OpenTofu and Terraform");
}

/* In words for those who see the message: does the run go on? */
static lc_str effect_text(const lc_error_match *r)
{
    return r->effect == LC_EFFECT_TOLERATED
               ? LC_STR("tolerated because of legacy_type_system; other resources may fail for it")
           : r->effect == LC_EFFECT_LOGGED ? LC_STR("only logged")
           : r->effect == LC_EFFECT_NONE   ? LC_STR("a warning: the run continues")
                                           : LC_STR("error: the run stops here");
}

static void add_fixes(lc_page *out, lc_str framework, lc_str sdkv2)
{
    if (lc_str_eq(framework, sdkv2)) {
        lc_page_add(out, "fix", framework);
        return;
    }
    lc_page_add(out, "framework", framework);
    lc_page_add(out, "SDKv2", sdkv2);
}

/* Only what the message itself shows; `lifecheck explain RULE` has the rest. */
static void add_rule(lc_page *out, lc_arena *arena, const lc_error_match *r)
{
    const lc_rule_info *info = lc_rule_get(r->rule);
    lc_diagnosis diagnosis = lc_error_diagnose(arena, r);
    lc_buf_printf(&out->text, "%.*s: %.*s\n", LC_FMT(info->slug), LC_FMT(info->title));
    if (r->call != LC_CALL_SCHEMA)
        lc_page_add(
            out, "call",
            lc_str_printf(arena, "%s (%s)", lc_call_kind_name(r->call), lc_call_rpc(r->call)));
    lc_page_add(out, "said by", lc_cores_words(r->cores));
    lc_page_add(out, "effect", effect_text(r));
    lc_page_add(out, "provider", r->provider);
    lc_page_add(out, "resource", r->address);
    lc_page_add(out, "path", r->path);
    lc_page_add(out, "meaning", info->requirement);
    if (r->hidden)
        lc_page_add(
            out, "hidden",
            LC_STR("the value is sensitive, so the core does not say how it differs; it may "
                   "also have become null, or its elements may differ"));
    if (r->family)
        lc_page_add(out, "or",
                    LC_STR("any other rule of this family; the full message names the attribute "
                           "and the violation"));
    if (r->unsure)
        lc_page_add(out, "or", LC_STR("another rule named here: the message does not name it"));
    if (diagnosis.id.len)
        lc_page_add(
            out, "why",
            lc_str_printf(arena, "%.*s (%.*s)", LC_FMT(diagnosis.why), LC_FMT(diagnosis.id)));
    if (diagnosis.fix_framework.len || diagnosis.fix_sdkv2.len)
        add_fixes(out, diagnosis.fix_framework, diagnosis.fix_sdkv2);
    else
        add_fixes(out, lc_rule_fix(info, LC_SDK_FRAMEWORK), lc_rule_fix(info, LC_SDK_SDKV2));
    lc_page_add(out, "more", lc_str_printf(arena, "lifecheck explain %.*s", LC_FMT(info->slug)));
}

/* The summary without the punctuation that introduces a name. */
static lc_str summary_of(const lc_error_match *r)
{
    lc_str text = lc_str_from_c(r->words);
    while (text.len > 0 && strchr(" :\"", text.ptr[text.len - 1]))
        text.len--;
    return text;
}

/* An error of the configuration or the state that no violation causes. */
static void add_topic(lc_page *out, const lc_error_match *r)
{
    const lc_error_topic_info *info = lc_error_topic_get(r->topic);
    lc_buf_printf(&out->text, "%.*s: %s\n", LC_FMT(summary_of(r)), info->title);
    lc_page_add(out, "said by", lc_cores_words(r->cores));
    lc_page_add(out, "effect", effect_text(r));
    lc_page_add(out, "meaning", lc_str_from_c(info->meaning));
    lc_page_add(out, "fix", lc_str_from_c(info->advice));
}

static void add_answer(lc_page *out, lc_arena *arena, const lc_error_match *r)
{
    if (r->topic == LC_TOPIC_NONE)
        add_rule(out, arena, r);
    else
        add_topic(out, r);
}

void lc_cores_add_json(lc_doc *doc, lc_cores set)
{
    lc_doc *cores = lc_doc_add_array(doc, "cores");
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (set & 1u << core)
            lc_doc_add_c(cores, NULL, lc_core_name((lc_core)core));
    }
}

static void add_diagnosis_json(lc_doc *doc, const lc_diagnosis *d)
{
    if (!d->id.len)
        return;
    lc_doc *diagnosis = lc_doc_add_object(doc, "diagnosis");
    lc_doc_add_str(diagnosis, "id", d->id);
    lc_doc_add_c(diagnosis, "confidence", d->exact ? "exact" : "likely");
    lc_doc_add_str(diagnosis, "why", d->why);
    lc_doc *fix = lc_doc_add_object(diagnosis, "fix");
    lc_doc_add_str(fix, "framework", d->fix_framework);
    lc_doc_add_str(fix, "sdkv2", d->fix_sdkv2);
}

static void add_json(lc_doc *list, lc_arena *arena, const lc_error_match *r)
{
    lc_doc *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_str(doc, "rule", lc_rule_get(r->rule)->slug);
    lc_doc_add_bool(doc, "hidden", r->hidden);
    lc_doc_add_bool(doc, "unsure", r->unsure);
    if (r->family)
        lc_doc_add_bool(doc, "family", true);
    if (!(r->cores & LC_BOTH_CORES))
        lc_doc_add_str(doc, "said_by", lc_cores_words(r->cores));
    if (r->call != LC_CALL_SCHEMA)
        lc_doc_add_c(doc, "call", lc_call_kind_name(r->call));
    lc_doc_add_c(doc, "effect", lc_effect_name(r->effect));
    lc_cores_add_json(doc, r->cores);
    lc_doc_add_str(doc, "address", r->address);
    lc_doc_add_str(doc, "path", r->path);
    lc_doc_add_str(doc, "provider", r->provider);
    lc_diagnosis diagnosis = lc_error_diagnose(arena, r);
    add_diagnosis_json(doc, &diagnosis);
}

static void add_topic_json(lc_doc *list, const lc_error_match *r)
{
    lc_doc *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_c(doc, "about", lc_error_topic_get(r->topic)->name);
    lc_doc_add_str(doc, "summary", summary_of(r));
    lc_doc_add_c(doc, "effect", lc_effect_name(r->effect));
    lc_cores_add_json(doc, r->cores);
}

/* Rules and topics are lists of their own: a topic has no rule, call or provider. */
static void add_all_json(lc_buf *out, lc_arena *arena, const lc_error_matches *found)
{
    lc_doc *doc = lc_doc_object(), *list = lc_doc_add_array(doc, "recognised");
    lc_doc *others = lc_doc_add_array(doc, "without_rule");
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].topic == LC_TOPIC_NONE)
            add_json(list, arena, &found->items[i]);
        else
            add_topic_json(others, &found->items[i]);
    }
    lc_doc_print(out, doc);
    lc_buf_add_char(out, '\n');
}

/* The command that reaches the call again: only an apply reaches those after the plan. */
static const char *command_of(const lc_error_matches *found)
{
    for (size_t i = 0; i < found->count; i++) {
        lc_call_kind call = found->items[i].call;
        if (call == LC_CALL_FINAL_PLAN || call == LC_CALL_APPLY || call == LC_CALL_DESTROY)
            return "apply";
    }
    return "plan";
}

static void add_next_run(lc_page *out, const lc_error_matches *found, bool opentofu)
{
    lc_buf_printf(&out->text,
                  "To see all values, and what else is wrong, record the run that fails:\n"
                  "  lifecheck record -- %s %s\n"
                  "If it cannot be run again: write the values into a scenario, see\n"
                  "lifecheck-scenario(5). A log that was written with TF_LOG=trace has them.\n",
                  opentofu ? "tofu" : "terraform", command_of(found));
}

/* What to do next: judge the values of one object, or the whole configuration. */
static void add_advice(lc_page *out, const lc_error_matches *found, bool opentofu)
{
    bool lifecycle = false, providers = false, run = false;
    for (size_t i = 0; i < found->count; i++) {
        const lc_error_match *r = &found->items[i];
        bool rule = r->topic == LC_TOPIC_NONE;
        lc_domain domain = rule ? lc_rule_domain(r->rule) : LC_DOMAIN_RUN;
        lifecycle |= domain == LC_DOMAIN_LIFECYCLE;
        providers |= domain == LC_DOMAIN_PROVIDERS || r->topic == LC_TOPIC_PROVIDERS;
        run |= domain == LC_DOMAIN_RUN && r->topic != LC_TOPIC_PROVIDERS;
    }
    if (lifecycle)
        add_next_run(out, found, opentofu);
    if (providers)
        lc_buf_add_c(&out->text, "To see which provider instance every object uses:\n"
                                 "  lifecheck providers DIR --prior-state FILE\n");
    if (run)
        lc_buf_add_c(&out->text, "To see what a client plans for a configuration:\n"
                                 "  lifecheck predict --config DIR --prior-state FILE\n");
}

/* The command in the advice is that of the client whose message was pasted. */
static bool names_opentofu(lc_str text)
{
    return lc_str_contains(text, LC_STR("tofu")) || lc_str_contains(text, LC_STR("OpenTofu"));
}

static void add_all(lc_page *out, lc_arena *arena, const lc_error_matches *found, lc_str text)
{
    for (size_t i = 0; i < found->count; i++) {
        add_answer(out, arena, &found->items[i]);
        lc_buf_add_char(&out->text, '\n');
    }
    add_advice(out, found, names_opentofu(text));
    if (found->count == 0)
        lc_buf_add_c(&out->text,
                     "No lifecycle rule belongs to this message. Paste the whole message of "
                     "Terraform or\nOpenTofu, from \"Error:\" on, or a file with it. To check the "
                     "run that fails:\n  lifecheck record -- terraform apply\n");
}

/* A name with a suffix and without spaces: not the text of an error. */
static bool looks_like_file(lc_str word)
{
    bool suffix = false;
    for (size_t i = 0; i < word.len; i++) {
        if (lc_is_space(word.ptr[i]) || word.ptr[i] == ':')
            return false;
        suffix = suffix || (word.ptr[i] == '.' && i > 0 && i + 1 < word.len);
    }
    return suffix;
}

/* The word is the text, or a file that has it; without a word, or with -, standard input has it. */
static bool read_text(const lc_cli *cli, lc_str *out)
{
    lc_diags diags;
    lc_diags_init(&diags, cli->arena);
    lc_str word = cli->words.count ? cli->words.items[0] : LC_STR("-");
    bool input = lc_str_is(word, "-");
    bool missing = !input && access(lc_str_to_c(cli->arena, word), F_OK) != 0;
    if (missing && looks_like_file(word)) {
        lc_message("%.*s: %.*s", LC_FMT(word), LC_FMT(lc_no_such(cli->arena, word, "file")));
        return false;
    }
    if (missing) {
        *out = word;
        return true;
    }
    if (lc_file_read(out, cli->arena, word, LC_ERROR_TEXT_MAX, &diags) == LC_OK)
        return true;
    lc_message("%.*s cannot be read, or has more than %u bytes: give a file with the error alone",
               LC_FMT(input ? LC_STR("standard input") : word), LC_ERROR_TEXT_MAX);
    return false;
}

lc_exit lc_explain_error(const lc_cli *cli)
{
    lc_error_matches found;
    lc_page out = lc_page_begin(cli, LABEL, WIDTH);
    lc_buf json = {0};
    lc_str text;
    if (cli->words.count > 1) {
        lc_message("explain --error takes one message: quote it, or pass it on standard input");
        return LC_EXIT_USAGE;
    }
    if (!read_text(cli, &text))
        return LC_EXIT_INPUT;
    lc_error_lookup_explain(&found, cli->arena, text);
    add_all_json(&json, cli->arena, &found);
    add_all(&out, cli->arena, &found, text);
    lc_exit status = lc_print_both(cli, &out.text, &json);
    return status == LC_EXIT_OK && !found.count ? LC_EXIT_FAILED : status;
}
