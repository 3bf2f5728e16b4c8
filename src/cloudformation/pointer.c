/* Lists of JSON pointers: readOnlyProperties and the others, and primaryIdentifier. The provider
 * compares the property names on the way, so a pointer with `*` has no effect there. The profile
 * LC_CFN_DOCUMENT walks the shapes, where `*` is any element. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

/* ---- Tokens. */

/* A ~ that is not part of ~0 or ~1 is kept as it is. */
bool lc_cfn_next_token(lc_cfn_reader *r, lc_str *rest, lc_str *token)
{
    if (rest->len == 0)
        return false;
    size_t from = rest->ptr[0] == '/', at = from;
    bool escaped = false;
    while (at < rest->len && rest->ptr[at] != '/')
        escaped |= rest->ptr[at++] == '~';
    *token = lc_str_sub(*rest, from, at);
    *rest = lc_str_sub(*rest, at, rest->len);
    if (!escaped)
        return true;
    lc_buf text = {0};
    for (size_t i = 0; i < token->len; i++) {
        char c = token->ptr[i];
        bool two = c == '~' && i + 1 < token->len &&
                   (token->ptr[i + 1] == '0' || token->ptr[i + 1] == '1');
        lc_buf_add_char(&text, two ? (token->ptr[++i] == '1' ? '/' : '~') : c);
    }
    *token = lc_buf_copy(r->arena, &text);
    lc_buf_release(&text);
    return true;
}

/* ---- Walking. */

