/* Prints a type as a listing: every property with its attribute, and the reason for every flag. */
#include "lifecheck/base/arena.h"
#include "lifecheck/cloudformation/cloudformation.h"
#include "lifecheck/codec/codec.h"

/* `cell` collects the text of the current column. */
typedef struct lister {
    lc_buf *out;
    const lc_cfn_type *type;
    lc_buf cell;
} lister;

/* ---- Columns. */

/* Writes the cell in a column of at least `width` bytes, indented by `depth`. */
static void pad(lister *l, unsigned depth, size_t width)
{
    lc_str text = lc_buf_str(&l->cell);
    lc_buf_printf(l->out, "%*s", (int)depth * 2, "");
    lc_buf_add_str(l->out, text);
    for (size_t at = text.len + (size_t)depth * 2; at < width; at++)
        lc_buf_add_char(l->out, ' ');
    lc_buf_add_char(l->out, ' ');
    lc_buf_clear(&l->cell);
}

static void add_form(lc_buf *out, const lc_cfn_shape *shape)
{
    for (; shape->element; shape = shape->element)
        lc_buf_printf(out, "%s of ", lc_cfn_form_name(shape->form));
    lc_buf_add_c(out, lc_cfn_form_name(shape->form));
}

/* ---- Reasons. */

static const char *flags_text(const lc_cfn_property *p)
{
    if (p->required)
        return "required";
    return p->optional ? "optional, computed" : "computed";
}

/* Why the attribute has its flags; the cases mirror flags.c. */
static const char *reason(const lister *l, const lc_cfn_property *p)
{
    if (p->within_computed)
        return "computed: the property around it is read-only";
    if (p->required)
        return p->read_only ? "required: in \"required\", though it is read-only too"
                            : "required: in \"required\"";
    if (p->not_null)
        return "optional and computed: the property around it is, so a validator requires a value";
    if (!p->optional)
        return p->listed_required
                   ? "computed: in readOnlyProperties; its \"required\" is dropped in a map"
                   : "computed: in readOnlyProperties";
    if (p->default_node)
        return p->listed_required
                   ? "optional: a default takes \"required\" away; computed: it has a default"
                   : "optional: not in \"required\"; computed: it has a default";
    if (p->listed_required && l->type->profile == LC_CFN_AWSCC)
        return "optional: its \"required\" is dropped in a map; computed: all optional ones are";
    return "optional: neither in \"required\" nor read-only; computed: all optional ones are";
}

static void add_bounds(lc_buf *out, const lc_cfn_bound *low, const lc_cfn_bound *high,
                       const char *what)
{
    if (!low->is && !high->is)
        return;
    lc_buf_printf(out, "; %s", what);
    if (low->is) {
        lc_buf_add_c(out, high->is ? "" : "at least ");
        lc_num_add_text(out, low->number);
    }
    if (high->is) {
        lc_buf_add_c(out, low->is ? " to " : "at most ");
        lc_num_add_text(out, high->number);
    }
}

static void add_checks(lc_buf *out, const lc_cfn_checks *c)
{
    add_bounds(out, &c->minimum, &c->maximum, "");
    add_bounds(out, &c->min_length, &c->max_length, "bytes: ");
    add_bounds(out, &c->min_items, &c->max_items, "elements: ");
    for (size_t i = 0; i < c->one_of_count; i++) {
        lc_buf_add_c(out, i ? ", " : "; one of ");
        if (c->one_of[i].type == &lc_type_string)
            lc_buf_add_json(out, c->one_of[i].as.string, false);
        else
            lc_num_add_text(out, c->one_of[i].as.number);
    }
    if (c->pattern.len) {
        lc_buf_add_c(out, "; pattern ");
        lc_buf_add_json(out, c->pattern, false);
        if (c->pattern_use != LC_PATTERN_USABLE)
            lc_buf_printf(out, " (%s: %.*s)",
                          c->pattern_use == LC_PATTERN_NOT_GO ? "restricts nothing" : "not checked",
                          LC_FMT(c->pattern_why));
    }
}

static void add_default(lc_buf *out, const lc_value *v)
{
    lc_str why;
    lc_buf_add_c(out, "; default ");
    if (!lc_ctyjson_encode(out, v, v->type, &why))
        lc_buf_add_c(out, "that cannot be shown");
}

