"""The end of each set of Pazaak, as it lay: gone through again from one decision to the next.

A set ends and the next one begins between two decisions, so that no decision shows its end. The
public events say all that happened; the procedure goes through them on a copy of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec.structs import replace

from arena.core.scene import Fact, Scene, Verdict
from arena.games.pazaak.engine.actions import END, PLAY_, PazaakAction
from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.history import EVENTS, REASONS, Event, events_of
from arena.games.pazaak.engine.procedure import (
    begin_turn,
    end_turn,
    play,
    stand,
    start_set,
    take_hand,
    take_opening_card,
)
from arena.games.pazaak.engine.rulesets import LIMIT
from arena.games.pazaak.engine.stages import DEAL, START
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.scene import scene

BUST, FILL, OUTSCORE, TIEBREAKER = REASONS
ENDS = ("won", "tie")
"""Kinds of event with which a set ends."""


def held(before: PazaakState, after: PazaakState, open_seats: Collection[int]) -> tuple[Scene, ...]:
    """The sets that ended between two positions, each as it lay, with its verdict.

    Args:
        before: The state at a decision; either may be one that a seat holds possible.
        after: A later state of the same match.
        open_seats: Seats whose hand cards lie open for the onlooker.
    """
    new = after.history[len(before.history) :]
    return tuple(
        [
            set_over(table, open_seats, events)
            for table, events in zip(
                set_ends(before, new, dealt_in(after)), places_of_ends(new), strict=True
            )
        ]
    )


def places_of_ends(new: bytes) -> list[int]:
    """The number of events up to each end of a set, that one included.

    Args:
        new: The codes of the events since a position, in order.
    """
    return [number for number, code in enumerate(new, 1) if _ends(code)]


def set_ends(
    before: PazaakState,
    new: bytes,
    hand_of: Callable[[PazaakState], tuple[Card, ...]],
    other: Callable[[PazaakState, int], None] | None = None,
) -> Iterator[PazaakState]:
    """Yields the table at the end of each set that ended between two positions.

    Args:
        new: The codes of the events since, in order.
        hand_of: Returns the hand that is dealt at a table now.
        other: Takes the table through an event of another game.
    """
    if not any(map(_ends, new)):
        return
    table, seen = before.clone(), before.history
    for code in new:
        event = EVENTS[code]
        if event is not None:
            follow(table, event, hand_of)
            seen += bytes((code,))
            if _ends(code):
                table.history = seen
                yield table
        elif other is not None:
            other(table, code)


def dealt_in(after: PazaakState) -> Callable[[PazaakState], tuple[Card, ...]]:
    """Returns what gives the hands of a match up to a later state, each when it is dealt."""
    return lambda table: after.dealt[table.turn][max(0, table.set_number - 1)]


def _ends(code: int) -> bool:
    event = EVENTS[code]
    return event is not None and event.kind in ENDS


def follow(
    table: PazaakState, event: Event, hand_of: Callable[[PazaakState], tuple[Card, ...]]
) -> None:
    """Takes a table through one event, unless it follows from earlier ones.

    Args:
        hand_of: As of ``set_ends``.
    """
    while table.phase == DEAL:
        take_hand(table, table.turn, hand_of(table))
    seat = event.seat
    if event.action is not None:
        _act(table, seat, event.action)
    elif event.kind == "draw":
        begin_turn(table, seat, event.value)
    elif event.kind == "opening draw":
        take_opening_card(table, seat, event.value)
    elif event.kind == "start" and table.phase == START:
        start_set(table, seat)


def _act(table: PazaakState, seat: int, action: PazaakAction) -> None:
    if action.kind == END:
        end_turn(table, seat)
    elif action.kind == PLAY_:
        hand = table.sides[seat].hand
        if action.card is not None and action.card not in hand:  # it was hidden so far
            table.sides[seat].hand = (action.card, *hand[1:])
        play(table, seat, action)
    else:
        stand(table, seat)


def set_over(table: PazaakState, open_seats: Collection[int], events: int | None) -> Scene:
    """The table at the end of a set, with its verdict and what each seat is marked with.

    Args:
        events: Number of events up to this end, as a ``Verdict`` has it.
    """
    shown = scene(table, open_seats)
    assert table.last_set is not None
    winner, _ = table.last_set
    facts = [fact for fact in shown.facts if fact.role != "stands"]
    if winner is not None:
        facts.append(Fact("wins the set", seat=winner, role="won"))
        facts.append(Fact(_lacks(table, 1 - winner), seat=1 - winner, role="lost"))
    verdict = Verdict(
        f"set {table.set_number}",
        () if winner is None else (winner,),
        reason(table),
        " : ".join(map(str, table.totals)),
        events,
    )
    return replace(shown, turn=None, facts=tuple(facts), verdict=verdict)


def _lacks(table: PazaakState, loser: int) -> str:
    """The reason of the loss at the loser's name, in two words."""
    totals = table.totals
    if totals[loser] > LIMIT:
        return f"above {LIMIT}"
    short = totals[1 - loser] - totals[loser]
    return f"{short} short" if _ended_by(table) == OUTSCORE else "loses the set"


def _ended_by(table: PazaakState) -> str:
    assert table.last_set is not None
    return table.last_set[1]


def reason(table: PazaakState) -> str:
    """Returns the reason for which the set that is over was won, or is a tie."""
    assert table.last_set is not None
    winner, reason = table.last_set
    totals = table.totals
    if winner is None:
        each = f"both stand at {totals[0]}" if totals[0] == totals[1] else "both stand"
        return f"{each}, above {LIMIT}" if min(totals) > LIMIT else each
    loser = 1 - winner
    if reason == BUST:
        return _bust(loser, totals[loser], events_of(table.history))
    if reason == FILL:
        return f"seat {winner} laid nine cards, {totals[winner]} in all"
    if reason == TIEBREAKER:
        return f"both stand at {totals[winner]}; {_tiebreaker(table, winner)}"
    if totals[loser] > LIMIT:
        return f"seat {loser} stood at {totals[loser]}, above {LIMIT}"
    return f"seat {winner} stood at {totals[winner]}, seat {loser} at {totals[loser]}"


def _tiebreaker(table: PazaakState, winner: int) -> str:
    rules = table.rules
    both = all(table.marks.laid) and rules.tiebreaker_scope == "set"
    which = "first" if rules.tiebreaker_both == "first_played" else "last"
    return f"seat {winner} laid the {which if both else ''} tiebreaker".replace("  ", " ")


def _bust(seat: int, total: int, events: Sequence[Event]) -> str:
    """The last turn of the seat: it drew 10 and stood at 24, above 20."""
    done: list[str] = []
    verb = "came to"
    for event in reversed(events):
        if event.kind == "start":
            break
        if event.seat != seat:
            continue
        if event.kind == "draw":
            done.insert(0, f"drew {event.value}")
            break
        if event.action is not None and event.action.kind == PLAY_:
            done.insert(0, f"played {event.action.card}")
        elif event.action is not None and not done:
            verb = "ended the turn at" if event.action.kind == END else "stood at"
    return f"seat {seat} {', '.join(done)} and {verb} {total}, above {LIMIT}"
