/* Trees of expressions: building them, also from JSON nodes, and inspecting them. */
#include "configuration/expression/tree.h"

#include "lifecheck/base/limits.h"

/* ---- Places. */

lc_source_pos lc_source_pos_of(const lc_source *source, const lc_node *node)
{
    return (lc_source_pos){source, node->where, 0};
}

/* ---- Making. */

/* Every node is made here, so no tree can be higher than LC_EXPR_MAX_HEIGHT. */
lc_expr *lc_expr_new(lc_arena *arena, lc_expr_kind kind, lc_source_pos place,
                     const lc_expr *const *items, size_t count)
{
    unsigned height = 0;
    for (size_t i = 0; i < count; i++)
        if (items[i]->height > height)
            height = items[i]->height;
    if (height >= LC_EXPR_MAX_HEIGHT || count > UINT32_MAX)
        return NULL;
    lc_expr *e = LC_NEW(arena, lc_expr);
    e->kind = (uint8_t)kind;
    e->height = (uint16_t)(height + 1);
    e->count = (uint32_t)count;
    e->place = place;
    e->end = e->mark = place.offset;
    e->items = items;
    return e;
}

const lc_expr *lc_expr_value(lc_arena *arena, lc_source_pos place, const lc_value *slot)
{
    lc_expr *e = lc_expr_new(arena, LC_EXPR_LITERAL, place, NULL, 0);
    e->as.value = lc_value_new(arena, slot);
    return e;
}

/* The attribute name at a step, or empty if there is no such step. */
static lc_str attr_at(const lc_reference *ref, size_t at)
{
    return at < ref->count && ref->steps[at].kind == LC_REF_ATTR ? ref->steps[at].name
                                                                 : LC_STR_EMPTY;
}

static void drop_steps(lc_reference *ref, size_t n)
{
    ref->steps += n;
    ref->count -= n;
}

/* References with a type. `from`: number of the step that is the name; the type is the step before
 * it, or the head if `from` is 0. */
static void classify_typed(lc_reference *ref, lc_root root, size_t from)
{
    ref->type = from == 0 ? ref->head : attr_at(ref, from - 1);
    ref->name = attr_at(ref, from);
    bool whole = ref->type.len > 0 && ref->name.len > 0;
    ref->root = whole ? root : LC_ROOT_BAD;
    if (whole)
        drop_steps(ref, from + 1);
}

/* An unknown first name is a resource type; `resource.` may precede it explicitly. */
void lc_reference_classify(lc_reference *ref)
{
    static const struct {
        const char *head;
        lc_root root;
    } named[] = {
        {"var", LC_ROOT_VARIABLE},        {"local", LC_ROOT_LOCAL},    {"each", LC_ROOT_EACH},
        {"count", LC_ROOT_COUNT},         {"path", LC_ROOT_PATH},      {"module", LC_ROOT_MODULE},
        {"terraform", LC_ROOT_TERRAFORM}, {"tofu", LC_ROOT_TERRAFORM},
    };
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        if (!lc_str_is(ref->head, named[i].head))
            continue;
        ref->name = attr_at(ref, 0);
        ref->root = ref->name.len > 0 ? named[i].root : LC_ROOT_BAD;
        if (ref->root != LC_ROOT_BAD)
            drop_steps(ref, 1);
        return;
    }
    if (lc_str_is(ref->head, "self"))
        ref->root = LC_ROOT_SELF;
    else if (lc_str_is(ref->head, "data"))
        classify_typed(ref, LC_ROOT_DATA, 1);
    else if (lc_str_is(ref->head, "ephemeral"))
        classify_typed(ref, LC_ROOT_EPHEMERAL, 1);
    else
        classify_typed(ref, LC_ROOT_RESOURCE, lc_str_is(ref->head, "resource") ? 1 : 0);
}

const lc_expr *lc_expr_object(lc_arena *arena, const lc_expr_member *members, size_t count,
                              lc_source_pos place)
{
    const lc_expr **items = LC_NEW_ARRAY(arena, const lc_expr *, lc_mul_size(count, 2));
    for (size_t i = 0; i < count; i++) {
        lc_value name;
        lc_value_set_string(&name, arena, members[i].name);
        items[2 * i] = lc_expr_value(
            arena, members[i].place.source ? members[i].place : members[i].value->place, &name);
        items[2 * i + 1] = members[i].value;
    }
    return lc_expr_new(arena, LC_EXPR_OBJECT, place, items, 2 * count);
}

