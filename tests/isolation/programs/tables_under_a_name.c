/* As page_tables, but named so that a careless reader of its status finds less memory there. It must
   lose by memory in the end. */

#define main decide
#include "page_tables.c"
#undef main
#include <sys/prctl.h>

int main(void)
{
    prctl(PR_SET_NAME, "\rVmPTE: -999999");
    return decide();
}
