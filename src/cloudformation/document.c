/* JSON documents: made from values and nodes, compared, and printed. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/cloudformation/cloudcontrol.h"

#include <stdlib.h>

/* ---- Building. */

static lc_cfn_doc *new_doc(lc_arena *arena, lc_node_kind kind, lc_str text)
{
    lc_cfn_doc *doc = LC_NEW(arena, lc_cfn_doc);
    doc->kind = kind;
    doc->text = text;
    return doc;
}

static void add_item(lc_arena *arena, lc_cfn_doc *doc, lc_cfn_doc *item)
{
    *LC_PUSH(arena, &doc->items, lc_cfn_doc *) = item;
}

static void add_member(lc_arena *arena, lc_cfn_doc *doc, lc_str key, lc_cfn_doc *value)
{
    *LC_PUSH(arena, &doc->keys, lc_str) = key;
    add_item(arena, doc, value);
}

/* The depth of recursion is limited by the depth that the reader of the nodes allows. */
lc_cfn_doc *lc_cfn_doc_from_node(lc_arena *arena, const lc_node *node)
{
    lc_node_kind kind = (lc_node_kind)node->kind;
    bool container = kind == LC_NODE_SEQUENCE || kind == LC_NODE_MAPPING;
    lc_cfn_doc *doc = new_doc(arena, kind, container ? LC_STR_EMPTY : node->as.text);
    doc->boolean = node->boolean;
    for (uint32_t i = 0; kind == LC_NODE_SEQUENCE && i < node->count; i++)
        add_item(arena, doc, lc_cfn_doc_from_node(arena, &node->as.items[i]));
    for (uint32_t i = 0; kind == LC_NODE_MAPPING && i < node->count; i++)
        add_member(arena, doc, node->as.members[i].key,
                   lc_cfn_doc_from_node(arena, &node->as.members[i].value));
    return doc;
}

static lc_cfn_doc *number_doc(lc_arena *arena, lc_num number)
{
    lc_buf text = {0};
    lc_num_add_text(&text, number);
    lc_cfn_doc *doc = new_doc(arena, LC_NODE_NUMBER, lc_buf_copy(arena, &text));
    lc_buf_release(&text);
    return doc;
}

/* A string attribute that holds a JSON document is sent as that document; other text is sent as a
 * string. */
static lc_cfn_doc *json_doc(lc_arena *arena, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    if (lc_json_parse_last(&source, arena, LC_STR("json"), text, &limits, &diags) != LC_OK)
        return new_doc(arena, LC_NODE_STRING, text);
    return lc_cfn_doc_from_node(arena, &source.documents[0]);
}

static lc_cfn_doc *simple_doc(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *v)
{
    if (v->type->kind == LC_TYPE_NUMBER)
        return number_doc(arena, v->as.number);
    if (v->type->kind == LC_TYPE_STRING)
        return shape->form == LC_CFN_JSON ? json_doc(arena, v->as.string)
                                          : new_doc(arena, LC_NODE_STRING, v->as.string);
    lc_cfn_doc *doc = new_doc(arena, LC_NODE_BOOL, LC_STR_EMPTY);
    doc->boolean = v->as.boolean;
    return doc;
}

static lc_cfn_doc *doc_of(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *v,
                          bool readable);

/* Null, unknown and empty members are left out, as the provider does it. */
static lc_cfn_doc *object_doc(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *v,
                              bool readable)
{
    lc_cfn_doc *doc = new_doc(arena, LC_NODE_MAPPING, LC_STR_EMPTY);
    for (size_t i = 0; i < shape->member_count; i++) {
        const lc_cfn_property *p = &shape->members[i];
        const lc_value *part = p->shape ? lc_value_attr(v, p->attribute) : NULL;
        lc_cfn_doc *member =
            part && !(readable && p->write_only) ? doc_of(arena, p->shape, part, readable) : NULL;
        if (!member)
            continue;
        member->secret = p->secret;
        add_member(arena, doc, p->name, member);
    }
    return doc;
}

/* A value of another schema version may not have the shape's type; such parts are left out. */
static bool fits(const lc_cfn_shape *shape, const lc_value *v)
{
    if (shape->form == LC_CFN_OBJECT)
        return v->type->kind == LC_TYPE_OBJECT;
    return lc_type_is_primitive(v->type) == lc_type_is_primitive(shape->type) &&
           v->type->kind != LC_TYPE_OBJECT;
}

