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
from tests.isolation.expectations import EXPECTED, ROOM_OF, TOURNAMENTS
from tests.isolation.rooms import HOUSE, markers, name_of
from tests.isolation.users import SECRETS

GOOD = {*HOUSE, "rival"}
REPORTED = "GOT: "
"""What an attack raises that succeeded."""


def of(bot, matches):
    """A bot's matches against well-behaved ones, each with its seat."""
    found = []
    for match in matches:
        names = [name_of(key) for key in match.record.seats]
        if bot in names and GOOD & set(names):
            found.append((match, names.index(bot)))
    assert len(found) == 2 * len(GOOD)
    return found


@pytest.mark.parametrize("room", TOURNAMENTS)
def test_the_harness_lives_and_leaves_nothing_running(played, kind, room):
    ended = played(kind, room).ended
    assert ended.code == 0, ended.err[-4000:]
    assert ended.left == []
    entries = len(TOURNAMENTS[room]) + len(GOOD)
    assert len(played(kind, room).matches) == entries * (entries - 1)


@pytest.mark.parametrize("bot", EXPECTED)
def test_a_hostile_bot_loses_for_its_own_cause_or_plays_on(played, kind, bot):
    expected = EXPECTED[bot]
    for match, seat in of(bot, played(kind, ROOM_OF[bot]).matches):
        outcome, error = match.record.outcome, match.measurement.error
        told = f"{outcome.termination}: {outcome.reason}\n{error[-2000:]}"
        if outcome.offender is None:
            assert outcome.termination in RULE_ENDINGS, told
            assert not expected.always, "it was to lose"
        else:
            assert outcome.offender == seat, told
            assert outcome.termination in expected.causes, told


@pytest.mark.parametrize("bot", EXPECTED)
def test_no_attack_reports_success(played, kind, bot):
    for match, _ in of(bot, played(kind, ROOM_OF[bot]).matches):
        assert REPORTED not in match.measurement.error
        assert REPORTED not in match.record.outcome.reason


@pytest.mark.parametrize("bot", EXPECTED)
def test_the_opponents_result_is_right(played, kind, bot):
    for match, seat in of(bot, played(kind, ROOM_OF[bot]).matches):
        outcome = match.record.outcome
        verify(Pazaak(), match.record)
        if outcome.offender is not None:
            assert outcome.returns[seat] == -1
            assert outcome.returns[1 - seat] == 1
        assert outcome.reason.isprintable()
        assert str(played(kind, ROOM_OF[bot]).folder) not in outcome.reason


@pytest.mark.parametrize("room", TOURNAMENTS)
def test_between_hostile_bots_too_somebody_is_to_blame_for_his_own_cause(played, kind, room):
    for match in played(kind, room).matches:
        outcome = match.record.outcome
        if outcome.offender is not None:
            guilty = name_of(match.record.seats[outcome.offender])
            assert outcome.termination in EXPECTED[guilty].causes, (guilty, outcome)


@pytest.mark.parametrize("room", TOURNAMENTS)
def test_all_matches_without_a_hostile_bot_are_as_among_stand_ins(played, tame, kind, room):
    def of_the_others(matches):
        return [
            (match.key, match.record.to_bytes())
            for match in matches
            if {name_of(key) for key in match.record.seats} <= GOOD
        ]

    assert tame(room).ended.code == 0, tame(room).ended.err[-4000:]
    others = of_the_others(played(kind, room).matches)
    assert len(others) == len(GOOD) * (len(GOOD) - 1)
    assert others == of_the_others(tame(room).matches)


@pytest.mark.parametrize("room", TOURNAMENTS)
def test_nothing_leaks(played, kind, room):
    folder, ended, _ = played(kind, room)
    assert markers(folder) == []
    assert {path.name for path in folder.iterdir()} <= {
        "arena.db", "arena.db-wal", "arena.db-shm", "room.toml", "bots",
    }  # fmt: skip
    texts = [ended.out, ended.err]
    texts += [path.read_bytes().decode(errors="replace") for path in folder.glob("arena.db*")]
    for text in texts:
        for secret in SECRETS:
            assert secret not in text
    for text in (ended.out, ended.err):
        assert "\x1b" not in text


@pytest.mark.parametrize("room", TOURNAMENTS)
def test_the_database_is_whole_and_small(played, kind, room):
    folder, _, matches = played(kind, room)
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert max(len(match.measurement.error) for match in matches) <= 40_000
    assert {match.measurement.isolation.replace("trusted", "confined") for match in matches} <= {
        "confined", "confined,confined",
    }  # fmt: skip
