/* From values to texts that may be shown: JSON in the spelling of scenarios, secrets replaced. Of a
 * secret only one word is told: null, unknown, empty or known. */
#include "contract/sensitivity.h"

#include "lifecheck/arena.h"

#define MAX_SHOWN ((size_t)16 << 10)

static void add_value(lc_buf *buf, lc_sensitivity_mark place, const lc_value *v,
                      const lc_type *want);

static void add_type(lc_buf *buf, const lc_type *type)
{
    lc_buf text = {0};
    lc_type_add_text(&text, type);
    lc_buf_add_json(buf, lc_buf_str(&text), false);
    lc_buf_release(&text);
}

static void add_secret(lc_buf *buf, const lc_value *v)
{
    const char *word = lc_is_null(v)      ? "null"
                       : lc_is_unknown(v) ? "unknown"
                       : (v->type->kind == LC_TYPE_STRING && v->as.string.len == 0) ||
                               (v->type->kind >= LC_TYPE_LIST && v->count == 0)
                           ? "empty"
                           : "known";
    lc_buf_printf(buf, "{\"$sensitive\":\"%s\"}", word);
}

static void add_number(lc_buf *buf, lc_num n)
{
    if (!lc_num_is_inf(n)) {
        lc_num_add_text(buf, n);
        return;
    }
    lc_buf_add_c(buf, lc_num_sign(n) < 0 ? "\"-Inf\"" : "\"Inf\"");
}

static void add_bound(lc_buf *buf, const char *name, lc_num n, bool inclusive, const char **comma)
{
    lc_buf_printf(buf, "%s\"%s\":", *comma, name);
    if (!inclusive)
        lc_buf_add_c(buf, "{\"value\":");
    add_number(buf, n);
    if (!inclusive)
        lc_buf_add_c(buf, ",\"inclusive\":false}");
    *comma = ",";
}

static void add_refinement(lc_buf *buf, const lc_refinement *r)
{
    const char *comma = "";
    lc_buf_add_char(buf, '{');
    if (r->not_null) {
        lc_buf_add_c(buf, "\"not_null\":true");
        comma = ",";
    }
    if (r->has_prefix) {
        lc_buf_printf(buf, "%s\"prefix\":", comma);
        lc_buf_add_json(buf, r->prefix, false);
        comma = ",";
    }
    if (r->has_min)
        add_bound(buf, "min", r->min, r->min_inclusive, &comma);
    if (r->has_max)
        add_bound(buf, "max", r->max, r->max_inclusive, &comma);
    if (r->has_min_len) {
        lc_buf_printf(buf, "%s\"min_length\":%llu", comma, (unsigned long long)r->min_len);
        comma = ",";
    }
    if (r->has_max_len)
        lc_buf_printf(buf, "%s\"max_length\":%llu", comma, (unsigned long long)r->max_len);
    lc_buf_add_char(buf, '}');
}

static void add_unknown(lc_buf *buf, const lc_value *v, const lc_type *want)
{
    bool typed = want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC;
    if (typed) {
        lc_buf_add_c(buf, "{\"$typed\":{\"type\":");
        add_type(buf, v->type);
        lc_buf_add_c(buf, ",\"value\":");
    }
    lc_buf_add_c(buf, "{\"$unknown\":");
    if (lc_value_refinement(v))
        add_refinement(buf, lc_value_refinement(v));
    else
        lc_buf_add_c(buf, "true");
    lc_buf_add_c(buf, typed ? "}}}" : "}");
}

static const lc_type *want_of_element(const lc_type *want, size_t i)
{
    if (want->kind == LC_TYPE_OBJECT && i < want->count)
        return want->as.attrs[i].type;
    if (want->kind == LC_TYPE_TUPLE && i < want->count)
        return want->as.items[i];
    if (lc_type_is_collection(want))
        return want->as.elem;
    return &lc_type_dynamic;
}

/* A map whose only key looks like a marker would be read as one. */
static bool looks_like_marker(const lc_value *v)
{
    if (v->count != 1)
        return false;
    lc_str key = v->type->kind == LC_TYPE_MAP ? v->as.many.keys[0] : v->type->as.attrs[0].name;
    return key.len > 0 && key.ptr[0] == '$';
}

