/* The blocks in a body: those that are written, and those that dynamic blocks generate. The schema
 * decides which members of a body are attributes and which are blocks; in native syntax the two
 * must also be written as what they are. Source: hcldec and HCL's extension dynblock. */
#include "lifecheck/catalog/core_message.h"
#include "predict/body/body.h"

/* One block of a type. */
typedef struct found_block {
    const lc_expr *body;
    const lc_iterator *iterators;
    lc_str label;
    bool unknown;          /* of a dynamic block whose number of elements is not known */
    const lc_marks *marks; /* of for_each */
} found_block;

/* The blocks of a type while they are looked for. */
typedef struct search {
    lc_body_decoder *d;
    const lc_block_type *type;
    LC_VEC(found_block) found;
    bool dynamic; /* ... among them one for each dynamic block, if nothing is evaluated */
} search;

static lc_marked decode_block(lc_body_decoder *d, const lc_expr *body, const lc_block *block);

static bool has_label(const lc_block_type *type)
{
    return type->nesting == LC_NESTING_MAP;
}

static found_block *add(search *s, const lc_expr *body)
{
    found_block *b = LC_PUSH(s->d->arena, &s->found, found_block);
    *b = (found_block){.body = body, .iterators = s->d->instance.iterators};
    return b;
}

/* ---- Dynamic blocks. */

/* What a dynamic block is written like, before anything is evaluated. */
static bool check_form(search *s, const lc_expr_block *b)
{
    lc_body_decoder *d = s->d;
    const char *strange = !d->native            ? LC_SUMMARY_EXTRANEOUS_PROPERTY
                          : b->strange_is_block ? LC_SUMMARY_UNSUPPORTED_BLOCK
                                                : LC_SUMMARY_UNSUPPORTED_ARGUMENT;
    if (!b->for_each)
        lc_body_complain(d, LC_SUMMARY_MISSING_ARGUMENT, LC_STR("for_each"), b->inside);
    if (b->strange.len)
        lc_body_complain(d, strange, b->strange, b->strange_place);
    else if (b->label_count && !has_label(s->type))
        lc_body_complain(
            d, d->native ? LC_SUMMARY_UNSUPPORTED_ARGUMENT : LC_SUMMARY_EXTRANEOUS_PROPERTY,
            LC_STR("labels"), b->labels_place);
    else if (!b->iterator.len)
        lc_body_complain(d, LC_SUMMARY_DYNAMIC_ITERATOR, LC_STR("a name is required here"),
                         b->iterator_place);
    else if (b->for_each)
        return true;
    return false;
}

/* What is checked after for_each. */
static bool check_rest(search *s, const lc_expr_block *b)
{
    lc_body_decoder *d = s->d;
    size_t want = has_label(s->type) ? 1 : 0;
    if (b->labels && b->label_count > want)
        lc_body_complain(d, LC_SUMMARY_DYNAMIC_EXTRA_LABEL, b->type, b->labels_place);
    else if (b->labels && b->label_count < want)
        lc_body_complain(d, LC_SUMMARY_DYNAMIC_FEW_LABELS, b->type, b->labels_place);
    else if (!b->body)
        lc_body_complain(d, LC_SUMMARY_DYNAMIC_NO_CONTENT, b->type, b->inside);
    else if (b->second.source)
        lc_body_complain(d, LC_SUMMARY_DYNAMIC_SECOND_CONTENT, b->type, b->second);
    else
        return true;
    return false;
}

static bool is_collection(const lc_type *type)
{
    return !lc_type_is_primitive(type) && type->kind != LC_TYPE_DYNAMIC;
}

/* False: for_each is not a collection, which is reported. */
static bool check_each(search *s, const lc_expr_block *b, lc_marked each)
{
    bool null = lc_is_null(each.value);
    if (!null && (is_collection(each.value->type) || each.value->type->kind == LC_TYPE_DYNAMIC))
        return true;
    lc_body_complain(s->d, LC_SUMMARY_DYNAMIC_FOR_EACH,
                     null ? LC_STR("null has no elements") : LC_STR("a collection is required"),
                     lc_expr_pos(b->for_each));
    return false;
}

