/* JSON Patch (RFC 6902): reading, applying and making patches. cloudformation.md 8.2 describes step
 * by step how the provider makes one. Its patches can give a wrong order of list elements; the
 * profile LC_CFN_DOCUMENT also corrects these. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/cloudformation/cloudcontrol.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pointers. */

bool lc_cfn_pointer_parse(lc_cfn_tokens *out, lc_arena *arena, lc_str pointer)
{
    *out = (lc_cfn_tokens){0};
    if (pointer.len && pointer.ptr[0] != '/')
        return false;
    lc_buf token = {0};
    bool ok = true;
    for (size_t i = 1; pointer.len && ok && i <= pointer.len; i++) {
        if (i == pointer.len || pointer.ptr[i] == '/') {
            *LC_PUSH(arena, out, lc_str) = lc_buf_copy(arena, &token);
            lc_buf_clear(&token);
        } else if (pointer.ptr[i] == '~') {
            char next = i + 1 < pointer.len ? pointer.ptr[i + 1] : 0;
            ok = next == '0' || next == '1';
            lc_buf_add_char(&token, next == '1' ? '/' : '~');
            i++;
        } else {
            lc_buf_add_char(&token, pointer.ptr[i]);
        }
    }
    lc_buf_release(&token);
    return ok;
}

/* An array index: decimal digits without a leading zero (RFC 6901), at most nine. */
static bool is_index(lc_str token, size_t *out)
{
    size_t n = 0;
    if (token.len == 0 || token.len > 9 || (token.len > 1 && token.ptr[0] == '0'))
        return false;
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] < '0' || token.ptr[i] > '9')
            return false;
        n = n * 10 + (size_t)(token.ptr[i] - '0');
    }
    *out = n;
    return true;
}

/* ---- Reading. */

LC_ENUM_NAMES(lc_cfn_patch_op, LC_CFN_PATCH_OPS);

static bool read_op(lc_cfn_patch_op *out, const lc_cfn_doc *doc)
{
    return doc && doc->kind == LC_NODE_STRING && lc_cfn_patch_op_from_name(out, doc->text);
}

/* Returns what is wrong with the operation, or NULL. */
static const char *read_operation(lc_cfn_operation *out, lc_arena *arena, const lc_cfn_doc *doc)
{
    lc_cfn_tokens tokens;
    const lc_cfn_doc *path = lc_cfn_doc_get(doc, LC_STR("path"));
    const lc_cfn_doc *from = lc_cfn_doc_get(doc, LC_STR("from"));
    if (doc->kind != LC_NODE_MAPPING)
        return "it is not an object";
    if (!read_op(&out->op, lc_cfn_doc_get(doc, LC_STR("op"))))
        return "\"op\" is none of add, remove, replace, move, copy and test";
    if (!path || path->kind != LC_NODE_STRING || !lc_cfn_pointer_parse(&tokens, arena, path->text))
        return "\"path\" is not a JSON pointer";
    out->path = path->text;
    out->from = LC_STR_EMPTY;
    out->value = lc_cfn_doc_get(doc, LC_STR("value"));
    if (out->op == LC_CFN_MOVE || out->op == LC_CFN_COPY) {
        if (!from || from->kind != LC_NODE_STRING ||
            !lc_cfn_pointer_parse(&tokens, arena, from->text))
            return "\"from\" is not a JSON pointer";
        out->from = from->text;
    } else if (out->op != LC_CFN_REMOVE && !out->value) {
        return "\"value\" is missing";
    }
    return NULL;
}

