/* Signals that ask us to end. They are blocked, so that they stay pending until we read them, and
 * never unblocked: a program may open further sessions, and Ctrl-C between two of them must not be
 * lost. All sessions must know, also afterwards, which signal came first and whether another one
 * came, without a shared variable: real-time signals that we send to ourselves, and that stay
 * blocked, record this. */
#define _GNU_SOURCE /* SIGRTMIN */
#include "live/session/parts.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
#define ASKING ((int)(sizeof asking / sizeof *asking))

/* SIGRTMIN itself is what others take first. The last mark is that of a further signal. */
static int mark_of(int at)
{
#if LC_ON_LINUX
    return SIGRTMIN + 3 + at;
#else /* there are none: signals of timers that we do not use */
    static const int spare[] = {SIGVTALRM, SIGPROF, SIGALRM, SIGUSR2};
    return spare[at];
#endif
}

/* A signal that is ignored, as with nohup, would become pending all the same if it were blocked. */
void lc_session_take_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ASKING; i++) {
        if (!lc_live_is_ignored(asking[i]))
            sigaddset(&set, asking[i]);
        sigaddset(&set, mark_of(i));
    }
    sigaddset(&set, mark_of(ASKING));
    sigprocmask(SIG_BLOCK, &set, NULL);
    /* If SIGCHLD is ignored, the exit status of a child is lost. */
    signal(SIGCHLD, SIG_DFL);
}

static int marked(const sigset_t *pending)
{
    for (int i = 0; i < ASKING; i++) {
        if (sigismember(pending, mark_of(i)))
            return asking[i];
    }
    return 0;
}

/* The number of the next one; 0: none came. */
static int next_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ASKING; i++)
        sigaddset(&set, asking[i]);
    return lc_signal_take(&set);
}

static void mark(int number)
{
    sigset_t pending;
    sigpending(&pending);
    bool further = marked(&pending) != 0;
    for (int i = 0; i < ASKING; i++) {
        if (asking[i] == number)
            kill(getpid(), mark_of(further ? ASKING : i));
    }
}

bool lc_session_take_signal(void)
{
    int number, count = 0;
    for (; (number = next_signal()) != 0; count++)
        mark(number);
    return count > 0;
}

bool lc_session_second_signal(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, mark_of(ASKING)) == 1;
}

int lc_session_stopped(void)
{
    sigset_t pending;
    sigpending(&pending);
    int number = marked(&pending);
    for (int i = 0; i < ASKING && !number; i++)
        number = sigismember(&pending, asking[i]) ? asking[i] : 0;
    return number;
}

lc_str lc_session_signal_text(lc_arena *arena)
{
    int number = lc_session_stopped();
    return lc_str_printf(arena, "lifecheck was stopped by signal %d (%s)", number,
                         strsignal(number));
}
