/* Replays inputs through a fuzz target without libFuzzer: each argument is a file, or a folder
 * whose files are replayed (its subfolders too). Prints "N inputs"; fails if there are none. */
#include "lifecheck/base/arena.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Exactly as large as the input, so that sanitizers see a read beyond its end. */
static bool replay_file(const char *name, size_t size)
{
    FILE *file = fopen(name, "rb");
    uint8_t *data = lc_heap_alloc(size ? size : 1);
    bool ok = file && fread(data, 1, size, file) == size;
    if (file)
        fclose(file);
    if (ok)
        LLVMFuzzerTestOneInput(data, size);
    else
        fprintf(stderr, "%s cannot be read\n", name);
    lc_heap_free(data);
    return ok;
}

static bool replay(const char *name, unsigned depth, size_t *count);

static bool replay_folder(const char *name, unsigned depth, size_t *count)
{
    DIR *folder = opendir(name);
    bool ok = folder != NULL;
    lc_arena *arena = lc_arena_new();
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "README.md") == 0)
            continue;
        lc_str path = lc_str_printf(arena, "%s/%s", name, entry->d_name);
        ok = replay(lc_str_to_c(arena, path), depth + 1, count);
    }
    if (folder)
        closedir(folder);
    lc_arena_free(arena);
    return ok;
}

static bool replay(const char *name, unsigned depth, size_t *count)
{
    struct stat info;
    if (depth > 8 || stat(name, &info) != 0) {
        fprintf(stderr, "%s cannot be read\n", name);
        return false;
    }
    if (S_ISDIR(info.st_mode))
        return replay_folder(name, depth, count);
    (*count)++;
    return replay_file(name, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    bool ok = true;
    lc_heap_install();
    for (int i = 1; i < argc; i++)
        ok &= replay(argv[i], 0, &count);
    printf("%zu inputs\n", count);
    return ok && count ? EXIT_SUCCESS : EXIT_FAILURE;
}
