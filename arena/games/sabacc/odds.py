"""The exact odds of a hand: of the next card, and against a random hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from arena.core.errors import BadInput, ParseError, UnknownName
from arena.core.odds import Odds
from arena.games.sabacc.cards import DECK, KINDS, Card, card_named, deck_without
from arena.games.sabacc.enumeration import hands_by_code
from arena.games.sabacc.observation import SabaccObservation
from arena.games.sabacc.ranking import CATEGORIES, Value
from arena.games.sabacc.rulesets import DEALT, MOST_CARDS, SabaccRules
from arena.games.sabacc.situation import situation
from arena.games.sabacc.state import SabaccState

KEYS = {
    "hand": "the own cards, such as 'Ace of Coins, 7 of Flasks, Idiot'",
    "seen": "other cards that are out, likewise",
    "rivals": "the number of cards of each rival, such as '3 4'",
}
"""Words that describe a hand, and their values."""


def position(ruleset: SabaccRules, words: Mapping[str, str]) -> SabaccState:
    """Returns the state at a decision of seat 0 that these words describe."""
    for key in words:
        if key not in KEYS:
            raise UnknownName("word of a position", key, KEYS)
    hand, seen = (_cards(words.get(key, "")) for key in ("hand", "seen"))
    if not 1 <= len(hand) <= MOST_CARDS:
        raise BadInput(f"a position needs a hand of 1 to {MOST_CARDS} cards: hand='Idiot, ...'")
    missing = Counter((*hand, *seen)) - Counter(DECK)
    if missing:
        raise BadInput(f"the deck has no more {next(iter(missing))}: it is named too often")
    rivals = words.get("rivals", str(DEALT))
    if not re.fullmatch(rf"[1-{MOST_CARDS}]( [1-{MOST_CARDS}]){{0,4}}", rivals):
        raise ParseError(f"rivals={rivals[:20]}: expected 1 to 5 numbers of cards, such as '3 4'")
    rest = iter(deck_without((hand, seen)))  # whatever the rivals hold, it is not seen
    hidden = [[next(rest) for _ in range(int(size))] for size in rivals.split()]
    state = situation(ruleset, hands=[hand, *hidden], turn=0)
    state.hand.deck.remember(0, seen)
    return state


def _cards(text: str) -> list[Card]:
    return [card_named(name) for name in text.split(",") if name.strip()]


def odds(seen: SabaccObservation) -> Iterator[Odds]:
    """Yields the odds of a hand by what its seat has seen in this hand of the match.

    They are those of the next card, and against each rival alone as if all cards unseen were
    equally likely to be in its hand.

    Raises:
        BadInput: The dice have moved cards between hands.
    """
    if seen.shifts:
        raise BadInput("no exact odds are known once the dice have moved cards between hands")
    ranks, hand = seen.ranks, seen.hand
    known = Counter(hand)
    if seen.rules.discards == "out" and not seen.recycled:
        known |= Counter([KINDS[id] for id in seen.memory])
    shown = [card for seat, cards in enumerate(seen.shown) if seat != seen.seat for card in cards]
    deck = deck_without((known.elements(), shown))
    now = ranks.rank(hand)
    yield Odds("hand", _named(now), 1.0)
    after = [ranks.rank((*hand, card)) for card in deck]
    for category in CATEGORIES:
        share = sum(value.category == category for value in after) / len(deck)
        if share:
            yield Odds("next card", category, share)
    yield Odds("next card", "a better hand", sum(each.key > now.key for each in after) / len(deck))
    for seat, size in enumerate(seen.hand_sizes):
        if seat != seen.seat and seen.active[seat] and size:
            yield from _against(seen, deck, now, f"showdown with seat {seat}, {size} cards", size)


def _against(
    seen: SabaccObservation, deck: Sequence[Card], own: Value, event: str, size: int
) -> Iterator[Odds]:
    """Yields the odds of a showdown with a random hand of so many unseen cards."""
    results = Counter[str]()
    for code, number in hands_by_code(seen.ranks, deck, size).items():
        other = seen.ranks.value(code)
        if own.bomb and other.bomb:
            results["both lose"] += number
        else:
            results[
                "won" if own.key > other.key else "lost" if own.key < other.key else "tied"
            ] += number
    for outcome in ("won", "tied", "lost", "both lose"):
        if results[outcome]:
            yield Odds(event, outcome, results[outcome] / results.total())


def _named(value: Value) -> str:
    return value.category if value.total is None else f"{value.category}, total {value.total}"
