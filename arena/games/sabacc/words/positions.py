"""Matches of Sabacc as one seat sees them, in plain lines: past hands, events and the position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from arena.core.parts import Words
from arena.core.parts.words import NamedFact, seat_name
from arena.core.state import TERMINAL
from arena.games.sabacc.cards.points import hand_points
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.engine.hand import new_hand
from arena.games.sabacc.engine.match import new_match
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import BETTING
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.parts.following import Followed
from arena.games.sabacc.parts.held import HandEnd
from arena.games.sabacc.parts.render import face_text
from arena.games.sabacc.parts.scene import faces, public_scene, worth
from arena.games.sabacc.words.events import lines_of
from arena.games.sabacc.words.rules import rules_text

_SEAT = re.compile(r"\bseat ([0-5])\b")


class SabaccWords(Words[SabaccRules, SabaccObservation]):
    """A line for each hand that is over, the events of the present one, and the own cards."""

    rules = staticmethod(rules_text)

    def past(self, observation: SabaccObservation) -> tuple[str, ...]:
        """Returns a line for each hand that is over: who won it, with what, against what."""
        o = observation
        known = o.history if o.player == TERMINAL else o.history[: o.hand_start]
        lines = _hands(o.rules, len(o.amounts), known) if known else ()
        return tuple([_SEAT.sub(lambda found: _name(o, int(found[1])), line) for line in lines])

    def events(self, observation: SabaccObservation) -> tuple[str, ...]:
        """Returns the events of the present hand, with the own cards, in the words of actions."""
        return () if observation.player == TERMINAL else tuple(lines_of(observation))

    def position_tells_events(self, ruleset: SabaccRules) -> bool:
        """Returns whether seats only draw, show and exchange: no chips, dice or slips."""
        return ruleset.mode != "chips" and not (ruleset.dice or ruleset.variable)

    def position(self, observation: SabaccObservation) -> tuple[NamedFact, ...]:
        """Returns the facts of the hand: the own cards with their worth, and every seat."""
        return tuple(_facts(observation))


def _name(o: SabaccObservation, seat: int) -> str:
    return seat_name(seat, o.seat, len(o.amounts))


@lru_cache(maxsize=256)
def _hands(rules: SabaccRules, seats: int, history: bytes) -> tuple[str, ...]:
    """The lines of a history that ends with a hand."""
    state = SabaccState(new_hand(new_match(rules, seats)))
    state.begin_hand()
    return tuple([_hand(hand) for hand in Followed(state, history, True, {}).hands()])


def _hand(hand: Followed) -> str:
    end = HandEnd(hand)
    facts = [fact for fact in end.facts() if fact.role == "won" and fact.seat in end.winners]
    won = [fact.label.removeprefix("wins ") for fact in facts]
    who = " and ".join([f"seat {seat}" for seat in end.winners]) or "nobody"
    amount = f" ({won[0]})" if won and hand.match.rules.mode != "showdown" else ""
    return f"hand {hand.match.hand_number}: {who} won{amount}; {end.reason()}"


def _facts(o: SabaccObservation) -> Iterator[NamedFact]:
    scene = public_scene(o, {})
    yield "hand", f"{scene.title.removeprefix('Hand ')}, {scene.value('stage')}"
    for fact in scene.facts:
        if fact.seat is None and fact.label != "stage" and _says_more(o, fact.label):
            yield fact.label, str(fact.value)
    if o.hand:
        cards = enumerate(_cards(o), 1)
        listed = " ".join(f"{place}. {card}" for place, card in cards)
        yield "your hand", f"{listed} = {worth(o.ranks, o.hand)}"
        if o.rules.mode == "points":
            points = hand_points(o.ranks, o.hand, dealt=o.untouched[o.seat], won=False)
            yield "it scores", str(points)
    if o.rules.mode == "chips" and o.stage in BETTING and o.player == o.seat:
        yield "you must put at least", str(o.owed)
    given = _exchanged(o)
    for seat in range(len(o.amounts)):
        said = [
            f"{fact.label} {fact.value}" if fact.value is not True else fact.label
            for fact in scene.facts
            if fact.seat == seat
        ]
        count = o.hand_sizes[seat] if seat != o.seat else 0
        shown = [f"shows {', '.join(map(str, o.shown[seat]))}"] if o.shown[seat] else []
        held = [f"{count} card{'s' * (count != 1)}"] if count else []
        yield _name(o, seat), ", ".join([*said, *held, *shown, *given.get(seat, ())])
    if o.player != o.seat:
        yield "turn", _turn(o)


def _cards(o: SabaccObservation) -> Sequence[object]:
    """The own cards; with their values where a slip changes them."""
    return [*map(face_text, faces(o.ranks, o.hand))] if o.rules.variable else o.hand


def _exchanged(o: SabaccObservation) -> dict[int, list[str]]:
    return {
        event.seat: [f"exchanged {event.number}" if event.number else "kept all"]
        for event in o.hand_events
        if event.kind == "exchange"
    }


def _says_more(o: SabaccObservation, label: str) -> bool:
    """Returns whether a fact is not in the rules already."""
    return label != "variant" or o.rules.variable


def _turn(o: SabaccObservation) -> str:
    if o.player == TERMINAL:
        return "the match is over"
    return _name(o, o.player) if o.player >= 0 else "chance"
