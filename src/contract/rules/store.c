/* Family store: the calls of a state store, in their order. State is never shown: it holds every
 * secret of a configuration. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"

#include <string.h>

/* The largest chunk size that Terraform accepts. */
#define MOST_CHUNK ((int64_t)128 << 20)

/* What is known of one state. */
typedef struct known_state {
    lc_str id;
    const lc_call *written; /* the last write; NULL: none, or it was deleted */
    const lc_call *deleted; /* the last delete, if nothing was written after it */
    const lc_call *locked;  /* the lock that holds; NULL: none that is known */
} known_state;

typedef struct store {
    lc_judge *j;
    lc_table by_id;
    LC_VEC(known_state *) states;
    int64_t chunk_size; /* 0: not known */
    uint64_t config;    /* of the last configure */
} store;

static lc_finding *emit(const store *s, lc_rule rule, const lc_call *call, lc_loc loc, lc_str note)
{
    return lc_emit_aside(s->j, rule, call, loc.line ? loc : call->loc, note);
}

static known_state *state_of(store *s, lc_str id)
{
    known_state *known = lc_table_get(&s->by_id, id);
    if (known)
        return known;
    known = LC_NEW(s->j->scratch, known_state);
    *known = (known_state){.id = id};
    lc_table_put(&s->by_id, id, known);
    *LC_PUSH(s->j->scratch, &s->states, known_state *) = known;
    return known;
}

/* The call before by its line, or where all have the same one, by its number: "line 4". */
static lc_str by(const store *s, const lc_call *before, const lc_call *call)
{
    bool same = before->loc.line == call->loc.line;
    return lc_str_printf(s->j->scratch, "%s %u", same ? "call" : "line",
                         same ? before->index : before->loc.line);
}

/* ---- Chunks. */

/* With another configuration it is another store, which may have states of the same names. */
static void forget_other_store(store *s, const lc_call *call)
{
    bool other = s->config && s->config != call->store->config;
    s->config = call->store->config;
    if (!other)
        return;
    lc_table_init(&s->by_id, s->j->scratch);
    s->states.count = 0;
}

static void judge_chunk_size(store *s, const lc_call *call)
{
    int64_t size = call->store->chunk_size;
    s->chunk_size = size > 0 ? size : 0;
    if (size > 0 && size <= MOST_CHUNK)
        return;
    lc_finding *f =
        emit(s, LC_RULE_STORE_CHUNK_SIZE, call, call->loc,
             lc_str_printf(s->j->scratch, "the chunk size is %lld bytes", (long long)size));
    lc_finding_effect(f, LC_TERRAFORM, size < 0 ? LC_EFFECT_CRASH : LC_EFFECT_ERROR);
    if (size >= 0)
        lc_finding_quote(s->j, f, LC_TF, "",
                         lc_str_printf(s->j->scratch, LC_DETAIL_CHUNK_SIZE, (long long)MOST_CHUNK,
                                       (long long)size));
}

static void judge_range(const store *s, const lc_call *call, size_t i, uint64_t at)
{
    const lc_chunk *c = &call->store->chunks.items[i];
    if (!c->has_range) {
        lc_finding *f = emit(s, LC_RULE_STORE_RANGE, call, c->loc,
                             lc_str_printf(s->j->scratch, "chunk %zu has no range", i + 1));
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_CRASH);
        return;
    }
    if (c->start == (int64_t)at && c->end == (int64_t)(at + c->length) - 1)
        return;
    emit(s, LC_RULE_STORE_RANGE, call, c->loc,
         lc_str_printf(s->j->scratch,
                       "chunk %zu has the range %lld to %lld, and its %llu bytes belong to %llu",
                       i + 1, (long long)c->start, (long long)c->end, (unsigned long long)c->length,
                       (unsigned long long)at));
}

