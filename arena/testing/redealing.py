"""Re-dealing: hidden cards are dealt again, and the seat must not notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.scene import Scene
from arena.core.state import CHANCE, TERMINAL, State
from arena.testing.probes import demand, difference
from arena.testing.scenes import check_form, check_held, of_match, scene_difference

if TYPE_CHECKING:
    from random import Random

_STEPS = 6
"""Actions for which play continues in two worlds at once."""
HELD = "held scenes"
_TEXTS = 16
"""One in that many scenes is compared as text too, which costs far more."""


class Redealing:
    """Deals worlds again and compares them with the real one.

    Args:
        counts: Where it says how often each promise was tested.

    Attributes:
        redeals: Worlds dealt again.
        other_worlds: How many of them another seat could distinguish from the real one.
    """

    def __init__(self, game: AnyGame, rng: Random, counts: Counter[str]) -> None:
        self._game, self._rng, self._counts = game, rng, counts
        self.redeals = self.other_worlds = 0

    def redeal(
        self, state: State[Any], seat: int, observations: Sequence[Observation]
    ) -> Observation:
        """Returns what a seat sees in a world that it holds possible: the same to the byte.

        Args:
            state: The real world; left as it is.
            observations: What each seat sees in the real world.
        """
        seen = observations[seat]
        world = self._game.resample(seen, self._rng)
        found = difference(seen, world.observation(seat))
        demand(not found, f"re-dealt, seat {seat} sees a difference: {found}")
        self._compare_scenes(state, world, seat, "re-dealt")
        self.redeals += 1
        self.other_worlds += any(
            world.observation(other) != real
            for other, real in enumerate(observations)
            if other != seat
        )
        if self._rng.random() < 0.25 or not self._counts["the same continuation looks the same"]:
            self._continue(state.clone(), world.clone(), seat)
        again: Observation = world.observation(seat)
        return again

    def _continue(self, real: State[Any], world: State[Any], seat: int) -> None:
        """The same continuation in both worlds looks the same to the seat.

        Until a public event (a showdown) shows it cards that it could not see before.
        """
        for _ in range(_STEPS):
            player = real.current_player()
            same = world.current_player() == player
            demand(same, f"in a re-dealt world player {world.current_player()}, not {player}, acts")
            was = real.clone(), world.clone()
            done = self._step(real, world, player, own=player == seat)
            if not done:
                return
            here, there = real.observation(seat), world.observation(seat)
            if here.history != there.history:
                self._counts["public events that show hidden cards"] += 1
                return
            found = difference(here, there)
            demand(not found, f"re-dealt, after {done} seat {seat} sees a difference: {found}")
            self._compare_scenes(real, world, seat, f"re-dealt, after {done}")
            self._compare_held((was[0], real), (was[1], world), seat, f"after {done}")
            self._counts["the same continuation looks the same"] += 1

    def _compare_scenes(self, real: State[Any], world: State[Any], seat: int, when: str) -> None:
        """Both worlds look the same to the byte: to who sees that seat's cards, and to the public.

        Args:
            world: Another that the seat holds possible.
            when: What was done before, for the message.
        """
        player, board = real.current_player(), self._game.board
        for view, open_seats in ((f"view of seat {seat}", (seat,)), ("public view", ())):
            here, there = (board.scene(one, open_seats) for one in (real, world))
            kind = type(here).__name__
            demand(isinstance(here, Scene), f"what an onlooker sees is a {kind}, not a Scene")
            check_form(here, view)
            found = scene_difference(here, there)
            demand(not found, f"{when}, the scene in the {view} shows a difference: {found}")
            turn = None if player == TERMINAL else player
            right = here.turn == turn or player == CHANCE
            demand(right, f"in the {view} turn is {here.turn}, but {turn} is to act")
            if self._counts["scenes that show nothing hidden"] % _TEXTS == 0:
                texts = {board.text(one, open_seats) for one in (real, world)}
                demand(len(texts) == 1, f"{when}, the table in the {view} reads differently")
            self._counts["scenes that show nothing hidden"] += 1

    def held(self, before: State[Any], after: State[Any], overs: set[str]) -> None:
        """The scenes of ends between two positions show nothing hidden.

        A person sees them by both observations, so that worlds are dealt of each.

        Args:
            overs: The names of earlier ends of the match; later ones are added.
        """
        board, seats = self._game.board, range(len(after.scores()))
        over = after.current_player() == TERMINAL
        held = board.held(before, after, ())
        check_held(held, len(seats), overs, after if over else None)
        self._counts[HELD] += len(held)
        seen = [[state.observation(seat) for state in (before, after)] for seat in seats]
        new = {two.history[len(one.history) :] for one, two in seen}
        if over or not held or len(new) > 1:  # what not everybody noticed is not compared
            return
        for seat, observed in enumerate(seen):
            one, two = (self._game.resample(each, self._rng) for each in observed)
            self._compare_held((before, after), (one, two), seat, "from what it observed")

    def _compare_held(
        self,
        real: tuple[State[Any], State[Any]],
        world: tuple[State[Any], State[Any]],
        seat: int,
        when: str,
    ) -> None:
        board = self._game.board
        for view, open_seats in ((f"view of seat {seat}", (seat,)), ("public view", ())):
            # Who wins the match may hang on cards that nobody was shown.
            here, there = (
                [each for each in board.held(*states, open_seats) if not of_match(each)]
                for states in (real, world)
            )
            demand(
                len(here) == len(there),
                f"re-dealt, {when}, {len(here)} or {len(there)} scenes are held in the {view}",
            )
            for one, other in zip(here, there, strict=True):
                found = scene_difference(one, other)
                demand(
                    not found,
                    f"re-dealt, {when}, a held scene in the {view} shows a difference: {found}",
                )

    def _step(self, real: State[Any], world: State[Any], player: int, *, own: bool) -> str:
        """Does one thing in both worlds; what it was, or nothing when there is nothing common."""
        there = {id(action) for action in world.legal_actions()}
        common = [action for action in real.legal_actions() if id(action) in there]
        if own:
            mine = {id(action) for action in common}
            demand(mine == there, f"re-dealt, seat {player} may do other things")
        if not common:
            return ""
        if self._game.expels and player >= 0 and self._rng.random() < 0.1:
            real.expel(player)
            world.expel(player)
            return f"the expulsion of seat {player}"
        action = self._rng.choice(common)
        real.apply_action(action)
        world.apply_action(action)
        return str(action)