/* The label of a generated block. */
static bool read_label(search *s, const lc_expr_block *b, lc_str *out)
{
    lc_marked v;
    const lc_value *text;
    lc_str why = LC_STR("a label is a known string");
    if (!lc_body_evaluate(&v, s->d, b->labels[0]))
        return false;
    if (!(lc_marks_all(v) & ~(unsigned)LC_MARK_HIDDEN) && lc_is_known(v.value) &&
        lc_value_convert(&text, s->d->arena, v.value, &lc_type_string, &why) && lc_is_known(text)) {
        *out = text->as.string;
        return true;
    }
    lc_body_complain(s->d, LC_SUMMARY_DYNAMIC_LABEL, why, lc_expr_pos(b->labels[0]));
    return false;
}

/* One generated block; the iterator stands for an element, or for unknown ones. */
static void generate(search *s, const lc_expr_block *b, const lc_iterator *iterator,
                     const lc_marks *marks, bool unknown)
{
    lc_str label = LC_STR_EMPTY;
    const lc_iterator *around = s->d->instance.iterators;
    s->d->instance.iterators = iterator;
    bool good = !has_label(s->type) || !b->label_count || read_label(s, b, &label);
    s->d->instance.iterators = around;
    if (!good)
        return;
    found_block *block = add(s, b->body);
    block->iterators = iterator;
    block->label = label;
    block->unknown = unknown;
    block->marks = marks;
}

static const lc_marks *marks_at(lc_marked v, size_t i)
{
    return v.marks && i < v.marks->count ? v.marks->children[i] : NULL;
}

static lc_iterator *iterator_new(search *s, const lc_expr_block *b)
{
    lc_iterator *it = LC_NEW(s->d->arena, lc_iterator);
    *it = (lc_iterator){.up = s->d->instance.iterators, .name = b->iterator};
    return it;
}

/* The key of element `i`: an index, a name, or of a set the element itself. */
static lc_marked key_of(search *s, lc_marked each, size_t i)
{
    const lc_value *v = each.value;
    lc_value key;
    if (v->type->kind == LC_TYPE_SET)
        return (lc_marked){&v->as.many.elems[i], NULL};
    if (v->type->kind == LC_TYPE_MAP)
        lc_value_set_string(&key, s->d->arena, v->as.many.keys[i]);
    else if (v->type->kind == LC_TYPE_OBJECT)
        lc_value_set_string(&key, s->d->arena, v->type->as.attrs[i].name);
    else
        lc_value_set_number(&key, lc_num_from_int((int64_t)i));
    return (lc_marked){lc_value_new(s->d->arena, &key), NULL};
}

/* Limit for the blocks of one body, beyond any that a provider would take. */
#define MAX_BLOCKS 100000

static void generate_all(search *s, const lc_expr_block *b, lc_marked each)
{
    const lc_marks *marks = each.marks && each.marks->self ? each.marks : NULL;
    if (!lc_is_known(each.value)) {
        lc_iterator *it = iterator_new(s, b);
        it->key = it->value = lc_body_unknown(s->d, &lc_type_dynamic, each.marks);
        generate(s, b, it, each.marks, true);
        return;
    }
    if (each.value->count > MAX_BLOCKS - s->d->blocks) {
        lc_body_complain(s->d, "", LC_STR("the dynamic blocks make too many blocks"), b->place);
        return;
    }
    s->d->blocks += each.value->count;
    for (size_t i = 0; i < each.value->count; i++) {
        lc_iterator *it = iterator_new(s, b);
        it->key = key_of(s, each, i);
        it->value = (lc_marked){&each.value->as.many.elems[i], marks_at(each, i)};
        if (marks) {
            it->key = lc_marked_with(s->d->arena, it->key, marks->self, marks->undecided);
            it->value = lc_marked_with(s->d->arena, it->value, marks->self, marks->undecided);
        }
        generate(s, b, it, marks, false);
    }
}

static void expand(search *s, const lc_expr_block *b)
{
    lc_marked each;
    if (s->d->form_only) {
        s->dynamic = true;
        if (check_form(s, b) && check_rest(s, b))
            add(s, b->body);
        return;
    }
    if (check_form(s, b) && lc_body_evaluate(&each, s->d, b->for_each) && check_each(s, b, each) &&
        check_rest(s, b))
        generate_all(s, b, each);
}

/* ---- Blocks as they are written. */

/* The number of labels must be that of the block type. */
static void take_native(search *s, const lc_expr_block *b)
{
    size_t want = has_label(s->type) ? 1 : 0;
    if (b->dynamic) {
        expand(s, b);
    } else if (b->label_count != want) {
        lc_str summary = lc_str_printf(s->d->arena,
                                       b->label_count > want ? "Extraneous label for %.*s"
                                                             : "Missing key for %.*s",
                                       LC_FMT(b->type));
        lc_body_complain(s->d, lc_str_to_c(s->d->arena, summary),
                         LC_STR("the schema requires another number of labels"),
                         b->label_count > want ? lc_expr_pos(b->labels[want]) : b->inside);
    } else {
        found_block *found = add(s, b->body);
        const lc_value *label = want ? lc_expr_constant(b->labels[0]) : NULL;
        if (label)
            found->label = label->as.string;
    }
}

