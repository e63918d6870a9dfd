"""Attacks on other processes and over the network."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import socket
import struct
import time

from arena.host.box.attack import Attack, Targets, must
from arena.host.box.kernel import call

_CHILD_SIGNAL = 17
_FIOASYNC = 0x5452
_FUTEX_WAKE = 1
_PTRACE_SEIZE = 0x4206
_PR_SET_PDEATHSIG = 1
_CPU_CLOCK = 2
_NUMBER_ALONE = 2
"""Number of a bot's process that shares its numbers with nobody."""
_BARE = {"PYTHONHASHSEED", "LC_CTYPE", "PWD"}
"""All that may be in a bot's environment: Python and bubblewrap add the latter two."""


def _connect(family: int, kind: int, address: object) -> None:
    with socket.socket(family, kind) as client:
        client.settimeout(1)
        client.connect(address)  # type: ignore[arg-type]
        client.send(b"x")


def _serve(targets: Targets) -> None:
    with socket.create_server(("127.0.0.1", 0)):
        pass


def _netlink(targets: Targets) -> None:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()


def _other_family(targets: Targets) -> None:
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].close()


def _environment(process: int) -> None:
    with open(f"/proc/{process}/environ", "rb") as file:
        must(bool(file.read(1)))


def _own_environment(targets: Targets) -> None:
    must(bool(set(os.environ) - _BARE))


def _descriptors(targets: Targets) -> None:
    spare = [number for number in range(3, 256) if _is_open(number)]
    must(bool(spare))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _memory(targets: Targets) -> None:
    os.close(os.open(f"/proc/{targets.victim}/mem", os.O_RDONLY))


