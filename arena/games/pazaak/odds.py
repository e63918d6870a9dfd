"""The odds of a decision: of the next card, and of the set after each action.

The odds of the next card are exact; so are those of the set for two seats that play no hand card
later (``solver``), but that cards after the next one are 1 to 10 alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from arena.core.errors import BadInput, ParseError, UnknownName
from arena.core.odds import Odds
from arena.games.pazaak import rules, stages
from arena.games.pazaak.actions import END_TURN, STAND, PazaakAction
from arena.games.pazaak.cards import TEN, card_named
from arena.games.pazaak.rulesets import LIMIT, SQUARES, PazaakRules
from arena.games.pazaak.situation import Lying, situation
from arena.games.pazaak.solver import LOST, TIED, WON, margin, solver
from arena.games.pazaak.solver import Odds as SetOdds
from arena.games.pazaak.state import PazaakState

KEYS = {
    "own": "the own table, such as '10 4 ±3:-3'",
    "rival": "the rival's table, likewise",
    "hand": "the own hand cards, such as '±4 +1'",
    "stands": "whether the rival stands: yes or no",
    "sets": "the sets won, such as 1:0",
}
"""Keys that describe a decision, and their values."""


def position(ruleset: PazaakRules, keys: Mapping[str, str]) -> PazaakState:
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
    """Reads the cards on a table: ``10`` from the deck, ``±3:-3`` from a hand."""
    cards: list[Lying] = []
    for word in text.split():
        name, _, value = word.rpartition(":")
        if not value.lstrip("+-").isdecimal() or abs(int(value)) > 2 * TEN[-1]:
            raise ParseError(f"{key}: {word[:20]!r} is no card on a table; write 10 or ±3:-3")
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
    for action in state.legal:
        won, lost = _after(state, action, seat)
        for outcome, share in (("won", won), ("tied", 1 - won - lost), ("lost", lost)):
            yield Odds(action.text, f"set {outcome}", max(0.0, share))


def _after(state: PazaakState, action: PazaakAction, seat: int) -> SetOdds:
    """The odds of a seat to win and to lose the set after an action of its own."""
    after = state.clone()
    after.apply_action(action)
    if after.last_set is not None:
        winner = after.last_set[0]
        return TIED if winner is None else WON if winner == seat else LOST
    if after.phase == stages.PLAYED:
        ways = (_after(after, end, seat) for end in (STAND, END_TURN))
        return max(ways, key=margin)
    mover = after.turn
    rival = 1 - mover
    squares = [
        min(rules.counted_squares(after.rules, table), SQUARES - 1) for table in after.tables
    ]
    deck = rules.undrawn(after.rules, after.tables, mover, after.marks.burnt)
    won, lost = solver(after.rules.fill == "win").ahead(
        after.totals[mover],
        squares[mover],
        after.totals[rival],
        squares[rival],
        after.standing[rival],
        [deck.count(value) for value in TEN],
    )
    return (won, lost) if mover == seat else (lost, won)
