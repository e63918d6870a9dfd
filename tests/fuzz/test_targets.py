"""Every reader of input takes any input, kept or mutated, or refuses it in one line."""

from __future__ import annotations

import resource
import sys

import pytest

from tests.fuzz.fuzzing import FOLDER, INPUTS, KEPT
from tests.fuzz.targets import TARGETS

MEBIBYTES = 300
"""Memory by which the process may grow with all inputs of a target."""


def peak() -> float:
    """The most memory that this process ever had, in MiB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


@pytest.mark.parametrize("name", TARGETS)
def test_any_input_is_read_or_refused_in_one_line(name, tmp_path):
    target = TARGETS[name]
    inputs = [*(file.read_bytes() for file in target.kept()), *target.mutants()]
    with target.open(tmp_path) as run:
        before = peak()
        answers = {target.accepts(run, data) for data in inputs}
    assert peak() - before < MEBIBYTES
    if INPUTS >= 100:  # a target that takes everything, or nothing, tests nothing
        assert answers == {True, False}


def test_every_folder_of_inputs_belongs_to_a_target():
    folders = {folder.name for kind in KEPT for folder in (FOLDER / kind).glob("*")}
    assert folders <= TARGETS.keys()
