/* What the formats say of a finding next to its values: the leg of a replace, the cause elsewhere,
 * why and what to do. */
#include "lifecheck/catalog/core_message.h"
#include "report/internal.h"

static const char *call_words(lc_call_kind kind)
{
    switch (kind) {
    case LC_CALL_PLAN_CREATE:
        return " (the create leg)";
    case LC_CALL_FINAL_PLAN:
        return " (the final plan)";
    case LC_CALL_DESTROY_PLAN:
    case LC_CALL_DESTROY:
        return " (the delete)";
    case LC_CALL_REREAD:
        return " (after apply)";
    case LC_CALL_SCHEMA:
    case LC_CALL_UPGRADE:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_IMPORT:
    case LC_CALL_MOVE:
    case LC_CALL_READ:
    case LC_CALL_VALIDATE:
    case LC_CALL_PLAN:
    case LC_CALL_APPLY:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_LIST:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        break;
    }
    return "";
}

static void add_also(lc_buf *out, const lc_finding *f)
{
    for (size_t i = 0; i < f->also_count; i++)
        lc_buf_printf(out, "%s%s", i ? ", " : ", again in ", lc_call_kind_name(f->also[i].kind));
}

void lc_text_add_call_words(lc_buf *out, const lc_finding *f)
{
    lc_buf_add_c(out, call_words(f->call.kind));
    add_also(out, f);
}

lc_str lc_finding_why(const lc_finding *f)
{
    if (f->diagnosis.id.len)
        return f->diagnosis.why;
    return f->message.len ? f->message : lc_rule_get(f->rule)->title;
}

/* Many errors share the rules about a client that stops: the summary says which one it is. */
static lc_str fix_of_stop(const lc_finding *f)
{
    bool stops = f->rule == LC_RULE_RUN_CLIENT_STOPS || f->rule == LC_RULE_RUN_MOVED_STATEMENT ||
                 f->rule == LC_RULE_RUN_REMOVED_STATEMENT;
    lc_str fix = LC_STR_EMPTY;
    for (int core = 0; core < LC_CORE_COUNT && stops && fix.len == 0; core++)
        fix = lc_core_message_fix(f->core[core].summary);
    return fix;
}

lc_fix lc_finding_fix(const lc_finding *f)
{
    const lc_rule_info *info = lc_rule_get(f->rule);
    lc_str stop = fix_of_stop(f);
    if (stop.len)
        return (lc_fix){stop, stop};
    if (f->diagnosis.fix_framework.len || f->diagnosis.fix_sdkv2.len)
        return (lc_fix){f->diagnosis.fix_framework, f->diagnosis.fix_sdkv2};
    return (lc_fix){lc_rule_fix(info, LC_SDK_FRAMEWORK), lc_rule_fix(info, LC_SDK_SDKV2)};
}

void lc_cause_add_text(lc_buf *out, const lc_cause *o)
{
    lc_buf_printf(out, "the configured value is not the expected one because of %.*s: %.*s at ",
                  LC_FMT(o->name), LC_FMT(lc_rule_get(o->rule)->slug));
    lc_buf_printf(out, "%.*s (%.*s", LC_FMT(o->path_text), LC_FMT(o->loc.file));
    if (o->loc.line)
        lc_buf_printf(out, ":%u", o->loc.line);
    lc_buf_add_c(out, ")");
}
