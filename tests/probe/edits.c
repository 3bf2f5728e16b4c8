/* The next version of the provider that computes: what upgrades.def says of one word. */
#include "peer.h"

#include "lifecheck/codec/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const peer_edit edits[] = {
#define UPGRADE(...) {__VA_ARGS__},
#include "upgrades.def"
};

#define EACH_EDIT(p, edit)                                                                         \
    for (const peer_edit *edit = edits; edit < edits + sizeof edits / sizeof *edits; edit++)       \
        if (strcmp((p)->upgrade, edit->word) == 0)

static bool is(const peer_edit *edit, const char *more)
{
    return strcmp(edit->more, more) == 0;
}

void peer_edit_types(peer *p, const char *word)
{
    size_t known = 0;
    p->upgrade = word;
    EACH_EDIT(p, edit)
    {
        known++;
        if (edit->what < DROP_FUNCTION)
            peer_types_edit(p->arena, edit);
    }
    if (*word && !known) {
        fprintf(stderr, "unknown upgrade: %s\n", word);
        exit(2);
    }
}

void peer_print_edits(void)
{
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        if (i == 0 || strcmp(edits[i].word, edits[i - 1].word) != 0)
            printf("%s\t%s\n", edits[i].word, edits[i].found);
    }
}

bool peer_edits_function(const peer *p, const char *name, const char **more)
{
    EACH_EDIT(p, edit)
    if (edit->what == FUNCTION && strcmp(edit->name, name) == 0) {
        *more = edit->more;
        return true;
    }
    return false;
}

bool peer_lacks_function(const peer *p, const char *name)
{
    EACH_EDIT(p, edit)
    if (edit->what == DROP_FUNCTION && strcmp(edit->name, name) == 0)
        return true;
    return false;
}

/* ---- Values */

static const lc_value *from_json(lc_arena *arena, const char *text, const lc_type *type)
{
    const lc_value *v;
    lc_wire_result result;
    return lc_ctyjson_decode(&v, arena, lc_str_from_c(text), type, &result) ? v : NULL;
}

static bool is_text(const lc_value *v)
{
    return lc_is_known(v) && v->type->kind == LC_TYPE_STRING;
}

static bool is_empty(const lc_value *v)
{
    return (is_text(v) && v->as.string.len == 0) ||
           (lc_is_known(v) && v->type->kind >= LC_TYPE_LIST && v->count == 0);
}

static const lc_value *lower(lc_arena *arena, const lc_value *v)
{
    return is_text(v) ? peer_text(arena, lc_to_case(arena, v->as.string, LC_LOWER)) : v;
}

static bool has_upper(lc_arena *arena, const lc_value *v)
{
    return is_text(v) && !lc_value_same(v, lower(arena, v));
}

static const lc_value *empty_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    if (type->kind == LC_TYPE_STRING)
        return peer_text(arena, LC_STR_EMPTY);
    bool ok = type->kind == LC_TYPE_SET ? lc_value_set_set(&slot, arena, type, NULL, 0)
                                        : lc_value_set_list(&slot, arena, type, NULL, 0);
    return ok ? lc_value_new(arena, &slot) : peer_null(arena, type);
}

static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_value *)a)->as.string, ((const lc_value *)b)->as.string);
}

static const lc_value *list_of(lc_arena *arena, const lc_value *v, bool sorted)
{
    lc_value slot, *elems = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
    size_t n = 0;
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_LIST)
        return v;
    for (uint32_t i = 0; i < v->count; i++) {
        bool twin = false;
        for (size_t k = 0; k < n; k++)
            twin |= !sorted && lc_value_same(&elems[k], &v->as.many.elems[i]);
        if (!twin)
            elems[n++] = v->as.many.elems[i];
    }
    if (sorted && n)
        qsort(elems, n, sizeof *elems, by_text);
    return lc_value_set_list(&slot, arena, v->type, elems, n) ? lc_value_new(arena, &slot) : v;
}

static const lc_value *rounded(lc_arena *arena, const lc_value *v)
{
    lc_value slot;
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_NUMBER)
        return v;
    lc_value_set_number(&slot, LC_NUM((int64_t)lc_num_nearest_double(v->as.number)));
    return lc_value_new(arena, &slot);
}

/* ---- Upgrades */

static const lc_value *upgraded(peer_call *call, const peer_edit *edit, const lc_value *v)
{
    lc_arena *arena = call->arena;
    if (is(edit, "lost"))
        return peer_null(arena, v->type);
    if (is(edit, "unknown"))
        return peer_unknown(arena, v->type);
    if (is(edit, "lower"))
        return lower(arena, v);
    if (is(edit, "trim"))
        return is_text(v) ? peer_text(arena, lc_trim_space(v->as.string)) : v;
    if (is(edit, "round"))
        return rounded(arena, v);
    if (is(edit, "sort") || is(edit, "unique"))
        return list_of(arena, v, is(edit, "sort"));
    if (is(edit, "empty"))
        return empty_of(arena, v->type);
    if (is(edit, "null-if-empty"))
        return is_empty(v) ? peer_null(arena, v->type) : v;
    if (is(edit, "empty-if-null"))
        return lc_is_null(v) ? empty_of(arena, v->type) : v;
    if (is(edit, "again"))
        return peer_text(arena,
                         lc_str_printf(arena, "%.*s+", (int)(is_text(v) ? v->as.string.len : 0),
                                       is_text(v) ? v->as.string.ptr : ""));
    const lc_value *json = from_json(arena, edit->more, v->type);
    return json ? json : v;
}

