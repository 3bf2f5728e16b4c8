/* Logarithm and power of float64 as Go's library computes them on amd64, to the last bit: the
 * results of log and pow show all digits. */
#ifndef LC_CONFIGURATION_FUNCTIONS_FLOATS_H
#define LC_CONFIGURATION_FUNCTIONS_FLOATS_H

#include <math.h>

double lc_go_log(double x);
double lc_go_pow(double x, double y);

#endif
