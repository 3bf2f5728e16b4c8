/* Which rules could be checked in a run: those that apply by schema and calls, and whose inputs are
 * all there.
 *
 * A rule is not applicable if the schema has nothing that it is about, or if no call that it judges
 * belongs to this kind of run. It is not checked if such a call could have been stated but an input
 * is missing. Of several runs and calls the best coverage counts. */
#include "contract/judge.h"

/* ---- Features of a schema. */

/* A dynamic attribute can hold any collection, so it counts as having them all. */
static unsigned type_features(const lc_type *type)
{
    switch (type->kind) {
    case LC_TYPE_DYNAMIC:
        return LC_IF_DYNAMIC | LC_IF_COLLECTION_VALUE | LC_IF_SET_VALUE;
    case LC_TYPE_LIST:
        return LC_IF_COLLECTION_VALUE | type_features(type->as.elem);
    case LC_TYPE_MAP:
        return LC_IF_COLLECTION_VALUE | type_features(type->as.elem) |
               (type->as.elem->has_dynamic ? LC_IF_NESTED_DYNAMIC : 0u);
    case LC_TYPE_SET:
        return LC_IF_SET_VALUE | type_features(type->as.elem);
    case LC_TYPE_TUPLE: {
        unsigned features = LC_IF_COLLECTION_VALUE;
        for (size_t i = 0; i < type->count; i++)
            features |= type_features(type->as.items[i]);
        return features;
    }
    case LC_TYPE_OBJECT: {
        unsigned features = 0;
        for (size_t i = 0; i < type->count; i++)
            features |= type_features(type->as.attrs[i].type);
        return features;
    }
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        break;
    }
    return 0;
}

static unsigned nesting_features(const lc_nested_type *t)
{
    unsigned features = LC_IF_NESTED;
    if (t->nesting == LC_NESTING_LIST || t->nesting == LC_NESTING_MAP)
        features |= LC_IF_NESTED_LIST_MAP | LC_IF_COLLECTION_VALUE;
    if (t->nesting == LC_NESTING_MAP)
        features |= LC_IF_NESTED_MAP;
    if (t->nesting == LC_NESTING_SET)
        features |= LC_IF_NESTED_SET | LC_IF_SET_VALUE;
    if (t->nesting != LC_NESTING_SINGLE && t->object->has_dynamic)
        features |= LC_IF_NESTED_DYNAMIC;
    if (t->nesting != LC_NESTING_SINGLE && t->any_sensitive)
        features |= LC_IF_NESTED_SENSITIVE;
    return features;
}

static unsigned attribute_features(const lc_attribute *attributes, size_t count)
{
    unsigned features = count ? LC_IF_ATTRIBUTE : 0u;
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        features |= a->write_only ? LC_IF_WRITE_ONLY : 0u;
        features |= a->required ? LC_IF_REQUIRED : 0u;
        features |= a->optional && a->computed ? LC_IF_OPTIONAL_COMPUTED : 0u;
        features |= a->has_deprecation_message ? LC_IF_DEPRECATION : 0u;
        features |= a->type ? type_features(a->type) : 0u;
        if (a->nested)
            features |= nesting_features(a->nested) |
                        attribute_features(a->nested->attributes, a->nested->attribute_count);
    }
    return features;
}

static unsigned block_features(const lc_block *s)
{
    unsigned features = attribute_features(s->attributes, s->attribute_count);
    features |= s->has_deprecation_message ? LC_IF_DEPRECATION : 0u;
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        static const unsigned by_nesting[] = {
            [LC_NESTING_INVALID] = 0,
            [LC_NESTING_SINGLE] = LC_IF_SINGLE_BLOCK,
            [LC_NESTING_GROUP] = LC_IF_GROUP_BLOCK,
            [LC_NESTING_LIST] = LC_IF_LIST_BLOCK,
            [LC_NESTING_SET] = LC_IF_SET_BLOCK,
            [LC_NESTING_MAP] = LC_IF_MAP_BLOCK,
        };
        features |= LC_IF_BLOCK | by_nesting[b->nesting] | block_features(b->block);
        features |= b->computed ? LC_IF_COMPUTED_BLOCK : 0u;
        features |= b->min_items > 0 ? LC_IF_MIN_ITEMS : 0u;
        features |= b->max_items > 0 ? LC_IF_MAX_ITEMS : 0u;
    }
    return features;
}

