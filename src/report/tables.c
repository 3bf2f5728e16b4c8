/* The result of a case of a whole plan or configuration, in addition to findings, as a table: the
 * prediction for every object, or the provider instances. Cases have it as JSON, and so do reports
 * that are read back. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/yaml_json/node.h"
#include "report/internal.h"

#include <stdlib.h>

typedef struct maker {
    lc_arena *arena;
    lc_case_table *out;
} maker;

static lc_str text_of(const lc_node *node, const char *key)
{
    const lc_node *value = lc_node_get(node, key);
    bool is_text = value && (value->kind == LC_NODE_STRING || value->kind == LC_NODE_NUMBER);
    return is_text ? value->as.text : LC_STR_EMPTY;
}

static lc_str taken(const maker *m, lc_buf *buf)
{
    return lc_buf_take(m->arena, buf);
}

static void add_place(lc_buf *out, const lc_node *node)
{
    if (text_of(node, "file").len)
        lc_buf_printf(out, "%.*s:%.*s", LC_FMT(text_of(node, "file")),
                      LC_FMT(text_of(node, "line")));
}

/* ---- Predictions. */

/* ["delete","create"] as words. */
static void add_actions(lc_buf *out, const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (list->as.items[i].kind == LC_NODE_STRING)
            lc_buf_printf(out, "%s%.*s", i ? ", then " : "", LC_FMT(list->as.items[i].as.text));
    }
}

static lc_str actions_text(const maker *m, const lc_node *change)
{
    lc_buf text = {0};
    lc_str fate = text_of(change, "fate");
    if (fate.len) {
        lc_buf_printf(&text, "%.*s %.*s%s", LC_FMT(text_of(change, "sign")), LC_FMT(fate),
                      lc_node_is_true(lc_node_get(change, "importing")) ? " (import)" : "");
        return taken(m, &text);
    }
    const lc_node *possible = lc_node_get(change, "possible"),
                  *importing = lc_node_get(change, "importing");
    if (possible && possible->kind == LC_NODE_SEQUENCE && possible->count) {
        for (uint32_t i = 0; i < possible->count; i++) {
            lc_buf_add_c(&text, i ? " | " : "");
            add_actions(&text, &possible->as.items[i]);
        }
    } else {
        add_actions(&text, lc_node_get(change, "actions"));
    }
    if (lc_node_is_true(importing))
        lc_buf_add_c(&text, " (import)");
    return taken(m, &text);
}

static void add_why(lc_buf *out, const lc_node *why)
{
    lc_str setting = text_of(why, "setting");
    if (!why || why->kind != LC_NODE_MAPPING || lc_node_is_true(lc_node_get(why, "implied")))
        return;
    lc_str behavior = text_of(why, "behavior");
    if (out->len)
        lc_buf_add_c(out, "\n");
    if (!lc_str_is(behavior, "default"))
        lc_buf_printf(out, "%.*s: ", LC_FMT(behavior));
    lc_buf_add_str(out, text_of(why, "text"));
    if (!setting.len)
        return;
    lc_buf_printf(out, " (%.*s%s", LC_FMT(setting), text_of(why, "file").len ? " at " : "");
    add_place(out, why);
    lc_buf_add_char(out, ')');
}

/* The sentence that names lines and objects comes first, if there is one. */
static lc_str reasons_text(const maker *m, const lc_node *change)
{
    lc_buf text = {0};
    lc_str open = text_of(change, "open_because");
    const lc_node *why = lc_node_get(change, "why");
    if (lc_node_get(change, "causes") || lc_node_get(change, "triggered_by"))
        lc_buf_add_str(&text, text_of(change, "because"));
    if (!text.len || !lc_str_is(text_of(why, "behavior"), "default"))
        add_why(&text, why);
    add_why(&text, lc_node_get(change, "order"));
    add_why(&text, lc_node_get(change, "moved"));
    add_why(&text, lc_node_get(change, "prevents"));
    if (open.len)
        lc_buf_printf(&text, "%sundecided: %.*s", text.len ? "\n" : "", LC_FMT(open));
    return taken(m, &text);
}

#define UNCHANGED 5 /* the number of the words below */

