"""Attacks on limits, and ways into the kernel that have been weak before."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import struct

from arena.host.box.kernel import call
from arena.host.box.probing.attack import Attack, Targets, obtain

MEMORY_LIMIT = 1 << 30
"""Bytes that the attacker may use."""

_PRIVATE_IPC, _REMOVE = 0, 0
_PROCESS_KEYRING = -2
_USER_MODE_ONLY = 1
_NEW_NETWORK, _NEW_USER = 0x4000_0000, 0x1000_0000
_UNLIMITED = struct.pack("QQ", 2**64 - 1, 2**64 - 1)
_CPU_CLOCK_EVENT = struct.pack("<II", 1, 128).ljust(128, b"\0")
_ARRAY_OF_ONE_NUMBER = struct.pack("<IIII", 2, 4, 4, 1).ljust(128, b"\0")


def _reserve(flags: int) -> None:
    mmap.mmap(-1, 2 * MEMORY_LIMIT, flags=flags | mmap.MAP_ANONYMOUS).close()


def _file_of_size(targets: Targets) -> None:
    path = f"{targets.folder}/big"
    try:
        with open(path, "wb", buffering=0) as file:
            file.write(bytes(1 << 16))
    finally:
        if os.path.exists(path):
            os.unlink(path)


def _named_queue(targets: Targets) -> None:
    name = f"arena-{os.getpid()}\0".encode()
    obtain("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None)
    call("mq_unlink", name)


def _namespace_of(targets: Targets) -> None:
    handle = call("pidfd_open", targets.victim, 0)
    try:
        call("setns", handle, _NEW_NETWORK)
    finally:
        os.close(handle)


def _mount(targets: Targets) -> None:
    call("mount", b"none\0", targets.folder.encode() + b"\0", b"tmpfs\0", 0, None)


def _share(get: str, control: str, *arguments: int) -> None:
    call(control, call(get, _PRIVATE_IPC, *arguments), _REMOVE, None)


_KERNEL, _MACHINE = "the kernel", "the machine"
_TALK = "fair play"  # two bots that could talk

ATTACKS = (
    Attack("take more memory than it may", _MACHINE, lambda t: _reserve(mmap.MAP_PRIVATE)),
    Attack("take more memory to share", _MACHINE, lambda t: _reserve(mmap.MAP_SHARED)),
    Attack(
        "raise its own limits",
        _MACHINE,
        lambda t: call("prlimit64", 0, resource.RLIMIT_CORE, _UNLIMITED, None),
    ),
    Attack("fill the disk", _MACHINE, _file_of_size),
    Attack(
        "open a ring (io_uring)",
        _KERNEL,
        lambda t: obtain("io_uring_setup", 4, ctypes.create_string_buffer(120)),
    ),
    Attack(
        "count events (perf)",
        _KERNEL,
        lambda t: obtain("perf_event_open", _CPU_CLOCK_EVENT, 0, -1, -1, 0),
    ),
    Attack("load a program (bpf)", _KERNEL, lambda t: obtain("bpf", 0, _ARRAY_OF_ONE_NUMBER, 128)),
    Attack("handle page faults", _KERNEL, lambda t: obtain("userfaultfd", _USER_MODE_ONLY)),
    Attack(
        "keep a key (keyctl)",
        _KERNEL,
        lambda t: call("add_key", b"user\0", b"arena\0", b"x", 1, _PROCESS_KEYRING),
    ),
    Attack("hide a file in memory (memfd)", _MACHINE, lambda t: os.close(os.memfd_create("x"))),
    Attack("share memory (System V)", _TALK, lambda t: _share("shmget", "shmctl", 4096, 0o600)),
    Attack("queue messages (System V)", _TALK, lambda t: _share("msgget", "msgctl", 0o600)),
    Attack("queue messages (POSIX)", _TALK, _named_queue),
    Attack("enter another's namespace", _MACHINE, _namespace_of),
    Attack("mount a file system", _MACHINE, _mount),
    Attack("change its root folder", _MACHINE, lambda t: os.chroot(t.folder)),
    # The last one, as whoever gets through has all rights within the new namespace.
    Attack("make a namespace of its own", _KERNEL, lambda t: call("unshare", _NEW_USER)),
)
