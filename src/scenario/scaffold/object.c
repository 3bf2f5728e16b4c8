/* Objects with generated values, one line an attribute.
 *
 * What has to be set is set, in configuration, plan and result alike; what may be set is switched
 * off, in all three. An object without anything that has to be set gets one attribute nevertheless:
 * YAML has no block mapping without members, and elements of a set have to differ in something. */
#include "scenario/scaffold/internal.h"

#define MAX_OFF   3 /* levels that are written in full within what is switched off */
#define LONG_TYPE 80

typedef struct spot {
    lc_yaml_writer *o;
    lc_stage stage;
    bool first;      /* of the states that are written: it explains what is computed */
    uint64_t number; /* of the element around, from 1: makes elements differ */
    bool apart;      /* the object is an element of a set and has to differ from others */
    bool whole;      /* within a Computed value: all of it is there */
    bool quiet;      /* nothing switched off, no remarks: the first element has all of them */
    const lc_attribute *subject; /* of the whole object: it is set, and changes */
    bool changed;
    unsigned off; /* levels within what is switched off; there all is set that may be set */
} spot;

static void object(const spot *s, lc_members members);
static void objects(const spot *s, lc_nesting nesting, lc_members members, int64_t min,
                    lc_str note);

/* ---- What an attribute is, in words. */

static void add_flag(lc_buf *out, bool set, const char *name)
{
    if (set)
        lc_buf_printf(out, ", %s", name);
}

static void add_limits(lc_buf *out, int64_t min, int64_t max)
{
    if (min > 0 && max > 0 && min == max)
        lc_buf_printf(out, ", exactly %lld", (long long)min);
    else if (min > 0 && max > 0)
        lc_buf_printf(out, ", %lld to %lld", (long long)min, (long long)max);
    else if (min > 0)
        lc_buf_printf(out, ", at least %lld", (long long)min);
    else if (max > 0)
        lc_buf_printf(out, ", at most %lld", (long long)max);
}

static void add_type(lc_buf *out, const lc_attribute *a)
{
    lc_buf text = {0};
    if (a->nested) {
        lc_buf_printf(out, "nested %s", lc_nesting_name(a->nested->nesting));
        add_limits(out, a->nested->min_items, a->nested->max_items);
        return;
    }
    lc_type_add_text(&text, a->implied);
    if (text.len > LONG_TYPE)
        lc_type_add_friendly(out, a->implied);
    else
        lc_buf_add_str(out, lc_buf_str(&text));
    lc_buf_release(&text);
}

static void describe(lc_buf *out, const lc_attribute *a)
{
    add_type(out, a);
    add_flag(out, a->required, "required");
    add_flag(out, a->optional, "optional");
    add_flag(out, a->computed, "computed");
    add_flag(out, a->sensitive, "sensitive");
    add_flag(out, a->write_only, "write-only");
    add_flag(out, a->deprecated, "deprecated");
}

static void describe_block(lc_buf *out, const lc_block_type *b)
{
    lc_buf_printf(out, "%s block", lc_nesting_name(b->nesting));
    add_limits(out, b->min_items, b->max_items);
    add_flag(out, b->block->deprecated, "deprecated");
}

/* ---- What is set. */

static bool settable(const lc_attribute *a)
{
    return a->required || a->optional;
}

static bool distinguishes(const lc_attribute *a)
{
    const lc_type *type = a->implied;
    while (lc_type_is_collection(type))
        type = type->as.elem;
    return !a->nested && !a->write_only && type->kind != LC_TYPE_BOOL;
}

static unsigned merit(const lc_attribute *a)
{
    if (!settable(a))
        return 0;
    return 1u + 16u * !a->write_only + 8u * distinguishes(a) + 4u * !a->computed +
           2u * !a->deprecated;
}

/* The attribute that is set although none has to be, or NULL. */
static const lc_attribute *substitute(lc_members m)
{
    const lc_attribute *best = NULL;
    for (size_t i = 0; i < m.attribute_count; i++) {
        if (merit(&m.attributes[i]) > (best ? merit(best) : 0))
            best = &m.attributes[i];
    }
    return best;
}

static bool differs_anyway(lc_members m)
{
    for (size_t i = 0; i < m.attribute_count; i++) {
        if (m.attributes[i].required && distinguishes(&m.attributes[i]))
            return true;
    }
    return false;
}

static bool has_required(lc_members m)
{
    for (size_t i = 0; i < m.attribute_count; i++) {
        if (m.attributes[i].required)
            return true;
    }
    for (size_t i = 0; i < m.block_count; i++) {
        if (m.blocks[i].min_items > 0 || m.blocks[i].nesting == LC_NESTING_GROUP)
            return true;
    }
    return false;
}

