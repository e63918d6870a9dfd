"""Actions: what a seat can do (recorded), and what chance can do (never recorded)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from arena.core.actions import Action
from arena.games.sabacc.cards.cards import KINDS, Card, card_named
from arena.games.sabacc.cards.rulesets import MAX_CARDS, MAX_CHIPS
from arena.games.sabacc.cards.variants import VARIANTS

# Kinds of a seat's action.
PASS_: Final = 0
DRAW_: Final = 1
FOLD_: Final = 2
CHECK_: Final = 3
CALL_: Final = 4
ALL_IN_: Final = 5
SHOW_: Final = 6
EXCHANGE_: Final = 7
PUT_: Final = 8
DEMAND_: Final = 9
BET_: Final = 10
RAISE_: Final = 11
# Kinds of chance's action.
CARD_: Final = 12
FACE_: Final = 13
SLIP_: Final = 14


class SabaccAction(Action, frozen=True, eq=False, gc=False):
    """One thing that a seat, or chance, does.

    Attributes:
        kind: One of the kinds above.
        value: ``PUT_``, ``DEMAND_``, ``BET_``: chips put; ``RAISE_``: chips beyond the call;
            ``EXCHANGE_``: the cards as a set of bits, bit 0 for the first of the hand (0: none);
            ``FACE_``: what the die shows; ``SLIP_``: the variant's number.
        card: The card that is shown (``SHOW_``); for ``CARD_`` the one that comes from the deck,
            goes to the shuffle of an even roll, or comes back from it.
    """

    kind: int
    value: int = 0
    card: Card | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return (action_of, (self.id,))

    @property
    def count(self) -> int:
        """Number of cards that an ``EXCHANGE_`` gives away."""
        return self.value.bit_count()


PASS = SabaccAction(0, "pass", PASS_)
DRAW = SabaccAction(1, "draw", DRAW_)
FOLD = SabaccAction(2, "fold", FOLD_)
CHECK = SabaccAction(3, "check", CHECK_)
CALL = SabaccAction(4, "call", CALL_)
ALL_IN = SabaccAction(5, "all in", ALL_IN_)
SHOWS = {
    name: SabaccAction(6 + number, f"show {name}", SHOW_, card=card_named(name))
    for number, name in enumerate(("Jedi Master", "Smuggler", "Bounty Hunter"))
}
"""Showing a card that allows the larger exchange (004:80, 226), by its name."""


def _exchange(mask: int) -> SabaccAction:
    places = [str(place + 1) for place in range(MAX_CARDS) if mask >> place & 1]
    return SabaccAction(16 + mask, f"exchange {' '.join(places)}", EXCHANGE_, mask)


KEEP = SabaccAction(16, "keep", EXCHANGE_)
EXCHANGES = (KEEP, *(_exchange(mask) for mask in range(1, 2**MAX_CARDS)))
"""Giving cards away for others from the deck, by the bits of their places in the hand."""

_STAKES = 64
_TEXTS = {
    PUT_: "put {}",
    DEMAND_: "put {} and demand the exchange",
    BET_: "bet {}",
    RAISE_: "raise {}",
}
_STAKE_KINDS = tuple(_TEXTS)
_CHANCE = _STAKES + len(_STAKE_KINDS) * MAX_CHIPS

CARDS = tuple(SabaccAction(_CHANCE + c.id, f"card {c}", CARD_, card=c) for c in KINDS)
"""Chance: a card comes or goes, by its id."""
FACES = tuple(SabaccAction(_CHANCE + 100 + n, f"die {n}", FACE_, n) for n in range(1, 7))
"""Chance: the die; the face n is at index n - 1."""
SLIPS = tuple(
    SabaccAction(_CHANCE + 140 + n, f"slip {name}", SLIP_, n) for n, name in enumerate(VARIANTS)
)
"""Chance: a slip is drawn, by the variant's number."""

_FIXED = {
    action.id: action
    for action in (
        *(PASS, DRAW, FOLD, CHECK, CALL, ALL_IN),
        *SHOWS.values(), *EXCHANGES, *CARDS, *FACES, *SLIPS,
    )
}  # fmt: skip
BY_TEXT = {action.text: action for action in _FIXED.values() if action.kind < CARD_}
"""The seats' actions that are not stakes."""
_STAKED: dict[int, SabaccAction] = {}


def stake(kind: int, chips: int) -> SabaccAction:
    """The action of that kind (``PUT_``, ``DEMAND_``, ``BET_``, ``RAISE_``) with that many chips.

    Raises:
        ValueError: Nobody can stake that many.
    """
    if not 1 <= chips <= MAX_CHIPS:
        raise ValueError(f"a stake is 1 to {MAX_CHIPS} chips, not {chips}")
    id = _STAKES + _STAKE_KINDS.index(kind) * MAX_CHIPS + chips - 1
    found = _STAKED.get(id)
    if found is None:
        found = _STAKED[id] = SabaccAction(id, _TEXTS[kind].format(chips), kind, chips)
    return found


def action_of(id: int) -> SabaccAction:
    """The action with that id; raises ``KeyError``."""
    if _STAKES <= id < _CHANCE:
        number, chips = divmod(id - _STAKES, MAX_CHIPS)
        return stake(_STAKE_KINDS[number], chips + 1)
    return _FIXED[id]


def known_text(action: SabaccAction) -> str:
    """The text of one of our own actions; empty for one that a bot has made itself."""
    ours = (*_FIXED.values(), *_STAKED.values())
    return action.text if any(action is one for one in ours) else ""


@lru_cache(maxsize=256)
def stakes(kind: int, least: int, most: int) -> tuple[SabaccAction, ...]:
    """Every stake of that kind from ``least`` to ``most`` chips; empty without one."""
    return tuple(stake(kind, chips) for chips in range(least, min(most, MAX_CHIPS) + 1))


def exchange(hand: Sequence[Card], cards: Sequence[Card]) -> SabaccAction:
    """The action of giving those cards of a hand away; raises ``ValueError`` for one not in it."""
    mask = 0
    for card in cards:
        place = next((n for n, held in enumerate(hand) if held is card and not mask >> n & 1), None)
        if place is None:
            raise ValueError(f"{card} is not in the hand that often")
        mask |= 1 << place
    return EXCHANGES[mask]


def exchanges(hand: Sequence[Card], counts: frozenset[int]) -> tuple[SabaccAction, ...]:
    """Every exchange of one of those numbers of cards, ``keep`` first if 0 is among them.

    Of two equal cards the first is given, so that no two actions mean the same.
    """
    if len(set(hand)) == len(hand):  # as most hands
        return _exchanges(len(hand), (), counts)
    twins = tuple(n for n in range(1, len(hand)) if hand[n] is hand[n - 1])
    return _exchanges(len(hand), twins, counts)


@lru_cache(maxsize=256)
def _exchanges(
    size: int, twins: tuple[int, ...], counts: frozenset[int]
) -> tuple[SabaccAction, ...]:
    masks = [mask for mask in range(2**size) if mask.bit_count() in counts]
    masks = [
        mask
        for mask in masks
        if all(mask >> twin - 1 & 1 or not mask >> twin & 1 for twin in twins)
    ]
    masks.sort(key=lambda mask: (mask.bit_count(), mask))
    return tuple(EXCHANGES[mask] for mask in masks)
