/* What was seen of resource types: kept by type, place in the type and effect. */
#include "lifecheck/predict/learned.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/cloudformation/cloudformation.h"

#define MAX_FACTS ((size_t)1 << 20)

typedef struct index_list {
    LC_VEC(uint32_t) list;
} index_list;

struct lc_learned {
    lc_arena *arena;
    LC_VEC(lc_learned_fact) facts;
    lc_table by_key;   /* all but the place -> index */
    lc_table by_type;  /* type -> index_list * */
    lc_table versions; /* provider -> its version as lc_str *; empty: several */
    bool full;
};

lc_learned *lc_learned_new(lc_arena *arena)
{
    lc_learned *learned = LC_NEW(arena, lc_learned);
    learned->arena = arena;
    lc_table_init(&learned->by_key, arena);
    lc_table_init(&learned->by_type, arena);
    lc_table_init(&learned->versions, arena);
    return learned;
}

size_t lc_learned_count(const lc_learned *learned)
{
    return learned->facts.count;
}

const lc_learned_fact *lc_learned_get(const lc_learned *learned, size_t index)
{
    return &learned->facts.items[index];
}

bool lc_learned_is_whole(const lc_learned *learned)
{
    return !learned->full;
}

lc_str lc_learned_words(lc_arena *arena, const lc_learned_fact *seen)
{
    static const char *const words[] = {"forces a replacement", "changes in place",
                                        "stays as it is if nothing differs",
                                        "keeps its value where it is not configured"};
    return lc_str_printf(arena, "%.*s%s%.*s %s", LC_FMT(seen->type), seen->path.len ? "." : "",
                         LC_FMT(seen->path), words[seen->effect]);
}

/* ---- Adding. */

static void index_fact(lc_learned *learned, lc_str key, lc_str type)
{
    size_t at = learned->facts.count - 1;
    index_list *list = lc_table_get(&learned->by_type, type);
    if (!list) {
        list = LC_NEW(learned->arena, index_list);
        lc_table_put(&learned->by_type, type, list);
    }
    *LC_PUSH(learned->arena, &list->list, uint32_t) = (uint32_t)at;
    lc_table_put_index(&learned->by_key, key, at);
}

/* Its strings are borrowed until it is new. */
void lc_learned_see(lc_learned *learned, const lc_learned_fact *seen)
{
    lc_buf key = {0};
    uint64_t count = seen->count ? seen->count : 1;
    lc_buf_printf(&key, "%.*s %.*s %lld %d %.*s", LC_FMT(seen->provider), LC_FMT(seen->type),
                  (long long)seen->version, seen->effect, LC_FMT(seen->path));
    size_t at = lc_table_get_index(&learned->by_key, lc_buf_str(&key));
    if (at != LC_NO_INDEX) {
        learned->facts.items[at].count += count;
    } else if (learned->facts.count >= MAX_FACTS) {
        learned->full = true;
    } else {
        lc_learned_fact *fact = LC_PUSH(learned->arena, &learned->facts, lc_learned_fact);
        *fact = *seen;
        fact->provider = lc_str_copy(learned->arena, seen->provider);
        fact->type = lc_str_copy(learned->arena, seen->type);
        fact->path = lc_str_copy(learned->arena, seen->path);
        fact->loc.file = lc_str_copy(learned->arena, seen->loc.file);
        fact->count = count;
        index_fact(learned, lc_buf_copy(learned->arena, &key), fact->type);
    }
    lc_buf_release(&key);
}

void lc_learned_version_set(lc_learned *learned, lc_str provider, lc_str version)
{
    lc_str *known = lc_table_get(&learned->versions, provider);
    if (!known) {
        known = LC_NEW(learned->arena, lc_str);
        *known = lc_str_copy(learned->arena, version);
        lc_table_put(&learned->versions, lc_str_copy(learned->arena, provider), known);
    } else if (!lc_str_eq(*known, version)) {
        *known = LC_STR_EMPTY;
    }
}

lc_str lc_learned_version(const lc_learned *learned, lc_str provider)
{
    const lc_str *known = lc_table_get(&learned->versions, provider);
    return known ? *known : LC_STR_EMPTY;
}

