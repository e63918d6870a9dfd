/* As page_tables, but its first thread ends and a second one plays on: then the status of the process
   counts no memory any more, only that of the thread does. It must lose by memory in the end. */

#define main decide
#include "page_tables.c"
#undef main
#include <pthread.h>
#include <sys/syscall.h>

static void *play(void *nothing)
{
    (void)nothing;
    exit(decide());
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, play, NULL)) return 2;
    syscall(SYS_exit, 0);
}
