"""Facts about games of OpenSpiel that OpenSpiel itself does not declare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from arena.core.text.parsing import Value
from arena_openspiel.gin import knocked_with
from arena_openspiel.hands import dummy_of, passed_to

if TYPE_CHECKING:
    from arena_openspiel.observation import SpielObservation

Holders: TypeAlias = "Callable[[SpielObservation, Sequence[str], Random], Mapping[str, int]]"


def nobody(observation: SpielObservation, events: Sequence[str], rng: Random) -> Mapping[str, int]:
    """Returns nothing: no cards are laid open or passed on."""
    return {}


def nothing_more(seats: int) -> Mapping[str, Value]:
    """Returns nothing: no other parameter follows from the number of seats."""
    return {}


def one_deck(seats: int) -> int:
    """Returns 0: no deck is dealt again."""
    return 0


def cribbage_deals(seats: int) -> int:
    """Returns the cards of all hands, of the crib and the starter."""
    return 13 if seats == 2 else 5 * seats + (seats == 3) + 1


def stacks_and_blinds(seats: int) -> Mapping[str, Value]:
    """Returns what OpenSpiel's poker of two seats has, for more: the first two post blinds."""
    stacks, blinds = ["1200"] * seats, ["100", "100", *["0"] * (seats - 2)]
    first = "1 1" if seats == 2 else "3 1"
    return {"stack": " ".join(stacks), "blind": " ".join(blinds), "firstPlayer": first}


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about one game.

    Attributes:
        unit: The unit of the returns, in the plural.
        open: Whether every seat that can tell an action or a deal from another can tell it from all
            others. Otherwise all are compared at every step, which is slower.
        open_deals: Whether this is so of deals alone.
        counted: Whether all seats know how many actions were taken, and by whom.
        turns: Whether an event says whose turn it is, where it is not the next seat's.
        sights: Lines of OpenSpiel's text that can show seats what was hidden before, as a regular
            expression: an event says each that is new.
        shown: What OpenSpiel begins to show seats at some time, as a regular expression for its
            text: then an event says so.
        holders: Returns the seats to which cards were dealt that a seat came to see in that way.
        suit: Where the text of a card has its suit, if seats play tricks and must follow suit.
        verb: What stands before the cards in the text of an action.
        round: Returns the number of deals from one deck by the number of seats; 0 if there is only
            one deck in a match.
        by_seats: Returns the parameters that follow from the number of seats.
        options: Names of the parameters that rulesets may change. None of them may change what
            the text of an action means.
        defaults: Defaults of such parameters that are not OpenSpiel's.
    """

    unit: str = "points"
    open: bool = False
    open_deals: bool = False
    counted: bool = True
    turns: bool = False
    sights: str = ""
    shown: str = ""
    holders: Holders = nobody
    suit: int | None = None
    verb: str = ""
    round: Callable[[int], int] = one_deck
    by_seats: Callable[[int], Mapping[str, Value]] = nothing_more
    options: tuple[str, ...] = ()
    defaults: Mapping[str, Value] = {}


FACTS: Mapping[str, Facts] = {
    "battleship": Facts(open=True, sights=".*"),
    "bridge": Facts(
        open=True,
        shown=r"Dummy is \w+; it holds:\n(?:[♠♥♦♣].*\n)*",
        holders=dummy_of,
        options=("use_double_dummy_result", "dealer_vul", "non_dealer_vul"),
        defaults={"use_double_dummy_result": False},  # to compute it takes a second a deal
    ),
    "coin_game": Facts(open_deals=True),
    "colored_trails": Facts(open=True, sights=".*"),
    "cribbage": Facts(open=True, verb="Choose ", round=cribbage_deals, sights="Scores: "),
    "dark_chess": Facts(sights=".*"),
    "dark_hex": Facts(counted=False, options=("obstype",)),
    "dark_hex_ir": Facts(counted=False, options=("obstype",)),
    "euchre": Facts(open=True, options=("allow_lone_defender", "stick_the_dealer")),
    "gin_rummy": Facts(
        open=True,
        holders=knocked_with,
        options=("gin_bonus", "knock_card", "oklahoma", "undercut_bonus"),
    ),
    "go_fish": Facts(sights=".*", turns=True),
    "hearts": Facts(
        open=True,
        turns=True,
        suit=-1,
        shown="Received Cards: .*",
        holders=passed_to,
        options=(
            "avoid_all_tricks_bonus", "can_lead_any_club", "can_lead_hearts_instead_of_qs",
            "jd_bonus", "must_break_hearts", "no_pts_on_first_trick", "pass_cards",
            "qs_breaks_hearts",
        )
    ),
    "kriegspiel": Facts(sights=".*", turns=True),
    "kuhn_poker": Facts(unit="chips", open=True),
    "latent_ttt": Facts(sights=".*"),
    "leduc_poker": Facts(unit="chips", options=("suit_isomorphism",)),
    "liars_dice": Facts(open=True, options=("bidding_rule",)),
    "oh_hell": Facts(
        open=True, suit=0, options=("num_tricks_fixed", "off_bid_penalty", "points_per_trick")
    ),
    "phantom_go": Facts(sights=".*", turns=True),
    "phantom_ttt": Facts(counted=False, options=("obstype",)),
    "phantom_ttt_ir": Facts(counted=False, options=("obstype",)),
    "rbc": Facts(sights=".*"),
    "repeated_leduc_poker": Facts(unit="chips", sights=".*"),
    "spades": Facts(open=True),
    "universal_poker": Facts(unit="chips", open=True, by_seats=stacks_and_blinds),
}  # fmt: skip

NO_FACTS = Facts()


def facts_of(name: str) -> Facts:
    """Returns the facts about a game; those of an unknown one are the careful ones."""
    return FACTS.get(name, NO_FACTS)
