/* Files that are not scenarios, but that a newcomer gives to lifecheck: what they are, and what to
 * do with them. Also words of other formats that are written in a scenario.
 *
 * Recognised are strings that no scenario could begin with, so that a scenario with a mistake keeps
 * the message about its mistake. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "scenario/internal.h"

#include <string.h>

#define SOME_BYTES ((size_t)16 << 10)
#define SOME_LINES 60

static const char saved_plan[] =
    "this is a saved plan, or another archive: lifecheck reads plans as JSON, which `terraform "
    "show -json plan.out >plan.json` prints (tofu show -json is the same)";
static const char configuration[] =
    "this is a configuration in HCL, and a scenario is YAML with the responses of a provider: "
    "`lifecheck init` writes one from a schema, and `lifecheck record -- terraform apply` "
    "records and checks real calls";
static const char shown_plan[] =
    "this is what `terraform show` or `terraform plan` prints for people: give lifecheck the JSON "
    "that `terraform show -json plan.out >plan.json` prints";
static const char pasted_error[] = "this is what a client or a test printed, not a scenario: "
                                   "`lifecheck explain --error FILE` finds "
                                   "the rule behind an error in it";
static const char document[] = "this is prose, not a scenario; `lifecheck init` writes a scenario";

/* ---- By the first lines. */

/* A line without colours and without white space around it. */
static lc_str plain_line(lc_arena *arena, lc_str line)
{
    char *out = lc_arena_alloc(arena, line.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == '\x1b') {
            while (i < line.len && !lc_is_letter(line.ptr[i]))
                i++;
        } else if (len || !lc_is_space(line.ptr[i])) {
            out[len++] = line.ptr[i];
        }
    }
    while (len && lc_is_space(out[len - 1]))
        len--;
    return (lc_str){out, len};
}

static bool begins_with_any(lc_str line, const char *const *starts)
{
    for (size_t i = 0; starts[i]; i++) {
        if (lc_str_starts_with(line, lc_str_from_c(starts[i])))
            return true;
    }
    return false;
}

/* What `show`, `plan` and `apply` print. */
static bool is_shown(lc_str line)
{
    static const char *const starts[] = {"Terraform used the selected providers",
                                         "OpenTofu used the selected providers",
                                         "Terraform will perform the following actions",
                                         "OpenTofu will perform the following actions",
                                         "No changes. ",
                                         "+ resource \"",
                                         "- resource \"",
                                         "~ resource \"",
                                         "-/+ resource \"",
                                         "+/- resource \"",
                                         "<= data \"",
                                         NULL};
    bool comment = lc_str_starts_with(line, LC_STR("# "));
    return begins_with_any(line, starts) || (comment &&
                                             (lc_str_contains(line, LC_STR(" will be ")) ||
                                              lc_str_contains(line, LC_STR(" must be replaced"))) &&
                                             memchr(line.ptr, '.', line.len) != NULL);
}

/* An error in a box or without, and what `go test` prints. */
static bool is_error(lc_str line)
{
    static const char *const starts[] = {
        "Error: ",      "Warning: ", "\xE2\x95\xB7", /* the corner and the edge of the box */
        "\xE2\x94\x82", "=== RUN",   "--- FAIL",     "panic: ", NULL};
    return begins_with_any(line, starts);
}

/* `# example_thing.name:`, the head of an object in a shown state. */
static bool is_shown_address(lc_str line)
{
    bool head = lc_str_starts_with(line, LC_STR("# ")) && lc_str_ends_with(line, LC_STR(":"));
    lc_str address = head ? lc_str_sub(line, 2, line.len) : LC_STR_EMPTY;
    return address.len && memchr(address.ptr, '.', address.len) != NULL &&
           memchr(address.ptr, ' ', address.len) == NULL;
}

/* The first line of a block of a configuration: a known word, labels in quotes, a bracket. */
static bool is_block(lc_str line)
{
    static const char *const words[] = {
        "terraform", "resource",  "data",   "provider", "variable",      "output",
        "module",    "locals",    "moved",  "import",   "removed",       "check",
        "run",       "ephemeral", "action", "list",     "mock_provider", NULL};
    size_t to = 0;
    while (to < line.len && (lc_is_lower(line.ptr[to]) || line.ptr[to] == '_'))
        to++;
    if (!lc_str_is_one_of(lc_str_sub(line, 0, to), words, NULL))
        return false;
    while (to < line.len && line.ptr[to] == ' ')
        to++;
    return to < line.len && (line.ptr[to] == '{' || line.ptr[to] == '"') &&
           memchr(line.ptr, '{', line.len) != NULL;
}

