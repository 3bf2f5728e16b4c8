/* The pieces of a recorder: processes of providers, clients that dial, and what connects them. */
#ifndef LC_LIVE_INTERNAL_H
#define LC_LIVE_INTERNAL_H

#include "lifecheck/base/buf.h"
#include "lifecheck/live/live.h"
#include "live/handshake.h"
#include "live/reattach.h"

#include <sys/resource.h>
#include <sys/types.h>

/* ---- What the system refuses us (lack.c). */

/* Both we and providers, which inherit the limit, can work with so many. */
#define LC_LIVE_LEAST_DESCRIPTORS 64
/* As many as we may have; *have is how many. False: fewer than these or `least`, *why. */
bool lc_live_take_descriptors(lc_arena *arena, size_t least, rlim_t *have, lc_str *why);
/* Are descriptors or memory missing? */
bool lc_live_is_lack(int error);
/* What an errno means, and what to do if a limit is its cause; the other for one of fork. */
lc_str lc_live_error_text(lc_arena *arena, int error);
lc_str lc_live_fork_error_text(lc_arena *arena, int error);

/* ---- Settings files of clients (client_settings.c). */

/* Calls `each` for every dev_override of a client's settings file, in HCL or JSON. */
void lc_live_overrides(lc_arena *arena, lc_str text,
                       void (*each)(void *context, lc_str address, lc_str folder), void *context);
/* What a lock file has for a provider. */
typedef struct lc_live_lock {
    lc_str version; /* "": there is no entry */
    LC_VEC(lc_str) hashes;
} lc_live_lock;
lc_live_lock lc_live_locked(lc_arena *arena, lc_str text, lc_str address);

/* ---- Folders (folder.c). */

/* A private folder for sockets, mode 0700; "": none could be made, *why is the reason. Paths in it
 * with `longest` more bytes fit into the address of a socket. *lock is a descriptor that marks the
 * folder as used, or -1; unused folders next to it are removed. */
lc_str lc_live_folder_new(lc_arena *arena, size_t longest, int *lock, lc_str *why);
/* Removes the folder and everything in it, and closes the lock. False: something is left. */
bool lc_live_folder_remove(lc_arena *arena, lc_str folder, int lock);

/* ---- Sockets (socket.c). Descriptors are non-blocking and closed on exec. */

/* -1: see errno. */
int lc_live_listen(lc_str path);
int lc_live_accept(int listener);
int lc_live_dial(bool tcp, lc_str address);
/* From now on what is done with it waits, but no longer than a second. False: not possible. */
bool lc_live_hurry(int fd);
bool lc_live_send_all(int fd, lc_str text);
/* No other program inherits the descriptor, and no read or write waits. */
void lc_live_prepare(int fd);

/* ---- What the system says of other processes (process_facts.c). In `arena`. */

/* Who is at the other end of the socket; 0: not known. */
pid_t lc_live_client_pid(int fd);
/* The file of its program, and the folder in which it works; "": not known. */
lc_str lc_live_program_of(lc_arena *arena, pid_t pid);
lc_str lc_live_folder_of(lc_arena *arena, pid_t pid);
/* Its arguments and its environment, each with NULL at the end; NULL: not known. */
void lc_live_words_of(lc_arena *arena, pid_t pid, char ***arguments, char ***environment);

/* ---- Which process dials (client.c). Read from the operating system; where it does not provide
 * this, everything is empty. */

typedef struct lc_live_client {
    pid_t pid;          /* 0: not known */
    lc_str program;     /* its name */
    lc_str path;        /* of its file */
    lc_str plan;        /* that it writes or applies, as its arguments name it; "": none */
    lc_str state;       /* the same for the state that it writes */
    lc_str folder;      /* in which it works; "": not known */
    char **environment; /* ends with NULL; NULL: not known */
} lc_live_client;
void lc_live_client_of(lc_live_client *out, lc_arena *arena, int fd);
/* Would a provider that it starts see what ours see? */
bool lc_live_client_is_ours(const lc_live_client *client, lc_arena *arena);

/* ---- Processes of providers (process.c). */

