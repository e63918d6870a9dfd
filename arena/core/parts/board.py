"""The board: what an onlooker sees of a match, live and in a replay."""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic

from msgspec.structs import replace

from arena.core.actions import Action
from arena.core.outcome import RULE_ENDINGS, Outcome, Termination
from arena.core.parts.part import Part, StateT
from arena.core.scene import MATCH, Fact, Scene, Verdict, draw_text


class Board(Part, Generic[StateT]):
    """Shows a match; unless a game has its own it is the open seats' observations as text."""

    def scene(self, state: StateT, open_seats: Collection[int]) -> Scene:
        """Returns the table as an onlooker sees it, as data from which pictures are drawn.

        ``arena check game`` proves that a scene shows nothing that its onlooker may not know.

        Args:
            state: The state; nothing that no seat knows (the order of a deck) is shown.
            open_seats: Seats whose hidden cards the onlooker sees; none is the public view.
        """
        player, render = state.current_player(), self.game.render
        return Scene(
            turn=player if player >= 0 else None,
            notes=tuple(render(state.observation(seat)) for seat in sorted(open_seats)),
        )

    def held(self, before: StateT, after: StateT, open_seats: Collection[int]) -> tuple[Scene, ...]:
        """Returns the scenes of everything that ended between two positions, with the winners.

        Each has a verdict: a showdown, a set that is over, and last the match that is over. Unless
        a game has its own there is only the end of the match. They show no more than ``scene``
        does: cards that were never laid open stay face down.

        Args:
            before: The state at a decision.
            after: A later state of the same match: at the next decision, or the end.
            open_seats: As for ``scene``.
        """
        if before.is_terminal() or not after.is_terminal():
            return ()
        return (self.over(after, after.outcome(), open_seats),)

    def over(self, state: StateT, outcome: Outcome, open_seats: Collection[int]) -> Scene:
        """Returns the scene of a match that is over, by its rules or by a fault.

        Args:
            state: The last state.
            outcome: The match's outcome.
            open_seats: As for ``scene``.
        """
        verdict = verdict_of(outcome)
        scene = self.scene(state, open_seats)
        won = tuple([Fact("wins the match", seat=seat, role="won") for seat in verdict.winners])
        return replace(scene, turn=None, facts=(*scene.facts, *won), verdict=verdict)

    def text(self, state: StateT, open_seats: Collection[int]) -> str:
        """Draws the scene as plain text."""
        return draw_text(self.scene(state, open_seats))

    def public_action(self, action: Action) -> str:
        """Returns an action as those see it who do not see the seat's hand.

        All of it, unless the game says otherwise (which cards a seat gives away, say).
        """
        return action.text


def verdict_of(outcome: Outcome) -> Verdict:
    """Returns the verdict on a match: who finished highest; nobody in a draw."""
    best = max(outcome.returns)
    winners = tuple([seat for seat, gain in enumerate(outcome.returns) if gain == best])
    if len(winners) == len(outcome.returns):
        winners = ()
    reason = ""
    if outcome.termination is Termination.CAP:
        reason = "the match has reached its greatest length"
    elif outcome.termination not in RULE_ENDINGS:
        reason = f"seat {outcome.offender} is out: {outcome.termination}"
    return Verdict(MATCH, winners, reason, " : ".join(map(str, outcome.scores)))