static void add_members(lc_buf *buf, lc_sensitivity_mark place, const lc_value *v,
                        const lc_type *want)
{
    bool map = v->type->kind == LC_TYPE_MAP, literal = looks_like_marker(v);
    lc_buf_add_c(buf, literal ? "{\"$literal\":{" : "{");
    for (size_t i = 0; i < v->count; i++) {
        lc_str key = map ? v->as.many.keys[i] : v->type->as.attrs[i].name;
        lc_step step = {map ? LC_STEP_KEY : LC_STEP_ATTR, key, 0, NULL};
        if (i)
            lc_buf_add_char(buf, ',');
        lc_buf_add_json(buf, key, false);
        lc_buf_add_char(buf, ':');
        add_value(buf, lc_sensitivity_step(place, &step), &v->as.many.elems[i],
                  want_of_element(want, i));
    }
    lc_buf_add_c(buf, literal ? "}}" : "}");
}

static void add_items(lc_buf *buf, lc_sensitivity_mark place, const lc_value *v,
                      const lc_type *want)
{
    if (v->type->kind == LC_TYPE_SET && lc_sensitivity_touched(place)) {
        add_secret(buf, v);
        return;
    }
    lc_buf_add_char(buf, '[');
    for (size_t i = 0; i < v->count; i++) {
        lc_step step = {v->type->kind == LC_TYPE_SET ? LC_STEP_ELEMENT : LC_STEP_INDEX,
                        LC_STR_EMPTY, i, NULL};
        if (i)
            lc_buf_add_char(buf, ',');
        add_value(buf, lc_sensitivity_step(place, &step), &v->as.many.elems[i],
                  want_of_element(want, i));
    }
    lc_buf_add_char(buf, ']');
}

static void add_collection(lc_buf *buf, lc_sensitivity_mark place, const lc_value *v,
                           const lc_type *want)
{
    bool typed = want->kind == LC_TYPE_DYNAMIC && lc_type_is_collection(v->type);
    if (typed) {
        lc_buf_add_c(buf, "{\"$typed\":{\"type\":");
        add_type(buf, v->type);
        lc_buf_add_c(buf, ",\"value\":");
        want = v->type;
    }
    if (v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT)
        add_members(buf, place, v, want);
    else
        add_items(buf, place, v, want);
    if (typed)
        lc_buf_add_c(buf, "}}");
}

static void add_known(lc_buf *buf, lc_sensitivity_mark place, const lc_value *v,
                      const lc_type *want)
{
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        lc_buf_add_c(buf, v->as.boolean ? "true" : "false");
        break;
    case LC_TYPE_NUMBER:
        add_number(buf, v->as.number);
        break;
    case LC_TYPE_STRING:
        lc_buf_add_json(buf, v->as.string, false);
        break;
    case LC_TYPE_DYNAMIC:
        break;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        add_collection(buf, place, v, want);
        break;
    }
}

static void add_value(lc_buf *buf, lc_sensitivity_mark place, const lc_value *v,
                      const lc_type *want)
{
    if (buf->overflow) /* a big value is shown by its size alone */
        return;
    /* Something flat where objects with something sensitive are wanted may be that. */
    bool flat = lc_is_known(v) && lc_type_is_primitive(v->type);
    if (place.secret || (flat && lc_sensitivity_touched(place))) {
        add_secret(buf, v);
    } else if (lc_is_unknown(v)) {
        add_unknown(buf, v, want);
    } else if (!lc_is_null(v)) {
        add_known(buf, place, v, want);
    } else if (want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC) {
        lc_buf_add_c(buf, "{\"$null\":");
        add_type(buf, v->type);
        lc_buf_add_char(buf, '}');
    } else {
        lc_buf_add_c(buf, "null");
    }
}

void lc_value_add_scenario_json(lc_buf *buf, const lc_value *value, const lc_type *want)
{
    add_value(buf, (lc_sensitivity_mark){0}, value, want);
}

