/* Which providers a command will start: those that the user names, those that run already, the
 * overrides of a developer, and what `init` has installed. */
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MAX_SETTINGS ((size_t)4 << 20) /* bytes of a settings or lock file */

typedef struct search {
    lc_arena *arena;
    lc_diags *diags;
    lc_live_providers *out;
    lc_str folder;    /* where the client works */
    lc_str from;      /* of the overrides that are read */
    lc_str installed; /* instead of the folder of `init`; "": none */
} search;

static lc_str joined(const search *s, lc_str folder, lc_str name)
{
    if (name.len && name.ptr[0] == '/')
        return name;
    return lc_str_printf(s->arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(name));
}

static bool is_file(const search *s, lc_str path)
{
    struct stat info;
    return stat(lc_str_to_c(s->arena, path), &info) == 0 && S_ISREG(info.st_mode);
}

/* ---- Addresses. */

/* The last `count` parts of an address; the whole if it has fewer. */
static lc_str last_parts(lc_str address, int count)
{
    size_t at = address.len;
    while (at && (address.ptr[at - 1] != '/' || --count))
        at--;
    return lc_str_sub(address, at, address.len);
}

static int parts_of(lc_str address)
{
    int parts = 1;
    for (size_t i = 0; i < address.len; i++)
        parts += address.ptr[i] == '/';
    return parts;
}

bool lc_live_is_address(lc_str a, lc_str b)
{
    int parts = parts_of(a) < parts_of(b) ? parts_of(a) : parts_of(b);
    lc_str longer = parts_of(a) > parts_of(b) ? a : b;
    if (parts == 1 && parts_of(longer) > 1 &&
        !lc_str_starts_with(last_parts(longer, 2), LC_STR("hashicorp/")))
        return false;
    return lc_str_eq(last_parts(a, parts), last_parts(b, parts));
}

static bool is_word(lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!lc_is_alnum(c) && !(c && strchr("-_.:/", c)))
            return false;
    }
    return text.len > 0;
}

/* HOST/NAMESPACE/TYPE, with the last one or two parts at the least. */
static bool is_address(lc_str text)
{
    bool empty = false;
    for (size_t i = 0; i < text.len; i++)
        empty |= text.ptr[i] == '/' && (i == 0 || i + 1 == text.len || text.ptr[i + 1] == '/');
    return is_word(text) && !empty && parts_of(text) <= 3;
}

static lc_live_provider *known(const search *s, lc_str address)
{
    for (size_t i = 0; i < s->out->list.count; i++) {
        if (lc_live_is_address(s->out->list.items[i].address, address))
            return &s->out->list.items[i];
    }
    return NULL;
}

/* The first one counts; a later one with the same address only completes its name. */
static void add(const search *s, const lc_live_provider *provider)
{
    lc_live_provider *p = known(s, provider->address);
    if (!p) {
        *LC_PUSH(s->arena, &s->out->list, lc_live_provider) = *provider;
        return;
    }
    if (parts_of(provider->address) > parts_of(p->address))
        p->address = provider->address;
}

/* ---- Named ones. */

static void add_named(const search *s, lc_str text)
{
    size_t at = lc_str_find(text, 0, '=');
    lc_str address = lc_str_sub(text, 0, at);
    lc_str what = lc_str_sub(text, at < text.len ? at + 1 : at, text.len);
    lc_live_provider p = {.address = address,
                          .version = LC_STR_EMPTY,
                          .binary = what,
                          .dial = LC_STR_EMPTY,
                          .from = LC_STR("--provider"),
                          .named = true};
    lc_loc nowhere = {LC_STR("--provider"), 0, 0};
    if (what.len == 0 || !is_address(address)) {
        lc_diag_error(s->diags, nowhere,
                      "\"%.*s\" is not ADDRESS=BINARY, such as "
                      "hashicorp/random=./terraform-provider-random",
                      LC_FMT(text));
        return;
    }
    if (!is_file(s, p.binary) || access(lc_str_to_c(s->arena, p.binary), X_OK))
        lc_diag_error(s->diags, nowhere, "%.*s: %s", LC_FMT(what),
                      is_file(s, p.binary) ? "this file cannot be executed; give the binary of the "
                                             "provider, or `chmod +x` it"
                                           : "there is no such file; the binary of the provider is "
                                             "named, as `go build` makes it");
    else
        add(s, &p);
}

/* ---- Those that run. */

static void add_running(const search *s)
{
    const char *value = getenv("TF_REATTACH_PROVIDERS");
    lc_reattaches found = {0};
    lc_str why;
    if (!value || !*value)
        return;
    if (!lc_reattach_read(&found, s->arena, lc_str_from_c(value), &why)) {
        lc_diag_error(s->diags, (lc_loc){LC_STR("TF_REATTACH_PROVIDERS"), 0, 0}, "%.*s",
                      LC_FMT(why));
        return;
    }
    for (size_t i = 0; i < found.list.count; i++) {
        const lc_reattach *r = &found.list.items[i];
        add(s, &(lc_live_provider){.address = r->provider,
                                   .version = LC_STR_EMPTY,
                                   .binary = LC_STR_EMPTY,
                                   .from = LC_STR("TF_REATTACH_PROVIDERS"),
                                   .protocol = r->protocol,
                                   .tcp = r->tcp,
                                   .dial = r->address});
    }
}

