/* cases [-v] [-r RECORDED] FILE...: every case of scenario files again and again, each time with
 * one thing changed: a call or a field taken away, a circumstance turned, a part of a value made
 * null, unknown or another. Prints a line per case: how many variations, a hash over the verdicts
 * (rules, places, effects, what could be checked), one over their wording (messages, notes,
 * values), and two characters per variation, of the same two. With -v also a line per variation;
 * with -r, to standard error, a line per variation that is not as the file RECORDED has it. Laws,
 * which end with status 1: judging twice gives the same; what finds something counts as checked. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/recording/recording.h"

#include <stdio.h>
#include <string.h>

#define MOST_NODES 16

typedef struct options {
    bool verbose;
    const lc_table *recorded; /* the marks of a case by "file#case"; NULL: they do not matter */
} options;

/* What came of one variation. */
typedef struct outcome {
    lc_buf verdicts, words;
} outcome;

typedef struct variant {
    const lc_case *base;
    const options *options;
    lc_str recorded; /* its marks, or length 0 */
    lc_arena *arena; /* of one variation */
    lc_case subject; /* a copy whose runs and calls may be changed */
    outcome now;
    lc_buf marks;
    uint64_t verdicts, words; /* hashes over all variations */
    size_t count;
    bool lawful;
} variant;

/* ---- A copy: judging writes to runs and calls, never into values. */

static void copy_case(variant *x)
{
    x->subject = *x->base;
    x->subject.runs.items = LC_NEW_ARRAY(x->arena, lc_run, x->base->runs.count);
    for (size_t r = 0; r < x->base->runs.count; r++) {
        const lc_run *from = &x->base->runs.items[r];
        lc_run *to = &x->subject.runs.items[r];
        *to = *from;
        to->calls.items = LC_NEW_ARRAY(x->arena, lc_call, from->calls.count);
        if (from->calls.count)
            memcpy(to->calls.items, from->calls.items,
                   from->calls.count * sizeof *from->calls.items);
    }
}

/* ---- What came out, as text. */

static void add_finding(outcome *out, const lc_finding *f)
{
    lc_buf_printf(&out->verdicts, " %.*s%s@%.*s/%u.%u", LC_FMT(lc_rule_get(f->rule)->slug),
                  f->doubtful ? "?" : "", LC_FMT(f->path_text), f->run, f->call.index);
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        const lc_core_view *c = &f->core[core];
        lc_buf_printf(&out->verdicts, ",%s%s", lc_effect_name(c->effect),
                      c->masked ? "(masked)" : "");
        lc_buf_printf(&out->words, ":%.*s", LC_FMT(c->message));
    }
    lc_buf_printf(&out->words, ":%.*s", LC_FMT(f->message));
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (f->values[column].given)
            lc_buf_printf(&out->words, " %d=%.*s", column, LC_FMT(f->values[column].json));
    }
}

static void add_judgement(outcome *out, const lc_case *c, const lc_judgement *j)
{
    for (size_t r = 0; r < c->runs.count; r++)
        lc_buf_printf(&out->verdicts, " %s/%s", lc_action_name(j->runs[r].action[LC_OPENTOFU]),
                      lc_action_name(j->runs[r].action[LC_TERRAFORM]));
    for (size_t i = 0; i < j->findings.count; i++)
        add_finding(out, &j->findings.items[i]);
    lc_buf_add_c(&out->verdicts, " |");
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str slug = lc_rule_get((lc_rule)rule)->slug;
        lc_need need = j->missing[rule];
        if (j->coverage[rule] == LC_COVER_CHECKED)
            lc_buf_printf(&out->verdicts, " +%.*s", LC_FMT(slug));
        else if (j->coverage[rule] == LC_COVER_NOT_CHECKED)
            lc_buf_printf(&out->verdicts, " %.*s:%s", LC_FMT(slug),
                          need == LC_NEED_COUNT ? "version" : lc_need_name(need));
    }
}

static void broken(variant *x, const char *law, lc_str what)
{
    printf("%.*s#%.*s: %s %.*s\n", LC_FMT(x->base->file), LC_FMT(x->base->name), law, LC_FMT(what));
    x->lawful = false;
}

static void judge(variant *x, outcome *out)
{
    lc_arena *scratch = lc_arena_new();
    lc_judgement j;
    lc_case_judge(&j, x->arena, scratch, &x->subject);
    add_judgement(out, &x->subject, &j);
    for (size_t i = 0; i < j.findings.count; i++) {
        if (j.coverage[j.findings.items[i].rule] != LC_COVER_CHECKED)
            broken(x, "a finding of a rule that is not checked:",
                   lc_rule_get(j.findings.items[i].rule)->slug);
    }
    lc_arena_free(scratch);
}

