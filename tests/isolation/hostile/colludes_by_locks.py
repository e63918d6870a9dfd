"""Signals its hand to its other processes by locking its own file, which all may read.

It may read that file, but must find no lock that works. It plays on.
"""

import fcntl

from arena import Bot

WAYS = {
    "flock": lambda file: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "a record lock": lambda file: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "a lease": lambda file: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "a notice": lambda file: fcntl.fcntl(file, fcntl.F_NOTIFY, fcntl.DN_ACCESS),
}


class ColludesByLocks(Bot):
    def start(self, context):
        with open(__file__, "rb") as file:
            for name, way in WAYS.items():
                try:
                    way(file)
                except OSError:
                    continue
                raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]
