/* What a prediction records and looks up while it is made: errors, changes, and objects of the
 * previous state. */
#include "lifecheck/base/key.h"
#include "predict/internal.h"

/* The tables after these functions. */
struct notes {
    lc_table lines;      /* the bytes of a pointer to a source -> lc_lines */
    lc_table changes_of; /* see lc_predict_changes_of */
    size_t listed;       /* number of changes that are in changes_of */
    lc_table pending;    /* results of lc_predict_is_pending */
};

void lc_predict_notes_start(lc_predictor *pred)
{
    pred->notes = LC_NEW(pred->arena, struct notes);
    lc_table_init(&pred->notes->lines, pred->arena);
    lc_table_init(&pred->notes->changes_of, pred->arena);
    lc_table_init(&pred->notes->pending, pred->arena);
}

/* ---- Places and errors. */

lc_loc lc_predict_loc(lc_predictor *pred, lc_source_pos place)
{
    if (!place.source)
        return (lc_loc){LC_STR_EMPTY, 0, 0};
    lc_str key = LC_BYTES_OF(place.source);
    const lc_lines **lines = lc_table_get(&pred->notes->lines, key);
    if (!lines) {
        lines = LC_NEW(pred->arena, const lc_lines *);
        *lines = lc_lines_new(pred->arena, place.source);
        lc_table_put(&pred->notes->lines, lc_str_copy(pred->arena, key), lines);
    }
    return lc_source_pos_loc_in(*lines, place);
}

/* The errors whose line is quoted: finding it takes time in proportion to its file. */
#define MOST_QUOTES 100

lc_run_error *lc_predict_error(lc_predictor *pred, lc_str summary, lc_str address,
                               lc_source_pos place)
{
    lc_run_error *e = LC_PUSH(pred->arena, &pred->out->errors, lc_run_error);
    e->summary = lc_str_copy(pred->arena, summary);
    e->address = address;
    e->loc = lc_predict_loc(pred, place);
    if (pred->out->errors.count <= MOST_QUOTES)
        e->quote = lc_source_pos_quote(pred->arena, place);
    return e;
}

/* ---- Changes. */

static void list_under(lc_predictor *pred, lc_str key, uint32_t index)
{
    lc_id_list *list = lc_table_get(&pred->notes->changes_of, key);
    if (!list) {
        list = LC_NEW(pred->arena, lc_id_list);
        lc_table_put(&pred->notes->changes_of, key, list);
    }
    *LC_PUSH(pred->arena, list, uint32_t) = index;
}

/* Each change is found by its resource in one module instance, and in all of them. */
static void list_change(lc_predictor *pred, uint32_t index)
{
    const lc_address *address = &pred->out->changes.items[index].address;
    lc_address resource = lc_address_resource(address);
    lc_address config = lc_address_config(pred->arena, address);
    list_under(pred, lc_address_text(pred->arena, &resource), index);
    list_under(pred,
               lc_str_printf(pred->arena, "@%.*s", LC_FMT(lc_address_text(pred->arena, &config))),
               index);
}

/* Changes are indexed lazily, because their addresses are only complete after they are appended. */
const lc_id_list *lc_predict_changes_of(lc_predictor *pred, lc_str key)
{
    while (pred->notes->listed < pred->out->changes.count)
        list_change(pred, (uint32_t)pred->notes->listed++);
    return lc_table_get(&pred->notes->changes_of, key);
}

lc_run_change *lc_predict_change(lc_predictor *pred, const lc_address *address, lc_str text,
                                 lc_str deposed)
{
    lc_prediction *out = pred->out;
    uint32_t index = (uint32_t)out->changes.count;
    lc_run_change *c = LC_PUSH(pred->arena, &out->changes, lc_run_change);
    c->address = *address;
    c->text = text;
    c->deposed = deposed;
    c->trigger = -1;
    lc_table_put_index(&out->index, lc_plan_key(pred->arena, text, deposed), index);
    return c;
}

const lc_run_change *lc_run_find(const lc_prediction *result, lc_str address, lc_str deposed)
{
    lc_buf key = {0};
    lc_buf_add_str(&key, address);
    if (deposed.len) {
        lc_buf_add_char(&key, ' ');
        lc_buf_add_str(&key, deposed);
    }
    size_t index = lc_table_get_index(&result->index, lc_buf_str(&key));
    lc_buf_release(&key);
    return index != LC_NO_INDEX ? &result->changes.items[index] : NULL;
}

/* `open` is the beginning of the address, up to a whole step or key. */
bool lc_run_is_open(const lc_prediction *result, lc_str address)
{
    for (size_t i = 0; i < result->open.count; i++) {
        lc_str open = result->open.items[i].address;
        char next = address.len > open.len ? address.ptr[open.len] : '.';
        if (lc_str_starts_with(address, open) && (next == '.' || next == '['))
            return true;
    }
    return false;
}

/* ---- Blocks. */

lc_str lc_predict_config_text(const lc_predictor *pred, const lc_config_resource *resource)
{
    lc_str path = resource->module->path;
    return lc_address_below(pred->arena, path, resource->address);
}

/* ---- Pending changes. */

/* A change with several possible actions may be pending. */
static lc_pending of_change(const lc_run_change *c)
{
    unsigned quiet = LC_PLAN_BIT(LC_PLAN_NOOP);
    if (!(c->possible & quiet))
        return PENDING;
    return c->possible == quiet ? NOT_PENDING : MAYBE_PENDING;
}

/* Within one module only changes in the same module instance count, as in the cores; otherwise all
 * do. The result is remembered: many data sources ask about one resource, and all its changes are
 * planned before they are. */
lc_pending lc_predict_is_pending(lc_predictor *pred, const lc_config_resource *resource,
                                 const lc_module_instance *seen_from)
{
    bool same = resource->module == seen_from->config;
    lc_str text = lc_predict_config_text(pred, resource);
    lc_str key = lc_str_printf(pred->arena, "%.*s %.*s", LC_FMT(text),
                               LC_FMT(same ? seen_from->text : LC_STR("*")));
    size_t known = lc_table_get_index(&pred->notes->pending, key);
    if (known != LC_NO_INDEX)
        return (lc_pending)known;
    lc_str here_text = lc_address_below(pred->arena, seen_from->text, resource->address);
    lc_str all = lc_str_printf(pred->arena, "@%.*s", LC_FMT(text));
    const lc_id_list *list = lc_predict_changes_of(pred, same ? here_text : all);
    lc_pending found = NOT_PENDING;
    for (size_t i = 0; list && i < list->count && found != PENDING; i++) {
        const lc_run_change *c = &pred->out->changes.items[list->items[i]];
        if (c->deposed.len)
            continue; /* nothing depends on a deposed object */
        lc_pending one = of_change(c);
        found = one > found ? one : found;
    }
    const lc_resource_instance *here =
        same ? lc_table_get(&seen_from->resources, resource->address) : NULL;
    if (here && here->keys.undecided && found == NOT_PENDING)
        found = MAYBE_PENDING;
    lc_table_put_index(&pred->notes->pending, key, found);
    return found;
}