static void begin(variant *x)
{
    lc_arena_reset(x->arena);
    copy_case(x);
}

static char mark_of(uint64_t hash)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    return digits[hash % 64];
}

static void tell(const variant *x, FILE *to, const char *what, size_t a, size_t b)
{
    fprintf(to, "  %s %zu %zu:%.*s |%.*s\n", what, a, b, LC_FMT(lc_buf_str(&x->now.verdicts)),
            LC_FMT(lc_buf_str(&x->now.words)));
}

/* Whether the marks of the present variation are those that were recorded. */
static bool as_plan_evidence(const variant *x)
{
    size_t at = (x->count - 1) * 2;
    return x->recorded.len == 0 ||
           (x->recorded.len >= at + 2 &&
            memcmp(x->recorded.ptr + at, lc_buf_str(&x->marks).ptr + at, 2) == 0);
}

static void end(variant *x, const char *what, size_t a, size_t b)
{
    lc_buf_clear(&x->now.verdicts);
    lc_buf_clear(&x->now.words);
    judge(x, &x->now);
    uint64_t verdicts = lc_str_fingerprint(lc_buf_str(&x->now.verdicts));
    uint64_t words = lc_str_fingerprint(lc_buf_str(&x->now.words));
    x->verdicts = verdicts ^ (x->verdicts * 1099511628211u);
    x->words = words ^ (x->words * 1099511628211u);
    lc_buf_add_char(&x->marks, mark_of(verdicts));
    lc_buf_add_char(&x->marks, mark_of(words));
    x->count++;
    if (x->options->verbose)
        tell(x, stdout, what, a, b);
    if (!as_plan_evidence(x)) {
        fprintf(stderr, "%.*s#%.*s", LC_FMT(x->base->file), LC_FMT(x->base->name));
        tell(x, stderr, what, a, b);
    }
}

/* ---- Fields: those of a run, then those of each call. */

static lc_field *run_field(lc_run *run, size_t i)
{
    lc_field *const fields[] = {&run->config, &run->final_config, &run->prior_state,
                                &run->prior_identity, &run->previous_run_state.attributes};
    return i < sizeof fields / sizeof *fields ? fields[i] : NULL;
}

static lc_field *call_field(lc_call *call, size_t i)
{
    lc_field *const fields[] = {&call->config,   &call->prior_state,    &call->proposed,
                                &call->planned,  &call->prior_identity, &call->result,
                                &call->identity, &call->raw.attributes, &call->prepared_config};
    return i < sizeof fields / sizeof *fields ? fields[i] : NULL;
}

/* The nth field of a run and its calls; NULL: there are no more. */
static lc_field *field_at(lc_run *run, size_t n)
{
    size_t i = 0;
    for (; run_field(run, i); i++, n--) {
        if (n == 0)
            return run_field(run, i);
    }
    for (size_t c = 0; c < run->calls.count; c++) {
        for (i = 0; call_field(&run->calls.items[c], i); i++, n--) {
            if (n == 0)
                return call_field(&run->calls.items[c], i);
        }
    }
    return NULL;
}

/* ---- Parts of values. */

typedef enum change { TO_NULL, TO_UNKNOWN, TO_OTHER, TO_LONG, CHANGES } change;

static bool other(lc_value *slot, lc_arena *arena, const lc_value *v)
{
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        lc_value_set_bool(slot, !(lc_is_known(v) && v->as.boolean));
        return true;
    case LC_TYPE_NUMBER:
        lc_value_set_number(slot, LC_NUM(7));
        return true;
    case LC_TYPE_STRING:
        lc_value_set_string(slot, arena, LC_STR("other"));
        return true;
    case LC_TYPE_LIST:
        return lc_value_set_list(slot, arena, v->type, NULL, 0);
    case LC_TYPE_SET:
        return lc_value_set_set(slot, arena, v->type, NULL, 0);
    case LC_TYPE_MAP:
        return lc_value_set_map(slot, arena, v->type, NULL, NULL, 0);
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
    default:
        return false;
    }
}

