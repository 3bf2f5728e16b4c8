/* Scenario files to cases: keys, calls and their order, cases and runs, expectations, errors. */
#include "unit.h"

#include "lifecheck/recording/recording.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    lc_arena *arena;
    lc_arena *store_arena;
    lc_diags diags;
    lc_schema_store store;
    lc_scenario_file file;
    lc_status status;
} fixture;

static void read_text(fixture *f, const char *text, const char *only)
{
    f->arena = lc_arena_new();
    f->store_arena = lc_arena_new();
    lc_diags_init(&f->diags, f->arena);
    lc_schema_store_init(&f->store, f->store_arena, LC_LIMITS_DEFAULT);
    f->status = lc_scenario_text_read(&f->file, f->arena, &f->store, LC_STR("dir/t.yaml"),
                                      lc_str_from_c(text), lc_str_from_c(only), &f->diags);
    ck_assert((f->status == LC_OK) == (f->diags.errors == 0));
}

static void done(fixture *f)
{
    lc_arena_free(f->arena);
    lc_arena_free(f->store_arena);
}

/* ---- A case as one text. */

static void show_field(lc_buf *buf, const char *name, const lc_field *field)
{
    static const char *const states[] = {"", "", "derived ", "undecodable"};
    if (field->state == LC_FIELD_ABSENT)
        return;
    lc_buf_printf(buf, " %s=%s", name, states[field->state]);
    if (!field->value)
        return;
    const lc_value *named = lc_is_known(field->value) && field->value->type->kind == LC_TYPE_OBJECT
                                ? lc_value_attr(field->value, LC_STR("a"))
                                : NULL;
    if (lc_is_null(field->value))
        lc_buf_add_c(buf, "null");
    else if (lc_is_unknown(field->value))
        lc_buf_add_c(buf, "unknown");
    else if (named && lc_is_known(named) && named->type->kind == LC_TYPE_STRING)
        lc_buf_add_str(buf, named->as.string);
    else
        lc_buf_add_c(buf, "{}");
}

static void show_fact(lc_buf *buf, const char *name, lc_fact fact)
{
    if (fact == LC_YES)
        lc_buf_printf(buf, " %s", name);
    else if (fact == LC_NOT_KNOWN)
        lc_buf_printf(buf, " %s?", name);
}

static void show_raw(lc_buf *buf, const lc_raw_state *raw)
{
    if (!raw->given)
        return;
    lc_buf_printf(buf, " raw(v%d", (int)raw->schema_version);
    if (raw->has_attributes)
        show_field(buf, "attributes", &raw->attributes);
    if (raw->has_identity)
        show_field(buf, "identity", &raw->identity);
    show_fact(buf, "tainted", raw->tainted);
    lc_buf_add_c(buf, ")");
}

static void show_bytes(lc_buf *buf, const char *name, bool has, lc_str bytes)
{
    if (has)
        lc_buf_printf(buf, " %s=%.*s", name, LC_FMT(bytes));
}

static void show_call(lc_buf *buf, const lc_call *call)
{
    lc_buf_printf(buf, "%u %s", call->index, lc_call_kind_name(call->kind));
    show_field(buf, "config", &call->config);
    show_field(buf, "prior", &call->prior_state);
    show_field(buf, "proposed", &call->proposed);
    show_field(buf, "planned", &call->planned);
    show_field(buf, "prior_identity", &call->prior_identity);
    show_raw(buf, &call->raw);
    show_bytes(buf, "id", call->has_import_id, call->import_id);
    show_bytes(buf, "type", call->has_type_name, call->type_name);
    show_bytes(buf, "sent_private", call->has_request_private, call->request_private);
    show_field(buf, "result", &call->result);
    show_field(buf, "identity", &call->identity);
    show_bytes(buf, "private", call->has_private, call->private_data);
    show_fact(buf, "legacy", call->legacy);
    show_fact(buf, "failed", call->failed);
    show_fact(buf, "deferred", call->deferred);
    if (call->deferred == LC_YES)
        lc_buf_printf(buf, ":%.*s", LC_FMT(call->deferred_reason));
    for (size_t i = 0; i < call->requires_replace.count; i++) {
        lc_buf_add_c(buf, " replace:");
        lc_path_add_text(buf, call->requires_replace.items[i].path);
    }
    for (size_t i = 0; i < call->imported.count; i++) {
        const lc_imported *object = &call->imported.items[i];
        lc_buf_printf(buf, " imported(%.*s", LC_FMT(object->type_name));
        show_field(buf, "state", &object->state);
        lc_buf_add_c(buf, ")");
    }
    show_field(buf, "generated", &call->generated_config);
    show_field(buf, "prepared", &call->prepared_config);
    lc_buf_printf(buf, "%s; ", call->command_line ? " command_line" : "");
}