/* ---- From plans as JSON. Without a schema only the first step of a path is surely the name of an
 * attribute: what follows may be the key of a map. */

static bool differs(lc_arena *scratch, const lc_node *before, const lc_node *after)
{
    bool none = lc_node_is_null(before) && lc_node_is_null(after);
    return !none && (!before || !after || !lc_node_same(scratch, before, after));
}

static void see_replace(lc_learned *learned, lc_learned_fact *seen, const lc_node *paths)
{
    for (uint32_t i = 0; i < paths->count; i++) {
        const lc_node *path = &paths->as.items[i];
        if (path->kind != LC_NODE_SEQUENCE || !path->count ||
            path->as.items[0].kind != LC_NODE_STRING)
            continue;
        seen->path = path->as.items[0].as.text;
        lc_learned_see(learned, seen);
    }
}

/* Attributes that are known after the update, and others. */
static void see_update(lc_learned *learned, lc_learned_fact *seen, const lc_plan_change *c)
{
    lc_arena *scratch = lc_arena_new();
    for (uint32_t i = 0; i < c->after->count; i++) {
        const lc_member *m = &c->after->as.members[i];
        if (!differs(scratch, lc_node_get(c->before, lc_str_to_c(scratch, m->key)), &m->value))
            continue;
        seen->path = m->key;
        lc_learned_see(learned, seen);
    }
    lc_arena_free(scratch);
}

static bool is_zero(const lc_node *node)
{
    return node->kind == LC_NODE_NULL || (node->kind == LC_NODE_STRING && !node->as.text.len) ||
           (node->kind == LC_NODE_NUMBER && lc_str_is(node->as.text, "0")) ||
           (node->kind == LC_NODE_BOOL && !lc_node_is_true(node));
}

/* Attributes that stay at a value, and that the printed configuration does not set. It does not
 * print dynamic blocks, so that only primitive values count. */
static void see_kept(lc_learned *learned, lc_learned_fact *seen, const lc_plan_change *c)
{
    const lc_node *set = c->block ? lc_node_get(c->block->node, "expressions") : NULL;
    lc_arena *scratch = lc_arena_new();
    for (uint32_t i = 0; c->block && lc_node_is(c->before, LC_NODE_MAPPING) && i < c->before->count;
         i++) {
        const lc_member *m = &c->before->as.members[i];
        bool parts = m->value.kind == LC_NODE_MAPPING || m->value.kind == LC_NODE_SEQUENCE;
        if (parts || is_zero(&m->value) || lc_node_get(set, lc_str_to_c(scratch, m->key)))
            continue;
        seen->effect = LC_LEARNED_KEPT;
        seen->path = m->key;
        lc_learned_see(learned, seen);
    }
    lc_arena_free(scratch);
}

static int64_t version_of(const lc_plan_change *c)
{
    const lc_node *version = c->planned ? lc_node_get(c->planned->node, "schema_version") : NULL;
    lc_num n;
    int64_t out;
    lc_arena *scratch = lc_arena_new();
    bool good = version && version->kind == LC_NODE_NUMBER &&
                lc_num_from_text(&n, scratch, version->as.text, 10) == LC_NUM_OK &&
                lc_num_to_int64(n, &out);
    lc_arena_free(scratch);
    return good ? out : -1;
}

static void see_change(lc_learned *learned, lc_plan *plan, const lc_plan_change *c)
{
    lc_learned_fact seen = {
        .provider = c->provider_name, .type = c->type, .version = version_of(c)};
    bool values = lc_node_is(c->before, LC_NODE_MAPPING) && lc_node_is(c->after, LC_NODE_MAPPING);
    if (!c->fits || !lc_str_is(c->mode, "managed") || c->deposed.len)
        return;
    seen.loc = lc_plan_loc(plan, c->node);
    if (c->action == LC_PLAN_NOOP) {
        seen.effect = LC_LEARNED_UNCHANGED;
        lc_learned_see(learned, &seen);
        see_kept(learned, &seen, c);
    } else if (c->action == LC_PLAN_UPDATE && values) {
        seen.effect = LC_LEARNED_IN_PLACE;
        see_update(learned, &seen, c);
    } else if (lc_plan_action_replaces(c->action) &&
               lc_node_is(c->replace_paths, LC_NODE_SEQUENCE)) {
        seen.effect = LC_LEARNED_REPLACED;
        see_replace(learned, &seen, c->replace_paths);
    }
}