/* Everything else that restricts the property or its elements. */
static void add_facts(lister *l, const lc_cfn_property *p)
{
    lc_buf *out = l->out;
    bool provider = l->type->profile == LC_CFN_AWSCC;
    if (p->create_only)
        lc_buf_add_c(out, provider && p->optional && p->computed
                              ? "; in createOnlyProperties: a change replaces, if configured"
                              : "; in createOnlyProperties: a change replaces");
    if (p->conditional_create_only)
        lc_buf_add_c(out, "; in conditionalCreateOnlyProperties, which has no effect");
    if (p->write_only)
        lc_buf_add_c(out, "; in writeOnlyProperties: read keeps it");
    if (p->deprecated)
        lc_buf_add_c(out, "; in deprecatedProperties, which has no effect");
    if (p->default_value)
        add_default(out, p->default_value);
    for (const lc_cfn_shape *s = p->shape; s; s = s->element) {
        if (s->form == LC_CFN_ORDERED_SET)
            lc_buf_add_c(out, "; no element twice");
        if (s->flattened)
            lc_buf_add_c(out, "; the provider makes a list of this set");
        if (s->checks)
            add_checks(out, s->checks);
    }
}

/* ---- Properties. */

static void list_object(lister *l, const lc_cfn_shape *object, unsigned depth);

static void list_property(lister *l, const lc_cfn_property *p, unsigned depth)
{
    lc_buf_add_str(&l->cell, p->name);
    pad(l, depth, 32);
    if (!p->shape) {
        lc_buf_printf(l->out, "not derived: %.*s\n", LC_FMT(p->why_not));
        return;
    }
    lc_buf_add_str(&l->cell, p->attribute);
    pad(l, 0, 28);
    add_form(&l->cell, p->shape);
    pad(l, 0, 16);
    lc_buf_printf(l->out, "%s (%s)", flags_text(p), reason(l, p));
    add_facts(l, p);
    lc_buf_add_char(l->out, '\n');
    const lc_cfn_shape *shape = p->shape;
    while (shape->element)
        shape = shape->element;
    if (shape->form == LC_CFN_OBJECT)
        list_object(l, shape, depth + 1);
}

static void list_object(lister *l, const lc_cfn_shape *object, unsigned depth)
{
    for (size_t i = 0; i < object->member_count; i++)
        list_property(l, &object->members[i], depth);
}

/* ---- The type. */

static void add_head(lc_buf *out, const lc_cfn_type *t)
{
    if (t->name.len)
        lc_buf_printf(out, "%.*s is %.*s", LC_FMT(t->name), LC_FMT(t->terraform_name));
    else
        lc_buf_add_c(out, "a type without a name");
    lc_buf_printf(out, ", %s\n",
                  t->profile == LC_CFN_DOCUMENT ? "by the document" : "as the provider does it");
    if (t->suppressed.len) {
        lc_buf_printf(out, "  nothing is derived: %.*s\n", LC_FMT(t->suppressed));
        return;
    }
    lc_buf_printf(out, "  attributes at all depths: %zu, of %zu names; %s\n", t->attribute_count,
                  t->name_count, t->updatable ? "can be updated" : "nothing can be updated");
    lc_buf_printf(out, "  data source %.*s\n", LC_FMT(t->terraform_name));
    if (t->plural)
        lc_buf_printf(out, "  data source %.*s (plural)\n", LC_FMT(t->plural_name));
    else
        lc_buf_printf(out, "  no plural data source: %.*s\n", LC_FMT(t->no_plural));
    lc_buf_add_c(out, "  id is ");
    for (size_t i = 0; i < t->identifier.count; i++)
        lc_buf_printf(out, "%s%.*s", i ? " | " : "", LC_FMT(t->identifier.items[i].name));
    lc_buf_add_c(out, t->identifier.count ? "\n" : "not known: there is no primaryIdentifier\n");
}

void lc_cfn_add_text(lc_buf *out, const lc_cfn_type *t)
{
    lister l = {.out = out, .type = t};
    add_head(out, t);
    if (t->resource)
        lc_buf_printf(out, "  %-30s %-28s %-16s computed (added: it identifies the resource)\n", "",
                      "id", "string");
    if (t->root)
        list_object(&l, t->root, 1);
    lc_buf_release(&l.cell);
}
