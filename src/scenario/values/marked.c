/* Marked values: how each marker converts its content at a place of a given shape.
 *
 * A value that the author typed against the schema on purpose, and bytes that cannot be decoded,
 * are evidence. They make the field undecodable, as they would for core. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "scenario/values/walk.h"

static void set_mismatch(lc_value_walk *w, lc_value *slot, const lc_type *given,
                         const lc_type *want, const lc_trail *trail)
{
    lc_str is = lc_walk_type(w, given), wanted = lc_walk_type(w, want);
    lc_str message =
        lc_str_printf(w->reader->arena, "a value of type %.*s where the schema has %.*s",
                      LC_FMT(is), LC_FMT(wanted));
    lc_walk_undecodable(w, trail, (lc_wire_problem){LC_WIRE_REFUSED, 0, LC_STR_EMPTY, message},
                        LC_PATH_ROOT);
    lc_value_set_null(slot, want);
}

/* !typed: the value is read by its own type, and must then conform to the schema's. */
static void read_typed_marker(lc_value_walk *w, lc_value *slot, const lc_node *content,
                              lc_value_shape want, const lc_trail *trail)
{
    const lc_type *type;
    const lc_node *value;
    lc_value_set_null(slot, want.type);
    if (!lc_marker_typed(w->reader, &type, &value, content))
        return;
    lc_walk_node(w, slot, value, shape_of(type), trail);
    if (!lc_type_conforms(slot->type, want.type))
        set_mismatch(w, slot, slot->type, want.type, trail);
}

/* !null: a null of a type matters only where the schema has a dynamic type. */
static void read_null_marker(lc_value_walk *w, lc_value *slot, const lc_node *content,
                             lc_value_shape want, const lc_trail *trail)
{
    const lc_type *type;
    lc_value_set_null(slot, want.type);
    if (!lc_marker_type(w->reader, &type, content))
        return;
    if (lc_type_conforms(type, want.type)) {
        lc_value_set_null(slot, want.type->has_dynamic ? type : want.type);
        return;
    }
    bool hidden;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_str is = lc_walk_type(w, type), wanted = lc_walk_type(w, want.type);
    lc_diag_error(w->reader->diags, lc_reader_loc(w->reader, content),
                  "%.*s is a null of type %.*s where the schema requires %.*s", LC_FMT(place),
                  LC_FMT(is), LC_FMT(wanted));
}

/* Decodes as core would, and notes how: rules look at both the encoding and the problems. */
static void decode(lc_value_walk *w, lc_value *slot, lc_marker marker, lc_str bytes,
                   const lc_type *want, const lc_trail *trail)
{
    const lc_value *value;
    lc_wire_result result = {0};
    lc_arena *arena = w->reader->arena;
    bool ok = marker == LC_MARKER_MSGPACK ? lc_msgpack_decode(&value, arena, bytes, want, &result)
                                          : lc_ctyjson_decode(&value, arena, bytes, want, &result);
    w->field->wire_notes |= result.notes;
    w->field->wire_used = result.used;
    w->field->wire_msgpack |= marker == LC_MARKER_MSGPACK;
    w->field->wire_json |= marker == LC_MARKER_JSON;
    if (ok) {
        *slot = *value;
        return;
    }
    lc_path below;
    lc_str why;
    size_t at;
    if (!lc_path_parse(&below, arena, result.problem.path, false, &why, &at))
        below = LC_PATH_ROOT;
    lc_walk_undecodable(w, trail, result.problem, below);
}

static void read_bytes_marker(lc_value_walk *w, lc_value *slot, lc_marker marker,
                              const lc_node *content, const lc_type *want, const lc_trail *trail)
{
    lc_str text, bytes;
    size_t at;
    lc_value_set_null(slot, want);
    if (!lc_marker_text(w->reader, &text, content, lc_marker_name(marker)))
        return;
    if (marker == LC_MARKER_JSON)
        decode(w, slot, marker, text, want, trail);
    else if (lc_base64_decode(&bytes, w->reader->arena, text, &at))
        decode(w, slot, marker, bytes, want, trail);
    else
        lc_walk_report(w, content, trail, "is marked as msgpack, but its string is not base64");
}

/* Elements of a set have no place of their own, so a sensitive element makes the set sensitive. */
static void add_sensitive(lc_value_walk *w, const lc_trail *trail)
{
    lc_path path = lc_path_from_trail(w->reader->arena, trail);
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind == LC_STEP_ELEMENT)
            path.count = i;
    }
    *LC_PUSH(w->reader->arena, &w->reader->sensitive, lc_path) = path;
}

