/* Views of the schemas in a type: their keywords, the target of $ref, and "required". A schema is
 * read once, however many properties refer to it. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to so many names in "required" need no table. */
#define FEW        8
#define MAX_FRAMES 1000 /* limit for definitions inside each other */

/* ---- Places and problems. */

const lc_cfn_place *lc_cfn_reader_place(lc_cfn_reader *r, const lc_cfn_place *up, lc_str token)
{
    lc_cfn_place *place = LC_NEW(r->arena, lc_cfn_place);
    *place = (lc_cfn_place){up, token};
    return place;
}

lc_loc lc_cfn_loc(lc_cfn_reader *r, uint64_t where)
{
    return r->lines ? lc_lines_loc(r->lines, where) : lc_text_places_at(&r->places, (size_t)where);
}

/* The place as a JSON pointer. */
static lc_str place_text(lc_cfn_reader *r, const lc_cfn_place *place)
{
    lc_buf text = {0};
    lc_cfn_add_place(&text, place);
    return lc_buf_take(r->arena, &text);
}

/* More problems than this are counted, not kept: they would not be read, and could fill the memory.
 */
#define MOST_PROBLEMS 10000

void lc_cfn_report_problem(lc_cfn_reader *r, lc_cfn_fault fault, bool error, uint64_t where,
                           const lc_cfn_place *place, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    r->type->errors += error;
    if (r->type->problems.count >= MOST_PROBLEMS) {
        r->type->unreported++;
        return;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    *LC_PUSH(r->arena, &r->type->problems, lc_cfn_problem) = (lc_cfn_problem){
        .fault = fault,
        .error = error,
        .loc = lc_cfn_loc(r, where),
        .pointer = place_text(r, place),
        .message = lc_str_copy(r->arena, lc_str_from_c(message)),
    };
}

/* ---- Keywords. */

/* What a keyword's value must be. COUNT is a whole number from 0. */
typedef enum wish { ANY, TEXT, FLAG, COUNT, BOUND, MAPPING, SEQUENCE } wish;

typedef struct keyword {
    const char *name;
    wish wish;
    bool needed; /* a wrong value makes the schema unusable */
} keyword;

static const keyword keywords[CFN_KEYS] = {
    [CFN_REF] = {"$ref", TEXT, true},
    [CFN_TYPE] = {"type", ANY, true},
    [CFN_PROPERTIES] = {"properties", MAPPING, true},
    [CFN_PATTERN_PROPERTIES] = {"patternProperties", MAPPING, true},
    [CFN_ADDITIONAL] = {"additionalProperties", ANY, false},
    [CFN_ITEMS] = {"items", MAPPING, true},
    [CFN_REQUIRED] = {"required", SEQUENCE, false},
    [CFN_DEFAULT] = {"default", ANY, false},
    [CFN_DESCRIPTION] = {"description", TEXT, false},
    [CFN_ENUM] = {"enum", SEQUENCE, false},
    [CFN_FORMAT] = {"format", TEXT, false},
    [CFN_PATTERN] = {"pattern", TEXT, false},
    [CFN_MIN_LENGTH] = {"minLength", COUNT, false},
    [CFN_MAX_LENGTH] = {"maxLength", COUNT, false},
    [CFN_MINIMUM] = {"minimum", BOUND, false},
    [CFN_MAXIMUM] = {"maximum", BOUND, false},
    [CFN_MIN_ITEMS] = {"minItems", COUNT, false},
    [CFN_MAX_ITEMS] = {"maxItems", COUNT, false},
    [CFN_UNIQUE_ITEMS] = {"uniqueItems", FLAG, true},
    [CFN_INSERTION_ORDER] = {"insertionOrder", FLAG, true},
    [CFN_ONE_OF] = {"oneOf", SEQUENCE, true},
    [CFN_ANY_OF] = {"anyOf", SEQUENCE, false},
    [CFN_ALL_OF] = {"allOf", SEQUENCE, true},
    [CFN_IF] = {"if", ANY, false},
    [CFN_THEN] = {"then", ANY, false},
    [CFN_ELSE] = {"else", ANY, false},
    [CFN_NOT] = {"not", ANY, false},
    [CFN_DEPENDENCIES] = {"dependencies", ANY, false},
};

static const char *kind_words(wish w)
{
    switch (w) {
    case TEXT:
        return "text";
    case FLAG:
        return "true or false";
    case COUNT:
        return "a whole number from 0";
    case BOUND:
        return "a number";
    case MAPPING:
        return "an object";
    case SEQUENCE:
        return "an array";
    case ANY:
        break;
    }
    return "a value";
}

static bool fits(const lc_cfn_reader *r, const lc_node *node, wish w)
{
    lc_num n;
    switch (w) {
    case TEXT:
        return node->kind == LC_NODE_STRING;
    case FLAG:
        return node->kind == LC_NODE_BOOL;
    case COUNT:
        return lc_cfn_integer(node, r->arena, r->type->profile == LC_CFN_AWSCC, &n) &&
               lc_num_sign(n) >= 0;
    case BOUND:
        return node->kind == LC_NODE_NUMBER;
    case MAPPING:
        return node->kind == LC_NODE_MAPPING;
    case SEQUENCE:
        return node->kind == LC_NODE_SEQUENCE;
    case ANY:
        break;
    }
    return true;
}

/* Marks the schema as unusable; the first reason is kept. */
static lc_str break_view(lc_cfn_reader *r, lc_cfn_view *view, const lc_member *member,
                         const char *want)
{
    if (view->broken.len == 0)
        view->broken = lc_str_printf(r->arena, "\"%.*s\" takes %s, not %s", LC_FMT(member->key),
                                     want, lc_node_kind_name(&member->value));
    return view->broken;
}

/* A wrong value of a keyword that only restricts values is reported and ignored by the profile
 * LC_CFN_DOCUMENT; the generator cannot read the type then, so it is an error in LC_CFN_AWSCC. */
static void note_keyword(lc_cfn_reader *r, lc_cfn_view *view, const lc_member *member)
{
    for (int k = 0; k < CFN_KEYS; k++) {
        if (!lc_str_is(member->key, keywords[k].name))
            continue;
        if (member->value.kind == LC_NODE_NULL && k != CFN_DEFAULT)
            return;
        if (fits(r, &member->value, keywords[k].wish)) {
            view->keys[k] = &member->value;
        } else if (keywords[k].needed) {
            break_view(r, view, member, kind_words(keywords[k].wish));
        } else {
            lc_cfn_report_problem(r, LC_CFN_FAULT_INPUT, r->type->profile == LC_CFN_AWSCC,
                                  member->where, view->place, "\"%.*s\" takes %s, not %s",
                                  LC_FMT(member->key), kind_words(keywords[k].wish),
                                  lc_node_kind_name(&member->value));
        }
        return;
    }
}

/* ---- Types. */

LC_ENUM_NAMES(lc_cfn_json_type, CFN_TYPES);

static lc_cfn_json_type type_of(lc_str name)
{
    lc_cfn_json_type type = CFN_OTHER;
    return lc_cfn_json_type_from_name(&type, name) && type != CFN_NONE ? type : CFN_OTHER;
}

/* "type" may be an array of two names, such as ["string", "object"]: the first name that is not
 * "object" is used. */
static void read_type(lc_cfn_view *view, const lc_node *node)
{
    const lc_node *name = node;
    bool pair = node->kind == LC_NODE_SEQUENCE && node->count == 2 &&
                node->as.items[0].kind == LC_NODE_STRING &&
                node->as.items[1].kind == LC_NODE_STRING;
    if (pair)
        name = &node->as.items[lc_str_is(node->as.items[0].as.text, "object") ? 1 : 0];
    if (name->kind != LC_NODE_STRING) {
        view->broken = LC_STR("\"type\" takes the name of a type, or two of them in an array");
        return;
    }
    view->type = type_of(name->as.text);
    view->type_text = name->as.text;
}

/* ---- Members. */

static int by_name(const void *a, const void *b)
{
    const lc_cfn_shape_member *x = a, *y = b;
    int order = lc_str_cmp(x->name, y->name);
    return order ? order : (x->where > y->where) - (x->where < y->where);
}

void lc_cfn_sort(lc_cfn_shape_member *members, size_t count)
{
    if (count)
        qsort(members, count, sizeof *members, by_name);
}

/* Sorted by name, so that they can be merged and searched. */
static void take_members(lc_cfn_reader *r, lc_cfn_view *view)
{
    const lc_node *properties = view->keys[CFN_PROPERTIES];
    if (!properties)
        return;
    const lc_cfn_place *place = lc_cfn_reader_place(r, view->place, LC_STR("properties"));
    view->members = LC_NEW_ARRAY(r->arena, lc_cfn_shape_member, properties->count);
    view->member_count = properties->count;
    for (uint32_t i = 0; i < properties->count; i++) {
        const lc_member *m = &properties->as.members[i];
        view->members[i] = (lc_cfn_shape_member){m->key, m->where, &m->value,
                                                 lc_cfn_reader_place(r, place, m->key)};
    }
    lc_cfn_sort(view->members, view->member_count);
}

/* ---- What is required. */

/* A long "required" is indexed, because every property is looked up in it. */
static void index_required(lc_cfn_reader *r, lc_cfn_view *view)
{
    const lc_node *list = view->keys[CFN_REQUIRED];
    if (!list || list->count <= FEW)
        return;
    view->required = LC_NEW(r->arena, lc_table);
    lc_table_init(view->required, r->arena);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->as.items[i].kind == LC_NODE_STRING)
            lc_table_put(view->required, list->as.items[i].as.text, view);
    }
}