/* Destructive actions come first, unchanged objects last; certain actions before possible ones. */
static unsigned weight_of(const lc_node *change)
{
    static const char *const words[] = {"delete", "forget", "update", "create", "read", NULL};
    const lc_node *possible = lc_node_get(change, "possible");
    size_t weight = UNCHANGED;
    for (uint32_t i = 0; possible && i < lc_node_item_count(possible); i++) {
        const lc_node *list = &possible->as.items[i];
        for (uint32_t k = 0; k < lc_node_item_count(list); k++) {
            size_t at = UNCHANGED;
            if (list->as.items[k].kind == LC_NODE_STRING)
                lc_str_is_one_of(list->as.items[k].as.text, words, &at);
            weight = at < weight ? at : weight;
        }
    }
    return (unsigned)weight * 2 + (lc_node_is_true(lc_node_get(change, "firm")) ? 0 : 1);
}

static bool is_quiet(const lc_node *change)
{
    return weight_of(change) == UNCHANGED * 2 && !lc_node_get(change, "moved") &&
           !lc_node_get(change, "importing");
}

static void add_prediction(maker *m, const lc_node *change)
{
    lc_buf object = {0};
    lc_buf_add_str(&object, text_of(change, "address"));
    if (text_of(change, "deposed").len)
        lc_buf_printf(&object, " (deposed %.*s)", LC_FMT(text_of(change, "deposed")));
    lc_str name = taken(m, &object);
    if (is_quiet(change)) {
        *LC_PUSH(m->arena, &m->out->unchanged, lc_str) = name;
        return;
    }
    lc_case_row *row = LC_PUSH(m->arena, &m->out->rows, lc_case_row);
    row->cells[0] = name;
    row->cells[1] = actions_text(m, change);
    row->cells[2] = text_of(change, "reason");
    row->cells[3] = reasons_text(m, change);
    row->weight = weight_of(change);
    row->number = m->out->rows.count;
}

static int by_weight(const void *a, const void *b)
{
    const lc_case_row *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- Provider instances. */

static void add_instance(maker *m, const lc_node *use)
{
    lc_buf by = {0};
    lc_case_row *row = LC_PUSH(m->arena, &m->out->rows, lc_case_row);
    lc_str provider = text_of(use, "provider");
    bool unused = lc_node_get(use, "unused") != NULL;
    row->cells[0] = unused ? LC_STR("(nothing)") : text_of(use, "address");
    row->cells[1] = provider.len ? provider : LC_STR("none");
    lc_buf_add_str(&by, unused ? LC_STR("nothing uses it") : text_of(use, "by"));
    lc_buf_add_c(&by, text_of(use, "file").len ? " at " : "");
    add_place(&by, use);
    row->cells[2] = taken(m, &by);
}

/* ---- */

static void add_note(maker *m, const lc_node *note)
{
    lc_buf text = {0};
    lc_buf_add_str(&text, text_of(note, "text"));
    if (text_of(note, "address").len)
        lc_buf_printf(&text, ": %.*s", LC_FMT(text_of(note, "address")));
    lc_buf_add_c(&text, text_of(note, "file").len ? " at " : "");
    add_place(&text, note);
    *LC_PUSH(m->arena, &m->out->notes, lc_str) = taken(m, &text);
}

static void each(maker *m, lc_str json, void (*add)(maker *m, const lc_node *item))
{
    lc_source source;
    lc_diags quiet;
    const lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&quiet, m->arena);
    if (!json.len || lc_json_parse(&source, m->arena, LC_STR_EMPTY, json, &limits, &quiet) != LC_OK)
        return;
    const lc_node *list = &source.documents[0];
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        add(m, &list->as.items[i]);
}

/* NULL: there is no prediction. */
static const lc_node *read_prediction(lc_arena *arena, lc_source *source, lc_str json)
{
    lc_diags quiet;
    const lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&quiet, arena);
    return json.len && lc_json_parse(source, arena, LC_STR_EMPTY, json, &limits, &quiet) == LC_OK
               ? &source->documents[0]
               : NULL;
}

/* The sentence about the prediction as a whole. */
static lc_str lead_of(maker *m, lc_str json)
{
    lc_source source;
    const lc_node *prediction = read_prediction(m->arena, &source, json);
    lc_str holds = text_of(prediction, "holds_for");
    lc_buf lead = {0};
    lc_buf_add_str(&lead, text_of(prediction, "text"));
    if (lead.len && holds.len)
        lc_buf_printf(&lead, "; for %.*s", LC_FMT(holds));
    return taken(m, &lead);
}