static bool is_null(const lc_expr *expr)
{
    const lc_value *v = lc_expr_constant(expr);
    return v && lc_is_null(v);
}

/* An object is a block, an array has several. */
static void take_bodies(search *s, const lc_expr *value, lc_str label)
{
    const lc_expr *item;
    if (lc_expr_is_tuple(value)) {
        for (size_t i = 0; (item = lc_expr_item_at(value, i)); i++)
            add(s, item)->label = label;
    } else if (!is_null(value)) {
        add(s, value)->label = label;
    }
}

static void take_labels(search *s, const lc_expr *value)
{
    lc_str name;
    const lc_expr *item;
    for (size_t i = 0; lc_expr_is_tuple(value) && (item = lc_expr_item_at(value, i)); i++)
        take_labels(s, item);
    for (size_t i = 0; lc_expr_is_object(value) && lc_expr_key_at(&name, value, i); i++)
        take_bodies(s, lc_expr_value_at(value, i), name);
    if (!lc_expr_is_tuple(value) && !lc_expr_is_object(value) && !is_null(value))
        lc_body_complain(s->d, LC_SUMMARY_INCORRECT_JSON_TYPE,
                         LC_STR("an object with a member for each label is expected"),
                         lc_expr_pos(value));
}

/* The member `dynamic` of JSON syntax: what it has for the type. */
static void take_dynamic(search *s, const lc_expr *value)
{
    lc_str name;
    const lc_expr *item;
    for (size_t i = 0; lc_expr_is_tuple(value) && (item = lc_expr_item_at(value, i)); i++)
        take_dynamic(s, item);
    for (size_t i = 0; lc_expr_is_object(value) && lc_expr_key_at(&name, value, i); i++) {
        const lc_expr *one = lc_expr_value_at(value, i);
        if (!lc_str_eq(name, s->type->name))
            continue;
        for (size_t k = 0; lc_expr_is_tuple(one) && (item = lc_expr_item_at(one, k)); k++)
            if (lc_expr_block_of(item))
                expand(s, lc_expr_block_of(item));
        if (lc_expr_block_of(one))
            expand(s, lc_expr_block_of(one));
    }
}

/* One member of a body. */
static void take_member(search *s, lc_str name, const lc_expr *key, const lc_expr *value)
{
    const lc_expr_block *block = lc_expr_block_of(value);
    bool own = lc_str_eq(name, s->type->name);
    if (!s->d->native && lc_str_is(name, "dynamic")) {
        take_dynamic(s, value);
    } else if (own && block) {
        take_native(s, block);
    } else if (own && s->d->native) {
        lc_body_complain(s->d, LC_SUMMARY_UNSUPPORTED_ARGUMENT,
                         LC_STR("this is a block, not an argument"), lc_expr_pos(key));
    } else if (own && has_label(s->type)) {
        take_labels(s, value);
    } else if (own) {
        take_bodies(s, value, LC_STR_EMPTY);
    }
}

/* ---- Values of blocks. */

/* Checks the number of blocks against min_items and max_items. The summaries are those of the cores
 * for each nesting mode. */
static void check_count(lc_body_decoder *d, const lc_block_type *type, size_t count,
                        lc_source_pos place)
{
    bool single = type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP;
    bool few = type->min_items > 0 && count < (uint64_t)type->min_items;
    bool much = type->max_items > 0 && count > (uint64_t)type->max_items;
    const char *wrong = NULL;
    if (single)
        wrong = count > 1 ? "Duplicate" : few ? "Missing" : NULL;
    else if (type->nesting != LC_NESTING_MAP)
        wrong = few ? "Insufficient" : much ? "Too many" : NULL;
    if (!wrong)
        return;
    lc_str summary =
        lc_str_printf(d->arena, "%s %.*s block%s", wrong, LC_FMT(type->name), single ? "" : "s");
    lc_body_complain(d, lc_str_to_c(d->arena, summary),
                     LC_STR("the schema requires another number"), place);
}

