"""The pure functions that decide legality: what a seat may do at each kind of decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.rulesets import MAX_CHIPS, SabaccRules
from arena.games.sabacc.cards.variants import Variant
from arena.games.sabacc.engine import actions
from arena.games.sabacc.engine.actions import SabaccAction, exchanges, stakes

_ONE: Final = frozenset((1,))
_DRAWS: Final = (actions.DRAW, actions.PASS)
_PASSES: Final = (actions.PASS,)


@lru_cache(maxsize=4096)
def exchange_counts(
    rules: SabaccRules, variant: Variant, held: int, showing: bool
) -> frozenset[int]:
    """Numbers of cards that may be exchanged, 0 among them (section 2, I10, I14).

    Args:
        held: Number of cards held: never more than that (004:80).
        showing: Whether a card that allows the larger exchange has been shown.
    """
    counts = variant.after_showing if showing else variant.exchanges
    if variant.older_exchanges and rules.corellian_exchange == "at_least_two":
        counts = variant.older_exchanges
    return frozenset((0, *(count for count in counts if count <= held)))


def shows(variant: Variant, shown: Sequence[Card]) -> bool:
    """True if one of the shown cards allows the larger exchange (004:80, 226)."""
    return any(card.rank in variant.revealers for card in shown)


def draws(available: int) -> tuple[SabaccAction, ...]:
    """Section 3: drawing a card, while there is one, or not."""
    return _DRAWS if available else _PASSES


def exchange_choices(
    rules: SabaccRules,
    variant: Variant,
    hand: Sequence[Card],
    shown: Sequence[Card],
    available: int,
) -> tuple[SabaccAction, ...]:
    """Section 3, 4: the exchanges of the variant, and what may be shown for a larger one."""
    showing = bool(shown) and shows(variant, shown)
    counts = exchange_counts(rules, variant, len(hand), showing)
    if available < len(hand):
        counts = frozenset(count for count in counts if count <= available)
    legal = exchanges(hand, counts)
    if shown and rules.reveal == "kept":  # B11
        # The last of two equal cards: ``exchanges`` gives the first of them.
        kept = {len(hand) - 1 - hand[::-1].index(card) for card in shown if card in hand}
        legal = tuple(a for a in legal if not any(a.value >> place & 1 for place in kept))
    if not showing and variant.revealers:
        for name in variant.revealers:
            for card in hand:
                if card.rank == name:
                    legal += (actions.SHOWS[name],)
                    break
    return legal


def swaps(hand: Sequence[Card]) -> tuple[SabaccAction, ...]:
    """Section 5: the one card that an odd roll costs."""
    return exchanges(hand, _ONE)


@cache
def slips(rules: SabaccRules) -> tuple[SabaccAction, ...]:
    """Section 6, B17: the slips: the eight named variants, and the standard as a ninth."""
    return actions.SLIPS if rules.slips == "nine" else actions.SLIPS[1:]


@lru_cache(maxsize=4096)
def puts(
    rules: SabaccRules, last_stake: int, stack: int, may_demand: bool
) -> tuple[SabaccAction, ...]:
    """Section 7: never fewer chips than the last stake; who cannot leaves (B14), or goes all in."""
    most = min(stack, rules.cap or MAX_CHIPS)
    legal = stakes(actions.PUT_, last_stake, most)
    if may_demand:
        legal += stakes(actions.DEMAND_, last_stake, most)
    if rules.short_stack == "all_in" and 0 < stack < last_stake:
        legal += (actions.ALL_IN,)
    return (*legal, actions.FOLD)


@lru_cache(maxsize=4096)
def bets(
    rules: SabaccRules, last_stake: int, stack: int, owed: int, may_raise: bool
) -> tuple[SabaccAction, ...]:
    """I11 ``poker``: check or bet; call, raise or fold. Bets are equalised.

    Args:
        last_stake: The last bet or raise: the least that a new one may be.
        owed: Chips it has to add to have put as much as the others.
        may_raise: Whether another bet or raise is allowed and somebody could answer it.
    """
    most = min(stack - owed, rules.cap or MAX_CHIPS)
    legal: tuple[SabaccAction, ...] = ()
    if not owed:
        legal = (actions.CHECK,)
    elif owed <= stack:
        legal = (actions.CALL,)
    elif rules.short_stack == "all_in" and stack:
        legal = (actions.ALL_IN,)
    if may_raise and most >= last_stake:
        legal += stakes(actions.RAISE_ if owed else actions.BET_, last_stake, most)
    return (*legal, actions.FOLD)