bool lc_cfn_requires(const lc_cfn_view *view, lc_str name)
{
    const lc_node *list = view->keys[CFN_REQUIRED];
    if (view->required)
        return lc_table_get(view->required, name) != NULL;
    for (uint32_t i = 0; list && list->count <= FEW && i < list->count; i++) {
        if (list->as.items[i].kind == LC_NODE_STRING && lc_str_eq(list->as.items[i].as.text, name))
            return true;
    }
    return false;
}

/* ---- Views. */

static lc_cfn_view *new_view(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place)
{
    lc_cfn_view *view = LC_NEW(r->arena, lc_cfn_view);
    view->node = node;
    view->place = place;
    view->type_text = view->broken = LC_STR_EMPTY;
    if (node->kind != LC_NODE_MAPPING) {
        view->broken =
            lc_str_printf(r->arena, "a schema is an object, not %s", lc_node_kind_name(node));
        return view;
    }
    for (uint32_t i = 0; i < node->count; i++)
        note_keyword(r, view, &node->as.members[i]);
    if (view->keys[CFN_TYPE] && view->broken.len == 0)
        read_type(view, view->keys[CFN_TYPE]);
    take_members(r, view);
    index_required(r, view);
    if (view->broken.len == 0)
        lc_cfn_unite(r, view);
    return view;
}

