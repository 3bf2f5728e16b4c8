/* Messages of a walk over values: places, wrong types, unknown names, undecodable evidence, and the
 * limit. They contain paths and types, but no scalars, and nothing below a sensitive place. */
#include "scenario/values/walk.h"
#include "lifecheck/base/arena.h"

#include <string.h>

/* How many steps of the path may be shown: up to and including the first sensitive attribute. */
static size_t shown_steps(const lc_value_walk *w, lc_path path)
{
    size_t shown = w->in_secret ? lc_trail_depth(w->secret) : path.count;
    for (size_t i = 1; w->block && i < shown; i++) {
        if (path.steps[i - 1].kind != LC_STEP_ATTR)
            continue;
        const lc_attribute *attribute = lc_block_attribute_at(w->block, (lc_path){path.steps, i});
        if (attribute && attribute->sensitive)
            return i;
    }
    return shown;
}

lc_str lc_walk_place(const lc_value_walk *w, const lc_trail *trail, bool *hidden)
{
    lc_buf buf = {0};
    lc_path path = lc_path_from_trail(w->reader->arena, trail);
    size_t shown = shown_steps(w, path);
    bool flagged = false;
    if (w->block && shown && path.steps[shown - 1].kind == LC_STEP_ATTR) {
        const lc_attribute *last = lc_block_attribute_at(w->block, (lc_path){path.steps, shown});
        flagged = last && last->sensitive;
    }
    *hidden = shown < path.count || w->in_secret || flagged;
    path.count = shown;
    if (!trail && w->reader->root.len) {
        lc_buf_add_str(&buf, w->reader->root);
        return lc_buf_take(w->reader->arena, &buf);
    }
    lc_buf_add_char(&buf, '\'');
    lc_path_add_text(&buf, path);
    lc_buf_add_char(&buf, '\'');
    return lc_buf_take(w->reader->arena, &buf);
}

lc_str lc_walk_type(const lc_value_walk *w, const lc_type *type)
{
    return lc_type_friendly(w->reader->arena, type);
}

void lc_walk_report(lc_value_walk *w, const lc_node *node, const lc_trail *trail, const char *what)
{
    bool hidden;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_diag_error(w->reader->diags, lc_reader_loc(w->reader, node), "%.*s %s", LC_FMT(place), what);
}

/* ---- Values whose author meant something else. */

/* Strings that plans print for unknown values, and wrong spellings of the marker. The bare word
 * `unknown` is reported only without quotes: an author who quotes it means the text. */
static bool reads_as_unknown(const lc_node *node)
{
    static const char *const texts[] = {"!unknown", "$unknown", "(known after apply)", "<computed>",
                                        NULL};
    if (node->kind != LC_NODE_STRING)
        return false;
    return lc_str_is_one_of(node->as.text, texts, NULL) ||
           (node->style != LC_STYLE_QUOTED && lc_str_is(node->as.text, "unknown"));
}

/* A string that is one whole reference, as in "${var.name}": a configuration would have its value.
 * Templates with other text, and "${aws:username}" of policies, are real values. */
static bool reads_as_reference(const lc_node *node)
{
    static const char *const roots[] = {"var",   "local", "data",      "module", "each",
                                        "count", "path",  "terraform", "self",   NULL};
    lc_str text = node->kind == LC_NODE_STRING ? node->as.text : LC_STR_EMPTY;
    if (!lc_str_starts_with(text, LC_STR("${")) || !lc_str_ends_with(text, LC_STR("}")))
        return false;
    text = lc_str_sub(text, 2, text.len - 1);
    size_t dot = lc_str_find(text, 0, '.');
    return dot < text.len && lc_str_is_one_of(lc_str_sub(text, 0, dot), roots, NULL) &&
           lc_str_find(text, 0, '{') == text.len && lc_str_find(text, 0, '}') == text.len;
}