const lc_value *peer_edit_object(peer_call *call, peer_change what, const lc_value *state)
{
    EACH_EDIT(call->p, edit)
    {
        bool without = edit->name[0] == '!';
        const char *name = edit->name + without;
        const lc_value *v = peer_get(state, name);
        bool holds = !*name || lc_is_null(v) == without;
        if (edit->what != what || !lc_str_is(call->schema->type_name, edit->in))
            continue;
        if (is(edit, "dies") && holds)
            plugin_panic("upgrade");
        if (is(edit, "error") && holds)
            peer_error(call, LC_STR_EMPTY, "Unable to take the object", LC_STR_EMPTY);
        else if (is(edit, "null"))
            return peer_null(call->arena, state->type);
        else if (*name && !is(edit, "error") && !is(edit, "dies"))
            state = peer_with(call->arena, state, name, upgraded(call, edit, v));
    }
    return state;
}

/* ---- Validation */

static bool is_meant(peer_call *call, const peer_edit *edit, const lc_value *v)
{
    const lc_value *json;
    if (is(edit, "set"))
        return lc_is_known(v);
    if (is(edit, "null"))
        return lc_is_null(v);
    if (is(edit, "empty"))
        return is_empty(v);
    if (is(edit, "upper"))
        return has_upper(call->arena, v);
    json = from_json(call->arena, edit->more, v->type);
    return json && lc_value_same(json, v);
}

void peer_edit_validate(peer_call *call, const lc_value *config)
{
    EACH_EDIT(call->p, edit)
    {
        lc_str type = call->schema ? call->schema->type_name : LC_STR_EMPTY;
        bool refuses = edit->what == REFUSES, warns = edit->what == WARNS;
        if ((!refuses && !warns) || !lc_str_is(type, edit->in) ||
            !is_meant(call, edit, peer_get(config, edit->name)))
            continue;
        peer_error(call, lc_str_from_c(edit->name),
                   refuses ? "Value no longer supported" : "Argument is deprecated", LC_STR_EMPTY);
        call->errors.items[call->errors.count - 1].warning = warns;
    }
}

/* ---- Plans */

static void put(peer_plan *plan, const char *name, const lc_value *value)
{
    plan->planned = peer_with(plan->call->arena, plan->planned, name, value);
}

static void replace(peer_plan *plan, const peer_edit *edit, const lc_value *v)
{
    lc_arena *arena = plan->call->arena;
    const lc_value *other = from_json(arena, "99", v->type);
    put(plan, edit->name, other ? other : peer_text(arena, LC_STR("made")));
    *LC_PUSH(arena, &plan->replace, lc_str) = lc_str_from_c(edit->name);
}

static void edit_plan(peer_plan *plan, const peer_edit *edit)
{
    lc_arena *arena = plan->call->arena;
    const lc_value *config = peer_get(plan->config, edit->name);
    const lc_value *v = peer_get(plan->planned, edit->name);
    bool holds = !*edit->name || lc_is_known(config), null = lc_is_null(config);
    const lc_value *json = *edit->name ? from_json(arena, edit->more, v->type) : NULL;
    if (is(edit, "dies"))
        plugin_panic("plan");
    if ((is(edit, "error") && holds) ||
        (is(edit, "private-of-apply") && lc_str_contains(plan->private_data, LC_STR("peer"))) ||
        (is(edit, "private") && !lc_str_contains(plan->private_data, LC_STR("version"))))
        peer_error(plan->call, LC_STR_EMPTY, "Cannot plan", LC_STR_EMPTY);
    else if (is(edit, "replace") || (is(edit, "replace-if-null") && null))
        replace(plan, edit, v);
    else if (is(edit, "unknown"))
        put(plan, edit->name, null ? peer_unknown(arena, v->type) : v);
    else if (is(edit, "lower"))
        put(plan, edit->name, lower(arena, v));
    else if (is(edit, "keeps"))
        put(plan, edit->name, peer_get(plan->prior, edit->name));
    else if (json && null)
        put(plan, edit->name, json);
}

void peer_edit_plan(peer_plan *plan)
{
    bool creates = lc_is_null(plan->prior), destroys = lc_is_null(plan->config);
    peer_change what = destroys ? DESTROYED : creates ? CREATED : PLANNED;
    EACH_EDIT(plan->call->p, edit)
    {
        if (edit->what != what || !lc_str_is(plan->call->schema->type_name, edit->in))
            continue;
        if (destroys)
            peer_error(plan->call, LC_STR_EMPTY, "Cannot be destroyed", LC_STR_EMPTY);
        else
            edit_plan(plan, edit);
    }
}
