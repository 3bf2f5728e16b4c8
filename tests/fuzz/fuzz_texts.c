/* Functions that read texts: any text gives a value, an error or what lifecheck leaves open, and
 * both clients agree about those whose rules are the same. What yamlencode and jsonencode write,
 * their readers read. The first byte chooses the function; texts are separated by NUL. */
#include "../unit/memory_files.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/configuration/expression.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const calls[] = {
    "yamldecode(var.a)",
    "csvdecode(var.a)",
    "jsondecode(var.a)",
    "regexall(var.a, var.b)",
    "replace(var.b, \"/${var.a}/\", var.a)",
    "formatdate(var.a, var.b)",
    "timeadd(var.a, var.b)",
    "timecmp(var.a, var.b)",
    "format(var.a, 1.5, \"x\", var.b)",
    "cidrsubnet(var.a, 8, 1)",
    "cidrcontains(var.a, var.b)",
    "fileset(\".\", var.a)",
    "base64gunzip(var.a)",
    "base64gunzip(base64gzip(var.a)) == var.a",
    "yamldecode(yamlencode({x = [var.a]})).x[0] == var.a",
    "jsondecode(jsonencode([var.a]))[0] == var.a",
    "textdecodebase64(var.a, var.b)",
    "urldecode(urlencode(var.a)) == var.a",
    "rsadecrypt(\"aGk=\", var.a)",
    "uuidv5(var.a, var.b)",
    "[title(var.a), substr(var.a, -3, 2), trim(var.a, var.b), split(var.b, var.a)]",
};
#define CALLS (sizeof calls / sizeof *calls)

typedef struct given {
    lc_str a, b;
} given;

static bool look_up(void *context, lc_lookup *ask)
{
    const given *g = context;
    lc_value v;
    lc_value_set_string(&v, ask->arena, lc_str_is(ask->reference->name, "a") ? g->a : g->b);
    ask->value = (lc_marked){lc_value_new(ask->arena, &v), NULL};
    return true;
}

static void evaluate(lc_arena *arena, lc_profile profile, lc_str call, given *g)
{
    static const memory_file files[] = {{{"a.txt", 5}, {"A", 1}}, {{"d/b.md", 6}, {"B", 1}}};
    lc_files kept;
    files_in_memory(&kept, arena, files, 2);
    lc_scope scope = {.context = g, .lookup = look_up, .profile = profile, .files = &kept};
    const lc_expr *expr;
    lc_eval_error trouble = {0};
    lc_marked v;
    LC_ASSERT(lc_expr_parse(&expr, arena, call, (lc_source_pos){0}, &trouble));
    if (!lc_evaluate(&v, arena, expr, &scope, 0, &trouble))
        return;
    bool law = lc_str_contains(call, LC_STR(" == "));
    LC_ASSERT(!law || !lc_is_known(v.value) || v.value->as.boolean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 4096)
        return 0;
    lc_arena *arena = lc_arena_new();
    lc_str all = {(const char *)data + 1, size - 1};
    size_t nul = lc_str_find(all, 0, '\0');
    given g = {lc_str_sub(all, 0, nul), lc_str_sub(all, nul < all.len ? nul + 1 : nul, all.len)};
    lc_str call = lc_str_from_c(calls[data[0] % CALLS]);
    if (lc_utf8_valid(all)) {
        evaluate(arena, LC_PROFILE_OPENTOFU, call, &g);
        evaluate(arena, LC_PROFILE_TERRAFORM, call, &g);
    }
    lc_arena_free(arena);
    return 0;
}
