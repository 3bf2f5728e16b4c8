/* A scenario to begin with: the objects of scenario/scaffold/object.c in their places, and remarks
 * on the meaning of the places and on alternatives. */
#include "lifecheck/base/bug.h"
#include "scenario/scaffold/internal.h"

LC_ENUM_NAMES(lc_scaffold_action, LC_SCAFFOLD_ACTIONS);

typedef struct writer {
    lc_yaml_writer o;
    const lc_scaffold *from;
    lc_members members;
} writer;

/* The remarks on each action of a resource. */
static const struct action_words {
    const char *verb, *sentence, *expected;
} action_words[] = {
    [LC_SCAFFOLD_CREATE] = {"creates ", "a new object is created", "create"},
    [LC_SCAFFOLD_UPDATE] = {"updates ", "an object is updated in place", "update"},
    [LC_SCAFFOLD_DELETE] = {"deletes ", "an object is deleted", "delete"},
    [LC_SCAFFOLD_REPLACE] = {"replaces ", "an object is replaced by a new one",
                             "delete-then-create"},
    [LC_SCAFFOLD_NOOP] = {"keeps ", "nothing has to be done", "no-op"},
    [LC_SCAFFOLD_IMPORT] = {"imports ", "an object that exists is imported", "no-op"},
};

static bool is_resource(const writer *w)
{
    lc_schema_kind kind = w->from->schema->kind;
    return kind != LC_KIND_DATA && kind != LC_KIND_EPHEMERAL;
}

static void line(writer *w, const char *key, lc_str text)
{
    lc_yaml_write_key(&w->o, lc_str_from_c(key));
    lc_buf_add_char(w->o.out, ' ');
    lc_yaml_write_add_text(w->o.out, text);
    lc_yaml_write_end(&w->o, LC_STR_EMPTY);
}

static void word(writer *w, const char *key, const char *plain)
{
    lc_yaml_write_key(&w->o, lc_str_from_c(key));
    lc_buf_printf(w->o.out, "%s%s", *plain ? " " : "", plain);
    lc_yaml_write_end(&w->o, LC_STR_EMPTY);
}

static void add_to_text(writer *w, const char *key, const char *format, lc_str name)
{
    lc_buf text = {0};
    lc_buf_add_c(&text, format);
    lc_buf_add_str(&text, name);
    line(w, key, lc_buf_str(&text));
    lc_buf_release(&text);
}

static bool has_settable(const writer *w, bool computed)
{
    bool any = !computed && w->from->schema->block->block_count > 0;
    for (size_t i = 0; i < w->members.attribute_count; i++) {
        const lc_attribute *a = &w->members.attributes[i];
        any |= a->optional && a->computed == computed;
    }
    return any;
}

/* ---- The head. */

static const char *states_of(const writer *w)
{
    lc_schema_kind kind = w->from->schema->kind;
    if (kind == LC_KIND_DATA || kind == LC_KIND_EPHEMERAL)
        return kind == LC_KIND_DATA ? "the state" : "the result";
    return w->from->action == LC_SCAFFOLD_CREATE ? "planned_state and new_state" : "all states";
}

static void introduce(writer *w)
{
    lc_schema_kind kind = w->from->schema->kind;
    lc_yaml_write_note(
        &w->o,
        "A scenario of %.*s, made from the schema: %s. All values are generated, and it passes "
        "as it is. Write what your users configure and the responses of your provider.",
        LC_FMT(w->from->schema->type_name),
        kind == LC_KIND_DATA        ? "a data source is read"
        : kind == LC_KIND_EPHEMERAL ? "an ephemeral resource is opened"
                                    : action_words[w->from->action].sentence);
    if (has_settable(w, false) && w->from->action != LC_SCAFFOLD_DELETE)
        lc_yaml_write_note(
            &w->o,
            "A # without a space marks what may be set: remove the # in config and in %s alike.",
            states_of(w));
    if (has_settable(w, true) && w->from->action != LC_SCAFFOLD_DELETE)
        lc_yaml_write_note(&w->o,
                           "What is optional and computed is left to the provider here. If you "
                           "configure it, write the same value in %s.",
                           states_of(w));
    lc_yaml_write_note(&w->o, "Check it: lifecheck %.*s", LC_FMT(w->from->file));
    lc_yaml_write_note(&w->o, "The format: man 5 lifecheck-scenario");
}

