"""Brackets as text."""

from __future__ import annotations

import random

import pytest
from arena_tournaments.formats.elimination import FORMATS

from arena.cli.texts.bracket import bracket_lines
from arena.core.tournaments.format import PairingResult, RoundResult, Wanted
from tests.tournaments.plays import field_of, play

NAMES = ("optimal", "counter", "hand-saver", "stand(at=17)", "random", "careful-counter")
NAMES += tuple(f"bot-{number}" for number in range(40))
KNOCKOUT, DOUBLE, LADDER = FORMATS


def drawn(format, size, width=80, rounds=99):
    played = play(format, size, format.rounds(size, None), random.Random(2), games=2)[:rounds]
    return bracket_lines(NAMES[:size], format.bracket(size, played), width)


def test_a_knockout_is_a_tree_of_who_met_and_who_went_on():
    played = []
    while (upcoming := KNOCKOUT.next_round(field_of(5), played, 3)) is not None:
        results = tuple(PairingResult(each, (1.5, 0.5)) for each in upcoming.pairings)
        played.append(RoundResult(upcoming, results))
    lines = bracket_lines(NAMES[:5], KNOCKOUT.bracket(5, played), 80)
    assert [line.rstrip() for line in lines] == [
        "                     optimal       1.5 ┐",
        "                                       ├ optimal       1.5 ┐",
        " stand(at=17)  1.5 ┐                   │                   │",
        "                   ├ stand(at=17)  0.5 ┘                   │",
        " random        0.5 ┘                                       ├ optimal",
        "                                                           │",
        "                     counter       1.5 ┐                   │",
        "                                       ├ counter       0.5 ┘",
        "                     hand-saver    0.5 ┘",
        "",
    ]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
@pytest.mark.parametrize("size", [2, 3, 8, 13, 16, 40])
def test_every_bracket_fits_and_shows_every_bout_once(format, size, width):
    lines = drawn(format, size, width)
    assert max(map(len, lines)) <= width
    bouts = len(format.bracket(size, []))
    text = "\n".join(lines)
    apart = [line for line in lines if ": " in line and not line.startswith("Drawn ")]
    assert text.count("├") + len(apart) == bouts


def test_a_bout_that_was_drawn_to_its_end_says_who_goes_on():
    pairing = KNOCKOUT.next_round(field_of(2), [], 1)
    played = [RoundResult(pairing, (PairingResult(pairing.pairings[0], (18.0, 18.0)),))]
    lines = bracket_lines(NAMES[:2], KNOCKOUT.bracket(2, played), 80)
    assert lines[-1] == "Drawn final, 18-18: to optimal as the higher seed"


@pytest.mark.parametrize(
    ("points", "forfeited", "line"),
    [
        ((0.0, 0.0), (0, 1), "Forfeited by both, final, 0-0: to optimal as the higher seed"),
        ((1.0, 1.0), (0,), "Forfeited by optimal, final, 1-1: to counter"),
        ((3.0, 1.0), (0,), "Forfeited by optimal, final, 3-1: to counter"),
        ((1.0, 1.0), (1,), "Forfeited by counter, final, 1-1: to optimal"),
    ],
)
def test_a_bout_that_was_forfeited_says_who_goes_on_without_more_points(points, forfeited, line):
    made = KNOCKOUT.next_round(field_of(2), [], 1)
    result = PairingResult(made.pairings[0], points, forfeited=forfeited)
    bouts = KNOCKOUT.bracket(2, [RoundResult(made, (result,))])
    assert bracket_lines(NAMES[:2], bouts, 80)[-1] == line


def test_before_a_bout_it_says_who_will_meet():
    lines = drawn(KNOCKOUT.configured({"third_place": True}, Wanted()), 4, rounds=0)
    assert lines[0] == "third place"
    text = "\n".join(lines)
    assert "loser of sem" in text
    assert "optimal" in text


def test_a_second_final_that_is_not_needed_is_not_drawn():
    format = DOUBLE.configured({"bracket_reset": True}, Wanted())
    for seed in range(20):
        played = play(format, 4, format.rounds(4, None), random.Random(seed), games=2)
        lines = bracket_lines(NAMES[:4], format.bracket(4, played), 80)
        assert ("second final" in lines) == (len(played) == format.rounds(4, None))
