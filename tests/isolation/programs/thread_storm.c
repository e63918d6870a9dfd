/* Starts threads by the naked system call, as many as it gets, each with a stack of one page. It must
   not come to many: all bots and the harness share the numbers of threads. It plays on. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ENOUGH = 200, STACK = 16384 };

static int rests(void *unused)
{
    for (;;) pause();
    return unused != NULL;
}

static int started(void)
{
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    static int count;
    while (count < ENOUGH) {
        char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (stack == MAP_FAILED || clone(rests, stack + STACK, flags, NULL) < 0) break;
        count++;
    }
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
            if (started() == ENOUGH)
                printf("{\"id\":%ld,\"failed\":{\"kind\":\"crash\",\"error\":\"GOT: %d threads\"}}\n",
                       atol(id + 5), ENOUGH);
            else
                printf("{\"id\":%ld,\"action\":\"%s\"}\n", atol(id + 5), action);
        }
    }
    return 0;
}
