"""Reads what a Pazaak rule case gives: its ruleset, and the situation before the first step."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import ParseError, UnknownName
from arena.core.outcome import Termination
from arena.core.parts.cases import Case, Json, integer, items, known, mapping, option_value
from arena.core.state import TERMINAL
from arena.core.text.parsing import Value, format_call
from arena.games.pazaak.engine.cards import Card, Square, card_named, in_order, square
from arena.games.pazaak.engine.procedure import ask_chance
from arena.games.pazaak.engine.rules import default_side_deck, outcome_of
from arena.games.pazaak.engine.rulesets import SETS_TO_WIN, PazaakRules
from arena.games.pazaak.engine.stages import ACT, DEAL, DRAW, OPENING, OVER, PLAYED, START, Marks
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.game import Pazaak
from arena.games.pazaak.parts.situation import lying, situation

SEATS = {"A": 0, "B": 1}
GIVEN_KEYS = (
    "players", "deck_top", "to_move", "starter", "set_number", "phase", "side_deck", "wager",
)  # fmt: skip
PLAYER_KEYS = (
    "table", "hand", "standing", "sets", "credits", "persistent_negative", "tiebreaker_order",
)  # fmt: skip
BEFORE = {"opening_draw": OPENING, "deal_hand": DEAL, "start_next_set": START}
"""Steps that begin elsewhere than inside a set, with the phase in which they are due."""


def ruleset_of(case: Case) -> PazaakRules:
    """The ruleset of the case with its options; raises ``UnknownName`` or ``ParseError``."""
    game = Pazaak()
    if case.variant not in game.rulesets:
        raise UnknownName("pazaak variant", case.variant, game.rulesets)
    options = {name: _option(name, value) for name, value in case.options.items()}
    return game.ruleset(format_call(case.variant, options))


def _option(name: str, value: Json) -> Value:
    """An option as a ruleset's field has it: a range may be a list, "no limit" may be null."""
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        return f"{value[0]}..{value[1]}"
    if value is None and name in ("max_sets", "max_copies", "max_gold_copies"):
        return 0
    read = option_value(name, value)
    return str(read) if name == "collection_size" else read


