/* The value of references to a repeated resource of which not all instances are planned: in a
 * refresh-only plan, and with -target or -exclude. There the clients answer from the stored
 * objects, regardless of the block's keys: missing indices are unknown, missing keys are absent. */
#include "lifecheck/catalog/core_message.h"
#include "predict/object.h"

/* An instance that has an object. */
typedef struct part {
    lc_key key;
    lc_marked value;
} part;

struct lc_partial_instances {
    LC_VEC(part) parts;
    lc_table by_text;              /* key text -> index */
    int64_t length;                /* length of the tuple for count: largest index + 1 */
    const lc_undecided *undecided; /* the tuple would be too long; else NULL */
    lc_marked *tuple;              /* for count: the elements */
};

bool lc_predict_is_partial(const lc_predictor *pred, const lc_resource_instance *resource)
{
    return resource->config->mode == LC_MODE_MANAGED &&
           (pred->in->options.mode == LC_RUN_REFRESH_ONLY || pred->selection) &&
           (resource->keys.kind == REPEAT_COUNT || resource->keys.kind == REPEAT_EACH);
}

/* Adds an instance, unless its key is of the wrong kind for the repetition. */
static void add_part(lc_predictor *pred, lc_partial_instances *p, lc_repeat_kind kind, lc_key key,
                     lc_marked value)
{
    if (key.kind != (kind == REPEAT_COUNT ? LC_KEY_INT : LC_KEY_STRING) ||
        (key.kind == LC_KEY_INT && key.number < 0))
        return;
    *LC_PUSH(pred->arena, &p->parts, part) = (part){key, value};
    lc_buf text = {0};
    lc_key_add(&text, key);
    lc_table_put_index(&p->by_text, lc_buf_copy(pred->arena, &text), p->parts.count - 1);
    lc_buf_release(&text);
    if (kind == REPEAT_COUNT && key.number >= p->length)
        p->length = key.number + 1;
}

static void add_declared(lc_predictor *pred, lc_partial_instances *p,
                         const lc_resource_instance *resource)
{
    for (size_t i = 0; i < resource->keys.count; i++) {
        const lc_planned_instance *item = &resource->items[i];
        if (!item->absent)
            add_part(pred, p, resource->keys.kind, item->address.key,
                     item->value.value ? item->value
                                       : lc_marked_unknown(pred->arena, &lc_type_dynamic));
    }
}

/* Objects under keys that the block does not have, unless this plan deletes them. */
static void add_others(lc_predictor *pred, lc_partial_instances *p,
                       const lc_resource_instance *resource)
{
    const lc_state_instance_list *list =
        lc_table_get(&pred->by_config, lc_predict_config_text(pred, resource->config));
    const lc_address *module = &resource->module->address;
    for (size_t i = 0; list && i < list->list.count; i++) {
        lc_state_instance *instance = list->list.items[i];
        lc_buf text = {0};
        lc_key_add(&text, instance->address.key);
        bool declared = lc_table_get(&resource->keys.by_text, lc_buf_str(&text)) != NULL;
        lc_buf_release(&text);
        lc_marked value;
        if (!declared &&
            lc_module_path_eq(instance->address.modules, instance->address.module_count,
                              module->modules, module->module_count) &&
            lc_predict_orphan_stays(&value, pred, instance))
            add_part(pred, p, resource->keys.kind, instance->address.key, value);
    }
}

/* The length depends on stored indices, so it is limited. */
static void fill_tuple(lc_predictor *pred, lc_partial_instances *p)
{
    if (p->length > LC_MAX_INSTANCES) {
        p->undecided =
            lc_undecided_new(pred->arena, LC_STR("there are more instances than the limit"),
                             (lc_source_pos){NULL, 0, 0});
        return;
    }
    p->tuple = LC_NEW_ARRAY(pred->arena, lc_marked, (size_t)p->length);
    for (int64_t i = 0; i < p->length; i++)
        p->tuple[i] = lc_marked_unknown(pred->arena, &lc_type_dynamic);
    for (size_t i = 0; i < p->parts.count; i++)
        p->tuple[p->parts.items[i].key.number] = p->parts.items[i].value;
}

/* Computed once per resource, when the first reference needs it. */
static const lc_partial_instances *instances_of(lc_predictor *pred, lc_resource_instance *resource)
{
    if (resource->present)
        return resource->present;
    lc_partial_instances *p = LC_NEW(pred->arena, lc_partial_instances);
    lc_table_init(&p->by_text, pred->arena);
    add_declared(pred, p, resource);
    add_others(pred, p, resource);
    if (resource->keys.kind == REPEAT_COUNT)
        fill_tuple(pred, p);
    resource->present = p;
    return p;
}

/* The instance of one key. False: there is none. */
static bool find_instance(lc_marked *out, const lc_partial_instances *p, const lc_value *key,
                          bool counted)
{
    int64_t number;
    if (counted) {
        bool whole = key->type->kind == LC_TYPE_NUMBER && lc_num_to_int64(key->as.number, &number);
        if (!whole || number < 0 || number >= p->length)
            return false;
        *out = p->tuple[number];
        return true;
    }
    if (key->type->kind != LC_TYPE_STRING)
        return false;
    lc_buf text = {0};
    lc_key_add(&text, lc_key_string(key->as.string));
    size_t index = lc_table_get_index(&p->by_text, lc_buf_str(&text));
    lc_buf_release(&text);
    if (index != LC_NO_INDEX)
        *out = p->parts.items[index].value;
    return index != LC_NO_INDEX;
}

bool lc_predict_partial_self(lc_marked *out, lc_predictor *pred, lc_resource_instance *resource,
                             const lc_planned_instance *item)
{
    bool counted = resource->keys.kind == REPEAT_COUNT;
    lc_value key;
    if (counted)
        lc_value_set_number(&key, lc_num_from_int(item->address.key.number));
    else
        lc_value_set_string(&key, pred->arena, item->address.key.text);
    return find_instance(out, instances_of(pred, resource), &key, counted);
}

/* One instance if the reference has a key, else all in a tuple or object. */
bool lc_predict_partial_value(lc_predictor *pred, lc_resource_instance *resource, lc_lookup *ask)
{
    const lc_partial_instances *p = instances_of(pred, resource);
    bool counted = resource->keys.kind == REPEAT_COUNT;
    if (p->undecided) {
        ask->value = lc_undecided_value(pred->arena, p->undecided->reason, ask->reference->place);
        return true;
    }
    /* Without such an instance the evaluator finds that out, so that `try` can go on. */
    if (ask->key && find_instance(&ask->value, p, ask->key, counted)) {
        ask->took_key = true;
        return true;
    }
    if (counted) {
        ask->value = lc_predict_tuple(ask->arena, p->tuple, (size_t)p->length);
        return true;
    }
    lc_named_value *parts = LC_NEW_ARRAY(ask->arena, lc_named_value, p->parts.count);
    for (size_t i = 0; i < p->parts.count; i++)
        parts[i] = (lc_named_value){p->parts.items[i].key.text, p->parts.items[i].value};
    ask->value = lc_predict_object_value(ask->arena, parts, p->parts.count);
    return true;
}
