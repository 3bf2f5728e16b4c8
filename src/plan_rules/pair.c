/* Two states: one after the other, and what an operation without a plan may change between them. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* ---- Operations. */

/* Operations by name, with the number of arguments. */
static const struct {
    const char *name;
    lc_operation_kind kind;
    int addresses;
} operations[] = {
    {"taint", LC_OPERATION_TAINT, 1},     {"untaint", LC_OPERATION_UNTAINT, 1},
    {"rm", LC_OPERATION_REMOVE, 1},       {"mv", LC_OPERATION_MOVE, 2},
    {"import", LC_OPERATION_IMPORT, 1},   {"replace-provider", LC_OPERATION_REPLACE_PROVIDER, 2},
    {"refresh", LC_OPERATION_REFRESH, 0}, {"apply", LC_OPERATION_APPLY, 0},
};
#define OPERATION_COUNT (sizeof operations / sizeof *operations)

static const char *operation_name(lc_operation_kind kind)
{
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        if (operations[i].kind == kind)
            return operations[i].name;
    }
    return "";
}

/* The position of the comma between two arguments, or the length of the text. A comma within quotes
 * belongs to an instance key. */
static size_t find_comma(lc_str text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\' && quoted)
            i++;
        else if (text.ptr[i] == '"')
            quoted = !quoted;
        else if (text.ptr[i] == ',' && !quoted)
            return i;
    }
    return text.len;
}

/* Addresses are compared as text, so they are brought into canonical form. */
static bool canonical(lc_str *out, lc_arena *arena, lc_str text, lc_str *why)
{
    lc_address address;
    size_t at;
    if (!lc_address_parse(&address, arena, text, why, &at))
        return false;
    *out = lc_address_text(arena, &address);
    return true;
}

/* NAME[:ARGUMENT[,ARGUMENT]] */
bool lc_operation_parse(lc_operation *out, lc_arena *arena, lc_str text, lc_str *why)
{
    size_t colon = lc_str_find(text, 0, ':'), i = 0;
    lc_str name = lc_str_sub(text, 0, colon);
    lc_str rest = colon < text.len ? lc_str_sub(text, colon + 1, text.len) : LC_STR_EMPTY;
    while (i < OPERATION_COUNT && !lc_str_is(name, operations[i].name))
        i++;
    if (i == OPERATION_COUNT) {
        *why = LC_STR("no operation: taint:ADDR, untaint:ADDR, rm:ADDR, mv:FROM,TO, import:ADDR, "
                      "replace-provider:FROM,TO, refresh or apply");
        return false;
    }
    size_t comma = find_comma(rest);
    bool two = comma < rest.len;
    int given = !rest.len ? 0 : two ? 2 : 1;
    *out = (lc_operation){.kind = operations[i].kind, .text = text};
    out->from = lc_str_sub(rest, 0, comma);
    out->to = two ? lc_str_sub(rest, comma + 1, rest.len) : LC_STR_EMPTY;
    if (given != operations[i].addresses) {
        *why = lc_str_printf(arena, "%s takes %s", operations[i].name,
                             operations[i].addresses == 0   ? "no address"
                             : operations[i].addresses == 1 ? "one address"
                                                            : "two, with a comma between them");
        return false;
    }
    if (out->kind == LC_OPERATION_REPLACE_PROVIDER || given == 0)
        return true;
    bool ok = canonical(&out->from, arena, out->from, why) &&
              (given == 1 || canonical(&out->to, arena, out->to, why));
    if (!ok)
        out->kind = LC_OPERATION_NONE;
    return ok;
}

/* ---- Differences between two objects. */

enum {
    DIFFERS_STATUS = 1,
    DIFFERS_PROVIDER = 2,
    DIFFERS_VALUE = 4, /* attributes, identity, and other members that a refresh may renew */
    DIFFERS_OTHER = 8,
};

typedef struct pair {
    lc_plan_rules *r;
    const lc_state_file *before, *after;
    const lc_operation *operation;
    lc_address from, to; /* arguments of the operation, parsed */
} pair;

