"""The experiment with three models, and the reckoning of prompts, in a small form."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from benchmarks.models import replaced
from benchmarks.prompts import measured

FOLDER = Path(__file__).parents[2] / "examples" / "language_models"


def cells(table: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


@pytest.mark.thorough("a tournament of three endpoints; test_rolling.py plays small ones")
def test_the_experiment_has_a_row_per_model_and_per_pairing(tmp_path):
    experiment = runpy.run_path(str(FOLDER / "experiment.py"))
    ranks, saved = experiment["played"](20, tmp_path).split("\n\n")
    assert {row[0] for row in cells(ranks)} == {"`large`", "`medium`", "`small`"}
    assert [row[0] for row in cells(saved)] == [
        "`large`, `medium`",
        "`large`, `small`",
        "`medium`, `small`",
    ]
    for row in cells(saved):
        independent, adjusted = (int(row[column].split(",")[0]) for column in (3, 5))
        assert adjusted < independent


def test_a_cache_has_most_of_the_prompts_of_a_position():
    found = measured("pazaak", "standard", "counter", 2, "position", 1)
    assert found.questions > 4
    assert found.new < found.prompt / 2
    assert found.longest < 1000
    assert found.cost(found.new) < found.cost(found.prompt)


def test_a_conversation_repeats_what_was_said_and_adds_little():
    position, conversation = (
        measured("pazaak", "standard", "counter", 2, history, 1)
        for history in ("position", "conversation")
    )
    assert conversation.questions == position.questions
    assert conversation.prompt > position.prompt
    assert conversation.longest > position.longest


def test_tables_are_replaced_between_their_marks():
    page = "a\n<!-- x: make bench-models WRITE=1 -->\nold\n<!-- end of x -->\nb"
    new = replaced(page, "x", "new")
    assert new == replaced(new, "x", "new")
    assert "old" not in new
    assert new.startswith("a\n")
    assert new.endswith("\nb")