static void head(writer *w)
{
    const lc_schema *schema = w->from->schema;
    const char *doing = schema->kind == LC_KIND_DATA        ? "reads "
                        : schema->kind == LC_KIND_EPHEMERAL ? "opens "
                                                            : action_words[w->from->action].verb;
    introduce(w);
    word(w, "lifecheck", "1");
    add_to_text(w, "name", doing, schema->type_name);
    lc_yaml_write_key(&w->o, LC_STR("resource"));
    lc_buf address = {0};
    lc_buf_printf(&address, "%s%.*s.example", lc_kind_prefix(schema->kind),
                  LC_FMT(schema->type_name));
    lc_buf_add_char(w->o.out, ' ');
    lc_yaml_write_add_text(w->o.out, lc_buf_str(&address));
    lc_buf_release(&address);
    lc_yaml_write_end(&w->o, LC_STR("the address in messages"));
}

static void schema(writer *w)
{
    word(w, "schema", "");
    w->o.indent += 2;
    line(w, "file", w->from->schema_file);
    if (w->from->provider.len)
        line(w, "provider", w->from->provider);
    line(w, "type", w->from->schema->type_name);
    if (w->from->schema->kind != LC_KIND_RESOURCE)
        word(w, "kind", lc_schema_kind_name(w->from->schema->kind));
    w->o.indent -= 2;
    if (w->from->schema->block->any_computed_block) {
        lc_yaml_write_gap(&w->o);
        lc_yaml_write_note(&w->o, "The client has announced that it knows computed blocks.");
        word(w, "capabilities", "{computed_blocks_allowed: true}");
    }
}

/* ---- Objects. */

static void configuration(writer *w)
{
    bool changes = w->from->action == LC_SCAFFOLD_UPDATE || w->from->action == LC_SCAFFOLD_REPLACE;
    lc_members members = w->members;
    members.changed = is_resource(w) && changes;
    lc_yaml_write_gap(&w->o);
    if (is_resource(w) && w->from->action == LC_SCAFFOLD_DELETE) {
        lc_yaml_write_note(&w->o, "Nothing is configured any more.");
        word(w, "config", "null");
        return;
    }
    lc_yaml_write_note(
        &w->o, "What the user wrote. What is left out is null, of a block: empty. !unknown is "
               "a value that another resource will have only later.");
    lc_scaffold_object(&w->o, LC_STAGE_CONFIG, false, LC_STR("config"), members);
}

static void identity(writer *w, const char *group)
{
    const lc_schema *schema = w->from->schema;
    if (!schema->has_identity || schema->identity_count == 0)
        return;
    lc_members members = {schema->identity, schema->identity_count, NULL, 0, NULL, false};
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o,
                       "What else comes back with the new state: the resource identity, which "
                       "never changes afterwards.");
    word(w, group, "");
    w->o.indent += 2;
    lc_scaffold_object(&w->o, LC_STAGE_NEW, true, LC_STR("identity"), members);
    w->o.indent -= 2;
}

static void created(writer *w)
{
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "There is no object yet, or at least none that Terraform knows of.");
    word(w, "prior_state", "null");
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(
        &w->o, "The response of PlanResourceChange: what is configured, as it is configured, "
               "and !unknown for what the apply will find out. It can be refined: !unknown "
               "{not_null: true, prefix: \"x-\"}, {min: 1, max: 9} of a number, {min_length: "
               "1, max_length: 3} of a list, set or map.");
    lc_scaffold_object(&w->o, LC_STAGE_PLANNED, true, LC_STR("planned_state"), w->members);
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o,
                       "The response of ApplyResourceChange: the plan, with all that was unknown.");
    lc_scaffold_object(&w->o, LC_STAGE_NEW, false, LC_STR("new_state"), w->members);
    identity(w, "apply");
}

/* ---- Objects that exist. */

static lc_members second(const writer *w)
{
    lc_members members = w->members;
    members.changed = members.subject != NULL;
    return members;
}

static void prior(writer *w, const char *remark)
{
    const lc_schema *schema = w->from->schema;
    lc_members identity_members = {schema->identity, schema->identity_count, NULL, 0, NULL, false};
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "%s", remark);
    lc_scaffold_object(&w->o, LC_STAGE_NEW, true, LC_STR("prior_state"), w->members);
    if (schema->has_identity && schema->identity_count)
        lc_scaffold_object(&w->o, LC_STAGE_NEW, true, LC_STR("prior_identity"), identity_members);
}

/* A state with its remark; `group`: within the group of a call. */
static void state(writer *w, lc_stage stage, const char *key, lc_members members,
                  const char *remark)
{
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "%s", remark);
    lc_scaffold_object(&w->o, stage, false, lc_str_from_c(key), members);
}

static void in_group(writer *w, const char *group, lc_stage stage, const char *key,
                     lc_members members)
{
    word(w, group, "");
    w->o.indent += 2;
    lc_scaffold_object(&w->o, stage, false, lc_str_from_c(key), members);
}

