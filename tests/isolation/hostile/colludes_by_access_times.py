"""Reads files, follows links and lists folders that it may, and looks whether that can be seen.

Its other processes see the same access times: each file is a bit on a board for all. It must leave
no trace, and plays on.
"""

import os

from arena import Bot

LIBRARY = os.path.dirname(os.__file__)
LINKS = ("/bin", "/lib", "/lib64", "/sbin", "/lib64/ld-linux-x86-64.so.2", "/usr/bin/python3")


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def seen(path, act):
    try:
        before = os.lstat(path).st_atime_ns
        act(path)
        return os.lstat(path).st_atime_ns != before
    except OSError:
        return False


def marks():
    files = [entry.path for entry in os.scandir(LIBRARY) if entry.is_file()]
    folders = [LIBRARY, f"{LIBRARY}/json", f"{LIBRARY}/email", f"{LIBRARY}/xml"]
    devices = ["/dev/null", "/dev/urandom", "/dev/random"]
    kinds = ((files, read), (devices, read), (folders, os.listdir), (LINKS, os.stat))
    return [path for paths, act in kinds for path in paths if seen(path, act)]


LEFT = marks()  # when it is imported: hundreds of files take longer than a decision may


class ColludesByAccessTimes(Bot):
    def start(self, context):
        if LEFT:
            raise RuntimeError(f"GOT: {len(LEFT)} marks, such as {LEFT[0]}")

    def act(self, observation):
        return observation.legal_actions[0]