/* What one object has set. */
typedef struct choice {
    const lc_attribute *attribute; /* in addition to what is required; or NULL */
    const lc_block_type *block;    /* or this block; or NULL */
} choice;

static bool block_settable(const lc_block_type *b)
{
    return !b->computed;
}

static choice choose(const spot *s, lc_members m)
{
    choice c = {NULL, NULL};
    if (!has_required(m) || (s->apart && !differs_anyway(m)))
        c.attribute = substitute(m);
    if (has_required(m) || c.attribute)
        return c;
    for (size_t i = 0; i < m.block_count && !c.block; i++)
        c.block = block_settable(&m.blocks[i]) ? &m.blocks[i] : NULL;
    return c;
}

/* Are all optional members set as well? */
static bool is_full(const spot *s)
{
    return s->whole || (s->off && s->off <= MAX_OFF);
}

static bool is_on(const spot *s, choice c, const lc_attribute *a)
{
    return s->whole || a->required || a == c.attribute || (a == s->subject && settable(a)) ||
           (is_full(s) && settable(a));
}

static bool is_written(const spot *s, choice c, const lc_attribute *a)
{
    return is_on(s, c, a) || (a->computed && s->stage != LC_STAGE_CONFIG);
}

static bool block_is_on(const spot *s, choice c, const lc_block_type *b)
{
    if (!block_settable(b))
        return false;
    return is_full(s) || b->min_items > 0 || b->nesting == LC_NESTING_GROUP || b == c.block;
}

static bool is_empty(const spot *s, choice c, lc_members m)
{
    for (size_t i = 0; i < m.attribute_count; i++) {
        if (is_written(s, c, &m.attributes[i]))
            return false;
    }
    for (size_t i = 0; i < m.block_count; i++) {
        if (block_is_on(s, c, &m.blocks[i]))
            return false;
    }
    return true;
}

/* ---- Values of a type. */

static bool is_flat(const lc_type *type)
{
    if (lc_type_is_collection(type))
        return lc_type_is_primitive(type->as.elem) || type->as.elem->kind == LC_TYPE_DYNAMIC;
    return lc_type_is_primitive(type) || type->kind == LC_TYPE_DYNAMIC || type->count == 0;
}

static void add_example(const spot *s, lc_str name)
{
    lc_buf text = {0};
    lc_buf_printf(&text, "example-%.*s", LC_FMT(name));
    if (s->number > 1)
        lc_buf_printf(&text, "-%llu", (unsigned long long)s->number);
    lc_yaml_write_add_text(s->o->out, lc_buf_str(&text));
    lc_buf_release(&text);
}

static void add_scalar(const spot *s, const lc_type *type, lc_str name)
{
    uint64_t number = s->number ? s->number : 1;
    if (type->kind == LC_TYPE_BOOL)
        lc_buf_add_c(s->o->out, number % 2 ? "true" : "false");
    else if (type->kind == LC_TYPE_NUMBER)
        lc_buf_printf(s->o->out, "%llu", (unsigned long long)number);
    else
        add_example(s, name);
}

/* On one line. */
static void add_flat(const spot *s, const lc_type *type, lc_str name)
{
    lc_buf *out = s->o->out;
    if (!lc_type_is_collection(type)) {
        if (type->kind == LC_TYPE_TUPLE || type->kind == LC_TYPE_OBJECT)
            lc_buf_add_c(out, type->kind == LC_TYPE_TUPLE ? "[]" : "{}");
        else
            add_scalar(s, type, name);
        return;
    }
    lc_buf_add_c(out, type->kind == LC_TYPE_MAP ? "{key: " : "[");
    add_scalar(s, type->as.elem, name);
    lc_buf_add_char(out, type->kind == LC_TYPE_MAP ? '}' : ']');
}

/* The value after a key or a bullet, with the end of the line. */
static void value(const spot *s, const lc_type *type, lc_str name, lc_str note);

static void items(const spot *s, const lc_type *type, lc_str name)
{
    spot inner = *s;
    lc_yaml_writer o = *s->o;
    uint32_t count = type->kind == LC_TYPE_TUPLE ? type->count : 1;
    lc_yaml_writer next = o;
    inner.o = &o;
    for (uint32_t i = 0; i < count; i++) {
        const lc_type *item = type->kind == LC_TYPE_TUPLE ? type->as.items[i] : type->as.elem;
        o = next;
        lc_yaml_write_item(&o);
        value(&inner, item, name, LC_STR_EMPTY);
        next.bullets = 0;
    }
}

/* A mapping with only this key would be read as a marker. */
static bool looks_like_marker(const lc_type *type)
{
    return type->kind == LC_TYPE_OBJECT && type->count == 1 &&
           lc_str_starts_with(type->as.attrs[0].name, LC_STR("$"));
}

