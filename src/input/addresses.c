/* Addresses of recorded instances. Each value of the calls that some address has too leaves those
 * addresses only; one that is left in the end is the instance's. Values are compared whole, and
 * nothing is taken for granted where two instances look the same. */
#include "addresses.h"

#include "lifecheck/arena.h"
#include "lifecheck/buf.h"

#include "capture.h"

#define MAX_KNOWN 4096 /* objects of one type; with more, none gets an address */

/* A value that an address had at some time. */
typedef struct known {
    lc_str address;
    const lc_value *value;
    uint64_t hash;
    bool whole; /* wholly known */
} known;

typedef struct known_list {
    LC_VEC(known) list;
} known_list;

struct lc_addresses {
    lc_arena *arena;
    lc_schema_store *store;
    lc_capture_options options;
    lc_diags *diags;
    lc_table by_type; /* known_list, by kind and type */
    LC_VEC(lc_str) files;
    size_t asked, found;
};

lc_addresses *lc_addresses_new(lc_arena *arena, lc_schema_store *store,
                               const lc_capture_options *options, lc_diags *diags)
{
    lc_addresses *a = LC_NEW(arena, lc_addresses);
    a->arena = arena;
    a->store = store;
    a->options = *options;
    a->options.kept = true;
    a->diags = diags;
    lc_table_init(&a->by_type, arena);
    return a;
}

/* ---- What plans and states hold. */

static lc_str key_of(lc_arena *arena, const lc_schema *schema)
{
    return lc_str_printf(arena, "%d %.*s", (int)schema->kind, LC_FMT(schema->type_name));
}

static bool is_object(const lc_field *field)
{
    return lc_field_has_value(field) && lc_is_known(field->value) && !lc_is_null(field->value);
}

static void add_value(lc_addresses *a, known_list *list, lc_str address, const lc_field *field)
{
    if (!is_object(field) || list->list.count > MAX_KNOWN)
        return;
    *LC_PUSH(a->arena, &list->list, known) = (known){
        address, field->value, lc_value_hash(field->value), lc_is_wholly_known(field->value)};
}

static void collect(void *context, lc_scenario *scenario)
{
    lc_addresses *a = context;
    const lc_run *run = &scenario->subject.runs.items[0];
    if (scenario->subject.planning)
        return;
    lc_str key = key_of(a->arena, run->schema), address = scenario->subject.resource;
    known_list *list = lc_table_get(&a->by_type, key);
    if (!list) {
        list = LC_NEW(a->arena, known_list);
        lc_table_put(&a->by_type, key, list);
    }
    add_value(a, list, address, &run->prior_state);
    for (size_t i = 0; i < run->calls.count; i++)
        add_value(a, list, address, &run->calls.items[i].result);
}

/* What is broken here takes nothing away from the calls, so it is no error. */
static void warn(const lc_addresses *a, const lc_diags *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const lc_diag *d = &found->items[i];
        if (!lc_str_starts_with(d->message, LC_STR("no schema")))
            lc_diag_warning(a->diags, d->loc, "no addresses come of this: %.*s",
                            LC_FMT(d->message));
    }
}

void lc_addresses_take(lc_addresses *a, lc_str path)
{
    lc_str text;
    lc_diags found;
    lc_diags_init(&found, a->arena);
    if (lc_file_read(&text, a->arena, path, a->store->limits.input_bytes, &found) != LC_OK)
        return;
    lc_json_kind kind = lc_json_evidence(lc_str_sub(text, 0, text.len < 65536 ? text.len : 65536));
    if (kind == LC_JSON_OTHER)
        return;
    lc_json_evidence_read(kind, a->arena, a->store, path, text, &a->options, &found, collect, a);
    warn(a, &found);
    if (found.errors == 0)
        *LC_PUSH(a->arena, &a->files, lc_str) = path;
}

/* ---- Which address. */

/* Plans do not tell what is known about an unknown. */
static bool looks_same(const lc_value *a, const lc_value *b)
{
    if (lc_is_unknown(a) || lc_is_unknown(b))
        return lc_is_unknown(a) && lc_is_unknown(b);
    if (lc_value_raw_equal(a, b))
        return true;
    bool deep = !lc_is_null(a) && !lc_is_null(b) && a->type->kind == b->type->kind &&
                !lc_is_wholly_known(a) && !lc_is_wholly_known(b);
    bool members = a->type->kind == LC_TYPE_OBJECT || a->type->kind == LC_TYPE_LIST ||
                   a->type->kind == LC_TYPE_TUPLE;
    if (!deep || !members || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (!looks_same(&a->as.many.elems[i], &b->as.many.elems[i]))
            return false;
    }
    return true;
}

typedef LC_VEC(lc_str) candidates;

static bool holds(const candidates *list, lc_str address)
{
    for (size_t i = 0; i < list->count; i++) {
        if (lc_str_eq(list->items[i], address))
            return true;
    }
    return false;
}

/* The candidates that have this value too; all of them if no address has it. */
static void narrow(candidates *left, bool *any, lc_arena *scratch, const known_list *list,
                   const lc_field *field)
{
    candidates fit = {0};
    if (!is_object(field) || (*any && left->count == 0))
        return;
    bool whole = lc_is_wholly_known(field->value), matched = false;
    uint64_t hash = lc_value_hash(field->value);
    for (size_t i = 0; i < list->list.count; i++) {
        const known *k = &list->list.items[i];
        if (k->whole != whole || (whole && k->hash != hash) || !looks_same(field->value, k->value))
            continue;
        matched = true;
        if ((!*any || holds(left, k->address)) && !holds(&fit, k->address))
            *LC_PUSH(scratch, &fit, lc_str) = k->address;
    }
    if (!matched)
        return;
    *left = fit;
    *any = true;
}

lc_str lc_addresses_of(lc_addresses *a, const lc_run *run)
{
    candidates left = {0};
    bool any = false;
    lc_arena *scratch = lc_arena_new();
    const known_list *list = lc_table_get(&a->by_type, key_of(scratch, run->schema));
    a->asked++;
    for (size_t i = 0; list && list->list.count <= MAX_KNOWN && i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind == LC_CALL_VALIDATE)
            continue;
        narrow(&left, &any, scratch, list, &call->prior_state);
        narrow(&left, &any, scratch, list, &call->planned);
        narrow(&left, &any, scratch, list, &call->result);
    }
    lc_str address = left.count == 1 ? left.items[0] : LC_STR_EMPTY;
    a->found += address.len > 0;
    lc_arena_free(scratch);
    return address;
}

void lc_addresses_tell(const lc_addresses *a)
{
    lc_buf out = {0};
    for (size_t i = 0; i < a->files.count; i++)
        lc_buf_printf(&out, "%s%.*s", i ? ", " : "", LC_FMT(a->files.items[i]));
    lc_buf_printf(&out, ": addresses of %zu of %zu cases", a->found, a->asked);
    if (a->files.count)
        lc_used_add(a->options.used, &out);
    lc_buf_release(&out);
}