/* A lint: the attribute, or one around it, is sensitive by the schema already. */
static void note_known_secret(lc_value_walk *w, const lc_node *content, const lc_trail *trail)
{
    if (!w->reader->lints || !w->block)
        return;
    lc_path path = lc_path_from_trail(w->reader->arena, trail);
    for (; path.count; path.count--) {
        const lc_attribute *a = lc_block_attribute_at(w->block, path);
        if (!a || !a->sensitive)
            continue;
        lc_note(w->reader->lints, w->reader->arena, LC_LINT_SENSITIVE_REPEATED,
                lc_reader_loc(w->reader, content), "\"%.*s\" is sensitive by the schema",
                LC_FMT(a->name));
        return;
    }
}

/* Sets the nearest enclosing sensitive place, so that messages do not name anything below it. */
static void read_sensitive(lc_value_walk *w, lc_value *slot, const lc_node *content,
                           lc_value_shape want, const lc_trail *trail)
{
    bool outermost = !w->in_secret;
    if (outermost) {
        w->in_secret = true;
        w->secret = trail;
    }
    add_sensitive(w, trail);
    note_known_secret(w, content, trail);
    lc_walk_node(w, slot, content, want, trail);
    if (outermost)
        w->in_secret = false;
}

static lc_str nearest_marker(lc_value_walk *w, lc_str spelling)
{
    lc_str names[LC_MARKER_FOREIGN];
    size_t count = 0;
    for (unsigned i = LC_MARKER_UNKNOWN; i < LC_MARKER_FOREIGN; i++)
        names[count++] = lc_str_printf(w->reader->arena, "!%s", lc_marker_name((lc_marker)i));
    return lc_str_nearest(spelling, names, count);
}

static void refuse_marker(lc_value_walk *w, lc_value *slot, lc_marker marker, const lc_node *node,
                          const lc_type *want, const lc_trail *trail)
{
    bool hidden;
    lc_str place = lc_walk_place(w, trail, &hidden);
    lc_str spelling = lc_marker_spelling(w->reader->arena, node);
    lc_loc loc = lc_reader_loc(w->reader, node);
    lc_value_set_null(slot, want);
    if (marker != LC_MARKER_FOREIGN) {
        lc_diag_error(w->reader->diags, loc, "%.*s takes no %.*s: %s", LC_FMT(place),
                      LC_FMT(spelling),
                      w->raw ? "a raw state holds plain JSON" : "that marks private data");
        return;
    }
    lc_str near = nearest_marker(w, spelling);
    lc_diag_error(w->reader->diags, loc, "%.*s has the tag %.*s, which is not a marker%s%.*s%s",
                  LC_FMT(place), LC_FMT(spelling),
                  near.len ? "; did you mean \"" : "; a string that begins with ! needs quotes",
                  LC_FMT(near), near.len ? "\"?" : "");
}

/* Raw state is plain JSON as it is stored, so only markers that do not change the value remain. */
static bool marker_allowed(const lc_value_walk *w, lc_marker marker)
{
    if (marker == LC_MARKER_FOREIGN || marker == LC_MARKER_TEXT)
        return false;
    return !w->raw || marker == LC_MARKER_SENSITIVE || marker == LC_MARKER_LITERAL;
}

void lc_walk_marked(lc_value_walk *w, lc_value *slot, lc_marker marker, const lc_node *node,
                    const lc_node *content, lc_value_shape want, const lc_trail *trail)
{
    if (!marker_allowed(w, marker)) {
        refuse_marker(w, slot, marker, node, want.type, trail);
        return;
    }
    switch (marker) {
    case LC_MARKER_UNKNOWN:
        if (!lc_marker_refinement(w->reader, slot, content, want.type))
            lc_value_set_unknown(slot, want.type);
        return;
    case LC_MARKER_TYPED:
        read_typed_marker(w, slot, content, want, trail);
        return;
    case LC_MARKER_NULL:
        read_null_marker(w, slot, content, want, trail);
        return;
    case LC_MARKER_SENSITIVE:
        read_sensitive(w, slot, content, want, trail);
        return;
    case LC_MARKER_MSGPACK:
    case LC_MARKER_JSON:
        read_bytes_marker(w, slot, marker, content, want.type, trail);
        return;
    case LC_MARKER_LITERAL:
        if (content->kind == LC_NODE_MAPPING && !content->tag) {
            lc_walk_plain(w, slot, content, want, trail);
            return;
        }
        lc_value_set_null(slot, want.type);
        lc_walk_report(w, node, trail, "is marked as literal, which is for mappings only");
        return;
    case LC_MARKER_NONE:
    case LC_MARKER_TEXT:
    case LC_MARKER_FOREIGN:
        break;
    }
    LC_UNREACHABLE();
}