static void attributes_of(const spot *s, const lc_type *type, lc_str name)
{
    if (type->kind == LC_TYPE_MAP) {
        lc_yaml_write_key(s->o, LC_STR("key"));
        value(s, type->as.elem, name, LC_STR_EMPTY);
        return;
    }
    if (looks_like_marker(type)) {
        lc_yaml_write_key(s->o, LC_STR("$literal"));
        lc_yaml_write_end(s->o, LC_STR_EMPTY);
        s->o->indent += 2;
    }
    for (uint32_t i = 0; i < type->count; i++) {
        lc_yaml_write_key(s->o, type->as.attrs[i].name);
        value(s, type->as.attrs[i].type, type->as.attrs[i].name, LC_STR_EMPTY);
    }
}

static void value(const spot *s, const lc_type *type, lc_str name, lc_str note)
{
    bool bullet = s->o->bullets > 0;
    if (is_flat(type)) {
        if (bullet)
            lc_yaml_write_begin(s->o);
        else
            lc_buf_add_char(s->o->out, ' ');
        add_flat(s, type, name);
        lc_yaml_write_end(s->o, note);
        return;
    }
    spot inner = *s;
    lc_yaml_writer o = *s->o;
    inner.o = &o;
    if (!bullet) {
        lc_yaml_write_end(s->o, note);
        o.indent += 2;
    }
    if (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET || type->kind == LC_TYPE_TUPLE)
        items(&inner, type, name);
    else
        attributes_of(&inner, type, name);
}

/* ---- Attributes. */

static bool is_object(lc_nesting nesting)
{
    return nesting == LC_NESTING_SINGLE || nesting == LC_NESTING_GROUP;
}

static lc_members members_of(const lc_nested_type *type)
{
    return (lc_members){type->attributes, type->attribute_count, NULL, 0, NULL, false};
}

static void plain_line(const spot *s, const char *text, lc_str note)
{
    lc_buf_printf(s->o->out, " %s", text);
    lc_yaml_write_end(s->o, note);
}

/* Each comment is written once: what can be set, in the configuration; what only the provider sets,
 * in the first state. */
static bool is_described(const spot *s, bool from_config)
{
    return !s->quiet && (s->stage == LC_STAGE_CONFIG || (s->first && !from_config));
}

static void attribute(const spot *s, choice c, const lc_attribute *a)
{
    lc_buf words = {0};
    bool on = is_on(s, c, a);
    spot inner = *s;
    if (is_described(s, settable(a)))
        describe(&words, a);
    lc_yaml_write_key(s->o, a->name);
    lc_str note = lc_buf_str(&words);
    inner.whole = s->whole || (!on && s->stage == LC_STAGE_NEW);
    if (a == s->subject && s->changed)
        inner.number = 2;
    if (a->write_only && s->stage != LC_STAGE_CONFIG)
        plain_line(s, "null", LC_STR("write-only: never planned, never stored"));
    else if (s->stage == LC_STAGE_PLANNED && a->computed && !on)
        plain_line(s, "!unknown", note);
    else if (a->nested && a->nested->nesting != LC_NESTING_INVALID)
        objects(&inner, a->nested->nesting, members_of(a->nested), a->nested->min_items, note);
    else
        value(&inner, a->implied, a->name, note);
    lc_buf_release(&words);
}

/* ---- Nested objects: of attributes and of blocks. */

/* One object after a key or a bullet. */
static void one(const spot *s, lc_members members, lc_str note)
{
    spot inner = *s;
    lc_yaml_writer o = *s->o;
    bool bullet = o.bullets > 0;
    inner.o = &o;
    if (is_empty(s, choose(s, members), members)) {
        if (bullet)
            lc_yaml_write_begin(&o);
        else
            lc_buf_add_char(o.out, ' ');
        lc_buf_add_c(o.out, "{}");
        lc_yaml_write_end(&o, note);
        return;
    }
    if (!bullet) {
        lc_yaml_write_end(&o, note);
        o.indent += 2;
    }
    object(&inner, members);
}

static void element(const spot *s, lc_nesting nesting, lc_members members, bool further)
{
    spot inner = *s;
    lc_yaml_writer o = *s->o;
    lc_buf key = {0};
    inner.o = &o;
    inner.quiet = s->quiet || further;
    if (nesting == LC_NESTING_MAP) {
        lc_buf_printf(&key, further ? "key-%llu" : "key", (unsigned long long)s->number);
        lc_yaml_write_key(&o, lc_buf_str(&key));
    } else {
        lc_yaml_write_item(&o);
    }
    one(&inner, members, LC_STR_EMPTY);
    lc_buf_release(&key);
}

