/* What recorded calls say of objects by their identity: lists of their type are compared with it.
 * Copies, since calls are freed before the recording ends. */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

/* Objects that are remembered; a list is not compared with others. */
#define MOST_KNOWN 1000

static const lc_value *given(const lc_field *field)
{
    return lc_field_has_value(field) && !lc_is_null(field->value) &&
                   lc_is_wholly_known(field->value)
               ? field->value
               : NULL;
}

static lc_identified *find(lc_instances *all, const lc_schema *schema, const lc_value *identity)
{
    for (size_t i = 0; i < all->identified.count; i++) {
        lc_identified *o = &all->identified.items[i];
        if (o->schema == schema && lc_value_raw_equal(o->object.identity, identity))
            return o;
    }
    return NULL;
}

/* The object that a call had before it, by its values. */
static lc_identified *find_state(lc_instances *all, const lc_schema *schema, const lc_value *state)
{
    for (size_t i = 0; state && i < all->identified.count; i++) {
        lc_identified *o = &all->identified.items[i];
        if (o->schema == schema && o->object.state && lc_value_raw_equal(o->object.state, state))
            return o;
    }
    return NULL;
}

/* Without its identity it is open which object is gone, so none of the type must be listed. */
static void forget(lc_instances *all, const lc_recorded_call *r)
{
    const lc_value *prior = given(&r->call.prior_state);
    lc_identified *gone = find_state(all, r->schema, prior);
    for (size_t i = 0; i < all->identified.count; i++) {
        lc_identified *o = &all->identified.items[i];
        if (gone ? o == gone : o->schema == r->schema)
            o->object.created = false;
    }
    if (gone)
        gone->object.state = NULL;
}

static void remember(lc_instances *all, const lc_recorded_call *r, const lc_value *identity,
                     const lc_value *state)
{
    const lc_call *call = &r->call;
    bool creates = call->kind == LC_CALL_APPLY && lc_field_has_value(&call->prior_state) &&
                   lc_is_null(call->prior_state.value);
    lc_identified *known = find(all, r->schema, identity), *before = NULL;
    if (!creates)
        before = find_state(all, r->schema, given(&call->prior_state));
    if (before && before != known) /* another identity: that is a finding of its own */
        before->object = (lc_known_object){.identity = before->object.identity};
    if (!known) {
        if (all->identified.count >= MOST_KNOWN)
            return;
        known = LC_PUSH(all->arena, &all->identified, lc_identified);
        *known = (lc_identified){.schema = r->schema};
        known->object.identity = lc_value_copy(all->arena, identity, NULL);
    }
    known->object.loc = creates || !known->object.created ? call->loc : known->object.loc;
    known->object.created |= creates;
    known->object.state = lc_value_copy(all->arena, state, NULL);
}

void lc_lists_see(lc_instances *all, const lc_recorded_call *r)
{
    const lc_call *call = &r->call;
    bool changes = call->kind == LC_CALL_APPLY || call->kind == LC_CALL_DESTROY;
    if ((!changes && call->kind != LC_CALL_READ) || call->failed == LC_YES ||
        r->schema->kind != LC_KIND_RESOURCE || !lc_field_has_value(&call->result))
        return;
    const lc_value *identity = given(&call->identity), *state = given(&call->result);
    if (lc_is_null(call->result.value))
        forget(all, r);
    else if (identity && state)
        remember(all, r, identity, state);
}

void lc_lists_compare(const lc_instances *all, lc_recorded_call *r)
{
    for (size_t i = 0; i < all->identified.count; i++) {
        const lc_identified *o = &all->identified.items[i];
        if (o->schema == r->schema && (o->object.state || o->object.created))
            *LC_PUSH(r->arena, &r->call.list->known, lc_known_object) = o->object;
    }
}
