/* Messages and fields of a newer protocol, which a recorder keeps as bytes. */
#include "lifecheck/recording/protojson.h"
#include "lifecheck/wire/wire.h"

bool lc_pj_is_raw(const lc_node *message)
{
    return lc_node_is(lc_pj_get(message, "raw"), LC_NODE_STRING);
}

/* Maps have names of the provider as keys, such as a type that is called unknown_fields; those have
 * other values. */
bool lc_pj_is_unknown_fields(const lc_member *m)
{
    const lc_node *v = &m->value;
    return lc_pj_is_name(m->key, LC_WIRE_UNKNOWN_FIELDS) &&
           (v->kind == LC_NODE_STRING || lc_node_is(lc_node_get(v, "bytes"), LC_NODE_NUMBER));
}

/* Readers bound how deep nodes are nested. */
bool lc_pj_has_unknown_fields(const lc_node *node)
{
    for (uint32_t i = 0; i < lc_node_item_count(node); i++) {
        if (lc_pj_has_unknown_fields(&node->as.items[i]))
            return true;
    }
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_pj_is_unknown_fields(m) || lc_pj_has_unknown_fields(&m->value))
            return true;
    }
    return false;
}

/* In a string of JSON the quotation marks are escaped, so this is always a key. */
bool lc_pj_line_has_unknown_fields(lc_str line)
{
    return lc_str_contains(line, LC_STR("\"unknown_fields\":\"")) ||
           lc_str_contains(line, LC_STR("\"unknown_fields\":{\"bytes\":"));
}
