/* A draft of what the changelog of the new version says to those who upgrade, from what two
 * binaries show: in the sections that changelogs of providers have. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

typedef struct draft {
    const lc_gate *gate;
    lc_gate_lines *out;
} draft;

static void add(const draft *d, lc_str line)
{
    *LC_PUSH(d->gate->arena, d->out, lc_str) = line;
}

/* "resource/random_pet", "data-source/tls_certificate", as changelogs name types. */
static lc_str name_of(lc_arena *arena, lc_str type)
{
    static const struct {
        lc_str prefix;
        const char *word;
    } kinds[] = {{{"data.", 5}, "data-source/"},
                 {{"ephemeral.", 10}, "ephemeral/"},
                 {{"function.", 9}, "function/"},
                 {{"list.", 5}, "list-resource/"},
                 {{"action.", 7}, "action/"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (lc_str_starts_with(type, kinds[i].prefix))
            return lc_str_printf(arena, "%s%.*s", kinds[i].word,
                                 LC_FMT(lc_str_sub(type, kinds[i].prefix.len, type.len)));
    }
    return lc_str_is(type, "provider") ? type : lc_str_printf(arena, "resource/%.*s", LC_FMT(type));
}

static lc_str place_of(lc_str path)
{
    return path.len && path.ptr[0] == '.' ? lc_str_sub(path, 1, path.len) : path;
}

/* A changelog is about the upgrade only. */
static lc_str words_of(lc_str message)
{
    static const lc_str first = {"after the upgrade, ", 19};
    return lc_str_starts_with(message, first) ? lc_str_sub(message, first.len, message.len)
                                              : message;
}

static void add_findings(const draft *d, lc_upgrade_class class)
{
    const lc_gate *g = d->gate;
    for (size_t i = 0; i < g->diffs.count; i++) {
        const lc_sum *sum = g->diffs.items[i].after;
        if (sum && !g->diffs.items[i].before && lc_sum_is_of_upgrade(sum) &&
            lc_sum_class(sum) == class)
            add(d, lc_str_printf(g->arena, "%.*s: %.*s", LC_FMT(name_of(g->arena, sum->type)),
                                 LC_FMT(words_of(sum->message))));
    }
}

static void add_changes(const draft *d, const lc_type_breaks *of, lc_upgrade_class class)
{
    lc_arena *arena = d->gate->arena;
    if (of->gone && class == LC_CLASS_BREAKS)
        add(d, lc_str_printf(arena, "%.*s: Removed", LC_FMT(name_of(arena, of->type))));
    for (size_t i = 0; i < of->changes.count; i++) {
        const lc_change *change = &of->changes.items[i];
        if (change->of == class)
            add(d, lc_str_printf(arena, "%.*s: `%.*s` %.*s", LC_FMT(name_of(arena, of->type)),
                                 LC_FMT(place_of(change->path)), LC_FMT(change->message)));
    }
}

/* A new schema version does not make a change harmless: upgraders cover objects, not
 * configurations. */
static void add_class(const draft *d, lc_upgrade_class class)
{
    const lc_gate *g = d->gate;
    for (size_t i = 0; i < g->breaks.count; i++)
        add_changes(d, &g->breaks.items[i], class);
    for (size_t i = 0; i < g->others.count; i++)
        add_changes(d, &g->others.items[i], class);
    for (size_t i = 0; i < g->bumped.count; i++)
        add_changes(d, &g->bumped.items[i], class);
    add_findings(d, class);
}

/* What is new. Places inside of something new are not named. */
static void add_new_places(const draft *d, const lc_evidence_type *before,
                           const lc_evidence_type *after)
{
    lc_arena *arena = d->gate->arena;
    lc_table places;
    lc_str parent = LC_STR("-");
    lc_table_init(&places, arena);
    for (size_t i = 0; i < before->shape.places.count; i++)
        lc_table_put(&places, before->shape.places.items[i].path, &places);
    for (size_t i = 0; i < after->shape.places.count; i++) {
        lc_str path = after->shape.places.items[i].path;
        bool inside = lc_str_starts_with(path, parent) && path.len > parent.len &&
                      path.ptr[parent.len] == '.';
        if (inside || lc_table_get(&places, path))
            continue;
        parent = path;
        add(d, lc_str_printf(arena, "%.*s: Added `%.*s`", LC_FMT(name_of(arena, after->type)),
                             LC_FMT(place_of(path))));
    }
}

/* Types of which a side has no schema are left out: nothing is known of what is new in them. */
static void add_enhancements(const draft *d)
{
    const lc_gate *g = d->gate;
    for (size_t i = 0; i < g->after.types.count; i++) {
        const lc_evidence_type *after = g->after.types.items[i];
        const lc_evidence_type *before = lc_evidence_set_type(&g->before, after->type);
        if (!after->has_shape)
            continue;
        if (before && before->has_shape)
            add_new_places(d, before, after);
        else
            add(d, lc_str_printf(g->arena, "New: %.*s", LC_FMT(name_of(g->arena, after->type))));
    }
}

/* A section without a line is taken back. */
static void add_section(draft *d, const char *title, void (*fill)(const draft *))
{
    size_t count = d->out->count;
    add(d, lc_str_from_c(title));
    fill(d);
    if (d->out->count == count + 1)
        d->out->count = count;
}

static void add_breaking(const draft *d)
{
    add_class(d, LC_CLASS_BREAKS);
}

static void add_notes(const draft *d)
{
    add_class(d, LC_CLASS_SURPRISES);
    add_class(d, LC_CLASS_MENTION);
}

void lc_gate_draft_changelog(lc_gate_lines *out, const lc_gate *gate)
{
    draft d = {gate, out};
    if (!gate->compared)
        return;
    add_section(&d, "BREAKING CHANGES:", add_breaking);
    add_section(&d, "NOTES:", add_notes);
    add_section(&d, "ENHANCEMENTS:", add_enhancements);
}
