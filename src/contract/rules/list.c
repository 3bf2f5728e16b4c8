/* Family list: what ListResource reports of objects. Only what a client reads of the stream is
 * judged: Terraform stops at an error diagnostic, and at the limit of the request. Values of
 * objects are not shown, only where they differ. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "lifecheck/base/table.h"

static lc_finding *emit(lc_judge *j, lc_rule rule, const lc_call *call, const lc_listed *event,
                        lc_str note)
{
    return lc_emit_aside(j, rule, call, event->loc.line ? event->loc : call->loc, note);
}

/* `event 2: WORDS`; events count from 1. */
static lc_str at_event(const lc_judge *j, size_t i, const char *words)
{
    return lc_str_printf(j->scratch, "event %zu: %s", i + 1, words);
}

/* ---- Which events are read. */

/* The number of events that Terraform reads; what follows is not judged but reported once. */
static size_t count_read(lc_judge *j, const lc_call *call)
{
    const lc_list_call *list = call->list;
    for (size_t i = 0; i < list->events.count; i++) {
        const lc_listed *e = &list->events.items[i];
        if (list->limit > 0 && i >= (uint64_t)list->limit) {
            emit(j, LC_RULE_LIST_BEYOND_LIMIT, call, e,
                 lc_str_printf(j->scratch, "%zu events, though the limit of the request is %lld",
                               list->events.count, (long long)list->limit));
            return i;
        }
        if (!e->failed)
            continue;
        if (i + 1 < list->events.count)
            emit(j, LC_RULE_LIST_AFTER_ERROR, call, &e[1],
                 lc_str_printf(j->scratch,
                               "event %zu has an error, and %zu more follow, which are not read",
                               i + 1, list->events.count - i - 1));
        return i;
    }
    return list->events.count;
}

/* ---- Identities. */

static bool may_lack_identity(const lc_list_call *list, size_t i)
{
    for (size_t k = 0; k <= i; k++) {
        if (list->events.items[k].warned)
            return true; /* an event of a warning, or any after it */
    }
    return false;
}

static void judge_missing(lc_judge *j, const lc_call *call, size_t i)
{
    const lc_listed *e = &call->list->events.items[i];
    if (e->identity.state != LC_FIELD_ABSENT || may_lack_identity(call->list, i))
        return;
    lc_finding *f = emit(j, LC_RULE_LIST_IDENTITY_MISSING, call, e,
                         at_event(j, i, "the object has no identity"));
    lc_finding_quote(
        j, f, LC_TF, "",
        lc_str_printf(j->scratch, LC_DETAIL_LIST_IDENTITY, LC_FMT(j->view->schema->type_name)));
}

static void judge_decoded(lc_judge *j, const lc_call *call, size_t i, const lc_field *field,
                          const char *what)
{
    const lc_listed *e = &call->list->events.items[i];
    if (field->state == LC_FIELD_UNDECODABLE)
        emit(j, LC_RULE_LIST_EVENT_DECODE, call, e,
             lc_str_printf(j->scratch, "event %zu: its %s cannot be read by the schema: %.*s",
                           i + 1, what, LC_FMT(field->problem.message)));
}

/* The identity of an event, if it is one that an object can have. */
static const lc_value *identity_of(const lc_listed *e)
{
    const lc_field *field = &e->identity;
    return lc_field_has_value(field) && !lc_is_null(field->value) &&
                   lc_is_wholly_known(field->value)
               ? field->value
               : NULL;
}

static void judge_known(lc_judge *j, const lc_call *call, size_t i)
{
    const lc_listed *e = &call->list->events.items[i];
    if (lc_field_has_value(&e->identity) && !identity_of(e))
        emit(j, LC_RULE_LIST_IDENTITY_UNKNOWN, call, e,
             at_event(j, i,
                      lc_is_null(e->identity.value) ? "the identity is null"
                                                    : "a part of the identity is unknown"));
}

/* ---- Identities by value, found by their hash. */

typedef struct seen {
    const lc_value *identity;
    size_t event;
    const struct seen *before; /* another one with the same hash */
} seen;

static const seen *find(lc_table *table, const lc_value *identity)
{
    uint64_t hash = lc_value_hash(identity);
    const seen *s = lc_table_get(table, LC_BYTES_OF(hash));
    while (s && !lc_value_raw_equal(s->identity, identity))
        s = s->before;
    return s;
}

