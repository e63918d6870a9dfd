"""Mutates valid inputs, runs the code of a command on each, and accepts errors of one line only.

A target is a function of one input. It may return, or raise an error of the tree; anything else is
a fault, and is raised with the number and the text of the input that found it. The inputs follow
from the target's name and their number alone: ``FUZZ_INPUTS`` says how many there are, and
``FUZZ_FIRST`` with which number they begin, so that one that failed can be run again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from arena.cli.exits import LONGEST, error_lines
from arena.core.errors import ArenaError, BadInput

INPUTS = int(os.environ.get("FUZZ_INPUTS", "300"))
FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
MOST_CHANGES = 4

Data = TypeVar("Data", str, bytes)

WORDS = (
    *("", " ", "\n", "\r\n", "\t", "\0", "\x1b[2J", "\x7f", "\u202e", "\u2028", "\ud800", "\udfff"),
    *(
        "0x" + "f" * 5_000,
        "0",
        "-1",
        "1e999",
        "-0.0",
        "nan",
        "inf",
        "9" * 5_000,
        str(2**63),
        str(2**64),
        "1_0",
    ),
    *("(", ")", "((((", "[", "]", "{", "}", '"', "'", '"""', "\\", ",", "=", ".", ":", ";", "#"),
    *("true", "None", "...", "lambda:0", "__import__('os')", "=cmd", "é", "𝟘", "a" * 3_000),
)
"""Pieces that upset parsers: control codes, lone surrogates, numbers past every limit, brackets."""
BYTES = (
    *(word.encode("utf-8", "surrogatepass") for word in WORDS),
    *(bytes([number]) * size for number in (0x00, 0x7F, 0x80, 0xC0, 0xFF) for size in (1, 4, 700)),
)
"""The same for bytes, with such as are no UTF-8."""


def mutants(name: str, seeds: Sequence[Data], pieces: Sequence[Data]) -> Iterator[tuple[int, Data]]:
    """Numbered inputs: every twentieth is a seed, all others are seeds with one to four changes."""
    for number in range(FIRST, FIRST + INPUTS):
        rng = Random(f"{name}/{number}")
        data = rng.choice(seeds)
        if number % 20:
            for _ in range(rng.randint(1, MOST_CHANGES)):
                data = _changed(rng, data, seeds, pieces)
        yield number, data


def _changed(rng: Random, data: Data, seeds: Sequence[Data], pieces: Sequence[Data]) -> Data:
    """One change at a random place: a piece put in or over, a span cut, doubled or moved."""
    start = rng.randint(0, len(data))
    end = min(len(data), start + int(rng.expovariate(1 / 8)))
    span, other = data[start:end], rng.choice(seeds)
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


def fuzz(
    name: str,
    seeds: Sequence[Data],
    target: Callable[[Data], object],
    pieces: Sequence[Data],
    errors: tuple[type[ArenaError], ...] = (BadInput,),
) -> None:
    """Runs a target on every input; fails at the first that is answered with anything else.

    Args:
        name: Name of the target: its inputs follow from it.
        seeds: Valid inputs.
        target: What is called with each input.
        pieces: What is put into them: ``WORDS`` or ``BYTES``, with the words of the format.
        errors: Errors that the target may raise.
    """
    accepted = refused = 0
    for number, data in mutants(name, seeds, pieces):
        try:
            target(data)
            accepted += 1
        except errors as error:
            refused += 1
            for line in error_lines(error):
                assert line.isprintable(), (name, number, line)
                assert len(line) <= LONGEST + 10, (name, number, len(line))
        except BaseException as error:
            error.add_note(f"{name}: input {number} of the target: {data!r}")
            raise
    if INPUTS > 100:  # a target that takes everything, or nothing, tests nothing
        assert accepted, name
        assert refused, name
