/* Which provider instance each resource instance uses, and which ones nothing uses: as JSON, for
 * reports. */
#include "lifecheck/arena.h"
#include "lifecheck/provider_config.h"

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
        return LC_STR("the default of a module around");
    case LC_USE_IMPLIED:
        return LC_STR("no provider block: empty configuration");
    }
    return LC_STR_EMPTY;
}

/* ---- Configurations that nobody uses. */

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
        if (!c->block || (c->repeats && document))
            continue;
        for (size_t k = 0; c->repeats && k < c->keys.list.count; k++)
            add_unused_instance(out, arena, &used, c, &c->keys.list.items[k]);
        if (!c->repeats)
            add_unused_instance(out, arena, &used, c, NULL);
    }
}

/* ---- JSON. */

static void add_text(lc_buf *out, const char *name, lc_str text)
{
    lc_buf_printf(out, ",\"%s\":", name);
    lc_buf_add_json(out, text, false);
}

static void add_loc(lc_buf *out, lc_loc loc)
{
    if (!loc.line)
        return;
    add_text(out, "file", loc.file);
    lc_buf_printf(out, ",\"line\":%u", (unsigned)loc.line);
}

static void add_use(lc_buf *out, lc_arena *arena, const lc_provider_use *use)
{
    lc_buf_add_c(out, out->len ? ",{\"address\":" : "[{\"address\":");
    lc_buf_add_json(out, use->text, false);
    if (use->state == LC_USE_RESOLVED)
        add_text(out, "provider", instance_text(arena, use));
    else
        lc_buf_add_c(out, ",\"provider\":null");
    if (use->state == LC_USE_UNDECIDED) {
        add_text(out, "by", lc_str_printf(arena, "cannot tell: %.*s", LC_FMT(use->undecided)));
        add_loc(out, use->undecided_place.source ? lc_source_pos_loc(use->undecided_place)
                                                 : (lc_loc){LC_STR_EMPTY, 0, 0});
    } else {
        add_text(out, "by",
                 use->state == LC_USE_FAILED ? use->summary : lc_provider_use_way(arena, use));
    }
    lc_buf_add_char(out, '}');
}

void lc_provider_model_add_json(lc_buf *out, lc_arena *arena, const lc_provider_model *model)
{
    lc_provider_unused unused;
    for (size_t i = 0; i < model->uses.count; i++)
        add_use(out, arena, &model->uses.items[i]);
    lc_provider_find_unused(&unused, arena, model);
    for (size_t i = 0; i < unused.list.count; i++) {
        lc_buf_add_c(out, out->len ? ",{\"provider\":" : "[{\"provider\":");
        lc_buf_add_json(out, unused.list.items[i].address, false);
        lc_buf_add_c(out, ",\"unused\":true");
        add_loc(out, unused.list.items[i].loc);
        lc_buf_add_char(out, '}');
    }
    if (out->len)
        lc_buf_add_char(out, ']');
}