void lc_learned_from_plan(lc_learned *learned, lc_plan *plan)
{
    for (size_t i = 0; i < plan->changes.count; i++)
        see_change(learned, plan, &plan->changes.items[i]);
}

/* ---- From cases. */

/* The names of a path with dots; `block` distinguishes names from keys of maps. */
static lc_str names_of(lc_arena *arena, lc_path path)
{
    lc_buf out = {0};
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        lc_buf_add_c(&out, out.len ? "." : "");
        lc_buf_add_str(&out, path.steps[i].name);
    }
    lc_str names = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return names;
}

static const lc_value *value_of(const lc_field *field)
{
    bool there = lc_field_has_value(field) && field->value && lc_is_known(field->value);
    return there ? field->value : NULL;
}

static lc_str name_at(const lc_value *object, uint32_t i)
{
    return object->type->as.attrs[i].name;
}

static bool part_differs(const lc_value *before, const lc_value *after, uint32_t i)
{
    return lc_value_equals(&before->as.many.elems[i], &after->as.many.elems[i]) != LC_TRUE;
}

/* Only attributes that become known show what changed: others may follow from them. */
static void see_planned(lc_learned *learned, lc_learned_fact *seen, const lc_value *prior,
                        const lc_value *planned, const lc_value *proposed)
{
    bool same = lc_value_equals(prior, planned) == LC_TRUE;
    seen->effect = same ? LC_LEARNED_UNCHANGED : LC_LEARNED_IN_PLACE;
    if (same && (!proposed || lc_value_equals(prior, proposed) == LC_TRUE))
        lc_learned_see(learned, seen);
    for (uint32_t i = 0; !same && i < planned->count; i++) {
        const lc_value *now = &planned->as.many.elems[i];
        if (lc_is_unknown(now) || !part_differs(prior, planned, i))
            continue;
        seen->path = name_at(planned, i);
        lc_learned_see(learned, seen);
    }
}

/* What a configuration leaves to the provider, which keeps it. */
static void see_unset(lc_learned *learned, lc_learned_fact *seen, const lc_value *config,
                      const lc_value *prior)
{
    for (uint32_t i = 0; i < prior->count; i++) {
        const lc_value *kept = &prior->as.many.elems[i];
        if (!lc_is_null(&config->as.many.elems[i]) || !lc_is_known(kept))
            continue;
        seen->effect = LC_LEARNED_KEPT;
        seen->path = name_at(prior, i);
        lc_learned_see(learned, seen);
    }
}

/* The answer to a create names whatever forces a replacement. */
static void see_create(lc_learned *learned, lc_learned_fact *seen, const lc_call *call)
{
    lc_arena *scratch = lc_arena_new();
    for (size_t i = 0; i < call->requires_replace.count; i++) {
        seen->path = names_of(scratch, call->requires_replace.items[i].path);
        lc_learned_see(learned, seen);
    }
    lc_arena_free(scratch);
}

static void see_call(lc_learned *learned, lc_learned_fact *seen, const lc_run *run,
                     const lc_call *call)
{
    const lc_field *before =
        lc_field_has_value(&call->prior_state) ? &call->prior_state : &run->prior_state;
    const lc_value *prior = value_of(&call->prior_state);
    const lc_value *planned = value_of(&call->result);
    lc_arena *scratch = lc_arena_new();
    prior = prior ? prior : value_of(&run->prior_state);
    seen->loc = call->loc;
    seen->effect = LC_LEARNED_REPLACED;
    if (lc_field_has_value(before) && before->value && lc_is_null(before->value))
        see_create(learned, seen, call);
    for (size_t i = 0; prior && planned && i < call->requires_replace.count; i++) {
        const lc_located_path *p = &call->requires_replace.items[i];
        const lc_value *was = lc_path_apply(scratch, prior, p->path);
        const lc_value *now = lc_path_apply(scratch, planned, p->path);
        if (was && now && lc_value_equals(was, now) == LC_TRUE)
            continue;
        seen->path = names_of(scratch, p->path);
        lc_learned_see(learned, seen);
    }
    if (prior && planned && !call->requires_replace.count &&
        lc_type_equal(prior->type, planned->type))
        see_planned(learned, seen, prior, planned, value_of(&call->proposed));
    const lc_value *config = value_of(&call->config);
    config = config ? config : value_of(&run->config);
    if (prior && planned && config && config->count == prior->count &&
        prior->type->kind == LC_TYPE_OBJECT && lc_value_equals(prior, planned) == LC_TRUE)
        see_unset(learned, seen, config, prior);
    lc_arena_free(scratch);
}

