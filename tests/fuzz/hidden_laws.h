/* What holds for a copy in which everything is hidden. */
#ifndef LC_S_FUZZ_HIDDEN_LAWS_H
#define LC_S_FUZZ_HIDDEN_LAWS_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/yaml_json/node.h"

/* What is left of a string in its token: white space, signs at its end, the structure of JSON. A
 * string of the input may look like a token itself. */
static bool says_something(lc_arena *arena, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    bool any = false;
    lc_diags_init(&diags, arena);
    for (size_t i = 0; i < text.len; i++)
        any |= lc_is_alnum(text.ptr[i]);
    return any && !lc_str_ends_with(text, LC_STR("aaaa")) &&
           lc_json_parse(&source, arena, LC_STR("text"), text, &limits, &diags) != LC_OK;
}

/* Two documents of one shape: no text is in the second what it was in the first. */
static void check_hidden(lc_arena *arena, const lc_node *was, const lc_node *is)
{
    LC_ASSERT(!was == !is && (!was || was->kind == is->kind));
    if (was && was->kind == LC_NODE_STRING)
        LC_ASSERT(!lc_str_eq(was->as.text, is->as.text) || !says_something(arena, was->as.text));
    bool items = was && was->kind == LC_NODE_SEQUENCE;
    bool members = was && was->kind == LC_NODE_MAPPING;
    LC_ASSERT(!(items || members) || was->count == is->count);
    for (uint32_t i = 0; items && i < was->count; i++)
        check_hidden(arena, &was->as.items[i], &is->as.items[i]);
    for (uint32_t i = 0; members && i < was->count; i++)
        check_hidden(arena, &was->as.members[i].value, &is->as.members[i].value);
}

#endif
