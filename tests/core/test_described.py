"""Types that several threads use for the first time at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import threading

import msgspec

from arena.core.described import described

def new_type(depth):
    kind = int
    for number in range(depth):
        kind = msgspec.defstruct(
            f"Level{number}", [("below", list[kind] | None), ("named", dict[str, int]), ("n", int)]
        )
    return kind

def use(kind, begin, found):
    begin.wait()
    data = b'{"below": [{"below": null, "named": {}, "n": 1}], "named": {"a": 1}, "n": 2}'
    found.append(msgspec.json.decode(data, type=DESCRIBED(kind)).n)

sys.setswitchinterval(1e-6)
for _ in range(100):
    kind, begin, found = new_type(10), threading.Barrier(4), []
    threads = [threading.Thread(target=use, args=(kind, begin, found)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [2] * 4
"""


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)


def test_threads_may_use_a_new_type_at_once():
    done = run(PROGRAM.replace("DESCRIBED", "described"))
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_type_that_cannot_be_decoded_to_is_refused():
    from arena.core.described import described

    with pytest.raises(TypeError):
        described(dict[str, int] | dict[int, str])
    assert described(int) is int
