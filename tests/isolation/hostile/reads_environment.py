"""Looks for the harness's environment: in its own, in C's, in /proc and in its memory. It plays on.

Already its import looks: the box must be closed before that.
"""

import ctypes
import os

from arena import Bot

HARMLESS = {"PYTHONHASHSEED", "LC_CTYPE"}


def found():
    if beyond := set(os.environ) - HARMLESS:
        return sorted(beyond)
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    for name in (b"ARENA_TEST_SECRET", b"ARENA_DB", b"HOME", b"PATH"):
        if getenv(name):
            return name
    try:
        with open("/proc/self/environ", "rb") as file:
            return b"SECRET" in file.read() and "the harness's own environment"
    except OSError:
        return None


FOUND = found()


class ReadsEnvironment(Bot):
    def start(self, context):
        if FOUND or found():
            raise RuntimeError(f"GOT: {FOUND or found()}")

    def act(self, observation):
        return observation.legal_actions[0]