/* ---- Calls that belong to a run of this kind, stated in the case or not. */

static bool only_calls(const lc_run *run, lc_call_kind kind)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind != kind)
            return false;
    }
    return run->calls.count > 0;
}

/* The calls of a managed resource; `calls` are those that any kind has. */
static unsigned possible_for_resource(const lc_judge *j, unsigned calls)
{
    const lc_run_view *v = j->view;
    if (only_calls(v->run, LC_CALL_LIST) || only_calls(v->run, LC_CALL_STORE))
        return LC_CALL_BIT(LC_CALL_SCHEMA);
    bool has_prior = v->prior && !lc_is_null(v->prior);
    if (lc_raw_identity(j))
        calls |= LC_CALL_BIT(LC_CALL_UPGRADE_IDENTITY);
    if (has_prior || v->call[LC_CALL_UPGRADE] || v->call[LC_CALL_READ])
        calls |= LC_CALL_BIT(LC_CALL_UPGRADE) | LC_CALL_BIT(LC_CALL_READ);
    if (v->deleting)
        return calls | LC_CALL_BIT(LC_CALL_DESTROY_PLAN) | LC_CALL_BIT(LC_CALL_DESTROY);
    if (!v->config && !v->call[LC_CALL_PLAN] && !v->call[LC_CALL_APPLY])
        return calls;
    calls |= LC_CALL_BIT(LC_CALL_PLAN);
    if (v->replacing && v->run->tainted != LC_YES)
        calls |= LC_CALL_BIT(LC_CALL_PLAN_CREATE);
    if (v->replacing)
        calls |= LC_CALL_BIT(LC_CALL_DESTROY);
    bool changing = v->core[0].action != LC_ACTION_NOOP || v->core[1].action != LC_ACTION_NOOP;
    if (changing)
        calls |= LC_CALL_BIT(LC_CALL_FINAL_PLAN) | LC_CALL_BIT(LC_CALL_APPLY);
    return calls;
}

/* Deliberately generous: a rule is "not applicable" only if the call cannot have been made. */
static unsigned possible_calls(const lc_judge *j)
{
    const lc_run_view *v = j->view;
    unsigned calls = LC_CALL_BIT(LC_CALL_SCHEMA) | LC_CALL_BIT(LC_CALL_VALIDATE);
    switch (v->schema->kind) {
    case LC_KIND_DATA:
        return calls | LC_CALL_BIT(LC_CALL_DATA);
    case LC_KIND_EPHEMERAL:
        return calls | LC_CALL_BIT(LC_CALL_OPEN);
    case LC_KIND_PROVIDER: /* a function is called without its configuration */
        return v->call[LC_CALL_FUNCTION] || v->call[LC_CALL_STORE] ? LC_CALL_BIT(LC_CALL_SCHEMA)
                                                                   : calls;
    case LC_KIND_LIST: /* what is listed is judged by the schema of the managed type */
        return calls;
    case LC_KIND_ACTION:
        return calls | LC_CALL_BIT(LC_CALL_ACTION);
    case LC_KIND_STORE:
        return calls | LC_CALL_BIT(LC_CALL_STORE);
    case LC_KIND_RESOURCE:
        return possible_for_resource(j, calls);
    }
    return calls;
}

/* ---- Inputs. */

static bool has(const lc_field *field)
{
    return lc_field_has_value(field);
}

static bool result_given(const lc_run_view *v, lc_call_kind kind)
{
    const lc_call *call = v->call[kind];
    return call && call->result.state == LC_FIELD_GIVEN;
}

static bool call_has_identity(const lc_call *call)
{
    bool found = call->identity.state != LC_FIELD_ABSENT;
    for (size_t i = 0; i < call->imported.count; i++)
        found = found || call->imported.items[i].identity.state != LC_FIELD_ABSENT;
    return found;
}