bool lc_cfn_patch_read(lc_cfn_patch *out, lc_arena *arena, const lc_cfn_doc *doc, lc_str *why,
                       size_t *at)
{
    *out = (lc_cfn_patch){0};
    *at = 0;
    if (doc->kind != LC_NODE_SEQUENCE || doc->items.count > LC_MAX_PATCH_OPERATIONS) {
        *why = doc->kind != LC_NODE_SEQUENCE ? LC_STR("a patch is an array of operations")
                                             : LC_STR("the patch has more than 10000 operations");
        return false;
    }
    for (size_t i = 0; i < doc->items.count; i++) {
        lc_cfn_operation *op = LC_PUSH(arena, &out->list, lc_cfn_operation);
        const char *wrong = read_operation(op, arena, doc->items.items[i]);
        if (wrong) {
            *why = lc_str_from_c(wrong);
            *at = i;
            return false;
        }
    }
    return true;
}

/* ---- Applying. */

/* The node that the first `count` tokens lead to, or NULL. */
static lc_cfn_doc *walk(lc_cfn_doc *doc, const lc_cfn_tokens *tokens, size_t count)
{
    for (size_t i = 0; doc && i < count; i++) {
        size_t index;
        lc_str token = tokens->items[i];
        if (doc->kind == LC_NODE_MAPPING)
            doc = lc_cfn_doc_get(doc, token);
        else if (doc->kind == LC_NODE_SEQUENCE && is_index(token, &index) &&
                 index < doc->items.count)
            doc = doc->items.items[index];
        else
            doc = NULL;
    }
    return doc;
}

static lc_cfn_doc *find(lc_cfn_doc *doc, lc_arena *arena, lc_str pointer)
{
    lc_cfn_tokens tokens;
    lc_cfn_pointer_parse(&tokens, arena, pointer);
    return walk(doc, &tokens, tokens.count);
}

/* The index of a member or element in its container; items.count if it does not exist. */
static size_t position(const lc_cfn_doc *container, lc_str token)
{
    size_t at = 0;
    if (container->kind == LC_NODE_SEQUENCE)
        return is_index(token, &at) && at < container->items.count ? at : container->items.count;
    while (at < container->items.count && !lc_str_eq(container->keys.items[at], token))
        at++;
    return at;
}

static bool is_container(const lc_cfn_doc *doc)
{
    return doc && (doc->kind == LC_NODE_SEQUENCE || doc->kind == LC_NODE_MAPPING);
}

/* The `add` operation in a container: sets a member, or inserts an element before an index ("-": at
 * the end). */
static bool insert(lc_arena *arena, lc_cfn_doc *container, lc_str token, lc_cfn_doc *value)
{
    size_t at = container->items.count;
    if (container->kind == LC_NODE_MAPPING) {
        at = position(container, token);
        if (at == container->items.count) {
            *LC_PUSH(arena, &container->keys, lc_str) = token;
            *LC_PUSH(arena, &container->items, lc_cfn_doc *) = value;
        }
        container->items.items[at] = value;
        return true;
    }
    if (!lc_str_is(token, "-") && (!is_index(token, &at) || at > container->items.count))
        return false;
    *LC_PUSH(arena, &container->items, lc_cfn_doc *) = value;
    memmove(&container->items.items[at + 1], &container->items.items[at],
            (container->items.count - 1 - at) * sizeof(lc_cfn_doc *));
    container->items.items[at] = value;
    return true;
}

/* The container of the member or element that a pointer names, and the last token of the pointer.
 * NULL: the pointer names the whole document, or there is no such container. */
static lc_cfn_doc *container_of(lc_str *last, lc_cfn_doc *doc, lc_arena *arena, lc_str pointer)
{
    lc_cfn_tokens tokens;
    lc_cfn_pointer_parse(&tokens, arena, pointer);
    if (tokens.count == 0)
        return NULL;
    *last = tokens.items[tokens.count - 1];
    lc_cfn_doc *container = walk(doc, &tokens, tokens.count - 1);
    return is_container(container) ? container : NULL;
}

static bool add(lc_cfn_doc **doc, lc_arena *arena, lc_str pointer, lc_cfn_doc *value)
{
    lc_str last;
    lc_cfn_doc *container = container_of(&last, *doc, arena, pointer);
    if (pointer.len == 0) {
        *doc = value;
        return true;
    }
    return container && insert(arena, container, last, value);
}

