/* Linked with functions that are compiled with -finstrument-functions: writes the address of each,
 * as nm has it, to the end of the file REACHED when it is called for the first time. */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST (1 << 24) /* bytes of the library */

#define NOT_WATCHED __attribute__((no_instrument_function))

/* Where the library begins; made by the linker. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

void __cyg_profile_func_enter(void *function, void *caller) NOT_WATCHED;
void __cyg_profile_func_exit(void *function, void *caller) NOT_WATCHED;

void __cyg_profile_func_enter(void *function, void *caller)
{
    static unsigned char seen[MOST];
    (void)caller;
    ptrdiff_t at = (const char *)function - __ehdr_start;
    const char *path = getenv("REACHED");
    if (!path || at < 0 || at >= MOST || seen[at])
        return;
    seen[at] = 1;
    char line[32];
    int length = snprintf(line, sizeof line, "%016tx\n", at);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) {
        if (write(file, line, (size_t)length) != length)
            abort();
        close(file);
    }
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}
