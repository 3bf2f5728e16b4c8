/* Stored objects by address, as a scenario about a whole run writes its state. */
#include "scenario/planning/answers_in_plan.h"
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

static const lc_key_row rows[] = {
    {"value", LC_SHAPE_OBJECT, false, "its value"},
    {"tainted", LC_SHAPE_FLAG, false, ""},
    {"create_before_destroy", LC_SHAPE_FLAG, false, "as it was stored"},
    {"skip_destroy", LC_SHAPE_FLAG, false, "as it was stored"},
    {"dependencies", LC_SHAPE_STRINGS, false, "addresses of resources, without keys"},
    {"sensitive", LC_SHAPE_PATHS, false, "paths that are stored as sensitive"},
    {"provider", LC_SHAPE_TEXT, false, "the address of its provider"},
    {"deposed", LC_SHAPE_STORED_OBJECTS, false, "objects that were set aside, by their keys"},
};
const lc_keyset lc_stored_object_keys = LC_KEYSET(rows);
#define KEYS (sizeof rows / sizeof *rows)

static bool read_flag(lc_in *in, bool *out, const lc_member *m)
{
    return !m || lc_in_bool(in, out, &m->value, "a flag");
}

static bool read_dependencies(lc_in *in, lc_run_prior *p, const lc_member *m)
{
    if (m && !lc_in_sequence(in, &m->value, "dependencies"))
        return false;
    for (uint32_t i = 0; m && i < m->value.count; i++) {
        const lc_node *item = &m->value.as.items[i];
        lc_address address;
        if (item->kind != LC_NODE_STRING)
            return lc_in_refuse(in, item, "a string is required here");
        if (!lc_in_address(in, &address, item->as.text, item->where))
            return false;
        *LC_PUSH(in->arena, &p->dependencies.list, lc_address) = address;
    }
    return true;
}

typedef struct reader {
    lc_in *in;
    lc_answers *answers; /* for schemas */
    lc_run_priors *out;
} reader;

static bool read_object(reader *r, const lc_member **found, const lc_address *address,
                        lc_str deposed, lc_loc loc)
{
    lc_in *in = r->in;
    lc_stored_value *object = LC_NEW(in->arena, lc_stored_value);
    lc_run_prior *p = lc_run_add_prior(r->out, in->arena, address, deposed, object);
    p->loc = loc;
    if (!read_flag(in, &p->tainted, found[1]) ||
        !read_flag(in, &p->create_before_destroy, found[2]) ||
        !read_flag(in, &p->skip_destroy, found[3]) || !read_dependencies(in, p, found[4]))
        return false;
    if (found[5] && !lc_in_path_list(in, &object->sensitive, &found[5]->value, "sensitive"))
        return false;
    if (found[6] && !lc_in_text(in, &p->provider, &found[6]->value, "provider"))
        return false;
    if (found[0])
        object->value = lc_in_object_at(in, r->answers, &found[0]->value, address);
    return true;
}

static bool read_deposed(reader *r, const lc_member *m, const lc_address *address)
{
    const lc_member *found[KEYS];
    if (!m)
        return true;
    if (!lc_in_mapping(r->in, &m->value, "deposed"))
        return false;
    for (uint32_t i = 0; i < m->value.count; i++) {
        const lc_member *d = &m->value.as.members[i];
        if (!lc_in_keys(r->in, found, &d->value, &lc_stored_object_keys, "an object") ||
            !read_object(r, found, address, d->key, lc_in_key_loc(r->in, d)))
            return false;
    }
    return true;
}

static bool read_instance(reader *r, const lc_member *m)
{
    const lc_member *found[KEYS];
    lc_address address;
    if (!lc_in_address(r->in, &address, m->key, m->where) ||
        !lc_in_keys(r->in, found, &m->value, &lc_stored_object_keys, "an object"))
        return false;
    /* Only deposed objects are written: there is no current one. */
    bool current = !found[7] || m->value.count > 1;
    if (current && !read_object(r, found, &address, LC_STR_EMPTY, lc_in_key_loc(r->in, m)))
        return false;
    return read_deposed(r, found[7], &address);
}

bool lc_in_stored_objects(lc_in *in, lc_run_priors *out, lc_answers *answers, const lc_node *node)
{
    reader r = {in, answers, out};
    if (!lc_in_mapping(in, node, "state"))
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < node->count; i++)
        ok &= read_instance(&r, &node->as.members[i]);
    return ok;
}