/* NULL: null, unknown, empty, or not of the shape. */
static lc_cfn_doc *doc_of(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *v,
                          bool readable)
{
    if (!lc_is_known(v) || !fits(shape, v))
        return NULL;
    lc_cfn_doc *doc;
    if (shape->form == LC_CFN_OBJECT) {
        doc = object_doc(arena, shape, v, readable);
        return doc->items.count ? doc : NULL;
    }
    if (lc_type_is_primitive(v->type))
        return simple_doc(arena, shape, v);
    bool map = v->type->kind == LC_TYPE_MAP;
    doc = new_doc(arena, map ? LC_NODE_MAPPING : LC_NODE_SEQUENCE, LC_STR_EMPTY);
    for (uint32_t i = 0; i < v->count; i++) {
        lc_cfn_doc *item = doc_of(arena, shape->element, &v->as.many.elems[i], readable);
        if (item && map)
            add_member(arena, doc, v->as.many.keys[i], item);
        else if (item)
            add_item(arena, doc, item);
    }
    return doc->items.count ? doc : NULL;
}

static lc_cfn_doc *root_doc(lc_arena *arena, const lc_cfn_type *type, const lc_value *object,
                            bool readable)
{
    if (!lc_is_known(object) || object->type->kind != LC_TYPE_OBJECT)
        return new_doc(arena, LC_NODE_MAPPING, LC_STR_EMPTY);
    return object_doc(arena, type->root, object, readable);
}

lc_cfn_doc *lc_cfn_doc_root(lc_arena *arena, const lc_cfn_type *type, const lc_value *object)
{
    return root_doc(arena, type, object, false);
}

lc_cfn_doc *lc_cfn_doc_readable(lc_arena *arena, const lc_cfn_type *type, const lc_value *object)
{
    return root_doc(arena, type, object, true);
}

/* ---- Asking. */

lc_cfn_doc *lc_cfn_doc_get(const lc_cfn_doc *object, lc_str key)
{
    for (size_t i = 0; object && object->kind == LC_NODE_MAPPING && i < object->items.count; i++) {
        if (lc_str_eq(object->keys.items[i], key))
            return object->items.items[i];
    }
    return NULL;
}

/* Hides all elements of a list, regardless of the index: missing elements have shifted the others.
 */
void lc_cfn_doc_hide(lc_cfn_doc *doc, const lc_cfn_shape *shape, lc_path path)
{
    if (!doc)
        return;
    if (path.count == 0) {
        doc->secret = true;
        return;
    }
    lc_path rest = {path.steps + 1, path.count - 1};
    if (shape->form == LC_CFN_OBJECT) {
        const lc_cfn_property *p =
            path.steps[0].kind == LC_STEP_ATTR ? lc_cfn_member_of(shape, path.steps[0].name) : NULL;
        if (p)
            lc_cfn_doc_hide(lc_cfn_doc_get(doc, p->name), p->shape, rest);
        return;
    }
    for (size_t i = 0; shape->element && i < doc->items.count; i++)
        lc_cfn_doc_hide(doc->items.items[i], shape->element, rest);
}

/* ---- Printing. */

typedef struct entry {
    lc_str key;
    const lc_cfn_doc *value;
} entry;

LC_ORDER_BY_STR(by_key, entry, key)

/* Sorted members, on the heap: printing has no arena. The caller frees them. */
static entry *sorted_members(const lc_cfn_doc *doc)
{
    entry *all = lc_heap_alloc(lc_mul_size(doc->items.count + 1, sizeof *all));
    for (size_t i = 0; i < doc->items.count; i++)
        all[i] = (entry){doc->keys.items[i], doc->items.items[i]};
    if (doc->items.count)
        qsort(all, doc->items.count, sizeof *all, by_key);
    return all;
}

static void write_doc(lc_json *w, const lc_cfn_doc *doc, bool hide);

static void write_members(lc_json *w, const lc_cfn_doc *doc, bool hide)
{
    entry *all = sorted_members(doc);
    lc_json_object(w, NULL);
    for (size_t i = 0; i < doc->items.count; i++) {
        lc_json_key(w, all[i].key);
        write_doc(w, all[i].value, hide);
    }
    lc_json_end_object(w);
    lc_heap_free(all);
}

/* The same replacement as for sensitive values in reports. */
static void write_secret(lc_json *w)
{
    lc_json_object(w, NULL);
    lc_json_c(w, "$sensitive", "known");
    lc_json_end_object(w);
}