lc_cfn_view *lc_cfn_look(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place)
{
    /* The key of the table is the address of the node, which does not move. */
    lc_cfn_view *view = lc_table_get(&r->views, LC_BYTES_OF(node));
    if (!view) {
        view = new_view(r, node, place);
        lc_table_put(&r->views, LC_BYTES_OF(view->node), view);
    }
    return view;
}

/* ---- References. */

/* Only references to a definition or a top-level property of the same file are supported, as by the
 * provider. */
static bool is_reference(lc_str text)
{
    lc_str rest;
    if (lc_str_starts_with(text, LC_STR("#/definitions/")))
        rest = lc_str_sub(text, sizeof "#/definitions/" - 1, text.len);
    else if (lc_str_starts_with(text, LC_STR("#/properties/")))
        rest = lc_str_sub(text, sizeof "#/properties/" - 1, text.len);
    else
        return false;
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.ptr[i] == '/')
            return false;
    }
    return rest.len > 0;
}

void lc_cfn_fail_use(lc_cfn_use *use, const lc_cfn_view *at, lc_cfn_fault fault, lc_str why)
{
    use->broken = why;
    use->fault = fault;
    use->at = at;
}

/* The chain of definitions that leads from `name` back to it, for the message: "A -> B -> A". */
static lc_str circle(lc_cfn_reader *r, const lc_cfn_frame *frame, lc_str name)
{
    lc_buf text = {0};
    const lc_cfn_frame *first = frame;
    const lc_cfn_frame *way[MAX_FRAMES];
    size_t count = 0;
    while (!lc_str_eq(first->name, name) && count < MAX_FRAMES) {
        way[count++] = first;
        first = first->up;
    }
    lc_buf_printf(&text, "definition %.*s is recursive: %.*s", LC_FMT(name), LC_FMT(name));
    while (count && text.len < 700) {
        count--;
        lc_buf_printf(&text, " -> %.*s", LC_FMT(way[count]->name));
    }
    lc_buf_printf(&text, "%s -> %.*s", count ? " -> ..." : "", LC_FMT(name));
    return lc_buf_take(r->arena, &text);
}

/* Pushes a frame for a definition. False: the definition is being expanded already (recursive), or
 * the chain is too long. */
