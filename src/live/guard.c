/* Limits a provider that is only queried: it writes into its private folder, and into a private
 * view of the folder in which it works, whose changes are discarded at its end. The kernel enforces
 * this (Landlock, an overlay in a mount namespace), and limits memory and processor time. */
#define _GNU_SOURCE /* syscall, CLONE_NEWNS */
#include "live/internal.h"

#include "lifecheck/base/arena.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Limits. */

#define DATA_BYTES  ((rlim_t)8 << 30)
#define CPU_SECONDS 3600
#define FILE_BYTES  ((rlim_t)2 << 30)

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) == 0 && (now.rlim_max == RLIM_INFINITY || now.rlim_max > most)) {
        now.rlim_cur = now.rlim_max = most;
        setrlimit(what, &now);
    }
}

static void limit_all(void)
{
#ifndef __SANITIZE_ADDRESS__ /* providers that are built like us reserve more */
    limit(RLIMIT_DATA, DATA_BYTES);
#endif
    limit(RLIMIT_CPU, CPU_SECONDS);
    limit(RLIMIT_FSIZE, FILE_BYTES);
}

#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* ---- A private view of its folder. */

/* Paths with what separates options of a mount are left as they are. */
static bool fits(lc_str path)
{
    return path.len > 0 && lc_str_find(path, 0, ',') == path.len &&
           lc_str_find(path, 0, ':') == path.len && lc_str_find(path, 0, '\\') == path.len;
}

static bool mount_view(const lc_live_surroundings *around)
{
    char options[3 * 4096 + 100], folder[4096];
    const char *own = around->own;
    if (!realpath(around->folder.len ? around->working : ".", folder) ||
        !fits(lc_str_from_c(folder)) || !fits(lc_str_from_c(own)))
        return false;
    int n = snprintf(options, sizeof options,
                     "lowerdir=%s,upperdir=%s/view/upper,workdir=%s/view/work%s", folder, own, own,
                     geteuid() == 0 ? "" : ",userxattr");
    return n > 0 && (size_t)n < sizeof options && unshare(CLONE_NEWNS) == 0 &&
           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("overlay", folder, "overlay", MS_NOSUID | MS_NODEV, options) == 0;
}

/* ---- Where it may write. */

#define WRITES                                                                                     \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                               \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static int landlock_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static bool allow(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return false;
    bool good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return good;
}

static bool forbid_writes(const lc_live_surroundings *around, bool view)
{
    struct landlock_ruleset_attr attributes = {.handled_access_fs = WRITES};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (rules < 0)
        return false;
    bool good = allow(rules, around->own, WRITES) &&
                allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE) &&
                (!view || allow(rules, around->folder.len ? around->working : ".", WRITES)) &&
                prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good;
}

bool lc_live_can_be_guarded(void)
{
    return landlock_version() > 0;
}

bool lc_live_guard(const lc_live_surroundings *around)
{
    limit_all();
    bool view = around->offline && mount_view(around);
    return landlock_version() <= 0 || forbid_writes(around, view);
}

#else

bool lc_live_can_be_guarded(void)
{
    return false;
}

bool lc_live_guard(const lc_live_surroundings *around)
{
    (void)around;
    limit_all();
    return true;
}

#endif
