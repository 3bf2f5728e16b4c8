/* How a provider for tests starts and serves, as go-plugin's providers do. It gets no arguments, so
 * what it does is said by the environment, or by lines NAME=VALUE in the file PROGRAM.env next to
 * it (the environment wins). */
#ifndef LC_S_RECORD_PLUGIN_H
#define LC_S_RECORD_PLUGIN_H

#include "h2.h"

#define PLUGIN_CONNECTIONS 64

typedef struct plugin {
    char path[128]; /* of the socket */
    int log;        /* of PEER_LOG, or -1 */
    h2_connection *connections[PLUGIN_CONNECTIONS];
    const h2_events *events;
    bool stop;
    bool deaf;  /* reads and writes nothing */
    bool die;   /* it is killed when what it has to say is written */
    void *user; /* becomes that of connections */
    /* Sends what is to be sent later; returns how many milliseconds the next answer has, or -1. */
    int (*due)(void *user);
    /* A client came. False: it is left alone. NULL: nothing is to be done. */
    bool (*greets)(void *user, int fd);
} plugin;

/* Ends the program unless a client started it; reads PROGRAM.env, and opens the log. */
void plugin_begin(plugin *p, const char *program);
/* Of the environment; `otherwise` if it is missing or empty. */
const char *plugin_setting(const char *name, const char *otherwise);
/* Marks the faults whose words the setting FAULT has. An unknown word ends the program. */
void plugin_faults(bool *faults, const char *const *words);
/* Appends "PID WHAT MORE HOW" to the log. */
void plugin_say(const plugin *p, const char *what, const char *more, const char *how);
/* A socket that listens, whose address is p->path. */
int plugin_listen(plugin *p);
/* The line for the client. */
void plugin_handshake(const plugin *p, int protocol);
void plugin_serve(plugin *p, int listener); /* until `stop` is set */
_Noreturn void plugin_leave(const plugin *p, int status);
/* What Go prints when a program panics in `where`. */
_Noreturn void plugin_panic(const char *where);

#endif
