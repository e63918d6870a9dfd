"""One match from Python: bots of every kind, moment by moment, as each seat sees it."""

from __future__ import annotations

import functools

import pytest

import arena
from arena.core.errors import BadPlugin, BadSpec, UnknownName

FILE = """
from arena import Bot

class Careful(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
"""


class Cautious(arena.Bot):
    """Ends its turn below 16, then stands."""

    def __init__(self, at: int = 16) -> None:
        self.at = at

    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total >= self.at else end_turn


class Clumsy(arena.Bot):
    def act(self, observation):
        raise ZeroDivisionError("no cards left to count")


def test_a_match_is_a_sequence_of_moments():
    match = arena.play_match("counter", "random", seed=4)
    assert match.names == ("counter", "random")
    moments = list(match)
    assert [moment.move for moment in moments] == list(range(len(moments)))
    assert all(moment.action for moment in moments[:-1])
    assert moments[-1].seat is None
    assert moments[-1].scores == match.outcome.scores
    assert match.verify() == len(moments) - 1
    assert [step.move for step in match.states()] == [moment.move for moment in moments]
    assert len(match.scenes()) == len(moments)


def test_a_seat_sees_its_own_cards_and_not_the_seed():
    match = arena.play_match("counter", "random", seed=4)
    own, all_of_it = match.replay("seat0"), match.replay("all")
    assert (own.seed, all_of_it.seed) == (None, match.record.seed)
    assert own.seats[0].loadout
    assert own.seats[1].loadout is None
    assert "your hand" in match.moments("seat0")[0].table
    with pytest.raises(UnknownName, match="choices: all, public, seat0, seat1"):
        match.moments("seat2")


def test_the_same_seed_gives_the_first_match_of_its_tournament(tmp_path):
    alone = arena.play_match("counter", "random", seed=9)
    with arena.open_database(tmp_path / "a.db") as db:
        first = db.match("counter", "random", games=2, seed=9).match()
    assert first.names == alone.names
    assert first.record.to_bytes() == alone.record.to_bytes()


def test_moments_are_records():
    rows = arena.play_match("counter", "random", seed=4).rows("public")
    assert {tuple(row) for row in rows} == {
        ("move", "seat", "action", "events", "score0", "score1")
    }


def test_six_seats_of_another_game():
    bots = [f"target-total(at={at})" for at in range(15, 21)]
    match = arena.play_match(*bots, game="sabacc", ruleset="old_republic(mode=chips)")
    assert len(match.names) == len(match.outcome.scores) == 6


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        (Cautious, "Cautious"),
        (arena.PythonBot(functools.partial(Cautious, 14), "careful(at=14)"), "careful(at=14)"),
        (arena.PythonBot(lambda: Cautious(12), "wild", "2"), "wild"),
    ],
    ids=["class", "partial", "lambda"],
)
def test_a_bot_may_be_a_class_or_a_callable_that_returns_one(bot, name):
    match = arena.play_match(bot, "random", seed=1)
    assert match.names[0] == name
    assert match.outcome.termination == "rules"
    assert match.measurement.isolation == "trusted"


def test_a_function_may_return_the_bot():
    def prudent():
        return Cautious(13)

    assert arena.play_match("random", prudent).names == ("random", "prudent")


def test_a_bot_of_a_file_plays_in_a_confined_process(tmp_path):
    (tmp_path / "careful.py").write_text(FILE)
    with pytest.warns(UserWarning, match="NOT CONFINED"):
        match = arena.play_match(tmp_path / "careful.py", Cautious, isolation="process")
    assert match.names == ("careful", "Cautious")
    assert match.measurement.isolation == "process,trusted"


def test_a_bot_that_breaks_the_match_loses_it_with_its_traceback():
    match = arena.play_match(Clumsy, "random", seed=2)
    assert (match.outcome.termination, match.outcome.offender) == ("crash", 0)
    assert "no cards left to count" in match.error
    assert "def act" not in match.error
    assert match.document()["ending"]["error"] == match.error


def test_versions_of_a_bot_differ_by_the_hash_of_their_code():
    one, other = (arena.play_match(bot, "random").players[0] for bot in (Cautious, Clumsy))
    again = arena.play_match(Cautious, "random").players[0]
    assert one == again
    assert one.content != other.content


@pytest.mark.parametrize(
    ("bots", "error", "text"),
    [
        ((), BadSpec, "expected at least two bots"),
        (("nobody", "random"), BadSpec, "unknown bot 'nobody'; choices: "),
        ((Cautious, Cautious), BadSpec, "Cautious is entered twice"),
        ((lambda: Cautious(), "random"), arena.BadInput, r"arena.PythonBot\(make, name\)"),
        ((7, "random"), arena.BadInput, "7: expected a bot"),
        ((dict, "random"), BadPlugin, "bot dict is a dict; derive it from arena.Bot"),
        ((arena.PythonBot(lambda: 1 / 0, "x"), "random"), BadPlugin, "bot x cannot be made: Zero"),
    ],
)
def test_a_bad_bot_is_refused_in_one_line(bots, error, text):
    with pytest.raises(error, match=text) as raised:
        arena.play_match(*bots)
    assert "\n" not in str(raised.value)


def test_bad_keys_are_listed_at_once():
    with pytest.raises(BadSpec) as raised:
        arena.play_match("random", "counter", memory_mb="many", sed=4)
    assert [problem.partition(":")[0] for problem in raised.value.problems] == ["memory_mb", "sed"]
