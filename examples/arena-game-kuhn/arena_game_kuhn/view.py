"""A view for learners: the numbers that a seat sees. A game needs none: you can leave it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.core.parts import Piece, View, Views

if TYPE_CHECKING:
    from arena.core.parts.view import Numbers
    from arena_game_kuhn.game import KuhnObservation, KuhnRules

SPOTS = ("", "pass", "bet", "pass bet")
"""The actions of a hand before a decision."""


class KuhnView(View["KuhnObservation"]):
    """The hand, and how the match stands."""

    name = "kuhn-view 1"
    pieces = (
        Piece("card", (3,), 0, 1),  # the own one: J, Q, K
        Piece("actions", (4,), 0, 1),  # a place for each of SPOTS
        Piece("chips", (1,), -2, 2),  # won so far, by the number of hands
        Piece("hands", (1,), 0, 1),  # which part of them is over
    )

    def write(self, observation: KuhnObservation, out: Numbers) -> None:
        o, hands = observation, observation.rules.hands
        out.fill(0)
        if o.dealt:
            out[o.dealt[-1]] = 1
        out[3 + SPOTS.index(o.actions)] = 1
        out[7:] = o.chips[o.seat] / hands, len(o.shown) / hands


class KuhnViews(Views["KuhnRules", "KuhnObservation"]):
    """One view for all rulesets."""

    def of(self, ruleset: KuhnRules) -> KuhnView:
        return KuhnView()

    def action_count(self, ruleset: KuhnRules) -> int:
        return 2

    def max_decisions(self, ruleset: KuhnRules) -> int:
        return 3 * ruleset.hands