/* Longer than what is shown of a value. */
static bool make_long(lc_value *slot, lc_arena *arena, const lc_value *v)
{
    enum { LENGTH = 20000 };
    if (v->type->kind != LC_TYPE_STRING)
        return false;
    char *text = lc_arena_alloc(arena, LENGTH);
    memset(text, 'x', LENGTH);
    lc_value_set_string(slot, arena, (lc_str){text, LENGTH});
    return true;
}

static bool changed(lc_value *slot, lc_arena *arena, const lc_value *v, change how)
{
    if (how == TO_LONG)
        return make_long(slot, arena, v);
    if (how == TO_OTHER)
        return other(slot, arena, v);
    if (how == TO_NULL)
        lc_value_set_null(slot, v->type);
    else
        lc_value_set_unknown(slot, v->type);
    return true;
}

static bool rebuilt(lc_value *slot, lc_arena *arena, const lc_value *v, lc_value *elems)
{
    lc_str *keys = NULL;
    switch (v->type->kind) {
    case LC_TYPE_LIST:
        return lc_value_set_list(slot, arena, v->type, elems, v->count);
    case LC_TYPE_SET:
        return lc_value_set_set(slot, arena, v->type, elems, v->count);
    case LC_TYPE_MAP:
        keys = LC_NEW_ARRAY(arena, lc_str, v->count);
        memcpy(keys, v->as.many.keys, v->count * sizeof *keys);
        return lc_value_set_map(slot, arena, v->type, keys, elems, v->count);
    case LC_TYPE_TUPLE:
        lc_value_set_tuple(slot, arena, v->type, elems, v->count);
        return true;
    case LC_TYPE_OBJECT:
        lc_value_set_object(slot, arena, v->type, elems);
        return true;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
    default:
        return false;
    }
}

static bool holds_others(const lc_value *v)
{
    return lc_is_known(v) && v->count > 0 && v->type->kind >= LC_TYPE_LIST;
}

/* Changes the node that *n counts down to, in preorder. False: it cannot be; *n > 0: there are not
 * so many. */
static bool change_node(lc_value *slot, lc_arena *arena, const lc_value *v, size_t *n, change how)
{
    if (*n == 0)
        return changed(slot, arena, v, how);
    --*n;
    if (!holds_others(v))
        return false;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    memcpy(elems, v->as.many.elems, v->count * sizeof *elems);
    for (uint32_t i = 0; i < v->count; i++) {
        size_t before = *n;
        bool ok = change_node(&elems[i], arena, &v->as.many.elems[i], n, how);
        if (ok)
            return rebuilt(slot, arena, v, elems);
        if (before == 0 || *n == SIZE_MAX) {
            *n = SIZE_MAX; /* found, and it cannot be changed */
            return false;
        }
    }
    return false;
}

/* ---- The variations. */

static void without_calls(variant *x)
{
    for (size_t r = 0; r < x->base->runs.count; r++) {
        for (size_t i = 0; i < x->base->runs.items[r].calls.count; i++) {
            begin(x);
            lc_run *run = &x->subject.runs.items[r];
            memmove(&run->calls.items[i], &run->calls.items[i + 1],
                    (run->calls.count - i - 1) * sizeof *run->calls.items);
            run->calls.count--;
            end(x, "without call", r, i);
        }
    }
}

static void without_fields(variant *x)
{
    for (size_t r = 0; r < x->base->runs.count; r++) {
        for (size_t i = 0;; i++) {
            begin(x);
            lc_field *field = field_at(&x->subject.runs.items[r], i);
            if (!field)
                break;
            if (field->state == LC_FIELD_ABSENT)
                continue;
            *field = (lc_field){0};
            end(x, "without field", r, i);
        }
    }
}

/* Whatever is a fact about a run becomes its opposite. */
static size_t turn_run(lc_run *run, size_t which)
{
    lc_fact *const facts[] = {&run->tainted,
                              &run->create_before_destroy,
                              &run->force_replace,
                              &run->refresh_only,
                              &run->depends_on_pending,
                              &run->capabilities.plan_destroy,
                              &run->capabilities.move_resource_state,
                              &run->capabilities.generate_resource_config,
                              &run->capabilities.deferral_allowed,
                              &run->capabilities.write_only_attributes_allowed,
                              &run->capabilities.computed_blocks_allowed,
                              &run->previous_run_state.tainted};
    bool *const flags[] = {&run->ignore_all, &run->order_known, &run->has_ignore_changes,
                           &run->has_prior_private, &run->previous_run_state.has_private};
    enum { FACTS = sizeof facts / sizeof *facts, FLAGS = sizeof flags / sizeof *flags };
    if (which < FACTS)
        *facts[which] = *facts[which] == LC_YES ? LC_NO : LC_YES;
    else if (which < FACTS + FLAGS)
        *flags[which - FACTS] = !*flags[which - FACTS];
    else
        run->recorded = (lc_action)(which - FACTS - FLAGS);
    return FACTS + FLAGS + LC_ACTION_FORGET + 1;
}

