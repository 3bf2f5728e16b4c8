/* Scenarios to a C table, so that an installed program can show them: the first failing and the
 * first passing one of each rule, by file name.
 *
 * embed_scenarios FOLDER FILE... writes the table to standard output. FILEs are sorted by name and
 * named FOLDER/family/rule/{fail,pass}-why.yaml; others are passed over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SLUG 120

/* "family/rule" of a path; false: not a rule's scenario of this kind. */
static int slug_of(char *out, const char *folder, const char *path, const char *kind)
{
    size_t front = strlen(folder);
    if (strncmp(path, folder, front) != 0 || path[front] != '/')
        return 0;
    const char *family = path + front + 1;
    const char *rule = strchr(family, '/');
    const char *file = rule ? strchr(rule + 1, '/') : NULL;
    if (!file || strchr(file + 1, '/') || strncmp(file + 1, kind, strlen(kind)) != 0 ||
        (size_t)(file - family) >= MAX_SLUG)
        return 0;
    memcpy(out, family, (size_t)(file - family));
    out[file - family] = '\0';
    return 1;
}

static void write_char(int c)
{
    if (c == '\n')
        fputs("\\n\"\n    \"", stdout);
    else if (c == '"' || c == '\\' || c == '?')
        printf("\\%c", c);
    else if (c < ' ' || c > '~')
        printf("\\%03o", (unsigned)c & 0xffu);
    else
        putchar(c);
}

static int write_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    int c;
    if (!file) {
        perror(path);
        return 0;
    }
    fputs("    \"", stdout);
    while ((c = getc(file)) != EOF)
        write_char(c);
    fputs("\"", stdout);
    fclose(file);
    return 1;
}

static int write_kind(const char *folder, int count, char **paths, const char *kind)
{
    char slug[MAX_SLUG], last[MAX_SLUG] = "";
    for (int i = 0; i < count; i++) {
        if (!slug_of(slug, folder, paths[i], kind) || strcmp(slug, last) == 0)
            continue;
        strcpy(last, slug);
        printf("{\"%s\", %s, \"%s\",\n", slug, strcmp(kind, "fail-") == 0 ? "true" : "false",
               paths[i]);
        if (!write_file(paths[i]))
            return 0;
        fputs("},\n", stdout);
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    puts("/* Made from the scenarios by tools/embed_scenarios.c. */");
    int ok = write_kind(argv[1], argc - 2, argv + 2, "fail-") &&
             write_kind(argv[1], argc - 2, argv + 2, "pass-");
    return ok && !ferror(stdout) && fflush(stdout) == 0 ? 0 : 1;
}
