"""The end of a set of Pazaak as a scene: both tables as they lay, who won it and why."""

from arena.core.chance.dealer import SeatStreams
from arena.core.scene import MATCH
from arena.games.pazaak.engine.stages import ACT
from arena.games.pazaak.game import Pazaak

GAME = Pazaak()


def ended(action, *tables, hands=("", ""), standing=(False, True), sets=(1, 1), rules=""):
    """Takes the last action of a set by seat 0; returns what is held of it."""
    before = GAME.positions.state(
        GAME.ruleset(rules), tables=tables, hands=hands, standing=standing, sets=sets, starter=1,
        phase=ACT,
    )  # fmt: skip
    after = before.clone(SeatStreams(3))
    after.apply_action(GAME.notation.action(action))
    return GAME.board.held(before, after, ())


def marks(scene):
    return {fact.seat: fact.label for fact in scene.facts if fact.role in ("won", "lost")}


def test_both_tables_lie_as_they_did_at_the_end_of_the_set():
    (scene,) = ended("play -2", [10, 10, 2], [10, 8], hands=("-2", ""))
    assert (scene.title, scene.turn) == ("Set 3", None)
    assert [card.name for card in scene.zone("table", 0).cards] == ["10", "10", "2", "-2"]
    assert [card.name for card in scene.zone("table", 1).cards] == ["10", "8"]
    assert scene.verdict.reason == "seat 0 stood at 20, seat 1 at 18"
    assert (scene.verdict.over, scene.verdict.winners) == ("set 3", (0,))
    assert scene.verdict.score == "20 : 18"
    assert marks(scene) == {0: "wins the set", 1: "2 short"}
    assert scene.value("sets won", 0) == 2


def test_who_stands_above_20_has_lost():
    (scene,) = ended("stand", [10, 7, 7], [10, 4])
    assert scene.verdict.winners == (1,)
    assert scene.verdict.reason.endswith("stood at 24, above 20")
    assert marks(scene) == {0: "above 20", 1: "wins the set"}


def test_an_even_set_has_no_winner():
    (scene,) = ended("stand", [10, 8], [9, 9])
    assert (scene.verdict.winners, scene.verdict.reason) == ((), "both stand at 18")
    assert marks(scene) == {}


def test_a_tiebreaker_wins_an_even_set():
    (scene,) = ended("play ±1T as +1", [10, 9], [10, 10], hands=("±1T", ""))
    assert scene.verdict.winners == (0,)
    assert scene.verdict.reason == "both stand at 20; seat 0 laid the tiebreaker"


def test_nine_cards_win_at_once():
    (scene,) = ended("play +1", [1] * 8, [10, 10], hands=("+1", ""))
    assert scene.verdict.reason == "seat 0 laid nine cards, 9 in all"
    assert marks(scene) == {0: "wins the set", 1: "loses the set"}


def test_the_set_that_ends_the_match_is_held_before_the_match():
    last, over = ended("stand", [10, 9], [10, 8], sets=(2, 1))
    assert (last.verdict.over, over.verdict.over) == ("set 4", MATCH)
    assert (over.verdict.winners, over.verdict.score) == ((0,), "3 : 1")
    assert over.zone("table", 0) == last.zone("table", 0)


def test_a_bust_tells_the_whole_last_turn():
    rules = GAME.ruleset()
    state = GAME.new_state(rules, [GAME.loadouts.accept(rules, None)] * 2, SeatStreams(1))
    reasons = []
    while not state.is_terminal():
        before = state.clone()
        state.apply_action(GAME.notation.action("end turn"))
        reasons += [each.verdict.reason for each in GAME.board.held(before, state, ())]
    assert any(" drew " in each and " and ended the turn at 2" in each for each in reasons)