void lc_learned_from_case(lc_learned *learned, const lc_case *subject, const lc_str *provider)
{
    for (size_t i = 0; i < subject->runs.count; i++) {
        const lc_run *run = &subject->runs.items[i];
        const lc_call *call = lc_run_call(run, LC_CALL_PLAN);
        bool managed = run->schema && run->schema->kind == LC_KIND_RESOURCE && !run->schema_unknown;
        if (!call || !managed || call->failed == LC_YES || run->tainted == LC_YES)
            continue;
        lc_learned_fact seen = {.provider = provider ? *provider : run->schema->provider,
                                .type = subject->type,
                                .version = run->schema->version};
        see_call(learned, &seen, run, call);
    }
}

/* ---- Asking. */

/* Does the part at a path of names differ? Lists and sets on the way count as a whole. */
static bool differs_at(const lc_value *before, const lc_value *after, lc_str path)
{
    while (path.len && lc_is_known(before) && lc_is_known(after) &&
           before->type->kind == LC_TYPE_OBJECT && after->type->kind == LC_TYPE_OBJECT) {
        size_t dot = lc_str_find(path, 0, '.');
        lc_str name = lc_str_sub(path, 0, dot);
        const lc_value *was = lc_value_attr(before, name), *now = lc_value_attr(after, name);
        if (!was || !now)
            return false;
        before = was;
        after = now;
        path = lc_str_sub(path, dot < path.len ? dot + 1 : dot, path.len);
    }
    return lc_value_equals(before, after) != LC_TRUE;
}

/* One question while it is answered. */
typedef struct asking {
    const lc_learned *learned;
    lc_arena *arena;
    const lc_schema *schema;
    lc_str type;
    const lc_value *prior, *planned;
    const index_list *facts; /* NULL: none */
} asking;

/* Is the fact about this type? What is not known of either does not distinguish them. */
static bool is_about(const lc_learned_fact *seen, const lc_schema *schema)
{
    bool same =
        !seen->provider.len || !schema->provider.len || lc_str_eq(seen->provider, schema->provider);
    return same && (seen->version < 0 || seen->version == schema->version);
}

static const lc_learned_fact *next_fact(const asking *a, size_t *at, lc_learned_effect effect)
{
    for (; a->facts && *at < a->facts->list.count; ++*at) {
        const lc_learned_fact *seen = &a->learned->facts.items[a->facts->list.items[*at]];
        if (seen->effect == effect && is_about(seen, a->schema)) {
            ++*at;
            return seen;
        }
    }
    return NULL;
}

static const lc_learned_fact *fact_at(const asking *a, lc_learned_effect effect, lc_str path)
{
    size_t at = 0;
    const lc_learned_fact *seen;
    while ((seen = next_fact(a, &at, effect)) && !lc_str_eq(seen->path, path))
        ;
    return seen;
}

/* The replacement that was seen most often for something that differs. */
static const lc_learned_fact *seen_replace(const asking *a)
{
    const lc_learned_fact *best = NULL, *seen;
    size_t at = 0;
    while ((seen = next_fact(a, &at, LC_LEARNED_REPLACED))) {
        if ((!best || seen->count > best->count) && differs_at(a->prior, a->planned, seen->path))
            best = seen;
    }
    return best;
}

