"""What the rules allow, as pure functions: the one place that decides legality."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from arena.games.sabacc.actions import (
    ALL_IN,
    BET_,
    CALL,
    CHECK,
    DEMAND_,
    FOLD,
    PUT_,
    RAISE_,
    SabaccAction,
    stakes,
)
from arena.games.sabacc.cards import Card
from arena.games.sabacc.rulesets import MOST_CHIPS, SabaccRules
from arena.games.sabacc.variants import Variant


@lru_cache(maxsize=4096)
def exchange_counts(
    rules: SabaccRules, variant: Variant, held: int, showing: bool
) -> frozenset[int]:
    """How many cards may be exchanged, 0 among them (section 2, I10, I14).

    Args:
        rules: The rules to play by.
        variant: The variant in force.
        held: Number of cards held: never more than that (004:80).
        showing: Whether a card that allows the larger exchange has been shown.
    """
    counts = variant.after_showing if showing else variant.exchanges
    if variant.older_exchanges and rules.corellian_exchange == "at_least_two":
        counts = variant.older_exchanges
    return frozenset((0, *(count for count in counts if count <= held)))


def shows(variant: Variant, shown: Iterable[Card]) -> bool:
    """Whether one of the shown cards allows the larger exchange (004:80, 226)."""
    return any(card.rank in variant.revealers for card in shown)


@lru_cache(maxsize=4096)
def puts(
    rules: SabaccRules, last_stake: int, stack: int, may_demand: bool
) -> tuple[SabaccAction, ...]:
    """Section 7: never fewer chips than the last stake; who cannot leaves (B14), or goes all in."""
    most = min(stack, rules.cap or MOST_CHIPS)
    legal = stakes(PUT_, last_stake, most)
    if may_demand:
        legal += stakes(DEMAND_, last_stake, most)
    if rules.short_stack == "all_in" and 0 < stack < last_stake:
        legal += (ALL_IN,)
    return (*legal, FOLD)


@lru_cache(maxsize=4096)
def bets(
    rules: SabaccRules, last_stake: int, stack: int, owed: int, may_raise: bool
) -> tuple[SabaccAction, ...]:
    """I11 ``poker``: check or bet; call, raise or fold. Bets are equalised.

    Args:
        rules: The rules to play by.
        last_stake: The last bet or raise: the least that a new one may be.
        stack: Chips the seat holds.
        owed: Chips it has to add to have put as much as the others.
        may_raise: Whether another bet or raise is allowed and somebody could answer it.
    """
    most = min(stack - owed, rules.cap or MOST_CHIPS)
    legal: tuple[SabaccAction, ...] = ()
    if not owed:
        legal = (CHECK,)
    elif owed <= stack:
        legal = (CALL,)
    elif rules.short_stack == "all_in" and stack:
        legal = (ALL_IN,)
    if may_raise and most >= last_stake:
        legal += stakes(RAISE_ if owed else BET_, last_stake, most)
    return (*legal, FOLD)
