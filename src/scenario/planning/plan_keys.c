/* The key `planning` of a scenario: plans, states and options are read here, the configuration and
 * what is predicted from it in prediction.c. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/contract/planning.h"

typedef struct reader {
    lc_in *in;
    const lc_node *mapping;
    bool ok;
} reader;

static const lc_key_row rows[] = {
    {"plan", LC_SHAPE_MAPPING, false, "a plan as JSON"},
    {"plan_file", LC_SHAPE_STRING, false, ""},
    {"state", LC_SHAPE_STATE, false, "a state file's content, or objects by address"},
    {"state_file", LC_SHAPE_STRING, false, ""},
    {"next_state", LC_SHAPE_MAPPING, false, "what was saved after applying"},
    {"next_state_file", LC_SHAPE_STRING, false, ""},
    {"schemas", LC_SHAPE_STRINGS, false, "schema documents, as files"},
    {"operation", LC_SHAPE_STRING, false, "the command line that the plan was made with"},
    {"mode", LC_SHAPE_PLAN_MODE, false, ""},
    {"replace", LC_SHAPE_STRINGS, false, "addresses given with -replace"},
    {"target", LC_SHAPE_STRINGS, false, "addresses given with -target"},
    {"exclude", LC_SHAPE_STRINGS, false, "addresses given with -exclude"},
    {"refresh", LC_SHAPE_FLAG, false, "false: -refresh=false"},
    {"profile", LC_SHAPE_CLIENT, false, "whose rules"},
    {"config", LC_SHAPE_CONFIGURATION, false,
     "the root module in JSON syntax, or `resources` by address"},
    {"config_dir", LC_SHAPE_TEXT, false, "a folder of *.tf.json files, or one of them"},
    {"modules", LC_SHAPE_MAPPING, false, "modules that `config` calls, by folder"},
    {"variables", LC_SHAPE_MAPPING, false, "values of the root module's variables"},
    {"provider", LC_SHAPE_ANSWERS, false, "the responses of the provider, by address"},
    {"expect", LC_SHAPE_PREDICTIONS, false,
     "the expected actions of objects, by address or "
     "pattern"},
    {"forbid", LC_SHAPE_STRINGS, false, "as --forbid of predict"},
    {"allow", LC_SHAPE_STRINGS, false, "as --allow"},
    {"require_firm", LC_SHAPE_STRINGS, false, "patterns of addresses, as --require-firm"},
};
const lc_keyset lc_planning_keys = LC_KEYSET(rows);

bool lc_in_refuse(lc_in *in, const lc_node *at, const char *what)
{
    lc_diag_error(in->diags, lc_in_loc(in, at), "%s", what);
    return false;
}

bool lc_in_address(lc_in *in, lc_address *out, lc_str text, uint64_t where)
{
    lc_str why;
    size_t at;
    if (lc_address_parse(out, in->arena, text, &why, &at))
        return true;
    lc_diag_error(in->diags, lc_where_loc(in->source, where), "this is not an address: %.*s",
                  LC_FMT(why));
    return false;
}

static void complain(reader *r, const lc_node *at, const char *what)
{
    r->ok = lc_in_refuse(r->in, at, what);
}

static const lc_node *text_node(reader *r, const char *key)
{
    const lc_node *node = lc_node_get(r->mapping, key);
    if (!node || node->kind == LC_NODE_STRING)
        return node;
    complain(r, node, "a string is required here");
    return NULL;
}

/* ---- Plans and states. */

/* The node written under `inline_key`, or the root of the file that `file_key` names. False: there
 * is neither. */
static bool find(reader *r, const char *inline_key, const char *file_key, const lc_source **source,
                 const lc_node **node)
{
    const lc_node *file = text_node(r, file_key);
    *source = r->in->source;
    *node = lc_node_get(r->mapping, inline_key);
    if (*node && file) {
        complain(r, file, "the same is given as well: write one of the two");
        return false;
    }
    if (file) {
        *source = lc_in_json_file(r->in, file->as.text);
        *node = *source ? (*source)->documents : NULL;
        if (!*source)
            complain(r, file, "the file named here cannot be used");
    }
    return *node != NULL;
}

/* A `state` without `version` maps addresses to objects; prediction.c reads that. */
static lc_state_file *read_state(reader *r, const char *inline_key, const char *file_key)
{
    const lc_source *source;
    const lc_node *node;
    if (!find(r, inline_key, file_key, &source, &node) ||
        (source == r->in->source && node->kind == LC_NODE_MAPPING &&
         !lc_node_get(node, "version") && !lc_state_is_shown(node)))
        return NULL;
    lc_state_file *state = lc_state_read(r->in->arena, source, node, r->in->diags);
    r->ok &= state != NULL;
    return state;
}

static lc_plan *read_plan(reader *r)
{
    const lc_source *source;
    const lc_node *node;
    if (!find(r, "plan", "plan_file", &source, &node))
        return NULL;
    lc_plan *plan = lc_plan_read(r->in->arena, source, node, r->in->diags);
    r->ok &= plan != NULL;
    return plan;
}

/* ---- Lists. */

