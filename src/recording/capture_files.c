/* Names of data files, and whether a capture repeats a recording. */
#include "lifecheck/recording/capture.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"

#include <dirent.h>
#include <stdlib.h>

static bool is_word(lc_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!lc_is_alnum(c))
            return false;
    }
    return s.len > 0;
}

static bool read_time(uint64_t *out, lc_str digits)
{
    *out = 0;
    if (digits.len < 10 || digits.len > 18)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9')
            return false;
        *out = *out * 10 + (uint64_t)(digits.ptr[i] - '0');
    }
    return true;
}

static bool is_extension(lc_str s)
{
    return s.len == 0 || lc_str_is(s, "msgpack") || lc_str_is(s, "json") || lc_str_is(s, "empty");
}

bool lc_data_file_parse(lc_data_file *out, lc_str name)
{
    static const lc_str imported = {"ImportedResource_", sizeof "ImportedResource_" - 1};
    *out = (lc_data_file){.name = name};
    size_t time = lc_str_find(name, 0, '_'), rpc = lc_str_find(name, time + 1, '_');
    size_t message = rpc < name.len ? lc_str_find(name, rpc + 1, '_') : name.len;
    if (message >= name.len || !read_time(&out->time, lc_str_sub(name, 0, time)))
        return false;
    lc_str part = lc_str_sub(name, rpc + 1, message);
    lc_str rest = lc_str_sub(name, message + 1, name.len);
    out->rpc = lc_str_sub(name, time + 1, rpc);
    out->part = lc_str_is(part, "Request") ? LC_CAPTURE_REQUEST : LC_CAPTURE_RESPONSE;
    if (!lc_str_is(part, "Request") && !lc_str_is(part, "Response"))
        return false;
    if (out->part == LC_CAPTURE_RESPONSE && lc_str_starts_with(rest, imported)) {
        out->part = LC_CAPTURE_IMPORTED;
        rest = lc_str_sub(rest, imported.len, rest.len);
    }
    size_t dot = lc_str_find(rest, 0, '.');
    out->field = lc_str_sub(rest, 0, lc_str_find(lc_str_sub(rest, 0, dot), 0, '_'));
    out->extension = dot < rest.len ? lc_str_sub(rest, dot + 1, rest.len) : LC_STR_EMPTY;
    return is_word(out->rpc) && is_word(out->field) && is_extension(out->extension);
}

unsigned lc_data_file_rank(const lc_data_file *file)
{
    /* The order within a request. All files of a response come later. */
    static const char *const plan[] = {"Config",           "CurrentState", "PriorState",
                                       "ProposedNewState", "ProviderMeta", "PriorPrivate",
                                       "Private"};
    static const char *const apply[] = {"Config", "PlannedState", "PriorState", "ProviderMeta",
                                        "PlannedPrivate"};
    static const char *const answer[] = {"PlannedState", "NewState", "State", "PlannedPrivate",
                                         "Private"};
    bool applying = lc_str_is(file->rpc, "ApplyResourceChange");
    const char *const *order = file->part != LC_CAPTURE_REQUEST ? answer : applying ? apply : plan;
    size_t count = file->part != LC_CAPTURE_REQUEST ? 5 : applying ? 5 : 7;
    unsigned base = file->part == LC_CAPTURE_REQUEST ? 0 : 100;
    for (size_t i = 0; i < count; i++) {
        if (lc_str_is(file->field, order[i]))
            return base + (unsigned)i;
    }
    return base + 99;
}

bool lc_looks_like_capture(lc_str folder)
{
    lc_arena *arena = lc_arena_new();
    DIR *dir = opendir(lc_str_to_c(arena, folder));
    if (!dir)
        lc_check_memory();
    bool found = false;
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        lc_data_file file;
        found = lc_data_file_parse(&file, lc_str_from_c(entry->d_name));
    }
    if (dir)
        closedir(dir);
    lc_arena_free(arena);
    return found;
}

/* ---- The same run twice. */

#define SAMPLE      8  /* values that are searched for in the recording */
#define TELLS_APART 32 /* bytes of a value; shorter ones may be equal by chance */

/* The data files with values, in order of time. */
static size_t list_values(lc_str **out, lc_arena *arena, lc_str folder)
{
    lc_data_file file;
    size_t count, kept = 0;
    lc_folder_list(out, &count, arena, folder);
    for (size_t i = 0; i < count; i++) {
        if (lc_data_file_parse(&file, (*out)[i]) && lc_str_is(file.extension, "msgpack"))
            (*out)[kept++] = (*out)[i];
    }
    return kept;
}

static bool holds(lc_arena *arena, lc_str text, lc_str bytes)
{
    lc_buf encoded = {0};
    lc_base64_encode(&encoded, bytes);
    lc_str wanted = lc_buf_take(arena, &encoded);
    return lc_str_contains(text, wanted);
}

/* Takes values from the whole run; the recording must contain all of them. */
static bool holds_sample(lc_arena *arena, lc_str folder, lc_str text, const lc_limits *limits)
{
    lc_str *names;
    size_t count = list_values(&names, arena, folder), found = 0;
    size_t step = count > SAMPLE * 4 ? count / (SAMPLE * 4) : 1;
    for (size_t i = 0; i < count && found < SAMPLE; i += step) {
        lc_str bytes;
        lc_diags quiet;
        lc_diags_init(&quiet, arena);
        lc_str path = lc_str_printf(arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(names[i]));
        if (lc_file_read(&bytes, arena, path, limits->input_bytes, &quiet) != LC_OK ||
            bytes.len < TELLS_APART)
            continue;
        if (!holds(arena, text, bytes))
            return false;
        found++;
    }
    return found > 0;
}

bool lc_capture_repeats(lc_str folder, lc_str calls, const lc_limits *limits)
{
    lc_arena *arena = lc_arena_new();
    lc_str text;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    bool same = lc_file_read(&text, arena, calls, limits->input_bytes, &quiet) == LC_OK &&
                holds_sample(arena, folder, text, limits);
    lc_arena_free(arena);
    return same;
}