/* Removes a member or element and returns it in *out. */
static bool take_out(lc_cfn_doc *doc, lc_arena *arena, lc_str pointer, lc_cfn_doc **out)
{
    lc_str last;
    lc_cfn_doc *container = container_of(&last, doc, arena, pointer);
    size_t at = container ? position(container, last) : 0;
    if (!container || at == container->items.count)
        return false;
    size_t rest = container->items.count - at - 1;
    *out = container->items.items[at];
    memmove(&container->items.items[at], &container->items.items[at + 1],
            rest * sizeof(lc_cfn_doc *));
    container->items.count--;
    if (container->kind == LC_NODE_MAPPING) {
        memmove(&container->keys.items[at], &container->keys.items[at + 1], rest * sizeof(lc_str));
        container->keys.count--;
    }
    return true;
}

static bool replace(lc_cfn_doc **doc, lc_arena *arena, lc_str pointer, lc_cfn_doc *value)
{
    lc_str last;
    lc_cfn_doc *container = container_of(&last, *doc, arena, pointer);
    if (pointer.len == 0) {
        *doc = value;
        return true;
    }
    size_t at = container ? position(container, last) : 0;
    if (!container || at == container->items.count)
        return false;
    container->items.items[at] = value;
    return true;
}

/* Values are copied when they are put into a document, because later operations may change them and
 * must not change the original. */
static lc_cfn_doc *copy_of(lc_arena *arena, const lc_cfn_doc *doc)
{
    lc_cfn_doc *copy = LC_NEW(arena, lc_cfn_doc);
    *copy = *doc;
    memset(&copy->items, 0, sizeof copy->items);
    memset(&copy->keys, 0, sizeof copy->keys);
    for (size_t i = 0; i < doc->items.count; i++) {
        *LC_PUSH(arena, &copy->items, lc_cfn_doc *) = copy_of(arena, doc->items.items[i]);
        if (doc->kind == LC_NODE_MAPPING)
            *LC_PUSH(arena, &copy->keys, lc_str) = doc->keys.items[i];
    }
    return copy;
}

/* RFC 6902 forbids moving a value into itself. */
static bool is_below(lc_str path, lc_str from)
{
    return path.len > from.len && lc_str_starts_with(path, from) && path.ptr[from.len] == '/';
}

/* Returns what is wrong, or NULL. */
static const char *apply_one(lc_cfn_doc **doc, lc_arena *arena, const lc_cfn_operation *op)
{
    lc_cfn_doc *value = op->value ? copy_of(arena, op->value) : NULL, *taken = NULL;
    lc_str where;
    switch (op->op) {
    case LC_CFN_ADD:
        return add(doc, arena, op->path, value) ? NULL : "there is no place to add it";
    case LC_CFN_REMOVE:
        return take_out(*doc, arena, op->path, &taken) ? NULL : "there is nothing to remove";
    case LC_CFN_REPLACE:
        return replace(doc, arena, op->path, value) ? NULL : "there is nothing to replace";
    case LC_CFN_MOVE:
        if (is_below(op->path, op->from) || !take_out(*doc, arena, op->from, &taken))
            return "there is nothing to move";
        return add(doc, arena, op->path, taken) ? NULL : "there is no place to move it to";
    case LC_CFN_COPY:
        taken = find(*doc, arena, op->from);
        if (!taken)
            return "there is nothing to copy";
        return add(doc, arena, op->path, copy_of(arena, taken)) ? NULL
                                                                : "there is no place to copy it to";
    case LC_CFN_TEST:
        break;
    }
    taken = find(*doc, arena, op->path);
    return taken && lc_cfn_doc_same(arena, NULL, taken, value, &where) ? NULL : "the test fails";
}

bool lc_cfn_patch_apply(lc_cfn_doc **doc, lc_arena *arena, const lc_cfn_patch *patch, lc_str *why,
                        size_t *at)
{
    for (size_t i = 0; i < patch->list.count; i++) {
        const char *wrong = apply_one(doc, arena, &patch->list.items[i]);
        if (wrong) {
            *why = lc_str_from_c(wrong);
            *at = i;
            return false;
        }
    }
    return true;
}

