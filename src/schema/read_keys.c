/* Members and scalars of schemas. A document that a tool wrote may have members of later versions,
 * so unknown ones are ignored there. An inline schema is read strictly: an unknown key is a mistake
 * of its author, and ignoring it would hide that. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "schema/internal.h"

#include <string.h>

/* `where` is a byte offset for JSON, and a packed line and column for YAML. */
lc_loc lc_schema_loc(const lc_schema_reader *r, uint64_t where)
{
    return r->places ? lc_text_places_at(r->places, (size_t)where) : lc_where_loc(r->source, where);
}

void lc_schema_too_deep(lc_schema_reader *r, uint64_t where, const char *what)
{
    lc_diag_error(r->diags, lc_schema_loc(r, where), "%s is nested deeper than %d levels", what,
                  LC_MAX_DEPTH);
    r->status = LC_ELIMIT;
}

static void unknown_key(lc_schema_reader *r, const lc_member *member, const lc_schema_keyset *keys)
{
    lc_str names[SCHEMA_MAX_KEYS];
    for (size_t i = 0; i < keys->count; i++)
        names[i] = lc_str_from_c(keys->keys[i].name);
    lc_str near = lc_str_nearest(member->key, names, keys->count);
    if (near.len)
        schema_error(r, member->where, "%s has no key \"%.*s\"; did you mean \"%.*s\"?", keys->what,
                     LC_FMT(member->key), LC_FMT(near));
    else
        schema_error(r, member->where, "%s has no key \"%.*s\"", keys->what, LC_FMT(member->key));
}

bool lc_schema_read_mapping(lc_schema_reader *r, const lc_node *node, const char *what)
{
    if (node->tag) {
        schema_error(r, node->where, "%s takes no marker", what);
        return false;
    }
    if (node->kind == LC_NODE_MAPPING)
        return true;
    bool attribute = strcmp(what, "an attribute") == 0;
    schema_error(r, node->where, "%s is a mapping, not %s%s", what, lc_node_kind_name(node),
                 attribute ? ": write {type: string, optional: true}" : "");
    return false;
}

/* Keysets are small, so a linear search for each member is fast enough. */
bool lc_schema_members(lc_schema_reader *r, const lc_member **found, const lc_node *node,
                       const lc_schema_keyset *keys)
{
    LC_ASSERT(keys->count <= SCHEMA_MAX_KEYS);
    for (size_t i = 0; i < keys->count; i++)
        found[i] = NULL;
    if (!lc_schema_read_mapping(r, node, keys->what))
        return false;
    for (uint32_t m = 0; m < node->count; m++) {
        const lc_member *member = &node->as.members[m];
        size_t i = 0;
        while (i < keys->count && !lc_str_is(member->key, keys->keys[i].name))
            i++;
        if (i < keys->count && member->value.kind != LC_NODE_NULL)
            found[i] = member;
        else if (i == keys->count && r->strict)
            unknown_key(r, member, keys);
    }
    return true;
}

static void wrong_scalar(lc_schema_reader *r, const lc_member *member, const char *want)
{
    schema_error(r, member->value.where, "\"%.*s\" takes %s, not %s", LC_FMT(member->key), want,
                 member->value.tag ? "a marker" : lc_node_kind_name(&member->value));
}

void lc_schema_read_flag(lc_schema_reader *r, bool *out, const lc_member *member)
{
    if (!member)
        return;
    if (member->value.kind == LC_NODE_BOOL && !member->value.tag)
        *out = member->value.boolean;
    else
        wrong_scalar(r, member, "true or false");
}

/* Decimal digits with an optional minus, which is all that tools write. Accumulates negatively,
 * because INT64_MIN has no positive counterpart. */
static bool parse_integer(int64_t *out, lc_str text)
{
    bool negative = text.len && text.ptr[0] == '-';
    int64_t n = 0;
    if (text.len == (size_t)negative)
        return false;
    for (size_t i = negative; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || __builtin_mul_overflow(n, 10, &n) ||
            __builtin_sub_overflow(n, text.ptr[i] - '0', &n))
            return false;
    }
    *out = n;
    return negative || !__builtin_sub_overflow(0, n, out);
}

void lc_schema_read_integer(lc_schema_reader *r, int64_t *out, const lc_member *member)
{
    if (!member)
        return;
    bool number = member->value.kind == LC_NODE_NUMBER && !member->value.tag;
    if (number && parse_integer(out, member->value.as.text))
        return;
    if (number)
        schema_error(r, member->value.where, "\"%.*s\" takes a whole number in decimal digits",
                     LC_FMT(member->key));
    else
        wrong_scalar(r, member, "a whole number");
}

/* lc_nfc returns the text itself if nothing changes; then a copy is made, because nodes may be
 * freed before the schema. */
lc_str lc_schema_name(const lc_schema_reader *r, lc_str name)
{
    lc_str normal = lc_nfc(r->arena, name);
    return normal.ptr == name.ptr ? lc_str_copy(r->arena, name) : normal;
}
