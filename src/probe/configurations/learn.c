/* Reads constraints on values from errors of validate and plan, as the SDKs and the providers that
 * use them word them. Constraints change the form; whether they are right shows the next query. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/contract/case.h"
#include "probe/configurations/form.h"

#include <string.h>

#define MOST_NAMED  16 /* attributes that one message names */
#define MOST_WORDS  64
#define MOST_TURNS  12
#define MOST_ITEMS  20
#define MOST_DIGITS 40
#define MOST_ERRORS 200

typedef struct learner {
    lc_arena *arena;
    lc_slot *root;
    lc_str message, lower; /* summary and detail; the same in lower case */
    lc_slot *slot;         /* what it is about, or NULL */
    lc_slot *named[MOST_NAMED];
    size_t named_count;
} learner;

static bool mentions(const learner *l, const char *words)
{
    return lc_str_contains(l->lower, lc_str_from_c(words));
}

/* The position after `words` in the message; SIZE_MAX: the message does not contain them. */
static size_t after(const learner *l, const char *words)
{
    size_t n = strlen(words);
    for (size_t i = 0; i + n <= l->lower.len; i++) {
        if (memcmp(l->lower.ptr + i, words, n) == 0)
            return i + n;
    }
    return SIZE_MAX;
}

/* ---- What it is about. */

static lc_slot *child(const lc_slot *slot, lc_str name)
{
    for (size_t i = 0; i < slot->count; i++) {
        if (lc_str_eq(slot->below[i].name, name))
            return &slot->below[i];
    }
    return NULL;
}

static lc_slot *at_path(lc_slot *root, lc_path path)
{
    lc_slot *slot = root;
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        lc_slot *inner = child(slot, path.steps[i].name);
        if (!inner)
            break;
        slot = inner;
    }
    return slot == root ? NULL : slot;
}

/* The nearest to the root, in the schema's order. */
static lc_slot *anywhere(lc_slot *slot, lc_str name, unsigned depth)
{
    lc_slot *found = child(slot, name);
    for (size_t i = 0; !found && depth < 4 && i < slot->count; i++)
        found = anywhere(&slot->below[i], name, depth + 1);
    return found;
}

/* "rule.0.port", or a single name; next to the attribute that the message is about, or anywhere. */
static lc_slot *by_words(learner *l, lc_str words)
{
    lc_slot *slot = l->root;
    size_t steps = 0;
    for (size_t at = 0; slot && at < words.len;) {
        size_t end = lc_str_find(words, at, '.');
        lc_str part = lc_str_sub(words, at, end);
        at = end + 1;
        if (part.len == 0 || lc_is_digit(part.ptr[0]) || part.ptr[0] == '<' || part.ptr[0] == '#')
            continue;
        slot = child(slot, part);
        steps++;
    }
    if (slot && slot != l->root)
        return slot;
    if (steps != 1)
        return NULL;
    lc_slot *beside = l->slot && l->slot->up ? child(l->slot->up, words) : NULL;
    return beside ? beside : anywhere(l->root, words, 0);
}

static void add_named(learner *l, lc_str words)
{
    lc_slot *slot = words.len && words.len < 200 ? by_words(l, words) : NULL;
    for (size_t i = 0; i < l->named_count; i++) {
        if (l->named[i] == slot)
            return;
    }
    if (slot && l->named_count < MOST_NAMED)
        l->named[l->named_count++] = slot;
}

static bool is_of_name(char c)
{
    return lc_is_alnum(c) || c == '_' || c == '.' || c == '<' || c == '#' || c == '-';
}

static bool is_mark(char c)
{
    return c == '"' || c == '`' || c == '\'' || c == '[' || c == ']' || c == ',';
}

/* Is it a name in the message, not a word of English: after a dot or a quote, or no word at all? */
static bool names(const learner *l, lc_str name)
{
    bool sure = lc_str_contains(name, LC_STR("_"));
    for (size_t from = 0, i = 0; i <= l->message.len; i++) {
        if (i < l->message.len && (lc_is_alnum(l->message.ptr[i]) || l->message.ptr[i] == '_'))
            continue;
        bool marked =
            from && (l->message.ptr[from - 1] == '.' || is_mark(l->message.ptr[from - 1]));
        if ((sure || marked) && lc_str_eq(lc_str_sub(l->message, from, i), name))
            return true;
        from = i + 1;
    }
    return false;
}

/* SDKv2 names the attribute in some messages, and may give them a path that ends in any attribute
 * of its block: its paths share memory. */