static void add_diagnostic(lc_call *call, lc_arena *arena, lc_provider_severity severity)
{
    lc_provider_diag *all = LC_NEW_ARRAY(arena, lc_provider_diag, call->diagnostics.count + 1);
    all[0] = (lc_provider_diag){.severity = severity, .summary = LC_STR("added"), .loc = call->loc};
    if (call->diagnostics.count)
        memcpy(all + 1, call->diagnostics.items, call->diagnostics.count * sizeof *all);
    call->diagnostics.items = all;
    call->diagnostics.count++;
    call->has_diagnostics = true;
}

static void say_paths_twice(lc_call *call, lc_arena *arena)
{
    lc_path_list all = {0};
    for (size_t i = 0; i < call->requires_replace.count * 2; i++)
        *LC_PUSH(arena, &all, lc_located_path) =
            call->requires_replace.items[i % call->requires_replace.count];
    call->requires_replace = all;
}

/* The same of its calls. */
static size_t turn_call(lc_call *call, lc_arena *arena, size_t which)
{
    bool *const flags[] = {&call->has_request_private,
                           &call->has_type_name,
                           &call->has_import_id,
                           &call->command_line,
                           &call->has_requires_replace,
                           &call->has_diagnostics,
                           &call->has_private,
                           &call->raw.given,
                           &call->result.wire_msgpack,
                           &call->identity.wire_json,
                           &call->generated_config.wire_msgpack,
                           &call->prepared_config.wire_json};
    lc_fact *const facts[] = {&call->legacy, &call->deferred, &call->failed,
                              &call->broke,  &call->applying, &call->streamed};
    enum { FACTS = sizeof facts / sizeof *facts, FLAGS = sizeof flags / sizeof *flags };
    if (which < FLAGS)
        *flags[which] = !*flags[which];
    else if (which < FLAGS + FACTS * 3)
        *facts[(which - FLAGS) / 3] = (lc_fact)((which - FLAGS) % 3);
    else if (which == FLAGS + FACTS * 3)
        add_diagnostic(call, arena, LC_SEVERITY_WARNING);
    else if (which == FLAGS + FACTS * 3 + 1)
        add_diagnostic(call, arena, LC_SEVERITY_ERROR);
    else if (which == FLAGS + FACTS * 3 + 2)
        call->private_data = LC_STR("other");
    else if (which == FLAGS + FACTS * 3 + 3)
        call->raw.schema_version++;
    else if (which == FLAGS + FACTS * 3 + 4)
        call->requires_replace.count = 0;
    else if (which == FLAGS + FACTS * 3 + 5)
        say_paths_twice(call, arena);
    else
        call->imported.count /= 2;
    return FLAGS + FACTS * 3 + 7;
}

static void circumstances(variant *x)
{
    for (size_t which = 0, all = 1; which < all; which++) {
        begin(x);
        for (size_t r = 0; r < x->subject.runs.count; r++)
            all = turn_run(&x->subject.runs.items[r], which);
        end(x, "run", which, 0);
    }
    for (size_t which = 0, all = 1; which < all; which++) {
        begin(x);
        all = 0;
        for (size_t r = 0; r < x->subject.runs.count; r++) {
            lc_run *run = &x->subject.runs.items[r];
            for (size_t i = 0; i < run->calls.count; i++)
                all = turn_call(&run->calls.items[i], x->arena, which);
        }
        if (all)
            end(x, "calls", which, 0);
    }
}

static bool change_value(variant *x, size_t r, size_t i, size_t node, change how, bool *more)
{
    begin(x);
    lc_field *field = field_at(&x->subject.runs.items[r], i);
    *more = field != NULL;
    if (!field || !lc_field_has_value(field))
        return false;
    lc_value slot;
    size_t n = node;
    if (!change_node(&slot, x->arena, field->value, &n, how))
        return n == SIZE_MAX;
    field->value = lc_value_new(x->arena, &slot);
    end(x, "value", i, node * CHANGES + how);
    return true;
}

