/* Forks, becomes a shell, opens a socket and makes namespaces, by the C library and by naked system
   calls. All of it must fail, and it plays on: the first legal action, found by a search for text. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *found(void)
{
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) return "a fork";
#ifdef SYS_fork
    child = syscall(SYS_fork);
    if (child == 0) _exit(0);
    if (child > 0) return "a naked fork";
#endif
    char *none[] = {"sh", NULL};
    execv("/bin/sh", none); /* never returns if it works: the match is lost by the protocol */
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) return "a socket";
    if (unshare(CLONE_NEWUSER) == 0) return "a namespace";
    if (syscall(SYS_memfd_create, "x", 0) >= 0) return "a file in memory";
    return NULL;
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
            const char *got = found();
            char *action = legal + strlen("\"legal_actions\":[\"");
            *strchr(action, '"') = 0;
            if (got)
                printf("{\"id\":%ld,\"failed\":{\"kind\":\"crash\",\"error\":\"GOT: %s\"}}\n",
                       atol(id + 5), got);
            else
                printf("{\"id\":%ld,\"action\":\"%s\"}\n", atol(id + 5), action);
        }
    }
    return 0;
}