/* Inputs that belong to one call. */
static bool given_in_call(const lc_run_view *v, lc_need need, lc_call_kind kind)
{
    const lc_call *call = v->call[kind];
    if (!call)
        return false;
    if (need == LC_NEED_RESPONSE)
        return call->result.state == LC_FIELD_GIVEN || call->result.state == LC_FIELD_UNDECODABLE;
    if (need == LC_NEED_PLANNED_STATE)
        return has(&call->result);
    if (need == LC_NEED_PROPOSED_NEW_STATE)
        return call->proposed.state == LC_FIELD_GIVEN;
    if (need == LC_NEED_DIAGNOSTICS)
        return call->failed != LC_NOT_KNOWN;
    if (need == LC_NEED_CONFIG || need == LC_NEED_FINAL_CONFIG)
        return has(&call->config);
    if (need == LC_NEED_PRIOR_STATE)
        return has(&call->prior_state);
    if (need == LC_NEED_IDENTITY)
        return call_has_identity(call);
    if (need == LC_NEED_PRIVATE)
        return call->has_request_private;
    if (need == LC_NEED_LEGACY_TYPE_SYSTEM)
        return call->legacy != LC_NOT_KNOWN;
    if (need == LC_NEED_DEFERRED)
        return call->deferred != LC_NOT_KNOWN;
    if (need == LC_NEED_VALIDATE_DIAGNOSTICS)
        return kind == LC_CALL_VALIDATE;
    if (need == LC_NEED_VALIDATE_PREPARED_CONFIG)
        return call->prepared_config.state == LC_FIELD_GIVEN;
    return need == LC_NEED_REQUIRES_REPLACE;
}

/* Inputs about what was stored, upgraded and read. */
static bool given_in_history(const lc_run_view *v, lc_need need, lc_call_kind kind)
{
    if (need == LC_NEED_PREVIOUS_RUN_STATE)
        return v->stored_raw || v->saved_before || v->run->previous_run_state.has_identity;
    if (need == LC_NEED_UPGRADED_STATE)
        return kind == LC_CALL_UPGRADE ? result_given(v, kind)
                                       : v->upgraded || (kind == LC_CALL_READ && v->call[kind] &&
                                                         has(&v->call[kind]->prior_state));
    if (need == LC_NEED_READ_NEW_STATE)
        return result_given(v, kind == LC_CALL_REREAD ? kind : LC_CALL_READ);
    return need == LC_NEED_REREAD_NEW_STATE && result_given(v, LC_CALL_REREAD);
}

static bool document_given(const lc_cloud_control *c, lc_need need)
{
    if (!c)
        return false;
    if (need == LC_NEED_CLOUD_CONTROL_DESIRED_STATE)
        return c->desired_state != NULL;
    if (need == LC_NEED_CLOUD_CONTROL_PATCH)
        return c->patch != NULL;
    if (need == LC_NEED_CLOUD_CONTROL_IDENTIFIERS)
        return c->has_identifiers;
    return c->current_state || c->not_found;
}

/* Inputs that the run has as a whole. An input that is not mentioned here is never given. */
static bool input_given(const lc_run_view *v, lc_need need, lc_call_kind kind)
{
    bool applying = kind == LC_CALL_FINAL_PLAN || kind == LC_CALL_APPLY;
    if (need == LC_NEED_SCHEMA || given_in_call(v, need, kind) || given_in_history(v, need, kind))
        return true;
    if (need == LC_NEED_CONFIG)
        return applying ? v->final_config != NULL : v->config != NULL;
    if (need == LC_NEED_FINAL_CONFIG)
        return v->final_config != NULL;
    if (need == LC_NEED_PRIOR_STATE)
        return kind == LC_CALL_PLAN_CREATE || v->sent_prior;
    if (need == LC_NEED_PLANNED_STATE)
        return (kind == LC_CALL_APPLY || kind == LC_CALL_VALIDATE) && v->initial;
    if (need == LC_NEED_FINAL_PLANNED_STATE)
        return kind == LC_CALL_FINAL_PLAN ? result_given(v, kind) : v->promised != NULL;
    if (need == LC_NEED_NEW_STATE)
        return result_given(v, kind == LC_CALL_DESTROY ? LC_CALL_DESTROY : LC_CALL_APPLY);
    if (need == LC_NEED_CAPABILITIES)
        return (kind == LC_CALL_SCHEMA ? v->run->capabilities.computed_blocks_allowed
                                       : v->run->capabilities.plan_destroy) != LC_NOT_KNOWN;
    if (need >= LC_NEED_CLOUD_CONTROL_DESIRED_STATE && need <= LC_NEED_CLOUD_CONTROL_IDENTIFIERS)
        return document_given(v->run->cloud_control, need);
    if (need == LC_NEED_CALLS || need == LC_NEED_WIRE_BYTES)
        return v->run->order_known;
    return need == LC_NEED_ACTION &&
           (v->core[0].action != LC_ACTION_NONE || v->run->recorded != LC_ACTION_NONE);
}

