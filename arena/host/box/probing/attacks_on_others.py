"""Attacks on other processes and over the network."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from resource import RLIMIT_NOFILE, prlimit
from socket import AF_INET, AF_NETLINK, AF_UNIX, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM, socketpair
from time import clock_gettime

from arena.host.box.kernel import call
from arena.host.box.probing.attack import Attack, Targets, must, obtain, open_file, read_file

_CHILD_SIGNAL = 17
_CLONE3_ARGUMENTS = bytes(32) + _CHILD_SIGNAL.to_bytes(8, "little") + bytes(24)
_FIOASYNC = 0x5452
_FUTEX_WAKE = 1
_PTRACE_SEIZE = 0x4206
_PR_SET_PDEATHSIG = 1
_CPU_CLOCK = 2
_NUMBER_ALONE = 2
"""Highest number of a bot's process in a namespace of its own: numbers are given out in turn."""
_BARE = {"PYTHONHASHSEED", "LC_CTYPE", "PWD"}
"""The only variables of a bot's environment: Python and bubblewrap add the latter two."""


def _connect(family: int, kind: int, address: tuple[str, int] | str) -> None:
    with socket.socket(family, kind) as client:
        client.settimeout(1)
        client.connect(address)
        client.send(b"x")


def _connect_here(kind: int, port: int) -> None:
    _connect(AF_INET, kind, ("127.0.0.1", port))


def _environment(process: int) -> None:
    read_file(f"/proc/{process}/environ")


def _find_descriptors(targets: Targets) -> None:
    for number in range(3, 256):
        with suppress(OSError):
            os.fstat(number)
            return
    must(False)


def _read_memory(targets: Targets) -> None:
    vector = ctypes.create_string_buffer(16)
    own = ctypes.create_string_buffer(8)
    vector.raw = ctypes.addressof(own).to_bytes(8, "little") + (8).to_bytes(8, "little")
    try:
        call("process_vm_readv", targets.victim, vector, 1, vector, 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # it may, there is only nothing at that address
            raise


def _on_pipe(act: Callable[[int], object]) -> None:
    ours, theirs = os.pipe()
    try:
        act(ours)
    finally:
        os.close(ours)
        os.close(theirs)


def _reap(process: int) -> None:
    if not process:
        os._exit(0)
    os.waitpid(process, 0)


def _shared_futex(targets: Targets) -> None:
    with open(os.__file__, "rb") as file:
        page = call("mmap", 0, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    try:
        call("futex", page, _FUTEX_WAKE, 1, 0, 0, 0)
    finally:
        call("munmap", page, mmap.PAGESIZE)


def _count_processes(targets: Targets) -> None:
    answer = ctypes.create_string_buffer(112)
    call("sysinfo", answer)
    must(struct.unpack_from("H", answer, 80)[0])


_NETWORK, _HARNESS, _OTHERS = "the network", "the harness", "others"
_MACHINE, _FAIR_PLAY = "the machine", "fair play"

ATTACKS = (
    Attack("connect by TCP", _NETWORK, lambda t: _connect_here(SOCK_STREAM, t.port)),
    Attack("listen on TCP", _NETWORK, lambda t: socket.create_server(("127.0.0.1", 0)).close()),
    Attack("send by UDP", _NETWORK, lambda t: _connect_here(SOCK_DGRAM, t.port)),
    Attack(
        "connect to an abstract socket",
        _HARNESS,
        lambda t: _connect(AF_UNIX, SOCK_STREAM, f"\0{t.abstract}"),
    ),
    Attack(
        "open a netlink socket", _NETWORK, lambda t: socket.socket(AF_NETLINK, SOCK_RAW).close()
    ),
    Attack("open a datagram socket", _OTHERS, lambda t: socketpair(AF_UNIX, SOCK_DGRAM)[0].close()),
    Attack("find secrets in its environment", _HARNESS, lambda t: must(set(os.environ) - _BARE)),
    Attack("find open descriptors", _HARNESS, _find_descriptors),
    Attack("read the harness's environment", _HARNESS, lambda t: _environment(t.parent)),
    Attack("read another's environment", _OTHERS, lambda t: _environment(t.victim)),
    Attack("read its environment in /proc", _OTHERS, lambda t: _environment(os.getpid())),
    Attack("list processes", _OTHERS, lambda t: os.listdir("/proc")),
    Attack("open another's memory", _OTHERS, lambda t: open_file(f"/proc/{t.victim}/mem")),
    Attack("read another's memory", _OTHERS, _read_memory),
    Attack(
        "trace another process", _OTHERS, lambda t: call("ptrace", _PTRACE_SEIZE, t.victim, 0, 0)
    ),
    Attack("signal the harness", _HARNESS, lambda t: os.kill(t.parent, 0)),
    Attack("signal another process", _OTHERS, lambda t: os.kill(t.victim, 0)),
    Attack("signal it by a handle", _OTHERS, lambda t: obtain("pidfd_open", t.victim, 0)),
    Attack(
        "signal it by a pipe",
        _OTHERS,
        lambda t: _on_pipe(lambda end: fcntl.fcntl(end, fcntl.F_SETOWN, t.victim)),
    ),
    Attack(
        "ask for signals by input",
        _OTHERS,
        lambda t: _on_pipe(lambda end: fcntl.ioctl(end, _FIOASYNC, (1).to_bytes(4, "little"))),
    ),
    Attack("limit another process", _OTHERS, lambda t: prlimit(t.victim, RLIMIT_NOFILE)),
    Attack(
        "move another to other cores",
        _OTHERS,
        lambda t: os.sched_setaffinity(t.victim, os.sched_getaffinity(t.victim)),
    ),
    Attack("slow another down", _OTHERS, lambda t: os.setpriority(os.PRIO_PROCESS, t.victim, 1)),
    Attack(
        "time another's thinking", _OTHERS, lambda t: clock_gettime(~t.victim << 3 | _CPU_CLOCK)
    ),
    Attack("find out whether it lives", _OTHERS, lambda t: os.getpgid(t.victim)),
    Attack("talk by a shared futex", _FAIR_PLAY, _shared_futex),
    Attack("count processes (sysinfo)", _FAIR_PLAY, _count_processes),
    Attack(
        "count processes in /proc",
        _FAIR_PLAY,
        lambda t: must(os.stat("/proc").st_nlink > _NUMBER_ALONE),
        by_namespaces=True,
    ),
    Attack(
        "share numbers of threads",
        _FAIR_PLAY,
        lambda t: must(os.getpid() > _NUMBER_ALONE),
        by_namespaces=True,
    ),
    Attack("fork (a fork bomb's first)", _MACHINE, lambda t: _reap(os.fork())),
    Attack("clone", _MACHINE, lambda t: _reap(call("clone", _CHILD_SIGNAL, 0, 0, 0, 0))),
    Attack("clone3", _MACHINE, lambda t: _reap(call("clone3", _CLONE3_ARGUMENTS, 64))),
    Attack("start a program", _MACHINE, lambda t: _reap(os.posix_spawn("/bin/true", ["true"], {}))),
    Attack("outlive the harness", _HARNESS, lambda t: call("prctl", _PR_SET_PDEATHSIG, 0, 0, 0, 0)),
    Attack("join the harness's group", _HARNESS, lambda t: os.setpgid(0, os.getpgid(t.parent))),
)