static bool enter(lc_cfn_reader *r, lc_cfn_use *use, const lc_cfn_view *at, lc_str name)
{
    for (const lc_cfn_frame *f = use->frame; f; f = f->up) {
        if (lc_str_eq(f->name, name)) {
            lc_cfn_fail_use(use, at, LC_CFN_FAULT_RECURSIVE, circle(r, use->frame, name));
            return false;
        }
    }
    if (use->frame && use->frame->depth >= MAX_FRAMES) {
        lc_cfn_fail_use(use, at, LC_CFN_FAULT_INPUT,
                        LC_STR("definitions lead too far into each other"));
        return false;
    }
    lc_cfn_frame *frame = LC_NEW(r->arena, lc_cfn_frame);
    *frame = (lc_cfn_frame){use->frame, name, use->frame ? use->frame->depth + 1 : 1};
    use->frame = frame;
    return true;
}

/* The name in a reference, with ~1 and ~0 decoded; the provider does not decode them. */
static lc_str referred_name(lc_cfn_reader *r, lc_str pointer, size_t group)
{
    lc_str name = lc_str_sub(pointer, group, pointer.len), rest = name, token;
    if (r->type->profile == LC_CFN_DOCUMENT && lc_cfn_next_token(r, &rest, &token))
        return token;
    return name;
}

/* The view that the $ref of `view` refers to; NULL: `use` has the reason. */
static lc_cfn_view *follow(lc_cfn_reader *r, lc_cfn_use *use, const lc_cfn_view *view)
{
    lc_str text = view->keys[CFN_REF]->as.text;
    if (!is_reference(text)) {
        lc_cfn_fail_use(
            use, view, LC_CFN_FAULT_INPUT,
            lc_str_printf(r->arena, "$ref \"%.*s\" is not #/definitions/NAME or #/properties/NAME",
                          LC_FMT(text)));
        return NULL;
    }
    lc_str pointer = lc_str_sub(text, 1, text.len);
    bool definition = lc_str_starts_with(pointer, LC_STR("/definitions/"));
    size_t group = definition ? sizeof "/definitions/" - 1 : sizeof "/properties/" - 1;
    lc_str name = referred_name(r, pointer, group);
    pointer = lc_str_printf(r->arena, "%.*s%.*s", (int)group, pointer.ptr, LC_FMT(name));
    const lc_member *target = lc_table_get(&r->definitions, pointer);
    if (!target) {
        lc_cfn_fail_use(use, view, LC_CFN_FAULT_INPUT,
                        lc_str_printf(r->arena, "$ref \"%.*s\" names nothing", LC_FMT(text)));
        return NULL;
    }
    if (!enter(r, use, view, definition ? name : pointer))
        return NULL;
    lc_table_put(&r->used, pointer, r);
    const lc_cfn_place *place = lc_cfn_reader_place(r, NULL, lc_str_sub(pointer, 1, group - 1));
    return lc_cfn_look(r, &target->value, lc_cfn_reader_place(r, place, name));
}

/* A $ref may have a description and a default next to it. The outermost ones that are not empty
 * win. */
static void keep_siblings(lc_cfn_use *use, const lc_cfn_view *view)
{
    const lc_node *description = view->keys[CFN_DESCRIPTION];
    const lc_node *value = view->keys[CFN_DEFAULT];
    if (use->description.len == 0 && description)
        use->description = description->as.text;
    if (!use->default_node && value && value->kind != LC_NODE_NULL)
        use->default_node = value;
}

/* allOf is merged only where the schema has no properties of its own. The definitions that its
 * branches refer to become frames too, so that recursion through allOf is found. */
lc_cfn_use lc_cfn_resolve(lc_cfn_reader *r, const lc_node *node, const lc_cfn_place *place,
                          const lc_cfn_frame *frame)
{
    lc_cfn_use use = {.frame = frame, .description = LC_STR_EMPTY, .broken = LC_STR_EMPTY};
    lc_cfn_view *view = lc_cfn_look(r, node, place);
    while (view && view->broken.len == 0 && view->keys[CFN_REF]) {
        keep_siblings(&use, view);
        view = follow(r, &use, view);
    }
    if (!view)
        return use;
    if (view->broken.len) {
        lc_cfn_fail_use(&use, view, LC_CFN_FAULT_INPUT, view->broken);
        return use;
    }
    keep_siblings(&use, view);
    use.view = view;
    if (view->keys[CFN_ALL_OF] && view->member_count == 0 && !view->keys[CFN_PATTERN_PROPERTIES])
        use.view = lc_cfn_all_of(r, view, &use);
    for (size_t i = 0; use.view && use.view != view && i < use.view->passed.count; i++) {
        if (!enter(r, &use, view, use.view->passed.items[i]))
            use.view = NULL;
    }
    return use;
}