static bool is_comment(lc_str line)
{
    static const char *const starts[] = {"#", "//", "/*", "*", NULL};
    return line.len == 0 || begins_with_any(line, starts);
}

/* Comments may precede the first line that identifies the format. */
static const char *by_lines(lc_arena *arena, lc_str head)
{
    bool address = false;
    size_t from = 0;
    for (unsigned i = 0; i < SOME_LINES && from < head.len; i++) {
        size_t to = lc_str_find(head, from, '\n');
        lc_str line = plain_line(arena, lc_str_sub(head, from, to));
        from = to + 1;
        if (is_shown(line))
            return shown_plan;
        if (is_error(line))
            return pasted_error;
        if (is_block(line))
            return address ? shown_plan : configuration;
        address = address || is_shown_address(line);
        if (!is_comment(line))
            return NULL;
    }
    return NULL;
}

static bool has_suffix(lc_str file, const char *const *suffixes)
{
    for (size_t i = 0; suffixes[i]; i++) {
        if (lc_str_ends_with(file, lc_str_from_c(suffixes[i])))
            return true;
    }
    return false;
}

/* Bytes that are not text. */
static const char *archive(lc_str text)
{
    if (lc_str_starts_with(text, LC_STR("PK\x03\x04")))
        return saved_plan;
    if (lc_str_starts_with(text, LC_STR("\x1F\x8B")))
        return "this file is compressed: `gunzip` unpacks it";
    if (lc_str_starts_with(text, LC_STR("\xFF\xFE")) ||
        lc_str_starts_with(text, LC_STR("\xFE\xFF")))
        return "this file is UTF-16: save it as UTF-8";
    if (text.len && memchr(text.ptr, '\0', text.len))
        return "this file is not text: lifecheck reads scenarios in YAML or JSON, recordings, and "
               "plans and states as JSON";
    return NULL;
}

const char *lc_foreign_document(lc_arena *arena, lc_str text)
{
    lc_str head = lc_str_sub(text, 0, text.len < SOME_BYTES ? text.len : SOME_BYTES);
    const char *what = archive(head);
    if (!what)
        what = by_lines(arena, lc_without_bom(head));
    return what == configuration
               ? "this is a configuration in HCL, not a plan or a state: give its folder with "
                 "--config"
               : what;
}

const char *lc_foreign_file(lc_arena *arena, lc_str file, lc_str text)
{
    static const char *const hcl[] = {".tf", ".tofu", ".tfvars", ".hcl", NULL};
    static const char *const prose[] = {".md", ".markdown", ".rst", NULL};
    lc_str head = lc_str_sub(text, 0, text.len < SOME_BYTES ? text.len : SOME_BYTES);
    if (lc_trim_space(lc_without_bom(head)).len == 0 && head.len == text.len)
        return "the file is empty: `lifecheck init` writes a scenario";
    const char *what = archive(head);
    if (!what)
        what = by_lines(arena, lc_without_bom(head));
    if (what)
        return what;
    return has_suffix(file, hcl) ? configuration : has_suffix(file, prose) ? document : NULL;
}

/* ---- By the keys of the root. */