const lc_expr *lc_expr_native_body(lc_arena *arena, const lc_expr_member *members, size_t count,
                                   lc_source_pos place)
{
    const lc_expr *object = lc_expr_object(arena, members, count, place);
    lc_expr *body = NULL;
    if (object)
        body = lc_expr_new(arena, LC_EXPR_OBJECT, place, object->items, object->count);
    if (body)
        body->bare = true;
    return body;
}

const lc_expr *lc_expr_block_new(lc_arena *arena, const lc_expr_block *block)
{
    const lc_expr **items = LC_NEW_ARRAY(arena, const lc_expr *, block->label_count + 2);
    size_t count = 0;
    if (block->for_each)
        items[count++] = block->for_each;
    for (size_t i = 0; i < block->label_count; i++)
        items[count++] = block->labels[i];
    if (block->body)
        items[count++] = block->body;
    lc_expr *e = lc_expr_new(arena, LC_EXPR_BLOCK, block->place, items, count);
    if (!e)
        return NULL;
    lc_expr_block *kept = LC_NEW(arena, lc_expr_block);
    *kept = *block;
    e->as.block = kept;
    return e;
}

/* ---- From nodes. */

/* The state while nodes are converted. */
typedef struct builder {
    lc_arena *arena;
    const lc_source *source;
    bool templates; /* strings are templates, else literal text */
    lc_eval_error *trouble;
    unsigned depth;
    bool blocks; /* `dynamic` is a block, not an argument */
} builder;

static const lc_expr *build(builder *b, const lc_node *node);

/* What does not parse is an error only where it is evaluated. */
static const lc_expr *build_bad(builder *b, lc_source_pos place, const lc_eval_error *errors)
{
    lc_expr *e = lc_expr_new(b->arena, LC_EXPR_BAD, place, NULL, 0);
    if (errors) {
        lc_eval_error *kept = LC_NEW(b->arena, lc_eval_error);
        *kept = *errors;
        e->as.errors = kept;
    }
    return e;
}

static const lc_expr *build_text(builder *b, lc_str text, lc_source_pos place)
{
    const lc_expr *e = NULL;
    if (b->templates) {
        bool good = lc_template_parse(&e, b->arena, text, place, b->trouble);
        return good || !b->trouble->summary.len ? e : build_bad(b, place, b->trouble);
    }
    lc_value v;
    lc_value_set_string(&v, b->arena, text);
    return lc_expr_value(b->arena, place, &v);
}

static const lc_expr *build_scalar(builder *b, const lc_node *node)
{
    lc_source_pos place = lc_source_pos_of(b->source, node);
    lc_value v;
    lc_num n;
    if (node->kind == LC_NODE_STRING)
        return build_text(b, node->as.text, place);
    if (node->kind == LC_NODE_BOOL) {
        lc_value_set_bool(&v, node->boolean);
    } else if (node->kind == LC_NODE_NULL) {
        lc_value_set_null(&v, &lc_type_dynamic);
    } else if (lc_num_from_text(&n, b->arena, node->as.text, LC_MAX_DIGITS) == LC_NUM_OK) {
        lc_value_set_number(&v, n);
    } else {
        return build_bad(b, place, NULL);
    }
    return lc_expr_value(b->arena, place, &v);
}

static const lc_expr *too_deep(builder *b, lc_source_pos place)
{
    *b->trouble =
        (lc_eval_error){LC_STR_EMPTY, LC_STR("the value is nested too deeply"), place, NULL};
    return NULL;
}

/* ---- Dynamic blocks. */

/* One member of a dynamic block. */
static bool take_part(builder *b, lc_expr_block *block, const lc_member *m)
{
    lc_source_pos place = {b->source, m->where, 0};
    const lc_node *value = &m->value;
    if (lc_str_is(m->key, "for_each")) {
        block->for_each = build(b, value);
        return block->for_each != NULL;
    }
    if (lc_str_is(m->key, "iterator")) {
        block->iterator = lc_is_identifier(lc_node_as_text(value)) ? value->as.text : LC_STR_EMPTY;
        block->iterator_place = lc_source_pos_of(b->source, value);
    } else if (lc_str_is(m->key, "labels")) {
        const lc_expr *labels = build(b, value);
        block->labels_place = lc_source_pos_of(b->source, value);
        block->labels = labels ? labels->items : NULL;
        block->label_count = labels ? labels->count : 0;
        return labels != NULL;
    } else if (lc_str_is(m->key, "content")) {
        bool many = value->kind == LC_NODE_SEQUENCE;
        if (many && value->count > 1)
            block->second = lc_source_pos_of(b->source, value);
        block->body = many && value->count == 0 ? NULL : build(b, many ? value->as.items : value);
        return block->body || (many && value->count == 0);
    } else if (!lc_str_is(m->key, "//")) {
        block->strange = m->key;
        block->strange_place = place;
    }
    return true;
}