static void judge_size(const store *s, const lc_call *call, size_t i)
{
    const lc_chunk *c = &call->store->chunks.items[i];
    bool last = i + 1 == call->store->chunks.count;
    bool fits = last ? c->length <= (uint64_t)s->chunk_size : c->length == (uint64_t)s->chunk_size;
    if (s->chunk_size == 0 || fits)
        return;
    emit(s, LC_RULE_STORE_CHUNKS, call, c->loc,
         lc_str_printf(s->j->scratch, "chunk %zu of %zu has %llu bytes, and the chunk size is %lld",
                       i + 1, call->store->chunks.count, (unsigned long long)c->length,
                       (long long)s->chunk_size));
}

static bool is_answered(const lc_call *call)
{
    return call->failed != LC_YES && call->broke != LC_YES;
}

/* False: a client reads no state from them. */
static bool judge_chunks(const store *s, const lc_call *call)
{
    const lc_store_call *read = call->store;
    uint64_t at = 0;
    for (size_t i = 0; i < read->chunks.count; i++) {
        if (read->chunks.items[i].failed)
            return false;
        judge_range(s, call, i, at);
        judge_size(s, call, i);
        at += read->chunks.items[i].length;
    }
    int64_t total = read->chunks.count ? read->chunks.items[0].total : 0;
    if ((int64_t)at == total)
        return true;
    lc_finding *f = emit(s, LC_RULE_STORE_LENGTH, call, call->loc,
                         lc_str_printf(s->j->scratch, "%llu bytes, and the total length is %lld",
                                       (unsigned long long)at, (long long)total));
    lc_finding_quote(s->j, f, LC_TF, "",
                     lc_str_printf(s->j->scratch, LC_DETAIL_STATE_LENGTH, (long long)total,
                                   (unsigned long long)at));
    return false;
}

/* ---- What was written is read. */

static uint64_t length_of(const lc_store_call *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->chunks.count; i++)
        sum += c->chunks.items[i].length;
    return sum;
}

static bool has_bytes(const lc_store_call *c)
{
    for (size_t i = 0; i < c->chunks.count; i++) {
        if (!c->chunks.items[i].bytes.ptr && c->chunks.items[i].length)
            return false;
    }
    return true;
}

/* The position of the first byte that differs, which may be where one of them ends; UINT64_MAX:
 * none. Both are as long as their chunks, which need not be the same ones. */
static uint64_t first_difference(const lc_store_call *a, const lc_store_call *b)
{
    size_t ca = 0, cb = 0, ia = 0, ib = 0;
    for (uint64_t at = 0;; at++) {
        while (ca < a->chunks.count && ia == a->chunks.items[ca].bytes.len)
            ca++, ia = 0;
        while (cb < b->chunks.count && ib == b->chunks.items[cb].bytes.len)
            cb++, ib = 0;
        bool ends_a = ca == a->chunks.count, ends_b = cb == b->chunks.count;
        if (ends_a && ends_b)
            return UINT64_MAX;
        if (ends_a || ends_b ||
            a->chunks.items[ca].bytes.ptr[ia++] != b->chunks.items[cb].bytes.ptr[ib++])
            return at;
    }
}

static void judge_read_back(store *s, const lc_call *call)
{
    const lc_store_call *read = call->store;
    const known_state *known = state_of(s, read->state_id);
    if (known->deleted && length_of(read))
        emit(s, LC_RULE_STORE_READ_BACK, call, call->loc,
             lc_str_printf(s->j->scratch, "%llu bytes of a state that %.*s deleted",
                           (unsigned long long)length_of(read),
                           LC_FMT(by(s, known->deleted, call))));
    if (!known->written)
        return;
    const lc_store_call *written = known->written->store;
    uint64_t was = length_of(written), is = length_of(read), at = UINT64_MAX;
    if (has_bytes(read) && has_bytes(written))
        at = first_difference(written, read);
    if (at == UINT64_MAX && was == is)
        return;
    lc_str where = at == UINT64_MAX ? LC_STR_EMPTY
                                    : lc_str_printf(s->j->scratch, ", from byte %llu on",
                                                    (unsigned long long)at);
    emit(s, LC_RULE_STORE_READ_BACK, call, call->loc,
         lc_str_printf(s->j->scratch, "not the state that %.*s wrote: %llu bytes, then %llu%.*s",
                       LC_FMT(by(s, known->written, call)), (unsigned long long)was,
                       (unsigned long long)is, LC_FMT(where)));
}

