"""Reads what a Sabacc rule case gives: its ruleset, and the situation before the first step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_type_hints

from arena.core.errors import ParseError, UnknownName
from arena.core.parts.cases import Case, Json, integer, items, known, mapping, option_value
from arena.core.text.parsing import Value, format_call
from arena.games.sabacc.cards.cards import DECK, Card, card_named
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.cases.hand import CaseHand
from arena.games.sabacc.game import Sabacc
from arena.games.sabacc.parts.situation import situation

GIVEN_KEYS = (
    "hand", "hands", "players", "dealer", "hand_sizes", "shown", "dealt_and_unchanged", "deck_top",
    "deck", "variants", "variant", "last_stake", "chips", "to_act", "ante", "variant_now",
    "next_slip", "due_after_current_decision", "due_at_showdown", "phase",
)  # fmt: skip
ALL = "all"
"""As a variant: each of ``given.variants``."""

DRAW_ROUND = "draw_round"
"""The step whose keys are the players."""

_SEATED_BY = ("hands", "hand_sizes", "chips")
_LONE = "the hand"
_BOOLEANS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_NONE_IS_NO_LIMIT = ("cap", "target")
_MATCH_ENDS = ("target", "max_hands")
_RULES = Sabacc().ruleset()
_OF_SLIPS = {"slips", "slip_return", "tick_every"}


def ruleset_of(case: Case) -> SabaccRules:
    """The ruleset of the case with its options.

    Unless the case names a mode it is played for chips, which holds everything that a hand can
    have: options that only say when a match for points ends are checked and left aside. Options of
    slips ask for changing variants.

    Raises:
        UnknownName: No such variant or option.
        ParseError: An option cannot have that value, or options exclude each other.
    """
    game = Sabacc()
    if case.variant not in game.rulesets:
        raise UnknownName("sabacc variant", case.variant, (*game.rulesets, ALL))
    options = {
        name: _option(name, value) for name, value in case.options.items() if value is not None
    }
    options |= {name: 0 for name in _NONE_IS_NO_LIMIT if case.options.get(name, 1) is None}
    if "ante" in case.given:
        options["ante"] = integer(case.given["ante"], "ante")
    # What is given is not checked: a cap or a stack that nobody named does not stand in its way.
    given = [integer(case.given.get(key), key) for key in ("ante", "last_stake")]
    if "cap" not in options and max(given) > _RULES.cap:
        options["cap"] = 0
    if "stack" not in options and given[0] > _RULES.stack:
        options["stack"] = given[0]
    if "mode" not in options:
        ends = {name: options.pop(name) for name in _MATCH_ENDS if name in options}
        game.ruleset(format_call(case.variant, {"mode": "points", **ends}))
        options["mode"] = "chips"
    try:
        return game.ruleset(format_call(case.variant, options))
    except ParseError:
        if not options.keys() & _OF_SLIPS or "variable" in options:
            raise
        return game.ruleset(format_call(case.variant, {**options, "variable": True}))


def _option(name: str, value: Json) -> Value:
    """An option as a ruleset's field has it: yes and no may be words."""
    if isinstance(value, str) and get_type_hints(SabaccRules).get(name) is bool:
        return _BOOLEANS.get(value.lower(), value)
    return option_value(name, value)