static void show_run(lc_buf *buf, const lc_run *run)
{
    lc_buf_add_c(buf, "[");
    show_field(buf, "config", &run->config);
    show_field(buf, "final_config", &run->final_config);
    show_field(buf, "prior", &run->prior_state);
    show_field(buf, "prior_identity", &run->prior_identity);
    show_bytes(buf, "prior_private", run->has_prior_private, run->prior_private);
    show_raw(buf, &run->previous_run_state);
    show_fact(buf, "tainted", run->tainted);
    show_fact(buf, "cbd", run->create_before_destroy);
    show_fact(buf, "force_replace", run->force_replace);
    show_bytes(buf, "deposed", run->deposed.len > 0, run->deposed);
    lc_buf_add_c(buf, run->ignore_all ? " ignore_all" : "");
    for (size_t i = 0; i < run->ignore_changes.count; i++) {
        lc_buf_add_c(buf, " ignore:");
        lc_path_add_text(buf, run->ignore_changes.items[i].path);
    }
    lc_buf_printf(buf, "%s ] ", run->order_known ? " ordered" : "");
    for (size_t i = 0; i < run->calls.count; i++)
        show_call(buf, &run->calls.items[i]);
}

static char *show_file(fixture *f)
{
    lc_buf buf = {0};
    for (size_t i = 0; i < f->file.scenarios.count; i++) {
        const lc_case *c = &f->file.scenarios.items[i]->subject;
        lc_buf_printf(&buf, "%s%.*s: ", i ? "| " : "", LC_FMT(c->name));
        for (size_t r = 0; r < c->runs.count; r++)
            show_run(&buf, &c->runs.items[r]);
    }
    for (size_t i = 0; i < f->diags.count; i++) {
        const lc_diag *d = &f->diags.items[i];
        lc_buf_printf(&buf, "! %u:%u: %.*s ", d->loc.line, d->loc.column, LC_FMT(d->message));
    }
    char *text = lc_str_to_c(f->arena, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return text;
}

/* The schema of all cases here: {a: string, n: number}; `resource` gives the type `thing`. */
#define HEAD                                                                                       \
    "lifecheck: 1\n"                                                                               \
    "name: c\n"                                                                                    \
    "resource: thing.x\n"                                                                          \
    "schema: {version: 2, block: {attributes: {a: {type: string, optional: true}, "                \
    "n: {type: number, optional: true}}}}\n"

static const struct row {
    const char *name, *text, *want;
} rows[] = {
    {"only a schema", "", "c: [ ] "},
    {"create", "config: {a: x}\nprior_state: null\nplanned_state: {a: y}\nnew_state: {a: z}\n",
     "c: [ config=x prior=null ] 1 plan result=y; 2 apply result=z; "},
    {"update", "config: {a: x}\nprior_state: {a: w}\nplanned_state: {a: y}\n",
     "c: [ config=x prior=w ] 1 read result=w; 2 plan result=y; "},
    {"delete", "config: null\nprior_state: {a: w}\nplanned_state: null\nnew_state: null\n",
     "c: [ config=null prior=w ] 1 read result=w; 2 destroy_plan result=null; "
     "3 destroy result=null; "},
    {"a prior state that vanished", "upgraded_state: {a: v}\nprior_state: null\n",
     "c: [ prior=null ] 1 upgrade result=v; 2 read result=null; "},
    {"upgrade",
     "previous_run_state: {schema_version: 1, attributes: {a: u}, tainted: true}\n"
     "upgraded_state: {a: v}\nprior_state: {a: w}\n",
     "c: [ prior=w raw(v1 attributes=u tainted) tainted ] "
     "1 upgrade raw(v1 attributes=u tainted) result=v; 2 read result=w; "},
    {"nothing was stored", "previous_run_state: null\nprior_state: null\n",
     "c: [ prior=null raw(v0 attributes=null) ] "},
    {"upgrade with a request of its own",
     "upgrade: {version: 1, raw_state: {a: u}, upgraded_state: {a: v}}\n",
     "c: [ ] 1 upgrade raw(v1 attributes=u) result=v; "},
    {"import", "import_id: i\nimport_stub_state: {a: s}\nprior_state: {a: w}\n",
     "c: [ prior=w ] 1 import id=i imported(thing state=s); 2 read result=w; "},
    {"import group",
     "import: {id: i, command_line: true, imported: [{type_name: other, state: "
     "{b: 1}}, {state: null}]}\n",
     "c: [ ] 1 import id=i imported(other state={}) imported( state=null) command_line; "},
    {"final plan", "config: {a: x}\nfinal_config: {a: f}\nfinal_planned_state: {a: g}\n",
     "c: [ config=x final_config=f ] 1 final_plan result=g; "},
    {"final plan as a group", "final_plan: {config: {a: f}, planned_state: {a: g}}\n",
     "c: [ final_config=f ] 1 final_plan result=g; "},
    {"plan group",
     "plan: {config: {a: x}, prior_state: {a: w}, proposed_new_state: {a: p}, "
     "planned_state: {a: y}, requires_replace: ['.a'], legacy_type_system: true, "
     "private: !text p}\n",
     "c: [ ] 1 plan config=x prior=w proposed=p result=y private=p legacy replace:.a; "},
    {"short key and group", "planned_state: {a: y}\nplan: {deferred: {reason: ABSENT_PREREQ}}\n",
     "c: [ ] 1 plan result=y deferred:ABSENT_PREREQ; "},
    {"proposed new state", "proposed_new_state: {a: p}\n", "c: [ ] 1 plan proposed=p; "},
    {"read group is the prior state", "read: {new_state: {a: w}, private: 'cA=='}\n",
     "c: [ prior=w ] 1 read result=w private=p; "},
    {"errors", "plan: {diagnostics: [{severity: warning}, {severity: error, summary: s}]}\n",
     "c: [ ] 1 plan failed; "},
    {"warnings", "plan: {diagnostics: [{severity: warning}]}\n", "c: [ ] 1 plan; "},
    {"apply requests",
     "apply: {planned_state: {a: y}, new_state: {a: z}, planned_private: 'cA=='}\n",
     "c: [ ] 1 apply planned=y sent_private=p result=z; "},
    {"order",
     "reread: {new_state: {a: r}}\napply: {}\ndestroy: {}\nfinal_plan: {}\ndata: {}\n"
     "open: {}\ndestroy_plan: {}\nplan_create: {}\nplan: {}\nvalidate: [{}, {}]\n"
     "read: {}\nupgrade_identity: {}\nupgrade: {}\nimport: {}\nmove: {}\n",
     "c: [ ] 1 move; 2 import; 3 upgrade; 4 upgrade_identity; 5 read; 6 validate; 7 validate; "
     "8 plan; 9 plan_create; 10 destroy_plan; 11 open; 12 data; 13 final_plan; 14 destroy; "
     "15 apply; 16 reread result=r; "},
    {"create before destroy", "create_before_destroy: true\napply: {}\ndestroy: {}\n",
     "c: [ cbd ] 1 apply; 2 destroy; "},
    {"circumstances",
     "tainted: true\nforce_replace: true\ndeposed: 1a2b\nignore_changes: ['.a', '.n']\n"
     "prior_private: 'cA=='\nprior_identity: {a: i}\n",
     "c: [ prior_identity=i prior_private=p tainted force_replace deposed=1a2b ignore:.a "
     "ignore:.n ] "},
    {"ignore all", "ignore_changes: all\n", "c: [ ignore_all ] "},
    {"move",
     "move: {source_type_name: old, source_schema_version: 3, source_state: {a: s}, "
     "target_state: {a: t}}\n",
     "c: [ ] 1 move raw(v3 attributes=s) type=old result=t; "},
    {"undecodable", "planned_state: !typed {type: string, value: x}\n",
     "c: [ ] 1 plan result=undecodable; "},
    {"long form",
     "config: {a: x}\n"
     "calls:\n"
     "  - {rpc: PlanResourceChange, phase: plan, request: {config: {a: s}, prior_state: null,\n"
     "     proposed_new_state: {a: p}, prior_private: 'cA=='}, response: {planned_state: {a: y},\n"
     "     legacy_type_system: false, requires_replace: ['.a']}}\n"
     "  - {rpc: PlanResourceChange, leg: create, response: {planned_state: {a: c}}}\n"
     "  - {rpc: PlanResourceChange, leg: destroy, response: {planned_state: null}}\n"
     "  - {rpc: PlanResourceChange, phase: apply, request: {config: {a: f}}}\n"
     "  - {rpc: ApplyResourceChange, request: {planned_state: {a: y}}, response: {new_state: {a: "
     "z}}}\n"
     "  - {rpc: ApplyResourceChange, phase: apply, leg: destroy, response: {new_state: null}}\n"
     "  - {rpc: ReadResource, phase: apply, response: {new_state: {a: r}}}\n",
     "c: [ config=x ordered ] 1 plan config=s prior=null proposed=p sent_private=p result=y "
     "replace:.a; 2 plan_create result=c; 3 destroy_plan result=null; 4 final_plan config=f; "
     "5 apply planned=y result=z; 6 destroy result=null; 7 reread result=r; "},
    {"long form twice the same",
     "calls:\n"
     "  - {rpc: UpgradeResourceState, request: {version: 1, raw_state: {json: {a: u}}},\n"
     "     response: {upgraded_state: {a: v}}}\n"
     "  - {rpc: ReadResource, phase: refresh, request: {current_state: {a: v}},\n"
     "     response: {new_state: {a: w}, diagnostics: [{severity: WARNING}]}}\n"
     "  - {rpc: ReadResource, response: {new_state: {a: x}}}\n",
     "c: [ prior=x ordered ] 1 upgrade raw(v1 attributes=u) result=v; 2 read prior=v result=w; "
     "3 read result=x; "},
    {"long form import",
     "calls:\n"
     "  - {rpc: ImportResourceState, request: {type_name: thing, id: i},\n"
     "     response: {imported_resources: [{type_name: thing, state: {a: s}}]}}\n"
     "  - {rpc: GenerateResourceConfig, response: {config: {a: g}}}\n",
     "c: [ ordered ] 1 import id=i type=thing imported(thing state=s) generated=g; "},
    {"runs",
     "force_replace: true\n"
     "runs:\n"
     "  - {config: {a: x}, planned_state: {a: y}}\n"
     "  - {config: null, force_replace: false}\n",
     "c: [ config=x force_replace ] 1 plan result=y; [ config=null ] "},
    {"several errors at once", "config: {a: x, c: 1}\nplaned_state: null\nprior_state: {n: z}\n",
     "! 5:16: config has no attribute or block \"c\"; did you mean \"a\"? "
     "! 6:1: a scenario has no key \"planed_state\"; did you mean \"planned_state\"? "
     "! 7:18: '.n' is a string where the schema requires number; a number is written 12 or "
     "0.5 "},
    {"said twice", "planned_state: null\nplan: {planned_state: null}\n",
     "! 6:8: \"plan.planned_state\" repeats \"planned_state\" of line 5, column 1: write one of "
     "them "},
};

START_TEST(test_calls)
{
    fixture f;
    lc_buf text = {0};
    lc_buf_add_c(&text, HEAD);
    lc_buf_add_c(&text, rows[_i].text);
    lc_buf_add_char(&text, '\0');
    read_text(&f, text.ptr, "");
    char *is = show_file(&f);
    ck_assert_msg(strcmp(is, rows[_i].want) == 0, "%s:\n  is   %s\n  want %s", rows[_i].name, is,
                  rows[_i].want);
    lc_buf_release(&text);
    done(&f);
}
END_TEST

/* ---- Files. */

#define INLINE "schema: {block: {attributes: {a: {type: string, optional: true}}}}\n"

static const struct {
    const char *name, *only, *text, *want;
} files[] = {
    {"named by its file", "", "lifecheck: 1\n" INLINE, "t.yaml: [ ] "},
    {"cases", "",
     "lifecheck: 1\n" INLINE "config: {a: h}\ncases:\n  - {name: one}\n"
     "  - {name: two, config: {a: x}}\n  - {config: null}\n",
     "one: [ config=h ] | two: [ config=x ] | case 3: [ config=null ] "},
    {"documents", "",
     "lifecheck: 1\nname: one\n" INLINE "---\nlifecheck: 1\n" INLINE "config: null\n",
     "one: [ ] | case 2: [ config=null ] "},
    {"JSON list", "",
     "[{\"lifecheck\": 1, \"schema\": {\"block\": {}}}, "
     "{\"lifecheck\": 1, \"name\": \"n\", \"schema\": {\"block\": {}}}]",
     "case 1: [ ] | n: [ ] "},
    {"one is chosen", "two",
     "lifecheck: 1\n" INLINE "cases:\n  - {name: one, colour: blue}\n  - {name: two}\n",
     "two: [ ] "},
    {"none is chosen", "twi", "lifecheck: 1\n" INLINE "cases:\n  - {name: one}\n  - {name: two}\n",
     "! 0:0: no case has the name \"twi\"; did you mean \"two\"? "},
    {"the others are kept", "",
     "lifecheck: 1\n" INLINE "cases:\n  - {name: one, colour: blue}\n  - {name: two}\n",
     "two: [ ] ! 4:17: a case has no key \"colour\" "},
    {"an inherited error is said once", "",
     "lifecheck: 1\n" INLINE "config: {b: 1}\ncases:\n  - {name: one}\n  - {name: two}\n"
     "  - {name: three, config: null}\n",
     "three: [ config=null ] ! 3:10: config has no attribute or block \"b\"; did you mean \"a\"? "},
    {"an error of the head drops all", "",
     "lifecheck: 1\ncolour: blue\n" INLINE "cases: [{name: one}]\n",
     "! 2:1: a scenario has no key \"colour\" "},
    {"names are unique", "", "lifecheck: 1\n" INLINE "cases:\n  - {name: one}\n  - {name: one}\n",
     "one: [ ] ! 5:12: the name \"one\" is that of the case at line 4 "},
    {"runs of a case inherit from all", "",
     "lifecheck: 1\n" INLINE "config: {a: h}\ncases:\n  - name: one\n    tainted: true\n"
     "    runs: [{}, {tainted: false}]\n",
     "one: [ config=h tainted ] [ config=h ] "},
    {"free keys", "", "lifecheck: 1\nx-any: &a {a: q}\nconfig: *a\n" INLINE,
     "t.yaml: [ config=q ] "},
    {"another version", "", "lifecheck: 2\n" INLINE,
     "! 1:12: \"lifecheck\" is the version of the format, and this program reads version 1: write "
     "`lifecheck: 1` "},
    {"planning", "", "lifecheck: 1\nplanning: {}\n",
     "! 2:11: there is neither a plan, a state nor a configuration to check "},
    {"no schema", "", "lifecheck: 1\nconfig: null\n",
     "! 1:1: a case needs the key \"schema\": `schema: {file: schemas.json, type: TYPE}` names the "
     "output of `terraform providers schema -json`; lifecheck init writes a whole scenario from "
     "it "},
};

START_TEST(test_files)
{
    fixture f;
    read_text(&f, files[_i].text, files[_i].only);
    char *is = show_file(&f);
    ck_assert_msg(strcmp(is, files[_i].want) == 0, "%s:\n  is   %s\n  want %s", files[_i].name, is,
                  files[_i].want);
    ck_assert(f.file.is_scenario);
    done(&f);
}
END_TEST

START_TEST(test_defaults)
{
    fixture f;
    read_text(&f, HEAD "plan: {}\ncapabilities: {deferral_allowed: true}\n", "");
    ck_assert_uint_eq(f.file.scenarios.count, 1);
    const lc_case *c = &f.file.scenarios.items[0]->subject;
    const lc_run *run = &c->runs.items[0];
    const lc_call *plan = &run->calls.items[0];
    ck_assert(lc_str_is(c->resource, "thing.x") && lc_str_is(c->type, "thing"));
    ck_assert_int_eq(c->source, LC_SOURCE_SCENARIO);
    ck_assert_int_eq(run->tainted, LC_NO);
    ck_assert(!run->has_tainted && !run->has_ignore_changes && !run->order_known);
    ck_assert_int_eq(run->capabilities.plan_destroy, LC_NOT_KNOWN);
    ck_assert_int_eq(run->capabilities.move_resource_state, LC_NO);
    ck_assert_int_eq(run->capabilities.deferral_allowed, LC_YES);
    ck_assert_int_eq(plan->legacy, LC_NO);
    ck_assert_int_eq(plan->deferred, LC_NO);
    ck_assert_int_eq(plan->failed, LC_NO);
    ck_assert(plan->has_diagnostics && plan->has_requires_replace);
    ck_assert(!f.file.scenarios.items[0]->expects[0].given);
    done(&f);
}
END_TEST

START_TEST(test_expect)
{
    fixture f;
    read_text(&f,
              HEAD "expect:\n"
                   "  action: {terraform: update, opentofu@1.6: create, opentofu: no-op}\n"
                   "  proposed_new_state: {terraform: {a: t}, opentofu: null}\n"
                   "  findings:\n"
                   "    - {rule: apply/changed, path: '.a', call: apply, diagnosis: json-equal,\n"
                   "       terraform: error, opentofu@1.5: none}\n"
                   "    - rule: plan/absent\n"
                   "  not_checked: ['final/*', plan/absent]\n"
                   "ignore: [{rule: 'read/*', path: '.a[*]', reason: why, until: 2030-02-01}]\n"
                   "known_failing: {reason: later}\n",
              "");
    ck_assert_msg(f.file.scenarios.count == 1, "%s", show_file(&f));
    const lc_scenario *s = f.file.scenarios.items[0];
    const lc_expectation *e = &s->expects[0];
    ck_assert(e->given && e->loc.line == 6);
    ck_assert_int_eq(e->action[LC_TERRAFORM], LC_ACTION_UPDATE);
    ck_assert_int_eq(e->action[LC_OPENTOFU], LC_ACTION_NOOP);
    ck_assert(lc_is_known(e->proposed[LC_TERRAFORM]) && lc_is_null(e->proposed[LC_OPENTOFU]));
    ck_assert_uint_eq(e->findings.count, 2);
    const lc_expected_finding *x = &e->findings.items[0];
    ck_assert_int_eq(x->rule, LC_RULE_APPLY_CHANGED);
    ck_assert(x->has_path && x->path.count == 1 && x->has_call && x->call == LC_CALL_APPLY);
    ck_assert(lc_str_is(x->diagnosis, "json-equal"));
    ck_assert(x->has_effect[LC_TERRAFORM] && x->current_core[LC_TERRAFORM]);
    ck_assert_int_eq(x->effect[LC_TERRAFORM], LC_EFFECT_ERROR);
    ck_assert(x->has_effect[LC_OPENTOFU] && !x->current_core[LC_OPENTOFU]);
    ck_assert(!e->findings.items[1].has_path && !e->findings.items[1].has_call);
    ck_assert_uint_eq(e->not_checked_count, 2);
    ck_assert(lc_str_is(e->not_checked[0].glob, "final/*"));
    ck_assert_uint_eq(s->ignores.count, 1);
    ck_assert_uint_eq(s->ignores.items[0].until, 20300201);
    ck_assert(s->ignores.items[0].has_path && s->ignores.items[0].path.count == 2);
    ck_assert(s->known_failing && lc_str_is(s->known_failing_reason, "later"));
    done(&f);
}
END_TEST

START_TEST(test_sensitive)
{
    fixture f;
    read_text(&f,
              "lifecheck: 1\n"
              "schema: {block: {attributes: {m: {type: 'map(string)', optional: true}, "
              "s: {type: 'set(string)', optional: true}}}}\n"
              "cases:\n"
              "  - {name: a, config: {m: {k: !sensitive x}}}\n"
              "  - {name: b, config: {s: [{$sensitive: x}]}}\n"
              "  - {name: c, previous_run_state: {attributes: {m: {k: !sensitive x}}}}\n",
              "");
    static const char *const want[] = {".m[\"k\"] ", ".s ", ".m.k .m[\"k\"] "};
    ck_assert_msg(f.file.scenarios.count == 3, "%s", show_file(&f));
    for (size_t i = 0; i < 3; i++) {
        const lc_case *c = &f.file.scenarios.items[i]->subject;
        lc_buf buf = {0};
        for (size_t p = 0; p < c->sensitive.count; p++) {
            lc_path_add_text(&buf, c->sensitive.items[p]);
            lc_buf_add_char(&buf, ' ');
        }
        ck_assert_str_eq(lc_str_to_c(f.arena, lc_buf_str(&buf)), want[i]);
        lc_buf_release(&buf);
    }
    done(&f);
}
END_TEST

/* ---- Detection. */

static const struct {
    const char *name, *text;
    bool want;
} detections[] = {
    {"YAML", "lifecheck: 1\n", true},
    {"YAML with comments", "# a\n\n---\n# b\nname: x\nlifecheck: 1\n", true},
    {"quoted key", "\"lifecheck\": 1\n", true},
    {"YAML list", "- name: x\n  lifecheck: 1\n", true},
    {"second item of a list", "- name: x\n- lifecheck: 1\n", false},
    {"nested key", "a:\n  lifecheck: 1\n", false},
    {"longer key", "lifechecks: 1\n", false},
    {"value", "a: lifecheck\n", false},
    {"second document", "a: 1\n---\nlifecheck: 1\n", false},
    {"JSON", "{\"lifecheck\": 1}", true},
    {"JSON with nesting", " {\"a\": {\"b\": [1, \"}\"]}, \"lifecheck\": 1}", true},
    {"JSON nested key", "{\"a\": {\"lifecheck\": 1}}", false},
    {"JSON array", "[ {\"a\": 1, \"lifecheck\": 1}]", true},
    {"JSON array, second element", "[{\"a\": 1}, {\"lifecheck\": 1}]", false},
    {"flow YAML", "{name: 'it}', lifecheck: 1}", true},
    {"byte order mark", "\xEF\xBB\xBFlifecheck: 1", true},
    {"empty", "", false},
    {"only a bracket", "[", false},
    {"unfinished", "{\"a\": \"b", false},
};

START_TEST(test_detect)
{
    bool is = lc_looks_like_scenario(lc_str_from_c(detections[_i].text));
    ck_assert_msg(is == detections[_i].want, "%s: is %d", detections[_i].name, is);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("scenario");
    TCase *tc = tcase_create("scenario");
    ADD_ROWS(tc, test_calls, rows);
    ADD_ROWS(tc, test_files, files);
    tcase_add_test(tc, test_defaults);
    tcase_add_test(tc, test_expect);
    tcase_add_test(tc, test_sensitive);
    ADD_ROWS(tc, test_detect, detections);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
