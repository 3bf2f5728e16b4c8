/* Findings of a recording that is judged repeatedly while it is made: each is reported once, when
 * it is first seen. */
#include "verdict/internal.h"

#include "lifecheck/base/arena.h"

#include <string.h>

#define MAX_TOLD 1000 /* limit for one case before it is complete; the rest is reported then */

/* What identifies a finding across judgements of a growing case. */
static uint64_t key_of(const lc_finding *f)
{
    uint64_t hash = lc_hash_mix((uint64_t)f->rule, lc_str_hash(f->path_text));
    hash = lc_hash_mix(hash, (uint64_t)f->call.kind);
    return lc_hash_mix(hash, (uint64_t)f->loc.line << 32 | f->loc.column);
}

static bool was_reported(const lc_so_far *so_far, uint64_t key)
{
    for (size_t i = 0; i < so_far->count; i++) {
        if (so_far->keys[i] == key)
            return true;
    }
    return false;
}

/* Is the finding about a recorded call, and not about a missing one that may still come? */
static bool is_settled(const lc_case *c, const lc_finding *f)
{
    if (f->run == 0 || f->run > c->runs.count)
        return false;
    const lc_run *run = &c->runs.items[f->run - 1];
    bool there = f->call.index > 0 && f->call.index <= run->calls.count &&
                 run->calls.items[f->call.index - 1].kind == f->call.kind;
    return there && f->rule != LC_RULE_IMPORT_NO_READ;
}

static void remember(lc_so_far *so_far, uint64_t key)
{
    if (so_far->count == so_far->capacity) {
        so_far->capacity = so_far->capacity ? so_far->capacity * 2 : 8;
        so_far->keys =
            lc_heap_resize(so_far->keys, lc_mul_size(so_far->capacity, sizeof *so_far->keys));
    }
    so_far->keys[so_far->count++] = key;
}

void lc_so_far_apply(lc_judged *judged, lc_arena *report, lc_so_far *so_far)
{
    size_t count = judged->judgement.findings.count;
    judged->reported = lc_arena_zalloc(report, count);
    for (size_t i = 0; i < count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        uint64_t key = key_of(f);
        judged->reported[i] = was_reported(so_far, key);
        if (!so_far->open || judged->reported[i])
            continue;
        if (judged->severities[i] <= LC_INFO || so_far->count >= MAX_TOLD ||
            !is_settled(&judged->scenario->subject, f))
            judged->reported[i] = true; /* not now: later, when the case is complete */
        else
            remember(so_far, key);
    }
}

void lc_so_far_release(lc_so_far *so_far)
{
    lc_heap_free(so_far->keys);
    *so_far = (lc_so_far){0};
}
