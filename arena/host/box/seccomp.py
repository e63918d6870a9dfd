"""seccomp: the system calls that a bot's process may make, as rows, and the program made of them.

Other calls are refused with EPERM, and calls younger than the tables with ENOSYS, as by an older
kernel. A call by the numbers of another kind of machine (32-bit, x32) ends the process. The filter
sees a call's arguments, never the memory behind them: where a path matters, Landlock decides.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.host.box.kernel import call
from arena.host.box.syscalls import NEWEST, Machine, this_machine

_USING_WHAT_IT_HAS = {
    "descriptors": "read write readv writev pread64 close close_range lseek dup dup2 dup3",
    "files": "fstat stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat",
    "folders": "getcwd getdents64",
    "waiting": "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait",
    "more waiting": "epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd4",
    "pipes and sockets": "pipe pipe2 getsockname getpeername recvfrom shutdown",
    "memory": "mmap mprotect munmap mremap brk",
    "signals to itself": "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend",
    "more signals": "rt_sigtimedwait sigaltstack restart_syscall pause",
    "time": "alarm setitimer getitimer nanosleep gettimeofday time times getrusage",
    "timers": "timerfd_settime timerfd_gettime",
    "threads": "set_robust_list rseq set_tid_address membarrier exit exit_group",
    "scheduling": "sched_yield getcpu",
    "priorities": "sched_get_priority_max sched_get_priority_min",
    "who it is": "getpid gettid getppid getpgrp getuid geteuid getgid getegid",
    "its rights": "getresuid getresgid getgroups getrlimit capget",
    "the machine": "uname getrandom",
}
ALLOWED = tuple(name for names in _USING_WHAT_IT_HAS.values() for name in names.split())
"""Calls by which a process only uses what it has, whatever their arguments."""

PROGRAMS = ("execve", "arch_prctl")
"""Further calls of a program that starts. Landlock says which files ``execve`` may execute."""

ABSENT = ("clone3", "openat2", "io_uring_setup", "pkey_alloc", "pkey_mprotect", "pkey_free")
"""Calls answered with ENOSYS: a C library, or node, then falls back on another."""


class Check(NamedTuple):
    """A condition on an argument of a system call.

    Attributes:
        argument: Its place, from 0.
        values: Its allowed values.
        mask: The compared bits.
        upper: Whether the upper half of its 64 bits is compared instead of the lower.
    """

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFF_FFFF
    upper: bool = False


class Row(NamedTuple):
    """A system call that is allowed if all checks hold; else it is answered with an error."""

    call: str
    checks: tuple[Check, ...]
    error: int = errno.EPERM


_CLONE_THREAD, _CLONE_NEW_ANYTHING = 0x0001_0000, 0x7E02_0000
_READING, _WRITING, _BOTH, _TRUNCATING = 0, 1, 2, 0o1000
_OPENING = (_READING, _WRITING, _BOTH, _TRUNCATING | _WRITING, _TRUNCATING | _BOTH)
_AF_UNIX, _SOCK_STREAM, _SOCKET_KIND = 1, 1, 0xF
_OTHERS_CLOCK = 0x8000_0000
_FUTEX_PRIVATE = 128
_FUTEX_WAITS = (0, 9)
"""FUTEX_WAIT, FUTEX_WAIT_BITSET; which clock they wait by is a bit above ``_FUTEX_KIND``."""
_FUTEX_KIND = 0xFF
_PRIVATE_KINDS = tuple(range(_FUTEX_PRIVATE, _FUTEX_PRIVATE + 14))
_PRIVATE_FUTEX = Check(1, (_FUTEX_PRIVATE,), mask=_FUTEX_PRIVATE)
_SHARED_WAITS_TOO = Check(1, (*_FUTEX_WAITS, *_PRIVATE_KINDS), mask=_FUTEX_KIND)
_OF_A_PROCESS = ("sched_getparam", "sched_getscheduler", "getpgid", "getsid")

_ADVICE = (*range(5), 8, *range(14, 20))
"""Advice on memory that is allowed: NORMAL RANDOM SEQUENTIAL WILLNEED DONTNEED; FREE; HUGEPAGE
NOHUGEPAGE DONTDUMP DODUMP WIPEONFORK KEEPONFORK. By the others two bots could signal.
"""
_MAP_SHARED, _MAP_ANONYMOUS, _MAP_GROWSDOWN = 0x01, 0x20, 0x100
_MAP_CHECKED = _MAP_SHARED | _MAP_ANONYMOUS | _MAP_GROWSDOWN
_PROGRAMS_MEMORY = Row("mmap", (Check(3, (0, _MAP_SHARED, _MAP_ANONYMOUS), mask=_MAP_CHECKED),))
"""Neither memory shared with children nor a stack that grows: RLIMIT_DATA counts neither."""
_SOL_SOCKET = 1
_SOCKET_OPTIONS = (3, 4, 7, 8, 30, 38, 39)
"""Readable options of a socket: TYPE ERROR SNDBUF RCVBUF ACCEPTCONN PROTOCOL DOMAIN. Two bots could
signal by COOKIE and PEERPIDFD, which are given out in turn to all.
"""


def conditions(process: int, *, program: bool, referred: bool = False) -> tuple[Row, ...]:
    """Returns the calls that depend on their arguments.

    Args:
        process: The number of the process that will be confined.
        program: Whether the process will become a program other than our own Python.
        referred: Whether another process decides the calls of ``REFERRED``, which pass here.
    """
    clock = Check(0, (0,), mask=_OTHERS_CLOCK)
    return (
        # Threads; no processes and no namespaces.
        Row("clone", (Check(0, (_CLONE_THREAD,), mask=_CLONE_THREAD | _CLONE_NEW_ANYTHING),)),
        # Signals to itself: abort() and raise().
        Row("tgkill", (Check(0, (process,)),)),
        # Before ABI 3 Landlock lets pass who truncates what it opens only for reading, or for
        # neither reading nor writing (access mode 3).
        Row("open", (Check(1, _OPENING, mask=_TRUNCATING | 3),)),
        Row("openat", (Check(2, _OPENING, mask=_TRUNCATING | 3),)),
        # Copies and flags of descriptors. No owner (SIGIO is a signal to anybody), no locks (two
        # bots could talk by them), no leases.
        Row("fcntl", (Check(1, (0, 1, 2, 3, 4, 1030)),)),
        # What terminals, pipes and sockets are asked: TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX
        # FIOCLEX. No FIOASYNC, FIOSETOWN, TIOCSTI.
        Row("ioctl", (Check(1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),)),
        # Its own limits, only to read them: root could raise them.
        Row("prlimit64", (Check(0, (0,)), Check(2, (0,)), Check(2, (0,), upper=True))),
        # Names of threads and of memory.
        Row("prctl", (Check(0, (15, 16, 0x5356_4D41)),)),
        # A connected pair, as event loops wake themselves with; and no sending to an address.
        Row("socketpair", (Check(0, (_AF_UNIX,)), Check(1, (_SOCK_STREAM,), mask=_SOCKET_KIND))),
        Row("getsockopt", (Check(1, (_SOL_SOCKET,)), Check(2, _SOCKET_OPTIONS)), errno.ENOPROTOOPT),
        Row("sendto", (Check(4, (0,)), Check(4, (0,), upper=True))),
        # Waiting for its own threads. A shared futex is known by its page of a file: in one that
        # two bots may both read, one could wait and the other find it waiting. (The end of a
        # thread is waited for by a shared one: C libraries retry when refused so, and whoever
        # decides on such a wait takes its time before it refuses: ``threads``.)
        Row("futex", (_SHARED_WAITS_TOO if referred else _PRIVATE_FUTEX,), errno.EAGAIN),
        Row("madvise", (Check(2, _ADVICE),), errno.EINVAL),
        # How it is scheduled itself; not who else there is. (Threads ask for their cores by their
        # own number, and a C library does without an answer if there is no such call.)
        Row("sched_getaffinity", (Check(0, (0, process)),), errno.ENOSYS),
        *(Row(name, (Check(0, (0, process)),)) for name in _OF_A_PROCESS),
        # The clocks, but not the CPU clocks of other processes: what a rival thinks about is
        # nobody's business.
        Row("clock_gettime", (clock,)),
        Row("clock_getres", (clock,)),
        Row("clock_nanosleep", (clock,)),
        Row("timerfd_create", (clock,)),
        *([_PROGRAMS_MEMORY] if program else ()),
    )


REFERRED = (Row("clone", ()), Row("futex", (Check(1, _FUTEX_WAITS, mask=_FUTEX_KIND),)))
"""Calls that another process decides one by one: new threads, and waits by a shared futex, by which
two bots could talk.
"""

NEVER_IN_A_BUILD = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "userfaultfd"),
    *("unshare", "setns", "mount", "mount_setattr", "chroot", "personality", "quotactl", "syslog"),
    *("bpf", "perf_event_open", "io_uring_enter", "vmsplice", "fanotify_init"),
    *("keyctl", "add_key", "request_key", "name_to_handle_at", "open_by_handle_at"),
    # Memory that belongs to no process, and so is not counted.
    *("memfd_create", "shmget", "shmctl", "msgget", "msgctl", "mq_open", "mq_unlink"),
    *("socket", "connect", "bind"),
)
"""Calls that no compiler needs. A build may make the others: it shares its box with nobody."""


class Instruction(NamedTuple):
    """One instruction of classic BPF (``struct sock_filter``)."""

    code: int
    if_true: int
    if_false: int
    operand: int


_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_GREATER = 0x15, 0x25
_RETURN_ALLOW, _RETURN_ERROR, _RETURN_KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_RETURN_REFER, _SET_FILTER = 0x7FC0_0000, 1
_X32 = 0x4000_0000  # from here on are the numbers of the x32 calls of x86-64
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16  # in struct seccomp_data

_ALLOW = Instruction(_RETURN, 0, 0, _RETURN_ALLOW)
_REFUSE = Instruction(_RETURN, 0, 0, _RETURN_ERROR | errno.EPERM)
_NO_SUCH_CALL = Instruction(_RETURN, 0, 0, _RETURN_ERROR | errno.ENOSYS)
_KILL = Instruction(_RETURN, 0, 0, _RETURN_KILL)


def filter_program(
    machine: Machine, process: int, *, program: bool, referred: bool = False
) -> list[Instruction]:
    """The filter for a machine, as the kernel runs it on every call (see ``conditions``)."""
    numbers = machine.numbers
    code = _of_this_machine(machine)
    rows = conditions(process, program=program, referred=referred)
    for row in (each for each in rows if each.call in numbers):
        code += _row(row, numbers, _ALLOW, Instruction(_RETURN, 0, 0, _RETURN_ERROR | row.error))
    allowed = (*ALLOWED, *PROGRAMS) if program else ALLOWED
    found = sorted(numbers[name] for name in allowed if name in numbers)
    for place, number in enumerate(found):
        code.append(Instruction(_IF_EQUAL, len(found) - place, 0, number))
    return [*code, _REFUSE, _ALLOW]


def build_program(machine: Machine) -> list[Instruction]:
    """The filter for the compilers of a build: it refuses what none of them needs."""
    numbers = machine.numbers
    no_namespaces = Row("clone", (Check(0, (0,), mask=_CLONE_NEW_ANYTHING),))
    code = [*_of_this_machine(machine)]
    for row in (no_namespaces, _PROGRAMS_MEMORY):  # shared memory is no process's own
        code += _row(row, numbers, _ALLOW, _REFUSE)
    for name in (each for each in NEVER_IN_A_BUILD if each in numbers):
        code += (Instruction(_IF_EQUAL, 0, 1, numbers[name]), _REFUSE)
    return [*code, _ALLOW]


def _of_this_machine(machine: Machine) -> list[Instruction]:
    """Begins a filter: it loads the number of a call of this machine that a table has."""
    numbers = machine.numbers
    code = [
        Instruction(_LOAD, 0, 0, _MACHINE_OFFSET),
        Instruction(_IF_EQUAL, 1, 0, machine.audit),
        _KILL,  # a call by another machine's numbers, as 32-bit code makes them
        Instruction(_LOAD, 0, 0, _NUMBER_OFFSET),
        Instruction(_IF_GREATER, 0, 1, _X32 - 1),
        _KILL,
        Instruction(_IF_GREATER, 0, 1, NEWEST),
        _NO_SUCH_CALL,
    ]
    for name in (each for each in ABSENT if each in numbers):
        code += (Instruction(_IF_EQUAL, 0, 1, numbers[name]), _NO_SUCH_CALL)
    return code


def _row(
    row: Row, numbers: Mapping[str, int], good: Instruction, bad: Instruction
) -> Iterator[Instruction]:
    """Ends a row's call by one of two instructions; continues behind itself with any other call."""
    checks = [instruction for check in row.checks for instruction in _check(check, bad)]
    yield Instruction(_IF_EQUAL, 0, len(checks) + 1, numbers[row.call])
    yield from (*checks, good)


