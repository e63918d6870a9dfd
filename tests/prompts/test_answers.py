"""The strict reading of a model's answer: docs/reference/prompts.md."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.core.errors import ParseError
from arena.host.prompts.answers import MAX_SHOWN, read_action, read_loadout
from arena.plugins.registry import Registry

PAZAAK = Registry().game("pazaak")
LEGAL = tuple(PAZAAK.notation.action(text) for text in ("end turn", "play +2", "play -2"))


@pytest.mark.parametrize(
    "text",
    [
        "MOVE: play -2",
        "I think.\n\nMOVE: play -2\n",
        "**MOVE: play -2**",
        "move: `play -2`",
        "Move:   PLAY   -2",
        "MOVE: play \N{MINUS SIGN}2",
        '{"move": "play -2"}',
        '```json\n{"move": "play -2", "why": "it is 20"}\n```',
        "MOVE: end turn\nNo, better:\nMOVE: 'play -2'",
    ],
)
def test_the_last_line_or_a_json_object_is_the_answer(text: str) -> None:
    read = read_action(text, LEGAL)
    assert (read.reading, read.word, read.answer) == ("legal", "play -2", LEGAL[2])


@pytest.mark.parametrize(
    "text",
    ["", "play -2", "MOVE: play -2\nThat is all.", "MOVE:", '{"action": "play -2"}', "[1]", "null"],
)
def test_an_answer_of_another_form_is_unreadable(text: str) -> None:
    read = read_action(text, LEGAL)
    assert (read.reading, read.answer, read.word) == ("unreadable", None, "")
    assert read.problem


@pytest.mark.parametrize("text", ["MOVE: play 2", "MOVE: play +2 or end turn", "MOVE: stand"])
def test_a_word_that_is_not_legal_is_never_bent_into_one(text: str) -> None:
    assert read_action(text, LEGAL).reading == "illegal"


def test_a_loadout_is_read_and_checked() -> None:
    ruleset, loadouts = PAZAAK.ruleset(), PAZAAK.loadouts

    def accept(text: str) -> bytes:
        return loadouts.accept(ruleset, loadouts.parse(text))

    cards = "+1 +2 +3 +4 +5 -1 -2 -3 ±2 ±3"
    assert read_loadout(f"MOVE: {cards}", accept).answer == accept(cards)
    assert read_loadout("MOVE: +1 +2", accept).reading == "illegal"
    assert read_loadout("MOVE: the best", accept).reading == "illegal"
    assert read_loadout("+1 +2", accept).reading == "unreadable"


@given(st.text(max_size=300) | st.text(max_size=100).map("MOVE: {}".format))
@example("MOVE: " + "x" * 5000)
@example('{"move": ' * 3000)
@example('{"move": ' + "[" * 100_000)
@example("MOVE: \ud800\x1b[2J")
def test_any_text_is_read_and_a_problem_is_one_printable_line(text: str) -> None:
    read = read_action(text, LEGAL)
    assert (read.reading == "legal") == (read.answer in LEGAL) == (not read.problem)
    assert len(read.problem) < MAX_SHOWN + 60
    assert not read.problem or read.problem.isprintable()
    assert read_loadout(text, _refuse).reading != "legal"


def _refuse(text: str) -> object:
    raise ParseError("no")