/* As many objects as min_items requires. */
static void objects(const spot *s, lc_nesting nesting, lc_members members, int64_t min, lc_str note)
{
    spot inner = *s;
    lc_yaml_writer o = *s->o;
    inner.o = &o;
    inner.off += s->off > 0;
    inner.apart = nesting == LC_NESTING_SET && min > 1;
    if (is_object(nesting)) {
        one(&inner, members, note);
        return;
    }
    lc_yaml_write_end(&o, note);
    o.indent += 2;
    for (int64_t i = 1; (i == 1 || i <= min) && !o.out->overflow; i++) {
        inner.number = min > 1 ? (uint64_t)i : s->number;
        element(&inner, nesting, members, i > 1);
    }
}

static void block(const spot *s, const lc_block_type *b)
{
    lc_buf words = {0};
    if (is_described(s, true))
        describe_block(&words, b);
    lc_yaml_write_key(s->o, b->name);
    objects(s, b->nesting, lc_scaffold_members(b->block), b->min_items, lc_buf_str(&words));
    lc_buf_release(&words);
}

/* ---- Whole objects. */

/* What may be set in addition. In plan and result a Computed attribute has a line already, which
 * would have to change: its other line is written with `aside`. */
static void switched_off(const spot *s, choice c, lc_members m)
{
    spot inner = *s;
    lc_yaml_writer o = *s->o;
    if (s->quiet || s->off || s->whole)
        return;
    inner.o = &o;
    inner.off = 1;
    o.off = o.indent + 1;
    for (size_t i = 0; i < m.attribute_count; i++) {
        const lc_attribute *a = &m.attributes[i];
        bool stored = s->stage == LC_STAGE_CONFIG || !a->write_only;
        o.aside = a->computed;
        if (settable(a) && stored && !is_written(s, c, a))
            attribute(&inner, c, a);
    }
    o.aside = false;
    for (size_t i = 0; i < m.block_count; i++) {
        if (block_settable(&m.blocks[i]) && !block_is_on(s, c, &m.blocks[i]))
            block(&inner, &m.blocks[i]);
    }
}

static void computed_blocks(const spot *s, lc_members m)
{
    if (s->quiet || s->off || s->stage != LC_STAGE_CONFIG)
        return;
    for (size_t i = 0; i < m.block_count; i++) {
        const lc_block_type *b = &m.blocks[i];
        if (b->computed)
            lc_yaml_write_note(s->o,
                               "%.*s: computed %s block; in Terraform the provider may fill it, "
                               "OpenTofu treats it like any other block",
                               LC_FMT(b->name), lc_nesting_name(b->nesting));
    }
}

static void object(const spot *s, lc_members m)
{
    choice c = choose(s, m);
    for (size_t i = 0; i < m.attribute_count; i++) {
        if (is_written(s, c, &m.attributes[i]))
            attribute(s, c, &m.attributes[i]);
    }
    for (size_t i = 0; i < m.block_count; i++) {
        if (block_is_on(s, c, &m.blocks[i]))
            block(s, &m.blocks[i]);
    }
    computed_blocks(s, m);
    switched_off(s, c, m);
}

lc_members lc_scaffold_members(const lc_block *block)
{
    return (lc_members){
        block->attributes, block->attribute_count, block->blocks, block->block_count, NULL, false};
}

static bool has_values(const lc_attribute *a)
{
    return a->nested ? a->nested->attribute_count > 0
           : is_flat(a->implied)
               ? lc_type_is_collection(a->implied) ||
                     (a->implied->kind != LC_TYPE_TUPLE && a->implied->kind != LC_TYPE_OBJECT)
               : a->implied->kind != LC_TYPE_TUPLE;
}

const lc_attribute *lc_scaffold_subject(lc_members members)
{
    const lc_attribute *best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < members.attribute_count; i++) {
        const lc_attribute *a = &members.attributes[i];
        unsigned worth = 1u + 32u * settable(a) + 16u * a->required + 8u * !a->nested +
                         4u * distinguishes(a) + 2u * !a->computed + !a->deprecated;
        if (a->write_only || !has_values(a) || worth <= most)
            continue;
        best = a;
        most = worth;
    }
    return best;
}

bool lc_scaffold_can_change(const lc_schema *schema)
{
    return lc_scaffold_subject(lc_scaffold_members(schema->block)) != NULL;
}

void lc_scaffold_object(lc_yaml_writer *o, lc_stage stage, bool first, lc_str key,
                        lc_members members)
{
    spot s = {.o = o,
              .stage = stage,
              .first = first,
              .subject = members.subject,
              .changed = members.changed};
    lc_yaml_write_key(o, key);
    one(&s, members, LC_STR_EMPTY);
}