static void believe_words(learner *l)
{
    lc_slot *own = l->slot, *named = NULL;
    for (size_t i = 0; own && own->up && i < own->up->count; i++) {
        lc_slot *sibling = &own->up->below[i];
        if (!names(l, sibling->name))
            continue;
        if (sibling == own || named) /* it is right, or one of several */
            return;
        named = sibling;
    }
    if (named)
        l->slot = named;
}

/* The name that follows these words is what the message is about; for elements of sets the path of
 * the error ends at the set. SDKv2's own messages begin with the first words: there the path may
 * end at a sibling of what it is about, or of the set in which that is, so the name also overrides
 * it, even if it is a word of English, such as `status`. */
static void find_subject(learner *l)
{
    static const struct {
        const char *text;
        bool overrides;
    } words[] = {{"expected length of ", true},
                 {"expected value of ", true},
                 {"expected ", true},
                 {"invalid value for ", true},
                 {"path: ", false},
                 {"attribute ", false}};
    bool overridden = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t at = after(l, words[i].text), end = at;
        if (at == SIZE_MAX)
            continue;
        while (end < l->message.len && is_of_name(l->message.ptr[end]))
            end++;
        lc_str name = lc_str_sub(l->message, at, end);
        lc_slot *found = l->slot ? anywhere(l->slot, name, 0) : NULL;
        if (!found && l->slot && l->slot->up && words[i].overrides && !overridden)
            found = anywhere(l->slot->up, name, 0);
        overridden |= words[i].overrides;
        if (found)
            l->slot = found;
        add_named(l, name);
    }
}

/* Names are in quotes or brackets, in lists with commas, or are not English words; with `any` every
 * word may be one. */
static void find_names(learner *l, bool any)
{
    size_t from = 0;
    for (size_t i = 0; i <= l->message.len; i++) {
        char c = i < l->message.len ? l->message.ptr[i] : ' ';
        if (is_of_name(c))
            continue;
        bool marked = is_mark(c) || (from && is_mark(l->message.ptr[from - 1]));
        lc_str word = lc_str_sub(l->message, from, i);
        while (word.len && word.ptr[word.len - 1] == '.')
            word.len--;
        if (any || marked || lc_str_contains(word, LC_STR("_")))
            add_named(l, word);
        from = i + 1;
    }
}

/* ---- One of several words. */

static void add_word(learner *l, lc_wish *wish, lc_str word)
{
    while (word.len && (word.ptr[0] == ' ' || word.ptr[0] == '"' || word.ptr[0] == '\''))
        word = lc_str_sub(word, 1, word.len);
    while (word.len && (word.ptr[word.len - 1] == ' ' || word.ptr[word.len - 1] == '"' ||
                        word.ptr[word.len - 1] == '\''))
        word.len--;
    if (word.len && wish->words.count < MOST_WORDS)
        *LC_PUSH(l->arena, &wish->words, lc_str) = lc_str_copy(l->arena, word);
}

/* ["a" "b"], [a, b], [a b], after "one of" or "valid values:". */
static bool learn_choice(learner *l)
{
    size_t at = after(l, "valid values:");
    at = at == SIZE_MAX ? after(l, "one of") : at;
    if (!l->slot || at == SIZE_MAX || mentions(l, "one (and only one) of"))
        return false;
    size_t from = lc_str_find(l->message, at, '['), to = lc_str_find(l->message, from, ']');
    if (to >= l->message.len || from > at + 12)
        return false;
    lc_str list = lc_str_sub(l->message, from + 1, to);
    bool quoted = lc_str_contains(list, LC_STR("\"")), commas = lc_str_contains(list, LC_STR(","));
    lc_wish *wish = &l->slot->wish;
    if (wish->words.count)
        return false;
    for (size_t i = 0, begin = 0; i <= list.len; i++) {
        char c = i < list.len ? list.ptr[i] : ',';
        bool inside = quoted && i < list.len && i > begin && list.ptr[begin] == '"' && c != '"';
        bool ends = c == ',' || (c == ' ' && !commas) || (quoted && c == '"' && i > begin);
        if (inside || !ends)
            continue;
        add_word(l, wish, lc_str_sub(list, begin, i));
        begin = i + 1;
    }
    l->slot->turn = 0;
    return wish->words.count > 0;
}

/* ---- What goes together, and what does not. */

