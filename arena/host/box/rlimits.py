"""Resource limits of a process as rows: which resource, how much, and why."""

from __future__ import annotations

import resource

_LIMITS = (
    # 1 and not 0: a kernel that hands its core dumps to a program heeds no 0 (core(5)).
    (resource.RLIMIT_CORE, 1),
    # Nothing may be written to a file. Pipes and sockets are not counted.
    (resource.RLIMIT_FSIZE, 0),
    # As many descriptors as a program with an event loop needs, and not many more.
    (resource.RLIMIT_NOFILE, 64),
    (resource.RLIMIT_MEMLOCK, 0),
    # Realtime signals wait in a queue whose length is counted for all processes of this user: one
    # bot could fill it and another find it full. Ordinary signals, alarm() and setitimer() need no
    # place in it (sigaction(2), getrlimit(2)).
    (resource.RLIMIT_SIGPENDING, 0),
)


_ALONE = (
    # All processes and threads of this user together, so there must be room for the user's other
    # work. It does not bind root. From ``confined`` on seccomp stops forks and threads are counted
    # one process at a time: there this would only let bots deny each other their threads.
    (resource.RLIMIT_NPROC, 8_192),
)
"""Further limits, for levels where nothing else holds."""


def limit_resources(memory: int | None, *, program: bool, alone: bool) -> None:
    """Sets the limits of this process, which can never be raised again.

    Args:
        memory: Bytes that it may use, ``None`` for no limit: address space for our own Python,
            private writable memory for other programs, which reserve far more than they use.
        program: See ``Confinement``.
        alone: Whether only these limits hold the process.
    """
    counted = resource.RLIMIT_DATA if program else resource.RLIMIT_AS
    limits = [*_LIMITS, *(_ALONE if alone else ())]
    if memory is not None:
        limits.append((counted, memory))
    for kind, most in limits:
        hard = resource.getrlimit(kind)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))


def limit_build(memory: int, file: int) -> None:
    """Sets the limits of the processes of a build, as ``limit_resources``.

    Args:
        memory: Bytes of private writable memory.
        file: Bytes of a file.
    """
    for kind, most in (
        (resource.RLIMIT_CORE, 1),
        (resource.RLIMIT_FSIZE, file),
        (resource.RLIMIT_NOFILE, 1_024),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_DATA, memory),
    ):
        hard = resource.getrlimit(kind)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))
