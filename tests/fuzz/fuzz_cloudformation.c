/* CloudFormation resource types: an input is read in both profiles and keeps the laws. */
#include "cloudformation_laws.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_laws((lc_str){(const char *)data, size});
    return 0;
}