/* ---- Making. */

/* The patch that is being made; `pointer` is the path of the current place. */
typedef struct maker {
    lc_arena *arena;
    lc_cfn_patch *out;
    lc_buf pointer;
} maker;

static lc_str text_of(lc_arena *arena, const lc_cfn_doc *doc)
{
    lc_buf text = {0};
    lc_cfn_doc_add_json(&text, doc, false);
    return lc_buf_take(arena, &text);
}

static void emit_operation(maker *m, lc_cfn_patch_op op, const lc_cfn_doc *value)
{
    lc_cfn_operation *o = LC_PUSH(m->arena, &m->out->list, lc_cfn_operation);
    o->op = op;
    o->path = lc_buf_copy(m->arena, &m->pointer);
    o->from = LC_STR_EMPTY;
    o->value = value ? copy_of(m->arena, value) : NULL;
}

/* Appends a token to the pointer; the caller restores the length that is returned. */
static size_t enter(maker *m, lc_str token)
{
    size_t mark = m->pointer.len;
    lc_cfn_place place = {NULL, token};
    lc_cfn_add_place(&m->pointer, &place);
    return mark;
}

static void diff(maker *m, const lc_cfn_doc *before, const lc_cfn_doc *after);

typedef struct member {
    lc_str key;
    const lc_cfn_doc *value;
} member;

LC_ORDER_BY_STR(by_key, member, key)

/* The members of an object, sorted by key, so that two objects are compared in one merge. */
static member *members_of(maker *m, const lc_cfn_doc *object)
{
    member *all = LC_NEW_ARRAY(m->arena, member, object->items.count);
    for (size_t i = 0; i < object->items.count; i++)
        all[i] = (member){object->keys.items[i], object->items.items[i]};
    if (object->items.count)
        qsort(all, object->items.count, sizeof *all, by_key);
    return all;
}

static void diff_members(maker *m, const lc_cfn_doc *before, const lc_cfn_doc *after)
{
    const member *a = members_of(m, before), *b = members_of(m, after);
    size_t i = 0, k = 0;
    while (i < before->items.count || k < after->items.count) {
        int order = i == before->items.count  ? 1
                    : k == after->items.count ? -1
                                              : lc_str_cmp(a[i].key, b[k].key);
        size_t mark = enter(m, order <= 0 ? a[i].key : b[k].key);
        if (order < 0)
            emit_operation(m, LC_CFN_REMOVE, NULL);
        else if (order > 0)
            emit_operation(m, LC_CFN_ADD, b[k].value);
        else
            diff(m, a[i].value, b[k].value);
        m->pointer.len = mark;
        i += order <= 0;
        k += order >= 0;
    }
}

/* The elements of the new list with one JSON text, in order. Those before `used` are matched with
 * an old element. */
typedef struct bucket {
    LC_VEC(size_t) indices;
    size_t used;
} bucket;

static void put_index(maker *m, lc_cfn_patch_op op, size_t index, const lc_cfn_doc *value)
{
    size_t mark = enter(m, lc_str_printf(m->arena, "%zu", index));
    emit_operation(m, op, value);
    m->pointer.len = mark;
}

/* Lists of different length: equal elements are matched from the front; unmatched old elements are
 * removed, unmatched new ones added. Hashing the strings keeps this linear. */