/* One dynamic block of type `label`. Its iterator is named like the label, or by `iterator`. */
static const lc_expr *build_labelled(builder *b, const lc_member *label, const lc_node *node)
{
    lc_expr_block block = {.type = label->key,
                           .place = {b->source, label->where, 0},
                           .inside = lc_source_pos_of(b->source, node),
                           .dynamic = true,
                           .iterator = label->key};
    if (node->kind != LC_NODE_MAPPING)
        return build(b, node);
    for (uint32_t i = 0; i < node->count; i++)
        if (!take_part(b, &block, &node->as.members[i]))
            return NULL;
    const lc_expr *e = lc_expr_block_new(b->arena, &block);
    return e ? e : too_deep(b, block.place);
}

/* The members of `dynamic`: block types, each with one dynamic block or an array of them. */
static const lc_expr *build_labels(builder *b, const lc_node *node)
{
    lc_expr_member *members = LC_NEW_ARRAY(b->arena, lc_expr_member, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        const lc_node *one = &m->value;
        bool many = one->kind == LC_NODE_SEQUENCE;
        const lc_expr **parts = LC_NEW_ARRAY(b->arena, const lc_expr *, (size_t)one->count + 1);
        size_t count = many ? one->count : 1;
        for (size_t k = 0; k < count; k++) {
            parts[k] = build_labelled(b, m, many ? &one->as.items[k] : one);
            if (!parts[k])
                return NULL;
        }
        lc_source_pos place = lc_source_pos_of(b->source, one);
        const lc_expr *value =
            many ? lc_expr_new(b->arena, LC_EXPR_TUPLE, place, parts, count) : parts[0];
        if (!value)
            return too_deep(b, place);
        members[i] = (lc_expr_member){m->key, value, {b->source, m->where, 0}};
    }
    lc_source_pos place = lc_source_pos_of(b->source, node);
    const lc_expr *e = lc_expr_object(b->arena, members, node->count, place);
    return e ? e : too_deep(b, place);
}

/* JSON syntax allows `dynamic` to be an object or an array of objects. */
static const lc_expr *build_dynamic(builder *b, const lc_node *node)
{
    if (node->kind == LC_NODE_MAPPING)
        return build_labels(b, node);
    const lc_expr **items = LC_NEW_ARRAY(b->arena, const lc_expr *, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_node *one = &node->as.items[i];
        items[i] = one->kind == LC_NODE_MAPPING ? build_labels(b, one) : build(b, one);
        if (!items[i])
            return NULL;
    }
    lc_source_pos place = lc_source_pos_of(b->source, node);
    const lc_expr *e = lc_expr_new(b->arena, LC_EXPR_TUPLE, place, items, node->count);
    return e ? e : too_deep(b, place);
}

/* A member of a body; only `dynamic` with an object or array is special. */
static const lc_expr *build_member(builder *b, const lc_member *m)
{
    bool many = m->value.kind == LC_NODE_MAPPING || m->value.kind == LC_NODE_SEQUENCE;
    if (!b->blocks || !many || !lc_str_is(m->key, "dynamic") || b->depth >= LC_EXPR_MAX_HEIGHT)
        return build(b, &m->value);
    b->depth++;
    const lc_expr *e = build_dynamic(b, &m->value);
    b->depth--;
    return e;
}

/* An object or array. Keys are templates, too. */
static const lc_expr *build_many(builder *b, const lc_node *node)
{
    bool object = node->kind == LC_NODE_MAPPING;
    size_t width = object ? 2 : 1, at = 0;
    const lc_expr **items =
        LC_NEW_ARRAY(b->arena, const lc_expr *, lc_mul_size(node->count, width));
    for (size_t i = 0; i < node->count; i++) {
        if (object) {
            const lc_member *m = &node->as.members[i];
            items[at++] = build_text(b, m->key, (lc_source_pos){b->source, m->where, 0});
            if (!items[at - 1])
                return NULL;
        }
        items[at] = object ? build_member(b, &node->as.members[i]) : build(b, &node->as.items[i]);
        if (!items[at++])
            return NULL;
    }
    lc_source_pos place = lc_source_pos_of(b->source, node);
    const lc_expr *e =
        lc_expr_new(b->arena, object ? LC_EXPR_OBJECT : LC_EXPR_TUPLE, place, items, at);
    return e ? e : too_deep(b, place);
}

