"""The views of a record as data: of the public, of one seat, or of an all-seeing onlooker.

A view never shows more than its owner may know. The seed of the deal decides every hidden card,
an offender's messages (the reason, its traceback) may name its hand, and so may an action: they are
kept back from those to whom the cards are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import structs

from arena.core.errors import UnknownName
from arena.core.game import AnyGame
from arena.core.outcome import Outcome, Termination
from arena.core.record import MatchRecord
from arena.core.scene import MATCH, Scene, split_events
from arena.match.replay import Step, replay

PUBLIC, ALL = "public", "all"


class View(msgspec.Struct, frozen=True):
    """The point of view on a match.

    Attributes:
        name: ``"public"``, ``"seat0"``, ``"seat1"``, ... or ``"all"``.
        open_seats: The seats with visible hidden cards.
        seat: The seat of the viewer; ``None`` for an onlooker.
    """

    name: str
    open_seats: tuple[int, ...]
    seat: int | None = None
    shows_seed: bool = False


def view_named(name: str, seats: int) -> View:
    """Returns the view of that name; raises ``UnknownName``."""
    everybody = tuple(range(seats))
    views = [View(PUBLIC, ()), View(ALL, everybody, shows_seed=True)]
    views += [View(f"seat{seat}", (seat,), seat) for seat in everybody]
    for view in views:
        if view.name == name:
            return view
    raise UnknownName("view", name, [view.name for view in views])


class Moment(msgspec.Struct, frozen=True):
    """One position of a match: before a decision, or the end.

    Attributes:
        move: Number of decisions taken before it, from 0.
        events: The events since the last position, a line each, in the game's notation.
        scores: The game's own amounts so far, one a seat (Pazaak: sets won).
        table: The table as the view shows it, as plain text of several lines.
        seat: The seat that decides; ``None`` at the end.
        action: Its decision, in the game's notation, as far as the view may know it; ``None``
            at the end.
        scene: The table as the view shows it, as data.
        held: The ends since the last position, each with its verdict: shown before ``scene``.
            At the end of the match its own end is the last of them.
    """

    move: int
    events: tuple[str, ...]
    scores: tuple[int, ...]
    table: str
    seat: int | None
    action: str | None
    scene: Scene
    held: tuple[Scene, ...] = ()

    @property
    def shown(self) -> tuple[Scene, ...]:
        """The scenes in order: the ends, and then its own, which the end of the match has not."""
        return self.held if self.seat is None and self.held else (*self.held, self.scene)

    @property
    def told(self) -> list[Sequence[str]]:
        """The events by the scenes that are shown, those before each of them."""
        return split_events(self.events, self.held)[: len(self.shown)]


class SeatView(msgspec.Struct, frozen=True):
    """One seat of a match in a view.

    Attributes:
        participant: Key of the participant.
        loadout: Its loadout (Pazaak: its side deck) as text; ``None`` if hidden or missing.
    """

    seat: int
    participant: str
    loadout: str | None


class Expulsion(msgspec.Struct, frozen=True):
    """A seat that was eliminated while the others played on: a ``Fault`` whose reason may be
    hidden.

    ``reason`` is ``None`` without one, or the view may not know it.
    """

    seat: int
    cause: Termination
    move: int
    reason: str | None


class ShownOutcome(msgspec.Struct, frozen=True):
    """The end of a match in a view, with strings that may be hidden.

    Attributes:
        reason: One line; ``None`` if hidden or missing.
        error: The offending bots' own tracebacks; ``None`` if missing, or partly hidden.
    """

    returns: tuple[float, ...]
    scores: tuple[int, ...]
    termination: Termination
    offender: int | None
    move: int | None
    reason: str | None
    error: str | None
    expelled: tuple[Expulsion, ...] = ()


class Replay(msgspec.Struct, frozen=True):
    """A match in one view.

    Attributes:
        ruleset: Name of the ruleset, with its options.
        seed: Seed of the deal; ``None`` if hidden.
        moments: Every decision in order, and last the end; empty when a seat failed before the
            deal.
    """

    view: str
    game: str
    ruleset: str
    engine: str
    seed: int | None
    seats: tuple[SeatView, ...]
    moments: tuple[Moment, ...]
    ending: ShownOutcome

    def steps(self) -> tuple[tuple[int, int, Scene], ...]:
        """Every scene that is shown, in order: index of its position, its number there, itself."""
        return tuple(
            [
                (index, number, scene)
                for index, moment in enumerate(self.moments)
                for number, scene in enumerate(moment.shown)
            ]
        )


def replay_view(game: AnyGame, record: MatchRecord, view: View, error: str = "") -> Replay:
    """Re-executes a record and returns it as one view shows it.

    Args:
        error: The offending bots' tracebacks, from the measurement.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    moments: list[Moment] = []
    before: Step | None = None
    seen = 0
    for step in replay(game, record):
        history = step.state.observation(view.seat or 0).history
        moment = _moment(game, step, view, game.notation.events(history[seen:]))
        held = _held(game, before, step, view, record.outcome)
        moments.append(structs.replace(moment, held=held))
        before, seen = step, len(history)
    return Replay(
        view=view.name,
        game=record.game,
        ruleset=record.ruleset,
        engine=record.engine,
        seed=record.seed if view.shows_seed else None,
        seats=tuple(_seat(game, record, view, seat) for seat in range(len(record.seats))),
        moments=tuple(moments),
        ending=_ending(record.outcome, view, error),
    )


def _moment(game: AnyGame, step: Step, view: View, events: tuple[str, ...]) -> Moment:
    state = step.state
    if view.seat is None:
        table = game.board.text(state, view.open_seats)
    else:
        table = game.render(state.observation(view.seat))
    action = None
    if step.action is not None:
        open_to_view = step.seat in view.open_seats
        action = step.action.text if open_to_view else game.board.public_action(step.action)
    scene = game.board.scene(state, view.open_seats)
    return Moment(step.move, events, state.scores(), table, step.seat, action, scene)


def _held(
    game: AnyGame, before: Step | None, step: Step, view: View, outcome: Outcome
) -> tuple[Scene, ...]:
    board, state, seats = game.board, step.state, view.open_seats
    held = () if before is None else board.held(before.state, state, seats)
    if step.action is not None:
        return held
    # The record knows more of the end than the last state: a fault may have ended the match.
    parts = [each for each in held if each.verdict is None or each.verdict.over != MATCH]
    return (*parts, board.over(state, outcome, seats))


def _seat(game: AnyGame, record: MatchRecord, view: View, seat: int) -> SeatView:
    loadout = None
    if seat in view.open_seats and seat < len(record.loadouts):
        loadout = game.loadouts.text(record.loadouts[seat]) or None
    return SeatView(seat, record.seats[seat], loadout)


def _ending(outcome: Outcome, view: View, error: str) -> ShownOutcome:
    offender, faults = outcome.offender, outcome.expelled
    # The tracebacks are one text, which is shown to those who may know every part of it.
    offenders = {offender, *(fault.seat for fault in faults)} - {None}
    return ShownOutcome(
        returns=outcome.returns,
        scores=outcome.scores,
        termination=outcome.termination,
        offender=offender,
        move=outcome.move,
        reason=_offender_text(outcome.reason, view, offender),
        error=(error or None) if offenders.issubset(view.open_seats) else None,
        expelled=tuple(
            Expulsion(out.seat, out.cause, out.move, _offender_text(out.reason, view, out.seat))
            for out in faults
        ),
    )


def _offender_text(reason: str, view: View, offender: int | None) -> str | None:
    hidden = offender is not None and offender not in view.open_seats
    return None if hidden else reason or None