static void diff_elements(maker *m, const lc_cfn_doc *before, const lc_cfn_doc *after)
{
    lc_table buckets;
    bool *partnered = LC_NEW_ARRAY(m->arena, bool, after->items.count);
    lc_table_init(&buckets, m->arena);
    for (size_t i = 0; i < after->items.count; i++) {
        lc_str text = text_of(m->arena, after->items.items[i]);
        bucket *b = lc_table_get(&buckets, text);
        if (!b) {
            b = LC_NEW(m->arena, bucket);
            lc_table_put(&buckets, text, b);
        }
        *LC_PUSH(m->arena, &b->indices, size_t) = i;
        partnered[i] = false;
    }
    for (size_t i = 0; i < before->items.count; i++) {
        bucket *b = lc_table_get(&buckets, text_of(m->arena, before->items.items[i]));
        if (b && b->used < b->indices.count)
            partnered[b->indices.items[b->used++]] = true;
        else
            put_index(m, LC_CFN_REMOVE, i, NULL);
    }
    for (size_t i = 0; i < after->items.count; i++) {
        if (!partnered[i])
            put_index(m, LC_CFN_ADD, i, after->items.items[i]);
    }
}

/* Lists of equal length are compared element by element, so a shifted list becomes many
 * replacements; that is what the provider's library does. */
static void diff(maker *m, const lc_cfn_doc *before, const lc_cfn_doc *after)
{
    if (before->kind != after->kind) {
        emit_operation(m, LC_CFN_REPLACE, after);
    } else if (before->kind == LC_NODE_MAPPING) {
        diff_members(m, before, after);
    } else if (before->kind != LC_NODE_SEQUENCE) {
        if (!lc_str_eq(text_of(m->arena, before), text_of(m->arena, after)))
            emit_operation(m, LC_CFN_REPLACE, after);
    } else if (before->items.count != after->items.count) {
        diff_elements(m, before, after);
    } else {
        for (size_t i = 0; i < before->items.count; i++) {
            size_t mark = enter(m, lc_str_printf(m->arena, "%zu", i));
            diff(m, before->items.items[i], after->items.items[i]);
            m->pointer.len = mark;
        }
    }
}

/* ---- Whole lists: the provider joins operations on elements to one operation on their list. */

static lc_str parent_of(lc_str path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return lc_str_sub(path, 0, at ? at - 1 : 0);
}

static bool ends_in_index(lc_str path)
{
    size_t index;
    return is_index(lc_str_sub(path, parent_of(path).len + 1, path.len), &index);
}

/* A list of tags or similar: its first element has a member "Key" or "key". */
static bool is_keyed(const lc_cfn_doc *list)
{
    if (!list || list->kind != LC_NODE_SEQUENCE || list->items.count == 0)
        return false;
    return lc_cfn_doc_get(list->items.items[0], LC_STR("Key")) ||
           lc_cfn_doc_get(list->items.items[0], LC_STR("key"));
}

/* A list with operations on its elements. */
typedef struct list_use {
    lc_str path;
    bool other; /* some operation at or below it is not a removal */
    bool whole; /* it is replaced as a whole */
} list_use;

LC_ORDER_POINTERS_BY_STR(by_path, list_use, path)

/* Marks the lists at or above an operation that is not a removal: these are not sent as a whole,
 * unless they are tags. */
static void mark_other_operations(lc_table *lists, const lc_cfn_operation *op)
{
    for (lc_str at = op->path; op->op != LC_CFN_REMOVE; at = parent_of(at)) {
        list_use *use = lc_table_get(lists, at);
        if (use)
            use->other = true;
        if (at.len == 0)
            return;
    }
}

/* Replaces operations on elements by one operation on the whole list where all of them are
 * removals, or the list is one of tags. The joined operations are appended, sorted by path. */
