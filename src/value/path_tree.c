/* Hashes of paths, and sets of paths as trees, for looking up many paths during one walk over a
 * value. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"
#include "lifecheck/value/path.h"

#include <string.h>

/* `index` counts only for index steps: key steps use it as a mark that is never compared. */
uint64_t lc_path_hash(lc_path path)
{
    uint64_t hash = path.count;
    for (size_t i = 0; i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        uint64_t more = lc_str_hash(step->name);
        if (step->kind == LC_STEP_INDEX)
            more = step->index;
        if (step->kind == LC_STEP_ELEMENT)
            more = step->element ? lc_value_hash(step->element) : 0;
        hash = lc_hash_mix(lc_hash_mix(hash, step->kind), more);
    }
    return hash;
}

/* ---- The tree. */

enum { MOST_ROOM = 256 }; /* longer keys are made on the heap */

typedef struct step_key {
    lc_str text;
    char room[MOST_ROOM];
    char *more;
} step_key;

/* The key of a step in the table of children: its kind and its name or index. Elements of sets have
 * no name, so all of them share one child. */
static void make_key(step_key *key, const lc_step *step)
{
    size_t len = step->name.len;
    const char *bytes = step->name.ptr;
    if (step->kind == LC_STEP_INDEX) {
        len = sizeof step->index;
        bytes = (const char *)&step->index;
    }
    key->more = len < sizeof key->room ? NULL : lc_heap_alloc(len + 1);
    char *text = key->more ? key->more : key->room;
    text[0] = (char)('0' + (int)step->kind);
    if (len)
        memcpy(text + 1, bytes, len);
    key->text = (lc_str){text, len + 1};
}

static lc_path_node *get(const lc_path_node *node, const lc_step *step)
{
    if (!node->children)
        return NULL;
    step_key key;
    make_key(&key, step);
    lc_path_node *child = lc_table_get(node->children, key.text);
    lc_heap_free(key.more);
    return child;
}

static lc_path_node *add(lc_arena *arena, lc_path_node *node, const lc_step *step)
{
    if (!node->children) {
        node->children = LC_NEW(arena, lc_table);
        lc_table_init(node->children, arena);
    }
    lc_path_node *child = LC_NEW(arena, lc_path_node);
    step_key key;
    make_key(&key, step);
    lc_table_put(node->children, lc_str_copy(arena, key.text), child);
    lc_heap_free(key.more);
    return child;
}

lc_path_node *lc_path_node_at(lc_arena *arena, lc_path_node *root, lc_path path)
{
    lc_path_node *node = root;
    for (size_t i = 0; i < path.count; i++) {
        lc_path_node *child = get(node, &path.steps[i]);
        node = child ? child : add(arena, node, &path.steps[i]);
    }
    return node;
}

const lc_path_node *lc_path_node_child(const lc_path_node *node, const lc_step *step)
{
    return get(node, step);
}
