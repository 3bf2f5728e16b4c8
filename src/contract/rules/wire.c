/* Family wire: whether there was a response at all, and whether it is one of the protocol. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/wire/grpc_status.h"

static lc_finding *emit(lc_judge *j, lc_rule rule, const lc_call *call, lc_path path, lc_loc loc,
                        const char *note)
{
    return lc_emit(j, &(lc_breach){.rule = rule,
                                   .call = call,
                                   .path = path,
                                   .loc = loc,
                                   .promised_by = LC_COLUMN_NONE,
                                   .broken_by = LC_COLUMN_NONE,
                                   .note = lc_str_from_c(note),
                                   .apart = true});
}

/* ---- wire/rpc-error. The message of a gRPC status is the provider's own and may contain anything,
 * so that only the code is shown. */

/* Codes are spelt as in the gRPC documents, or as Go prints them. */
static const char *summary_of(lc_str code)
{
    switch (lc_grpc_status_named(code)) {
    case LC_GRPC_UNAVAILABLE:
        return LC_SUMMARY_NO_ANSWER;
    case LC_GRPC_CANCELLED:
        return LC_SUMMARY_CANCELLED;
    case LC_GRPC_UNIMPLEMENTED:
        return LC_SUMMARY_NO_SUCH_METHOD;
    default:
        return LC_SUMMARY_PLUGIN_ERROR;
    }
}

/* What it wrote, and the place that the first line of its stack names. */
static lc_str last_words(lc_arena *arena, lc_str words)
{
    size_t end = lc_str_find(words, 0, '\n');
    if (end == words.len)
        return words;
    lc_str place = lc_str_sub(words, end + 1, lc_str_find(words, end + 1, '\n'));
    return lc_str_printf(arena, "%.*s %.*s", (int)end, words.ptr, LC_FMT(place));
}

static void judge_status(lc_judge *j, const lc_call *call)
{
    bool no_code = call->broke_with.len == 0;
    lc_str words = last_words(j->scratch, call->last_words);
    lc_finding *f =
        lc_emit(j, &(lc_breach){.rule = LC_RULE_WIRE_RPC_ERROR,
                                .call = call,
                                .path = LC_PATH_ROOT,
                                .loc = call->broke_loc,
                                .promised_by = LC_COLUMN_NONE,
                                .broken_by = LC_COLUMN_NONE,
                                .note = lc_str_printf(
                                    j->scratch, "no response, but the gRPC status %.*s%s%.*s",
                                    LC_FMT(no_code ? LC_STR("(no code)") : call->broke_with),
                                    words.len ? ": " : "", LC_FMT(words)),
                                .apart = true});
    lc_finding_quote(j, f, LC_BOTH_CORES, summary_of(call->broke_with), LC_STR_EMPTY);
}

/* ---- wire/value-decode, wire/json-response. */

static void judge_decoding(lc_judge *j, const lc_call *call, const lc_field *field)
{
    const lc_wire_problem *problem = &field->problem;
    if (field->state != LC_FIELD_UNDECODABLE)
        return;
    lc_str note = lc_str_printf(j->scratch, "byte %zu: %.*s", problem->offset,
                                LC_FMT(lc_problem_message(j, field)));
    lc_finding *f = lc_emit(j, &(lc_breach){.rule = LC_RULE_WIRE_VALUE_DECODE,
                                            .call = call,
                                            .path = field->problem_path,
                                            .loc = field->loc,
                                            .promised_by = LC_COLUMN_NONE,
                                            .broken_by = lc_call_column(call->kind),
                                            .note = note,
                                            .apart = field != &call->result});
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        lc_effect effect = problem->core == LC_WIRE_CRASHES   ? LC_EFFECT_CRASH
                           : problem->core == LC_WIRE_ACCEPTS ? LC_EFFECT_NONE
                                                              : LC_EFFECT_ERROR;
        lc_finding_effect(f, (lc_core)core, effect);
    }
}

/* Findings about bytes that decode: what the cores' decoders accept without a message, and the
 * extensions that they refuse while ours continues. */
