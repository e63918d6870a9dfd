"""Follows the stdio protocol by hand, and breaks it at one decision as its argument names.

Arguments: what to do; how many requests it takes at a time.
"""

import json
import mmap
import os
import sys
import time


def say(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def long(number, action):
    """An answer of some kilobytes: other fields are ignored."""
    say(id=number, action=action, remark="x" * 8_000)


def raw(text):
    def write(number, action):
        os.write(1, text)

    return write


def early(number, action):
    say(id=number, action=action)
    say(id=number + 1, action=action)


def late(number, action):
    say(id=number, action=action)
    time.sleep(0.02)
    say(id=number, action=action)


def share(size):
    """Memory that no limit of the kernel counts, as it is shared."""
    memory = mmap.mmap(-1, size)
    for _ in range(size >> 20):
        memory.write(b"x" * (1 << 20))
    time.sleep(60)


def failing(kind):
    def fail(number, action):
        say(id=number, failed={"kind": kind, "reason": "as\nmeant", "error": "somewhere"})

    return fail


DOES = {
    "well": lambda number, action: say(id=number, action=action),
    "long": long,
    "early": early,
    "late": late,
    "wrong id": lambda number, action: say(id=number + 7, action=action),
    "no id": lambda number, action: say(action=action),
    "number": lambda number, action: say(id=number, action=0),
    "no action": lambda number, action: say(id=number),
    "nonsense": lambda number, action: say(id=number, action="fly"),
    "control": lambda number, action: say(id=number, action="\x1b[31m\n"),
    "no json": raw(b"good morning\n"),
    "no text": raw(b"\xff\xfe\n"),
    "huge": raw(b"x" * 70_000),
    "half": raw(b'{"id": 1'),
    "half, then gone": lambda number, action: (os.write(1, b'{"id"'), sys.exit()),
    "crash": failing("crash"),
    "illegal": failing("illegal"),
    "odd": failing("love"),
    "exit": lambda number, action: sys.exit(9),
    "abort": lambda number, action: os.abort(),
    "log": lambda number, action: (os.write(2, b"x" * 200_000), say(id=number, action=action)),
    "memory": lambda number, action: share(300 << 20),
}


def main():
    does, batch = sys.argv[1], int(sys.argv[2])
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say(protocol=1, name="answers", batch=batch)
        elif kind == "start":
            say(id=message["id"])
        elif kind == "decide":
            seen = message["observation"]
            # By what it sees alone, so that every process of it plays the same.
            due = does == "long" or (seen["turn"] == seen["seat"] and len(seen["hand"]) == 4)
            legal = seen["legal_actions"]
            DOES[does if due else "well"](message["id"], legal[len(seen["history"]) % len(legal)])


main()
