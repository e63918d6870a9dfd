"""Held scenes: what every game has of its end, without a line of its own."""

import itertools

import pytest

from arena.core.outcome import Outcome, Termination
from arena.core.parts.board import Board, verdict_of
from arena.core.scene import Fact, Scene, Verdict, draw_text
from tests.table_game import Table

GAME = Table()


def finished():
    state = GAME.new_state(GAME.ruleset(""), (b"", b""))
    steps = [state.clone()]
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        steps.append(state.clone())
    return steps


def test_a_game_without_its_own_board_has_the_end_of_the_match_alone():
    steps = finished()
    board = Board(GAME)
    before = itertools.pairwise(steps[:-1])
    assert [board.held(*pair, ()) for pair in before] == [()] * (len(steps) - 2)
    (held,) = board.held(steps[-2], steps[-1], ())
    returns, scores = steps[-1].returns(), steps[-1].scores()
    winners = tuple(seat for seat, gain in enumerate(returns) if gain == max(returns))
    assert held.verdict == Verdict("match", winners, "", " : ".join(map(str, scores)))
    assert held.turn is None
    won = [fact.seat for fact in held.facts if fact.role == "won"]
    assert tuple(won) == winners
    assert board.held(steps[-1], steps[-1], ()) == ()


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Verdict("set 1", (0,), "seat 1 drew 10", "20 : 24"),
         "seat 0 wins set 1, 20 : 24: seat 1 drew 10"),
        (Verdict("match", (1,), "", "1 : 3"), "seat 1 wins the match, 1 : 3"),
        (Verdict("hand 2", (0, 2, 3)), "seat 0, seat 2 and seat 3 share hand 2"),
        (Verdict("set 3"), "nobody wins set 3"),
        (Verdict("hand 3", (), "both bomb out", "90 : 110"),
         "nobody wins hand 3, 90 : 110: both bomb out"),
        (Verdict("set 5", (), "", "20 : 20"), "set 5 is drawn, 20 : 20"),
        (Verdict("match", (), "", "1 : 1"), "the match is drawn, 1 : 1"),
    ],
)  # fmt: skip
def test_a_verdict_reads_as_a_sentence(verdict, text):
    assert str(verdict) == text
    assert draw_text(Scene(title="Set", verdict=verdict)).splitlines() == ["Set", f"* {text}"]


def test_a_match_that_a_fault_ended_says_whose():
    ending = Outcome((1.0, -1.0), (0, 0), Termination.TIMEOUT, 1, 4)
    assert verdict_of(ending) == Verdict("match", (0,), "seat 1 is out: timeout", "0 : 0")
    drawn = verdict_of(Outcome((0.0, 0.0), (1, 1), Termination.CAP))
    assert (drawn.winners, drawn.reason) == ((), "the match has reached its greatest length")


def test_the_end_by_a_fault_is_held_at_the_last_table():
    state = finished()[0]
    held = Board(GAME).over(state, Outcome((1.0, -1.0), (0, 0), Termination.CRASH, 1, 0), (0, 1))
    assert held.notes == Board(GAME).scene(state, (0, 1)).notes
    assert (held.turn, held.facts[-1]) == (None, Fact("wins the match", seat=0, role="won"))