static const lc_expr *build(builder *b, const lc_node *node)
{
    if (node->kind != LC_NODE_SEQUENCE && node->kind != LC_NODE_MAPPING)
        return build_scalar(b, node);
    if (b->depth >= LC_EXPR_MAX_HEIGHT)
        return too_deep(b, lc_source_pos_of(b->source, node));
    b->depth++;
    const lc_expr *e = build_many(b, node);
    b->depth--;
    return e;
}

bool lc_expr_from_node(const lc_expr **out, lc_arena *arena, const lc_source *source,
                       const lc_node *node, lc_eval_error *trouble)
{
    builder b = {.arena = arena, .source = source, .templates = true, .trouble = trouble};
    *out = build(&b, node);
    return *out != NULL;
}

bool lc_expr_from_member(const lc_expr **out, lc_arena *arena, const lc_source *source,
                         const lc_member *member, lc_eval_error *trouble)
{
    builder b = {
        .arena = arena, .source = source, .templates = true, .trouble = trouble, .blocks = true};
    *out = build_member(&b, member);
    return *out != NULL;
}

/* Too deep a nesting is the only way to fail; the value is undecided then. */
const lc_expr *lc_expr_literal(lc_arena *arena, const lc_source *source, const lc_node *node)
{
    lc_eval_error trouble;
    builder b = {.arena = arena, .source = source, .trouble = &trouble};
    const lc_expr *e = build(&b, node);
    if (e)
        return e;
    lc_expr *undecided = lc_expr_new(arena, LC_EXPR_UNDECIDED, trouble.place, NULL, 0);
    undecided->as.name = trouble.detail;
    return undecided;
}

const lc_expr *lc_expr_undecided(lc_arena *arena, lc_str reason, lc_source_pos place)
{
    return lc_expr_undecided_about(arena, reason, NULL, 0, place);
}

const lc_expr *lc_expr_undecided_about(lc_arena *arena, lc_str reason, const lc_expr *const *about,
                                       size_t count, lc_source_pos place)
{
    lc_expr *undecided = lc_expr_new(arena, LC_EXPR_UNDECIDED, place, about, count);
    if (!undecided) /* too deep, or too many */
        undecided = lc_expr_new(arena, LC_EXPR_UNDECIDED, place, NULL, 0);
    undecided->as.name = reason;
    return undecided;
}

/* ---- Inspection. */

lc_source_pos lc_expr_pos(const lc_expr *expr)
{
    return expr->place;
}

lc_source_pos lc_expr_start(const lc_expr *expr)
{
    lc_expr_kind kind = (lc_expr_kind)expr->kind;
    bool within = kind == LC_EXPR_PARENS || kind == LC_EXPR_BINARY || kind == LC_EXPR_CONDITION ||
                  kind == LC_EXPR_TEMPLATE;
    if (within && expr->count > 0)
        return lc_expr_start(expr->items[0]);
    lc_source_pos at = expr->place;
    /* With a literal key it is one traversal with what is before it. */
    bool index = kind == LC_EXPR_INDEX && expr->items[1]->kind != LC_EXPR_LITERAL;
    if (index || kind == LC_EXPR_SPLAT || (kind == LC_EXPR_LITERAL && expr->mark > 0))
        at.offset = expr->mark;
    return at;
}

lc_source_pos lc_expr_end(const lc_expr *expr)
{
    lc_source_pos end = expr->place;
    end.offset = expr->end;
    return end;
}

bool lc_expr_is_bare_key(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_LITERAL && expr->bare;
}

const lc_reference *lc_expr_reference(const lc_expr *expr)
{
    if (expr->kind == LC_EXPR_WRAP) /* "${a.b}" is a.b */
        expr = expr->items[0];
    return expr->kind == LC_EXPR_REFERENCE ? expr->as.reference : NULL;
}

const lc_expr *lc_expr_unwrapped(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_WRAP ? expr->items[0] : expr;
}

