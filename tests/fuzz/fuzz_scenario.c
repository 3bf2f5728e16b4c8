/* Scenario files: any text is read or refused, never both. Laws: a status other than OK and an
 * error diagnostic go together; every case that is read has a schema in each run, calls numbered
 * from 1, fields with a value or a problem, and places inside the file. Cases of a whole plan or
 * configuration are checked; their findings are of their domain. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/recording/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_field(const lc_field *field, const lc_type *type)
{
    if (field->state == LC_FIELD_ABSENT)
        return;
    LC_ASSERT(field->loc.line > 0 && field->loc.column > 0);
    if (field->state == LC_FIELD_UNDECODABLE) {
        LC_ASSERT(!field->value && field->problem.message.len > 0);
        return;
    }
    LC_ASSERT(field->state == LC_FIELD_GIVEN && field->value);
    LC_ASSERT(!type || lc_type_conforms(field->value->type, type));
    lc_loc loc = field->locator.locate(field->locator.context, LC_PATH_ROOT);
    LC_ASSERT(loc.line == field->loc.line && loc.column == field->loc.column);
}

static void check_run(const lc_run *run)
{
    LC_ASSERT(run->schema);
    const lc_type *type = run->schema->block->implied;
    check_field(&run->config, type);
    check_field(&run->final_config, type);
    check_field(&run->prior_state, type);
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        LC_ASSERT(call->index == i + 1 && call->loc.line > 0);
        LC_ASSERT(call->failed != LC_NOT_KNOWN && call->legacy != LC_NOT_KNOWN);
        check_field(&call->config, type);
        check_field(&call->prior_state, type);
        check_field(&call->proposed, type);
        check_field(&call->planned, type);
        check_field(&call->result, type);
        check_field(&call->identity, NULL);
    }
}

static void check_planning(lc_scenario *scenario)
{
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    lc_policy policy = {.as = LC_PROFILE_DOCUMENT, .fail_on = LC_ERROR};
    lc_judged judged;
    lc_verdict_judge(&judged, report, scratch, scenario, &policy);
    for (size_t i = 0; i < judged.judgement.findings.count; i++) {
        const lc_finding *f = &judged.judgement.findings.items[i];
        LC_ASSERT(f->message.len > 0);
        LC_ASSERT(judged.judgement.coverage[f->rule] == LC_COVER_CHECKED);
        LC_ASSERT(f->follows < (long)judged.judgement.findings.count);
    }
    lc_arena_free(report);
    lc_arena_free(scratch);
}

/* Of a string without errors each document gives a case. */
static void check_documents(const lc_scenario_file *file)
{
    uint32_t last = 0;
    for (size_t i = 0; i < file->scenarios.count; i++) {
        uint32_t document = file->scenarios.items[i]->subject.document;
        LC_ASSERT(document == last || document == last + 1);
        last = document;
    }
}

static void check_file(const lc_scenario_file *file)
{
    for (size_t i = 0; i < file->scenarios.count; i++) {
        const lc_case *c = &file->scenarios.items[i]->subject;
        LC_ASSERT(c->name.len > 0 && c->document > 0 && c->runs.count > 0);
        if (c->planning)
            check_planning(file->scenarios.items[i]);
        for (size_t r = 0; !c->planning && r < c->runs.count; r++)
            check_run(&c->runs.items[r]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new(), *stored = lc_arena_new();
    lc_str text = {(const char *)data, size};
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    limits.nodes = 100000;
    limits.digits = 1000;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, stored, limits);
    lc_looks_like_scenario(text);
    lc_status status = lc_scenario_text_read(&file, arena, &store, LC_STR("fuzz.yaml"), text,
                                             LC_STR_EMPTY, &diags);
    LC_ASSERT((status == LC_OK) == (diags.errors == 0));
    LC_ASSERT(status != LC_OK || file.scenarios.count > 0);
    if (status == LC_OK)
        check_documents(&file);
    check_file(&file);
    lc_arena_free(arena);
    lc_arena_free(stored);
    return 0;
}
