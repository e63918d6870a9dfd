"""Measures the speed of a place: ``python -m arena.host.speed`` prints it.

Bots have limits of wall-clock time, so a place must not be much slower than others. The measure is
a fixed piece of the engine's work that is interpreted everywhere, as bots are.
"""

from __future__ import annotations

import os
import subprocess
import sys
from time import perf_counter

from arena.core.text.parsing import parse_call

REFERENCE_PER_SECOND = 30_000.0
"""Pieces of work a second of the reference: one core of a small server, with Python 3.11."""
SLOW = 0.7
"""Speed, as a share of the reference's, below which a bot that used up its time is not to blame."""
MEASURE_SECONDS = 0.2
_PARTS = 4
"""Parts of the measurement, of which the quickest counts, as other programs disturb."""
_WORK = "bot(a=1, b=-2.5, c=true, d='some text', e=name)"


def speed() -> float:
    """Measures the speed of this process, as a share of the reference's."""
    return max(_pieces_per_second(MEASURE_SECONDS / _PARTS) for _ in range(_PARTS)) / (
        REFERENCE_PER_SECOND
    )


def speed_in_new_process(seconds: float = 30.0) -> float:
    """Measures in a process of its own, which shares nothing with this one's threads.

    Raises:
        OSError: It cannot be started.
        subprocess.SubprocessError: It failed, or took longer than those seconds.
    """
    command = [sys.executable, "-P", "-m", "arena.host.speed"]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment,
        timeout=seconds, check=True,
    )  # fmt: skip
    return float(done.stdout)


def _pieces_per_second(seconds: float) -> float:
    pieces, began = 0, perf_counter()
    while (took := perf_counter() - began) < seconds:
        parse_call(_WORK)
        pieces += 1
    return pieces / took


if __name__ == "__main__":
    sys.stdout.write(f"{speed()}\n")
