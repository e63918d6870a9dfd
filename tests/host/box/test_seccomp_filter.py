"""The filter of system calls, run by an evaluator of its own for both kinds of machine."""

from __future__ import annotations

import errno
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.host.box.seccomp import (
    ABSENT,
    ALLOWED,
    PROGRAMS,
    Instruction,
    conditions,
    filter_program,
    referral_program,
)
from arena.host.box.syscalls import MACHINES, NEWEST

X86, ARM = MACHINES["x86_64"], MACHINES["aarch64"]
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
BOTH = pytest.mark.parametrize("machine", [X86, ARM], ids=lambda machine: machine.name)
KINDS = pytest.mark.parametrize("program", [False, True], ids=["python", "program"])
AUDIT_I386 = 0x4000_0003
PROCESS = 4711
ALLOW, REFUSE, ABSENT_CALL, KILL = "allow", errno.EPERM, errno.ENOSYS, "kill"
REFER, RETRY = "refer", errno.EAGAIN
X32 = 0x4000_0000
WORDS = st.lists(st.integers(0, 2**64 - 1), min_size=6, max_size=6)
CONDITIONAL = {row.call for row in conditions(PROCESS, program=True)}


def evaluate(code: list[Instruction], audit: int, number: int, arguments=(0,) * 6):
    """Evaluates a filter as the kernel does: classic BPF over ``struct seccomp_data``."""
    data = number.to_bytes(4, "little") + audit.to_bytes(4, "little") + bytes(8)
    data += b"".join(each.to_bytes(8, "little") for each in arguments)
    accumulator, place = 0, 0
    while True:
        kind, if_true, if_false, operand = code[place]
        place += 1
        match kind:
            case 0x20:
                assert operand % 4 == 0
                accumulator = int.from_bytes(data[operand : operand + 4], "little")
            case 0x54:
                accumulator &= operand
            case 0x15:
                place += if_true if accumulator == operand else if_false
            case 0x25:
                place += if_true if accumulator > operand else if_false
            case 0x06:
                whole = {0x7FFF_0000: ALLOW, 0x8000_0000: KILL, 0x7FC0_0000: REFER}
                return whole[operand] if operand in whole else operand ^ 0x0005_0000
            case _:
                raise AssertionError(kind)


def ask(machine, name, *arguments, program=False, process=PROCESS):
    code = filter_program(machine, process, program=program)
    padded = tuple(each % 2**64 for each in arguments) + (0,) * (6 - len(arguments))
    return evaluate(code, machine.audit, machine.numbers[name], padded)


@BOTH
def test_numbers_are_those_of_the_kernels_headers(machine):
    header = HEADERS[machine.name]
    if not header.exists():
        pytest.skip(f"{header} is not installed (Debian: linux-libc-dev)")
    defined = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    defined.setdefault("newfstatat", defined.get("fstatat", ""))
    assert {name: int(defined[name]) for name in machine.numbers} == machine.numbers


@BOTH
@KINDS
@given(arguments=WORDS)
def test_harmless_calls_are_allowed_with_any_arguments(machine, program, arguments):
    code = filter_program(machine, PROCESS, program=program)
    names = {*ALLOWED, *(PROGRAMS if program else ())} - CONDITIONAL
    for name in names & set(machine.numbers):
        assert evaluate(code, machine.audit, machine.numbers[name], arguments) == ALLOW, name


@BOTH
@KINDS
@given(arguments=WORDS)
def test_all_other_numbers_are_refused_with_any_arguments(machine, program, arguments):
    code = filter_program(machine, PROCESS, program=program)
    known = {*ALLOWED, *CONDITIONAL, *(PROGRAMS if program else ())}
    allowed = {machine.numbers[name] for name in known if name in machine.numbers}
    absent = {machine.numbers[name] for name in ABSENT}
    for number in {*range(NEWEST + 1)} - allowed:
        answer = evaluate(code, machine.audit, number, arguments)
        assert answer == (ABSENT_CALL if number in absent else REFUSE), number


@BOTH
@KINDS
@given(number=st.integers(NEWEST + 1, X32 - 1), arguments=WORDS)
def test_calls_younger_than_the_table_look_absent(machine, program, number, arguments):
    code = filter_program(machine, PROCESS, program=program)
    assert evaluate(code, machine.audit, number, arguments) == ABSENT_CALL