static bool is_value(lc_str key)
{
    return lc_str_is(key, "attributes") || lc_str_is(key, "attributes_flat") ||
           lc_str_is(key, "identity") || lc_str_is(key, "private") ||
           lc_str_is(key, "schema_version") || lc_str_is(key, "identity_schema_version") ||
           lc_str_is(key, "sensitive_attributes");
}

/* Clients omit empty members, so these are equal to absent ones. */
static bool is_blank(const lc_node *node)
{
    return !node || node->kind == LC_NODE_NULL || (node->kind == LC_NODE_BOOL && !node->boolean) ||
           ((node->kind == LC_NODE_SEQUENCE || node->kind == LC_NODE_MAPPING) && !node->count);
}

/* index_key is part of the address, and every operation may renew dependencies. */
static unsigned compare_member(pair *p, lc_str key, const lc_node *a, const lc_node *b)
{
    if ((is_blank(a) && is_blank(b)) || (a && b && lc_node_same(p->r->scratch, a, b)))
        return 0;
    if (lc_str_is(key, "status"))
        return DIFFERS_STATUS;
    if (lc_str_is(key, "provider"))
        return DIFFERS_PROVIDER;
    if (is_value(key))
        return DIFFERS_VALUE;
    if (lc_str_is(key, "index_key") || lc_str_is(key, "dependencies"))
        return 0;
    return DIFFERS_OTHER;
}

/* Members of both objects, then the provider of the resource. */
static unsigned compare_objects(pair *p, const lc_state_object *a, const lc_state_object *b)
{
    unsigned found = 0;
    lc_finder in_a = {.arena = p->r->scratch, .node = a->node};
    lc_finder in_b = {.arena = p->r->scratch, .node = b->node};
    for (uint32_t i = 0; i < a->node->count; i++) {
        const lc_member *m = &a->node->as.members[i];
        found |= compare_member(p, m->key, &m->value, lc_finder_get(&in_b, m->key));
    }
    for (uint32_t i = 0; i < b->node->count; i++) {
        const lc_member *m = &b->node->as.members[i];
        if (!lc_finder_get(&in_a, m->key))
            found |= compare_member(p, m->key, NULL, &m->value);
    }
    if (!lc_str_eq(p->before->resources.items[a->resource].provider,
                   p->after->resources.items[b->resource].provider))
        found |= DIFFERS_PROVIDER;
    return found;
}

/* ---- Lineage and serial. */

/* The header is not compared, because any client may rewrite it. */
static bool same_content(pair *p)
{
    lc_finder b = {.arena = p->r->scratch, .node = p->after->root};
    static const char *const kept[] = {"resources", "outputs", "check_results"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const lc_node *x = lc_node_get(p->before->root, kept[i]);
        const lc_node *y = lc_finder_get(&b, lc_str_from_c(kept[i]));
        if (!(is_blank(x) && is_blank(y)) && !(x && y && lc_node_same(p->r->scratch, x, y)))
            return false;
    }
    return true;
}

/* The serial must grow if the content changes. A printed state has neither serial nor lineage. */
static void check_header(pair *p)
{
    const lc_state_file *a = p->before, *b = p->after;
    bool lineages = a->lineage.len && b->lineage.len, serials = a->has_serial && b->has_serial;
    if (!lineages && !serials && (a->shown || b->shown)) /* a printed state has neither */
        return;
    lc_planning_checked(p->r->planner, LC_RULE_RUN_STATE_PAIR);
    if (a->lineage.len && !b->shown && !lc_str_eq(a->lineage, b->lineage))
        lc_report_at(p->r, LC_RULE_RUN_STATE_PAIR, LC_STR_EMPTY, b->loc, "",
                     "the lineage differs: the two are states of different configurations");
    else if (serials && b->serial <= a->serial && !same_content(p))
        lc_report_at(p->r, LC_RULE_RUN_STATE_PAIR, LC_STR_EMPTY, b->loc, "",
                     "the serial went from %lld to %lld, though something changed",
                     (long long)a->serial, (long long)b->serial);
}

/* ---- What an operation may change. */

static bool named(const lc_address *target, const lc_state_object *o)
{
    return lc_address_covers(target, &o->parsed);
}

