/* Messages of a walk over values: places, wrong types, unknown names, undecodable evidence, and the
 * limit. They contain paths and types, but no scalars, and nothing below a sensitive place. */
#include "scenario/walk.h"
#include "lifecheck/arena.h"

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

/* Texts that plans print for unknown values, and wrong spellings of the marker. The bare word
 * `unknown` is reported only without quotes: an author who quotes it means the text. */
static bool reads_as_unknown(const lc_node *node)
{
    static const char *const texts[] = {"!unknown", "(known after apply)", "<computed>", NULL};
    if (node->kind != LC_NODE_STRING)
        return false;
    return lc_str_is_one_of(node->as.text, texts, NULL) ||
           (node->style != LC_STYLE_QUOTED && lc_str_is(node->as.text, "unknown"));
}

void lc_walk_note_text(lc_value_walk *w, const lc_node *node, const lc_trail *trail)
{
    bool hidden;
    if (!w->reader->lints || !reads_as_unknown(node))
        return;
    lc_str place = lc_walk_place(w, trail, &hidden);
    if (!hidden)
        lc_note(w->reader->lints, w->reader->arena, LC_LINT_UNKNOWN_TEXT,
                lc_reader_loc(w->reader, node), "%.*s is the text \"%.*s\", not an unknown value",
                LC_FMT(place), LC_FMT(node->as.text));
}

void lc_walk_wrong_type(lc_value_walk *w, lc_value *slot, const lc_node *node, const lc_type *want,
                        const lc_trail *trail)
{
    bool hidden;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_str type = lc_walk_type(w, want);
    lc_diag_error(w->reader->diags, lc_reader_loc(w->reader, node),
                  "%.*s is %s where the schema requires %.*s%s", LC_FMT(place),
                  lc_node_kind_name(node), LC_FMT(type),
                  !hidden && reads_as_unknown(node) ? "; an unknown value is written !unknown"
                                                    : "");
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
    lc_str near = nearest_attribute(w, member->key, object);
    lc_diag_error(w->reader->diags, loc, "%.*s has no attribute or block \"%.*s\"%s%.*s%s",
                  LC_FMT(place), LC_FMT(member->key), near.len ? "; did you mean \"" : "",
                  LC_FMT(near), near.len ? "\"?" : "");
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