/* True if some block stands for an unknown number of them. */
static bool is_unknown(const search *s, lc_marked *out)
{
    for (size_t i = 0; i < s->found.count; i++) {
        if (!s->found.items[i].unknown)
            continue;
        *out = lc_body_unknown(s->d, s->type->implied, s->found.items[i].marks);
        return true;
    }
    return false;
}

/* The value of one block, with the marks of the for_each that generated it. */
static lc_marked value_of(search *s, const found_block *b)
{
    lc_body_decoder *d = s->d;
    const lc_iterator *around = d->instance.iterators;
    d->instance.iterators = b->iterators;
    lc_marked v = decode_block(d, b->body, s->type->block);
    d->instance.iterators = around;
    return b->marks ? lc_marked_with(d->arena, v, b->marks->self, b->marks->undecided) : v;
}

/* All blocks of one type. A map of blocks has its labels as keys. */
static lc_marked decode_blocks(lc_body_decoder *d, const lc_expr *body, const lc_block_type *type)
{
    search s = {.d = d, .type = type};
    bool single = type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP;
    lc_str name;
    const lc_expr *key;
    lc_marked unknown;
    for (size_t i = 0; (key = lc_expr_key_at(&name, body, i)); i++)
        take_member(&s, name, key, lc_expr_value_at(body, i));
    size_t count = s.found.count;
    if (is_unknown(&s, &unknown))
        return unknown;
    if (!s.dynamic)
        check_count(d, type, count, lc_expr_pos(body));
    if (single && count == 0)
        return (lc_marked){lc_block_type_empty_value(d->arena, type), NULL};
    lc_marked *items = LC_NEW_ARRAY(d->arena, lc_marked, count);
    lc_str *names = LC_NEW_ARRAY(d->arena, lc_str, count);
    for (size_t i = 0; i < count; i++) {
        names[i] = s.found.items[i].label;
        items[i] = value_of(&s, &s.found.items[i]);
    }
    return single ? items[0] : lc_body_collect(d, type, items, names, count);
}

/* ---- Bodies. */

const char *lc_predict_strange_name(const lc_expr *body, const lc_expr *value)
{
    return !lc_expr_is_native_body(body) ? LC_SUMMARY_EXTRANEOUS_PROPERTY
           : lc_expr_block_of(value)     ? LC_SUMMARY_UNSUPPORTED_BLOCK
                                         : LC_SUMMARY_UNSUPPORTED_ARGUMENT;
}

/* A name that the object type does not have, and one of it that is meant. A property of JSON may be
 * any string, such as the key of a map with secrets: it is not shown. */
static void report_strange(lc_body_decoder *d, const lc_expr *body, const lc_type *type,
                           lc_str name, const lc_expr *key, const lc_expr *value)
{
    lc_str *names = LC_NEW_ARRAY(d->arena, lc_str, type->count);
    for (size_t i = 0; i < type->count; i++)
        names[i] = type->as.attrs[i].name;
    lc_str near = lc_str_nearest(name, names, type->count);
    lc_str shown = d->native ? name : LC_STR_EMPTY;
    if (near.len)
        shown = lc_str_printf(d->arena, "%.*s%sdid you mean \"%.*s\"?", LC_FMT(shown),
                              shown.len ? "; " : "", LC_FMT(near));
    lc_body_complain(d, lc_predict_strange_name(body, value), shown, lc_expr_pos(key));
}

/* `dynamic` of JSON syntax and comments are not names of the schema, and allowed. */
static void check_names(lc_body_decoder *d, const lc_expr *body, const lc_block *block)
{
    lc_str name;
    const lc_expr *key;
    for (size_t i = 0; (key = lc_expr_key_at(&name, body, i)); i++) {
        const lc_expr *value = lc_expr_value_at(body, i);
        bool passed =
            !d->native && (lc_str_is(name, "dynamic") || lc_str_is(name, "//") || !name.len);
        if (!passed && !lc_block_attribute(block, name) && !lc_block_block(block, name))
            report_strange(d, body, block->implied, name, key, value);
    }
}

/* ---- Attributes. */

/* A list or set of objects may be written as blocks, as old SDKs document such attributes. */
static bool may_be_blocks(const lc_type *type)
{
    return type && (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET) &&
           type->as.elem->kind == LC_TYPE_OBJECT;
}

static lc_marked convert(lc_body_decoder *d, lc_marked v, const lc_type *want, lc_source_pos place)
{
    lc_marked out;
    lc_str why;
    if (lc_marked_convert(&out, d->arena, v, want, &why))
        return out;
    lc_body_complain(d, LC_SUMMARY_ATTRIBUTE_TYPE, why, place);
    return lc_body_unknown(d, want, v.marks);
}