static const lc_str *read_list(reader *r, const char *key, bool addresses, size_t *count)
{
    const lc_node *node = lc_node_get(r->mapping, key);
    bool list = node && node->kind == LC_NODE_SEQUENCE;
    lc_str *out = LC_NEW_ARRAY(r->in->arena, lc_str, list ? node->count : 0);
    lc_address address;
    lc_str why;
    size_t at;
    *count = list ? node->count : 0;
    if (node && !list)
        complain(r, node, "a list is required here");
    for (uint32_t i = 0; list && i < node->count; i++) {
        const lc_node *item = &node->as.items[i];
        out[i] = item->kind == LC_NODE_STRING ? item->as.text : LC_STR_EMPTY;
        if (item->kind != LC_NODE_STRING ||
            (addresses && !lc_address_parse(&address, r->in->arena, out[i], &why, &at)))
            complain(r, item, addresses ? "this is not an address" : "a string is required here");
    }
    return out;
}

/* The list replaces the schema documents next to the file; the scenario's folder has none. */
static void read_schemas(reader *r, lc_plan_evidence *out)
{
    size_t count;
    const lc_node *node = lc_node_get(r->mapping, "schemas");
    const lc_str *files = read_list(r, "schemas", false, &count);
    lc_schemas *schemas = LC_NEW(r->in->arena, lc_schemas);
    *schemas = (lc_schemas){.arena = r->in->arena, .store = r->in->store};
    lc_table_init(&schemas->reported, r->in->arena);
    for (size_t i = 0; i < count; i++) {
        lc_schema_doc *doc = lc_schema_store_get(
            r->in->store, lc_beside(r->in->arena, r->in->source->file, files[i]),
            lc_in_loc(r->in, &node->as.items[i]), r->in->diags);
        r->ok &= doc != NULL;
        if (doc)
            *LC_PUSH(r->in->arena, &schemas->docs, lc_schema_doc *) = doc;
    }
    lc_plan_evidence_use_schemas(out, r->in->arena, schemas);
}

/* ---- Options. */

static void read_mode(reader *r, lc_plan_options *o)
{
    const lc_node *node = text_node(r, "mode");
    if (!node)
        return;
    o->has_mode = node->as.text.len && lc_plan_mode_from_name(&o->mode, node->as.text);
    if (!o->has_mode)
        complain(r, node, "a mode is normal, destroy or refresh-only");
}

static void read_options(reader *r, lc_plan_options *o)
{
    const lc_node *refresh = lc_node_get(r->mapping, "refresh");
    o->loc = lc_in_loc(r->in, r->mapping);
    read_mode(r, o);
    o->has_replace = lc_node_get(r->mapping, "replace") != NULL;
    o->replace = read_list(r, "replace", true, &o->replace_count);
    o->has_target =
        lc_node_get(r->mapping, "target") != NULL || lc_node_get(r->mapping, "exclude") != NULL;
    o->target = read_list(r, "target", true, &o->target_count);
    o->exclude = read_list(r, "exclude", true, &o->exclude_count);
    if (!refresh)
        return;
    if (refresh->kind != LC_NODE_BOOL)
        complain(r, refresh, "a bool is required here");
    o->refresh = refresh->kind == LC_NODE_BOOL && !refresh->boolean ? LC_NO : LC_YES;
}

static void read_operation(reader *r, lc_plan_evidence *out)
{
    const lc_node *node = text_node(r, "operation");
    if (node)
        r->ok &= lc_operation_read(&out->operation, r->in->arena, node->as.text,
                                   lc_in_loc(r->in, node), r->in->diags);
}

static void read_clauses(reader *r, lc_policy_clauses *out, const char *key, bool actions)
{
    size_t count;
    lc_str why;
    const lc_node *node = lc_node_get(r->mapping, key);
    const lc_str *texts = read_list(r, key, false, &count);
    for (size_t i = 0; i < count; i++) {
        const lc_node *item = &node->as.items[i];
        if (item->kind == LC_NODE_STRING &&
            !lc_policy_clause_add(out, r->in->arena, texts[i], actions, &why))
            complain(r, item, lc_str_to_c(r->in->arena, why));
    }
}

static void read_policy(reader *r, lc_plan_evidence *out)
{
    lc_action_policy *policy = LC_NEW(r->in->arena, lc_action_policy);
    read_clauses(r, &policy->forbid, "forbid", true);
    read_clauses(r, &policy->allow, "allow", true);
    read_clauses(r, &policy->firm, "require_firm", false);
    out->policy = policy;
}

/* ---- All of it. */

/* A `state` that is not a state file (it has no member `version`) is left to lc_in_prediction. */
static void read_plan_evidence(reader *r, lc_plan_evidence *out)
{
    out->plan = read_plan(r);
    out->state = read_state(r, "state", "state_file");
    out->next_state = read_state(r, "next_state", "next_state_file");
    read_options(r, &out->options);
    read_operation(r, out);
    read_policy(r, out);
    if (lc_node_get(r->mapping, "schemas"))
        read_schemas(r, out);
}

/* The prediction needs the plan and the state, so it is read last. */
const lc_planning *lc_in_planning(lc_in *in, const lc_node *node)
{
    const lc_member *found[sizeof rows / sizeof *rows];
    reader r = {in, node, true};
    lc_plan_evidence *facts = LC_NEW(in->arena, lc_plan_evidence);
    if (node->kind != LC_NODE_MAPPING) {
        lc_in_refuse(in, node, "a mapping is required here");
        return NULL;
    }
    r.ok = lc_in_keys(in, found, node, &lc_planning_keys, "planning");
    read_plan_evidence(&r, facts);
    if (!r.ok || !lc_in_prediction(in, facts, node))
        return NULL;
    if (facts->plan || facts->state || facts->next_state || facts->run)
        return lc_plan_evidence_planning(in->arena, facts);
    lc_in_refuse(in, node, "there is neither a plan, a state nor a configuration to check");
    return NULL;
}
