/* Inputs of rules about calls outside the plain lifecycle (import, move, data sources, ephemeral
 * resources, actions, the wire): is an input that a rule needs stated in the case? */
#include "contract/judge.h"

static lc_fact fact(bool given)
{
    return given ? LC_YES : LC_NO;
}

static bool is_given(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN;
}

/* Does the import state what the rule looks at? The list of objects may be there while the objects
 * lack the member in question. An empty list is an answer of its own. */
static bool imported_has(lc_rule rule, const lc_call *call)
{
    if (!call->imported.items || call->imported.count == 0)
        return call->imported.items != NULL;
    const lc_imported *object = call->imported.items;
    switch ((int)rule) {
    case LC_RULE_WIRE_UNKNOWN_TYPE_NAME:
    case LC_RULE_IMPORT_TYPE_NAME_EMPTY:
    case LC_RULE_IMPORT_TYPE_NAME_OTHER:
        return object->has_type_name;
    case LC_RULE_IMPORT_NULL_STATE:
    case LC_RULE_IMPORT_STUB_EMPTY:
    case LC_RULE_IMPORT_STUB_UNKNOWN:
    case LC_RULE_IMPORT_NO_READ:
        return is_given(&object->state);
    default:
        return true;
    }
}

static bool came_as_bytes(const lc_field *field)
{
    return field->wire_msgpack || field->wire_json;
}

static bool bytes_are_known(const lc_call *call)
{
    bool known = came_as_bytes(&call->result) || came_as_bytes(&call->identity) ||
                 came_as_bytes(&call->generated_config) || came_as_bytes(&call->prepared_config);
    for (size_t i = 0; i < call->imported.count; i++)
        known = known || came_as_bytes(&call->imported.items[i].state) ||
                came_as_bytes(&call->imported.items[i].identity);
    return known;
}

/* An import has no result of its own: its response is the state of its objects. */
static bool imported_state_is_stated(const lc_call *call)
{
    return call->imported.count && call->imported.items[0].state.state != LC_FIELD_ABSENT;
}

static lc_fact given_by_call(lc_rule rule, lc_need need, const lc_call *call)
{
    switch ((int)need) {
    case LC_NEED_RPC_STATUS:
        return fact(call->broke != LC_NOT_KNOWN);
    case LC_NEED_WIRE_BYTES: /* values that are written out do not show bytes */
        if (rule != LC_RULE_WIRE_JSON_RESPONSE)
            return LC_NOT_KNOWN;
        return fact(bytes_are_known(call));
    case LC_NEED_RESPONSE:
        return call->kind == LC_CALL_IMPORT ? fact(imported_state_is_stated(call)) : LC_NOT_KNOWN;
    case LC_NEED_IMPORT_IMPORTED:
        return fact(imported_has(rule, call));
    case LC_NEED_IMPORT_GENERATED_CONFIG:
        return fact(call->generated_config.state != LC_FIELD_ABSENT || call->generate_loc.line);
    case LC_NEED_MOVE_SOURCE_STATE:
        return fact(call->raw.given && call->raw.has_attributes);
    case LC_NEED_MOVE_TARGET_STATE:
    case LC_NEED_DATA_STATE:
    case LC_NEED_OPEN_RESULT:
        return fact(is_given(&call->result));
    case LC_NEED_ACTION_EVENTS:
        return fact(call->streamed != LC_NOT_KNOWN);
    case LC_NEED_LIST_EVENTS:
        return fact(call->list != NULL);
    case LC_NEED_LIST_KNOWN:
        return fact(call->list && call->list->known.count);
    case LC_NEED_STORE_CALLS:
        return fact(call->store != NULL);
    case LC_NEED_DATA_PLANNED:
        return fact(is_given(&call->planned));
    default:
        return LC_NOT_KNOWN;
    }
}

/* Does the case state when the data source was read and, where that decides, whether changes of its
 * dependencies were pending? */
static bool time_is_known(const lc_run_view *v, lc_rule rule, const lc_call *call)
{
    bool unknown = v->config && !lc_is_wholly_known(v->config);
    bool settles = rule == LC_RULE_DATA_READ_EARLY && unknown;
    bool timed = call->applying != LC_NOT_KNOWN;
    return settles ? timed || call->config.state == LC_FIELD_GIVEN
                   : timed && v->run->depends_on_pending != LC_NOT_KNOWN;
}

/* One of the calls that a run makes is enough. */
static lc_fact given_by_functions(const lc_run *run, lc_need need)
{
    bool given = false;
    for (size_t i = 0; i < run->calls.count && !given; i++) {
        const lc_function_call *f = run->calls.items[i].function;
        given = f && (need == LC_NEED_FUNCTION_RESULT ? f->result.state != LC_FIELD_ABSENT
                                                      : f->has_arguments);
    }
    return fact(given);
}

lc_fact lc_given_to_rule(const lc_judge *j, lc_rule rule, lc_need need, lc_call_kind kind)
{
    const lc_call *call = j->view->call[kind];
    if (rule == LC_RULE_WIRE_UNKNOWN_TYPE_NAME && need == LC_NEED_SCHEMA)
        return fact(j->view->schema->types != NULL);
    /* A failed plan is as good evidence about an import as a successful one. */
    if (rule == LC_RULE_IMPORT_PARTIAL_PLAN && need == LC_NEED_PLANNED_STATE && call &&
        call->failed == LC_YES)
        return LC_YES;
    /* without `capabilities` a scenario leaves only those open that no other rule needs */
    if ((rule == LC_RULE_MOVE_UNSUPPORTED || rule == LC_RULE_IMPORT_GENERATE_WITHOUT_CAPABILITY) &&
        need == LC_NEED_CAPABILITIES)
        return fact(j->view->run->capabilities.move_resource_state != LC_NOT_KNOWN);
    if (need == LC_NEED_FUNCTION_RESULT || need == LC_NEED_FUNCTION_ARGUMENTS)
        return given_by_functions(j->view->run, need);
    if (need == LC_NEED_STORE_BYTES)
        return fact(lc_store_has_bytes(j->view->run));
    if (kind == LC_CALL_DATA && need == LC_NEED_CALLS && call)
        return fact(time_is_known(j->view, rule, call));
    return call ? given_by_call(rule, need, call) : LC_NOT_KNOWN;
}
