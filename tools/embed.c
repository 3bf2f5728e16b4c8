/* Files to rows of a C table {path, text}, so that they are part of the program.
 *
 * embed FILE... writes the rows to standard output. */
#include <stdio.h>

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

static int write_row(const char *path)
{
    FILE *file = fopen(path, "rb");
    int c;
    if (!file) {
        perror(path);
        return 0;
    }
    printf("{\"%s\",\n    \"", path);
    while ((c = getc(file)) != EOF)
        write_char(c);
    fputs("\"},\n", stdout);
    int ok = !ferror(file);
    fclose(file);
    return ok;
}

int main(int argc, char **argv)
{
    puts("/* Made by tools/embed.c. */");
    for (int i = 1; i < argc; i++) {
        if (!write_row(argv[i]))
            return 1;
    }
    return !ferror(stdout) && fflush(stdout) == 0 ? 0 : 1;
}
