/* Patterns with Go's syntax, matched by PCRE2. Go's matching is linear in the text, PCRE2's
 * backtracks, so every search is limited and may stay undecided. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "lifecheck/regexp/pattern.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "regexp/internal.h"

#include <pcre2.h>

/* Limits of one search: about a tenth of a second, and a few megabytes. */
#define MAX_STEPS   1000000
#define FEW_STEPS   10000
#define MAX_SCANNED 500000000  /* steps, each along the whole text */
#define MAX_FOUND   4000000000 /* bytes that one series of searches may scan, in the worst case */
#define SHORT_TEXT  2048
#define LONG_TEXT   16384
#define MAX_HEAP_KB 16384
#define MAX_PATTERN ((size_t)256 << 10) /* bytes of a pattern, before it counts as too large */

struct lc_pattern {
    const pcre2_code *code;
    lc_group_names groups;
};

/* ---- Memory for PCRE2: compiled patterns live in arenas, what a search needs is on the heap. */

static void *arena_block(size_t size, void *arena)
{
    return lc_arena_alloc(arena, size);
}

/* The arena frees everything at once. */
static void arena_keeps(void *block, void *arena)
{
    (void)block;
    (void)arena;
}

static void *heap_block(size_t size, void *nothing)
{
    (void)nothing;
    return lc_heap_alloc(size);
}

static void heap_frees(void *block, void *nothing)
{
    (void)nothing;
    lc_heap_free(block);
}

/* ---- Making. */

static lc_pattern_use refused(lc_str *why, lc_arena *arena, int error)
{
    PCRE2_UCHAR words[128];
    pcre2_get_error_message(error, words, sizeof words);
    *why = lc_str_copy(arena, lc_str_from_c((const char *)words));
    return LC_PATTERN_UNUSABLE;
}

/* The options make PCRE2 agree with Go: `$` matches at the very end only, and (?m)^ also after a
 * final line feed. */
static lc_pattern_use compile(lc_pattern **out, lc_str *why, lc_arena *arena, lc_str text)
{
    int error;
    PCRE2_SIZE offset;
    pcre2_general_context *memory = pcre2_general_context_create(arena_block, arena_keeps, arena);
    pcre2_compile_context *context = pcre2_compile_context_create(memory);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    uint32_t options =
        PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | PCRE2_ALT_CIRCUMFLEX;
    const pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options, &error, &offset, context);
    if (!code)
        return refused(why, arena, error);
    lc_pattern *made = LC_NEW(arena, lc_pattern);
    made->code = code;
    *out = made;
    return LC_PATTERN_USABLE;
}

/* The limit comes first, so that translating takes a bounded time. `finds`: groups capture, and a
 * callout at the beginning counts the places where a match is tried. */
static lc_pattern_use make(lc_pattern **out, lc_str *why, lc_arena *arena, lc_str text, bool finds)
{
    lc_buf buf = {0};
    lc_group_names groups = {{0}, false};
    *out = NULL;
    *why = LC_STR_EMPTY;
    if (text.len > MAX_PATTERN) {
        *why = LC_STR("regular expression is too large");
        return LC_PATTERN_UNUSABLE;
    }
    const char *beyond;
    lc_buf_add_c(&buf, finds ? "(?C)(?:" : "");
    const char *trouble = lc_pattern_translate(&buf, &beyond, arena, text, finds ? &groups : NULL);
    lc_buf_add_c(&buf, finds ? ")" : "");
    if (trouble || beyond) {
        *why = lc_str_from_c(trouble ? trouble : beyond);
        lc_buf_release(&buf);
        return trouble ? LC_PATTERN_NOT_GO : LC_PATTERN_UNUSABLE;
    }
    lc_pattern_use use = compile(out, why, arena, lc_buf_str(&buf));
    lc_buf_release(&buf);
    if (*out)
        (*out)->groups = groups;
    return use;
}

lc_pattern_use lc_pattern_new(const lc_pattern **out, lc_str *why, lc_arena *arena, lc_str text)
{
    lc_pattern *made;
    lc_pattern_use use = make(&made, why, arena, text, false);
    *out = made;
    return use;
}

lc_pattern_use lc_pattern_new_finder(const lc_pattern **out, lc_str *why, lc_arena *arena,
                                     lc_str text)
{
    lc_pattern *made;
    lc_pattern_use use = make(&made, why, arena, lc_str_copy(arena, text), true);
    *out = made;
    return use;
}

size_t lc_pattern_groups(const lc_pattern *pattern)
{
    return pattern->groups.list.count;
}

bool lc_pattern_groups_unsure(const lc_pattern *pattern)
{
    return pattern->groups.unsure;
}

lc_str lc_pattern_group_name(const lc_pattern *pattern, size_t i)
{
    return pattern->groups.list.items[i];
}

/* ---- Matching. */

