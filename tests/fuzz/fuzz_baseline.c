/* Baselines: any text is read or refused, never both. Laws: an error has a place inside the text;
 * every entry is found by its fingerprint and suppresses as many findings as it counts; counts only
 * shrink; what is written is read again, has the same entries and is written the same way; one that
 * learns from its entries is written and read like any other. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/verdict/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILE_NAME LC_STR("fuzz.json")
#define MOST      5 /* findings that are taken of one entry */

static lc_str written(lc_arena *arena, lc_baseline *b)
{
    lc_buf buf = {0};
    lc_baseline_print(&buf, b);
    return lc_buf_take(arena, &buf);
}

static void read_back(lc_baseline *out, lc_arena *arena, lc_str text)
{
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_baseline_init(out, arena, false);
    LC_ASSERT(lc_baseline_read(out, FILE_NAME, text, &diags) == LC_OK && diags.count == 0);
}

static void set_aside(lc_baseline *b, bool aside)
{
    for (size_t i = 0; i < b->list.count; i++)
        b->list.items[i]->aside = aside;
}

/* Nothing that stands aside is lost or changed. */
static void check_whole(lc_arena *arena, lc_baseline *b)
{
    lc_baseline again;
    set_aside(b, true);
    lc_str text = written(arena, b);
    read_back(&again, arena, text);
    LC_ASSERT(again.list.count == b->list.count);
    for (size_t i = 0; i < b->list.count; i++) {
        const lc_known *old = b->list.items[i], *new = again.list.items[i];
        LC_ASSERT(lc_str_eq(old->fingerprint, new->fingerprint) && old->count == new->count);
        LC_ASSERT(lc_str_eq(old->rule, new->rule) && lc_str_eq(old->type, new->type));
        LC_ASSERT(lc_str_eq(old->path, new->path) && new->loc.line == i + 2);
        LC_ASSERT(lc_known_complaint(arena, old).len == 0);
    }
    set_aside(&again, true);
    LC_ASSERT(lc_str_eq(text, written(arena, &again)));
    set_aside(b, false);
}

static void take_some(lc_arena *arena, lc_baseline *b)
{
    for (size_t i = 0; i < b->list.count; i++) {
        const lc_known *known = b->list.items[i];
        LC_ASSERT(lc_table_get(&b->by_fingerprint, known->fingerprint) == known);
        LC_ASSERT(known->count > 0 && known->fingerprint.len > 0);
        LC_ASSERT(lc_known_complaint(arena, known).len > 0);
        for (uint64_t n = 0; n < i % MOST; n++)
            LC_ASSERT(lc_baseline_take(b, known->fingerprint, known->rule, known->type,
                                       known->path) == (n < known->count));
    }
}

/* What was not found any more is gone from the text, and nothing else is. */
static void check_less(lc_arena *arena, lc_baseline *b)
{
    lc_baseline less;
    size_t left = 0;
    take_some(arena, b);
    read_back(&less, arena, written(arena, b));
    for (size_t i = 0; i < b->list.count; i++) {
        const lc_known *old = b->list.items[i];
        const lc_known *new = lc_table_get(&less.by_fingerprint, old->fingerprint);
        LC_ASSERT((new == NULL) == (old->found == 0));
        LC_ASSERT(!new || new->count == (old->found < old->count ? old->found : old->count));
        left += new != NULL;
    }
    LC_ASSERT(less.list.count == left);
}

/* The same findings, in a baseline that accepts whatever comes. */
static void check_learning(lc_arena *arena, const lc_baseline *b)
{
    lc_baseline learning, again;
    size_t found = 0;
    lc_baseline_init(&learning, arena, true);
    for (size_t i = 0; i < b->list.count; i++) {
        const lc_known *known = b->list.items[i];
        for (uint64_t n = 0; n < known->found; n++)
            LC_ASSERT(lc_baseline_take(&learning, known->fingerprint, known->rule, known->type,
                                       known->path));
        found += known->found > 0;
    }
    read_back(&again, arena, written(arena, &learning));
    LC_ASSERT(again.list.count == found && learning.list.count == found);
    for (size_t i = 0; i < found; i++)
        LC_ASSERT(again.list.items[i]->count == learning.list.items[i]->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = {(const char *)data, size};
    lc_baseline baseline;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_baseline_init(&baseline, arena, false);
    lc_status status = lc_baseline_read(&baseline, FILE_NAME, text, &diags);
    LC_ASSERT((status == LC_OK) == (diags.errors == 0));
    for (size_t i = 0; i < diags.count; i++)
        LC_ASSERT(diags.items[i].message.len > 0 && diags.items[i].loc.line > 0 &&
                  diags.items[i].loc.line <= size + 1);
    if (status == LC_OK) {
        check_whole(arena, &baseline);
        check_less(arena, &baseline);
        check_learning(arena, &baseline);
    }
    lc_arena_free(arena);
    return 0;
}
