"""Plays any game by information-set Monte Carlo tree search over the core contract only.

Every playout runs in one world that fits the observation (``Game.resample``), the game's own
quick rule decides in it (``Search.playout_action``), and it ends with the match, or as soon as
somebody's score grows (a set, a hand or a pot is won): then the game values the match
(``Search.evaluate``).

The seat's actions share the playouts by sequential halving (Karnin, Koren, Somekh, "Almost Optimal
Exploration in Multi-Armed Bandits", ICML 2013), which looks for the best action and not, as UCB1
does, for the best average reward on the way (Pepels, Cazenave, Winands, Lanctot, "Minimizing Simple
and Cumulative Regret in Monte-Carlo Tree Search", 2014). All actions of a round meet the same world
and the same chance, so that luck does not decide between them, and the choice of the game's rule
has a bonus that shrinks with the playouts: few of them cannot refute it. Below them grows a tree of
the seat's own information states (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree
Search", IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012, the
single-observer variant, with its subset-armed UCB1), but only where a state has been met often:
before that the game's rule plays better. Every seat maximises its own return there (max^n:
Luckhardt, Irani, AAAI 1986), so that any number of seats can play.

Playouts are counted, never timed, so that one seed gives one game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import cycle
from math import log, sqrt
from operator import gt
from random import Random
from typing import Any, TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.bot import Bot
from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import SEED_BITS
from arena.core.errors import ParseError
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.outcome import estimated_utilities
from arena.core.state import State

AnyState: TypeAlias = State[Any]


class _Arm(msgspec.Struct):
    """Statistics of one action at one node."""

    visits: int = 0  # how often it was tried
    available: int = 0  # how often it was legal when its node was visited
    total: float = 0.0  # sum of the deciding seat's rewards

    def mean(self) -> float:
        """Returns the average reward."""
        return self.total / self.visits


class _Node(msgspec.Struct):
    """Statistics of one information state below the seat's decision."""

    visits: int = 0  # how often a playout came by
    arms: dict[int, _Arm] = {}  # its actions that were tried, by id


_Path: TypeAlias = list[tuple[int, _Arm]]
_Tree: TypeAlias = dict[Hashable, _Node]

_PLAYOUTS_EACH = 4
"""Of more actions than can have that many playouts each, only a sample is checked."""