void lc_walk_note_text(lc_value_walk *w, const lc_node *node, const lc_trail *trail)
{
    bool hidden, unknown = reads_as_unknown(node), reference = reads_as_reference(node);
    if (!w->reader->lints || (!unknown && !reference))
        return;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_loc loc = lc_reader_loc(w->reader, node);
    if (!hidden && unknown)
        lc_note(w->reader->lints, w->reader->arena, LC_LINT_UNKNOWN_TEXT, loc,
                "%.*s is the string \"%.*s\", not an unknown value", LC_FMT(place),
                LC_FMT(node->as.text));
    else if (!hidden)
        lc_note(w->reader->lints, w->reader->arena, LC_LINT_REFERENCE_TEXT, loc,
                "%.*s is a reference written as a string, not the value that it stands for",
                LC_FMT(place));
}

/* The marker that a key seems to be: "$unkown", "!unknown", or just "unknown"; else "". */
static lc_str meant_marker(lc_arena *arena, lc_str key)
{
    bool sign = key.len && (key.ptr[0] == '$' || key.ptr[0] == '!');
    lc_str word = lc_str_sub(key, sign, key.len), names[LC_MARKER_FOREIGN];
    size_t count = 0;
    for (unsigned i = LC_MARKER_UNKNOWN; i < LC_MARKER_FOREIGN; i++)
        names[count++] = lc_str_from_c(lc_marker_name((lc_marker)i));
    lc_str near = lc_str_nearest(word, names, count);
    return near.len && (sign || lc_str_eq(near, word)) ? lc_str_printf(arena, "$%.*s", LC_FMT(near))
                                                       : LC_STR_EMPTY;
}

/* A word that JSON and YAML read as text, but that its author meant as a value. */
static const char *text_hint(const lc_node *node, bool root)
{
    if (reads_as_unknown(node) || lc_str_is(node->as.text, "unknown"))
        return node->style == LC_STYLE_JSON ? "; an unknown value is written {\"$unknown\": true}"
                                            : "; an unknown value is written !unknown";
    if (reads_as_reference(node))
        return "; lifecheck evaluates no references: write the value";
    return root ? "; write null if there is no object" : NULL;
}

/* How a value of the type is written. */
static const char *type_hint(const lc_node *node, const lc_type *want)
{
    bool quoted = node->kind == LC_NODE_STRING && node->style != LC_STYLE_PLAIN;
    switch (want->kind) {
    case LC_TYPE_NUMBER:
        return quoted ? "; a number is written without quotes" : "; a number is written 12 or 0.5";
    case LC_TYPE_BOOL:
        return quoted ? "; a bool is written without quotes" : "; a bool is written true or false";
    case LC_TYPE_STRING:
        return node->style == LC_STYLE_JSON ? "; a string is written in double quotes"
                                            : "; a string is one scalar";
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        return "; a list or set is written [a, b], also of one element";
    case LC_TYPE_TUPLE:
        return "; a tuple is written [a, b], with all its elements";
    case LC_TYPE_MAP:
    case LC_TYPE_OBJECT:
        return "; a map or object is written {key: value}";
    case LC_TYPE_DYNAMIC:
        break;
    }
    return "";
}

/* What the author may have meant by a value that has the wrong type. The values of the root are
 * objects, except for null. */
static lc_str hint_of(lc_value_walk *w, const lc_node *node, const lc_type *want, bool root)
{
    lc_arena *arena = w->reader->arena;
    lc_str marker = LC_STR_EMPTY, mistake = LC_STR_EMPTY;
    const char *text = node->kind == LC_NODE_STRING ? text_hint(node, root) : NULL;
    if (node->kind == LC_NODE_MAPPING && node->count == 1)
        marker = meant_marker(arena, node->as.members[0].key);
    if (marker.len)
        return lc_str_printf(arena, "; did you mean the marker {\"%.*s\": %s}?", LC_FMT(marker),
                             lc_str_is(marker, "$unknown") ? "true" : "...");
    if (want->kind == LC_TYPE_OBJECT && node->kind == LC_NODE_STRING &&
        node->style == LC_STYLE_PLAIN)
        mistake = lc_key_mistake(arena, node->as.text);
    if (mistake.len)
        return lc_str_printf(arena, "; %.*s", LC_FMT(mistake));
    return lc_str_from_c(text ? text : type_hint(node, want));
}

