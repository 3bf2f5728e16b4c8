/* The JSON scanner: never crashes, and what it accepts cJSON accepts too (where cJSON can be
 * trusted: no escapes of surrogates or NUL, no byte order mark). Index mode finds the same members
 * as the parser. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/yaml_json/node.h"

#include <cJSON.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool next_member(void *context, lc_str key, size_t key_at, lc_json_range value)
{
    const lc_member **at = context;
    LC_ASSERT(lc_str_eq((*at)->key, key) && (*at)->where == key_at);
    LC_ASSERT((*at)->value.where == value.from && value.to > value.from);
    (*at)++;
    return true;
}

static bool has_unicode_escape(lc_str text)
{
    for (size_t i = 1; i < text.len; i++) {
        if (text.ptr[i - 1] == '\\' && text.ptr[i] == 'u')
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    lc_str text = {(const char *)data, size};
    lc_status status = lc_json_parse(&source, arena, LC_STR("f.json"), text, &limits, &diags);
    LC_ASSERT((status == LC_OK) == (diags.errors == 0));
    if (status == LC_OK) {
        const lc_node *root = &source.documents[0];
        const lc_member *member = root->as.members;
        if (root->kind == LC_NODE_MAPPING)
            LC_ASSERT(lc_json_each_member(LC_STR("f.json"), text, (lc_json_range){0, size},
                                          next_member, &member, arena, &diags) == LC_OK);
        if (!has_unicode_escape(text) && !lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF"))) {
            cJSON *other = cJSON_ParseWithLength((const char *)data, size);
            LC_ASSERT(other || size == 0);
            cJSON_Delete(other);
        }
    }
    lc_arena_free(arena);
    return 0;
}