static bool mentions_conflict(const learner *l)
{
    static const char *const words[] = {"conflicts with",
                                        "only one of",
                                        "cannot be specified when",
                                        "cannot be used with",
                                        "can't be",
                                        "cannot be set when",
                                        "mutually exclusive",
                                        "not both",
                                        "cannot be specified with",
                                        "cannot both",
                                        "must not be set",
                                        "cannot be configured with",
                                        "cannot be set with",
                                        "cannot be specified together",
                                        "is not allowed when",
                                        NULL};
    for (size_t i = 0; words[i]; i++) {
        if (mentions(l, words[i]))
            return true;
    }
    size_t at = after(l, "attributes specified when one");
    return at != SIZE_MAX && !mentions(l, "no attribute specified");
}

static void leave_out(lc_slot *slot)
{
    lc_slot_set(slot, false);
    slot->left_out = true;
}

/* Leaves out all that is named but one; what is required stays. */
static bool learn_conflict(learner *l)
{
    lc_slot *kept = NULL;
    size_t set = 0, out = 0;
    if (!mentions_conflict(l))
        return false;
    if (l->slot)
        add_named(l, l->slot->name);
    for (size_t i = 0; i < l->named_count; i++) {
        set += l->named[i]->set;
        if (l->named[i]->set && !lc_slot_is_optional(l->named[i]))
            kept = l->named[i];
    }
    for (size_t i = 0; i < l->named_count; i++) {
        lc_slot *slot = l->named[i];
        if (!slot->set || slot == kept)
            continue;
        if (!kept) {
            kept = slot;
        } else if (lc_slot_is_optional(slot)) {
            leave_out(slot);
            out++;
        }
    }
    /* Of two that conflict each has an error; the second one is answered by the first. */
    return out > 0 || (l->named_count > 1 && set == 1);
}

static bool learn_needed_group(learner *l)
{
    bool all = mentions(l, "all of ");
    bool one =
        mentions(l, "one of ") || mentions(l, "one (and only one) of") || mentions(l, "either ");
    if (!(all || one) ||
        !(mentions(l, "must be") || mentions(l, "required") || mentions(l, "is needed")))
        return false;
    bool any = false;
    for (size_t i = 0; i < l->named_count && !(one && !all && any); i++) {
        lc_slot *slot = l->named[i];
        if (slot->set && one && !all)
            return false;
        if (slot->set)
            continue;
        lc_slot_set(slot, true);
        any = true;
    }
    return any;
}

static bool set_first(const learner *l)
{
    for (size_t i = 0; i < l->named_count; i++) {
        if (l->named[i]->set)
            continue;
        lc_slot_set(l->named[i], true);
        return true;
    }
    return false;
}

static bool learn_needed(learner *l)
{
    bool needed = mentions(l, "required") || mentions(l, "must be set") ||
                  mentions(l, "must be specified") || mentions(l, "must be configured") ||
                  mentions(l, "must be provided") || mentions(l, "missing");
    bool any = needed && set_first(l);
    if (needed && !any && l->slot && !l->slot->set) {
        lc_slot_set(l->slot, true);
        any = true;
    }
    if (needed && !any && !l->slot) {
        find_names(l, true);
        any = set_first(l);
    }
    return any;
}

/* ---- Bounds. */

/* The number that comes next, at most a few characters further on. */
static bool number_at(const learner *l, size_t *at, double *out)
{
    size_t i = *at, from;
    lc_num n;
    while (i < l->message.len && i < *at + 24 && !lc_is_digit(l->message.ptr[i]))
        i++;
    if (i >= l->message.len || !lc_is_digit(l->message.ptr[i]))
        return false;
    bool minus =
        i && l->message.ptr[i - 1] == '-' && i - 1 >= *at &&
        (i < 2 || l->message.ptr[i - 2] != ' ' || *at == i - 1 || mentions(l, "between -"));
    for (from = i; i < l->message.len; i++) {
        bool point = l->message.ptr[i] == '.' && i + 1 < l->message.len &&
                     lc_is_digit(l->message.ptr[i + 1]);
        if (!lc_is_digit(l->message.ptr[i]) && !point)
            break;
    }
    if (lc_num_from_text(&n, l->arena, lc_str_sub(l->message, from, i), MOST_DIGITS) != LC_NUM_OK)
        return false;
    *out = lc_num_nearest_double(n) * (minus ? -1 : 1);
    *at = i;
    return true;
}

static bool is_text(const lc_slot *slot)
{
    const lc_type *type = slot->attribute ? slot->attribute->implied : NULL;
    while (type && lc_type_is_collection(type))
        type = type->as.elem;
    return type && (type->kind == LC_TYPE_STRING || type->kind == LC_TYPE_DYNAMIC);
}