def _check(check: Check, bad: Instruction) -> Iterator[Instruction]:
    """Continues behind itself if the check holds, and ends the call if not."""
    # Both machines are little-endian: the lower half comes first.
    yield Instruction(_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * check.argument + 4 * check.upper)
    yield Instruction(_AND, 0, 0, check.mask)
    for place, value in enumerate(check.values):
        yield Instruction(_IF_EQUAL, len(check.values) - place, 0, value)
    yield bad


def restrict_calls(*, program: bool, referred: bool = False) -> None:
    """Limits this process, and everything that it starts, to the system calls of the tables, for
    ever.

    ``no_new_privs`` must be set before.

    Raises:
        OSError: This kernel has no seccomp filters, or this machine has no table.
    """
    install(filter_program(this_machine(), os.getpid(), program=program, referred=referred))


def restrict_build() -> None:
    """Limits this process, and everything that it starts, as a build; as ``restrict_calls``."""
    install(build_program(this_machine()))


def referral_program(machine: Machine) -> list[Instruction]:
    """A filter that has another process decide the referred calls; all else passes."""
    code = [Instruction(_LOAD, 0, 0, _NUMBER_OFFSET)]
    for row in (each for each in REFERRED if each.call in machine.numbers):
        code += _row(row, machine.numbers, Instruction(_RETURN, 0, 0, _RETURN_REFER), _ALLOW)
    return [*code, _ALLOW]


def install(code: Sequence[Instruction], flags: int = 0) -> int:
    """Applies a filter to this process; a later filter cannot allow what it refuses.

    Args:
        code: The filter.
        flags: ``SECCOMP_FILTER_FLAG_*``; some of them return a descriptor.

    Raises:
        OSError: This kernel has no seccomp filters, or not with these flags.
    """
    packed = b"".join(struct.pack("HBBI", *instruction) for instruction in code)
    memory = ctypes.create_string_buffer(packed, len(packed))
    head = struct.pack("HxxxxxxP", len(code), ctypes.addressof(memory))
    return call("seccomp", _SET_FILTER, flags, head)