/* ---- Sums over predictions. */

/* What happens to an object: its only action, "": any replace. In the order of the enumeration. */
static const char *const predicted_fates[] = {"",       "delete", "forget", "update",
                                              "create", "read",   "no-op",  NULL};
#define FATES (sizeof predicted_fates / sizeof *predicted_fates)
_Static_assert(FATES == sizeof((lc_predicted *)0)->by_fate / sizeof(uint64_t), "one count each");
enum { REPLACED, DELETED, FORGOTTEN, UPDATED, CREATED, READ, UNCHANGED_OBJECTS, OPEN };

static size_t fate_of(const lc_node *actions)
{
    size_t fate = REPLACED;
    if (lc_node_item_count(actions) != 1)
        return fate;
    for (size_t i = 1; i < OPEN; i++) {
        if (lc_str_is(actions->as.items[0].as.text, predicted_fates[i]))
            fate = i;
    }
    return fate;
}

void lc_predicted_add(lc_predicted *sum, lc_str json)
{
    if (!json.len)
        return;
    lc_arena *arena = lc_arena_new();
    lc_source source;
    const lc_node *prediction = read_prediction(arena, &source, json);
    const lc_node *list = lc_node_get_kind(prediction, "actions", LC_NODE_SEQUENCE);
    sum->cases++;
    sum->stopped += lc_str_is(text_of(prediction, "state"), "failed");
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *entry = &list->as.items[i];
        sum->by_fate[fate_of(lc_node_get_kind(entry, "actions", LC_NODE_SEQUENCE))] +=
            lc_record_number(entry, "count");
    }
    sum->by_fate[OPEN] +=
        lc_record_number(prediction, "open") + lc_record_number(prediction, "blocks_open");
    lc_arena_free(arena);
}

void lc_predicted_sum(lc_predicted *sum, const lc_predicted *more)
{
    sum->cases += more->cases;
    sum->stopped += more->stopped;
    for (size_t i = 0; i < FATES; i++)
        sum->by_fate[i] += more->by_fate[i];
}

void lc_predicted_add_words(lc_buf *out, const lc_predicted *sum)
{
    const char *between = "";
    if (sum->stopped) {
        lc_buf_add_c(out, "the client stops");
        between = "; ";
    }
    const uint64_t *n = sum->by_fate;
    uint64_t objects = 0;
    for (size_t i = 0; i < FATES; i++)
        objects += n[i];
    if (!objects && *between)
        return;
    lc_buf_add_c(out, between);
    if (!objects) {
        lc_buf_add_c(out, "no objects");
        return;
    }
    lc_buf_printf(out, "%llu to add, %llu to change, %llu to destroy",
                  (unsigned long long)(n[CREATED] + n[REPLACED]), (unsigned long long)n[UPDATED],
                  (unsigned long long)(n[DELETED] + n[REPLACED]));
    if (n[REPLACED])
        lc_buf_printf(out, " (%llu to replace)", (unsigned long long)n[REPLACED]);
    if (n[FORGOTTEN])
        lc_buf_printf(out, ", %llu to forget", (unsigned long long)n[FORGOTTEN]);
    if (n[OPEN])
        lc_buf_printf(out, ", %llu undecided", (unsigned long long)n[OPEN]);
}

/* ---- */

bool lc_case_table_of(lc_case_table *out, lc_arena *arena, const lc_judged *judged)
{
    static const char *const of_run[] = {"object", "action", "reason", "why"};
    static const char *const of_providers[] = {"resource instance", "provider instance", "by"};
    const lc_judgement *j = &judged->judgement;
    bool providers = j->instances.len > 0;
    maker m = {arena, out};
    *out = (lc_case_table){.title = providers ? "Provider instances" : "Predictions",
                           .heads = providers ? of_providers : of_run,
                           .columns = providers ? 3 : 4};
    each(&m, j->instances, add_instance);
    if (!providers)
        each(&m, j->predictions, add_prediction);
    if (out->rows.count > 1 && !providers)
        qsort(out->rows.items, out->rows.count, sizeof *out->rows.items, by_weight);
    out->lead = lead_of(&m, j->prediction);
    each(&m, j->prediction_notes, add_note);
    return out->rows.count || out->notes.count || out->unchanged.count || out->lead.len;
}