@BOTH
@KINDS
@given(audit=st.integers(0, 2**32 - 1), number=st.integers(0, 2**32 - 1), arguments=WORDS)
def test_calls_by_another_machines_numbers_end_it(machine, program, audit, number, arguments):
    code = filter_program(machine, PROCESS, program=program)
    for other in {audit, AUDIT_I386} - {machine.audit}:
        assert evaluate(code, other, number, arguments) == KILL
    assert evaluate(code, machine.audit, number | X32, arguments) == KILL


@BOTH
@KINDS
def test_filter_fits_into_the_kernel(machine, program):
    code = filter_program(machine, PROCESS, program=program)
    assert len(code) < 4096
    assert all(0 <= jump < 256 for each in code for jump in (each.if_true, each.if_false))


CLONE_THREAD, CLONE_OF_GLIBC, CLONE_OF_MUSL = 0x10000, 0x3D0F00, 0x7D0F00
O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_CLOEXEC = 1, 2, 0o100, 0o1000, 0o2000000
HIGH = 1 << 32
PRIVATE = 128  # a bit of a futex's operation

CASES = [
    ("clone", (CLONE_OF_GLIBC,), ALLOW),
    ("clone", (CLONE_OF_MUSL,), ALLOW),
    ("clone", (17,), REFUSE),  # as fork does
    ("clone", (0x4111,), REFUSE),  # as vfork does
    ("clone", (CLONE_OF_GLIBC & ~CLONE_THREAD,), REFUSE),
    *(("clone", (CLONE_OF_GLIBC | 1 << bit,), REFUSE) for bit in (17, *range(25, 31))),
    ("tgkill", (PROCESS, 5, 6), ALLOW),
    ("tgkill", (PROCESS + 1, 5, 6), REFUSE),
    ("openat", (-100, 1, O_CLOEXEC), ALLOW),
    ("openat", (-100, 1, O_WRONLY | O_CREAT | O_TRUNC), ALLOW),  # Landlock refuses, but /dev/null
    ("openat", (-100, 1, O_RDWR), ALLOW),
    ("openat", (-100, 1, O_TRUNC), REFUSE),
    ("openat", (-100, 1, 3), REFUSE),
    ("openat", (-100, 1, 3 | O_TRUNC | O_CREAT), REFUSE),
    *(("fcntl", (0, command), ALLOW) for command in (0, 1, 2, 3, 4, 1030)),
    *(("fcntl", (0, command), REFUSE) for command in (5, 6, 7, 8, 9, 10, 15, 36, 37, 1024, 1031)),
    ("ioctl", (0, 0x5401), ALLOW),
    ("ioctl", (0, 0x5412), REFUSE),  # TIOCSTI: types into the terminal
    ("ioctl", (0, 0x5452), REFUSE),  # FIOASYNC
    ("ioctl", (0, 0x8901), REFUSE),  # FIOSETOWN
    ("ioctl", (0, 0x541C), REFUSE),  # TIOCLINUX
    ("prlimit64", (0, 7, 0, 1), ALLOW),
    ("prlimit64", (0, 7, 1, 0), REFUSE),
    ("prlimit64", (0, 7, HIGH, 0), REFUSE),
    ("prlimit64", (1, 7, 0, 1), REFUSE),
    ("prctl", (15, 1), ALLOW),
    ("prctl", (1, 0), REFUSE),  # to outlive the harness
    ("prctl", (4, 1), REFUSE),  # to be traced
    ("prctl", (22, 2), REFUSE),
    ("socketpair", (1, 1 | O_CLOEXEC), ALLOW),
    ("socketpair", (1, 2), REFUSE),
    ("socketpair", (2, 1), REFUSE),
    *(("getsockopt", (3, 1, option), ALLOW) for option in (3, 4, 7, 8, 30, 38, 39)),
    *(("getsockopt", (3, 1, option), errno.ENOPROTOOPT) for option in (17, 31, 55, 57, 77)),
    ("getsockopt", (3, 6, 4), errno.ENOPROTOOPT),
    ("sendto", (3, 1, 1, 0, 0, 0), ALLOW),
    ("sendto", (3, 1, 1, 0, 1, 0), REFUSE),
    ("sendto", (3, 1, 1, 0, HIGH, 0), REFUSE),
    ("clock_gettime", (3,), ALLOW),
    ("clock_gettime", (~4711 << 3 | 2,), REFUSE),
    ("clock_nanosleep", (1,), ALLOW),
    ("clock_nanosleep", (~4711 << 3 | 2,), REFUSE),
    # A C library finds no bounds of a thread's stack if it is refused otherwise.
    ("sched_getaffinity", (PROCESS, 8), ALLOW),
    ("sched_getaffinity", (PROCESS + 1, 8), errno.ENOSYS),
    *(("futex", (1, PRIVATE | operation), ALLOW) for operation in (0, 1, 4, 9, 256, 9 | 256)),
    *(("futex", (1, operation), RETRY) for operation in (0, 1, 2, 3, 4, 5, 9, 13, 256, 9 | 256)),
]