static void join_lists(maker *m, lc_cfn_doc *after)
{
    lc_table lists;
    LC_VEC(list_use *) found = {0};
    lc_cfn_patch old = *m->out;
    lc_table_init(&lists, m->arena);
    for (size_t i = 0; i < old.list.count; i++) {
        lc_str parent = parent_of(old.list.items[i].path);
        if (!ends_in_index(old.list.items[i].path) || lc_table_get(&lists, parent))
            continue;
        list_use *use = LC_NEW(m->arena, list_use);
        use->path = parent;
        lc_table_put(&lists, parent, use);
        *LC_PUSH(m->arena, &found, list_use *) = use;
    }
    for (size_t i = 0; i < old.list.count; i++)
        mark_other_operations(&lists, &old.list.items[i]);
    for (size_t i = 0; i < found.count; i++)
        found.items[i]->whole =
            !found.items[i]->other || is_keyed(find(after, m->arena, found.items[i]->path));
    memset(&m->out->list, 0, sizeof m->out->list);
    for (size_t i = 0; i < old.list.count; i++) {
        const list_use *use = lc_table_get(&lists, parent_of(old.list.items[i].path));
        if (!use || !use->whole || !ends_in_index(old.list.items[i].path))
            *LC_PUSH(m->arena, &m->out->list, lc_cfn_operation) = old.list.items[i];
    }
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, by_path);
    for (size_t i = 0; i < found.count; i++) {
        const lc_cfn_doc *now = find(after, m->arena, found.items[i]->path);
        if (!found.items[i]->whole)
            continue;
        lc_buf_clear(&m->pointer);
        lc_buf_add_str(&m->pointer, found.items[i]->path);
        emit_operation(m, now ? LC_CFN_REPLACE : LC_CFN_REMOVE, now);
        lc_buf_clear(&m->pointer);
    }
}

/* ---- Order: removals first, in descending order of paths, so that removing an element does not
 * change the index of one that is removed later. */

static int compare_tokens(lc_str a, lc_str b)
{
    size_t x, y;
    if (is_index(a, &x) && is_index(b, &y))
        return (x > y) - (x < y);
    return lc_str_cmp(a, b);
}

/* Token by token, indices as numbers; a path comes before those below it. */
static int compare_paths(lc_str a, lc_str b)
{
    size_t i = 0, k = 0;
    while (i < a.len && k < b.len) {
        size_t to = lc_str_find(a, i + 1, '/'), end = lc_str_find(b, k + 1, '/');
        int order = compare_tokens(lc_str_sub(a, i + 1, to), lc_str_sub(b, k + 1, end));
        if (order)
            return order;
        i = to;
        k = end;
    }
    return (i < a.len) - (k < b.len);
}

static int by_descent(const void *a, const void *b)
{
    return compare_paths(((const lc_cfn_operation *)b)->path, ((const lc_cfn_operation *)a)->path);
}

static void order_operations(maker *m)
{
    lc_cfn_patch sorted = {0};
    for (int removals = 1; removals >= 0; removals--) {
        for (size_t i = 0; i < m->out->list.count; i++) {
            if ((m->out->list.items[i].op == LC_CFN_REMOVE) == (removals == 1))
                *LC_PUSH(m->arena, &sorted.list, lc_cfn_operation) = m->out->list.items[i];
        }
        if (removals && sorted.list.count)
            qsort(sorted.list.items, sorted.list.count, sizeof *sorted.list.items, by_descent);
    }
    *m->out = sorted;
}

/* ---- Correcting a patch (profile LC_CFN_DOCUMENT), and the public functions. */

/* The place to replace as a whole: the innermost list that contains the place where the result
 * differs; "" if no list contains it. */
static lc_str list_above(lc_arena *arena, lc_cfn_doc *after, lc_str where)
{
    for (;; where = parent_of(where)) {
        const lc_cfn_doc *at = find(after, arena, where);
        if (where.len == 0 || (at && at->kind == LC_NODE_SEQUENCE))
            return where;
    }
}

