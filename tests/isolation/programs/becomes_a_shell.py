"""Becomes a shell, with which the harness would then talk. It must fail; it plays on."""

import contextlib
import os

from player import first, play


def decide(message):
    for program in ("/bin/sh", "/bin/cat", "/usr/bin/env"):
        with contextlib.suppress(OSError):
            os.execv(program, [program])
    return first(message)


play(decide)