class Given:
    """The situation of a case.

    Attributes:
        state: The engine's state before the first step, without a dealer.
        deck_top: The deck cards that come next.
        deck_names: The side deck as written.
        side_deck: The side deck that hands are dealt from: as given, or the ruleset's default.
        purses: Credits by seat.
        wager: Stake of the match.
        unknown_cards: By seat: names in the hand that are no cards at all.
    """

    def __init__(self, case: Case, rules: PazaakRules) -> None:
        given = case.given
        known(given, "given key", GIVEN_KEYS)
        players = mapping(given.get("players"), "players")
        known(players, "player", tuple(SEATS))
        self._rules, self._given = rules, given
        self._players = [mapping(players.get(who), f"player {who}") for who in SEATS]
        for player in self._players:
            known(player, "player key", PLAYER_KEYS)
        self.deck_top = items(given.get("deck_top"), "deck_top")
        self.deck_names = [str(name) for name in items(given.get("side_deck"), "side_deck")]
        self.side_deck = self._side_deck()
        self.purses = tuple(integer(p.get("credits"), "credits") for p in self._players)
        self.wager = integer(given.get("wager"), "wager")
        self.unknown_cards: list[list[str]] = [[], []]
        self.state = self._state(case)

    def _side_deck(self) -> tuple[Card, ...]:
        if "side_deck" not in self._given:
            return default_side_deck(self._rules)
        return in_order(card for name in self.deck_names if (card := card_or_none(name)))

    def _state(self, case: Case) -> PazaakState:
        tables = [[_lying(card) for card in items(p.get("table"), "table")] for p in self._players]
        starter = self._seat("starter")
        turn = self._seat("to_move")
        if turn is None:
            turn = 0 if starter is None else starter
        sets = [integer(player.get("sets"), "sets") for player in self._players]
        played = integer(self._given.get("set_number"), "set_number") or sum(sets)
        state = situation(
            self._rules,
            tables=tables,
            hands=[self._hand(seat) for seat in (0, 1)],
            side_decks=(self.side_deck, self.side_deck),
            standing=[bool(player.get("standing", False)) for player in self._players],
            sets=sets,
            turn=turn,
            starter=turn if starter is None else starter,
            set_number=played + 1,
            phase=self._phase(tables[turn]),
            marks=self._marks(tables),
        )
        _begin(state, _first_phase(case), played)
        return state

    def _seat(self, key: str) -> int | None:
        who = self._given.get(key)
        if who is None:
            return None
        if who not in SEATS:
            raise UnknownName(f"player in {key}", str(who), SEATS)
        return SEATS[str(who)]

    def _hand(self, seat: int) -> list[Card]:
        hand = []
        for name in items(self._players[seat].get("hand"), "hand"):
            card = card_or_none(str(name))
            if card is None:
                self.unknown_cards[seat].append(str(name))
            else:
                hand.append(card)
        return hand

    def _phase(self, table: Sequence[Square]) -> int:
        """In ``act`` a hand card has been played if the table's last card is one."""
        name = self._given.get("phase", "draw")
        if name not in ("draw", "act"):
            raise UnknownName("phase", str(name), ("draw", "act"))
        if name == "draw":
            return DRAW
        return PLAYED if table and not table[-1].face.from_deck else ACT

    def _marks(self, tables: Sequence[Sequence[Square]]) -> Marks:
        negated = [
            tuple(sorted(integer(v, "persistent_negative") for v in items(listed, "magnitudes")))
            for listed in (player.get("persistent_negative") for player in self._players)
        ]
        laid = [self._laid(seat, tables[seat]) for seat in (0, 1)]
        ranks = sorted(moment for moment in set(laid) if moment is not None)
        first, second = (0 if at is None else 1 + ranks.index(at) for at in laid)
        return Marks(negated=(negated[0], negated[1]), laid=(first, second))

    def _laid(self, seat: int, table: Sequence[Square]) -> tuple[bool, int] | None:
        """The moment at which a seat laid its ±1T; one that is not given is before all others."""
        order = self._players[seat].get("tiebreaker_order")
        on_table = any(sq.face.breaks_ties for sq in table)
        if order is None:
            return (False, 0) if on_table else None
        return (True, integer(order, "tiebreaker_order")) if on_table or order else None


def _first_phase(case: Case) -> int:
    for step in case.when:
        if step["do"] not in ("validate_side_deck", "build_main_deck", "match_won"):
            return BEFORE.get(str(step["do"]), DRAW)
    return DRAW


def _begin(state: PazaakState, phase: int, played: int) -> None:
    if max(state.sets) >= SETS_TO_WIN:
        state.phase, state.player, state.legal = OVER, TERMINAL, ()
        state.ending = outcome_of(state.sets, Termination.RULES)
    elif phase == START:
        state.set_number = max(played, 1)
        winner = _last_winner(state)
        state.last_set = (winner, "tie" if winner is None else "outscore")
        ask_chance(state, START, state.turn)
    elif phase in (OPENING, DEAL):
        state.set_number = 0
        ask_chance(state, phase, 0)


def _last_winner(state: PazaakState) -> int | None:
    if 0 in state.sets and any(state.sets):
        return 0 if state.sets[0] else 1
    first, second = state.totals
    if not all(state.standing) or first == second:
        return None
    return 0 if first > second else 1


def _lying(entry: Json) -> Square:
    card = mapping(entry, "a card on a table")
    known(card, "key of a card on a table", ("value", "src", "card"))
    value, name = integer(card.get("value"), "value"), card.get("card")
    source = card.get("src", "deck" if name is None else "side")
    if source not in ("deck", "side"):
        raise UnknownName("src", str(source), ("deck", "side"))
    if source == "deck":
        return lying(value)
    return square(value, card_named(f"{value:+d}" if name is None else str(name)))


def card_or_none(name: str) -> Card | None:
    """The side card of that name, if there is one."""
    try:
        return card_named(name)
    except ParseError:
        return None


def spelled(names: Json) -> list[str]:
    """Card names in one spelling and order, so that hands compare as multisets."""
    found = ((card_or_none(str(name)), str(name)) for name in items(names, "hand"))
    return sorted(card.name if card else name for card, name in found)