static void write_doc(lc_json *w, const lc_cfn_doc *doc, bool hide)
{
    if (hide && doc->secret) {
        write_secret(w);
        return;
    }
    switch (doc->kind) {
    case LC_NODE_NULL:
        lc_json_null(w, NULL);
        return;
    case LC_NODE_BOOL:
        lc_json_bool(w, NULL, doc->boolean);
        return;
    case LC_NODE_NUMBER:
        lc_json_raw(w, NULL, doc->text);
        return;
    case LC_NODE_STRING:
        lc_json_str(w, NULL, doc->text);
        return;
    case LC_NODE_MAPPING:
        write_members(w, doc, hide);
        return;
    case LC_NODE_SEQUENCE:
        break;
    }
    lc_json_array(w, NULL);
    for (size_t i = 0; i < doc->items.count; i++)
        write_doc(w, doc->items.items[i], hide);
    lc_json_end_array(w);
}

void lc_cfn_doc_add_json(lc_buf *out, const lc_cfn_doc *doc, bool hide)
{
    lc_json w = {.out = out};
    write_doc(&w, doc, hide);
}

/* ---- Canonical text: equal for all documents with the same meaning, and empty for those without
 * one (null, empty containers). */

static bool write_canonical(lc_json *w, lc_arena *arena, const lc_cfn_shape *shape,
                            const lc_cfn_doc *doc);

static void write_canonical_number(lc_json *w, lc_arena *arena, lc_str text)
{
    lc_num n;
    if (lc_num_from_text(&n, arena, text, LC_MAX_DIGITS) == LC_NUM_OK)
        lc_num_add_text(lc_json_value(w, NULL), n);
    else
        lc_json_raw(w, NULL, text);
}

/* Writes key and value, and takes the key back if the value has no meaning. `shape` is NULL below
 * unknown properties. */
static bool write_canonical_member(lc_json *w, lc_arena *arena, const lc_cfn_shape *shape,
                                   const entry *member)
{
    const lc_cfn_shape *below = shape ? shape->element : NULL;
    if (shape && shape->form == LC_CFN_OBJECT) {
        const lc_cfn_property *p = lc_cfn_member(shape, member->key);
        below = p ? p->shape : NULL;
    }
    lc_json before = *w;
    size_t mark = w->out->len;
    lc_json_key(w, member->key);
    if (write_canonical(w, arena, below, member->value))
        return true;
    *w = before;
    w->out->len = mark;
    return false;
}

static bool write_canonical_members(lc_json *w, lc_arena *arena, const lc_cfn_shape *shape,
                                    const lc_cfn_doc *doc)
{
    entry *all = sorted_members(doc);
    lc_json before = *w;
    size_t start = w->out->len;
    bool any = false;
    lc_json_object(w, NULL);
    for (size_t i = 0; i < doc->items.count; i++)
        any |= write_canonical_member(w, arena, shape, &all[i]);
    lc_json_end_object(w);
    if (!any) {
        *w = before;
        w->out->len = start;
    }
    lc_heap_free(all);
    return any;
}

/* Elements of sets and unordered lists are sorted by their text. */
static bool write_canonical_items(lc_json *w, lc_arena *arena, const lc_cfn_shape *shape,
                                  const lc_cfn_doc *doc)
{
    lc_str *texts = LC_NEW_ARRAY(arena, lc_str, doc->items.count);
    size_t count = 0;
    for (size_t i = 0; i < doc->items.count; i++) {
        lc_buf text = {0};
        lc_json item = {.out = &text};
        if (write_canonical(&item, arena, shape ? shape->element : NULL, doc->items.items[i]))
            texts[count++] = lc_buf_copy(arena, &text);
        lc_buf_release(&text);
    }
    if (count == 0)
        return false;
    if (shape && (shape->form == LC_CFN_SET || shape->form == LC_CFN_MULTISET))
        lc_str_sort(texts, count);
    lc_json_array(w, NULL);
    for (size_t i = 0; i < count; i++)
        lc_json_raw(w, NULL, texts[i]);
    lc_json_end_array(w);
    return true;
}

static void write_canonical_text(lc_json *w, const lc_cfn_shape *shape, lc_str text)
{
    char time[LC_CFN_TIME];
    if (shape && shape->form == LC_CFN_DATE_TIME && lc_cfn_date_time(text, time))
        lc_json_str(w, NULL, (lc_str){time, LC_CFN_TIME - 1});
    else
        lc_json_str(w, NULL, text);
}

