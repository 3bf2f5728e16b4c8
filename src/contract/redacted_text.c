/* From values to strings that may be shown: JSON in the spelling of scenarios, with secrets
 * replaced. Of a secret only one word is shown: null, unknown, empty or known. */
#include "contract/sensitivity.h"

#include "lifecheck/base/arena.h"

/* Bytes of JSON for one value; a larger value is shown by its type and size alone. */
#define MAX_SHOWN ((size_t)16 << 10)

static void add_value(lc_json *w, lc_sensitivity_mark place, const lc_value *v,
                      const lc_type *want);

static void add_type(lc_json *w, const char *key, const lc_type *type)
{
    lc_buf text = {0};
    lc_type_add_text(&text, type);
    lc_json_str(w, key, lc_buf_str(&text));
    lc_buf_release(&text);
}

/* Open the marker for a value with its type; the caller adds the value, then end_typed. */
static void begin_typed(lc_json *w, const lc_type *type)
{
    lc_json_object(w, NULL);
    lc_json_object(w, "$typed");
    add_type(w, "type", type);
    lc_json_key(w, LC_STR("value"));
}

static void end_typed(lc_json *w)
{
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_secret_word(lc_json *w, const char *key, const char *word)
{
    lc_json_object(w, key);
    lc_json_c(w, "$sensitive", word);
    lc_json_end_object(w);
}

static void add_secret(lc_json *w, const lc_value *v)
{
    const char *word = lc_is_null(v)      ? "null"
                       : lc_is_unknown(v) ? "unknown"
                       : (v->type->kind == LC_TYPE_STRING && v->as.string.len == 0) ||
                               (v->type->kind >= LC_TYPE_LIST && v->count == 0)
                           ? "empty"
                           : "known";
    add_secret_word(w, NULL, word);
}

/* JSON has no infinity, so it becomes a string. */
static void add_number(lc_json *w, const char *key, lc_num n)
{
    if (lc_num_is_inf(n))
        lc_json_c(w, key, lc_num_sign(n) < 0 ? "-Inf" : "Inf");
    else
        lc_num_add_text(lc_json_value(w, key), n);
}

static void add_bound(lc_json *w, const char *name, lc_num n, bool inclusive)
{
    if (inclusive) {
        add_number(w, name, n);
        return;
    }
    lc_json_object(w, name);
    add_number(w, "value", n);
    lc_json_bool(w, "inclusive", false);
    lc_json_end_object(w);
}

static void add_refinement(lc_json *w, const char *key, const lc_refinement *r)
{
    lc_json_object(w, key);
    if (r->not_null)
        lc_json_bool(w, "not_null", true);
    if (r->has_prefix)
        lc_json_str(w, "prefix", r->prefix);
    if (r->has_min)
        add_bound(w, "min", r->min, r->min_inclusive);
    if (r->has_max)
        add_bound(w, "max", r->max, r->max_inclusive);
    if (r->has_min_len)
        lc_json_uint(w, "min_length", r->min_len);
    if (r->has_max_len)
        lc_json_uint(w, "max_length", r->max_len);
    lc_json_end_object(w);
}

/* Where the schema has dynamic, the unknown's own type must be written out. */
static void add_unknown(lc_json *w, const lc_value *v, const lc_type *want)
{
    bool typed = want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC;
    if (typed)
        begin_typed(w, v->type);
    lc_json_object(w, NULL);
    if (lc_value_refinement(v))
        add_refinement(w, "$unknown", lc_value_refinement(v));
    else
        lc_json_bool(w, "$unknown", true);
    lc_json_end_object(w);
    if (typed)
        end_typed(w);
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

/* An object with a single key that begins with $ would be read as a marker; $literal shows that it
 * is not a marker. */
static bool looks_like_marker(const lc_value *v)
{
    if (v->count != 1)
        return false;
    lc_str key = v->type->kind == LC_TYPE_MAP ? v->as.many.keys[0] : v->type->as.attrs[0].name;
    return key.len > 0 && key.ptr[0] == '$';
}

static void add_members(lc_json *w, lc_sensitivity_mark place, const lc_value *v,
                        const lc_type *want)
{
    bool map = v->type->kind == LC_TYPE_MAP, literal = looks_like_marker(v);
    lc_json_object(w, NULL);
    if (literal)
        lc_json_object(w, "$literal");
    for (size_t i = 0; i < v->count; i++) {
        lc_str key = map ? v->as.many.keys[i] : v->type->as.attrs[i].name;
        lc_step step = {map ? LC_STEP_KEY : LC_STEP_ATTR, key, 0, NULL};
        lc_json_key(w, key);
        add_value(w, lc_sensitivity_step(place, &step), &v->as.many.elems[i],
                  want_of_element(want, i));
    }
    if (literal)
        lc_json_end_object(w);
    lc_json_end_object(w);
}

/* A set with a secret anywhere inside is replaced as a whole. */
static void add_items(lc_json *w, lc_sensitivity_mark place, const lc_value *v, const lc_type *want)
{
    if (v->type->kind == LC_TYPE_SET && lc_sensitivity_touched(place)) {
        add_secret(w, v);
        return;
    }
    lc_json_array(w, NULL);
    for (size_t i = 0; i < v->count; i++) {
        lc_step step = {v->type->kind == LC_TYPE_SET ? LC_STEP_ELEMENT : LC_STEP_INDEX,
                        LC_STR_EMPTY, i, NULL};
        add_value(w, lc_sensitivity_step(place, &step), &v->as.many.elems[i],
                  want_of_element(want, i));
    }
    lc_json_end_array(w);
}

static void add_collection(lc_json *w, lc_sensitivity_mark place, const lc_value *v,
                           const lc_type *want)
{
    bool typed = want->kind == LC_TYPE_DYNAMIC && lc_type_is_collection(v->type);
    if (typed) {
        begin_typed(w, v->type);
        want = v->type;
    }
    if (v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT)
        add_members(w, place, v, want);
    else
        add_items(w, place, v, want);
    if (typed)
        end_typed(w);
}

static void add_known(lc_json *w, lc_sensitivity_mark place, const lc_value *v, const lc_type *want)
{
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        lc_json_bool(w, NULL, v->as.boolean);
        break;
    case LC_TYPE_NUMBER:
        add_number(w, NULL, v->as.number);
        break;
    case LC_TYPE_STRING:
        lc_json_str(w, NULL, v->as.string);
        break;
    case LC_TYPE_DYNAMIC:
        break;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        add_collection(w, place, v, want);
        break;
    }
}

/* A string that is a secret elsewhere, or contains one; a map with a key that is one is masked as a
 * whole. */
static bool is_copy(lc_sensitivity_mark place, const lc_value *v)
{
    if (!place.known || !lc_is_known(v))
        return lc_mark_knows_prefix(place, v);
    bool copy = v->type->kind == LC_TYPE_STRING && lc_mark_knows(place, v->as.string);
    for (size_t i = 0; v->type->kind == LC_TYPE_MAP && i < v->count && !copy; i++)
        copy = lc_mark_knows(place, v->as.many.keys[i]);
    return copy;
}

static void add_value(lc_json *w, lc_sensitivity_mark place, const lc_value *v, const lc_type *want)
{
    if (w->out->overflow) /* over the limit: the text is thrown away by the caller */
        return;
    /* A primitive value where the schema has an object with a secret inside may be that secret. */
    bool flat = lc_is_known(v) && lc_type_is_primitive(v->type);
    if (place.secret || is_copy(place, v) || (flat && lc_sensitivity_touched(place))) {
        add_secret(w, v);
    } else if (lc_is_unknown(v)) {
        add_unknown(w, v, want);
    } else if (!lc_is_null(v)) {
        add_known(w, place, v, want);
    } else if (want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC) {
        lc_json_object(w, NULL);
        add_type(w, "$null", v->type);
        lc_json_end_object(w);
    } else {
        lc_json_null(w, NULL);
    }
}

void lc_value_add_scenario_json(lc_buf *buf, const lc_value *value, const lc_type *want)
{
    lc_json w = {.out = buf};
    add_value(&w, (lc_sensitivity_mark){0}, value, want);
}

void lc_show_secret(lc_buf *out)
{
    lc_json w = {.out = out};
    add_secret_word(&w, NULL, "known");
}

void lc_show_elided(lc_buf *out, lc_str what)
{
    lc_json w = {.out = out};
    lc_json_object(&w, NULL);
    lc_json_str(&w, "$elided", what);
    lc_json_end_object(&w);
}

lc_redacted_text lc_show(lc_arena *arena, lc_sensitivity_mark place, const lc_value *value,
                         const lc_type *want)
{
    lc_redacted_text shown = {true, place.secret || is_copy(place, value), LC_STR_EMPTY};
    lc_buf buf = {.limit = MAX_SHOWN};
    lc_json w = {.out = &buf};
    add_value(&w, place, value, want);
    if (buf.overflow) {
        lc_buf kind = {0};
        lc_type_add_friendly(&kind, value->type);
        lc_buf_printf(&kind, " of %u", value->count);
        lc_buf_clear(&buf);
        lc_show_elided(&buf, lc_buf_str(&kind));
        lc_buf_release(&kind);
    }
    shown.json = lc_buf_take(arena, &buf);
    return shown;
}

/* ---- Paths. */

/* Is the step hidden? Below a secret only indices and the schema's own names are shown: keys,
 * elements of sets and names of attributes in dynamic values are data. */
static bool hides_step(const lc_step *step, lc_sensitivity_mark above)
{
    bool data = step->kind == LC_STEP_ATTR
                    ? above.loose || above.keyed
                    : step->kind == LC_STEP_KEY || step->kind == LC_STEP_ELEMENT;
    return (above.secret && data) ||
           (step->kind == LC_STEP_KEY && lc_mark_knows(above, step->name));
}

static void add_step_json(lc_json *w, const lc_step *step, lc_sensitivity_mark above,
                          lc_sensitivity_mark here)
{
    lc_json_object(w, NULL);
    if (hides_step(step, above)) {
        add_secret_word(w, "key", "known");
        lc_json_end_object(w);
        return;
    }
    switch (step->kind) {
    case LC_STEP_ATTR:
        lc_json_str(w, "attribute", step->name);
        break;
    case LC_STEP_INDEX:
        lc_json_uint(w, "index", step->index);
        break;
    case LC_STEP_KEY:
        lc_json_str(w, "key", step->name);
        break;
    case LC_STEP_ELEMENT:
        lc_json_key(w, LC_STR("element"));
        if (!step->element)
            lc_json_null(w, NULL);
        else if (lc_sensitivity_touched(here) || lc_mark_knows_any(here, step->element))
            add_secret(w, step->element);
        else
            add_value(w, here, step->element, step->element->type);
        break;
    case LC_STEP_ANY_KEY:
    case LC_STEP_ANY_ATTR:
        lc_json_bool(w, "any", true);
        break;
    }
    lc_json_end_object(w);
}

size_t lc_show_path(lc_buf *text, lc_buf *steps, const lc_sensitivity *sensitivity, lc_path path)
{
    size_t unnamed = 0;
    lc_sensitivity_mark place = lc_sensitivity_root(sensitivity);
    lc_json w = {.out = steps};
    lc_json_array(&w, NULL);
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
        add_step_json(&w, step, place, next);
        place = next;
    }
    lc_json_end_array(&w);
    return unnamed;
}

lc_redacted_text lc_case_show(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                              lc_path path, const lc_value *value)
{
    return lc_show(arena, lc_sensitivity_at(lc_sensitivity_of_case(arena, subject, schema), path),
                   value, value->type);
}

lc_str lc_case_show_path(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                         lc_path path)
{
    lc_buf text = {0}, steps = {0};
    lc_show_path(&text, &steps, lc_sensitivity_of_case(arena, subject, schema), path);
    lc_str shown = lc_buf_take(arena, &text);
    lc_buf_release(&steps);
    return shown;
}