static void bound(learner *l, bool low, double d)
{
    lc_wish *wish = &l->slot->wish;
    bool items = mentions(l, "item") || mentions(l, "element") || mentions(l, "block");
    bool length = mentions(l, "length") || mentions(l, "character") || mentions(l, "long");
    bool whole = d >= 0 && d < 1e6;
    if ((items || l->slot->block) && whole) {
        if (low)
            l->slot->elements = d < MOST_ITEMS ? (uint32_t)d : MOST_ITEMS;
        else if (l->slot->elements > (uint32_t)d)
            l->slot->elements = (uint32_t)d;
    } else if (is_text(l->slot) && length) {
        if (!whole)
            return;
        *(low ? &wish->has_shortest : &wish->has_longest) = true;
        *(low ? &wish->shortest : &wish->longest) = (uint64_t)d;
    } else if (is_text(l->slot)) {
        add_word(l, wish, lc_str_printf(l->arena, "%.0f", d));
    } else {
        *(low ? &wish->has_min : &wish->has_max) = true;
        *(low ? &wish->min : &wish->max) = d;
    }
}

/* "between 1 and 5": both bounds after one of these words. */
static bool learn_range(learner *l)
{
    static const char *const both[] = {"between ",  "in the range (", "in the range ",
                                       "range of ", "in range ",      NULL};
    double d;
    for (size_t i = 0; both[i]; i++) {
        size_t at = after(l, both[i]);
        if (at != SIZE_MAX && number_at(l, &at, &d)) {
            bound(l, true, d);
            if (number_at(l, &at, &d))
                bound(l, false, d);
            return true;
        }
    }
    return false;
}

static bool learn_bounds(learner *l)
{
    static const char *const least[] = {"at least ", "minimum of ",   "greater than or equal to ",
                                        ">= ",       "no less than ", "requires ",
                                        NULL};
    static const char *const most[] = {"at most ",     "maximum of ",   "less than or equal to ",
                                       "<= ",          "no more than ", "not exceed ",
                                       "longer than ", "supports ",     NULL};
    double d;
    if (!l->slot)
        return false;
    if (learn_range(l))
        return true;
    bool any = false;
    for (size_t i = 0; least[i]; i++) {
        size_t at = after(l, least[i]);
        bool found = at != SIZE_MAX && number_at(l, &at, &d);
        if (found && !l->slot->set)
            lc_slot_set(l->slot, true); /* null is too little */
        if (found && !any)
            bound(l, true, d);
        any |= found;
    }
    bool low = any;
    for (size_t i = 0; most[i]; i++) {
        size_t at = after(l, most[i]);
        bool found = at != SIZE_MAX && number_at(l, &at, &d);
        if (found && any == low)
            bound(l, false, d);
        any |= found;
    }
    return any;
}

/* ---- Patterns, and words that name a format. */

static bool is_pattern(lc_str text)
{
    return text.len > 1 &&
           (lc_str_contains(text, LC_STR("[")) || lc_str_contains(text, LC_STR("\\")) ||
            text.ptr[0] == '^' || text.ptr[text.len - 1] == '$');
}

static lc_str unescape(lc_arena *arena, lc_str text)
{
    lc_buf out = {0};
    for (size_t i = 0; i < text.len; i++) {
        bool twice = text.ptr[i] == '\\' && i + 1 < text.len && text.ptr[i + 1] == '\\';
        i += twice;
        lc_buf_add_char(&out, text.ptr[i]);
    }
    return lc_buf_take(arena, &out);
}

static bool take_pattern(learner *l, lc_str text, bool escaped)
{
    lc_wish *wish = &l->slot->wish;
    if (!is_pattern(text) || wish->pattern.len)
        return false;
    text = escaped ? unescape(l->arena, text) : lc_str_copy(l->arena, text);
    if (lc_text_of_pattern(l->arena, text).len == 0)
        return false;
    wish->pattern = text;
    l->slot->turn = 0;
    return true;
}

/* The next word, without what ends a sentence. */
static bool take_unquoted(learner *l, size_t at)
{
    while (at < l->message.len && (l->message.ptr[at] == ' ' || l->message.ptr[at] == ':'))
        at++;
    lc_str rest = lc_str_sub(l->message, at, l->message.len);
    rest.len = lc_str_find(rest, 0, '\n');
    lc_str word = lc_str_sub(rest, 0, lc_str_find(rest, 0, ' '));
    while (word.len && (word.ptr[word.len - 1] == ',' || word.ptr[word.len - 1] == ')') &&
           word.ptr[0] != '(')
        word.len--;
    return take_pattern(l, word, false);
}