static lc_marked blocks_as_value(lc_body_decoder *d, const lc_expr *body, lc_str name,
                                 const lc_type *type);

/* The object that a block is instead of an element of an attribute. */
static lc_marked object_of(lc_body_decoder *d, const lc_expr *body, const lc_type *type)
{
    size_t count = type->count;
    lc_value *elems = LC_NEW_ARRAY(d->arena, lc_value, count), object;
    const lc_marks **marks = lc_arena_zalloc(d->arena, lc_mul_size(count, sizeof *marks));
    lc_str name;
    const lc_expr *key;
    for (size_t i = 0; (key = lc_expr_key_at(&name, body, i)); i++)
        if (lc_type_attr_index(type, name) < 0)
            report_strange(d, body, type, name, key, lc_expr_value_at(body, i));
    for (size_t i = 0; i < count; i++) {
        const lc_type *want = type->as.attrs[i].type;
        const lc_expr *value = lc_expr_member_of(body, type->as.attrs[i].name);
        lc_marked v = lc_body_null(d, want);
        if (value && lc_expr_block_of(value) && may_be_blocks(want))
            v = blocks_as_value(d, body, type->as.attrs[i].name, want);
        else if (value && !d->form_only && lc_body_evaluate(&v, d, value))
            v = convert(d, v, want, lc_expr_pos(value));
        elems[i] = *v.value;
        marks[i] = v.marks;
    }
    lc_value_set_object(&object, d->arena, type, elems);
    return (lc_marked){lc_value_new(d->arena, &object), lc_marks_join(d->arena, marks, count)};
}

static lc_marked blocks_as_value(lc_body_decoder *d, const lc_expr *body, lc_str name,
                                 const lc_type *type)
{
    lc_block_type as = {.name = name, .nesting = LC_NESTING_LIST, .implied = type};
    search s = {.d = d, .type = &as};
    lc_str member;
    const lc_expr *key;
    lc_marked unknown;
    for (size_t i = 0; (key = lc_expr_key_at(&member, body, i)); i++)
        take_member(&s, member, key, lc_expr_value_at(body, i));
    if (is_unknown(&s, &unknown))
        return unknown;
    lc_marked *items = LC_NEW_ARRAY(d->arena, lc_marked, s.found.count);
    const lc_iterator *around = d->instance.iterators;
    for (size_t i = 0; i < s.found.count; i++) {
        d->instance.iterators = s.found.items[i].iterators;
        items[i] = object_of(d, s.found.items[i].body, type->as.elem);
    }
    d->instance.iterators = around;
    return convert(d, lc_predict_tuple(d->arena, items, s.found.count), type, lc_expr_pos(body));
}

static lc_marked decode_attribute(lc_body_decoder *d, const lc_expr *body, const lc_attribute *a)
{
    const lc_expr *value = lc_expr_member_of(body, a->name);
    if (value && !lc_expr_block_of(value) && d->form_only)
        return lc_body_unknown(d, a->implied, NULL);
    if (value && !lc_expr_block_of(value))
        return lc_body_attribute(d, value, a);
    if (value && may_be_blocks(a->type))
        return blocks_as_value(d, body, a->name, a->type);
    if (value)
        lc_body_complain(d, LC_SUMMARY_UNSUPPORTED_BLOCK, a->name, lc_expr_pos(value));
    else if (a->required)
        lc_body_complain(d, LC_SUMMARY_MISSING_ARGUMENT, a->name, lc_expr_pos(body));
    return value || a->required ? lc_body_unknown(d, a->implied, NULL)
                                : lc_body_null(d, a->implied);
}

/* A body that is not an object: what could not be read is unknown, all else is a mistake. */
static lc_marked decode_other(lc_body_decoder *d, const lc_expr *body, const lc_block *block)
{
    lc_marked v;
    if (d->form_only || !lc_body_evaluate(&v, d, body))
        return lc_body_unknown(d, block->implied, NULL);
    if (lc_is_known(v.value) || !(lc_marks_all(v) & LC_MARK_UNDECIDED))
        lc_body_complain(d, LC_SUMMARY_INCORRECT_JSON_TYPE, LC_STR("an object is required"),
                         lc_expr_pos(body));
    return lc_body_unknown(d, block->implied, v.marks);
}

