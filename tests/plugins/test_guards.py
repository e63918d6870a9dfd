"""An error in an extension's object is one line that names its distribution."""

from __future__ import annotations

import re

import pytest

from arena.core.errors import BadInput, BadPlugin
from arena.core.tournament import PAIRS, Entrant, Pairing, PairingResult, Round, RoundResult
from arena.plugins.registry import Registry
from tests.plugins.test_manager import FORMAT, HOOKIMPL

FIELD = [Entrant(name) for name in ("ann", "bob", "cid")]
PLAYED = [
    RoundResult(Round(1, (Pairing((0, 1)),), (2,)), (PairingResult(Pairing((0, 1)), (1, 1)),))
]
OTHERS = """
from arena.core.errors import BadInput
from arena.core.rating import Rating
from arena.core.tournament import Pairing, Round

class Other:
    name, summary, note, table_note = "other", "", "", ""
    def rate(self, units, players, seed): return {answer}
    def export(self, columns, rows): return {answer}

@hookimpl
def arena_rating_systems(): return [Other()]

@hookimpl
def arena_exporters(): return [Other()]
"""


@pytest.fixture
def installed(install):
    """A registry with the format ``knockout``, a rating system and an exporter, as changed."""

    def put(answer: str = "None", was: str = "", now: str = "") -> Registry:
        code = HOOKIMPL + OTHERS.format(answer=answer)
        code += FORMAT.format(name="knockout").replace(was, now)
        install(
            "arena-other", {"arena": {"other": "other_extension"}}, {"other_extension.py": code}
        )
        return Registry()

    return put


def fault(kind: str, says: str) -> str:
    return rf"^{kind} of distribution arena-other 1.0 {says}; fix it, .*uninstall arena-other$"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("Round(2, (Pairing((0, 0)),), (1, 2))", "a pairing of the entrants (0, 0), one of them"),
        ("Round(1, (Pairing((0, 1)),), (2,))", "round 1, where round 2 is next"),
        ("Round(2, (Pairing((0, 3)),))", "entrants {3} in a field of 3"),
        ("Round(2, (Pairing((0, -1)),))", "entrants {-1} in a field of 3"),
        ("Round(2, (Pairing((0, 1, 2)),))", "(0, 1, 2), not of 2 to 2"),
        ("Round(2, (Pairing((0,)),))", "(0,), not of 2 to 2"),
        ("Round(2, (Pairing((0, 1)),), (1,))", "a bye of one who plays or has another: (1,)"),
        ("Round(2, (Pairing((0, 1)),), (2, 2))", "a bye of one who plays or has another: (2, 2)"),
        ("Round(2, (Pairing((0, None)),))", "Expected `int`, got `null`"),
        ("Round(2, None)", "Expected `array`, got `null`"),
        ("(0, 1)", "a tuple, not a Round"),
        ("None", "it ended after 1 of 2 rounds"),
    ],
)
def test_a_round_that_cannot_be_played_is_refused(installed, answer, says):
    registry = installed(
        "None", "rounds, tables): return None", f"rounds, tables): return {answer}"
    )
    wrong = fault("format knockout", f"gave a wrong answer in next_round: .*{re.escape(says)}.*")
    with pytest.raises(BadPlugin, match=wrong):
        registry.format("knockout").next_round(FIELD, PLAYED, 2, PAIRS)


def test_a_round_after_the_last_is_refused(installed):
    last = "rounds, tables): return Round(2, (Pairing((0, 1)),), (2,))"
    registry = installed("None", "rounds, tables): return None", last)
    form = registry.format("knockout")
    assert form.next_round(FIELD, PLAYED, 2, PAIRS) == Round(2, (Pairing((0, 1)),), (2,))
    with pytest.raises(BadPlugin, match="round 2 of 1"):
        form.next_round(FIELD, PLAYED, 1, PAIRS)


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ("result.points", "1 / 0", "failed in scores: ZeroDivisionError: division by zero"),
        ("result.points", "(1.0,)", "gave a wrong answer in scores: 1 scores for 2 seats"),
        ("result.points", "None", "gave a wrong answer in scores: Expected `array`, got `null`"),
        ("result.points", "(float('nan'), 1)", "gave a wrong .* scores: the scores .nan, 1.0."),
        ("result: 1.0", "result: None", "gave a wrong answer in worth: Expected `float`, got .*"),
        ("bye=1.0", "bye='1'", "gave a wrong answer in scoring: Expected `float`, got `str`.*"),
        ("return 1\n", "return 0\n", "gave a wrong answer in rounds: Expected `int` >= 1"),
        ("return 1\n", "return 1 / 0\n", "failed in rounds: ZeroDivisionError: .*"),
    ],
)
def test_a_scoring_or_a_count_of_rounds_that_is_none_is_refused(installed, was, now, says):
    form = installed("None", was, now).format("knockout")

    def use() -> None:
        form.rounds(3, None, PAIRS)
        scoring = form.scoring()
        scoring.scores(PLAYED[0].results[0])
        scoring.worth(PLAYED[0].results[0])

    with pytest.raises(BadPlugin, match=fault("format knockout", says)):
        use()


def test_what_a_format_says_of_bad_input_stays_as_it_is(installed):
    refusal = "raise BadInput('too few')\n"
    form = installed("None", "return 1\n", refusal).format("knockout")
    with pytest.raises(BadInput, match=r"^too few$"):
        form.rounds(3, None, PAIRS)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("[]", "gave a wrong answer in rate: 0 ratings for 2 players"),
        ("None", "gave a wrong answer in rate: Expected `array`, got `null`"),
        ("[Rating(1, 1, 1), Rating(None, 1, 1)]", "gave a wrong .* in rate: Expected `float`.*"),
        ("[Rating(float('nan'), 1, 1)] * 2", "gave a wrong answer in rate: the rating .nan, .*"),
        ("1 / 0", "failed in rate: ZeroDivisionError: division by zero"),
    ],
)
def test_ratings_that_are_none_are_refused(installed, answer, says):
    system = installed(answer).rating_system("other")
    with pytest.raises(BadPlugin, match=fault("rating system other", says)):
        system.rate([], 2, 0)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("None", "gave a wrong answer in export: a NoneType, not a text"),
        ("b'x'", "gave a wrong answer in export: a bytes, not a text"),
        ("[][0]", "failed in export: IndexError: list index out of range"),
    ],
)
def test_documents_that_are_no_text_are_refused(installed, answer, says):
    exporter = installed(answer).exporters()["other"]
    with pytest.raises(BadPlugin, match=fault("exporter other", says)):
        exporter.export([], [])


@pytest.mark.parametrize("seats", ["2", "range(0, 0)", "range(1, 3)"])
def test_a_format_for_no_tables_is_left_out(installed, seats):
    registry = installed("None", "seats = range(2, 3)", f"seats = {seats}")
    assert "knockout" not in [form.name for form in registry.formats()]
    assert f"its seats are {seats}" in " ".join(registry.problems())
