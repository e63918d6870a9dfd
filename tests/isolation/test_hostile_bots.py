"""Tournaments among hostile bots: each loses what it broke, for its own cause, and nothing else.

Every tournament is run through the command line, confined, and looked at from all sides.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from arena.core.outcome import RULE_ENDINGS
from arena.games.pazaak.game import Pazaak
from arena.match.replay import verify
from tests.isolation.expectations import EXPECTED, TOURNAMENTS
from tests.isolation.tournaments import HOUSE, REPORTED, markers, name_of
from tests.isolation.users import SECRETS

pytestmark = pytest.mark.thorough(
    "each tournament has bots of every theme; test_attacks_are_real.py runs all of them",
    everyday=[*("user-bots-5.0s-2*", "user-boxed-5*")],
)
GOOD = {*HOUSE, "rival"}


def of(bot, matches):
    """A bot's matches against well-behaved ones, each with its seat."""
    found = []
    for match in matches:
        names = [name_of(key) for key in match.record.seats]
        if bot in names and GOOD & set(names):
            found.append((match, names.index(bot)))
    assert len(found) == 2 * len(GOOD)
    return found


def test_the_harness_ends_well_and_leaves_no_process(played, kind, tournament):
    ended = played(kind, tournament).ended
    assert ended.code == 0, ended.err[-4000:]
    assert ended.left == []
    entries = len(TOURNAMENTS[tournament].bots) + len(GOOD)
    assert len(played(kind, tournament).matches) == entries * (entries - 1)


def test_a_hostile_bot_loses_for_its_own_cause_or_plays_on(played, kind, bot, tournament):
    expected = EXPECTED[bot]
    for match, seat in of(bot, played(kind, tournament).matches):
        outcome, error = match.record.outcome, match.measurement.error
        shown = f"{outcome.termination}: {outcome.reason}\n{error[-2000:]}"
        if outcome.offender is None:
            assert outcome.termination in RULE_ENDINGS, shown
            assert not expected.always, "it was to lose"
        else:
            assert outcome.offender == seat, shown
            assert outcome.termination in expected.causes, shown


def test_no_attack_reports_success(played, kind, bot, tournament):
    for match, _ in of(bot, played(kind, tournament).matches):
        assert REPORTED not in match.measurement.error
        assert REPORTED not in match.record.outcome.reason


def test_the_opponents_result_is_right(played, kind, bot, tournament):
    for match, seat in of(bot, played(kind, tournament).matches):
        outcome = match.record.outcome
        verify(Pazaak(), match.record)
        if outcome.offender is not None:
            assert outcome.returns[seat] == -1
            assert outcome.returns[1 - seat] == 1
        assert outcome.reason.isprintable()
        assert str(played(kind, tournament).folder) not in outcome.reason


def test_between_hostile_bots_the_offender_has_a_cause_of_its_own(played, kind, tournament):
    for match in played(kind, tournament).matches:
        outcome = match.record.outcome
        if outcome.offender is not None:
            guilty = name_of(match.record.seats[outcome.offender])
            assert outcome.termination in EXPECTED[guilty].causes, (guilty, outcome)


@pytest.mark.thorough("other fields of the same bots", everyday=["user-bots-5.0s-2"])
def test_matches_without_a_hostile_bot_equal_those_of_stand_ins(played, tame, kind, tournament):
    def of_the_others(matches):
        return [
            (match.key, match.record.to_bytes())
            for match in matches
            if {name_of(key) for key in match.record.seats} <= GOOD
        ]

    stand_ins = tame(len(TOURNAMENTS[tournament].bots))
    assert stand_ins.ended.code == 0, stand_ins.ended.err[-4000:]
    others = of_the_others(played(kind, tournament).matches)
    assert len(others) == len(GOOD) * (len(GOOD) - 1)
    assert others == of_the_others(stand_ins.matches)


def test_nothing_leaks(played, kind, tournament):
    folder, ended, _ = played(kind, tournament)
    assert markers(folder) == []
    assert {path.name for path in folder.iterdir()} <= {
        "arena.db", "arena.db-wal", "arena.db-shm", "spec.toml", "bots",
    }  # fmt: skip
    texts = [ended.out, ended.err]
    texts += [path.read_bytes().decode(errors="replace") for path in folder.glob("arena.db*")]
    for text in texts:
        for secret in SECRETS:
            assert secret not in text
    for text in (ended.out, ended.err):
        assert "\x1b" not in text


def test_the_database_is_whole_and_small(played, kind, tournament):
    folder, _, matches = played(kind, tournament)
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert max(len(match.measurement.error) for match in matches) <= 40_000
    level = TOURNAMENTS[tournament].level
    assert {match.measurement.isolation for match in matches} <= {
        "trusted", level, f"trusted,{level}", f"{level},trusted", f"{level},{level}",
    }  # fmt: skip
