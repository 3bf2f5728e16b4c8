/* Programming errors. They abort in every build; they are never used for bad input. Module base. */
#ifndef LIFECHECK_BUG_H
#define LIFECHECK_BUG_H

_Noreturn void lc_bug(const char *file, int line, const char *what);
/* One line on standard error, exit status 4. */
_Noreturn void lc_out_of_memory(void);

#define LC_BUG(what) lc_bug(__FILE__, __LINE__, (what))
#define LC_ASSERT(condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            lc_bug(__FILE__, __LINE__, #condition);                                                \
    } while (0)
#define LC_UNREACHABLE() LC_BUG("unreachable")

#endif