/* In quotes, or bare. */
static bool learn_pattern(learner *l)
{
    if (!l->slot || !is_text(l->slot))
        return false;
    for (size_t i = 0; i < l->message.len; i++) {
        char c = l->message.ptr[i];
        if (c != '"' && c != '\'' && c != '`')
            continue;
        size_t end = lc_str_find(l->message, i + 1, c);
        if (end < l->message.len && take_pattern(l, lc_str_sub(l->message, i + 1, end), c == '"'))
            return true;
    }
    static const char *const words[] = {"regular expression", "match ", " ^", NULL};
    for (size_t i = 0; words[i]; i++) {
        size_t at = after(l, words[i]);
        if (at != SIZE_MAX && take_unquoted(l, at - (words[i][1] == '^')))
            return true;
    }
    return false;
}

static bool learn_prefix(learner *l)
{
    static const char *const words[] = {"begin with ", "start with ", "prefix ", NULL};
    if (!l->slot || !is_text(l->slot) || l->slot->wish.words.count)
        return false;
    for (size_t i = 0; words[i]; i++) {
        size_t at = after(l, words[i]);
        if (at == SIZE_MAX || at >= l->message.len)
            continue;
        char quote = l->message.ptr[at];
        bool quoted = quote == '"' || quote == '\'' || quote == '`';
        size_t end =
            quoted ? lc_str_find(l->message, at + 1, quote) : lc_str_find(l->message, at, ' ');
        lc_str prefix = lc_str_sub(l->message, at + quoted, end);
        if (prefix.len == 0 || prefix.len > 60 || (!quoted && lc_is_letter(prefix.ptr[0])))
            continue;
        add_word(l, &l->slot->wish, lc_str_printf(l->arena, "%.*sexample", LC_FMT(prefix)));
        return true;
    }
    return false;
}

static bool learn_words(learner *l)
{
    if (!l->slot || !is_text(l->slot) || l->slot->wish.words.count)
        return false;
    lc_str text = lc_text_of_words(l->lower);
    if (text.len == 0)
        return false;
    *LC_PUSH(l->arena, &l->slot->wish.words, lc_str) = text;
    return true;
}

/* ---- Without a hint: another value, and in the end none. */

static bool learn_by_trying(learner *l)
{
    lc_slot *slot = l->slot;
    if (!slot && l->named_count)
        slot = l->named[0];
    while (slot && !slot->set && slot->up)
        slot = slot->up;
    if (!slot || slot == l->root)
        return false;
    while (lc_slot_is_optional(slot) == false && slot->block && slot->up != l->root)
        slot = slot->up;
    if (lc_slot_is_optional(slot)) {
        leave_out(slot);
        return true;
    }
    if (!slot->attribute || slot->turn >= MOST_TURNS)
        return false;
    if (slot->wish.words.count == 1)
        slot->wish.words.count = 0;
    slot->turn++;
    return true;
}

static lc_str lower(lc_arena *arena, lc_str text)
{
    char *copy = lc_str_to_c(arena, text);
    for (size_t i = 0; i < text.len; i++)
        copy[i] = copy[i] == '\n' ? ' ' : lc_to_lower(copy[i]);
    return (lc_str){copy, text.len};
}

/* Tried in turn until one knows what the message means. */
typedef bool (*learn_step)(learner *l);

static bool learn_from(lc_arena *arena, lc_slot *root, const lc_provider_diag *diag)
{
    static const learn_step all[] = {learn_choice, learn_conflict, learn_needed_group,
                                     learn_needed, learn_bounds,   learn_pattern,
                                     learn_prefix, learn_words,    learn_by_trying};
    learner l = {.arena = arena, .root = root};
    l.message = lc_str_printf(arena, "%.*s\n%.*s", LC_FMT(diag->summary), LC_FMT(diag->detail));
    l.lower = lower(arena, l.message);
    l.slot = diag->has_path ? at_path(root, diag->path) : NULL;
    believe_words(&l);
    find_subject(&l);
    find_names(&l, false);
    if (!l.slot && l.named_count)
        l.slot = l.named[0];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i](&l))
            return true;
    }
    return false;
}

bool lc_form_learn(lc_arena *arena, lc_slot *root, const lc_call *call)
{
    bool any = false;
    for (size_t i = 0, errors = 0; i < call->diagnostics.count && errors < MOST_ERRORS; i++) {
        const lc_provider_diag *diag = &call->diagnostics.items[i];
        if (diag->severity != LC_SEVERITY_ERROR)
            continue;
        errors++;
        any = learn_from(arena, root, diag) || any;
    }
    return any;
}