/* The end of a string that grows. */
#define LC_LIVE_TAIL ((size_t)64 << 10)

typedef struct lc_live_process {
    lc_arena *arena; /* of the process */
    const lc_live_provider *provider;
    pid_t pid; /* 0: it has ended and was waited for */
    int out, err;
    int tie;          /* of lc_live_tie, or -1 */
    lc_buf line;      /* what it has printed before its handshake was complete */
    lc_buf tail;      /* of its standard error */
    uint64_t printed; /* bytes of its output that were read */
    bool ready;       /* the handshake is there */
    lc_handshake handshake;
    bool failed; /* there will be no handshake */
    lc_str why;
    bool dismissed; /* it was asked to end, or is not needed any more */
    bool ended;
    int status;             /* of waitpid, once it has ended */
    int64_t started, asked; /* monotonic milliseconds */
    bool killed;
} lc_live_process;

/* Around a process. */
typedef struct lc_live_surroundings {
    lc_str sockets;     /* where it makes them */
    lc_str folder;      /* in which it works; "": ours */
    char **environment; /* ends with NULL, without what the handshake needs; NULL: ours */
    bool offline;       /* without a network; lc_live_can_be_offline */
    /* The private folder of one that may write nowhere else, with `view/upper` and `view/work`;
     * NULL: it may. */
    const char *own;
    const char *working; /* `folder` as a string; unless it is "" */
    /* A socket over which a process without a network hands us the listener of its proxy
     * (session/gateway.h); 0: none is required. */
    int gateway;
} lc_live_surroundings;
/* NULL: the system did not allow it, *why; a file that cannot be executed is a process that has
 * failed. */
lc_live_process *lc_live_process_start(const lc_live_provider *provider,
                                       const lc_live_surroundings *around, lc_str *why,
                                       lc_arena *arena);
/* Takes what it has printed; `log`: a descriptor for all of its standard error, or -1. */
void lc_live_process_read(lc_live_process *process, int log);
/* Has it ended? Also reads the rest of its output. */
void lc_live_process_wait(lc_live_process *process, int log);
/* There is no handshake if it did not come within `start_ms`. */
void lc_live_process_check(lc_live_process *process, int64_t start_ms, int64_t now);
/* Asks it to end; by force if it was asked LC_LIVE_GRACE_MS ago. */
#define LC_LIVE_GRACE_MS 2000
void lc_live_process_end(lc_live_process *process, int64_t now);
/* Ends it by force. */
void lc_live_process_kill(lc_live_process *process);
void lc_live_process_free(lc_live_process *process);
/* "ended by signal 9 (Killed)", "ended with status 2". In `arena`. */
lc_str lc_live_status_text(lc_arena *arena, int status);

/* In a child, before it becomes another program: signals that we ignore mean something to others.
 */
void lc_live_restore_signals(void);

/* ---- Systems without a parent-death signal (tie.c). */

/* From now on the process and its group end when we do. Returns a descriptor that lives as long as
 * we, closed on exec; -1: it is not possible. */
int lc_live_tie(pid_t group);
/* The group has ended: nothing is to be ended any more. Sets the descriptor to -1. */
void lc_live_untie(int *fd);

/* ---- Without a network (offline.c). */

/* May our processes be? */
bool lc_live_can_be_offline(void);
/* This process, from now on. False: it may not, and its rights may have changed. */
bool lc_live_go_offline(void);

/* ---- What a provider that is only looked at may do (guard.c). */

/* Can this system keep a process from writing? */
bool lc_live_can_be_guarded(void);
/* In the child, after lc_live_go_offline: limits it, and drops every right that the system lets it
 * drop. False: a step that should be possible failed. */
bool lc_live_guard(const lc_live_surroundings *around);

/* A monotonic clock in microseconds. */
int64_t lc_live_now(void);
/* Microseconds since 1970 at its zero. */
int64_t lc_live_epoch(void);
/* "60 seconds", "1500 milliseconds". */
lc_str lc_live_time_text(lc_arena *arena, int64_t ms);
/* Does the caller want us to ignore this signal, as nohup does? */
bool lc_live_is_ignored(int number);

#endif
