"""Forks, spawns and starts threads. Only threads may work, and it plays on."""

import os
import subprocess
import threading

from player import got, play


def fork():
    if os.fork() == 0:
        os._exit(0)


WAYS = {
    "a fork": fork,
    "a program": lambda: subprocess.run(["/bin/true"], check=False),
    "a shell": lambda: os.system("true") == 0 or 1 / 0,
}


def decide(message):
    for name, way in WAYS.items():
        try:
            way()
        except (OSError, ZeroDivisionError):
            continue
        return got(message, name)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return got(message, None)


play(decide)
