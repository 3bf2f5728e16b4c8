/* List resources: the objects of a type, what a read gives for each of their identities, and
 * whether what was created is among them. Only Terraform makes these calls. */
#include "drive/driver.h"

#include "lifecheck/base/arena.h"

/* As `terraform query` without a limit of its own. */
#define USUAL_LIMIT 100
/* For finding an object again: one that is listed later is not found. */
#define SEARCH_LIMIT 1000

/* ---- The configuration of a list. */

static bool is_required(const lc_block *block)
{
    bool required = false;
    for (size_t i = 0; i < block->attribute_count; i++)
        required |= block->attributes[i].required;
    for (size_t i = 0; i < block->block_count; i++)
        required |= block->blocks[i].min_items > 0;
    return required;
}

/* Of the list that is to find what was created. NULL: there is none, and why was reported. */
static const lc_value *configuration(lc_turn *t, const lc_schema *list)
{
    if (t->list)
        return t->list_config;
    if (t->driving && t->driving->list)
        return lc_turn_read_config(t, t->driving->list, t->driving->source, list);
    if (!is_required(list->block))
        return lc_block_empty_value(t->arena, list->block);
    lc_turn_report(t, "it is not known whether the created object is listed: the list resource "
                      "needs a configuration; give it as `list` of `drive`");
    return NULL;
}

/* ---- Lists. */

static int64_t limit_of(const lc_turn *t)
{
    const lc_call *given = t->in ? lc_run_call(t->in, LC_CALL_LIST) : NULL;
    return given && given->list->limit > 0 ? given->list->limit : USUAL_LIMIT;
}

static void ask_list(lc_turn *t, const lc_list_question *question, const lc_known_object *known,
                     size_t count)
{
    lc_call call;
    lc_client_list(t->client, &call, t->arena, t->schema, question, lc_turn_loc(t, LC_CALL_LIST));
    for (size_t i = 0; i < count; i++)
        *LC_PUSH(t->arena, &call.list->known, lc_known_object) = known[i];
    lc_turn_add(t, &call, LC_CALL_LIST);
    if (call.list->events.count >= (uint64_t)question->limit)
        lc_turn_report(
            t,
            "the list has reached its limit of %lld: whether there are more objects is not "
            "known",
            (long long)question->limit);
}

/* Why nothing is listed; NULL: it can be. */
static const char *hindrance(const lc_turn *t, const lc_schema *managed)
{
    const lc_value *config = lc_turn_value(&t->out->config);
    if (t->driver->options.as == LC_OPENTOFU)
        return "OpenTofu has no list resources; nothing is listed";
    if (!managed || !managed->identity_type)
        return "nothing is listed: the managed type has no identity schema";
    if (!config || !lc_is_wholly_known(config))
        return "nothing is listed: the configuration has unknown values, or is not given";
    return NULL;
}

void lc_turn_list(lc_turn *t)
{
    const lc_schema *managed =
        lc_client_schema(t->driver->validator, LC_KIND_RESOURCE, t->schema->type_name);
    const char *why = hindrance(t, managed);
    if (!lc_turn_may_call(t, LC_CALL_LIST))
        return;
    if (why) {
        lc_turn_report(t, "%s", why);
        return;
    }
    if (!lc_turn_begin(t, LC_WALK_PLAN))
        return;
    t->list = t->schema;
    t->list_config = t->out->config.value;
    t->out->config = (lc_field){0};
    t->out->schema = t->schema = managed;
    lc_list_question question = {t->list, t->list_config, limit_of(t), false};
    ask_list(t, &question, NULL, 0);
    lc_turn_end(t);
}

size_t lc_turn_listed(const lc_turn *t, const lc_value **out, size_t most, size_t *more)
{
    const lc_call *call = lc_run_call(t->out, LC_CALL_LIST);
    size_t count = 0;
    *more = 0;
    for (size_t i = 0; call && i < call->list->events.count; i++) {
        const lc_value *identity = lc_turn_value(&call->list->events.items[i].identity);
        if (lc_turn_is_null(identity) || !lc_is_wholly_known(identity))
            continue;
        if (count < most)
            out[count++] = identity;
        else
            ++*more;
    }
    return count;
}

/* ---- What the other calls say of an object. */

void lc_turn_read_listed(lc_turn *t, const lc_value *identity, lc_known_object *known)
{
    lc_call call;
    *known = (lc_known_object){.loc = t->out->loc, .identity = identity};
    if (!lc_turn_may_call(t, LC_CALL_IMPORT))
        return;
    lc_client_import(t->client, &call, t->arena, t->schema, LC_STR_EMPTY, identity, t->out->loc);
    const lc_call *import = lc_turn_add(t, &call, LC_CALL_IMPORT);
    const lc_imported *first = import->imported.count == 1 ? import->imported.items : NULL;
    if (!first || lc_turn_is_null(lc_turn_value(&first->state)) ||
        !lc_turn_may_call(t, LC_CALL_READ))
        return;
    lc_stored_object stored = {first->state.value, lc_turn_value(&first->identity),
                               first->private_data};
    lc_client_read(t->client, &call, t->arena, t->schema, &stored, t->out->loc);
    const lc_call *read = lc_turn_add(t, &call, LC_CALL_READ);
    if (read->failed != LC_YES && !lc_turn_is_null(lc_turn_value(&read->result)))
        known->state = read->result.value;
}

void lc_turn_list_known(lc_turn *t, const lc_known_object *known, size_t count)
{
    const lc_schema *list =
        lc_client_schema(t->driver->validator, LC_KIND_LIST, t->schema->type_name);
    if (!list || !lc_turn_may_call(t, LC_CALL_LIST) || t->driver->options.as == LC_OPENTOFU)
        return;
    const lc_value *config = configuration(t, list);
    if (!config)
        return;
    lc_list_question question = {list, config, t->list ? limit_of(t) : SEARCH_LIMIT, true};
    ask_list(t, &question, known, count);
}
