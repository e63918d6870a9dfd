"""Runs the code that reads input on inputs of any content, and accepts errors of one line only.

A target may return, or raise an error of the tree; anything else is a fault, and so is an input
that takes too long. The suite runs every target on the kept inputs (``corpus`` and ``found``) and
on mutated valid ones, which follow from the target's name and their number alone: ``FUZZ_INPUTS``
says how many there are, and ``FUZZ_FIRST`` with which number they begin. ``make fuzz`` looks for
inputs that reach code which none has reached before (``tests/fuzz/__main__.py``).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import TypeAlias

from arena.cli.terminal.exits import MAX_LENGTH, error_lines
from arena.core.errors import ArenaError, BadInput
from tests.sizes import volume

INPUTS = int(os.environ.get("FUZZ_INPUTS", volume(300)))
FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
MAX_CHANGES = 4
SECONDS = 20.0
"""Processor time that one input may take."""

FOLDER = Path(__file__).parent
KEPT = ("corpus", "found")
"""Folders with a folder of inputs for each target: such as reach new code, and such as failed."""

Run: TypeAlias = Callable[[bytes], object]

TEXTS = (
    *("", " ", "\n", "\r\n", "\t", "\0", "\x1b[2J", "\x1d", "\x7f", "\u202e", "\u2028", "\ud800"),
    *("0x" + "f" * 5_000, "0", "-1", "1e999", "-0.0", "nan", "inf", "9" * 5_000, "1_0"),
    *(str(2**63), str(2**64), "é", "𝟘", "²", "٣", "a" * 3_000),
    *("(", ")", "((((", "[", "]", "{", "}", '"', "'", '"""', "\\", ",", "=", ".", ":", ";", "#"),
    *("true", "None", "...", "lambda:0", "__import__('os')", "=cmd"),
)
PIECES = (
    *(text.encode("utf-8", "surrogatepass") for text in TEXTS),
    *(bytes([number]) * size for number in (0x00, 0x7F, 0x80, 0xC0, 0xFF) for size in (1, 4, 700)),
)
"""Pieces that upset parsers: control codes, lone surrogates, numbers past every limit, brackets."""


class TooSlow(Exception):
    """Raised in a target that takes longer than an input may."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """One reader of input.

    Attributes:
        name: Name of the target: its mutated inputs follow from it.
        seeds: Returns valid inputs.
        open: Given an empty folder, prepares the function that is called with each input.
        pieces: What is put into inputs, besides ``PIECES``.
        errors: Errors that the function may raise.
        part: Part of the mutated inputs that the suite makes of it: less where one takes long.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    open: Callable[[Path], AbstractContextManager[Run]]
    pieces: tuple[bytes, ...] = ()
    errors: tuple[type[ArenaError], ...] = (BadInput,)
    part: float = 1.0

    def accepts(self, run: Run, data: bytes) -> bool:
        """Runs the target on an input; whatever else it does than accept or refuse it is raised."""
        try:
            with processor_time(SECONDS):
                run(data)
        except self.errors as error:
            for line in error_lines(error):
                assert line.isprintable(), line
                assert len(line) <= MAX_LENGTH + 10, len(line)
            return False
        except BaseException as error:
            error.add_note(f"{self.name}: {data!r}")
            raise
        return True

    def kept(self) -> list[Path]:
        """Returns the files of the inputs that are kept for it."""
        return sorted(file for kind in KEPT for file in (FOLDER / kind / self.name).glob("*"))

    def mutants(self) -> Iterator[bytes]:
        """Yields the mutated inputs: every twentieth is a seed as it is."""
        seeds = self.seeds()
        for number in range(FIRST, FIRST + max(1, round(INPUTS * self.part))):
            rng = Random(f"{self.name}/{number}")
            data = rng.choice(seeds)
            yield self.changed(rng, data, seeds) if number % 20 else data

    def changed(self, rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
        """Returns an input with one to four changes."""
        for _ in range(rng.randint(1, MAX_CHANGES)):
            data = _changed(rng, data, others, (*PIECES, *self.pieces))
        return data


def _changed(rng: Random, data: bytes, others: Sequence[bytes], pieces: Sequence[bytes]) -> bytes:
    """One change at a random place: a piece put in or over, a span cut, doubled or moved."""
    start = rng.randint(0, len(data))
    end = min(len(data), start + int(rng.expovariate(1 / 8)))
    span, other = data[start:end], rng.choice(others)
    at = rng.randint(0, len(other))
    put = rng.choice(
        (
            rng.choice(pieces),
            span[:0],
            span * rng.choice((2, 3, 40)),
            other[at : at + rng.randint(1, 20)],
            span[::-1],
        )
    )
    return data[:start] + put + data[end:]


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Raises ``TooSlow`` in a block when it has used that much processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"took more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