/* For rules about defaults: some plan of any run may show that the provider has one. */
static bool planned_in_any_run(const lc_judge *j)
{
    for (size_t i = 0; i < j->subject->runs.count; i++) {
        const lc_run *run = &j->subject->runs.items[i];
        for (size_t k = 0; k < run->calls.count; k++) {
            const lc_call *call = &run->calls.items[k];
            bool plan = call->kind == LC_CALL_PLAN || call->kind == LC_CALL_PLAN_CREATE ||
                        call->kind == LC_CALL_FINAL_PLAN;
            if (plan && has(&call->result))
                return true;
        }
    }
    return false;
}

/* The answer for rules that need a more special input than the name of the input implies.
 * LC_NOT_KNOWN: the rule is not one of them. */
static lc_fact given_to_rule(const lc_judge *j, lc_rule rule, lc_need need, lc_call_kind kind)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[kind];
    bool recorded = v->run->recorded != LC_ACTION_NONE, given;
    if (rule == LC_RULE_DEFERRED_NOT_ALLOWED && need == LC_NEED_CAPABILITIES)
        given = call ? lc_deferral_allowed(j, call) != LC_NOT_KNOWN
                     : v->run->capabilities.deferral_allowed != LC_NOT_KNOWN;
    else if (rule == LC_RULE_CONFIG_INITIAL_FINAL_MISMATCH && need == LC_NEED_CONFIG)
        given = v->config != NULL;
    else if (rule == LC_RULE_DEFERRED_DURING_APPLY && need == LC_NEED_DEFERRED)
        given = v->call[LC_CALL_PLAN] || v->call[LC_CALL_PLAN_CREATE];
    else if (need == LC_NEED_IDENTITY_SCHEMA)
        given = !lc_identity_is_untyped(j);
    else if (rule == LC_RULE_IDENTITY_CHANGED && need == LC_NEED_PRIOR_IDENTITY)
        given = call && lc_identity_before(j, call);
    else if ((rule == LC_RULE_VALIDATE_REJECTS_COMPUTED_UNKNOWN ||
              rule == LC_RULE_VALIDATE_REJECTS_DEFAULT_NULL) &&
             need == LC_NEED_PLANNED_STATE)
        given = planned_in_any_run(j);
    else if (rule == LC_RULE_UPGRADE_MEANING_CHANGED && need == LC_NEED_PREVIOUS_RUN_STATE)
        given = v->stored; /* a state of another version need not decode */
    else if (kind == LC_CALL_UPGRADE_IDENTITY && need == LC_NEED_PREVIOUS_RUN_STATE)
        given = lc_raw_identity(j);
    else if (rule == LC_RULE_READ_AFTER_APPLY_UNSTABLE && kind == LC_CALL_READ)
        given = v->after_apply && lc_call_object(call);
    else if (rule == LC_RULE_SEQUENCE_PRIOR_CHAIN && need == LC_NEED_READ_NEW_STATE)
        given = result_given(v, LC_CALL_READ) || result_given(v, LC_CALL_UPGRADE) ||
                result_given(v, LC_CALL_MOVE);
    else if (rule == LC_RULE_SEQUENCE_READ_INPUT && need == LC_NEED_UPGRADED_STATE)
        given = result_given(v, LC_CALL_UPGRADE) || result_given(v, LC_CALL_MOVE) ||
                (call && call->returned_before == LC_NO);
    else if (rule == LC_RULE_SEQUENCE_IDENTITY_CHAIN)
        given =
            call && has(kind == LC_CALL_APPLY ? &call->planned_identity : &call->prior_identity);
    else if (rule == LC_RULE_SEQUENCE_PERPETUAL_DIFF)
        given = lc_plans_applied_object(j);
    else if (rule == LC_RULE_SEQUENCE_STATE_CHAIN && need == LC_NEED_NEW_STATE)
        given = j->before && j->before->saved;
    else if (rule == LC_RULE_SEQUENCE_APPLY_INPUT)
        given =
            call && (call->has_request_private || has(&call->planned) || has(&call->prior_state) ||
                     has(&call->config)); /* each part of the request is judged separately */
    else if (rule >= LC_RULE_BEHAVIOR_TAINTED_NOT_REPLACED &&
             rule <= LC_RULE_BEHAVIOR_WRONG_ACTION && need == LC_NEED_ACTION)
        given = recorded;
    else
        return lc_given_to_rule(j, rule, need, kind);
    return given ? LC_YES : LC_NO;
}

