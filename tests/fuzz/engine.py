"""Runs libFuzzer (atheris) on a target: ``python -m tests.fuzz.engine TARGET [options, folders]``.

Half of its inputs are changed as the suite's are (``Target.changed``), half in libFuzzer's ways.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import atheris

OURS = ["arena", "arena_bots", "arena_results", "arena_tournaments"]
with atheris.instrument_imports(include=OURS, enable_loader_override=False):
    from tests.fuzz.targets import TARGETS

AGAIN = """#!/bin/sh
exec {} -m tests.fuzz.engine {} "$@"
"""
"""The program that libFuzzer starts where it needs a process of its own (``-merge``)."""


def main(name: str, words: list[str]) -> None:
    target = TARGETS[name]
    seeds = target.seeds()

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.5:
            return target.changed(rng, data, seeds)[:longest]
        return bytes(atheris.Mutate(data, longest))

    with (
        TemporaryDirectory() as programs,
        TemporaryDirectory() as folder,
        target.open(Path(folder)) as run,
    ):
        program = Path(programs) / name
        program.write_text(AGAIN.format(shlex.quote(sys.executable), name))
        program.chmod(0o700)

        def call(data: bytes) -> None:
            target.accepts(run, data)

        atheris.Setup([str(program), *words], call, custom_mutator=mutate)
        atheris.Fuzz()


main(sys.argv[1], sys.argv[2:])
