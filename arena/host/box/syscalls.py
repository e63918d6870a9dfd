"""Numbers of system calls by name, for the two machines that bots can be confined on.

Source: the Linux headers ``asm/unistd_64.h`` (x86-64) and ``asm-generic/unistd.h`` (aarch64, which
lacks the older half of the calls). A released kernel never changes its numbers.
"""

from __future__ import annotations

import os
from typing import NamedTuple

_TABLE = """
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, close 3 57, close_range 436 436,
lseek 8 62,
fstat 5 80, stat 4 -, lstat 6 -, newfstatat 262 79, statx 332 291, access 21 -, faccessat 269 48,
faccessat2 439 439, readlink 89 -, readlinkat 267 78, getcwd 79 17, getdents64 217 61,
open 2 -, openat 257 56, dup 32 23, dup2 33 -, dup3 292 24, fcntl 72 25, ioctl 16 29,
poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20,
epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -,
eventfd2 290 19,
pipe 22 -, pipe2 293 59, timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87,
signalfd4 289 74,
socketpair 53 199, getsockname 51 204, getpeername 52 205, getsockopt 55 209, sendto 44 206,
recvfrom 45 207, shutdown 48 210,
mmap 9 222, mprotect 10 226, munmap 11 215, mremap 25 216, brk 12 214, madvise 28 233,
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
rt_sigsuspend 130 133, rt_sigtimedwait 128 137, sigaltstack 131 132, restart_syscall 219 128,
pause 34 -,
alarm 37 -, setitimer 38 103, getitimer 36 102, nanosleep 35 101, clock_nanosleep 230 115,
clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153,
getrusage 98 165,
futex 202 98, set_robust_list 273 99, rseq 334 293, set_tid_address 218 96,
sched_yield 24 124, sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120,
sched_get_priority_max 146 125, sched_get_priority_min 147 126, membarrier 324 283,
arch_prctl 158 -, getcpu 309 168,
exit 60 93, exit_group 231 94, tgkill 234 131, clone 56 220, clone3 435 435,
getpid 39 172, gettid 186 178, getppid 110 173, getuid 102 174, geteuid 107 175, getgid 104 176,
getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158, getpgrp 111 -,
getpgid 121 155, getsid 124 156,
uname 63 160, sysinfo 99 179, getrlimit 97 163, prlimit64 302 261, getrandom 318 278,
prctl 157 167, capget 125 90, execve 59 221,
openat2 437 437, io_uring_setup 425 425, pkey_alloc 330 289, pkey_mprotect 329 288,
pkey_free 331 290,
capset 126 91, seccomp 317 277, landlock_create_ruleset 444 444, landlock_add_rule 445 445,
landlock_restrict_self 446 446,
fork 57 -, vfork 58 -,
kill 62 129, tkill 200 130, ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271,
pidfd_open 434 434, pidfd_getfd 438 438, pidfd_send_signal 424 424, perf_event_open 298 241,
bpf 321 280, userfaultfd 323 282, keyctl 250 219, add_key 248 217, memfd_create 319 279,
unshare 272 97, setns 308 268, mount 165 40, mount_setattr 442 442, chroot 161 51,
shmget 29 194, shmctl 31 195, msgget 68 186, msgctl 71 187, mq_open 240 180, mq_unlink 241 181,
inotify_init1 294 26, fanotify_init 300 262,
socket 41 198, connect 42 203, bind 49 200, sendmsg 46 211, recvmsg 47 212,
execveat 322 281,
truncate 76 45, ftruncate 77 46, flock 73 32,
sched_setaffinity 203 122, setpriority 141 140,
kcmp 312 272, name_to_handle_at 303 264, open_by_handle_at 304 265, io_uring_enter 426 426,
timer_create 222 107, rt_sigqueueinfo 129 138, setsockopt 54 208, getxattr 191 8,
sched_setscheduler 144 119, mincore 27 232, statfs 137 43, mknod 133 -, mknodat 259 33,
request_key 249 218, personality 135 92, vmsplice 278 75, quotactl 179 60, syslog 103 116,
"""
"""Name, number on x86-64, number on aarch64 (``-`` where a machine lacks the call), by subject."""


class Machine(NamedTuple):
    """The system calls of one kind of processor.

    Attributes:
        name: Its name by ``uname -m``.
        audit: Its number for seccomp (``AUDIT_ARCH_*`` in ``linux/audit.h``).
        numbers: System calls by name.
    """

    name: str
    audit: int
    numbers: dict[str, int]

    @property
    def processor(self) -> int:
        """Number of the processor in the header of an executable (``EM_*``)."""
        return self.audit & 0xFFFF  # AUDIT_ARCH_* is made of it, and of flags


def _column(place: int) -> dict[str, int]:
    rows = (row.split() for row in _TABLE.strip().split(",") if row)
    return {row[0]: int(row[place]) for row in rows if row[place] != "-"}


NEWEST = 462
"""Newest system call that the tables of ``seccomp`` consider (``mseal``); new calls have the same
number on all machines.
"""

MACHINES = {
    machine.name: machine
    for machine in (
        Machine("x86_64", 0xC000_003E, _column(1)),
        Machine("aarch64", 0xC000_00B7, _column(2)),
    )
}


def this_machine() -> Machine:
    """Returns the machine that this runs on.

    Raises:
        OSError: It has no table.
    """
    name = os.uname().machine
    if name not in MACHINES:
        raise OSError(f"no table of system calls for {name} (only for {', '.join(MACHINES)})")
    return MACHINES[name]
