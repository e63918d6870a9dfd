/* Reads one byte in every two megabytes of a terabyte that it may only read, some at each decision:
   each read costs the machine a page of page tables, and none of the program's own memory. It must
   lose by memory in the end. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t STEP = 2UL << 20, ALL = 1UL << 40, AT_ONCE = 3000, ENOUGH = 100000;

static size_t tables(void)
{
    static volatile char *space;
    static size_t count;
    if (!space) {
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        space = mmap(NULL, ALL, PROT_READ, flags, -1, 0);
        if (space == MAP_FAILED) exit(3);
        madvise((void *)space, ALL, MADV_NOHUGEPAGE);
    }
    for (size_t end = count + AT_ONCE; count < end; count++) (void)space[count * STEP];
    return count;
}

int main(void)
{
    static char line[1 << 20];
    setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        char *legal = strstr(line, "\"legal_actions\":[\"");
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"protocol\":1,\"name\":\"c\"}");
        } else if (strstr(line, "\"type\":\"start\"") && id) {
            printf("{\"id\":%ld}\n", atol(id + 5));
        } else if (id && legal) {
            char *action = legal + strlen("\"legal_actions\":[\"");
            *strchr(action, '"') = 0;
            if (tables() >= ENOUGH)
                printf("{\"id\":%ld,\"failed\":{\"kind\":\"crash\",\"error\":\"GOT: tables\"}}\n",
                       atol(id + 5));
            else
                printf("{\"id\":%ld,\"action\":\"%s\"}\n", atol(id + 5), action);
        }
    }
    return 0;
}
