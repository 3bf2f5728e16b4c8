/* Byte strings with a length. NULL pointers with length 0 are allowed, hence the tests before
 * memcpy and memcmp. */
#include "lifecheck/base/str.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lc_str lc_str_from_c(const char *text)
{
    return (lc_str){text, strlen(text)};
}

lc_str lc_str_copy(lc_arena *arena, lc_str s)
{
    char *copy = lc_arena_alloc(arena, s.len);
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    return (lc_str){copy, s.len};
}

char *lc_str_to_c(lc_arena *arena, lc_str s)
{
    char *copy = lc_arena_alloc(arena, lc_add_size(s.len, 1));
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

lc_str lc_str_printf(lc_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    LC_ASSERT(len >= 0);
    char *text = lc_arena_alloc(arena, (size_t)len + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return (lc_str){text, (size_t)len};
}

bool lc_str_is_one_of(lc_str a, const char *const *words, size_t *at)
{
    for (size_t i = 0; words[i]; i++) {
        if (lc_str_is(a, words[i])) {
            if (at)
                *at = i;
            return true;
        }
    }
    return false;
}

/* Compares without building the other form. */
bool lc_str_is_camel(lc_str a, const char *snake)
{
    size_t at = 0;
    for (const char *c = snake; *c; c++) {
        bool upper = *c == '_' && c[1];
        char want = upper ? lc_to_upper(c[1]) : *c;
        if (at >= a.len || a.ptr[at++] != want)
            return false;
        c += upper;
    }
    return at == a.len;
}

int lc_str_cmp(lc_str a, lc_str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(*(const lc_str *)a, *(const lc_str *)b);
}

void lc_str_sort(lc_str *items, size_t count)
{
    if (count)
        qsort(items, count, sizeof *items, by_text);
}

bool lc_str_starts_with(lc_str s, lc_str prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

size_t lc_str_find(lc_str s, size_t from, char c)
{
    const char *found = from < s.len ? memchr(s.ptr + from, c, s.len - from) : NULL;
    return found ? (size_t)(found - s.ptr) : from < s.len ? s.len : from;
}

/* memchr finds candidates for the first byte quickly. */
size_t lc_str_find_str(lc_str s, lc_str part)
{
    size_t at = 0;
    while (part.len && at + part.len <= s.len) {
        const char *first = memchr(s.ptr + at, part.ptr[0], s.len - part.len - at + 1);
        if (!first)
            return s.len;
        at = (size_t)(first - s.ptr);
        if (memcmp(first, part.ptr, part.len) == 0)
            return at;
        at++;
    }
    return part.len ? s.len : 0;
}

bool lc_str_contains(lc_str s, lc_str part)
{
    return part.len == 0 || lc_str_find_str(s, part) < s.len;
}

bool lc_str_ends_with(lc_str s, lc_str suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

lc_str lc_str_sub(lc_str s, size_t from, size_t to)
{
    LC_ASSERT(from <= to && to <= s.len);
    return (lc_str){s.ptr ? s.ptr + from : NULL,
                    to - from}; /* NULL + 0 would be undefined behaviour */
}

/* Greedy matching that returns to the last star only; earlier stars need no retry. Quadratic at
 * worst. */
bool lc_str_matches_glob(lc_str s, lc_str pattern)
{
    size_t i = 0, p = 0, star = (size_t)-1, retry = 0;
    while (i < s.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            retry = i;
        } else if (p < pattern.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == s.ptr[i])) {
            p++;
            i++;
        } else if (star != (size_t)-1) {
            p = star + 1;
            i = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

/* Edit distance with transpositions of neighbours (optimal string alignment), for words of at most
 * 64 bytes. Only three rows are kept. */
static size_t edit_distance(lc_str a, lc_str b)
{
    size_t rows[3][65];
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t best = before[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
            if (before[j] + 1 < best)
                best = before[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1] &&
                two[j - 2] + 1 < best)
                best = two[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[a.len % 3][b.len];
}

/* A difference in length is a lower bound of the distance, so most candidates need no computation.
 * Of equally near ones the first wins. */
static void take_nearer(lc_str *best, size_t *best_distance, lc_str word, lc_str candidate)
{
    size_t longer = candidate.len > word.len ? candidate.len - word.len : word.len - candidate.len;
    if (word.len > 64 || candidate.len > 64 || longer > *best_distance)
        return;
    size_t distance = edit_distance(word, candidate);
    /* No slip changes half of a word in more than one place. */
    if (distance > 1 && 2 * distance >= (word.len > candidate.len ? word.len : candidate.len))
        return;
    if (distance < *best_distance || (distance == *best_distance && best->len == 0)) {
        *best = candidate;
        *best_distance = distance;
    }
}

/* One change in three characters is still taken for a mistake. */
lc_str lc_str_nearest(lc_str word, const lc_str *candidates, size_t count)
{
    lc_str best = LC_STR_EMPTY;
    size_t distance = word.len / 3 + 1;
    for (size_t i = 0; i < count; i++)
        take_nearer(&best, &distance, word, candidates[i]);
    return best;
}

lc_str lc_str_nearest_word(lc_str word, const char *const *words)
{
    lc_str best = LC_STR_EMPTY;
    size_t distance = word.len / 3 + 1;
    for (size_t i = 0; words[i]; i++)
        take_nearer(&best, &distance, word, lc_str_from_c(words[i]));
    return best;
}

/* Like dirname, but without changing the path. */
lc_str lc_file_folder(lc_str path)
{
    size_t end = path.len;
    while (end > 1 && path.ptr[end - 1] == '/')
        end--;
    while (end && path.ptr[end - 1] != '/')
        end--;
    while (end > 1 && path.ptr[end - 1] == '/')
        end--;
    return end ? lc_str_sub(path, 0, end) : LC_STR(".");
}

lc_str lc_file_name(lc_str path)
{
    size_t end = path.len;
    while (end > 1 && path.ptr[end - 1] == '/')
        end--;
    size_t from = end;
    while (from && path.ptr[from - 1] != '/')
        from--;
    return lc_str_sub(path, from, end);
}

static bool is_of_file_word(char c)
{
    return lc_is_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
}

lc_str lc_file_word(lc_arena *arena, lc_str text)
{
    enum { FINGERPRINT = 17 };
    bool same = text.len > 0 && text.len <= LC_FILE_WORD && text.ptr[0] != '.';
    for (size_t i = 0; same && i < text.len; i++)
        same = is_of_file_word(text.ptr[i]);
    if (same)
        return text;
    char word[LC_FILE_WORD];
    size_t len = 0;
    for (size_t i = 0; i < text.len && len < LC_FILE_WORD - FINGERPRINT; i++) {
        char c = lc_to_lower(text.ptr[i]);
        word[len] = is_of_file_word(c) && (len > 0 || c != '.') ? c : '_';
        len++;
    }
    if (len == 0)
        word[len++] = '_';
    return lc_str_printf(arena, "%.*s-%016llx", (int)len, word,
                         (unsigned long long)lc_str_fingerprint(text));
}

lc_str lc_foreign_file_name(lc_str path)
{
    size_t from = path.len;
    while (from && path.ptr[from - 1] != '/' && path.ptr[from - 1] != '\\')
        from--;
    return lc_str_sub(path, from, path.len);
}
