"""Measures how fast two confined processes can signal by load and caches.

Run by ``make bench``. One copies much memory or sleeps, slot by slot, as a row of bits says; the
other copies a little all the time and counts how often it can. Each slot lasts a fixed time. Quoted
is what is left of the bits after errors (the capacity of a binary symmetric channel); a busy
machine makes it less. A bot that is cleverer gets more: read it as an order of magnitude.
"""

from __future__ import annotations

import math
import os
import random
import struct
import time
from collections.abc import Callable
from statistics import median

from arena.host.box.confine import Confinement, confine
from arena.host.box.levels import Level
from arena.host.box.namespaces import Namespaces, enter_namespaces
from arena.host.box.paths import stdlib_paths
from arena.host.box.probing.probe import probe

BITS = 300
SLOTS_MS = (2, 5, 10, 20)
LARGE, SMALL = 1 << 24, 1 << 17
LEAD_SECONDS = 0.3
"""Until the first slot: both must have started."""


def send(bits: list[int], began: float, slot: float) -> bytes:
    """Loads the machine in the slots of ones."""
    buffer = bytearray(LARGE)
    for place, bit in enumerate(bits):
        end = began + (place + 1) * slot
        if bit:
            while time.monotonic() < end:
                buffer[: LARGE // 2] = buffer[LARGE // 2 :]
        else:
            time.sleep(max(0.0, end - time.monotonic()))
    return b""


def receive(bits: list[int], began: float, slot: float) -> bytes:
    """Counts the copies that it made in each slot."""
    buffer, counts = bytearray(SMALL), []
    time.sleep(max(0.0, began - time.monotonic()))
    for place in range(len(bits)):
        end, count = began + (place + 1) * slot, 0
        while time.monotonic() < end:
            buffer[: SMALL // 2] = buffer[SMALL // 2 :]
            count += 1
        counts.append(count)
    return struct.pack(f"{len(counts)}I", *counts)


def confined(
    spaces: Namespaces | None,
    act: Callable[[list[int], float, float], bytes],
    bits: list[int],
    began: float,
    slot: float,
) -> tuple[int, int]:
    """Starts one of the two as a bot's process is started: its number, and where its answer is."""
    ours, theirs = os.pipe()
    child = spaces.fork() if spaces is not None else os.fork()
    if not child:
        confine(Confinement(Level.CONFINED, stdlib_paths()))
        os.write(theirs, act(bits, began, slot))
        os._exit(0)
    os.close(theirs)
    return child, ours


def capacity(error: float) -> float:
    """Bits that a binary symmetric channel carries a use; 0 to 1."""
    if error in (0.0, 1.0):
        return 1.0
    return 1.0 + error * math.log2(error) + (1 - error) * math.log2(1 - error)


def measure(spaces: Namespaces | None, milliseconds: int) -> float:
    """Bits a second with slots of a length; prints them."""
    draw, slot = random.Random(milliseconds), milliseconds / 1e3
    bits = [draw.randrange(2) for _ in range(BITS)]
    began = time.monotonic() + LEAD_SECONDS
    pair = [confined(spaces, act, bits, began, slot) for act in (send, receive)]
    answers = []
    for child, answer in pair:
        with os.fdopen(answer, "rb") as stream:
            answers.append(stream.read())
        os.waitpid(child, 0)
        if spaces is not None:
            spaces.ended(child)
    counts = struct.unpack(f"{BITS}I", answers[1])
    middle = median(counts)
    wrong = sum((count < middle) != bool(bit) for count, bit in zip(counts, bits, strict=True))
    error = wrong / BITS
    rate = capacity(error) / slot
    print(f"slots of {milliseconds:2} ms: {error:5.1%} wrong, {rate:6.1f} bits/s")
    return rate


def main() -> None:
    """Prints every figure, if this machine can confine."""
    print("Two confined processes signal by load and caches:")
    if why := probe(Level.CONFINED).verdict:
        print(f"left out: {why}")
        return
    spaces = enter_namespaces()
    best = max(measure(spaces, milliseconds) for milliseconds in SLOTS_MS)
    print(f"at best about {best:.0f} bits/s")


if __name__ == "__main__":
    main()
