"""The odds of a decision: of the next card, and of the set after each action.

The odds of the next card are exact, and so are those of the set for two seats that play no hand
card later (``deck_solver``). Early in a set, and where each seat has a deck of its own, they are
approximate: cards after the next one are 1 to 10 alike (``solver``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from arena.core.errors import BadInput, ParseError, UnknownName
from arena.core.parts import ExactOdds, Odds
from arena.games.pazaak.engine import rules, stages
from arena.games.pazaak.engine.actions import END_TURN, STAND, PazaakAction
from arena.games.pazaak.engine.cards import TEN, card_named
from arena.games.pazaak.engine.rulesets import LIMIT, SQUARES, PazaakRules
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.deck_solver import MAX_ROOM, DeckSolver
from arena.games.pazaak.parts.situation import Lying, situation
from arena.games.pazaak.parts.solver import LOST, TIED, WON, margin, solver
from arena.games.pazaak.parts.solver import Odds as SetOdds

KEYS = {
    "own": "the own table, such as '10 4 ±3:-3'",
    "rival": "the rival's table, likewise",
    "hand": "the own hand cards, such as '±4 +1'",
    "stands": "whether the rival stands: yes or no",
    "sets": "the sets won, such as 1:0",
}
"""Keys that describe a decision, and their values."""


class PazaakOdds(ExactOdds[PazaakRules, PazaakState]):
    """The odds of the next card, and of the set after each action."""

    def at(self, state: PazaakState, seat: int) -> tuple[Odds, ...]:
        return tuple(odds(state, seat))

    def position(self, ruleset: PazaakRules, keys: Mapping[str, str]) -> PazaakState:
        """Returns the state at a decision of seat 0 that these keys describe."""
        for key in keys:
            if key not in KEYS:
                raise UnknownName("key of a position", key, KEYS)
        stands = keys.get("stands", "no")
        if stands not in ("yes", "no"):
            raise UnknownName("answer to stands", stands, ("yes", "no"))
        sets = keys.get("sets", "0:0")
        if not re.fullmatch("[0-2]:[0-2]", sets):
            raise ParseError(f"sets={sets[:20]}: expected the sets won so far, such as 1:0")
        tables = tuple(_table(key, keys.get(key, "")) for key in ("own", "rival"))
        if not tables[0]:
            raise BadInput("a position needs the own table: own='10 4'")
        return situation(
            ruleset,
            tables=tables,
            hands=(keys.get("hand", ""), ""),
            standing=(False, stands == "yes"),
            sets=[int(won) for won in sets.split(":")],
            phase=stages.ACT,
        )


def _table(key: str, text: str) -> list[Lying]:
    cards: list[Lying] = []
    for word in text.split():
        name, _, value = word.rpartition(":")
        if not value.lstrip("+-").isdecimal() or abs(int(value)) > 2 * TEN[-1]:
            raise ParseError(
                f"{key}: expected a card on a table such as 10 or ±3:-3, not {word[:20]!r}"
            )
        if not name and int(value) not in TEN:
            raise ParseError(f"{key}: a card of the deck is 1 to 10, not {word[:20]}")
        cards.append((int(value), card_named(name).name) if name else int(value))
    return cards


def odds(state: PazaakState, seat: int) -> Iterator[Odds]:
    """Yields the odds at a decision of a seat: of its next card, and of the set by action."""
    deck = rules.undrawn(state.rules, state.tables, seat, state.marks.burnt)
    total = state.totals[seat]
    for value in TEN:
        if total + value <= LIMIT:
            yield Odds("next card", f"total {total + value}", deck.count(value) / len(deck))
    over = sum(total + card > LIMIT for card in deck)
    yield Odds("next card", "over 20", over / len(deck))
    exact = all(_is_exact(after) for action in state.legal for after in _played_on(state, action))
    for action in state.legal:
        won, lost = max((_set(each, seat, exact) for each in _played_on(state, action)), key=margin)
        for outcome, share in (("won", won), ("tied", 1 - won - lost), ("lost", lost)):
            yield Odds(action.text, f"set {outcome}", max(0.0, share), not exact)


def _played_on(state: PazaakState, action: PazaakAction) -> list[PazaakState]:
    after = state.clone()
    after.apply_action(action)
    if after.last_set is None and after.phase == stages.PLAYED:
        return [each for end in (STAND, END_TURN) for each in _played_on(after, end)]
    return [after]


def _is_exact(state: PazaakState) -> bool:
    """True if the set can be solved with the deck: it may continue in few ways."""
    if state.last_set is not None or state.rules.main_deck == "infinite" or any(state.standing):
        return True
    room = 2 * LIMIT - sum(state.totals)
    return state.rules.main_deck != "forty_each" and room <= MAX_ROOM


def _set(state: PazaakState, seat: int, exact: bool) -> SetOdds:
    if state.last_set is not None:
        winner = state.last_set[0]
        return TIED if winner is None else WON if winner == seat else LOST
    mover, rival = state.turn, 1 - state.turn
    squares = [
        min(rules.counted_squares(state.rules, table), SQUARES - 1) for table in state.tables
    ]
    deck = rules.undrawn(state.rules, state.tables, mover, state.marks.burnt)
    left, fill_wins = [deck.count(value) for value in TEN], state.rules.fill == "win"
    own, other = ((state.totals[each], squares[each]) for each in (mover, rival))
    stood = state.standing[rival]
    if exact and state.rules.main_deck != "infinite":
        won, lost = DeckSolver(left, fill_wins, _ties(state)).drawing(own, other, stood)
    else:
        won, lost = solver(fill_wins).ahead(*own, *other, stood, left)
    return (won, lost) if mover == seat else (lost, won)


def _ties(state: PazaakState) -> tuple[SetOdds, SetOdds]:
    """The odds in a tie, of the seat whose turn it is and of the other one (S27).

    Of the Tiebreakers that count only on top, the one of a standing seat stays there.
    """
    tables = [
        table if stands else () for table, stands in zip(state.tables, state.standing, strict=True)
    ]
    winner = rules.tiebreak(state.rules, tables, state.marks.laid)
    odds = [TIED if winner is None else WON if winner == each else LOST for each in (0, 1)]
    return odds[state.turn], odds[1 - state.turn]