class InformationSetMcts(Bot[Observation]):
    """Simulates every action in many worlds before each decision.

    Args:
        iterations: Playouts per decision, about; of many actions only a sample is played out.
        worlds: Most worlds drawn per decision; after that they are taken in turn, each time with
            new chance.
        depth: Most decisions of a playout in which nobody's score grows, before the match is
            evaluated as it stands.
        patience: How often the game's rule decides in an information state before the tree does.
        exploration: Weight of actions that were tried little in the tree (UCB1's constant).
        trust: Bonus of the game's own choice after one playout; it shrinks like the error of an
            average, so that another action is taken when it is better by more than luck explains.
    """

    _rng: Random | None = None

    def __init__(
        self,
        iterations: int = 96,
        worlds: int = 48,
        depth: int = 60,
        patience: int = 32,
        exploration: float = 0.7,
        trust: float = 0.5,
    ) -> None:
        for name, value in (
            ("iterations", iterations), ("worlds", worlds), ("depth", depth), ("patience", patience)
        ):  # fmt: skip
            if value < 1:
                raise ParseError(f"search({name}={value}): {name} must be 1 or more")
        for name, weight in (("exploration", exploration), ("trust", trust)):
            if weight < 0:
                raise ParseError(f"search({name}={weight}): {name} must be 0 or more")
        self.iterations = iterations
        self.worlds = worlds
        self.depth = depth
        self.patience = patience
        self.exploration = exploration
        self.trust = trust

    def act(self, observation: Observation) -> Action:
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        rng = self._rng = self._rng or self.context.rng()
        worlds = self._worlds(observation, rng)
        left = self._candidates(legal, next(worlds), rng)
        seat = observation.seat
        tree: _Tree = {}
        arms = {action: _Arm() for action in left}
        votes: Counter[Action] = Counter()

        def promise(action: Action) -> float:
            arm, share = arms[action], votes[action] / votes.total()
            return arm.mean() + self.trust * share / sqrt(arm.visits)

        halvings, rule = (len(left) - 1).bit_length(), self.context.game.search.playout_action
        while len(left) > 1:
            for _ in range(max(1, self.iterations // (halvings * len(left)))):
                world, seed = next(worlds), rng.getrandbits(SEED_BITS)
                votes[rule(world, rng)] += 1
                for action in left:
                    arm = arms[action]
                    twin = world.clone(SeatStreams(seed))
                    twin.apply_action(action)
                    arm.total += self._iterate(twin, seat, tree, rng)[seat]
                    arm.visits += 1
            left.sort(key=promise, reverse=True)
            left = left[: (len(left) + 1) // 2]
        return left[0]

    def _candidates(self, legal: Sequence[Action], world: AnyState, rng: Random) -> list[Action]:
        """Returns all legal actions; of too many the game's own choice and a sample of the rest."""
        most = max(2, self.iterations // _PLAYOUTS_EACH)
        if len(legal) <= most:
            return [*legal]
        first = self.context.game.search.playout_action(world, rng)
        others = [action for action in legal if action is not first]
        return [first, *rng.sample(others, most - 1)]

    def _worlds(self, observation: Observation, rng: Random) -> Iterator[AnyState]:
        """Yields worlds that fit the observation: new ones first, then the same in turn."""
        resample = self.context.game.resample
        drawn: list[AnyState] = []
        for _ in range(self.worlds):
            drawn.append(resample(observation, rng))
            yield drawn[-1]
        yield from cycle(drawn)

    def _iterate(self, world: AnyState, observer: int, tree: _Tree, rng: Random) -> Sequence[float]:
        """Runs one playout in this world, through the tree as far as it has grown."""
        path = self._descend(world, observer, tree, rng)
        rewards = playout(self.context.game, world, self.depth, rng)
        for seat, arm in path:
            arm.visits += 1
            arm.total += rewards[seat]
        return rewards

    def _descend(self, world: AnyState, observer: int, tree: _Tree, rng: Random) -> _Path:
        """Follows the tree in this world until it has grown by one action."""
        path: _Path = []
        while (seat := world.current_player()) >= 0:
            key = world.observation(observer).information_state()
            node = tree.get(key) or tree.setdefault(key, _Node())
            node.visits += 1
            if node.visits <= self.patience:
                break
            arms, legal = node.arms, world.legal_actions()
            untried = [action for action in legal if action.id not in arms]
            for action in legal:
                if action.id in arms:
                    arms[action.id].available += 1
            if untried:
                action = untried[int(rng.random() * len(untried))]
                arm = arms[action.id] = _Arm()
                arm.available = 1
            else:
                action = self._select(arms, legal)
                arm = arms[action.id]
            path.append((seat, arm))
            world.apply_action(action)
            if untried:
                break
        return path

    def _select(self, arms: dict[int, _Arm], legal: Sequence[Action]) -> Action:
        """Chooses by UCB1 among the legal actions of this world, by each arm's availability."""
        best, choice = float("-inf"), legal[0]
        for action in legal:
            arm = arms[action.id]
            value = arm.mean() + self.exploration * sqrt(log(arm.available) / arm.visits)
            if value > best:
                best, choice = value, action
        return choice


def playout(game: AnyGame, world: AnyState, depth: int, rng: Random) -> Sequence[float]:
    """Plays the world on by the game's rule until something is settled; rewards -1..1 by seat."""
    player, act, policy = world.current_player, world.apply_action, game.search.playout_action
    scores = world.scores()
    for _ in range(depth):
        if player() < 0:
            break
        act(policy(world, rng))
        before, scores = scores, world.scores()
        if any(map(gt, scores, before)):
            break
    if not world.is_terminal():
        return game.search.evaluate(world)
    returns = world.returns()
    # Amounts are scaled like estimates: exploration and trust are weighed on that scale.
    return returns if max(map(abs, returns)) <= 1 else estimated_utilities(returns)
