"""Actions: what a seat can do (recorded), and what chance can do (never recorded)."""

from __future__ import annotations

from typing import Final

from arena.core.actions import Action
from arena.games.pazaak.engine.cards import CATALOGUE, Card

# Kinds of action.
END: Final = 0
STAND_: Final = 1
PLAY_: Final = 2
DRAW_: Final = 3
DEAL_: Final = 4
START_: Final = 5


class PazaakAction(Action, frozen=True, eq=False, gc=False):
    """One thing that a seat, or chance, does.

    Attributes:
        kind: ``END``, ``STAND_`` or ``PLAY_`` for seats; ``DRAW_`` (a deck card comes),
            ``DEAL_`` (a hand is dealt) or ``START_`` (a set begins) for chance.
        card: The hand card that is played.
        value: The signed value it is laid as (0 for flip cards and the Double); the value of
            the deck card drawn; the seat that starts the set.
        cards: The hand that is dealt.
    """

    kind: int
    card: Card | None = None
    value: int = 0
    cards: tuple[Card, ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        return (deal, (self.cards,)) if self.kind == DEAL_ else (action_of, (self.id,))


END_TURN = PazaakAction(id=0, text="end turn", kind=END)
STAND = PazaakAction(id=1, text="stand", kind=STAND_)


def _plays() -> tuple[PazaakAction, ...]:
    plays: list[PazaakAction] = []
    for card in CATALOGUE:
        for value in card.values or (0,):
            text = f"play {card}" + (f" as {value:+d}" if len(card.values) > 1 else "")
            plays.append(
                PazaakAction(id=2 + len(plays), text=text, kind=PLAY_, card=card, value=value)
            )
    return tuple(plays)


PLAYS = _plays()
"""Every way to play a hand card, in catalogue order."""

PLAYS_OF = {card: tuple(p for p in PLAYS if p.card is card) for card in CATALOGUE}
"""The ways to play one card."""

SEAT_ACTIONS = (END_TURN, STAND, *PLAYS)
"""Everything a seat can do; an action's id is its index."""

DRAWS = tuple(
    PazaakAction(id=64 + v, text=f"deck card {v}", kind=DRAW_, value=v) for v in range(1, 11)
)
"""Chance: a deck card comes; the card of value v is at index v - 1."""

STARTS = tuple(
    PazaakAction(id=80 + s, text=f"seat {s} starts", kind=START_, value=s) for s in (0, 1)
)
"""Chance: the next set begins, by seat that starts it."""

_FIXED = {action.id: action for action in (*SEAT_ACTIONS, *DRAWS, *STARTS)}
_DEALS: dict[tuple[Card, ...], PazaakAction] = {}


def action_of(id: int) -> PazaakAction:
    """The action with that id; raises ``KeyError``."""
    return _FIXED[id]


def deal(hand: tuple[Card, ...]) -> PazaakAction:
    """Chance: that hand (in catalogue order) is dealt."""
    found = _DEALS.get(hand)
    if found is None:
        number = 0
        for card in hand:
            number = number * 24 + card.id + 1
        text = "hand " + " ".join(card.name for card in hand)
        found = PazaakAction(id=1000 + number, text=text, kind=DEAL_, cards=hand)
        _DEALS[hand] = found
    return found


def play(card: Card, value: int | None = None) -> PazaakAction | None:
    """The action of playing a card, as a value if it has several; ``None``: it cannot be that."""
    ways = PLAYS_OF.get(card, ())
    if value is None:
        return ways[0] if len(ways) == 1 else None
    for way in ways:
        if way.value == value:
            return way
    return None