static void remember(lc_judge *j, lc_table *table, const lc_value *identity, size_t event)
{
    uint64_t hash = lc_value_hash(identity);
    seen *s = LC_NEW(j->scratch, seen);
    *s = (seen){identity, event, lc_table_get(table, LC_BYTES_OF(hash))};
    lc_table_put(table, lc_str_copy(j->scratch, LC_BYTES_OF(hash)), s);
}

static void judge_repeated(lc_judge *j, const lc_call *call, lc_table *table, size_t i)
{
    const lc_listed *e = &call->list->events.items[i];
    const lc_value *identity = identity_of(e);
    const seen *first = identity ? find(table, identity) : NULL;
    if (first)
        emit(j, LC_RULE_LIST_IDENTITY_REPEATED, call, e,
             lc_str_printf(j->scratch, "events %zu and %zu have the same identity",
                           first->event + 1, i + 1));
    else if (identity)
        remember(j, table, identity, i);
}

/* ---- Objects. */

/* The first attribute or block in which two objects differ; "": none, or not known. */
static lc_str difference(const lc_value *a, const lc_value *b)
{
    const lc_type *type = a->type;
    if (type->kind != LC_TYPE_OBJECT || b->type->kind != LC_TYPE_OBJECT || !lc_is_known(a) ||
        !lc_is_known(b) || a->count != b->count)
        return LC_STR_EMPTY;
    for (size_t i = 0; i < a->count; i++) {
        if (!lc_value_raw_equal(&a->as.many.elems[i], &b->as.many.elems[i]))
            return type->as.attrs[i].name;
    }
    return LC_STR_EMPTY;
}

/* What gave a known object. In a scenario that is driven all calls have the same line. */
static lc_str by(const lc_judge *j, const lc_known_object *o, const lc_call *call)
{
    if (o->loc.line == call->loc.line)
        return o->created ? LC_STR("an apply") : LC_STR("a read");
    return lc_str_printf(j->scratch, "line %u", o->loc.line);
}

static void judge_object(lc_judge *j, const lc_call *call, size_t i)
{
    const lc_listed *e = &call->list->events.items[i];
    bool given = lc_field_has_value(&e->object) && !lc_is_null(e->object.value);
    if (call->list->include_object && !given && e->object.state != LC_FIELD_UNDECODABLE &&
        e->identity.state != LC_FIELD_ABSENT)
        emit(j, LC_RULE_LIST_OBJECT_MISSING, call, e,
             at_event(j, i, "the object was requested, but is missing"));
    const lc_value *identity = given ? identity_of(e) : NULL;
    for (size_t k = 0; identity && k < call->list->known.count; k++) {
        const lc_known_object *o = &call->list->known.items[k];
        if (!o->state || !lc_value_raw_equal(o->identity, identity))
            continue;
        lc_str name = difference(o->state, e->object.value);
        if (name.len)
            emit(j, LC_RULE_LIST_OBJECT_DIFFERS, call, e,
                 lc_str_printf(j->scratch,
                               "event %zu: .%.*s is not what %.*s gave for the same identity",
                               i + 1, LC_FMT(name), LC_FMT(by(j, o, call))));
    }
}

/* ---- What was created. */

static bool is_whole(const lc_list_call *list, size_t read)
{
    bool cut = list->limit > 0 && list->events.count >= (uint64_t)list->limit;
    return !list->filtered && !cut && read == list->events.count;
}

static void judge_created(lc_judge *j, const lc_call *call, lc_table *table, size_t read)
{
    if (!is_whole(call->list, read) || call->failed == LC_YES)
        return;
    for (size_t k = 0; k < call->list->known.count; k++) {
        const lc_known_object *o = &call->list->known.items[k];
        if (o->created && !find(table, o->identity))
            lc_emit_aside(j, LC_RULE_LIST_CREATED_MISSING, call, call->loc,
                          lc_str_printf(j->scratch,
                                        "the object that %.*s created is not in the list",
                                        LC_FMT(by(j, o, call))));
    }
}

static void judge_list(lc_judge *j, const lc_call *call)
{
    lc_table table;
    lc_table_init(&table, j->scratch);
    size_t read = count_read(j, call);
    for (size_t i = 0; i < read; i++) {
        const lc_listed *e = &call->list->events.items[i];
        judge_missing(j, call, i);
        judge_decoded(j, call, i, &e->identity, "identity");
        judge_decoded(j, call, i, &e->object, "object");
        judge_known(j, call, i);
        judge_repeated(j, call, &table, i);
        judge_object(j, call, i);
    }
    judge_created(j, call, &table, read);
}

void lc_judge_list(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].list && run->calls.items[i].broke != LC_YES)
            judge_list(j, &run->calls.items[i]);
    }
}
