"""A Pazaak table set up as described, with chance answered by the test."""

from __future__ import annotations

from arena.games.pazaak.engine.actions import DRAWS, STARTS
from arena.games.pazaak.engine.procedure import take_chance
from arena.games.pazaak.engine.stages import ACT, DRAW, START
from arena.games.pazaak.game import Pazaak

PAZAAK = Pazaak()


def table_cards(text):
    """``"10 6 ±4:-4"``: deck cards by value, side cards as name:value."""
    cards = []
    for word in text.split():
        name, colon, value = word.partition(":")
        cards.append((int(value), name) if colon else int(word))
    return cards


class Table:
    def __init__(
        self, rules="standard", a="", b="", hands=("", ""), *, act=False, **situation: object
    ) -> None:
        self.rules = PAZAAK.ruleset(rules)
        self.state = PAZAAK.positions.state(
            self.rules,
            tables=(table_cards(a), table_cards(b)),
            hands=hands,
            phase=ACT if act else DRAW,
            **situation,
        )

    def draw(self, *values: int):
        for value in values:
            assert self.state.phase == DRAW
            take_chance(self.state, DRAWS[value - 1])
        return self

    def do(self, *texts: str):
        for text in texts:
            self.state.apply_action(PAZAAK.notation.action(text))
        return self

    def next_set(self, starter=None):
        assert self.state.phase == START
        (only, *_) = self.state.next_starters()
        self.state.apply_action(STARTS[only if starter is None else starter])
        return self

    @property
    def result(self):
        return self.state.last_set

    @property
    def totals(self):
        return tuple(self.state.totals)

    @property
    def choices(self):
        return [action.text for action in self.state.legal_actions()]

    def values(self, seat):
        return [square.value for square in self.state.tables[seat]]
