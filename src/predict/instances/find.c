/* Look-ups: instances of modules by their addresses, keys by their strings, and the objects that an
 * instance has in the previous state. */
#include "predict/internal.h"

void lc_predict_index_key(lc_predictor *pred, lc_expansion *keys, size_t index)
{
    lc_buf text = {0};
    lc_key_add(&text, keys->list[index].key);
    lc_table_put_index(&keys->by_text, lc_buf_copy(pred->arena, &text), index);
    lc_buf_release(&text);
}

lc_module_instance *lc_predict_module_child(const lc_module_instance *m, const lc_module_step *step)
{
    const lc_call_instance *c = lc_table_get(&m->calls, step->name);
    lc_buf key = {0};
    lc_key_add(&key, step->key);
    size_t index = c ? lc_table_get_index(&c->keys.by_text, lc_buf_str(&key)) : LC_NO_INDEX;
    lc_buf_release(&key);
    return index != LC_NO_INDEX && c->children ? c->children[index] : NULL;
}

lc_module_instance *lc_predict_module_find(lc_predictor *pred, const lc_address *module)
{
    lc_module_instance *m = pred->root;
    for (size_t i = 0; m && i < module->module_count; i++)
        m = lc_predict_module_child(m, &module->modules[i]);
    return m;
}

lc_state_instance *lc_predict_state_instance(const lc_predictor *pred, lc_str address)
{
    lc_state_instance *instance = lc_table_get(&pred->state_instance_at, address);
    return instance && lc_str_eq(instance->text, address) ? instance : NULL;
}
