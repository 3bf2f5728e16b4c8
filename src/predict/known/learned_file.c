/* What was learned as a file: one line for each type, small enough to be kept next to a
 * configuration. It holds names and numbers, no values. */
#include "lifecheck/predict/predict.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

#define MARK "{\"lifecheck_learned\":1"

static const char *const effects[] = {"replace", "in_place", "unchanged", "kept"};

/* ---- Writing. */

static int by_place(const void *a, const void *b)
{
    const lc_learned_fact *x = *(const lc_learned_fact *const *)a;
    const lc_learned_fact *y = *(const lc_learned_fact *const *)b;
    int order = lc_str_cmp(x->provider, y->provider);
    order = order ? order : lc_str_cmp(x->type, y->type);
    if (!order && x->version != y->version)
        order = x->version < y->version ? -1 : 1;
    if (!order && x->effect != y->effect)
        order = x->effect < y->effect ? -1 : 1;
    return order ? order : lc_str_cmp(x->path, y->path);
}

static bool same_type(const lc_learned_fact *a, const lc_learned_fact *b)
{
    return lc_str_eq(a->provider, b->provider) && lc_str_eq(a->type, b->type) &&
           a->version == b->version;
}

static void add_type(lc_json *w, const lc_learned_fact *const *facts, size_t count)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "type", facts[0]->type);
    if (facts[0]->provider.len)
        lc_json_str(w, "provider", facts[0]->provider);
    if (facts[0]->version >= 0)
        lc_json_int(w, "schema_version", facts[0]->version);
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || facts[i - 1]->effect != facts[i]->effect;
        bool last = i + 1 == count || facts[i + 1]->effect != facts[i]->effect;
        if (facts[i]->effect == LC_LEARNED_UNCHANGED) {
            lc_json_uint(w, effects[LC_LEARNED_UNCHANGED], facts[i]->count);
            continue;
        }
        if (first)
            lc_json_object(w, effects[facts[i]->effect]);
        lc_json_key(w, facts[i]->path);
        lc_json_uint(w, NULL, facts[i]->count);
        if (last)
            lc_json_end_object(w);
    }
    lc_json_end_object(w);
}

static void add_providers(lc_json *w, const lc_learned *learned,
                          const lc_learned_fact *const *facts, size_t count)
{
    lc_json_array(w, "providers");
    for (size_t i = 0; i < count; i++) {
        lc_str provider = facts[i]->provider, version = lc_learned_version(learned, provider);
        if (!version.len || (i && lc_str_eq(facts[i - 1]->provider, provider)))
            continue;
        lc_json_break(w, 1);
        lc_json_object(w, NULL);
        lc_json_str(w, "source", provider);
        lc_json_str(w, "version", version);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}

void lc_learned_add_json(lc_buf *out, const lc_learned *learned)
{
    lc_json w = {.out = out};
    lc_arena *arena = lc_arena_new();
    size_t count = lc_learned_count(learned), end;
    const lc_learned_fact **facts = LC_NEW_ARRAY(arena, const lc_learned_fact *, count + 1);
    for (size_t i = 0; i < count; i++)
        facts[i] = lc_learned_get(learned, i);
    if (count > 1)
        qsort(facts, count, sizeof *facts, by_place);
    lc_json_object(&w, NULL);
    lc_json_uint(&w, "lifecheck_learned", 1);
    add_providers(&w, learned, facts, count);
    lc_json_array(&w, "types");
    for (size_t i = 0; i < count; i = end) {
        for (end = i + 1; end < count && same_type(facts[i], facts[end]);)
            end++;
        lc_json_break(&w, 1);
        add_type(&w, facts + i, end - i);
    }
    lc_json_end_array(&w);
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
    lc_arena_free(arena);
}

/* ---- Reading. */

bool lc_learned_is_document(lc_str text)
{
    return lc_str_starts_with(text, LC_STR(MARK));
}

static bool read_number(int64_t *out, const lc_node *node)
{
    lc_num n;
    lc_arena *scratch = lc_arena_new();
    bool good = node->kind == LC_NODE_NUMBER &&
                lc_num_from_text(&n, scratch, node->as.text, 20) == LC_NUM_OK &&
                lc_num_to_int64(n, out) && *out >= 0;
    lc_arena_free(scratch);
    return good;
}

static bool read_effect(lc_learned *learned, lc_learned_fact *seen, const lc_node *node)
{
    int64_t count;
    if (seen->effect == LC_LEARNED_UNCHANGED) {
        seen->path = LC_STR_EMPTY;
        if (!read_number(&count, node) || !count)
            return false;
        seen->count = (uint64_t)count;
        lc_learned_see(learned, seen);
        return true;
    }
    if (node->kind != LC_NODE_MAPPING)
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!read_number(&count, &node->as.members[i].value) || !count)
            return false;
        seen->path = node->as.members[i].key;
        seen->count = (uint64_t)count;
        lc_learned_see(learned, seen);
    }
    return true;
}