void lc_walk_wrong_type(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                        const lc_trail *trail)
{
    bool hidden, root = !trail && w->reader->root.len;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_str type = lc_walk_type(w, want);
    lc_str hint = hidden ? LC_STR_EMPTY : hint_of(w, node, want, root);
    lc_diag_error(w->reader->diags, lc_reader_loc(w->reader, node),
                  "%.*s is %s where the schema requires %.*s%.*s", LC_FMT(place),
                  lc_node_kind_name(node), LC_FMT(type), LC_FMT(hint));
    lc_value_set_null(slot, want);
}

/* The search costs time for each name, so it is left out when the message would be dropped anyway.
 */
static lc_str nearest_attribute(lc_value_walk *w, lc_str name, const lc_type *object)
{
    if (!lc_diags_has_room(w->reader->diags))
        return LC_STR_EMPTY;
    lc_str *names = LC_NEW_ARRAY(w->reader->arena, lc_str, object->count);
    for (uint32_t i = 0; i < object->count; i++)
        names[i] = object->as.attrs[i].name;
    return lc_str_nearest(name, names, object->count);
}

#define MOST_NAMES 6

/* What there is: a schema of another type is noticed by its names. */
static lc_str names_of(lc_value_walk *w, const lc_type *object)
{
    lc_buf out = {0};
    if (!lc_diags_has_room(w->reader->diags))
        return LC_STR_EMPTY;
    for (uint32_t i = 0; i < object->count && i < MOST_NAMES; i++)
        lc_buf_printf(&out, "%s%.*s", i ? ", " : "; its schema has ",
                      LC_FMT(object->as.attrs[i].name));
    if (object->count > MOST_NAMES)
        lc_buf_printf(&out, " and %u more", object->count - MOST_NAMES);
    return lc_buf_take(w->reader->arena, &out);
}

void lc_walk_unknown_name(lc_value_walk *w, const lc_member *member, const lc_type *object,
                          const lc_trail *trail)
{
    bool hidden;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_loc loc = lc_reader_where(w->reader, member->where);
    if (hidden) {
        lc_diag_error(w->reader->diags, loc, "%.*s has no such attribute", LC_FMT(place));
        return;
    }
    lc_str mistake = lc_key_mistake(w->reader->arena, member->key);
    if (mistake.len) {
        lc_diag_error(w->reader->diags, loc, "%.*s", LC_FMT(mistake));
        return;
    }
    lc_str near = nearest_attribute(w, member->key, object);
    if (!near.len && member->key.len && strchr("$!", member->key.ptr[0]))
        near = meant_marker(w->reader->arena, member->key);
    lc_str remedy = near.len
                        ? lc_str_printf(w->reader->arena, "; did you mean \"%.*s\"?", LC_FMT(near))
                        : names_of(w, object);
    lc_diag_error(w->reader->diags, loc, "%.*s has no attribute or block \"%.*s\"%.*s",
                  LC_FMT(place), LC_FMT(member->key), LC_FMT(remedy));
}

/* The path of the problem is that of the walk plus that inside the decoded bytes. */
void lc_walk_undecodable(lc_value_walk *w, const lc_trail *trail, lc_wire_problem problem,
                         lc_path below)
{
    if (w->undecodable)
        return;
    w->undecodable = true;
    lc_path above = lc_path_from_trail(w->reader->arena, trail);
    lc_step *steps = LC_NEW_ARRAY(w->reader->arena, lc_step, above.count + below.count);
    for (size_t i = 0; i < above.count; i++)
        steps[i] = above.steps[i];
    for (size_t i = 0; i < below.count; i++)
        steps[above.count + i] = below.steps[i];
    lc_path path = {steps, above.count + below.count};
    lc_buf buf = {0};
    lc_path_add_text(&buf, path);
    problem.path = lc_buf_take(w->reader->arena, &buf);
    w->field->problem = problem;
    w->field->problem_path = path;
}

/* `built` one above the limit marks that the error was reported; the walk stops everywhere then. */
bool lc_walk_take(lc_value_walk *w, const lc_node *node, size_t count)
{
    lc_value_reader *reader = w->reader;
    if (reader->built > reader->limits.nodes)
        return false;
    if (count <= reader->limits.nodes - reader->built) {
        reader->built += count;
        return true;
    }
    reader->built = reader->limits.nodes + 1;
    lc_diag_error(reader->diags, lc_reader_loc(reader, node),
                  "the values of this file are more than %zu", reader->limits.nodes);
    return false;
}