class Given:
    """The situation of a case.

    Attributes:
        names: The players by seat.
        lone: The seat of the only hand that is given, so that answers need no player.
        hand: The engine's state before the first step, without a dealer.
        case_hand: The same, as steps are taken on it.
        to_act: The seat to decide: as given, or the first at the dealer's left.
        due_at_showdown: Whether a slip is drawn before the hands are counted.
    """

    def __init__(self, case: Case, rules: SabaccRules) -> None:
        given = self._given = case.given
        known(given, "given key", GIVEN_KEYS)
        _check_choices(given)
        self._rules = rules
        self.names = self._seating(case.when)
        self.lone = (self._seat("to_act") or 0) if "hand" in given else None
        self.case_hand = self._hand()
        self.hand = self.case_hand.hand
        to_act = self._seat("to_act")
        self.to_act = self.hand.match.left if to_act is None else to_act
        self.due_at_showdown = _truth(given, "due_at_showdown")

    def seat(self, name: Json) -> int:
        """The seat of a player; raises ``UnknownName``."""
        if name not in self.names:
            raise UnknownName("player", str(name), self.names)
        return self.names.index(str(name))

    def _seating(self, steps: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
        """``players``, or else the keys of the hands, or else whoever is mentioned."""
        given = self._given
        names = [str(name) for name in items(given.get("players"), "players")]
        if not names:
            names = [name for key in _SEATED_BY for name in mapping(given.get(key), key)]
        if not names:
            drawing = [step for step in steps if step["do"] == DRAW_ROUND]
            names = [name for step in drawing for name in step if name != "do"]
            mentioned = [*(step.get("by") for step in steps), given.get("to_act")]
            names += [str(name) for name in mentioned if name is not None]
        return tuple(dict.fromkeys(names)) or (_LONE,)

    def _seat(self, key: str) -> int | None:
        return None if self._given.get(key) is None else self.seat(self._given[key])

    def _hand(self) -> CaseHand:
        given, rules = self._given, self._rules
        deck_top = cards(given.get("deck_top"), "deck_top")
        variant, slip = (_variant(given, key) for key in ("variant_now", "next_slip"))
        stake = None if given.get("last_stake") is None else integer(given["last_stake"], "stake")
        if stake is not None and stake < 0:
            raise ParseError(f"last_stake is at least 0, not {stake}")
        hands = self._hands(deck_top)
        chips = self._by_seat("chips", rules.stack)
        state = situation(
            rules,
            hands=hands,
            button=self._seat("dealer"),
            variant=variant or _variant(given, "variant"),
            amounts=[integer(n, "chips") for n in chips] if rules.mode == "chips" else None,
            last_stake=stake
            if stake is None
            else max(stake, 1),  # of none, the next is at least a chip
            shown=self._shown(hands),
            untouched=[value is True for value in self._by_seat("dealt_and_unchanged", False)],
        )
        if rules.betting == "poker" and stake is not None:
            state.hand.betting.to_call = stake  # a stake that stands is a bet to be called
        return CaseHand(state.hand, deck_top, slip, _truth(given, "due_after_current_decision"))

    def _hands(self, deck_top: Sequence[Card]) -> list[Sequence[Card]]:
        """The hands; where only sizes are given, cards from the rest of the deck."""
        given = self._given
        hands: list[Sequence[Card]] = [
            cards(hand, "a hand") for hand in self._by_seat("hands", None)
        ]
        if self.lone is not None:
            hands[self.lone] = cards(given.get("hand"), "hand")
        rest = [*DECK]
        for card in (*deck_top, *(card for hand in hands for card in hand)):
            if card in rest:
                rest.remove(card)
        for seat, size in enumerate(self._by_seat("hand_sizes", None)):
            if size is not None:
                number = integer(size, "a hand's size")
                if not 0 <= number <= len(rest):
                    raise ParseError(f"a hand cannot have {number} cards")
                hands[seat], rest = rest[:number], rest[number:]
        return hands

    def _shown(self, hands: Sequence[Sequence[Card]]) -> list[tuple[Card, ...]]:
        """By player; or a list: of whoever holds the card, or else of the seat to act."""
        shown = self._given.get("shown")
        if shown is None or isinstance(shown, Mapping):
            return [cards(each, "shown") for each in self._by_seat("shown", None)]
        listed, actor = cards(shown, "shown"), self._seat("to_act") or 0
        held_by = {card: [card in hand for hand in hands] for card in listed}
        return [
            tuple(c for c in listed if held_by[c][seat] or (seat == actor and not any(held_by[c])))
            for seat in range(len(hands))
        ]

    def _by_seat(self, key: str, default: Json) -> list[Json]:
        """The values given by player, by seat; one value alone is everybody's."""
        value = self._given.get(key)
        if value is None:
            return [default] * len(self.names)
        if not isinstance(value, Mapping):
            if key != "dealt_and_unchanged":
                raise ParseError(f"{key} is an object, not {value!r}")
            return [value] * len(self.names)
        known(value, f"player in {key}", self.names)
        return [value.get(name, default) for name in self.names]


def cards(names: Json, what: str) -> tuple[Card, ...]:
    """A list of cards; raises ``ParseError`` or ``UnknownName``."""
    return tuple(card_named(str(name)) for name in items(names, what))


def spelled(hand: Iterable[Card]) -> Sequence[Json]:
    """Cards in one order, so that hands compare as multisets."""
    return sorted(card.name for card in hand)


def _check_choices(given: Mapping[str, Json]) -> None:
    for key, choices in (("deck", ("full",)), ("phase", ("exchange",))):
        if given.get(key) is not None and given[key] not in choices:
            raise UnknownName(key, str(given[key]), choices)


def _variant(given: Mapping[str, Json], key: str) -> str:
    name = given.get(key)
    if name is None or name == ALL:
        return ""
    if name not in VARIANTS:
        raise UnknownName(f"variant in {key}", str(name), VARIANTS)
    return str(name)


def _truth(given: Mapping[str, Json], key: str) -> bool:
    value = given.get(key, False)
    if not isinstance(value, bool):
        raise ParseError(f"{key} is true or false, not {value!r}")
    return value
