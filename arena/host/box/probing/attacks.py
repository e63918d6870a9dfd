"""All attacks, and the process that tries them on itself: the probe's inner half."""

from __future__ import annotations

import errno
import json
import os
import sys

from arena.host.box.confine import Confinement, confine
from arena.host.box.levels import Level
from arena.host.box.namespaces import enter_namespaces
from arena.host.box.paths import stdlib_paths
from arena.host.box.probing import attacks_on_files, attacks_on_kernel, attacks_on_others
from arena.host.box.probing.attack import Attack, Targets

ATTACKS: tuple[Attack, ...] = (
    *attacks_on_files.ATTACKS,
    *attacks_on_others.ATTACKS,
    *attacks_on_kernel.ATTACKS,
)
GOT_THROUGH = "got through"


def attempt(attack: Attack, targets: Targets) -> str:
    """Tries an attack; returns the errno or exception that stopped it, or ``GOT_THROUGH``."""
    try:
        attack.act(targets)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "nothing there")
    except MemoryError as error:
        return type(error).__name__
    return GOT_THROUGH


def main(words: str) -> None:
    """Tries every attack in a confined child process; prints a line for each.

    Args:
        words: As JSON: the level, whether as a program, the newest version of Landlock, the
            targets.
    """
    level, program, newest_abi, things = json.loads(words)
    level, targets = Level(level), Targets(*things)
    spaces = enter_namespaces() if level.rank >= Level.CONFINED.rank else None
    child = spaces.fork() if spaces is not None else os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    read = (*stdlib_paths(), targets.readable, targets.unread, *targets.asked)
    memory = attacks_on_kernel.MEMORY_LIMIT
    try:
        confine(Confinement(level, read, memory=memory, program=program, newest_abi=newest_abi))
    except OSError as error:
        print(f"cannot: {error.strerror or error}", flush=True)
        sys.exit(1)
    for attack in ATTACKS:
        print(attempt(attack, targets), flush=True)
