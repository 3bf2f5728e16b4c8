/* How a call of gRPC ended. Module wire. */
#ifndef LIFECHECK_WIRE_GRPC_STATUS_H
#define LIFECHECK_WIRE_GRPC_STATUS_H

#include "lifecheck/base/str.h"

/* LC_GRPC_OK, LC_GRPC_CANCELLED, ... with their numbers. */
enum {
#define STATUS(name, number, go) LC_GRPC_##name = number,
#include "lifecheck/wire/grpc_status.def"
};

/* The names as in gRPC's documents, with NULL at the end; OK is the first. */
extern const char *const lc_grpc_status_names[];
/* The name as Go prints it; NULL: there is no such status. */
const char *lc_grpc_status_in_go(int status);
/* The number of a name in either spelling; LC_GRPC_UNKNOWN for any other. */
int lc_grpc_status_named(lc_str name);

#endif