@BOTH
@KINDS
def test_arguments_decide(machine, program):
    answers = [
        (call, arguments, ask(machine, call, *arguments, program=program))
        for call, arguments, _ in CASES
    ]
    assert answers == CASES


@BOTH
@KINDS
@given(operation=st.integers(0, 1023), high=st.integers(0, 2**64 - 1), others=WORDS)
def test_what_may_be_referred_is_either_referred_or_no_more_than_it_was(
    machine, program, operation, high, others
):
    """Or the kernel itself would have two bots wait by the page of a file."""
    arguments = [others[0], operation | high & ~1023, *others[2:]]
    alone, main, referred = (
        evaluate(code, machine.audit, machine.numbers["futex"], arguments)
        for code in (
            filter_program(machine, PROCESS, program=program),
            filter_program(machine, PROCESS, program=program, referred=True),
            referral_program(machine),
        )
    )
    assert main in (ALLOW, RETRY)
    if referred == ALLOW:
        assert alone == ALLOW or main == RETRY
    else:
        assert (alone, referred) == (RETRY, REFER)
    kind = operation & 0x7F
    if operation < 512 and not operation & PRIVATE:
        assert (main, referred) == ((ALLOW, REFER) if kind in (0, 9) else (RETRY, ALLOW))


@BOTH
def test_only_threads_and_their_ends_are_referred(machine):
    code = referral_program(machine)
    for name, number in machine.numbers.items():
        wanted = REFER if name in ("clone", "futex") else ALLOW
        assert evaluate(code, machine.audit, number) == wanted, name


def test_open_follows_the_rule_of_openat():
    assert ask(X86, "open", 1, O_CLOEXEC) == ALLOW
    assert ask(X86, "open", 1, O_TRUNC) == REFUSE
    assert ask(X86, "open", 1, 3) == REFUSE


@BOTH
def test_only_programs_may_start_one_and_only_python_may_map_shared_memory(machine):
    assert [ask(machine, "execve", program=program) for program in (False, True)] == [REFUSE, ALLOW]
    shared, private, of_file = (0, 1 << 20, 3, 0x21), (0, 1 << 20, 3, 0x22), (0, 1 << 20, 1, 0x1)
    assert [ask(machine, "mmap", *shared, program=each) for each in (False, True)] == [
        ALLOW,
        REFUSE,
    ]
    assert ask(machine, "mmap", *private, program=True) == ALLOW
    assert ask(machine, "mmap", *of_file, program=True) == ALLOW
    growing = (0, 1 << 20, 3, 0x122)
    assert [ask(machine, "mmap", *growing, program=each) for each in (False, True)] == [
        ALLOW,
        REFUSE,
    ]


CLOSED = {
    "processes": "ptrace process_vm_readv process_vm_writev kill tkill kcmp rt_sigqueueinfo",
    "handles": "pidfd_open pidfd_getfd pidfd_send_signal open_by_handle_at memfd_create",
    "kernel": "perf_event_open bpf userfaultfd keyctl add_key io_uring_enter seccomp capset",
    "namespaces": "unshare setns mount chroot execveat",
    "sockets": "socket connect bind sendmsg recvmsg setsockopt",
    "talking": "flock shmget msgget mq_open inotify_init1 fanotify_init timer_create",
    "files": "truncate ftruncate",
    "scheduling": "sched_setaffinity setpriority",
}


@BOTH
@KINDS
@pytest.mark.parametrize("kind", CLOSED)
def test_ways_out_that_were_used_before_are_closed(machine, program, kind):
    for name in CLOSED[kind].split():
        assert ask(machine, name, program=program) == REFUSE, name
