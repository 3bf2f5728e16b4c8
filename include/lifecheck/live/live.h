/* Sitting between clients and providers: a client dials our sockets instead of the providers, each
 * connection gets a provider process of its own, bytes pass untouched both ways, and copies of them
 * become calls. The only module with sockets, processes and a clock. Module live.
 *
 * One thread and one loop; the functions of lc_live_hooks are called from within it, after the
 * bytes they are about have been passed on. */
#ifndef LIFECHECK_LIVE_LIVE_H
#define LIFECHECK_LIVE_LIVE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/diag.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/table.h"

/* Was this program built with nghttp2? Without it nothing can be recorded. */
bool lc_live_available(void);

/* ---- Which providers. */

/* One provider and how it is reached: a binary to start, or the address of one that runs. Strings
 * are borrowed from the arena of lc_live_find. */
typedef struct lc_live_provider {
    lc_str address; /* "registry.terraform.io/hashicorp/random", or shorter as the user gave it */
    lc_str version; /* "": not known */
    lc_str binary;  /* a path; "": it runs already, and is dialled */
    lc_str from;    /* for people: "--provider", "dev_overrides of FILE", a folder, a variable */
    bool named;     /* by the user: nothing is run without it */
    bool of_test;   /* an acceptance test brought it along */
    int protocol;   /* 5 or 6; 0: known from its handshake */
    bool tcp;       /* of one that runs: `dial` is HOST:PORT, else the path of a socket */
    lc_str dial;
    /* The hashes in the lock file for an installed package, such as "h1:..."; none for other
     * providers. */
    const lc_str *hashes;
    size_t hash_count;
} lc_live_provider;

/* In the order in which they were found; an address occurs once. */
typedef struct lc_live_providers {
    LC_VEC(lc_live_provider) list;
} lc_live_providers;

/* Where providers are looked for. */
typedef struct lc_live_search {
    const lc_str *named; /* ADDRESS=BINARY */
    size_t named_count;
    const lc_str *command; /* what is going to run; for its -chdir=DIR */
    size_t command_count;
    lc_str folder;    /* where the client works; "": derived from the command */
    lc_str installed; /* a folder laid out as that of `init`, instead of it; "": none */
} lc_live_search;
/* Finds the providers that the command would start: those that are named, those that run already
 * (TF_REATTACH_PROVIDERS), dev_overrides of the client's settings file, and what `init` has
 * installed, in the version of the lock file. The first of these with an address counts. Errors
 * name what the user gave and what is wrong with it; warnings what was skipped. */
void lc_live_find(lc_live_providers *out, lc_arena *arena, const lc_live_search *search,
                  lc_diags *diags);
/* May the binary be run although another user may have written the checkout around it? It may not
 * if git tracks it or the folder `.terraform` around it, or if the package is not that of the lock
 * file. False: *why, a constant. */
bool lc_live_is_trusted(const lc_live_provider *provider, lc_str *why);
/* SHA-256 of a file as hexadecimal digits. False: it cannot be read; `hex` is a string all the
 * same.
 */
bool lc_live_hash_file(char hex[65], const char *path);
/* Is it the same provider? `random` is short for hashicorp/random, which is short for that of the
 * client's registry. */
bool lc_live_is_address(lc_str a, lc_str b);
/* The folder in which the client works: -chdir=DIR of its command, or ".". */
lc_str lc_live_folder(lc_arena *arena, const lc_live_search *search);

/* ---- What happens. */

/* A call that has ended. All of it lives until the hook returns. */
typedef struct lc_live_call {
    const lc_live_provider *provider;
    uint64_t process, seq;  /* number of the connection, from 1; order of the call in it */
    lc_str path;            /* "/tfplugin5.Provider/PlanResourceChange" */
    const lc_str *requests; /* messages */
    const lc_str *responses;
    size_t request_count, response_count;
    bool cut;           /* messages are missing through no fault of the provider: too long,
                           compressed, or the client did not wait */
    bool interrupted;   /* it has no answer because lifecheck was stopped; it is cut then */
    int status;         /* of gRPC; 0: it succeeded */
    lc_str status_text; /* what came with a status */
    lc_str reached;     /* the first host that the provider tried to reach during the call, of
                           one that has a proxy and no network; "": none */
    int64_t began;      /* microseconds since 1970 */
    int64_t took;       /* microseconds */
} lc_live_call;

/* How important an event is for the user. */
typedef enum lc_live_weight { LC_LIVE_NOTE, LC_LIVE_WARNING, LC_LIVE_ERROR } lc_live_weight;

/* Functions that the loop calls, in the same thread. All must be set. They should return soon,
 * because no bytes are passed on meanwhile. */
typedef struct lc_live_hooks {
    void *context;
    void (*call)(void *context, const lc_live_call *call);
    /* Something that the user should know. `log` is the end of a provider's standard error, or "";
     * it may contain secrets. */
    void (*on_event)(void *context, lc_live_weight weight, lc_str text, lc_str log);
    /* A client has connected: the name of its program ("terraform"), or "". */
    void (*client)(void *context, lc_str name);
    /* A plan that the command wrote or applied, as `show -json` prints it, or a state that it
     * left and that is not in the folder of the options. */
    void (*evidence)(void *context, lc_str path, lc_str json);
    /* Nothing came for a moment. */
    void (*idle)(void *context);
} lc_live_hooks;

/* What lc_live_run records, and how. Borrowed until it returns. */
typedef struct lc_live_options {
    const lc_live_providers *providers;
    char **command; /* ends with NULL; NULL: clients are waited for until SIGINT or SIGTERM */
    /* Called once the sockets exist, when there is no command: the value of TF_REATTACH_PROVIDERS,
     * and the path of a program that takes the place of the client in acceptance tests. */
    void (*ready)(void *context, lc_str reattach, lc_str wrapper);
    lc_str program;   /* the path of this program, for that wrapper */
    lc_str folder;    /* whose plans and states the caller reads; see lc_live_folder */
    lc_str log;       /* a file for the standard error of all providers; "": none */
    int64_t start_ms; /* how long a provider may take for its handshake */
    lc_limits limits;
    lc_live_hooks hooks;
} lc_live_options;

/* The outcome of a run: the exit status of the command, and counts for a summary. */
typedef struct lc_live_result {
    bool ran;       /* the command was started */
    int status;     /* its exit status as a shell has it (128 + signal); 0 without a command; of a
                       command that a signal to us kept from being started: 128 + this signal */
    bool failed;    /* the system did not allow a process, a socket or memory; reported */
    bool unwritten; /* the log could not be written; reported */
    uint64_t connections; /* that carried anything */
    uint64_t calls;       /* of providers that were given to the hook */
    uint64_t unreadable;  /* calls that were open when the recording of their connection ended
                             early; at least one for each of these connections */
    uint64_t died;        /* providers that ended on their own */
} lc_live_result;
/* Runs the command, and returns when it and all providers have ended. False: nothing was run; the
 * hook on_event received the reason. */
bool lc_live_run(lc_live_result *out, lc_arena *arena, const lc_live_options *options);

/* Runs a command as the wrapper does: hands the TF_REATTACH_PROVIDERS of its environment to the
 * recorder that listens at `socket`, and replaces this process by the command with the recorder's.
 * Returns only if that failed: *why, and the exit status of a shell (126, 127) if the command
 * cannot be run, else LC_LIVE_NOT_JOINED. */
#define LC_LIVE_NOT_JOINED (-1)
int lc_live_join(const char *socket, char **command, lc_str *why, lc_arena *arena);

#endif
