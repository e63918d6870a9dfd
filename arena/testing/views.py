"""The promises of a game's view: numbers within bounds, of the observation only."""

from __future__ import annotations

from typing import Any

from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation
from arena.core.parts import Views
from arena.testing.probes import demand

PROMISE = "views of the observation only"


class ViewLaw:
    """Tests the view of a game at every decision that is checked.

    Attributes:
        none: Why there is nothing to test; empty if there is.
    """

    def __init__(self, game: AnyGame, ruleset: Ruleset) -> None:
        self.none = "the game has no view" if type(game.view).of is Views.of else ""
        if self.none:
            return
        self._view = game.view.of(ruleset)
        self._count = game.view.action_count(ruleset)
        self._bound = game.view.max_decisions(ruleset)
        import numpy as np  # only where a game has a view: it is slow to load

        self._np = np
        pieces = self._view.pieces
        self._names = [(each.name, n) for each in pieces for n in range(each.size)]
        self._low = np.repeat([each.low for each in pieces], [each.size for each in pieces])
        self._high = np.repeat([each.high for each in pieces], [each.size for each in pieces])
        if len({each.name for each in pieces}) < len(pieces) or not self._view.size:
            names = ", ".join(each.name for each in pieces)
            raise BadInput(f"the view of {game.name} needs pieces of different names, not: {names}")

    def look(self, seen: Observation, again: Observation) -> int:
        """Tests what is written of an observation.

        Args:
            again: The same observation in another world that the seat holds possible.
        """
        if self.none:
            return 0
        numbers, same = self._written(seen, self._np.nan), self._written(again, 1)
        who = f"in the view of seat {seen.seat}"
        wrong = self._np.flatnonzero(~((numbers >= self._low) & (numbers <= self._high)))
        if wrong.size:
            place = int(wrong[0])
            name, number = self._names[place]
            low, high = self._low[place], self._high[place]
            what = f"number {number} of {name!r} is {numbers[place]:g}"
            demand(False, f"{who} {what}, not {low:g} to {high:g}")
        differ = self._np.flatnonzero(numbers != same)
        if differ.size:
            name, number = self._names[int(differ[0])]
            demand(False, f"re-dealt, {who} number {number} of {name!r} differs: it has to follow "
                   "from the observation alone, and to be written each time")  # fmt: skip
        if seen.legal_actions:
            demand(bool(numbers.any()), f"{who} all numbers are 0 at a decision")
            self._look_at_choices(seen)
        return 1

    def _written(self, seen: Observation, before: float) -> Any:  # noqa: ANN401 - an array
        out = self._np.empty(self._view.size, self._np.float32)
        out.fill(before)
        self._view.write(seen, out)
        return out

    def _look_at_choices(self, seen: Observation) -> None:
        choices = self._view.choices(seen)
        legal = {id(action) for action in seen.legal_actions}
        offered = [*map(id, choices.values())]
        demand(bool(offered), "the view offers no action at a decision")
        demand(len({*offered}) == len(offered), "the view offers an action twice")
        wrong = [str(action) for action in choices.values() if id(action) not in legal]
        demand(not wrong, f"the view offers {', '.join(wrong)}, which is not legal")
        beyond = [number for number in choices if not 0 <= number < self._count]
        most = self._count - 1
        demand(not beyond, f"the view numbers an action {beyond[:1]}, not 0 to {most}")

    def close_match(self, decisions: int) -> None:
        """Tests that a match was no longer than the view says."""
        if not self.none and self._bound is not None:
            demand(
                decisions <= self._bound,
                f"max_decisions() is {self._bound}, but a match had {decisions}",
            )