/* ---- Locks. */

static void judge_lock(store *s, const lc_call *call)
{
    known_state *known = state_of(s, call->store->state_id);
    if (!is_answered(call))
        return;
    if (call->store->lock_id.len == 0) { /* a store without locks answers so */
        emit(s, LC_RULE_STORE_LOCK_ID, call, call->loc, LC_STR("the lock has no ID"));
        return;
    }
    if (known->locked)
        emit(s, LC_RULE_STORE_LOCKED_TWICE, call, call->loc,
             lc_str_printf(s->j->scratch, "locked, though %.*s locked it and it was not unlocked",
                           LC_FMT(by(s, known->locked, call))));
    known->locked = call;
}

static void judge_unlock(store *s, const lc_call *call)
{
    known_state *known = state_of(s, call->store->state_id);
    if (!is_answered(call))
        return;
    bool other = known->locked && !lc_str_eq(known->locked->store->lock_id, call->store->lock_id);
    if (other)
        emit(s, LC_RULE_STORE_UNLOCKED_BY_OTHER, call, call->loc,
             lc_str_printf(s->j->scratch, "unlocked by another ID than that of %.*s",
                           LC_FMT(by(s, known->locked, call))));
    known->locked = NULL;
}

/* ---- The list. */

static bool lists(const lc_store_call *c, lc_str id)
{
    for (size_t i = 0; i < c->states.count; i++) {
        if (lc_str_eq(c->states.items[i], id))
            return true;
    }
    return false;
}

static void judge_states(const store *s, const lc_call *call)
{
    for (size_t i = 0; i < s->states.count && is_answered(call); i++) {
        const known_state *known = s->states.items[i];
        bool listed = lists(call->store, known->id);
        if (known->written && !listed)
            emit(s, LC_RULE_STORE_NOT_LISTED, call, call->loc,
                 lc_str_printf(s->j->scratch, "the state that %.*s wrote is not in the list",
                               LC_FMT(by(s, known->written, call))));
        if (known->deleted && listed)
            emit(s, LC_RULE_STORE_DELETED_LISTED, call, call->loc,
                 lc_str_printf(s->j->scratch, "the state that %.*s deleted is in the list",
                               LC_FMT(by(s, known->deleted, call))));
    }
}

/* ---- The calls in order. */

/* After a call that failed it is open what is stored. */
static void note_change(store *s, const lc_call *call)
{
    known_state *known = state_of(s, call->store->state_id);
    bool good = is_answered(call), writes = call->store->op == LC_STORE_WRITE;
    known->written = good && writes ? call : NULL;
    known->deleted = good && !writes ? call : NULL;
}

static void judge_call(store *s, const lc_call *call)
{
    switch (call->store->op) {
    case LC_STORE_CONFIGURE:
        forget_other_store(s, call);
        if (is_answered(call))
            judge_chunk_size(s, call);
        return;
    case LC_STORE_READ:
        if (is_answered(call) && judge_chunks(s, call))
            judge_read_back(s, call);
        return;
    case LC_STORE_WRITE:
    case LC_STORE_DELETE:
        note_change(s, call);
        return;
    case LC_STORE_LOCK:
        judge_lock(s, call);
        return;
    case LC_STORE_UNLOCK:
        judge_unlock(s, call);
        return;
    case LC_STORE_STATES:
        judge_states(s, call);
        return;
    }
}

bool lc_store_has_bytes(const lc_run *run)
{
    bool any = false;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_store_call *c = run->calls.items[i].store;
        if (c && !has_bytes(c))
            return false;
        any |= c != NULL;
    }
    return any;
}

void lc_judge_store(lc_judge *j)
{
    const lc_run *run = j->view->run;
    store s = {.j = j};
    lc_table_init(&s.by_id, j->scratch);
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].store)
            judge_call(&s, &run->calls.items[i]);
    }
}