const lc_cfn_property *lc_cfn_member(const lc_cfn_shape *object, lc_str name)
{
    size_t low = 0, high = object->member_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lc_str_cmp(object->members[middle].name, name);
        if (order == 0)
            return &object->members[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const lc_cfn_property *lc_cfn_member_of(const lc_cfn_shape *object, lc_str attribute)
{
    for (size_t i = 0, end = object->slot_count; i < end;) {
        size_t middle = i + (end - i) / 2;
        const lc_cfn_property *p = object->by_slot[middle];
        int order = lc_str_cmp(p ? p->attribute : LC_STR("id"), attribute);
        if (order == 0)
            return p;
        if (order < 0)
            i = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

/* The object in which the next name is looked up: arrays and maps on the way need no token of their
 * own. */
static const lc_cfn_shape *object_below(const lc_cfn_shape *shape)
{
    while (shape && shape->element)
        shape = shape->element;
    return shape && shape->form == LC_CFN_OBJECT ? shape : NULL;
}

/* The current place of a pointer: a shape, and the property it belongs to (NULL at the root). */
typedef struct walk {
    const lc_cfn_shape *shape;
    const lc_cfn_property *property;
} walk;

/* In addition to names, the documentation's profile accepts `*` or "items" for elements, and
 * "properties" between names. */
static bool step(lc_cfn_profile profile, walk *w, lc_str token)
{
    const lc_cfn_shape *object = object_below(w->shape);
    const lc_cfn_property *p = object ? lc_cfn_member(object, token) : NULL;
    if (p) {
        *w = (walk){p->shape, p};
        return true;
    }
    if (profile == LC_CFN_AWSCC || !w->shape)
        return false;
    bool element = lc_str_is(token, "*") || lc_str_is(token, "items");
    if (element && w->shape->element) {
        w->shape = w->shape->element;
        return true;
    }
    return lc_str_is(token, "properties") && object;
}

/* The property that a pointer names, or NULL. A leading "/properties" is optional. */
static lc_cfn_property *find(lc_cfn_reader *r, lc_cfn_profile profile, lc_str pointer)
{
    walk w = {r->type->root, NULL};
    lc_str rest = pointer, token;
    bool first = true;
    while (lc_cfn_next_token(r, &rest, &token)) {
        bool prefix = first && lc_str_is(token, "properties");
        first = false;
        if (!prefix && !step(profile, &w, token))
            return NULL;
    }
    /* The shapes are const for readers of the type; here they are still being made. */
    return (lc_cfn_property *)(uintptr_t)w.property;
}

/* ---- Lists. */

static const lc_node *list_of(lc_cfn_reader *r, const char *key)
{
    const lc_member *member = lc_node_member(r->root, lc_str_from_c(key));
    if (!member || member->value.kind == LC_NODE_NULL)
        return NULL;
    if (member->value.kind == LC_NODE_SEQUENCE)
        return &member->value;
    lc_cfn_report_problem(r, LC_CFN_FAULT_INPUT, true, member->where,
                          lc_cfn_reader_place(r, NULL, member->key),
                          "\"%s\" takes an array, not %s", key, lc_node_kind_name(&member->value));
    return NULL;
}

static bool has_star(lc_str pointer)
{
    for (size_t i = 0; i < pointer.len; i++) {
        if (pointer.ptr[i] == '*')
            return true;
    }
    return false;
}

static void report_no_property(lc_cfn_reader *r, const lc_node *node, const char *key, uint32_t i,
                               lc_str pointer)
{
    const lc_cfn_place *place = lc_cfn_reader_place(r, NULL, lc_str_from_c(key));
    place = lc_cfn_reader_place(r, place, lc_str_printf(r->arena, "%u", i));
    if (node->kind == LC_NODE_STRING && r->type->profile == LC_CFN_AWSCC && has_star(pointer))
        lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, node->where, place,
                              "\"%.*s\" has no effect: the provider does not look below *",
                              LC_FMT(pointer));
    else if (node->kind == LC_NODE_STRING)
        lc_cfn_report_problem(r, LC_CFN_FAULT_POINTER, false, node->where, place,
                              "\"%.*s\" names no property", LC_FMT(pointer));
    else
        lc_cfn_report_problem(r, LC_CFN_FAULT_POINTER, false, node->where, place,
                              "%s holds %s where a pointer is expected", key,
                              lc_node_kind_name(node));
}

typedef enum mark { READ_ONLY, CREATE_ONLY, WRITE_ONLY, CONDITIONAL, DEPRECATED, MARKS } mark;

static void set_mark(lc_cfn_property *p, mark m)
{
    switch (m) {
    case READ_ONLY:
        p->read_only = true;
        return;
    case CREATE_ONLY:
        p->create_only = true;
        return;
    case WRITE_ONLY:
        p->write_only = true;
        return;
    case CONDITIONAL:
        p->conditional_create_only = true;
        return;
    case DEPRECATED:
        p->deprecated = true;
        return;
    case MARKS:
        break;
    }
}

/* Write-only values are secret even where the provider does not see that they are write-only (a
 * pointer with `*`), hence the second look-up with the documentation's rules. */
static void mark_list(lc_cfn_reader *r, const char *key, mark m)
{
    const lc_node *list = list_of(r, key);
    for (uint32_t i = 0; list && i < list->count; i++) {
        const lc_node *node = &list->as.items[i];
        lc_str pointer = node->kind == LC_NODE_STRING ? node->as.text : LC_STR_EMPTY;
        lc_cfn_property *p = find(r, r->type->profile, pointer);
        lc_cfn_property *meant = find(r, LC_CFN_DOCUMENT, pointer);
        if (meant && m == WRITE_ONLY)
            meant->secret = true;
        if (p)
            set_mark(p, m);
        else
            report_no_property(r, node, key, i, pointer);
    }
}

static lc_str last_token(lc_cfn_reader *r, lc_str pointer)
{
    lc_str token = LC_STR_EMPTY, next;
    while (lc_cfn_next_token(r, &pointer, &next))
        token = next;
    return token;
}

/* Components that name no property are kept, because the identifier's text has a part for each of
 * them. */
static void read_identifier(lc_cfn_reader *r)
{
    const lc_node *list = list_of(r, "primaryIdentifier");
    for (uint32_t i = 0; list && i < list->count; i++) {
        const lc_node *node = &list->as.items[i];
        if (node->kind != LC_NODE_STRING) {
            report_no_property(r, node, "primaryIdentifier", i, LC_STR_EMPTY);
            continue;
        }
        lc_cfn_component *c = LC_PUSH(r->arena, &r->type->identifier, lc_cfn_component);
        c->pointer = node->as.text;
        c->property = find(r, r->type->profile, node->as.text);
        c->name = c->property ? c->property->name : last_token(r, node->as.text);
        c->identity = lc_cfn_identity_name(r->arena, c->name);
        if (!c->property)
            report_no_property(r, node, "primaryIdentifier", i, node->as.text);
    }
}

void lc_cfn_pointers(lc_cfn_reader *r)
{
    static const char *const keys[MARKS] = {
        [READ_ONLY] = "readOnlyProperties",    [CREATE_ONLY] = "createOnlyProperties",
        [WRITE_ONLY] = "writeOnlyProperties",  [CONDITIONAL] = "conditionalCreateOnlyProperties",
        [DEPRECATED] = "deprecatedProperties",
    };
    for (int m = 0; m < MARKS; m++)
        mark_list(r, keys[m], (mark)m);
    read_identifier(r);
}

void lc_cfn_add_place(lc_buf *out, const lc_cfn_place *place)
{
    const lc_cfn_place *way[2 * LC_MAX_JSON_DEPTH];
    size_t count = 0;
    for (const lc_cfn_place *p = place; p && count < sizeof way / sizeof *way; p = p->up)
        way[count++] = p;
    while (count) {
        lc_str token = way[--count]->token;
        lc_buf_add_char(out, '/');
        for (size_t i = 0; i < token.len; i++) {
            if (token.ptr[i] == '~' || token.ptr[i] == '/')
                lc_buf_add_c(out, token.ptr[i] == '~' ? "~0" : "~1");
            else
                lc_buf_add_char(out, token.ptr[i]);
        }
    }
}
