/* fileset: which files a pattern with `**` matches. The clients use two versions of doublestar:
 * Terraform the first one, where braces and classes end at the next slash and bracket, OpenTofu the
 * fourth. As only files count, and only as a set, order and folders do not matter. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/utf8.h"

#include <string.h>

#define MAX_PATTERNS 1000    /* that braces expand to */
#define MAX_STEPS    1000000 /* of comparing names */
#define MAX_FOLDERS  64      /* of each other: more means that links go around */

typedef struct search {
    lc_fn_call *c;
    bool old; /* Terraform's version */
    LC_VEC(lc_str) patterns;
    LC_VEC(lc_str) found; /* paths */
    size_t steps;
    const char *undecided;
    bool bad;     /* the pattern is invalid */
    unsigned top; /* the depth at which the first part with a pattern is matched */
} search;

static void give_up(search *s, const char *why)
{
    s->undecided = s->undecided ? s->undecided : why;
}

static lc_str rest_of(lc_str s, size_t from)
{
    return lc_str_sub(s, from < s.len ? from : s.len, s.len);
}

static bool is_meta(const search *s, char c)
{
    return c == '*' || c == '?' || c == '[' || c == '{' || (s->old && c == '\\');
}

static bool step_taken(search *s)
{
    if (++s->steps > MAX_STEPS)
        give_up(s, "the pattern takes too many steps");
    return !s->undecided && !s->bad;
}

static bool bad_pattern(search *s)
{
    s->bad = true;
    return false;
}

/* ---- A step of a path against a part of the pattern: version 4, after braces. */

/* A class, after its opening bracket; *at moves past the closing one. */
static bool in_class(search *s, lc_str pattern, size_t *at, uint32_t rune)
{
    bool negate = *at < pattern.len && (pattern.ptr[*at] == '^' || pattern.ptr[*at] == '!');
    bool matched = false;
    uint32_t last = LC_RUNE_BAD;
    *at += negate;
    while (*at < pattern.len && pattern.ptr[*at] != ']') {
        uint32_t low = lc_utf8_next(pattern, at);
        if (last != LC_RUNE_BAD && low == '-' && *at < pattern.len && pattern.ptr[*at] != ']') {
            *at += pattern.ptr[*at] == '\\' && *at + 1 < pattern.len;
            uint32_t high = lc_utf8_next(pattern, at);
            matched |= last <= rune && rune <= high;
            last = LC_RUNE_BAD;
            continue;
        }
        if (low == '\\' && *at < pattern.len)
            low = lc_utf8_next(pattern, at);
        matched |= low == rune;
        last = low;
    }
    if (*at == pattern.len)
        return bad_pattern(s);
    ++*at;
    return matched != negate;
}

/* Two places to go on from after a star; longer ones replace shorter ones, so that the time is at
 * most the product of both lengths. */
