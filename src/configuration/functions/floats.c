/* The algorithms are those of Go's package math: the logarithm of FreeBSD's msun, the exponential
 * of SLEEF, powers by repeated squaring. The C library's functions are closer to the exact results,
 * but in some of a thousand cases another number. */
#include "configuration/functions/floats.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW  1.90821492927058770002e-10

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The series of log(1+f) - f + f*f/2 in s = f/(2+f), by even and odd powers of s*s. */
static double log_rest(double s)
{
    double s2 = s * s, s4 = s2 * s2;
    double odd = 1.479819860511658591e-01 * s4 + 1.818357216161805012e-01;
    odd = odd * s4 + 2.857142874366239149e-01;
    odd = (odd * s4 + 6.666666666666735130e-01) * s2;
    double even = 1.531383769920937332e-01 * s4 + 2.222219843214978396e-01;
    even = (even * s4 + 3.999999999940941908e-01) * s4;
    return odd + even;
}

/* x = 2^k * (1+f) with 1+f between sqrt(2)/2 and sqrt(2). */
double lc_go_log(double x)
{
    if (isnan(x) || x == INFINITY)
        return x;
    if (x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    uint64_t bits = bits_of(x);
    double k = (double)((int64_t)(bits >> 52) - 0x3FE);
    double f = of_bits((bits & 0x000FFFFFFFFFFFFFu) | 0x3FE0000000000000u);
    if (f < 7.07106781186547524401e-01) {
        k -= 1;
        f *= 2;
    }
    f -= 1;
    double s = f / (2 + f), half = 0.5 * f * f;
    double low = s * (half + log_rest(s)) + k * LN2_LOW;
    return k * LN2_HIGH - ((half - low) - f);
}

/* exp(x) = 2^k * exp(r); exp(r/16) - 1 by its Taylor series, squared four times. */
static double go_exp(double x)
{
    static const double factors[] = {1.9841269841269841270e-4,
                                     1.3888888888888888889e-3,
                                     8.3333333333333333333e-3,
                                     4.1666666666666666667e-2,
                                     1.6666666666666666667e-1,
                                     0.5,
                                     1.0};
    if (isnan(x) || x == INFINITY)
        return x;
    if (x > 7.09782712893384e+02)
        return INFINITY;
    if (x < -1e4)
        return 0;
    double k = nearbyint(x * 1.4426950408889634073599246810018920);
    x = fma(-k, 0.69314718055966295651160180568695068359375, x);
    x = fma(-k, 0.28235290563031577122588448175013436025525412068e-12, x);
    x *= 0.0625;
    double sum = 2.4801587301587301587e-5;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        sum = fma(sum, x, factors[i]);
    x *= sum;
    for (int i = 0; i < 3; i++)
        x *= x + 2;
    x = fma(x, x + 2, 1.0);
    return ldexp(x, (int)k);
}

static bool is_odd(double x)
{
    return fabs(x) < 9007199254740992.0 && fmod(x, 2) != 0 && fmod(x, 1) == 0;
}

static double power_of_zero(double x, double y)
{
    bool keeps_sign = signbit(x) && is_odd(y);
    if (y < 0)
        return keeps_sign ? -INFINITY : INFINITY;
    return keeps_sign ? x : 0;
}

/* For |y| = Inf, or so large that only the size of x matters. */
static double power_beyond(double x, double y)
{
    if (x == -1)
        return 1;
    return (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
}

/* *done: the result is that of a special case. */
static double special_power(double x, double y, bool *done)
{
    *done = true;
    if (y == 0 || x == 1)
        return 1;
    if (y == 1)
        return x;
    if (isnan(x) || isnan(y))
        return NAN;
    if (x == 0)
        return power_of_zero(x, y);
    if (isinf(y) || fabs(y) >= 9223372036854775808.0)
        return power_beyond(x, y);
    if (isinf(x) && x < 0)
        return lc_go_pow(1 / x, -y);
    if (isinf(x))
        return y < 0 ? 0 : INFINITY;
    if (y == 0.5)
        return sqrt(x);
    if (y == -0.5)
        return 1 / sqrt(x);
    *done = false;
    return 0;
}

/* x^whole * start by repeated squaring of the mantissa; the exponents are added apart. Returns the
 * mantissa. */
static double power_by_squares(double x, int64_t whole, double start, int *exponent)
{
    int e;
    double square = frexp(x, &e), product = start;
    *exponent = 0;
    for (; whole != 0; whole >>= 1) {
        if (e < -4096 || e > 4096) { /* beyond all float64, regardless of what follows */
            *exponent += e;
            break;
        }
        if (whole & 1) {
            product *= square;
            *exponent += e;
        }
        square *= square;
        e *= 2;
        if (square < .5) {
            square += square;
            e--;
        }
    }
    return product;
}

double lc_go_pow(double x, double y)
{
    bool done;
    int exponent;
    double result = special_power(x, y, &done);
    if (done)
        return result;
    double whole, rest = modf(fabs(y), &whole), start = 1;
    if (rest != 0 && x < 0)
        return NAN;
    if (rest > 0.5) {
        rest -= 1;
        whole += 1;
    }
    if (rest != 0)
        start = go_exp(rest * lc_go_log(x));
    double product = power_by_squares(x, (int64_t)whole, start, &exponent);
    return y < 0 ? ldexp(1 / product, -exponent) : ldexp(product, exponent);
}