static void judge_notes(lc_judge *j, const lc_call *call, const lc_field *field)
{
    static const struct {
        unsigned note;
        lc_effect effect;
        const char *text;
    } notes[] = {
        {LC_WIRE_NOTE_TRAILING, LC_EFFECT_NONE, "the value ends here, and more bytes follow"},
        {LC_WIRE_NOTE_DUPLICATES, LC_EFFECT_NONE,
         "a set with an element twice, or a map with a key twice: one of them counts"},
        {LC_WIRE_NOTE_BAD_UTF8, LC_EFFECT_NONE, "a string that is not UTF-8"},
        {LC_WIRE_NOTE_EXT, LC_EFFECT_ERROR,
         "an extension that is not an unknown value, or a refinement that the protocol does not "
         "have"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (!(field->wire_notes & notes[i].note))
            continue;
        lc_str where = notes[i].note == LC_WIRE_NOTE_TRAILING && field->wire_used
                           ? lc_str_printf(j->scratch, "byte %zu: ", field->wire_used)
                           : LC_STR_EMPTY;
        lc_str note = lc_str_printf(j->scratch, "%.*s%s", LC_FMT(where), notes[i].text);
        lc_finding *f = emit(j, LC_RULE_WIRE_VALUE_DECODE, call, LC_PATH_ROOT, field->loc,
                             lc_str_to_c(j->scratch, note));
        for (int core = 0; core < LC_CORE_COUNT; core++)
            lc_finding_effect(f, (lc_core)core, notes[i].effect);
    }
}

static void judge_form(lc_judge *j, const lc_call *call, const lc_field *field, const char *note)
{
    if (field->wire_json)
        emit(j, LC_RULE_WIRE_JSON_RESPONSE, call, LC_PATH_ROOT, field->loc, note);
}

static void judge_all_notes(lc_judge *j, const lc_call *call)
{
    judge_notes(j, call, &call->result);
    judge_notes(j, call, &call->identity);
    judge_notes(j, call, &call->prepared_config);
    judge_notes(j, call, &call->generated_config);
    for (size_t i = 0; i < call->imported.count; i++) {
        judge_notes(j, call, &call->imported.items[i].state);
        judge_notes(j, call, &call->imported.items[i].identity);
    }
}

static void judge_forms(lc_judge *j, const lc_call *call)
{
    judge_form(j, call, &call->result, "the object comes as JSON, not as MessagePack");
    judge_form(j, call, &call->identity, "the identity comes as JSON, not as MessagePack");
    judge_form(j, call, &call->prepared_config,
               "the prepared configuration comes as JSON, not as MessagePack");
    judge_form(j, call, &call->generated_config,
               "the generated configuration comes as JSON, not as MessagePack");
    for (size_t i = 0; i < call->imported.count; i++) {
        judge_form(j, call, &call->imported.items[i].state,
                   "the imported object comes as JSON, not as MessagePack");
        judge_form(j, call, &call->imported.items[i].identity,
                   "the imported identity comes as JSON, not as MessagePack");
    }
}

/* ---- wire/diag-severity, wire/diag-path. */

static void judge_diagnostics(lc_judge *j, const lc_call *call)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        const lc_provider_diag *d = &call->diagnostics.items[i];
        if (d->severity == LC_SEVERITY_INVALID)
            emit(j, LC_RULE_WIRE_DIAG_SEVERITY, call, LC_PATH_ROOT, d->loc,
                 "a diagnostic that is neither an error nor a warning");
        if (d->has_path && call->kind != LC_CALL_UPGRADE_IDENTITY &&
            !j->view->run->schema_unknown && !lc_schema_has_path(j->view->schema, d->path))
            emit(j, LC_RULE_WIRE_DIAG_PATH, call, d->path, d->loc,
                 "a diagnostic points at a place that the schema does not have");
    }
}

/* ---- wire/unknown-type-name. */

static bool is_declared(const lc_schema *schema, lc_str type)
{
    for (size_t i = 0; i < schema->type_count; i++) {
        if (lc_str_eq(schema->types[i], type))
            return true;
    }
    return lc_str_eq(schema->type_name, type);
}

static void judge_type_names(lc_judge *j, const lc_call *call)
{
    const lc_schema *schema = j->view->schema;
    for (size_t i = 0; i < call->imported.count && schema->types; i++) {
        const lc_imported *object = &call->imported.items[i];
        if (object->type_name.len == 0 || is_declared(schema, object->type_name))
            continue;
        lc_finding *f = emit(j, LC_RULE_WIRE_UNKNOWN_TYPE_NAME, call, LC_PATH_ROOT, object->loc,
                             "imported as a type that the provider does not declare");
        if (object->identity.state == LC_FIELD_ABSENT || object->identity.untyped)
            continue; /* Terraform looks the type up for its identity only */
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_ERROR);
        lc_finding_quote(
            j, f, LC_TF, "",
            lc_str_printf(j->scratch, LC_DETAIL_UNKNOWN_RESOURCE_TYPE, LC_FMT(object->type_name)));
    }
}

void lc_judge_wire(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->broke == LC_YES)
            judge_status(j, call);
        judge_decoding(j, call, &call->result);
        judge_decoding(j, call, &call->prepared_config);
        for (size_t k = 0; k < call->imported.count; k++)
            judge_decoding(j, call, &call->imported.items[k].state);
        judge_all_notes(j, call);
        judge_forms(j, call);
        judge_diagnostics(j, call);
        if (call->kind == LC_CALL_IMPORT)
            judge_type_names(j, call);
    }
}
