"""Information-set Monte Carlo tree search: plays any game through the core contract alone.

Source: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search" (IEEE Transactions
on Computational Intelligence and AI in Games 4(2), 2012), the single-observer variant, with its
subset-armed UCB1. Every iteration plays in one world that fits what the seat knows
(``Game.resample``; a few worlds take turns, as drawing one costs more than playing it out); the
tree's nodes are the seat's own information states, which is also how
chance and the rivals' hidden choices branch. At every node the deciding seat maximises its own
return (max^n: Luckhardt, Irani, AAAI 1986), so that any number of seats can play. A playout ends
with the match, or as soon as somebody's score grows (a set, a hand or a pot is won): beyond that,
random play says little of a long match. Iterations are counted, never timed, so that one seed
gives one game.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt
from operator import gt
from random import Random
from typing import Any, TypeAlias

from arena.core.actions import Action
from arena.core.bot import Bot
from arena.core.dealer import Sampled
from arena.core.errors import BadSpelling
from arena.core.observation import Observation
from arena.core.state import State

AnyState: TypeAlias = State[Any]


class _Arm:
    """One action at one node.

    Attributes:
        visits: How often it was tried.
        available: How often it was legal when its node was visited.
        total: Sum of the deciding seat's rewards.
    """

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        self.total = 0.0


_Node: TypeAlias = dict[int, _Arm]
_Path: TypeAlias = list[tuple[int, _Arm]]


class InformationSetMcts(Bot[Observation]):
    """Searches a tree of its own information states before every decision.

    Args:
        iterations: Playouts per decision.
        worlds: Worlds drawn per decision; the iterations take them in turn, each time with new
            chance.
        depth: Most decisions of a random playout in which nobody's score grows, before the match
            is judged by its scores so far.
        exploration: Weight of trying what was tried little (UCB1's constant).
    """

    _rng: Random | None = None

    def __init__(
        self, iterations: int = 96, worlds: int = 16, depth: int = 60, exploration: float = 0.7
    ) -> None:
        for name, value in (("iterations", iterations), ("worlds", worlds), ("depth", depth)):
            if value < 1:
                raise BadSpelling(f"search({name}={value}): {name} must be 1 or more")
        if exploration < 0:
            raise BadSpelling(f"search(exploration={exploration}): exploration must be 0 or more")
        self.iterations = iterations
        self.worlds = worlds
        self.depth = depth
        self.exploration = exploration

    def act(self, observation: Observation) -> Action:
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        rng = self._rng = self._rng or self.context.rng()
        root: _Node = {}
        tree: dict[Hashable, _Node] = {observation.information_state(): root}
        game = self.context.game
        drawn = [game.resample(observation, rng) for _ in range(self.worlds)]
        for iteration in range(self.iterations):
            world = drawn[iteration % self.worlds].clone(Sampled(rng))
            path = self._descend(world, observation.seat, tree, rng)
            rewards = playout(world, self.depth, rng)
            for seat, arm in path:
                arm.visits += 1
                arm.total += rewards[seat]
        return max(legal, key=lambda action: _rank(root.get(action.id)))

    def _descend(
        self, world: AnyState, observer: int, tree: dict[Hashable, _Node], rng: Random
    ) -> _Path:
        """Follows the tree in this world until it has grown by one action."""
        path: _Path = []
        while (seat := world.current_player()) >= 0:
            key = world.observation(observer).information_state()
            node = tree.setdefault(key, {})
            legal = world.legal_actions()
            untried = [action for action in legal if action.id not in node]
            for action in legal:
                if action.id in node:
                    node[action.id].available += 1
            if untried:
                action = untried[int(rng.random() * len(untried))]
                arm = node[action.id] = _Arm()
                arm.available = 1
            else:
                action = self._select(node, legal)
                arm = node[action.id]
            path.append((seat, arm))
            world.apply_action(action)
            if untried:
                break
        return path

    def _select(self, node: _Node, legal: Sequence[Action]) -> Action:
        """UCB1 over what is legal in this world: an arm is as old as it was available."""
        best, choice = float("-inf"), legal[0]
        for action in legal:
            arm = node[action.id]
            bonus = self.exploration * sqrt(log(arm.available) / arm.visits)
            value = arm.total / arm.visits + bonus
            if value > best:
                best, choice = value, action
        return choice


def _rank(arm: _Arm | None) -> tuple[int, float]:
    """The robust child: most visits, then most reward."""
    return (arm.visits, arm.total) if arm else (0, 0.0)


def playout(world: AnyState, depth: int, rng: Random) -> Sequence[float]:
    """Plays the world on at random until something is settled; rewards -1..1 by seat."""
    random, player, scores = rng.random, world.current_player, world.scores()
    for _ in range(depth):
        if player() < 0:
            break
        legal = world.legal_actions()
        world.apply_action(legal[int(random() * len(legal))])
        before, scores = scores, world.scores()
        if any(map(gt, scores, before)):
            break
    return world.returns() if world.is_terminal() else judged(scores)


def judged(scores: Sequence[int]) -> tuple[float, ...]:
    """An unfinished match by its scores: the leads over all others, each squashed into -1..1.

    It is what ``arena.core.outcome.utilities`` makes of a finishing order, with soft edges: a
    lead counts in proportion to the scores.
    """
    scale = 1 + max(map(abs, scores))
    return tuple(
        sum((own - other) / (scale + abs(own - other)) for other in scores) / (len(scores) - 1)
        for own in scores
    )