/* ---- Binaries in folders. */

/* terraform-provider-TYPE, or with a version: terraform-provider-TYPE_v1.2.3_x5. */
static bool is_binary(lc_str name, lc_str type)
{
    lc_str prefix = LC_STR("terraform-provider-");
    if (!lc_str_starts_with(name, prefix))
        return false;
    lc_str rest = lc_str_sub(name, prefix.len, name.len);
    if (!lc_str_starts_with(rest, type))
        return false;
    rest = lc_str_sub(rest, type.len, rest.len);
    return rest.len == 0 || rest.ptr[0] == '_' || lc_str_is(rest, ".exe");
}

static lc_str binary_in(const search *s, lc_str folder, lc_str type)
{
    lc_str *names;
    size_t count;
    if (!lc_folder_list(&names, &count, s->arena, folder))
        return LC_STR_EMPTY;
    for (size_t i = 0; i < count; i++) {
        lc_str path = joined(s, folder, names[i]);
        if (is_binary(names[i], type) && is_file(s, path) &&
            access(lc_str_to_c(s->arena, path), X_OK) == 0)
            return path;
    }
    return LC_STR_EMPTY;
}

/* ---- Overrides. */

static void add_override(void *context, lc_str address, lc_str folder)
{
    const search *s = context;
    if (!is_address(address) || known(s, address))
        return;
    lc_str path = joined(s, s->folder, folder);
    lc_str binary = is_file(s, path) ? path : binary_in(s, path, last_parts(address, 1));
    if (binary.len == 0) {
        lc_diag_warning(s->diags, (lc_loc){s->from, 0, 0},
                        "dev_overrides names %.*s for %.*s, where no terraform-provider-%.*s is",
                        LC_FMT(folder), LC_FMT(address), LC_FMT(last_parts(address, 1)));
        return;
    }
    add(s, &(lc_live_provider){
               .address = address,
               .version = LC_STR_EMPTY,
               .binary = binary,
               .dial = LC_STR_EMPTY,
               .from = lc_str_printf(s->arena, "dev_overrides of %.*s", LC_FMT(s->from))});
}

/* False: there is no such file. */
static bool read_overrides(search *s, lc_str path)
{
    lc_str text;
    lc_diags quiet;
    lc_diags_init(&quiet, s->arena);
    if (!is_file(s, path) || lc_file_read(&text, s->arena, path, MAX_SETTINGS, &quiet) != LC_OK)
        return false;
    s->from = path;
    lc_live_overrides(s->arena, lc_without_bom(text), add_override, s);
    return true;
}

/* Clients read one file: the one that is named, or the first that exists in the home folder. Which
 * client will run is not known, so those of both are read. */
static void add_overrides(search *s)
{
    static const char *const names[] = {"TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"};
    const char *home = getenv("HOME"), *settings = getenv("XDG_CONFIG_HOME");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *named = getenv(names[i]);
        if (named && *named) {
            read_overrides(s, lc_str_from_c(named)); /* clients read it before -chdir */
            return;
        }
    }
    if (!home || !*home)
        return;
    lc_str folder = lc_str_from_c(home);
    bool tofu = read_overrides(s, joined(s, folder, LC_STR(".tofurc")));
    if (!tofu && settings && *settings)
        read_overrides(s, joined(s, lc_str_from_c(settings), LC_STR("opentofu/tofurc")));
    read_overrides(s, joined(s, folder, LC_STR(".terraformrc")));
}

/* ---- What `init` installed: HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/terraform-provider-TYPE... */

/* The folder of this machine's platform. A single folder is used whatever its name. */
static lc_str for_this_machine(const search *s, lc_str folder)
{
    lc_str *names;
    size_t count;
    struct utsname machine;
    if (!lc_folder_list(&names, &count, s->arena, folder) || count == 0)
        return LC_STR_EMPTY;
    if (count == 1 || uname(&machine) != 0)
        return joined(s, folder, names[0]);
    bool arm = strcmp(machine.machine, "aarch64") == 0 || strcmp(machine.machine, "arm64") == 0;
    for (size_t i = 0; i < count; i++) {
        if (lc_str_ends_with(names[i], arm ? LC_STR("_arm64") : LC_STR("_amd64")) &&
            lc_to_lower(machine.sysname[0]) == names[i].ptr[0])
            return joined(s, folder, names[i]);
    }
    return joined(s, folder, names[0]);
}