static void updated(writer *w)
{
    prior(w, "The object as ReadResource returned it.");
    state(w, LC_STAGE_NEW, "planned_state", second(w),
          "The response of PlanResourceChange: what is configured, as it is configured. What "
          "is computed keeps its prior value, or is !unknown.");
    state(w, LC_STAGE_NEW, "new_state", second(w),
          "The response of ApplyResourceChange: the plan, with all that was unknown.");
    identity(w, "apply");
}

static void deleted(writer *w)
{
    prior(w, "The object as ReadResource returned it.");
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o,
                       "The responses of PlanResourceChange and ApplyResourceChange: nothing "
                       "is left.");
    word(w, "planned_state", "null");
    word(w, "new_state", "null");
}

static void kept(writer *w)
{
    prior(w, "The object as ReadResource returned it.");
    state(w, LC_STAGE_NEW, "planned_state", w->members,
          "The response of PlanResourceChange: the same. So ApplyResourceChange is not called.");
}

static void imported(writer *w)
{
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "What the user gave, and what ImportResourceState returned for it: "
                              "often no more than the id.");
    word(w, "import_id", "example-id");
    lc_scaffold_object(&w->o, LC_STAGE_NEW, true, LC_STR("import_stub_state"), w->members);
    prior(w, "The whole object, as ReadResource returned it.");
    state(w, LC_STAGE_NEW, "planned_state", w->members,
          "The response of PlanResourceChange: the configuration says what is there already.");
}

static void replaced(writer *w)
{
    lc_buf path = {0}, line = {0};
    prior(w, "The object as ReadResource returned it.");
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "The first response of PlanResourceChange: this change needs a "
                              "new object.");
    in_group(w, "plan", LC_STAGE_NEW, "planned_state", second(w));
    lc_buf_printf(&path, ".%.*s", LC_FMT(w->members.subject->name));
    lc_buf_add_json(&line, lc_buf_str(&path), false);
    lc_yaml_write_key(&w->o, LC_STR("requires_replace"));
    lc_buf_printf(w->o.out, " [%.*s]", LC_FMT(lc_buf_str(&line)));
    lc_yaml_write_end(&w->o, LC_STR_EMPTY);
    w->o.indent -= 2;
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "The second one, with prior_state null: the new object.");
    in_group(w, "plan_create", LC_STAGE_PLANNED, "planned_state", second(w));
    w->o.indent -= 2;
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "The responses of ApplyResourceChange: the old object is gone, "
                              "the new one is there.");
    word(w, "destroy", "{new_state: null}");
    in_group(w, "apply", LC_STAGE_NEW, "new_state", second(w));
    w->o.indent -= 2;
    lc_buf_release(&path);
    lc_buf_release(&line);
}

static void resource(writer *w)
{
    switch (w->from->action) {
    case LC_SCAFFOLD_CREATE:
        created(w);
        return;
    case LC_SCAFFOLD_UPDATE:
        updated(w);
        return;
    case LC_SCAFFOLD_DELETE:
        deleted(w);
        return;
    case LC_SCAFFOLD_REPLACE:
        replaced(w);
        return;
    case LC_SCAFFOLD_NOOP:
        kept(w);
        return;
    case LC_SCAFFOLD_IMPORT:
        imported(w);
        return;
    }
    LC_UNREACHABLE();
}

/* ---- By kind. */

static void answered(writer *w, const char *remark, const char *group, const char *key)
{
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "%s", remark);
    word(w, group, "");
    w->o.indent += 2;
    lc_scaffold_object(&w->o, LC_STAGE_NEW, true, lc_str_from_c(key), w->members);
    w->o.indent -= 2;
}

static void objects(writer *w)
{
    configuration(w);
    switch (w->from->schema->kind) {
    case LC_KIND_DATA:
        answered(w, "The response of ReadDataSource: what is configured, and what was read.",
                 "data", "state");
        break;
    case LC_KIND_EPHEMERAL:
        answered(w,
                 "The response of OpenEphemeralResource: what is configured, and what was "
                 "opened.",
                 "open", "result");
        break;
    case LC_KIND_RESOURCE:
    case LC_KIND_PROVIDER:
    case LC_KIND_LIST:
    case LC_KIND_ACTION:
    case LC_KIND_STORE:
        resource(w);
        break;
    }
}

/* ---- What is expected. */