static void values(variant *x)
{
    for (size_t r = 0; r < x->base->runs.count; r++) {
        bool more = true;
        for (size_t i = 0; more; i++) {
            for (size_t node = 0; node < MOST_NODES && more; node++) {
                bool some = false;
                for (unsigned how = 0; how < CHANGES; how++)
                    some |= change_value(x, r, i, node, (change)how, &more);
                if (!some)
                    break;
            }
        }
    }
}

static void as_it_is(variant *x)
{
    outcome again = {{0}, {0}};
    begin(x);
    end(x, "as it is", 0, 0);
    begin(x);
    judge(x, &again);
    if (!lc_str_eq(lc_buf_str(&x->now.verdicts), lc_buf_str(&again.verdicts)) ||
        !lc_str_eq(lc_buf_str(&x->now.words), lc_buf_str(&again.words)))
        broken(x, "judged twice, and not the same", LC_STR_EMPTY);
    lc_buf_release(&again.verdicts);
    lc_buf_release(&again.words);
}

static void find_recorded(variant *x)
{
    lc_buf key = {0};
    lc_buf_printf(&key, "%.*s#%.*s", LC_FMT(x->base->file), LC_FMT(x->base->name));
    const lc_str *marks =
        x->options->recorded ? lc_table_get(x->options->recorded, lc_buf_str(&key)) : NULL;
    if (marks)
        x->recorded = *marks;
    lc_buf_release(&key);
}

static bool vary(const lc_case *base, const options *o)
{
    variant x = {.base = base, .options = o, .arena = lc_arena_new(), .lawful = true};
    find_recorded(&x);
    as_it_is(&x);
    without_calls(&x);
    without_fields(&x);
    circumstances(&x);
    values(&x);
    printf("%.*s#%.*s: %zu %016llx %016llx %.*s\n", LC_FMT(base->file), LC_FMT(base->name), x.count,
           (unsigned long long)x.verdicts, (unsigned long long)x.words,
           LC_FMT(lc_buf_str(&x.marks)));
    lc_buf_release(&x.now.verdicts);
    lc_buf_release(&x.now.words);
    lc_buf_release(&x.marks);
    lc_arena_free(x.arena);
    return x.lawful;
}

static bool vary_file(const char *path, const options *o)
{
    lc_arena *arena = lc_arena_new(), *stored = lc_arena_new();
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, stored, LC_LIMITS_DEFAULT);
    bool ok = lc_scenario_file_read(&file, arena, &store, lc_str_from_c(path), LC_STR_EMPTY,
                                    &diags) == LC_OK;
    for (size_t i = 0; i < file.scenarios.count && ok; i++) {
        const lc_case *subject = &file.scenarios.items[i]->subject;
        if (!subject->planning) /* which has no calls that could be varied */
            ok = vary(subject, o);
    }
    lc_arena_free(arena);
    lc_arena_free(stored);
    return ok;
}

/* A line: "file#case: COUNT VERDICTS WORDS MARKS". */
static void note_plan_evidence(lc_table *recorded, lc_arena *arena, lc_str line)
{
    size_t marks = line.len;
    while (marks && line.ptr[marks - 1] != ' ')
        marks--;
    size_t colon = marks;
    while (colon && line.ptr[colon - 1] != ':')
        colon--;
    if (!colon)
        return;
    lc_str *text = LC_NEW(arena, lc_str);
    *text = lc_str_copy(arena, lc_str_sub(line, marks, line.len));
    lc_table_put(recorded, lc_str_copy(arena, lc_str_sub(line, 0, colon - 1)), text);
}

static bool read_plan_evidence(lc_table *recorded, lc_arena *arena, const char *path)
{
    static char line[1 << 16];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        note_plan_evidence(recorded, arena, lc_str_from_c(line));
    }
    fclose(file);
    return true;
}

int main(int count, char **words)
{
    lc_arena *arena = lc_arena_new();
    lc_table recorded;
    options o = {false, NULL};
    bool ok = true;
    int i = 1;
    lc_table_init(&recorded, arena);
    for (; i < count && words[i][0] == '-'; i++) {
        if (strcmp(words[i], "-v") == 0) {
            o.verbose = true;
        } else if (strcmp(words[i], "-r") == 0 && i + 1 < count) {
            ok &= read_plan_evidence(&recorded, arena, words[++i]);
            o.recorded = &recorded;
        }
    }
    for (; i < count; i++)
        ok &= vary_file(words[i], &o);
    lc_arena_free(arena);
    return ok ? 0 : 1;
}
