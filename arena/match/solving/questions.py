"""One question to a bot: its action in an information state, after all decisions before."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import msgspec

from arena.core.actions import Action, pack_ids
from arena.core.chance.dealer import SeatStreams
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Outcome
from arena.core.record import MatchRecord, Measurement
from arena.core.state import State
from arena.match.adjudication import forfeit
from arena.match.course import Course
from arena.match.limits import Limits
from arena.match.reask import ask_seat
from arena.match.requests import Played, SeatRequest, TimedAnswer, View


class Question(msgspec.Struct, frozen=True):
    """Asks a seat for its action after some others.

    Attributes:
        seat: The seat to decide then.
        way: All actions before, with actions of chance unless there is a deal.
        loadouts: The loadout of each seat.
        deal: Seed of the deal, which answers chance as in a match.
    """

    seat: int
    way: tuple[Action, ...]
    loadouts: tuple[bytes, ...]
    deal: int | None = None


def described_way(seat: int, way: Sequence[Action]) -> str:
    """Returns a state in words, after a complaint: the seat, and the actions before."""
    before = ", ".join([action.text for action in way])
    return f", as seat {seat} after {before}" if before else f", as seat {seat} at the beginning"


def ask_on_the_way(
    game: AnyGame,
    ruleset: Ruleset,
    question: Question,
    name: str,
    limits: Limits,
    view: View | None = None,
    course: Course | None = None,
) -> Generator[SeatRequest, TimedAnswer, Played]:
    """Asks a seat for each of its decisions on a way, and for the one at its end.

    So a bot with a memory has seen the same as in a match. Its answers on the way change nothing.

    Args:
        name: Key of the bot for the record.
        view: As of ``play_match``, and so are ``limits`` and ``course``.

    Returns:
        A record with only the seat's answers as actions and, after a fault, its outcome; and the
        measurement.
    """
    seats = len(question.loadouts)
    course = course or Course(limits, seats)
    own = _decisions(game, ruleset, question)
    fault, error = yield from ask_seat(game, ruleset, question.seat, own, view, course)
    outcome = Outcome((0.0,) * seats, (0,) * seats)
    if fault is not None:
        outcome = forfeit(game, ruleset, fault, (0,) * seats)
    actions = pack_ids([answer.id for answer in course.answers[1:]])
    names, loadouts = (name,) * seats, question.loadouts
    record = MatchRecord(
        game.name, ruleset.name, game.version, 0, names, loadouts, actions, outcome
    )
    clock = course.clock
    return record, Measurement(clock.nanoseconds, clock.requests, error=error)


def _decisions(
    game: AnyGame, ruleset: Ruleset, question: Question
) -> Iterator[tuple[int, State[Any]]]:
    dealer = None if question.deal is None else SeatStreams(question.deal)
    state = game.new_state(ruleset, question.loadouts, dealer)
    ahead: Sequence[Action | None] = (*question.way, None)
    for move, action in enumerate(ahead):
        if state.current_player() == question.seat:
            yield move, state
        if action is not None:
            state.apply_action(action)
