/* The JSON of the model for reports: which provider instance each resource instance uses, and which
 * ones are unused. */
#include "lifecheck/base/arena.h"
#include "lifecheck/provider_config/provider_config.h"

lc_str lc_provider_use_way(lc_arena *arena, const lc_provider_use *use)
{
    switch (use->way) {
    case LC_USE_NAMED:
        return use->reference;
    case LC_USE_PASSED:
        return lc_str_printf(arena, "passed as %.*s", LC_FMT(use->reference));
    case LC_USE_DEFAULT:
        return LC_STR("the module's default");
    case LC_USE_INHERITED:
        return LC_STR("the default of a calling module");
    case LC_USE_IMPLIED:
        return LC_STR("no provider block: empty configuration");
    }
    return LC_STR_EMPTY;
}

/* ---- Unused configurations. */

/* `one` is the instance of a repeated block; NULL: the block is not repeated. */
static void add_unused_instance(lc_provider_unused *out, lc_arena *arena, const lc_table *used,
                                const lc_provider_config *c, const lc_repetition *one)
{
    lc_provider_use use = {.config = c, .keyed = one != NULL};
    lc_provider_address a;
    if (one)
        use.key = one->key.text;
    lc_provider_use_address(&a, &use);
    lc_str text = lc_provider_address_text(arena, &a);
    if (!lc_table_get(used, text))
        *LC_PUSH(arena, &out->list, lc_provider_idle) =
            (lc_provider_idle){text, lc_source_pos_loc(c->block->place)};
}

static lc_str instance_text(lc_arena *arena, const lc_provider_use *use)
{
    lc_provider_address a;
    lc_provider_use_address(&a, use);
    return lc_provider_address_text(arena, &a);
}

void lc_provider_find_unused(lc_provider_unused *out, lc_arena *arena,
                             const lc_provider_model *model)
{
    lc_table used;
    *out = (lc_provider_unused){0};
    lc_table_init(&used, arena);
    for (size_t i = 0; i < model->uses.count; i++) {
        if (model->uses.items[i].state == LC_USE_UNDECIDED)
            return;
        if (model->uses.items[i].state == LC_USE_RESOLVED)
            lc_table_put(&used, instance_text(arena, &model->uses.items[i]), arena);
    }
    for (size_t i = 0; i < model->configs.count; i++) {
        const lc_provider_config *c = model->configs.items[i];
        bool document = model->config->profile == LC_PROFILE_DOCUMENT;
        /* The document's instances are configurations of their own. */
        if (!c->block || (c->repeats && document))
            continue;
        for (size_t k = 0; c->repeats && k < c->keys.list.count; k++)
            add_unused_instance(out, arena, &used, c, &c->keys.list.items[k]);
        if (!c->repeats)
            add_unused_instance(out, arena, &used, c, NULL);
    }
}

/* ---- JSON. */

static void add_loc(lc_json *w, lc_loc loc)
{
    if (!loc.line)
        return;
    lc_json_str(w, "file", loc.file);
    lc_json_uint(w, "line", loc.line);
}

static void add_use(lc_json *w, lc_arena *arena, const lc_hidden_keys *hidden,
                    const lc_provider_use *use)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "address", lc_hidden_text(hidden, use->text));
    if (use->state == LC_USE_RESOLVED)
        lc_json_str(w, "provider", lc_hidden_text(hidden, instance_text(arena, use)));
    else
        lc_json_null(w, "provider");
    if (use->state == LC_USE_UNDECIDED) {
        lc_json_str(w, "by", lc_str_printf(arena, "undecided: %.*s", LC_FMT(use->undecided)));
        add_loc(w, use->undecided_place.source ? lc_source_pos_loc(use->undecided_place)
                                               : (lc_loc){LC_STR_EMPTY, 0, 0});
    } else {
        lc_json_str(w, "by",
                    use->state == LC_USE_FAILED ? use->summary : lc_provider_use_way(arena, use));
    }
    lc_json_end_object(w);
}

void lc_provider_model_add_json(lc_buf *out, lc_arena *arena, const lc_provider_model *model)
{
    lc_provider_unused unused;
    lc_json w = {.out = out};
    lc_provider_find_unused(&unused, arena, model);
    if (!model->uses.count && !unused.list.count)
        return;
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < model->uses.count; i++)
        add_use(&w, arena, &model->hidden, &model->uses.items[i]);
    for (size_t i = 0; i < unused.list.count; i++) {
        lc_json_object(&w, NULL);
        lc_json_str(&w, "provider", lc_hidden_text(&model->hidden, unused.list.items[i].address));
        lc_json_bool(&w, "unused", true);
        add_loc(&w, unused.list.items[i].loc);
        lc_json_end_object(&w);
    }
    lc_json_end_array(&w);
}