/* The address of the object after a `state mv`; unchanged for other objects and operations. */
static lc_str address_after(pair *p, const lc_state_object *o)
{
    lc_address moved = o->parsed;
    if (p->operation->kind != LC_OPERATION_MOVE || !named(&p->from, o))
        return o->address;
    if (lc_address_is_module(&p->from)) {
        size_t kept = o->parsed.module_count - p->from.module_count;
        lc_module_step *steps =
            LC_NEW_ARRAY(p->r->scratch, lc_module_step, p->to.module_count + kept);
        for (size_t i = 0; i < p->to.module_count; i++)
            steps[i] = p->to.modules[i];
        for (size_t i = 0; i < kept; i++)
            steps[p->to.module_count + i] = o->parsed.modules[p->from.module_count + i];
        moved.modules = steps;
        moved.module_count = p->to.module_count + kept;
    } else {
        moved = p->to;
        if (p->from.key.kind == LC_KEY_NONE && o->parsed.key.kind != LC_KEY_NONE)
            moved.key = o->parsed.key;
    }
    return lc_address_text(p->r->scratch, &moved);
}

static void report(pair *p, const lc_state_object *o, const char *what)
{
    lc_report_at(p->r, LC_RULE_RUN_LEGACY_OP, o->address, o->loc, "", "%s: %.*s%s%.*s %s",
                 operation_name(p->operation->kind), LC_FMT(o->address),
                 o->deposed.len ? " deposed " : "", LC_FMT(o->deposed), what);
}

/* True if the object's provider has the given source address. The host of the client's own registry
 * may be omitted. */
static bool provider_is(const lc_state_file *s, const lc_state_object *o, lc_str provider)
{
    lc_str text = lc_state_provider(s, o);
    size_t from = lc_str_find(text, 0, '"');
    size_t to = lc_str_find(text, from + 1, '"');
    lc_str name = from + 1 < text.len ? lc_str_sub(text, from + 1, to) : LC_STR_EMPTY;
    /* The host of the client's own registry may be left out. */
    return lc_str_eq(name, provider) ||
           (lc_str_ends_with(name, provider) && name.len > provider.len &&
            name.ptr[name.len - provider.len - 1] == '/');
}

/* Why the change is not one that the operation makes; NULL: it is. */
static const char *wrong_change(pair *p, const lc_state_object *a, const lc_state_object *b)
{
    unsigned found = compare_objects(p, a, b);
    bool target = !a->deposed.len && lc_str_eq(a->address, p->operation->from);
    switch (p->operation->kind) {
    case LC_OPERATION_TAINT:
        if (target)
            return !b->tainted                         ? "is not tainted"
                   : found & ~(unsigned)DIFFERS_STATUS ? "changed in something else than its status"
                                                       : NULL;
        break;
    case LC_OPERATION_UNTAINT:
        if (target)
            return b->tainted                          ? "is still tainted"
                   : found & ~(unsigned)DIFFERS_STATUS ? "changed in something else than its status"
                                                       : NULL;
        break;
    case LC_OPERATION_REPLACE_PROVIDER:
        if (provider_is(p->before, a, p->operation->from))
            return !provider_is(p->after, b, p->operation->to) ? "does not have the new provider"
                   : found & ~(unsigned)DIFFERS_PROVIDER ? "changed in something else than its "
                                                           "provider"
                                                         : NULL;
        break;
    case LC_OPERATION_REFRESH:
        return found & ~(unsigned)(DIFFERS_VALUE | DIFFERS_OTHER)
                   ? "changed in something that a refresh does not renew"
                   : NULL;
    case LC_OPERATION_NONE:
    case LC_OPERATION_REMOVE:
    case LC_OPERATION_MOVE:
    case LC_OPERATION_IMPORT:
    case LC_OPERATION_APPLY:
        break;
    }
    return found ? "changed, though it is not the one named" : NULL;
}