static bool read_type(lc_learned *learned, const lc_node *type, lc_str file)
{
    const lc_node *version = lc_node_get(type, "schema_version");
    lc_learned_fact seen = {.provider = lc_node_text(type, "provider"),
                            .type = lc_node_text(type, "type"),
                            .version = -1,
                            .loc = {file, 0, 0}};
    if (!seen.type.len || (version && !read_number(&seen.version, version)))
        return false;
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        const lc_node *effect = lc_node_get(type, effects[i]);
        seen.effect = (lc_learned_effect)i;
        if (effect && !read_effect(learned, &seen, effect))
            return false;
    }
    return true;
}

bool lc_learned_from_document(lc_learned *learned, const lc_node *document, lc_str file,
                              lc_str *why)
{
    const lc_node *providers = lc_node_get_kind(document, "providers", LC_NODE_SEQUENCE);
    const lc_node *types = lc_node_get_kind(document, "types", LC_NODE_SEQUENCE);
    *why = LC_STR("it has no list `types`");
    for (uint32_t i = 0; i < lc_node_item_count(providers); i++)
        lc_learned_version_set(learned, lc_node_text(&providers->as.items[i], "source"),
                               lc_node_text(&providers->as.items[i], "version"));
    for (uint32_t i = 0; i < lc_node_item_count(types); i++) {
        *why = LC_STR("a type has another form than --learned writes");
        if (!read_type(learned, &types->as.items[i], file))
            return false;
    }
    return types != NULL;
}

/* ---- From predictions. */

/* provider["SOURCE"].alias */
static lc_str source_of(lc_str provider)
{
    size_t from = lc_str_find(provider, 0, '"'), end = lc_str_find(provider, from + 1, '"');
    return from < provider.len && end < provider.len ? lc_str_sub(provider, from + 1, end)
                                                     : LC_STR_EMPTY;
}

/* What is after the last space. */
static lc_str version_of(lc_str answered_by)
{
    size_t at = answered_by.len;
    while (at && answered_by.ptr[at - 1] != ' ')
        at--;
    return at ? lc_str_sub(answered_by, at, answered_by.len) : LC_STR_EMPTY;
}

static void see_first(lc_learned *learned, lc_learned_fact *seen, lc_path path)
{
    if (!path.count || path.steps[0].kind != LC_STEP_ATTR)
        return;
    seen->path = path.steps[0].name;
    lc_learned_see(learned, seen);
}

static void see_change(lc_learned *learned, const lc_run_change *c)
{
    lc_learned_fact seen = {.provider = source_of(c->prior->provider),
                            .type = c->address.type,
                            .version = c->prior->schema_version,
                            .loc = c->place};
    lc_str version = version_of(c->answered_by);
    if (version.len)
        lc_learned_version_set(learned, seen.provider, version);
    if (c->action == LC_PLAN_NOOP) {
        seen.effect = LC_LEARNED_UNCHANGED;
        lc_learned_see(learned, &seen);
    } else if (c->action == LC_PLAN_UPDATE) {
        seen.effect = LC_LEARNED_IN_PLACE;
        for (size_t i = 0; i < c->cause_count; i++) {
            if (c->causes[i].set && c->causes[i].kind != LC_CAUSE_UNKNOWN)
                see_first(learned, &seen, c->causes[i].steps);
        }
    } else if (lc_plan_action_replaces(c->action)) {
        seen.effect = LC_LEARNED_REPLACED;
        for (size_t i = 0; i < c->replace_path_count; i++)
            see_first(learned, &seen, c->replace_paths[i]);
    }
}

void lc_learned_from_prediction(lc_learned *learned, const lc_prediction *prediction)
{
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        if (c->answered_by.len && c->prior && !c->deposed.len && lc_run_is_firm(c))
            see_change(learned, c);
    }
}
