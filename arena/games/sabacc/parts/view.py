"""The view of Sabacc in all its modes: the knowledge of a seat as numbers, and a menu of stakes.

Left out are the cards that the seat saw leave, and what earlier hands showed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import tanh
from typing import TYPE_CHECKING

from arena.core.actions import Action
from arena.core.parts.view import Piece, View, Views
from arena.games.sabacc.cards.cards import COPIES, KINDS
from arena.games.sabacc.cards.rulesets import MAX_CARDS, MAX_CHIPS, SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine import actions, stages
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.parts.full_state import RANKS, rank_number

if TYPE_CHECKING:
    from arena.core.parts.view import Numbers

_SEATS = 6
_OF_SEAT = 9
_STAGES = len(stages.STAGE_NAMES)
_FACTS = 10
_VARIANTS = {row.name: number for number, row in enumerate(VARIANTS.values())}
_RANK = len(KINDS)
_STAGE = _RANK + RANKS
_VARIANT = _STAGE + _STAGES
_TABLE = _VARIANT + len(_VARIANTS)
_PLACES = _TABLE + _FACTS

_PLAIN = 48
"""Ids below that are no stakes."""
_STAKES = (actions.PUT_, actions.DEMAND_, actions.BET_, actions.RAISE_)
MENU = ("least", "half the pot", "the pot", "most")
"""The stakes of each kind that are offered, as far as the rules allow and they differ."""


class SabaccView(View[SabaccObservation]):
    """Hand and its rank, the table, and the seats from the own one to the left.

    Args:
        rules: The ruleset.
    """

    name = "sabacc-view 1"
    pieces = (
        Piece("hand", (len(KINDS),), 0, 1),
        Piece("rank", (RANKS,), 0, 1),
        Piece("stage", (_STAGES,), 0, 1),
        Piece("variant", (len(_VARIANTS),), 0, 1),
        Piece("table", (_FACTS,), 0, 1),
        Piece("seats", (_SEATS, _OF_SEAT), -1, 1),
    )

    def __init__(self, rules: SabaccRules) -> None:
        self._chips = rules.mode == "chips"
        self._stack, self._hands = rules.stack, rules.most_hands
        self._unit = {"showdown": 4.0, "points": 200.0, "chips": 1.0}[rules.mode]

    def write(self, observation: SabaccObservation, out: Numbers) -> None:
        seen = observation
        out.fill(0)
        for card in seen.hand:
            out[card.id] += 1 / COPIES[card.id]
        if seen.hand:
            out[_RANK + rank_number(seen.ranks, seen.hand)] = 1
        out[_STAGE + seen.stage] = 1
        out[_VARIANT + _VARIANTS[seen.variant.name]] = 1
        out[_TABLE:_PLACES] = self._table(seen)
        row = [number for each in self._rows(seen) for number in each]
        out[_PLACES : _PLACES + len(row)] = row

    def _table(self, seen: SabaccObservation) -> tuple[float, ...]:
        seats = len(seen.active)
        chips = self._stack * seats
        owed = max(seen.owed, 0) if self._chips else 0
        return (
            (seen.pot + seen.carried) / chips if self._chips else 0,
            min(owed / chips, 1),
            min(owed / max(seen.amounts[seen.seat], 1), 1),
            min(seen.last_stake / chips, 1) if self._chips else 0,
            min(seen.raises / 4, 1),
            seen.demanded,
            seen.swapping,
            min(1, (self._hands - seen.hand_number) / 12),
            seats / _SEATS,
            bool(seen.due),
        )

    def _rows(self, seen: SabaccObservation) -> Iterator[tuple[float, ...]]:
        seats, own = len(seen.active), seen.seat
        lead = seen.amounts[own]
        for place in range(seats):
            seat = (own + place) % seats
            amount = seen.amounts[seat]
            yield (
                seen.active[seat],
                seen.button == seat,
                amount / (self._stack * seats) if self._chips else tanh(amount / self._unit),
                0 if self._chips else tanh((lead - amount) / self._unit),
                min(seen.hand_sizes[seat] / MAX_CARDS, 1),
                seen.staked[seat] / (self._stack * seats) if self._chips else 0,
                seen.all_in[seat],
                seen.drew_first[seat],
                min(len(seen.shown[seat]) / 2, 1),
            )

    def choices(self, observation: SabaccObservation) -> Mapping[int, Action]:
        """Returns the legal actions by id, and the stakes of ``MENU`` by kind, from 48."""
        if not self._chips:
            return super().choices(observation)
        plain: dict[int, Action] = {}
        stakes: dict[int, list[SabaccAction]] = {}
        for action in observation.legal_actions:
            if action.id < _PLAIN:
                plain[action.id] = action
            else:
                stakes.setdefault(action.kind, []).append(action)
        pot = observation.pot + observation.carried
        for kind, legal in stakes.items():
            first = _PLAIN + _STAKES.index(kind) * len(MENU)
            for number, action in _menu(legal, pot):
                plain[first + number] = action
        return plain


def _menu(legal: Sequence[SabaccAction], pot: int) -> Iterator[tuple[int, SabaccAction]]:
    """Yields the stakes of one kind that are offered, each once; the legal ones rise by 1 chip."""
    least, most = legal[0].value, legal[-1].value
    offered = set()
    for number, wanted in enumerate((least, pot // 2, pot, most)):
        chips = min(max(wanted, least), most)
        if chips not in offered:
            offered.add(chips)
            yield number, legal[chips - least]


class SabaccViews(Views[SabaccRules, SabaccObservation]):
    """The view of Sabacc, for two to six seats alike."""

    def of(self, ruleset: SabaccRules) -> SabaccView:
        return SabaccView(ruleset)

    def action_count(self, ruleset: SabaccRules) -> int:
        return _PLAIN + len(_STAKES) * len(MENU) * (ruleset.mode == "chips")

    def max_decisions(self, ruleset: SabaccRules) -> int | None:
        """Returns the most of six seats that all draw, show and bet; with dice there is no bound.

        Dice come due by decisions, and make more of them.
        """
        if ruleset.dice:
            return None
        own = len(stages.DRAWS) + MAX_CARDS + 1  # draws, cards shown, the exchange
        return ruleset.most_hands * _SEATS * (own + _bets(ruleset))


def _bets(rules: SabaccRules) -> int:
    """Returns the most decisions of a seat about chips in a hand."""
    if rules.mode != "chips":
        return 0
    rounds = sum(stage in stages.BETTING for stage in stages.stages_of(rules))
    if rules.betting == "poker":
        return rounds * (rules.max_raises + 2)
    if rules.betting == "staged":
        return rounds - 1 + rules.max_raises
    return 2 + (rules.cap or MAX_CHIPS)  # every orbit but the last has a higher stake