lc_redacted_text lc_show(lc_arena *arena, lc_sensitivity_mark place, const lc_value *value,
                         const lc_type *want)
{
    lc_redacted_text shown = {true, place.secret, LC_STR_EMPTY};
    lc_buf buf = {.limit = MAX_SHOWN};
    add_value(&buf, place, value, want);
    if (buf.overflow) {
        lc_buf kind = {0};
        lc_type_add_friendly(&kind, value->type);
        lc_buf_clear(&buf);
        lc_buf_printf(&buf, "{\"$elided\":\"%.*s of %u\"}", LC_FMT(lc_buf_str(&kind)),
                      value->count);
        lc_buf_release(&kind);
    }
    shown.json = lc_buf_take(arena, &buf);
    return shown;
}

/* ---- Paths. */

/* Below a secret only the schema's own names and indices are shown. */
static bool hides_step(const lc_step *step, lc_sensitivity_mark above)
{
    bool data = step->kind == LC_STEP_ATTR
                    ? above.loose || above.keyed
                    : step->kind == LC_STEP_KEY || step->kind == LC_STEP_ELEMENT;
    return above.secret && data;
}

static void add_step_json(lc_buf *steps, const lc_step *step, lc_sensitivity_mark above,
                          lc_sensitivity_mark here)
{
    if (hides_step(step, above)) {
        lc_buf_add_c(steps, "{\"key\":{\"$sensitive\":\"known\"}}");
        return;
    }
    switch (step->kind) {
    case LC_STEP_ATTR:
        lc_buf_add_c(steps, "{\"attribute\":");
        lc_buf_add_json(steps, step->name, false);
        break;
    case LC_STEP_INDEX:
        lc_buf_printf(steps, "{\"index\":%llu", (unsigned long long)step->index);
        break;
    case LC_STEP_KEY:
        lc_buf_add_c(steps, "{\"key\":");
        lc_buf_add_json(steps, step->name, false);
        break;
    case LC_STEP_ELEMENT:
        lc_buf_add_c(steps, "{\"element\":");
        if (!step->element)
            lc_buf_add_c(steps, "null");
        else if (lc_sensitivity_touched(here))
            add_secret(steps, step->element);
        else
            add_value(steps, here, step->element, step->element->type);
        break;
    case LC_STEP_ANY_KEY:
    case LC_STEP_ANY_ATTR:
        lc_buf_add_c(steps, "{\"any\":true");
        break;
    }
    lc_buf_add_char(steps, '}');
}

size_t lc_show_path(lc_buf *text, lc_buf *steps, const lc_sensitivity *sensitivity, lc_path path)
{
    size_t unnamed = 0;
    lc_sensitivity_mark place = lc_sensitivity_root(sensitivity);
    lc_buf_add_char(steps, '[');
    if (path.count == 0)
        lc_buf_add_char(text, '.');
    for (size_t i = 0; i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        lc_sensitivity_mark next = lc_sensitivity_step(place, step);
        lc_step hidden = {LC_STEP_ANY_KEY, LC_STR_EMPTY, 0, NULL};
        bool hide = hides_step(step, place);
        if (hide && step->kind == LC_STEP_ATTR && unnamed == 0)
            unnamed = path.count - i;
        lc_path_add_text(text, (lc_path){hide ? &hidden : step, 1});
        if (i)
            lc_buf_add_char(steps, ',');
        add_step_json(steps, step, place, next);
        place = next;
    }
    lc_buf_add_char(steps, ']');
    return unnamed;
}

static const lc_sensitivity *sense_of(lc_arena *arena, const lc_case *subject,
                                      const lc_schema *schema)
{
    return lc_sensitivity_new(arena, schema, subject->sensitive.items, subject->sensitive.count);
}

lc_redacted_text lc_case_show(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                              lc_path path, const lc_value *value)
{
    return lc_show(arena, lc_sensitivity_at(sense_of(arena, subject, schema), path), value,
                   value->type);
}

lc_str lc_case_show_path(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                         lc_path path)
{
    lc_buf text = {0}, steps = {0};
    lc_show_path(&text, &steps, sense_of(arena, subject, schema), path);
    lc_str shown = lc_buf_take(arena, &text);
    lc_buf_release(&steps);
    return shown;
}