/* The answers of input_given in one run, which hundreds of rules need: 0 for not determined yet,
 * else one more than the answer. */
typedef struct answers {
    unsigned char of[LC_NEED_COUNT][LC_CALL_KIND_COUNT];
} answers;

static bool asked_once(const lc_run_view *v, answers *known, lc_need need, lc_call_kind kind)
{
    unsigned char *answer = &known->of[need][kind];
    if (!*answer)
        *answer = input_given(v, need, kind) ? 2 : 1;
    return *answer == 2;
}

/* The first input of a rule that is missing at this call; LC_NEED_COUNT: none. Missing diagnostics
 * are only returned if nothing else is missing, because another input is more useful to a user. */
static lc_need first_missing(const lc_judge *j, answers *known, lc_rule rule,
                             const lc_rule_info *info, lc_call_kind kind)
{
    const lc_run_view *v = j->view;
    lc_need missing = LC_NEED_COUNT;
    for (uint64_t rest = info->needs; rest; rest &= rest - 1) {
        unsigned need = (unsigned)__builtin_ctzll(rest);
        bool about_initial = need == LC_NEED_PLANNED_STATE && kind == LC_CALL_FINAL_PLAN &&
                             info->needs & (uint64_t)1 << LC_NEED_FINAL_PLANNED_STATE;
        lc_fact special = given_to_rule(j, rule, (lc_need)need, kind);
        if (special == LC_YES ||
            (special == LC_NOT_KNOWN &&
             (about_initial ? v->initial != NULL : asked_once(v, known, (lc_need)need, kind))))
            continue;
        missing = (lc_need)need;
        if (need != LC_NEED_DIAGNOSTICS)
            break;
    }
    return missing;
}

bool lc_source_can_give(lc_source_kind source, lc_need need)
{
    switch (source) {
    case LC_SOURCE_SCENARIO:
        return true;
    case LC_SOURCE_RPC:
        return need != LC_NEED_IDENTITY_SCHEMA && need != LC_NEED_RPC_STATUS &&
               need != LC_NEED_WIRE_BYTES;
    case LC_SOURCE_PLAN:
        return need == LC_NEED_SCHEMA || need == LC_NEED_SCHEMAS || need == LC_NEED_PLAN_FILE ||
               need == LC_NEED_STATE_FILE || need == LC_NEED_NEXT_STATE_FILE ||
               need == LC_NEED_NEW_STATE || need == LC_NEED_OPERATION || need == LC_NEED_LIMIT;
    case LC_SOURCE_LOG:
        return false;
    }
    return true;
}

static void cover(lc_judgement *out, lc_rule rule, lc_coverage coverage, lc_need missing)
{
    if (coverage <= out->coverage[rule])
        return;
    out->coverage[rule] = coverage;
    out->missing[rule] = missing;
}

/* The rule counts with the best of its calls. Without a final plan a violated refinement cannot be
 * attributed, so apply/refinement is not checked then. */
static void cover_rule(lc_judge *j, answers *known, lc_rule rule, const lc_rule_info *info,
                       unsigned calls)
{
    for (unsigned rest = info->calls & calls; rest; rest &= rest - 1) {
        unsigned kind = (unsigned)__builtin_ctz(rest);
        lc_need missing = first_missing(j, known, rule, info, (lc_call_kind)kind);
        if (rule == LC_RULE_APPLY_REFINEMENT && missing == LC_NEED_COUNT &&
            lc_final_plan_is_missing(j->view))
            missing = LC_NEED_FINAL_PLANNED_STATE;
        if (missing == LC_NEED_ACTION && j->subject->source == LC_SOURCE_RPC)
            continue; /* a recording does not show what a client decided */
        cover(j->out, rule, missing == LC_NEED_COUNT ? LC_COVER_CHECKED : LC_COVER_NOT_CHECKED,
              missing);
    }
}