/* The last resort, which is always correct: replaces every top-level member that differs. */
static void put_members(maker *m, const lc_cfn_type *type, const lc_cfn_doc *before,
                        const lc_cfn_doc *after)
{
    const member *a = members_of(m, before), *b = members_of(m, after);
    size_t i = 0, k = 0;
    memset(&m->out->list, 0, sizeof m->out->list);
    while (i < before->items.count || k < after->items.count) {
        int order = i == before->items.count  ? 1
                    : k == after->items.count ? -1
                                              : lc_str_cmp(a[i].key, b[k].key);
        lc_str where;
        const lc_cfn_property *p = lc_cfn_member(type->root, order <= 0 ? a[i].key : b[k].key);
        lc_buf_clear(&m->pointer);
        enter(m, order <= 0 ? a[i].key : b[k].key);
        if (order < 0)
            emit_operation(m, LC_CFN_REMOVE, NULL);
        else if (order > 0)
            emit_operation(m, LC_CFN_ADD, b[k].value);
        else if (!lc_cfn_doc_same(m->arena, p ? p->shape : NULL, a[i].value, b[k].value, &where))
            emit_operation(m, LC_CFN_REPLACE, b[k].value);
        i += order <= 0;
        k += order >= 0;
    }
}

/* Each repair applies the whole patch again, so their number is limited. */
#define MOST_REPAIRS 100

/* Applies the patch to `before`; as long as the result is not `after`, appends an operation that
 * replaces the list where they differ. If that does not help, put_members does. */
static void correct_patch(maker *m, const lc_cfn_type *type, const lc_cfn_doc *before,
                          lc_cfn_doc *after)
{
    for (size_t tries = 0; tries < MOST_REPAIRS; tries++) {
        lc_cfn_doc *result = copy_of(m->arena, before);
        lc_str why, where;
        size_t at;
        bool applied = lc_cfn_patch_apply(&result, m->arena, m->out, &why, &at);
        if (applied && lc_cfn_doc_same(m->arena, type->root, result, after, &where))
            return;
        lc_str list = applied ? list_above(m->arena, after, where) : LC_STR_EMPTY;
        if (list.len == 0)
            break;
        lc_buf_clear(&m->pointer);
        lc_buf_add_str(&m->pointer, list);
        emit_operation(m, LC_CFN_REPLACE, find(after, m->arena, list));
    }
    put_members(m, type, before, after);
}

/* Drops operations on parts of a list that a later operation replaces. Only about the last hundred
 * operations are considered: corrections are at the end, and there are at most MOST_REPAIRS. */
static void drop_superseded(maker *m)
{
    lc_cfn_patch old = *m->out;
    memset(&m->out->list, 0, sizeof m->out->list);
    for (size_t i = 0; i < old.list.count; i++) {
        bool useless = false;
        for (size_t k = old.list.count; k-- > i + 1 && old.list.count - k < 100 && !useless;)
            useless = old.list.items[k].op == LC_CFN_REPLACE &&
                      is_below(old.list.items[i].path, old.list.items[k].path);
        if (!useless)
            *LC_PUSH(m->arena, &m->out->list, lc_cfn_operation) = old.list.items[i];
    }
}

void lc_cfn_patch_make(lc_cfn_patch *out, lc_arena *arena, const lc_cfn_type *type,
                       const lc_cfn_doc *before, const lc_cfn_doc *after)
{
    maker m = {.arena = arena, .out = out};
    lc_cfn_doc *goal = copy_of(arena, after);
    *out = (lc_cfn_patch){0};
    diff(&m, before, goal);
    join_lists(&m, goal);
    order_operations(&m);
    if (type->profile == LC_CFN_DOCUMENT) {
        correct_patch(&m, type, before, goal);
        drop_superseded(&m);
    }
    lc_buf_release(&m.pointer);
}

void lc_cfn_patch_add_json(lc_buf *out, const lc_cfn_patch *patch, bool hide)
{
    lc_json w = {.out = out};
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < patch->list.count; i++) {
        const lc_cfn_operation *op = &patch->list.items[i];
        lc_json_object(&w, NULL);
        lc_json_c(&w, "op", lc_cfn_patch_op_name(op->op));
        lc_json_str(&w, "path", op->path);
        if (op->from.len)
            lc_json_str(&w, "from", op->from);
        if (op->value)
            lc_cfn_doc_add_json(lc_json_value(&w, "value"), op->value, hide);
        lc_json_end_object(&w);
    }
    lc_json_end_array(&w);
}
