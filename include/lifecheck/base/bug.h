/* Programming errors. They abort the program in every build, and are never used for bad input.
 * Module base. */
#ifndef LIFECHECK_BASE_BUG_H
#define LIFECHECK_BASE_BUG_H

/* Prints the place and `what` on standard error and aborts. */
_Noreturn void lc_bug(const char *file, int line, const char *what);
/* Prints one line on standard error and exits with status 4. */
_Noreturn void lc_out_of_memory(void);
/* Call it when a function of the C library that may allocate (opendir, realpath) has failed. Ends
 * the program as lc_out_of_memory does if errno is ENOMEM; else it does nothing. */
void lc_check_memory(void);

/* LC_ASSERT is checked in release builds too; LC_UNREACHABLE marks the end of a switch that handles
 * all cases. */
#define LC_BUG(what) lc_bug(__FILE__, __LINE__, (what))
#define LC_ASSERT(condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            lc_bug(__FILE__, __LINE__, #condition);                                                \
    } while (0)
#define LC_UNREACHABLE() LC_BUG("unreachable")

#endif
