"""The exact odds of a hand: of the next card, after a roll of the die, and against a rival."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from arena.core.errors import BadInput, ParseError, UnknownName
from arena.core.parts import ExactOdds, Odds
from arena.games.sabacc.cards.cards import DECK, KINDS, Card, card_named, deck_without
from arena.games.sabacc.cards.enumeration import hands_by_code
from arena.games.sabacc.cards.ranking import CATEGORIES
from arena.games.sabacc.cards.rulesets import DEALT, MAX_CARDS, SabaccRules
from arena.games.sabacc.cards.value import Value
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.parts.situation import situation
from arena.games.sabacc.parts.tracking import Places, places

KEYS = {
    "hand": "the own cards, such as 'Ace of Coins, 7 of Flasks, Idiot'",
    "seen": "other cards that are out, likewise",
    "rivals": "the number of cards of each rival, such as '3 4'",
}
"""Keys that describe a hand, and their values."""


class SabaccOdds(ExactOdds[SabaccRules, SabaccState]):
    """The odds of a hand: of the next card, after a roll of the die, and against each rival."""

    def at(self, state: SabaccState, seat: int) -> tuple[Odds, ...]:
        return tuple(odds(state.observation(seat)))

    def position(self, ruleset: SabaccRules, keys: Mapping[str, str]) -> SabaccState:
        """Returns the state at a decision of seat 0 that these keys describe."""
        for key in keys:
            if key not in KEYS:
                raise UnknownName("key of a position", key, KEYS)
        hand, seen = (_cards(keys.get(key, "")) for key in ("hand", "seen"))
        if not 1 <= len(hand) <= MAX_CARDS:
            raise BadInput(f"a position needs a hand of 1 to {MAX_CARDS} cards: hand='Idiot, ...'")
        missing = Counter((*hand, *seen)) - Counter(DECK)
        if missing:
            raise BadInput(f"the deck has no more {next(iter(missing))}: it is named too often")
        rivals = keys.get("rivals", str(DEALT))
        if not re.fullmatch(rf"[1-{MAX_CARDS}]( [1-{MAX_CARDS}]){{0,4}}", rivals):
            raise ParseError(
                f"rivals={rivals[:20]}: expected 1 to 5 numbers of cards, such as '3 4'"
            )
        rest = iter(deck_without((hand, seen)))  # whatever the rivals hold, it is not seen
        hidden = [[next(rest) for _ in range(int(size))] for size in rivals.split()]
        state = situation(ruleset, hands=[hand, *hidden], turn=0)
        state.hand.deck.remember(0, tuple(seen))
        return state


def _cards(text: str) -> list[Card]:
    return [card_named(name) for name in text.split(",") if name.strip()]


def odds(seen: SabaccObservation) -> Iterator[Odds]:
    """Yields the odds of a hand by what its seat has seen in this hand of the match.

    They are those of the next card, with dice those of the hand after a roll, and against each
    rival alone as if all cards unseen were equally likely to be in its hand.

    Raises:
        BadInput: The dice have moved cards so often that those which were seen may be anywhere.
    """
    worlds, now = places(seen), seen.ranks.rank(seen.hand)
    yield Odds("hand", _named(now), 1.0)
    drawn = _drawn(worlds)
    if drawn:
        yield from _after(seen, "next card", ((1.0, seen.hand, drawn),))
    if seen.rules.dice:
        yield from _rolled(seen, worlds, drawn)
    for seat, size in enumerate(seen.hand_sizes):
        if seat != seen.seat and seen.active[seat] and size:
            event = f"showdown with seat {seat}, {size} cards"
            yield from _against(seen, worlds, now, event, seat)


def _drawn(worlds: Sequence[Places]) -> dict[Card, float]:
    found: dict[Card, float] = defaultdict(float)
    for world in worlds:
        unseen = sum(world.unseen)
        for card, number in zip(KINDS, world.unseen, strict=True):
            if number:
                found[card] += world.odds * number / unseen
    return found


def _after(
    seen: SabaccObservation,
    event: str,
    hands: Iterable[tuple[float, Sequence[Card], Mapping[Card, float]]],
) -> Iterator[Odds]:
    """Yields the odds of a hand that gets a card.

    Args:
        hands: What the hand may be before it, with the odds of that and those of the card.
    """
    now, shares, better = seen.ranks.rank(seen.hand), defaultdict[str, float](float), 0.0
    for odds, hand, cards in hands:
        for card, share in cards.items():
            value = seen.ranks.rank((*hand, card))
            shares[value.category] += odds * share
            better += odds * share * (value.key > now.key)
    yield from (Odds(event, name, shares[name]) for name in CATEGORIES if shares[name])
    yield Odds(event, "a better hand", better)


def _rolled(
    seen: SabaccObservation, worlds: Sequence[Places], drawn: Mapping[Card, float]
) -> Iterator[Odds]:
    """Yields the odds of the hand after a roll of the die (section 5)."""
    hand, seats = seen.hand, sum(seen.active)
    rests = [(card, (*hand[:place], *hand[place + 1 :])) for place, card in enumerate(hand)]
    if not seen.swapping:
        came: dict[Card, float] = defaultdict(float)
        for world in worlds:
            for seat, size in enumerate(seen.hand_sizes):
                if seat == seen.seat or not seen.active[seat]:
                    continue
                held = world.held[seat]
                for card in held:
                    came[card] += world.odds / size / seats
                share = world.odds * (size - len(held)) / size / seats
                for card, odds in _drawn([msgspec.structs.replace(world, odds=share)]).items():
                    came[card] += odds
        own = 1 / len(hand)
        hands = [(own, rest, {**came, gave: came[gave] + 1 / seats}) for gave, rest in rests]
        yield from _after(seen, "even roll", hands)
    for card, rest in dict(rests).items() if drawn else ():
        yield from _after(seen, f"odd roll, swapping {card}", ((1.0, rest, drawn),))


def _against(
    seen: SabaccObservation, worlds: Sequence[Places], own: Value, event: str, seat: int
) -> Iterator[Odds]:
    size, results = seen.hand_sizes[seat], defaultdict[str, float](float)
    alike: dict[tuple[tuple[Card, ...], tuple[int, ...]], float] = defaultdict(float)
    for world in worlds:
        alike[world.held[seat], world.unseen] += world.odds
    rests: dict[tuple[int, tuple[int, ...]], Counter[int]] = {}
    for (held, unseen), odds in alike.items():
        rest = rests.get((len(held), unseen))
        if rest is None:
            deck = [card for card, number in zip(KINDS, unseen, strict=True) for _ in range(number)]
            rest = hands_by_code(seen.ranks, deck, size - len(held))
            rests[len(held), unseen] = rest
        known, share = sum(seen.ranks.codes[card] for card in held), odds / rest.total()
        for code, number in rest.items():
            other = seen.ranks.value(known + code)
            if own.bomb and other.bomb:
                results["both lose"] += number * share
            else:
                results[
                    "won" if own.key > other.key else "lost" if own.key < other.key else "tied"
                ] += number * share
    for outcome in ("won", "tied", "lost", "both lose"):
        if results[outcome]:
            yield Odds(event, outcome, results[outcome])


def _named(value: Value) -> str:
    return value.category if value.total is None else f"{value.category}, total {value.total}"