def _read_memory(targets: Targets) -> None:
    vector = ctypes.create_string_buffer(16)
    own = ctypes.create_string_buffer(8)
    vector.raw = ctypes.addressof(own).to_bytes(8, "little") + (8).to_bytes(8, "little")
    try:
        call("process_vm_readv", targets.victim, vector, 1, vector, 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # it may, there is only nothing at that address
            raise


def _pidfd(targets: Targets) -> None:
    os.close(call("pidfd_open", targets.victim, 0))


def _own_signals(targets: Targets) -> None:
    ours, theirs = os.pipe()
    try:
        fcntl.fcntl(ours, fcntl.F_SETOWN, targets.victim)
    finally:
        os.close(ours)
        os.close(theirs)


def _asynchronous(targets: Targets) -> None:
    ours, theirs = os.pipe()
    try:
        fcntl.ioctl(ours, _FIOASYNC, (1).to_bytes(4, "little"))
    finally:
        os.close(ours)
        os.close(theirs)


def _affinity(targets: Targets) -> None:
    os.sched_setaffinity(targets.victim, os.sched_getaffinity(targets.victim))


def _processor_time(targets: Targets) -> None:
    time.clock_gettime(~targets.victim << 3 | _CPU_CLOCK)


def _fork(targets: Targets) -> None:
    _child(os.fork())


def _clone(targets: Targets) -> None:
    _child(call("clone", _CHILD_SIGNAL, 0, 0, 0, 0))


def _clone3(targets: Targets) -> None:
    arguments = bytes(32) + _CHILD_SIGNAL.to_bytes(8, "little") + bytes(24)
    _child(call("clone3", arguments, len(arguments)))


def _child(process: int) -> None:
    """Ends the new process, and waits for it in the old one."""
    if not process:
        os._exit(0)
    os.waitpid(process, 0)


def _start(targets: Targets) -> None:
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def _outlive(targets: Targets) -> None:
    call("prctl", _PR_SET_PDEATHSIG, 0, 0, 0, 0)


def _session(targets: Targets) -> None:
    os.setpgid(0, os.getpgid(targets.parent))


def _shared_futex(targets: Targets) -> None:
    """Wakes whoever waits by a page of a file that another bot may read as well."""
    with open(os.__file__, "rb") as file:
        page = call("mmap", 0, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    try:
        call("futex", page, _FUTEX_WAKE, 1, 0, 0, 0)
    finally:
        call("munmap", page, mmap.PAGESIZE)


def _count_processes(targets: Targets) -> None:
    """The kernel's own count of processes and threads."""
    answer = ctypes.create_string_buffer(112)
    call("sysinfo", answer)
    must(bool(struct.unpack_from("H", answer, 80)[0]))


def _numbers(targets: Targets) -> None:
    """Numbers are given out in turn: a great one says that others had theirs in between."""
    must(os.getpid() > _NUMBER_ALONE)


_INTERNET, _STREAM, _DATAGRAM = socket.AF_INET, socket.SOCK_STREAM, socket.SOCK_DGRAM
_NETWORK, _HARNESS, _OTHERS = "the network", "the harness", "others"
_MACHINE = "the machine"

ATTACKS = (
    Attack(
        "connect by TCP", _NETWORK, lambda t: _connect(_INTERNET, _STREAM, ("127.0.0.1", t.port))
    ),
    Attack("listen on TCP", _NETWORK, _serve),
    Attack(
        "send by UDP", _NETWORK, lambda t: _connect(_INTERNET, _DATAGRAM, ("127.0.0.1", t.port))
    ),
    Attack(
        "connect to an abstract socket",
        _HARNESS,
        lambda t: _connect(socket.AF_UNIX, _STREAM, f"\0{t.abstract}"),
    ),
    Attack("open a netlink socket", _NETWORK, _netlink),
    Attack("open a datagram socket", _OTHERS, _other_family),
    Attack("find secrets in its environment", _HARNESS, _own_environment),
    Attack("find open descriptors", _HARNESS, _descriptors),
    Attack("read the harness's environment", _HARNESS, lambda t: _environment(t.parent)),
    Attack("read another's environment", _OTHERS, lambda t: _environment(t.victim)),
    Attack("read its environment in /proc", _OTHERS, lambda t: _environment(os.getpid())),
    Attack("list processes", _OTHERS, lambda t: os.listdir("/proc")),
    Attack("open another's memory", _OTHERS, _memory),
    Attack("read another's memory", _OTHERS, _read_memory),
    Attack(
        "trace another process", _OTHERS, lambda t: call("ptrace", _PTRACE_SEIZE, t.victim, 0, 0)
    ),
    Attack("signal the harness", _HARNESS, lambda t: os.kill(t.parent, 0)),
    Attack("signal another process", _OTHERS, lambda t: os.kill(t.victim, 0)),
    Attack("signal it by a handle", _OTHERS, _pidfd),
    Attack("signal it by a pipe", _OTHERS, _own_signals),
    Attack("ask for signals by input", _OTHERS, _asynchronous),
    Attack(
        "limit another process",
        _OTHERS,
        lambda t: resource.prlimit(t.victim, resource.RLIMIT_NOFILE),
    ),
    Attack("move another to other cores", _OTHERS, _affinity),
    Attack("slow another down", _OTHERS, lambda t: os.setpriority(os.PRIO_PROCESS, t.victim, 1)),
    Attack("time another's thinking", _OTHERS, _processor_time),
    Attack("find out whether it lives", _OTHERS, lambda t: os.getpgid(t.victim)),
    Attack("talk by a shared futex", "fair play", _shared_futex),
    Attack("count processes (sysinfo)", "fair play", _count_processes),
    Attack(
        "count processes in /proc",
        "fair play",
        lambda t: must(os.stat("/proc").st_nlink > _NUMBER_ALONE),
        by_namespaces=True,
    ),
    Attack("share numbers of threads", "fair play", _numbers, by_namespaces=True),
    Attack("fork (a fork bomb's first)", _MACHINE, _fork),
    Attack("clone", _MACHINE, _clone),
    Attack("clone3", _MACHINE, _clone3),
    Attack("start a program", _MACHINE, _start),
    Attack("outlive the harness", _HARNESS, _outlive),
    Attack("join the harness's group", _HARNESS, _session),
)
