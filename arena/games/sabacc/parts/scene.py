"""The table of Sabacc as data: hands, pot, stakes, dealer and stage, for two to six seats."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import structs

from arena.core.scene import BACK, Face, Fact, Scene, Zone
from arena.games.sabacc.cards.cards import FIVE, Card
from arena.games.sabacc.cards.ranking import Ranker
from arena.games.sabacc.cards.value import Value
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import BETTING, OVER, STAGE_NAMES
from arena.games.sabacc.parts.looks import FACE_DOWN, look_of

if TYPE_CHECKING:
    from arena.games.sabacc.engine.state import SabaccState

AMOUNTS = {"showdown": "won", "chips": "chips", "points": "points"}
"""Label of what a seat has, by the mode that is played."""
CATEGORY = {
    "pure": "pure sabacc",
    "idiot": "the Idiot combination",
    "double": "double sabacc",
    "sabacc": "fool sabacc",
}
"""The names of the hands that are better than points."""


def scene(state: SabaccState, open_seats: Collection[int]) -> Scene:
    """The table as an onlooker sees it.

    Args:
        state: The state; the deck and the discards are not shown.
        open_seats: Seats whose cards lie open for the onlooker, besides those laid down by all.
    """
    hands = state.hand.deck.hands
    own = {seat: hands[seat] for seat in sorted(open_seats)}
    return public_scene(state.observation(0), own)  # the public facts are in everyone's


def public_scene(p: SabaccObservation, own: Mapping[int, Sequence[Card]]) -> Scene:
    """The table from its public facts, and the hands that the onlooker sees besides.

    Args:
        p: Any seat's observation.
        own: Cards by seat that lie open for this onlooker only.
    """
    seen = {**own, **p.open_hands}
    rules = p.rules
    to_points = rules.mode == "points" and rules.target
    limit = f", to {rules.target} points" if to_points else f" of {rules.hands}"
    facts = list(_middle(p))
    for seat in range(len(p.amounts)):
        facts += _facts_of(p, seat)
    return Scene(
        title=f"Hand {p.hand_number}{limit}",
        turn=p.player if p.player >= 0 else None,
        zones=tuple(zone for seat in range(len(p.amounts)) for zone in _zones(p, seat, seen)),
        facts=tuple(facts),
        back=FACE_DOWN,
    )


def faces(ranks: Ranker, hand: Sequence[Card]) -> tuple[Face, ...]:
    """The cards, with what they count where the name does not say it."""
    return tuple([_face(ranks, card) for card in hand])


@cache
def _face(ranks: Ranker, card: Card) -> Face:
    wild = _wild(ranks, card)
    value = str(ranks.values[card.id])
    look = look_of(card)
    return structs.replace(
        look,
        name=card.name,
        kind=card.suit or "character",
        counts="wild" if wild else "" if card.numbered else value,
        dashed=wild,
        large=card.rank if card.numbered else value,
        small=f"{card.suit}{' wild' * wild}" if card.numbered else card.name,
    )


def worth(ranks: Ranker, hand: Sequence[Card]) -> str:
    """Text of a hand's rank in a showdown, and of the values taken for its fives."""
    value = ranks.rank(hand)
    if value.total is None:
        return CATEGORY.get(value.category, f"the {ranks.variant.combination} combination")
    fives = [card for card in hand if _wild(ranks, card)]
    if not fives:
        return _total(value)
    taken = value.total - sum(ranks.values[card.id] for card in hand if card not in fives)
    those = f"five as {taken}" if len(fives) == 1 else f"fives as {taken} together"
    return f"{_total(value)} ({those})"


def _wild(ranks: Ranker, card: Card) -> bool:
    return ranks.rules.wild_five and card.value == FIVE


def _total(value: Value) -> str:
    if value.bomb:
        return f"{value.total}, which loses"
    if value.category != "points":
        return f"{value.total}, {CATEGORY[value.category]}"
    reduced = "" if value.strength == value.total else f", worth {value.strength}"
    return f"{value.total}{reduced}"


def _zones(p: SabaccObservation, seat: int, seen: Mapping[int, Sequence[Card]]) -> Iterator[Zone]:
    cards = seen.get(seat)
    if cards:
        yield _open_hand(p.ranks, tuple(cards), seat)
    else:
        yield Zone("hand", (BACK,) * p.hand_sizes[seat], seat)
    if p.shown[seat]:
        yield Zone("shows", faces(p.ranks, p.shown[seat]), seat)


@lru_cache(1024)  # a hand stays the same for many positions of a replay
def _open_hand(ranks: Ranker, cards: tuple[Card, ...], seat: int) -> Zone:
    return Zone("hand", faces(ranks, cards), seat, worth=worth(ranks, cards))


def _middle(p: SabaccObservation) -> Iterator[Fact]:
    rules = p.rules
    stage = "an odd roll: a card to swap" if p.swapping else STAGE_NAMES[p.stage]
    yield Fact("variant", p.variant.title, None, "word")
    yield Fact("stage", stage, None, "word")
    if p.stage == OVER:
        return
    if rules.mode == "chips":
        yield Fact("pot", p.pot, role="large")
        if p.carried:
            yield Fact("carried over", p.carried)
        if rules.betting == "poker":
            owes = p.player >= 0 and p.stage in BETTING
            yield Fact("to call", p.to_call - p.round_put[p.player] if owes else 0)
            yield Fact("the least bet or raise", p.last_stake)
        else:
            yield Fact("last stake", p.last_stake)
    if rules.dice or rules.variable:
        yield _clock(p)


def _clock(p: SabaccObservation) -> Fact:
    rules = p.rules
    due = " and ".join(["a roll of the die"] * rules.dice + ["a new slip"] * rules.variable)
    if rules.tick_every == "phase":
        return Fact("at the next phase", due)
    every = sum(p.active) if rules.tick_every == "orbit" else rules.tick_every
    return Fact("clock", f"at {p.ticks} of {every} decisions, then {due}")


def _facts_of(p: SabaccObservation, seat: int) -> Iterator[Fact]:
    in_chips = p.rules.mode == "chips"
    yield Fact(AMOUNTS[p.rules.mode], p.amounts[seat], seat, "chips" if in_chips else "")
    if in_chips:
        yield Fact("put", p.staked[seat], seat, "stake")
    if seat == p.button:
        yield Fact("dealer", seat=seat, role="dealer")
    if seat in p.expelled:
        yield Fact("taken out", seat=seat, role="out")
    elif p.out_since[seat]:
        yield Fact("out of chips", seat=seat, role="out")
    elif not p.active[seat]:
        yield Fact("folded", seat=seat, role="folded")
    elif p.all_in[seat]:
        yield Fact("all in", seat=seat, role="warning")
