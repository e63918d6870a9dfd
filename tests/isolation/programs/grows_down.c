/* Maps memory that grows down as a stack does: the limit of data does not count it. It must get none,
   and plays on. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int grown(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN;
    return mmap(NULL, 50UL << 20, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
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
            if (grown())
                printf("{\"id\":%ld,\"failed\":{\"kind\":\"crash\",\"error\":\"GOT: memory\"}}\n",
                       atol(id + 5));
            else
                printf("{\"id\":%ld,\"action\":\"%s\"}\n", atol(id + 5), action);
        }
    }
    return 0;
}