static void fault(writer *w, const lc_scaffold_fault *f)
{
    lc_buf path = {0};
    lc_yaml_write_begin(&w->o);
    lc_buf_printf(w->o.out, "- {rule: %.*s, path: ", LC_FMT(f->rule));
    lc_path_add_text(&path, f->path);
    lc_buf_add_json(w->o.out, lc_buf_str(&path), false);
    lc_buf_add_char(w->o.out, '}');
    lc_yaml_write_end(&w->o, LC_STR_EMPTY);
    lc_buf_release(&path);
}

static void expectation(writer *w)
{
    lc_schema_kind kind = w->from->schema->kind;
    lc_yaml_write_gap(&w->o);
    if (w->from->fault_count)
        lc_yaml_write_note(&w->o,
                           "The schema itself is at fault; lifecheck schema lint says more.");
    else
        lc_yaml_write_note(&w->o, "Exactly these findings, here none. An entry looks like this: "
                                  "{rule: apply/changed, path: '.name'}");
    word(w, "expect", "");
    w->o.indent += 2;
    if (kind != LC_KIND_EPHEMERAL)
        word(w, "action", kind == LC_KIND_DATA ? "read" : action_words[w->from->action].expected);
    word(w, "findings", w->from->fault_count ? "" : "[]");
    w->o.indent += 2;
    for (size_t i = 0; i < w->from->fault_count; i++)
        fault(w, &w->from->faults[i]);
    w->o.indent -= 4;
}

/* ---- What else can be written. */

static lc_str example_path(const writer *w)
{
    for (size_t i = 0; i < w->members.attribute_count; i++) {
        const lc_attribute *a = &w->members.attributes[i];
        if (a->required && !a->write_only && !a->nested)
            return a->name;
    }
    return w->members.attribute_count ? w->members.attributes[0].name : LC_STR("name");
}

static void outlook(writer *w)
{
    lc_str name = example_path(w);
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o, "lifecheck init --action makes the others:");
    lc_yaml_write_note(&w->o,
                       "An update: prior_state is what new_state is here, config and planned_state "
                       "have the change, and action is update. What is computed and not configured "
                       "keeps its prior value in the plan, or is !unknown.");
    lc_yaml_write_note(
        &w->o,
        "Nothing to do: prior_state and planned_state are the same, and no new_state; no-op.");
    lc_yaml_write_note(&w->o, "A delete: prior_state is the object, config, planned_state and "
                              "new_state are null; delete.");
    lc_yaml_write_note(
        &w->o,
        "A replace: instead of planned_state and new_state write plan: {planned_state: "
        "..., requires_replace: ['.%.*s']}, plan_create: {planned_state: ...}, the "
        "second plan without a prior state, destroy: {new_state: null} and apply: "
        "{new_state: ...}; delete-then-create. With create_before_destroy: true it is "
        "create-then-delete.",
        LC_FMT(name));
    lc_yaml_write_note(
        &w->o, "More calls: previous_run_state and upgraded_state; read_state, a further read "
               "after the apply; final_config and final_planned_state, if config has "
               "unknowns; import_id and import_stub_state; validate, move and what else a "
               "call carries, such as private, diagnostics, deferred or legacy_type_system.");
    lc_yaml_write_note(&w->o, "Several runs of one object: runs. Several scenarios with one head: "
                              "cases.");
}

static void prediction_of_read(writer *w)
{
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o,
                       "A read that had to wait: write phase: apply together with state, and the "
                       "config of the apply phase, if it was !unknown before.");
    lc_yaml_write_note(&w->o, "A failure: state: null and diagnostics: [{severity: error, summary: "
                              "\"...\"}].");
}

static void prediction_of_open(writer *w)
{
    lc_yaml_write_gap(&w->o);
    lc_yaml_write_note(&w->o,
                       "A failure: result: null and diagnostics: [{severity: error, summary: "
                       "\"...\"}].");
}

bool lc_scaffold_write(lc_buf *out, const lc_scaffold *starter)
{
    lc_buf text = {.limit = LC_SCAFFOLD_MAX};
    writer w = {{.out = &text}, starter, lc_scaffold_members(starter->schema->block)};
    if (starter->action == LC_SCAFFOLD_UPDATE || starter->action == LC_SCAFFOLD_REPLACE)
        w.members.subject = lc_scaffold_subject(w.members);
    head(&w);
    schema(&w);
    objects(&w);
    expectation(&w);
    if (starter->schema->kind == LC_KIND_DATA)
        prediction_of_read(&w);
    else if (starter->schema->kind == LC_KIND_EPHEMERAL)
        prediction_of_open(&w);
    else if (starter->action == LC_SCAFFOLD_CREATE)
        outlook(&w);
    bool whole = !text.overflow;
    lc_buf_add_str(out, lc_buf_str(&text));
    lc_buf_release(&text);
    return whole;
}