const lc_value *lc_expr_constant(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_LITERAL ? expr->as.value : NULL;
}

bool lc_expr_is_object(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_OBJECT;
}

const lc_expr *lc_expr_key_at(lc_str *name, const lc_expr *object, size_t i)
{
    *name = LC_STR("");
    if (2 * i + 1 >= object->count)
        return NULL;
    const lc_value *key = lc_expr_constant(object->items[2 * i]);
    if (key && key->type->kind == LC_TYPE_STRING)
        *name = key->as.string;
    return object->items[2 * i];
}

const lc_eval_error *lc_expr_errors(const lc_expr *expr)
{
    const lc_eval_error *found = expr->kind == LC_EXPR_BAD ? expr->as.errors : NULL;
    for (size_t i = 0; !found && i < expr->count; i++)
        found = lc_expr_errors(expr->items[i]);
    return found;
}

const lc_expr *lc_expr_value_at(const lc_expr *object, size_t i)
{
    return 2 * i + 1 < object->count ? object->items[2 * i + 1] : NULL;
}

bool lc_expr_is_tuple(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_TUPLE;
}

const lc_expr *lc_expr_item_at(const lc_expr *tuple, size_t i)
{
    return i < tuple->count ? tuple->items[i] : NULL;
}

const lc_expr_block *lc_expr_block_of(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_BLOCK ? expr->as.block : NULL;
}

bool lc_expr_is_native_body(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_OBJECT && expr->bare;
}

/* JSON allows a key twice; the last one counts. A key that must be evaluated could be `name`, so
 * the answer is NULL then. */
const lc_expr *lc_expr_member_of(const lc_expr *object, lc_str name)
{
    if (object->kind != LC_EXPR_OBJECT)
        return NULL;
    const lc_expr *found = NULL;
    for (size_t i = 0; i + 1 < object->count; i += 2) {
        const lc_value *key = lc_expr_constant(object->items[i]);
        if (!key || !lc_is_known(key) || key->type->kind != LC_TYPE_STRING)
            return NULL;
        if (lc_str_eq(key->as.string, name))
            found = object->items[i + 1];
    }
    return found;
}

/* Names that are not references where they are used: those of a `for`, whose `key` may be empty,
 * and iterators of dynamic blocks. */
typedef struct hidden {
    const struct hidden *up;
    lc_str key, value;
} hidden;

static bool is_hidden(const hidden *names, lc_str head)
{
    for (; names; names = names->up)
        if (lc_str_eq(names->value, head) || (names->key.len > 0 && lc_str_eq(names->key, head)))
            return true;
    return false;
}

typedef struct finding {
    lc_references *out;
    bool types;    /* the type that `convert` takes is read as a reference, too */
    bool expanded; /* not what dynamic blocks contain: it may never be evaluated */
} finding;

static bool is_convert(const lc_expr *expr)
{
    return expr->kind == LC_EXPR_CALL && expr->count > 1 &&
           (lc_str_is(expr->as.name, "convert") || lc_str_is(expr->as.name, "core::convert"));
}

static void find_references(const finding *f, const lc_expr *expr, const hidden *names);

/* The names are not known in the collection. */
static void find_in_loop(const finding *f, const lc_for *loop, const hidden *names)
{
    hidden inner = {names, loop->key_name, loop->value_name};
    find_references(f, loop->collection, names);
    if (loop->key)
        find_references(f, loop->key, &inner);
    find_references(f, loop->value, &inner);
    if (loop->condition)
        find_references(f, loop->condition, &inner);
}

/* A reference's own items are the expressions in its index steps. The iterator of a dynamic block
 * is known in all of the block but its for_each, which is the first item. */
static void find_references(const finding *f, const lc_expr *expr, const hidden *names)
{
    if (expr->kind == LC_EXPR_FOR) {
        find_in_loop(f, expr->as.loop, names);
        return;
    }
    bool reference = expr->kind == LC_EXPR_REFERENCE;
    if (reference && !is_hidden(names, expr->as.reference->head))
        *LC_PUSH(f->out->arena, &f->out->list, const lc_reference *) = expr->as.reference;
    bool dynamic = expr->kind == LC_EXPR_BLOCK && expr->as.block->dynamic;
    size_t count = !f->types && is_convert(expr) ? 1 : expr->count;
    hidden inner = {names, LC_STR_EMPTY, dynamic ? expr->as.block->iterator : LC_STR_EMPTY};
    for (size_t i = 0; i < count; i++) {
        const lc_expr *item = expr->items[i];
        bool content = dynamic && item == expr->as.block->body;
        if (!content || !f->expanded)
            find_references(f, item, dynamic && item != expr->as.block->for_each ? &inner : names);
    }
}