static int search(const lc_pattern *pattern, lc_str text, uint32_t steps)
{
    pcre2_general_context *memory = pcre2_general_context_create(heap_block, heap_frees, NULL);
    pcre2_match_context *context = pcre2_match_context_create(memory);
    pcre2_match_data *data = pcre2_match_data_create(1, memory);
    pcre2_set_match_limit(context, steps);
    pcre2_set_heap_limit(context, MAX_HEAP_KB);
    int found = pcre2_match(pattern->code, (PCRE2_SPTR)text.ptr, text.len, 0, 0, data, context);
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
    pcre2_general_context_free(memory);
    return found;
}

/* PCRE2's step limit does not count scanning along the text, so long strings get fewer steps. If a
 * pattern is not anchored, a search restarts at every character, which is quadratic: such patterns
 * are searched in strings of limited length only. */
static bool begins_once(const lc_pattern *pattern)
{
    uint32_t options = 0;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_ALLOPTIONS, &options);
    return (options & PCRE2_ANCHORED) != 0;
}

static uint32_t most_steps(lc_str text, uint32_t steps)
{
    size_t most = MAX_SCANNED / (text.len + 1) + 1;
    return most < steps ? (uint32_t)most : steps;
}

/* Most searches need few steps. Only if these are not enough is the search repeated with the full
 * limit, which is counted in *long_ones. */
lc_pattern_match lc_pattern_search(const lc_pattern *pattern, lc_str text, unsigned *long_ones)
{
    bool is_long = text.len > SHORT_TEXT && !begins_once(pattern);
    if (is_long && (text.len > LONG_TEXT || *long_ones >= LC_MAX_LONG_SEARCHES))
        return LC_PATTERN_UNDECIDED;
    *long_ones += is_long;
    int found = search(pattern, text, most_steps(text, FEW_STEPS));
    if (found == PCRE2_ERROR_MATCHLIMIT && *long_ones < LC_MAX_LONG_SEARCHES) {
        ++*long_ones;
        found = search(pattern, text, most_steps(text, MAX_STEPS));
    }
    if (found >= 0)
        return LC_PATTERN_MATCHES;
    return found == PCRE2_ERROR_NOMATCH ? LC_PATTERN_DIFFERS : LC_PATTERN_UNDECIDED;
}

/* ---- Finding. */

struct lc_pattern_series {
    const lc_pattern *pattern;
    lc_str text;
    uint64_t left; /* what may still be scanned, in bytes */
    pcre2_general_context *memory;
    pcre2_match_context *context;
    pcre2_match_data *data;
    size_t *spans;
};

/* At each place where a match is tried, the rest of the text may be scanned. */
static int charge(pcre2_callout_block *block, void *finding)
{
    lc_pattern_series *f = finding;
    uint64_t cost = block->subject_length - block->current_position + 16;
    if (f->left < cost)
        return PCRE2_ERROR_MATCHLIMIT;
    f->left -= cost;
    return 0;
}

lc_pattern_series *lc_pattern_series_new(lc_arena *arena, const lc_pattern *pattern, lc_str text)
{
    lc_pattern_series *f = LC_NEW(arena, lc_pattern_series);
    f->pattern = pattern;
    f->text = text;
    f->left = lc_utf8_valid(text) ? MAX_FOUND : 0;
    f->spans = LC_NEW_ARRAY(arena, size_t, 2 * (lc_pattern_groups(pattern) + 1));
    f->memory = pcre2_general_context_create(heap_block, heap_frees, NULL);
    f->context = pcre2_match_context_create(f->memory);
    f->data = pcre2_match_data_create_from_pattern(pattern->code, f->memory);
    pcre2_set_match_limit(f->context, most_steps(text, MAX_STEPS));
    pcre2_set_heap_limit(f->context, MAX_HEAP_KB);
    pcre2_set_callout(f->context, charge, f);
    return f;
}

void lc_pattern_series_free(lc_pattern_series *f)
{
    pcre2_match_data_free(f->data);
    pcre2_match_context_free(f->context);
    pcre2_general_context_free(f->memory);
}

/* The whole text was checked to be UTF-8 once. */
lc_pattern_match lc_pattern_series_next(lc_pattern_series *f, size_t from, const size_t **spans)
{
    if (f->left == 0)
        return LC_PATTERN_UNDECIDED;
    int found = pcre2_match(f->pattern->code, (PCRE2_SPTR)f->text.ptr, f->text.len, from,
                            PCRE2_NO_UTF_CHECK, f->data, f->context);
    if (found < 0)
        return found == PCRE2_ERROR_NOMATCH ? LC_PATTERN_DIFFERS : LC_PATTERN_UNDECIDED;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(f->data);
    for (size_t i = 0; i < 2 * (lc_pattern_groups(f->pattern) + 1); i++)
        f->spans[i] = at[i] == PCRE2_UNSET ? LC_NO_SPAN : at[i];
    *spans = f->spans;
    return LC_PATTERN_MATCHES;
}