/* Rules about what the client did with the run as a whole, regardless of which calls it made. */
static void cover_client(lc_judge *j)
{
    const lc_run *run = j->view->run;
    bool recorded = run->recorded != LC_ACTION_NONE;
    for (int rule = LC_RULE_BEHAVIOR_TAINTED_NOT_REPLACED;
         recorded && rule <= LC_RULE_BEHAVIOR_FORCED_REPLACE; rule++) {
        if (lc_rule_applies(j, (lc_rule)rule))
            cover(j->out, (lc_rule)rule, LC_COVER_CHECKED, LC_NEED_COUNT);
    }
    if (recorded && (j->view->deleting || run->deposed.len))
        cover(j->out, LC_RULE_BEHAVIOR_WRONG_ACTION, LC_COVER_CHECKED, LC_NEED_COUNT);
    if (run->refresh_only == LC_YES)
        cover(j->out, LC_RULE_SEQUENCE_REFRESH_ONLY,
              run->order_known || j->view->call[LC_CALL_PLAN] ? LC_COVER_CHECKED
                                                              : LC_COVER_NOT_CHECKED,
              LC_NEED_CALLS);
}

/* A limit was reached before the rule was checked everywhere. Findings that were made until then
 * count. */
static void uncover(lc_judgement *out, lc_rule rule)
{
    if (out->coverage[rule] != LC_COVER_CHECKED)
        return;
    out->coverage[rule] = LC_COVER_NOT_CHECKED;
    out->missing[rule] = LC_NEED_LIMIT;
}

/* A set that was not compared to the end leaves the rules about its elements unchecked. */
static void uncover_sets(lc_judgement *out)
{
    static const lc_rule rules[] = {
        LC_RULE_APPLY_SET_PLANNED_UNMATCHED, LC_RULE_APPLY_SET_ACTUAL_UNMATCHED,
        LC_RULE_FINAL_SET_PLANNED_UNMATCHED, LC_RULE_FINAL_SET_ACTUAL_UNMATCHED};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        uncover(out, rules[i]);
    }
}

/* `answers` caches the inputs; features and calls are bits, so most rules are decided by two
 * tests. */
void lc_cover_run(lc_judge *j)
{
    unsigned features = block_features(j->view->block);
    if (j->view->schema->has_identity || lc_identity_is_untyped(j))
        features |= LC_IF_IDENTITY;
    if (j->view->schema->function_count)
        features |= LC_IF_FUNCTIONS;
    if (j->view->schema->cloudformation && j->view->schema->kind == LC_KIND_RESOURCE)
        features |= LC_IF_CLOUDFORMATION;
    if (lc_cfn_lists(j))
        features |= LC_IF_CLOUDFORMATION_LIST;
    unsigned calls = possible_calls(j);
    for (size_t i = 0; i < j->view->run->calls.count; i++)
        calls |= LC_CALL_BIT(j->view->run->calls.items[i].kind);
    answers known = {{{0}}};
    const lc_rule_info *catalogue = lc_rule_get((lc_rule)0);
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        const lc_rule_info *info = &catalogue[rule];
        if ((info->calls & calls) && (!info->features || info->features & features) &&
            lc_rule_applies(j, (lc_rule)rule))
            cover_rule(j, &known, (lc_rule)rule, info, calls);
    }
    cover_client(j);
    if (j->gave_up)
        uncover_sets(j->out);
    for (int rule = LC_RULE_PROBE_PLAN_REJECTS_UNKNOWN;
         j->probing_gave_up && rule <= LC_RULE_PROBE_NEWER_ACCEPTED; rule++)
        uncover(j->out, (lc_rule)rule);
    if (j->sets_undecided)
        uncover(j->out, LC_RULE_PLAN_SET_ELEMENT);
    if (j->pattern_undecided)
        uncover(j->out, LC_RULE_CFN_CONFIG_PATTERN);
}