static bool matches_new(search *s, lc_str pattern, lc_str name)
{
    size_t p = 0, n = 0, star = SIZE_MAX, from = 0;
    while (n < name.len && step_taken(s)) {
        size_t next = n, after = p;
        uint32_t rune = lc_utf8_next(name, &next);
        char c = p < pattern.len ? pattern.ptr[p] : '\0';
        bool same = false;
        if (p < pattern.len && c == '*') {
            star = ++p;
            from = n;
            continue;
        }
        if (p < pattern.len && c == '[') {
            after = p + 1;
            same = in_class(s, pattern, &after, rune);
        } else if (p < pattern.len) {
            after += c == '\\' && p + 1 < pattern.len;
            same = lc_utf8_next(pattern, &after) == rune || c == '?';
        }
        if (same) {
            p = after;
            n = next;
        } else if (star != SIZE_MAX) {
            lc_utf8_next(name, &from);
            n = from;
            p = star;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

/* ---- The same in version 1. */

/* The next such character that no backslash precedes, or the end. */
static size_t find_plain(lc_str s, size_t from, char c)
{
    size_t at = lc_str_find(s, from, c);
    while (at < s.len && at > from && s.ptr[at - 1] == '\\')
        at = lc_str_find(s, at + 1, c);
    return at;
}

/* One end of a range. Hyphens need a backslash. */
static bool range_end(search *s, lc_str class, size_t *at, uint32_t *out)
{
    *out = lc_utf8_next(class, at);
    if (*out == '-')
        return bad_pattern(s);
    if (*out != '\\')
        return true;
    if (*at == class.len)
        return bad_pattern(s);
    *out = lc_utf8_next(class, at);
    return true;
}

static bool in_old_class(search *s, lc_str class, uint32_t rune)
{
    bool negate = class.len > 0 && class.ptr[0] == '^', matched = false;
    if (class.len == 0)
        return bad_pattern(s);
    for (size_t at = negate; at < class.len;) {
        uint32_t low, high;
        if (!range_end(s, class, &at, &low))
            return false;
        high = low;
        if (at < class.len && class.ptr[at] == '-') {
            if (++at == class.len)
                return bad_pattern(s);
            if (!range_end(s, class, &at, &high))
                return false;
        }
        matched |= low <= rune && rune <= high;
    }
    return matched != negate;
}

static bool matches_old(search *s, lc_str pattern, lc_str name);

/* Any of the options between braces, and what follows them. */
static bool matches_options(search *s, lc_str pattern, lc_str name)
{
    size_t end = find_plain(pattern, 1, '}');
    if (end == pattern.len)
        return bad_pattern(s);
    for (size_t at = 1, comma; at <= end; at = comma + 1) {
        comma = find_plain(lc_str_sub(pattern, 0, end), at, ',');
        lc_str option =
            lc_str_printf(s->c->e->arena, "%.*s%.*s", LC_FMT(lc_str_sub(pattern, at, comma)),
                          LC_FMT(rest_of(pattern, end + 1)));
        if (matches_old(s, option, name))
            return true;
        if (s->bad)
            return false;
    }
    return false;
}

static bool matches_star(search *s, lc_str pattern, lc_str name)
{
    size_t width = 0; /* steps have the width of the first character, regardless of what follows */
    if (pattern.len == 1)
        return true;
    lc_utf8_next(name, &width);
    for (size_t at = 0; at < name.len && step_taken(s); at += width) {
        bool was_bad = s->bad;
        if (matches_old(s, rest_of(pattern, 1), rest_of(name, at)))
            return true;
        s->bad = was_bad; /* errors after a star are dropped */
    }
    return false;
}

/* One character of the name. *used: what it takes of the pattern. */
static bool matches_one(search *s, lc_str pattern, uint32_t rune, size_t *used)
{
    char c = pattern.ptr[0];
    *used = 0;
    if (c == '[') {
        size_t end = find_plain(pattern, 1, ']');
        *used = end + 1;
        return end == pattern.len ? bad_pattern(s)
                                  : in_old_class(s, lc_str_sub(pattern, 1, end), rune);
    }
    *used = c == '\\';
    if (*used == pattern.len)
        return bad_pattern(s);
    return lc_utf8_next(pattern, used) == rune || c == '?';
}

static bool matches_old(search *s, lc_str pattern, lc_str name)
{
    if (pattern.len == 0 || (name.len == 0 && !lc_str_is(pattern, "*")))
        return pattern.len == name.len;
    while (pattern.len > 0 && name.len > 0 && step_taken(s)) {
        size_t used, next = 0;
        if (pattern.ptr[0] == '*')
            return matches_star(s, pattern, name);
        if (pattern.ptr[0] == '{')
            return matches_options(s, pattern, name);
        if (!matches_one(s, pattern, lc_utf8_next(name, &next), &used))
            return false;
        pattern = rest_of(pattern, used);
        name = rest_of(name, next);
    }
    return name.len == 0 &&
           (pattern.len == 0 || lc_str_is(pattern, "*") || lc_str_is(pattern, "**"));
}

static bool matches(search *s, lc_str pattern, lc_str name)
{
    return s->old ? matches_old(s, pattern, name) : matches_new(s, pattern, name);
}

/* ---- Patterns: braces of version 4 expand to several. */

/* The brace that closes the one before `at`; *comma: the first comma between them. */
static size_t closing(lc_str s, size_t at, size_t *comma)
{
    size_t depth = 1;
    *comma = SIZE_MAX;
    for (; at < s.len; at++) {
        char c = s.ptr[at];
        if (c == '\\') {
            at++;
            continue;
        }
        depth += c == '{';
        depth -= c == '}';
        if (depth == 0)
            return at;
        if (c == ',' && depth == 1 && *comma == SIZE_MAX)
            *comma = at;
    }
    return s.len;
}

/* The offset after the class that begins at `at`; the end if it is not closed, or is empty. */
static size_t behind_class(lc_str p, size_t at)
{
    at++;
    at += at < p.len && (p.ptr[at] == '^' || p.ptr[at] == '!');
    if (at < p.len && p.ptr[at] == ']')
        return p.len + 1;
    for (; at < p.len; at++) {
        if (p.ptr[at] == ']')
            return at;
        at += p.ptr[at] == '\\';
    }
    return p.len + 1;
}

/* The first opening brace; in classes they mean themselves. */
static size_t first_brace(lc_str s)
{
    for (size_t at = 0; at < s.len; at++) {
        if (s.ptr[at] == '{')
            return at;
        if (s.ptr[at] == '[')
            at = behind_class(s, at);
        else
            at += s.ptr[at] == '\\';
    }
    return s.len;
}

static void add_patterns(search *s, lc_str pattern, unsigned depth)
{
    size_t open = first_brace(pattern), comma;
    if (s->patterns.count >= MAX_PATTERNS || depth > MAX_PATTERNS) {
        give_up(s, "the pattern stands for too many others");
        return;
    }
    if (open == pattern.len) {
        *LC_PUSH(s->c->e->arena, &s->patterns, lc_str) = pattern;
        return;
    }
    size_t end = closing(pattern, open + 1, &comma);
    for (size_t at = open + 1; at <= end && !s->undecided; at = comma + 1) {
        size_t inner = closing(pattern, at, &comma);
        comma = comma < inner ? comma : end;
        lc_str one = lc_str_printf(
            s->c->e->arena, "%.*s%.*s%.*s", LC_FMT(lc_str_sub(pattern, 0, open)),
            LC_FMT(lc_str_sub(pattern, at, comma)), LC_FMT(rest_of(pattern, end + 1)));
        add_patterns(s, one, depth + 1);
    }
}

/* Version 4 looks at the whole pattern first. */
static bool is_valid(lc_str p)
{
    size_t depth = 0;
    for (size_t at = 0; at < p.len; at++) {
        char c = p.ptr[at];
        if (c == '\\' && ++at == p.len)
            return false;
        if (c == '[')
            at = behind_class(p, at);
        if (at > p.len || (c == '}' && depth == 0))
            return false;
        depth += c == '{';
        depth -= c == '}';
    }
    return depth == 0;
}

/* It does not look at the folders before the first part with a pattern. */
static lc_str checked_part(lc_str p)
{
    size_t from = 0;
    for (size_t at = 0; at < p.len && !memchr("*?[{", p.ptr[at], 4); at++) {
        if (p.ptr[at] == '/')
            from = at + 1;
        at += p.ptr[at] == '\\';
    }
    lc_str part = rest_of(p, from);
    bool folder = part.len == 0 || lc_str_is(part, ".") || lc_str_is(part, "..");
    return folder ? p : part;
}

/* ---- Folders. */

static lc_str below(search *s, lc_str folder, lc_str name)
{
    if (lc_str_is(folder, "."))
        return name;
    return lc_str_printf(s->c->e->arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(name));
}

static void add_found(search *s, lc_str path)
{
    *LC_PUSH(s->c->e->arena, &s->found, lc_str) = path;
}

static void refuse(search *s, const lc_file_answer *file)
{
    lc_str why = lc_str_printf(s->c->e->arena, "a file is not looked at, because %.*s",
                               LC_FMT(file->reason));
    give_up(s, lc_str_to_c(s->c->e->arena, why));
}

/* A part without any pattern: the file or folder of that name. */
static lc_str plain_name(search *s, lc_str part)
{
    char *to = lc_arena_alloc(s->c->e->arena, part.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < part.len; i++) {
        bool escaped = part.ptr[i] == '\\' && i + 1 < part.len &&
                       memchr("*?[]{}", part.ptr[i + 1], sizeof "*?[]{}" - 1);
        to[len++] = part.ptr[i += escaped];
    }
    return (lc_str){to, len};
}

static bool has_meta(const search *s, lc_str part)
{
    for (size_t i = 0; i < part.len; i++) {
        if (is_meta(s, part.ptr[i]))
            return true;
        i += part.ptr[i] == '\\';
    }
    return false;
}

/* The position of a search in the pattern. */
typedef struct place {
    lc_str folder;
    lc_str pattern; /* what is still to be matched */
    unsigned depth;
} place;

static void descend(search *s, place at);

/* A file or folder that the part matched. */
static void enter(search *s, const place *at, lc_str name, lc_file_kind kind, lc_str rest)
{
    lc_str path = below(s, at->folder, name);
    if (kind == LC_FILE_REFUSED)
        give_up(s, "a symbolic link leads out of the configuration");
    else if (rest.len == 0 && kind == LC_FILE_REGULAR)
        add_found(s, path);
    else if (rest.len > 0 && kind == LC_FILE_FOLDER)
        descend(s, (place){path, rest, at->depth + 1});
}

static void visit(search *s, const place *at, const lc_file_entry *entry, lc_str part, lc_str rest)
{
    bool any = lc_str_is(part, "**");
    if (!any) {
        if (matches(s, part, entry->name))
            enter(s, at, entry->name, entry->kind, rest);
        return;
    }
    /* `**` also matches no folder, and continues in every folder. */
    if (entry->kind == LC_FILE_FOLDER)
        descend(s, (place){below(s, at->folder, entry->name), at->pattern, at->depth + 1});
    else if (rest.len == 0)
        enter(s, at, entry->name, entry->kind, rest);
}

static void descend(search *s, place at)
{
    size_t slash = s->old ? find_plain(at.pattern, 0, '/') : lc_str_find(at.pattern, 0, '/');
    lc_str part = lc_str_sub(at.pattern, 0, slash), rest = rest_of(at.pattern, slash + 1);
    lc_file_answer file = {.kind = LC_FILE_MISSING};
    if (at.depth > MAX_FOLDERS)
        give_up(s, "the folders are nested too deeply");
    bool folders = slash < at.pattern.len && rest.len == 0; /* a slash at the end */
    if (!step_taken(s) || part.len == 0 || folders)
        return;
    if (!has_meta(s, part)) {
        lc_str name = s->old ? part : plain_name(s, part);
        s->top += at.depth == s->top;
        file = lc_fn_open(s->c, below(s, at.folder, name), LC_FILE_LOOK);
        if (file.kind == LC_FILE_REFUSED && rest.len == 0)
            refuse(s, &file);
        else if (file.kind == LC_FILE_REFUSED)
            descend(s, (place){below(s, at.folder, name), rest, at.depth + 1});
        else
            enter(s, &at, name, file.kind, rest);
        return;
    }
    file = lc_fn_open(s->c, at.folder, LC_FILE_LIST);
    if (file.kind == LC_FILE_REFUSED)
        refuse(s, &file);
    for (size_t i = 0; i < file.entries.count && !s->undecided; i++)
        visit(s, &at, &file.entries.items[i], part, rest);
    /* Below the first folder, whether Terraform reports it depends on the order of the files. */
    if (s->bad && at.depth > s->top)
        give_up(s, "the pattern is malformed");
    if (lc_str_is(part, "**") && rest.len > 0 && file.kind == LC_FILE_FOLDER)
        descend(s, (place){at.folder, rest, at.depth + 1});
}

/* ---- The function. */

/* How many steps two clean paths have in common: the offset after the last common slash. */
static size_t common(lc_str a, lc_str b)
{
    size_t last = 0;
    for (size_t i = 0; i <= a.len && i <= b.len; i++) {
        bool ends_a = i == a.len || a.ptr[i] == '/', ends_b = i == b.len || b.ptr[i] == '/';
        if (ends_a && ends_b)
            last = i + 1;
        if (i == a.len || i == b.len || a.ptr[i] != b.ptr[i])
            break;
    }
    return last;
}

/* filepath.Rel for clean relative paths. */
static lc_str relative(lc_arena *arena, lc_str from, lc_str path)
{
    lc_buf buf = {0};
    if (lc_str_is(from, "."))
        return path;
    size_t same = common(from, path);
    for (size_t at = same; at < from.len;) {
        lc_buf_add_c(&buf, "../");
        at = lc_str_find(from, at, '/') + 1;
    }
    lc_buf_add_str(&buf, rest_of(path, same));
    return lc_buf_take(arena, &buf);
}

static bool give_found(search *s, lc_str from)
{
    lc_fn_call *c = s->c;
    lc_value v, *elems = LC_NEW_ARRAY(c->e->arena, lc_value, s->found.count);
    for (size_t i = 0; i < s->found.count; i++)
        lc_value_set_string(&elems[i], c->e->arena, relative(c->e->arena, from, s->found.items[i]));
    return lc_value_set_set(&v, c->e->arena, c->type, elems, s->found.count) && lc_fn_give(c, &v);
}

static bool find(lc_fn_call *c)
{
    lc_arena *arena = c->e->arena;
    search s = {.c = c, .old = !lc_fn_is_opentofu(c)};
    lc_str path = lc_path_clean(arena, lc_fn_text(c, 0));
    lc_str whole = lc_path_clean(
        arena, lc_str_printf(arena, "%.*s/%.*s", LC_FMT(path), LC_FMT(lc_fn_text(c, 1))));
    if (path.ptr[0] == '/')
        return lc_fn_give_undecided(c, "files outside of the configuration are not looked at");
    if (!s.old && !is_valid(checked_part(whole)))
        return lc_fn_fail(c, "the pattern is malformed");
    if (s.old)
        *LC_PUSH(arena, &s.patterns, lc_str) = whole;
    else
        add_patterns(&s, whole, 0);
    for (size_t i = 0; i < s.patterns.count && !s.undecided; i++)
        descend(&s, (place){LC_STR("."), s.patterns.items[i], 0});
    if (s.undecided)
        return lc_fn_give_undecided(c, s.undecided);
    return s.bad ? lc_fn_fail(c, "the pattern is malformed") : give_found(&s, path);
}

bool lc_fn_fileset(lc_fn_call *c)
{
    bool known = lc_is_known(lc_fn_arg(c, 0)) && lc_is_known(lc_fn_arg(c, 1));
    if (!(known ? find(c) : lc_fn_give_unknown(c)))
        return false;
    lc_fn_add_marks(c, 0);
    lc_fn_add_marks(c, 1);
    return true;
}