/* A run of digits as one number: the rest compares as text. */
static int compare_versions(lc_str a, lc_str b)
{
    size_t i = 0, k = 0;
    while (i < a.len && k < b.len) {
        size_t from = i, other = k;
        while (i < a.len && lc_is_digit(a.ptr[i]))
            i++;
        while (k < b.len && lc_is_digit(b.ptr[k]))
            k++;
        if (i - from != k - other)
            return i - from < k - other ? -1 : 1;
        int order =
            lc_str_cmp(lc_str_sub(a, from, i + (i < a.len)), lc_str_sub(b, other, k + (k < b.len)));
        if (order)
            return order;
        i += i < a.len;
        k += k < b.len;
    }
    return (int)(i < a.len) - (int)(k < b.len);
}

/* The version of the lock file, or the highest. */
static lc_str version_in(const search *s, lc_str folder, lc_str address, lc_str locked)
{
    lc_str *names;
    size_t count;
    if (!lc_folder_list(&names, &count, s->arena, folder) || count == 0)
        return LC_STR_EMPTY;
    lc_str highest = names[0];
    for (size_t i = 0; i < count; i++) {
        if (lc_str_eq(names[i], locked))
            return locked;
        if (compare_versions(names[i], highest) > 0)
            highest = names[i];
    }
    if (count > 1)
        lc_diag_warning(s->diags, (lc_loc){folder, 0, 0},
                        "holds several versions, and the lock file names none of them: %.*s is "
                        "taken; --provider %.*s=BINARY names another",
                        LC_FMT(highest), LC_FMT(address));
    return highest;
}

static void add_installed(const search *s, lc_str root, lc_str address, lc_str lock)
{
    lc_str folder = joined(s, root, address);
    if (known(s, address)) {
        add(s, &(lc_live_provider){.address = address});
        return;
    }
    lc_live_lock locked = lc_live_locked(s->arena, lock, address);
    lc_str version = version_in(s, folder, address, locked.version);
    if (version.len == 0)
        return;
    lc_str place = for_this_machine(s, joined(s, folder, version));
    lc_str binary = place.len ? binary_in(s, place, last_parts(address, 1)) : LC_STR_EMPTY;
    if (binary.len == 0) {
        lc_diag_warning(s->diags, (lc_loc){folder, 0, 0},
                        "version %.*s has no binary that can be executed: this provider is not "
                        "recorded",
                        LC_FMT(version));
        return;
    }
    add(s, &(lc_live_provider){.address = address,
                               .version = version,
                               .binary = binary,
                               .dial = LC_STR_EMPTY,
                               .from = root,
                               .hashes = locked.hashes.items,
                               .hash_count =
                                   lc_str_eq(version, locked.version) ? locked.hashes.count : 0});
}

/* Addresses are three folders deep. */
static void walk(const search *s, lc_str root, lc_str address, int depth, lc_str lock)
{
    lc_str *names;
    size_t count;
    lc_str folder = address.len ? joined(s, root, address) : root;
    if (depth == 3) {
        add_installed(s, root, address, lock);
        return;
    }
    if (!lc_folder_list(&names, &count, s->arena, folder))
        return;
    for (size_t i = 0; i < count; i++) {
        lc_str inner = address.len
                           ? lc_str_printf(s->arena, "%.*s/%.*s", LC_FMT(address), LC_FMT(names[i]))
                           : names[i];
        if (names[i].ptr[0] != '.')
            walk(s, root, inner, depth + 1, lock);
    }
}

static void add_all_installed(const search *s)
{
    const char *data = getenv("TF_DATA_DIR");
    lc_str lock = LC_STR_EMPTY, path = joined(s, s->folder, LC_STR(".terraform.lock.hcl"));
    lc_str own = data && *data ? lc_str_from_c(data) : LC_STR(".terraform");
    lc_diags quiet;
    lc_diags_init(&quiet, s->arena);
    if (!is_file(s, path) || lc_file_read(&lock, s->arena, path, MAX_SETTINGS, &quiet) != LC_OK)
        lock = LC_STR_EMPTY;
    lc_str root = joined(s, joined(s, s->folder, own), LC_STR("providers"));
    walk(s, s->installed.len ? s->installed : root, LC_STR_EMPTY, 0, lock);
}

/* ---- All of them. */

lc_str lc_live_folder(lc_arena *arena, const lc_live_search *what)
{
    if (what->folder.len)
        return what->folder;
    for (size_t i = 1; i < what->command_count; i++) {
        lc_str word = what->command[i], option = LC_STR("-chdir=");
        if (lc_str_starts_with(word, option) && word.len > option.len)
            return lc_str_copy(arena, lc_str_sub(word, option.len, word.len));
    }
    return LC_STR(".");
}

void lc_live_find(lc_live_providers *out, lc_arena *arena, const lc_live_search *what,
                  lc_diags *diags)
{
    search s = {arena, diags, out, lc_live_folder(arena, what), LC_STR_EMPTY, what->installed};
    *out = (lc_live_providers){0};
    for (size_t i = 0; i < what->named_count; i++)
        add_named(&s, what->named[i]);
    add_running(&s);
    add_overrides(&s);
    add_all_installed(&s);
}