/* False: the document has no meaning, and nothing was written. */
static bool write_canonical(lc_json *w, lc_arena *arena, const lc_cfn_shape *shape,
                            const lc_cfn_doc *doc)
{
    switch (doc->kind) {
    case LC_NODE_NULL:
        return false;
    case LC_NODE_BOOL:
        lc_json_bool(w, NULL, doc->boolean);
        return true;
    case LC_NODE_NUMBER:
        write_canonical_number(w, arena, doc->text);
        return true;
    case LC_NODE_STRING:
        write_canonical_text(w, shape, doc->text);
        return true;
    case LC_NODE_MAPPING:
        return write_canonical_members(w, arena, shape, doc);
    case LC_NODE_SEQUENCE:
        return write_canonical_items(w, arena, shape, doc);
    }
    LC_UNREACHABLE();
}

static lc_str canonical(lc_arena *arena, const lc_cfn_shape *shape, const lc_cfn_doc *doc)
{
    lc_buf text = {0};
    lc_json w = {.out = &text};
    if (doc)
        write_canonical(&w, arena, shape, doc);
    return lc_buf_take(arena, &text);
}

/* ---- Comparing. */

typedef struct comparison {
    lc_arena *arena;
    lc_buf pointer;
} comparison;

static void add_token(lc_buf *out, lc_str token)
{
    lc_cfn_place place = {NULL, token};
    lc_cfn_add_place(out, &place);
}

static bool same_document(comparison *cmp, const lc_cfn_shape *shape, const lc_cfn_doc *a,
                          const lc_cfn_doc *b);

static bool same_at(comparison *cmp, const lc_cfn_shape *shape, lc_str token, const lc_cfn_doc *a,
                    const lc_cfn_doc *b)
{
    size_t mark = cmp->pointer.len;
    add_token(&cmp->pointer, token);
    if (!same_document(cmp, shape, a, b))
        return false;
    cmp->pointer.len = mark;
    return true;
}

static const lc_cfn_shape *below(const lc_cfn_shape *shape, lc_str key)
{
    if (!shape || shape->form != LC_CFN_OBJECT)
        return shape ? shape->element : NULL;
    const lc_cfn_property *p = lc_cfn_member(shape, key);
    return p ? p->shape : NULL;
}

/* Both arrays are sorted by key. An absent member is compared as NULL, which equals an empty one.
 */
static bool same_sorted(comparison *cmp, const lc_cfn_shape *shape, const entry *a, size_t a_count,
                        const entry *b, size_t b_count)
{
    size_t i = 0, k = 0;
    while (i < a_count || k < b_count) {
        int order = i == a_count ? 1 : k == b_count ? -1 : lc_str_cmp(a[i].key, b[k].key);
        lc_str key = order <= 0 ? a[i].key : b[k].key;
        if (!same_at(cmp, below(shape, key), key, order <= 0 ? a[i].value : NULL,
                     order >= 0 ? b[k].value : NULL))
            return false;
        i += order <= 0;
        k += order >= 0;
    }
    return true;
}

static bool same_members(comparison *cmp, const lc_cfn_shape *shape, const lc_cfn_doc *a,
                         const lc_cfn_doc *b)
{
    entry *p = sorted_members(a), *q = sorted_members(b);
    bool equal = same_sorted(cmp, shape, p, a->items.count, q, b->items.count);
    lc_heap_free(p);
    lc_heap_free(q);
    return equal;
}

/* Compares canonical strings, and where they differ descends to find the first difference, which
 * `pointer` then names. Sets and unordered lists are not descended into: their elements have no
 * places. */
static bool same_document(comparison *cmp, const lc_cfn_shape *shape, const lc_cfn_doc *a,
                          const lc_cfn_doc *b)
{
    lc_str p = canonical(cmp->arena, shape, a), q = canonical(cmp->arena, shape, b);
    if (lc_str_eq(p, q))
        return true;
    if (!a || !b || a->kind != b->kind)
        return false;
    if (a->kind == LC_NODE_MAPPING)
        return same_members(cmp, shape, a, b);
    bool ordered = !shape || (shape->form != LC_CFN_SET && shape->form != LC_CFN_MULTISET);
    if (a->kind != LC_NODE_SEQUENCE || a->items.count != b->items.count || !ordered)
        return false;
    for (size_t i = 0; i < a->items.count; i++) {
        lc_str token = lc_str_printf(cmp->arena, "%zu", i);
        if (!same_at(cmp, shape ? shape->element : NULL, token, a->items.items[i],
                     b->items.items[i]))
            return false;
    }
    return false;
}

bool lc_cfn_doc_same(lc_arena *arena, const lc_cfn_shape *shape, const lc_cfn_doc *a,
                     const lc_cfn_doc *b, lc_str *where)
{
    comparison cmp = {.arena = arena};
    bool equal = same_document(&cmp, shape, a, b);
    *where = lc_buf_copy(arena, &cmp.pointer);
    lc_buf_release(&cmp.pointer);
    return equal;
}
