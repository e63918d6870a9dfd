"""Sabacc's amounts: chips won or lost, points, hands; a seat that was taken out loses all."""

from __future__ import annotations

import pytest

from arena.core.outcome import Fault, Outcome, Termination
from arena.games.sabacc.game import Sabacc

SABACC = Sabacc()
OUT = Fault(1, Termination.CRASH, 5)


@pytest.mark.parametrize(
    ("ruleset", "unit"),
    [
        ("old_republic(mode=chips)", "credits"),
        ("old_republic(mode=points)", "points"),
        ("old_republic", "hands"),
    ],
)
def test_the_unit_is_what_is_played_for(ruleset, unit):
    assert SABACC.amounts.unit(SABACC.ruleset(ruleset)) == unit


@pytest.mark.parametrize(
    ("ruleset", "ending", "amounts"),
    [
        ("old_republic(mode=chips)", Outcome((1.0, -1.0), (161, 39)), (61, -61)),
        ("old_republic(mode=chips,stack=50)", Outcome((1.0, -1.0), (90, 8)), (40, -42)),
        ("old_republic(mode=points)", Outcome((-1.0, 1.0), (-40, 300)), (-40, 300)),
        ("old_republic", Outcome((1.0, -1.0), (7, 4)), (7, 4)),
        (
            "old_republic(mode=chips)",
            Outcome((1.0, -1.0, 0.0), (130, 150, 20), expelled=(OUT,)),
            (30, -100, -80),
        ),
        (
            "old_republic(mode=chips)",
            Outcome((1.0, -1.0), (100, 100), Termination.CRASH, offender=1, move=5),
            (0, -100),
        ),
        (
            "old_republic(mode=points)",
            Outcome((1.0, -1.0), (-20, 90), Termination.CRASH, offender=1, move=5),
            (-20, -20),
        ),
    ],
)
def test_amounts_are_what_a_seat_gained_and_no_fault_keeps_any(ruleset, ending, amounts):
    assert SABACC.amounts.of(SABACC.ruleset(ruleset), ending) == amounts