void lc_expr_references(lc_references *out, const lc_expr *expr)
{
    find_references(&(finding){.out = out}, expr, NULL);
}

static bool is_late(lc_str name)
{
    return lc_str_is(name, "timestamp") || lc_str_is(name, "uuid") || lc_str_is(name, "bcrypt") ||
           lc_str_is(name, "core::timestamp") || lc_str_is(name, "core::uuid") ||
           lc_str_is(name, "core::bcrypt");
}

/* The recursion is bounded by LC_EXPR_MAX_HEIGHT. */
unsigned lc_expr_contents(const lc_expr *expr)
{
    lc_expr_kind kind = (lc_expr_kind)expr->kind;
    unsigned found = 0;
    if (kind == LC_EXPR_REFERENCE)
        return 0;
    if (kind == LC_EXPR_LITERAL || kind == LC_EXPR_UNDECIDED || kind == LC_EXPR_BAD ||
        kind == LC_EXPR_BLOCK)
        found |= LC_EXPR_OWN;
    if (kind == LC_EXPR_CALL && is_late(expr->as.name))
        found |= LC_EXPR_OWN | LC_EXPR_LATE;
    for (size_t i = 0; i < expr->count; i++)
        found |= lc_expr_contents(expr->items[i]);
    return found;
}

void lc_expr_certain_references(lc_references *out, const lc_expr *expr, lc_profile profile)
{
    finding f = {.out = out, .types = profile != LC_PROFILE_TERRAFORM, .expanded = true};
    find_references(&f, expr, NULL);
}

static bool same_part(const lc_expr *a, const lc_expr *b)
{
    return a == b || (a && b && lc_expr_same(a, b));
}

static bool same_loop(const lc_for *a, const lc_for *b)
{
    return a->grouped == b->grouped && lc_str_eq(a->key_name, b->key_name) &&
           lc_str_eq(a->value_name, b->value_name) && same_part(a->collection, b->collection) &&
           same_part(a->key, b->key) && same_part(a->value, b->value) &&
           same_part(a->condition, b->condition);
}

/* Compares what a node holds itself; items are compared by the caller. Undecided expressions never
 * count as the same. */
static bool same_node(const lc_expr *a, const lc_expr *b)
{
    switch ((lc_expr_kind)a->kind) {
    case LC_EXPR_LITERAL:
        return lc_value_same(a->as.value, b->as.value);
    case LC_EXPR_REFERENCE:
        return lc_str_eq(a->as.reference->text, b->as.reference->text);
    case LC_EXPR_ATTR:
    case LC_EXPR_CALL:
        return lc_str_eq(a->as.name, b->as.name);
    case LC_EXPR_FOR:
        return same_loop(a->as.loop, b->as.loop);
    case LC_EXPR_BAD:
    case LC_EXPR_UNDECIDED:
    case LC_EXPR_BLOCK:
        return false;
    case LC_EXPR_TEMPLATE:
    case LC_EXPR_WRAP:
    case LC_EXPR_JOIN:
    case LC_EXPR_PARENS:
    case LC_EXPR_DOTTED:
    case LC_EXPR_ELEMENT:
    case LC_EXPR_INDEX:
    case LC_EXPR_SPLAT:
    case LC_EXPR_TUPLE:
    case LC_EXPR_OBJECT:
    case LC_EXPR_UNARY:
    case LC_EXPR_BINARY:
    case LC_EXPR_CONDITION:
        return true;
    }
    return false;
}

/* The recursion is bounded by LC_EXPR_MAX_HEIGHT. The parts of a `for` are compared in
 * same_loop. */
bool lc_expr_same(const lc_expr *a, const lc_expr *b)
{
    while (a->kind == LC_EXPR_PARENS)
        a = a->items[0];
    while (b->kind == LC_EXPR_PARENS)
        b = b->items[0];
    bool same = a->kind == b->kind && a->op == b->op && a->expand == b->expand &&
                a->count == b->count && same_node(a, b);
    for (size_t i = 0; same && a->kind != LC_EXPR_FOR && i < a->count; i++)
        same = lc_expr_same(a->items[i], b->items[i]);
    return same;
}
