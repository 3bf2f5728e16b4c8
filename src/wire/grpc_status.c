/* The statuses of gRPC by number, by name, and as Go prints them in messages of the clients. */
#include "lifecheck/wire/grpc_status.h"

static const struct row {
    const char *name, *go;
    int number;
} rows[] = {
#define STATUS(name, number, go) {#name, go, number},
#include "lifecheck/wire/grpc_status.def"
};
#define ROWS (sizeof rows / sizeof *rows)

const char *const lc_grpc_status_names[] = {
#define STATUS(name, number, go) #name,
#include "lifecheck/wire/grpc_status.def"
    NULL,
};

const char *lc_grpc_status_in_go(int status)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].number == status)
            return rows[i].go;
    }
    return NULL;
}

/* Both spellings: DEADLINE_EXCEEDED of the specification, DeadlineExceeded of Go. */
int lc_grpc_status_named(lc_str name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (lc_str_is(name, rows[i].name) || lc_str_is(name, rows[i].go))
            return rows[i].number;
    }
    return LC_GRPC_UNKNOWN;
}