bool lc_foreign_root(lc_str *what, const lc_node *root)
{
    static const struct {
        const char *keys[2];
        const char *what;
    } kinds[] = {
        {{"resource_changes", "format_version"},
         "this is a plan as JSON: lifecheck checks it directly, as in `lifecheck plan.json`"},
        {{"planned_values", "format_version"},
         "this is a plan as JSON: lifecheck checks it directly, as in `lifecheck plan.json`"},
        {{"lineage", "serial"},
         "this is a state file: lifecheck checks it directly, as in `lifecheck terraform.tfstate`"},
        {{"values", "terraform_version"},
         "this is a state as JSON: lifecheck checks it directly, as in `lifecheck state.json`"},
        {{"provider_schemas", "format_version"},
         "this is a schema document: a scenario names it, as in `schema: {file: schemas.json, "
         "type: TYPE}`, and `lifecheck init --schema` writes one"},
        {{"jobs", "on"},
         "this is a workflow of GitHub, not a scenario, which begins with `lifecheck: 1`; "
         "`lifecheck init` writes one"},
        {{"apiVersion", "kind"},
         "this is an object of Kubernetes, not a scenario, which begins with `lifecheck: 1`; "
         "`lifecheck init` writes one"},
        {{"services", "services"},
         "this is a file of Docker Compose, not a scenario, which begins with `lifecheck: 1`; "
         "`lifecheck init` writes one"},
        {{"openapi", "paths"},
         "this is a description of an API, not a scenario, which begins with `lifecheck: 1`; "
         "`lifecheck init` writes one"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!lc_node_get(root, kinds[i].keys[0]) || !lc_node_get(root, kinds[i].keys[1]))
            continue;
        *what = lc_str_from_c(kinds[i].what);
        return true;
    }
    return false;
}

/* ---- Words of other formats. */

const char *lc_foreign_key(lc_str key)
{
    static const struct {
        const char *key, *ours;
    } words[] = {
        {"before", "the object before the change is \"prior_state\""},
        {"after", "the object that was planned is \"planned_state\", the one after the apply "
                  "\"new_state\""},
        {"after_unknown", "an unknown value is written !unknown within \"planned_state\""},
        {"before_sensitive", "a sensitive value is written !sensitive VALUE in its place"},
        {"after_sensitive", "a sensitive value is written !sensitive VALUE in its place"},
        {"before_identity", "the identity before the change is \"prior_identity\""},
        {"replace_paths", "they are \"requires_replace\" in \"plan\""},
        {"actions", "the action is expected, as in `expect: {action: update}`"},
        {"change", "its before and after are \"prior_state\" and \"planned_state\", its actions "
                   "`expect: {action: update}`"},
        {"resource_changes", "this is a part of a plan, which lifecheck checks directly, as in "
                             "`lifecheck plan.json`"},
        {"findings", "they belong in \"expect\", as in `expect: {findings: []}`"},
        {"attributes", "attributes belong in \"schema\", as in `schema: {block: {attributes: "
                       "...}}`, and their values in \"config\" and the states"},
        {"block", "it belongs in \"schema\", as in `schema: {block: {attributes: ...}}`"},
        {"type", "it belongs in \"schema\", as in `schema: {file: schemas.json, type: TYPE}`"},
        {"address", "the address is \"resource\""},
        {"values", "the values of the object are \"prior_state\", \"planned_state\" or "
                   "\"new_state\""},
        {"state", "it is \"prior_state\" before the plan, and \"new_state\" after the apply"},
        {"old", "the object before the change is \"prior_state\""},
        {"prior", "the object before the change is \"prior_state\""},
        {"new", "the object after the apply is \"new_state\""},
        {"planned", "the object that was planned is \"planned_state\""},
        {"proposed", "it is \"proposed_new_state\""},
        {"private", "it is \"prior_private\", or \"private\" in a call such as \"plan\""},
        {"version", "the version of the format is `lifecheck: 1`"},
        {"lifecycle", "its arguments are keys: \"create_before_destroy\", \"ignore_changes\""},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lc_str_is(key, words[i].key))
            return words[i].ours;
    }
    return NULL;
}

/* YAML takes `name = "b"` and `name:b` for words, so that they come as keys, together with a value
 * that may be a secret. */
lc_str lc_key_mistake(lc_arena *arena, lc_str key)
{
    size_t to = 0;
    while (to < key.len && (lc_is_alnum(key.ptr[to]) || key.ptr[to] == '_' || key.ptr[to] == '-'))
        to++;
    size_t sign = to;
    while (sign < key.len && key.ptr[sign] == ' ')
        sign++;
    lc_str name = lc_str_sub(key, 0, to);
    if (to && sign < key.len && key.ptr[sign] == '=')
        return lc_str_printf(arena,
                             "this is HCL, and a scenario is YAML: write `%.*s: ...` instead of "
                             "`%.*s = ...`",
                             LC_FMT(name), LC_FMT(name));
    if (to && to < key.len && key.ptr[to] == ':')
        return lc_str_printf(arena, "put a space after the colon of \"%.*s\"", LC_FMT(name));
    return LC_STR_EMPTY;
}