/* Each object before is looked up at its address after the operation. */
static void check_object(pair *p, lc_table *seen, const lc_state_object *a)
{
    lc_arena *arena = p->r->scratch;
    bool remove = p->operation->kind == LC_OPERATION_REMOVE && named(&p->from, a);
    lc_str address = address_after(p, a);
    lc_state_object *b = lc_table_get(a->deposed.len ? &p->after->deposed : &p->after->current,
                                      lc_plan_key(arena, address, a->deposed));
    if (b)
        lc_table_put(seen, lc_plan_key(arena, address, a->deposed), b);
    if (remove) {
        if (b)
            report(p, b, "is still there");
    } else if (!b) {
        if (p->operation->kind != LC_OPERATION_REFRESH)
            report(p, a,
                   lc_str_eq(address, a->address) ? "is gone" : "is not where it was moved to");
    } else {
        const char *why = wrong_change(p, a, b);
        if (why)
            report(p, b, why);
    }
}

/* Objects that were not there before; only an import adds one. */
static void check_new(pair *p, const lc_table *seen)
{
    bool imported = false;
    for (size_t i = 0; i < p->after->objects.count; i++) {
        const lc_state_object *o = &p->after->objects.items[i];
        bool import = p->operation->kind == LC_OPERATION_IMPORT && !o->deposed.len &&
                      lc_str_eq(o->address, p->operation->from);
        if (o->refused || lc_table_get(seen, lc_plan_key(p->r->scratch, o->address, o->deposed)))
            continue;
        imported |= import;
        if (!import)
            report(p, o, "is new");
    }
    if (p->operation->kind == LC_OPERATION_IMPORT && !imported)
        lc_report_at(p->r, LC_RULE_RUN_LEGACY_OP, p->operation->from, p->after->loc, "",
                     "import: %.*s is not new in the state", LC_FMT(p->operation->from));
}

/* True if the state before has the object that the operation names. */
static bool has_target(pair *p)
{
    bool exact =
        p->operation->kind == LC_OPERATION_TAINT || p->operation->kind == LC_OPERATION_UNTAINT;
    if (exact)
        return lc_table_get(&p->before->current, p->operation->from) != NULL;
    for (size_t i = 0; i < p->before->objects.count; i++) {
        if (named(&p->from, &p->before->objects.items[i]))
            return true;
    }
    return false;
}

/* Objects that a refresh found deleted may be missing. */
static void check_operation(pair *p)
{
    const lc_operation *op = p->operation;
    lc_table seen;
    lc_str why;
    size_t at;
    bool one = op->kind == LC_OPERATION_TAINT || op->kind == LC_OPERATION_UNTAINT ||
               op->kind == LC_OPERATION_REMOVE || op->kind == LC_OPERATION_MOVE;
    lc_table_init(&seen, p->r->scratch);
    lc_planning_checked(p->r->planner, LC_RULE_RUN_LEGACY_OP);
    if (op->kind != LC_OPERATION_REPLACE_PROVIDER && op->from.len)
        lc_address_parse(&p->from, p->r->scratch, op->from, &why, &at);
    if (op->kind == LC_OPERATION_MOVE)
        lc_address_parse(&p->to, p->r->scratch, op->to, &why, &at);
    if (one && !has_target(p))
        lc_report_at(p->r, LC_RULE_RUN_LEGACY_OP, op->from, p->before->loc, "",
                     "%s: the state before does not have %.*s", operation_name(op->kind),
                     LC_FMT(op->from));
    for (size_t i = 0; i < p->before->objects.count; i++) {
        if (!p->before->objects.items[i].refused)
            check_object(p, &seen, &p->before->objects.items[i]);
    }
    check_new(p, &seen);
}

void lc_plan_rules_pair(lc_plan_rules *r)
{
    const lc_plan_evidence *f = r->facts;
    const lc_operation *op = &f->operation;
    pair p = {.r = r, .before = f->state, .after = f->next_state, .operation = op};
    if (!f->state || !f->next_state) {
        if (op->kind != LC_OPERATION_NONE)
            LC_PLAN_RULES_LACKS(r, f->state ? LC_NEED_NEXT_STATE_FILE : LC_NEED_STATE_FILE,
                                LC_RULE_RUN_LEGACY_OP);
        return;
    }
    check_header(&p);
    if (op->kind != LC_OPERATION_NONE && op->kind != LC_OPERATION_APPLY)
        check_operation(&p);
    else if (op->kind == LC_OPERATION_NONE && !f->plan)
        LC_PLAN_RULES_LACKS(r, LC_NEED_OPERATION, LC_RULE_RUN_LEGACY_OP);
}
