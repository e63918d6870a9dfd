"""The board: what an onlooker sees of a match, live and in a replay."""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic

from arena.core.actions import Action
from arena.core.parts.part import Part, StateT
from arena.core.scene import Scene, draw_text


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

    def text(self, state: StateT, open_seats: Collection[int]) -> str:
        """Draws the scene as plain text."""
        return draw_text(self.scene(state, open_seats))

    def public_action(self, action: Action) -> str:
        """Returns an action as those see it who do not see the seat's hand.

        All of it, unless the game says otherwise (which cards a seat gives away, say).
        """
        return action.text