static lc_marked decode_block(lc_body_decoder *d, const lc_expr *body, const lc_block *block)
{
    if (!lc_expr_is_object(body))
        return decode_other(d, body, block);
    bool around = d->native;
    d->native = lc_expr_is_native_body(body);
    check_names(d, body, block);
    size_t count = block->attribute_count + block->block_count;
    lc_value *elems = LC_NEW_ARRAY(d->arena, lc_value, count), object;
    const lc_marks **marks = lc_arena_zalloc(d->arena, lc_mul_size(count, sizeof *marks));
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        lc_marked v = decode_attribute(d, body, a);
        elems[a->slot] = *v.value;
        marks[a->slot] = v.marks;
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_marked v = decode_blocks(d, body, type);
        elems[type->slot] = *v.value;
        marks[type->slot] = v.marks;
    }
    d->native = around;
    lc_value_set_object(&object, d->arena, block->implied, elems);
    return (lc_marked){lc_value_new(d->arena, &object), lc_marks_join(d->arena, marks, count)};
}

/* ---- Without a schema: all that is evaluated, to know whether it is known. */

typedef struct parts {
    LC_VEC(lc_marked) list;
} parts;

static void evaluate_all(lc_body_decoder *d, parts *out, const lc_expr *body);

static void evaluate_content(lc_body_decoder *d, parts *out, const lc_expr_block *b, lc_marked key,
                             lc_marked value)
{
    const lc_iterator *around = d->instance.iterators;
    lc_iterator it = {around, b->iterator, key, value};
    d->instance.iterators = &it;
    if (b->body)
        evaluate_all(d, out, b->body);
    d->instance.iterators = around;
}

/* The content for each element; if they are not known, nothing of it is evaluated. */
static void evaluate_dynamic(lc_body_decoder *d, parts *out, const lc_expr_block *b)
{
    lc_marked each;
    search s = {.d = d};
    if (!b->for_each || !lc_body_evaluate(&each, d, b->for_each))
        return;
    *LC_PUSH(d->arena, &out->list, lc_marked) = each;
    bool known = lc_is_known(each.value) && is_collection(each.value->type);
    if (!known || each.value->count > MAX_BLOCKS - d->blocks)
        return;
    d->blocks += each.value->count;
    for (size_t i = 0; i < each.value->count; i++)
        evaluate_content(d, out, b, key_of(&s, each, i),
                         (lc_marked){&each.value->as.many.elems[i], marks_at(each, i)});
}

static void evaluate_all(lc_body_decoder *d, parts *out, const lc_expr *body)
{
    const lc_expr *item;
    const lc_expr_block *b = lc_expr_block_of(body);
    if (b && b->dynamic) {
        evaluate_dynamic(d, out, b);
    } else if (b) {
        evaluate_all(d, out, b->body);
    } else if (lc_expr_is_object(body)) {
        for (size_t i = 0; (item = lc_expr_value_at(body, i)); i++)
            evaluate_all(d, out, item);
    } else if (lc_expr_is_tuple(body)) {
        for (size_t i = 0; (item = lc_expr_item_at(body, i)); i++)
            evaluate_all(d, out, item);
    } else {
        lc_marked v;
        if (lc_body_evaluate(&v, d, body))
            *LC_PUSH(d->arena, &out->list, lc_marked) = v;
    }
}

static lc_body_decoder decoder_of(const lc_eval_scope *scope, const lc_expr *body,
                                  lc_eval_error *trouble)
{
    lc_body_decoder d = {.scope = scope,
                         .arena = scope->arena ? scope->arena : scope->run->arena,
                         .instance = {.key = LC_NO_KEY},
                         .place = lc_expr_pos(body),
                         .trouble = trouble};
    if (scope->instance)
        d.instance = *scope->instance;
    return d;
}

bool lc_predict_body(lc_marked *out, const lc_eval_scope *scope, const lc_expr *body,
                     const lc_block *block, lc_eval_error *trouble)
{
    lc_body_decoder d = decoder_of(scope, body, trouble);
    parts all = {0};
    if (block) {
        *out = decode_block(&d, body, block);
        lc_body_complain_of_nulls(&d);
    } else {
        evaluate_all(&d, &all, body);
        *out = lc_predict_tuple(d.arena, all.list.items, all.list.count);
    }
    return !d.failed;
}

bool lc_predict_body_form(const lc_eval_scope *scope, const lc_expr *body, const lc_block *block,
                          lc_eval_error *trouble)
{
    lc_body_decoder d = decoder_of(scope, body, trouble);
    d.form_only = true;
    decode_block(&d, body, block);
    return !d.failed;
}
