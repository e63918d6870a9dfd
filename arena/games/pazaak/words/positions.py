"""Matches of Pazaak as one seat sees them, in plain lines: past sets, events and the position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from arena.core.parts import Words
from arena.core.parts.words import NamedFact, seat_name
from arena.games.pazaak.engine.cards import Card, Square
from arena.games.pazaak.engine.history import Event, events_of
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.procedure import ask_chance
from arena.games.pazaak.engine.rulesets import SQUARES, PazaakRules
from arena.games.pazaak.engine.stages import DEAL, OVER
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.held import places_of_ends, reason, set_ends
from arena.games.pazaak.words.rules import rules_text

_SEAT = re.compile(r"\bseat ([01])\b")


class PazaakWords(Words[PazaakRules, PazaakObservation]):
    """A line for each set that is over, the events of the present one, and both tables."""

    rules = staticmethod(rules_text)

    def past(self, observation: PazaakObservation) -> tuple[str, ...]:
        """Returns a line for each set that is over: who won it, and the totals."""
        o = observation
        ends = places_of_ends(o.history)
        known = o.history[: ends[-1]] if ends else b""
        return tuple(
            [
                _SEAT.sub(lambda found: _name(int(found[1]), o.seat), line)
                for line in _sets(o.ruleset, known)
            ]
        )

    def events(self, observation: PazaakObservation) -> tuple[str, ...]:
        """Returns the events since the last set ended, in the words of the actions."""
        o = observation
        return tuple([_line(event, o.seat) for event in _of_set(o)])

    def position_tells_events(self, ruleset: PazaakRules) -> bool:
        """Returns ``True``: tables have their cards in the order laid."""
        return True

    def position(self, observation: PazaakObservation) -> tuple[NamedFact, ...]:
        """Returns the facts of the set, both tables, the own cards and what the rival played."""
        return tuple(_facts(observation))


def _name(seat: int, own: int) -> str:
    return seat_name(seat, own, 2)


@lru_cache(maxsize=256)
def _sets(rules: PazaakRules, history: bytes) -> tuple[str, ...]:
    """The lines of a history that ends with a set; the hands that nobody saw play no part."""
    table = PazaakState(rules, ((), ()))
    ask_chance(table, DEAL, 0)
    lines = []
    for end in set_ends(table, history, lambda _: ()):
        assert end.last_set is not None
        winner, _ = end.last_set
        came = "a tie" if winner is None else f"seat {winner} won"
        lines.append(f"set {end.set_number}: {came}; {reason(end)}")
    return tuple(lines)


def _of_set(o: PazaakObservation) -> tuple[Event, ...]:
    ends = places_of_ends(o.history)
    return events_of(o.history[ends[-1] if ends else 0 :])


def _line(event: Event, own: int) -> str:
    what = {
        "opening draw": f"opening {event.value}",
        "start": "starts the set" if event.seat != own else "start the set",
        "draw": f"deck {event.value}",
        "act": str(event.action),
        "auto stand": "stand by rule",
    }[event.kind]
    return f"{_name(event.seat, own)}: {what}"


def _facts(o: PazaakObservation) -> Iterator[NamedFact]:
    rival = 1 - o.seat
    yield "set", f"{o.set_number}, won: you {o.sets}, rival {o.rival_sets}"
    yield "your table", _table(o.table, o.total, o.standing)
    yield "rival's table", _table(o.rival_table, o.rival_total, o.rival_standing)
    yield "your hand", _listed(o.hand)
    if o.ruleset.hand_scope == "set":  # other hands come from it
        yield "your side deck", f"{_listed(o.side_deck)}{_spent(o, o.seat)}"
    yield "rival's hand", f"{o.rival_cards} card{'s' * (o.rival_cards != 1)}{_spent(o, rival)}"
    yield from _marked(o)
    if o.turn != o.seat:
        yield "turn", "the match is over" if o.phase == OVER else "the rival's"


def _table(table: Sequence[Square], total: int, standing: bool) -> str:
    cards = f"{_laid(table)} = {total}, {len(table)} of {SQUARES}" if table else "empty"
    return f"{cards}, standing" if standing else cards


def _laid(table: Sequence[Square]) -> str:
    return " ".join(map(_square, table))


def _square(square: Square) -> str:
    name, face = str(square.value), square.face
    if face.from_deck or face.name.lstrip("+") == name:
        return name if face.from_deck else face.name
    return f"({face} as {square.value:+d})" if square.value else f"({face} as 0)"


def _listed(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "none"


def _spent(o: PazaakObservation, seat: int) -> str:
    """The hand cards that a seat has played from its present hand, oldest first."""
    events = _of_set(o) if o.ruleset.hand_scope == "set" else o.events
    acts = [event.action for event in events if event.seat == seat and event.action]
    cards = [act.card for act in acts if act.card is not None]
    return f"; played {_listed(cards)}" if cards else ""


def _marked(o: PazaakObservation) -> Iterator[NamedFact]:
    seats, marks = (o.seat, 1 - o.seat), o.marks
    for seat, whose in zip(seats, ("your", "rival's"), strict=True):
        if marks.negated[seat]:
            yield f"{whose} deck cards made negative", ", ".join(map(str, marks.negated[seat]))
    laid = sorted([seat for seat in seats if marks.laid[seat]], key=marks.laid.__getitem__)
    if laid:
        yield "±1T laid in this set", ", then ".join([_name(seat, o.seat) for seat in laid])
    over = [_name(seat, o.seat) for seat in seats if marks.overshot[seat]]
    if over:
        yield "above 20 earlier in this set", ", ".join(over)
    if marks.burnt:
        yield "cards out of the deck", ", ".join(map(str, marks.burnt))