/* NULL: not all that differs was seen to change in place. */
static const lc_learned_fact *seen_in_place(const asking *a)
{
    const lc_learned_fact *first = NULL;
    for (uint32_t i = 0; i < a->planned->count; i++) {
        const lc_learned_fact *seen;
        if (!part_differs(a->prior, a->planned, i))
            continue;
        seen = fact_at(a, LC_LEARNED_IN_PLACE, name_at(a->planned, i));
        if (!seen)
            return NULL;
        first = first ? first : seen;
    }
    return first;
}

/* ---- What a CloudFormation type says about itself. */

static const lc_cfn_property *create_only(const lc_cfn_shape *shape, const lc_value *before,
                                          const lc_value *after)
{
    for (size_t i = 0; shape && i < shape->member_count; i++) {
        const lc_cfn_property *p = &shape->members[i];
        const lc_value *was = lc_value_attr(before, p->attribute);
        const lc_value *now = lc_value_attr(after, p->attribute);
        if (!was || !now || lc_value_equals(was, now) == LC_TRUE)
            continue;
        if (p->create_only)
            return p;
        bool objects = lc_is_known(was) && lc_is_known(now) && was->type->kind == LC_TYPE_OBJECT;
        const lc_cfn_property *inner = objects ? create_only(p->shape, was, now) : NULL;
        if (inner)
            return inner;
    }
    return NULL;
}

static lc_str attribute_path(lc_arena *arena, const lc_cfn_property *p)
{
    lc_str path = p->attribute;
    for (p = p->parent; p; p = p->parent) {
        if (p->attribute.len)
            path = lc_str_printf(arena, "%.*s.%.*s", LC_FMT(p->attribute), LC_FMT(path));
    }
    return path;
}

static const lc_learned_fact *stated_replace(const asking *a)
{
    const lc_cfn_type *type = a->schema->cloudformation;
    const lc_cfn_property *p = type ? create_only(type->root, a->prior, a->planned) : NULL;
    if (!p)
        return NULL;
    lc_learned_fact *seen = LC_NEW(a->arena, lc_learned_fact);
    *seen = (lc_learned_fact){
        .type = a->type, .version = a->schema->version, .count = 1, .stated = true};
    seen->path = attribute_path(a->arena, p);
    seen->loc.file = type->file;
    return seen;
}

lc_learned_answer lc_learned_ask(const lc_learned *learned, lc_arena *arena,
                                 const lc_schema *schema, lc_str type, const lc_value *prior,
                                 const lc_value *planned)
{
    asking a = {learned, arena, schema, type, prior, planned, NULL};
    lc_learned_answer answer = {LC_PLAN_UNKNOWN, NULL, false};
    a.facts = learned ? lc_table_get(&learned->by_type, type) : NULL;
    if (!lc_is_known(prior) || !lc_is_known(planned) || prior->type->kind != LC_TYPE_OBJECT ||
        prior->count != planned->count)
        return answer;
    if (lc_value_equals(prior, planned) == LC_TRUE) {
        answer.by = fact_at(&a, LC_LEARNED_UNCHANGED, LC_STR_EMPTY);
        answer.action = answer.by ? LC_PLAN_NOOP : LC_PLAN_UNKNOWN;
        return answer;
    }
    const lc_learned_fact *stated = stated_replace(&a);
    answer.by = stated ? stated : seen_replace(&a);
    answer.action = answer.by ? LC_PLAN_DELETE_CREATE : LC_PLAN_UNKNOWN;
    answer.contested = answer.by && fact_at(&a, LC_LEARNED_IN_PLACE, answer.by->path);
    if (!answer.by) {
        answer.by = seen_in_place(&a);
        answer.action = answer.by ? LC_PLAN_UPDATE : LC_PLAN_UNKNOWN;
    }
    return answer;
}

bool lc_learned_keeps(const lc_learned *learned, const lc_schema *schema, lc_str type, lc_str name)
{
    asking a = {.learned = learned, .schema = schema, .type = type};
    a.facts = learned ? lc_table_get(&learned->by_type, type) : NULL;
    return fact_at(&a, LC_LEARNED_KEPT, name) != NULL;
}
