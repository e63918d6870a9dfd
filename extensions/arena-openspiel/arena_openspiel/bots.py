"""Bots of OpenSpiel as bots of Arena, for OpenSpiel's games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.errors import BadInput, UnknownName
from arena_openspiel.catalogue import catalogue
from arena_openspiel.game import SpielGame
from arena_openspiel.games import game_class
from arena_openspiel.library import library
from arena_openspiel.observation import SpielObservation
from arena_openspiel.policies import at_decisions, check_actions, check_policy, read_policy

if TYPE_CHECKING:
    from random import Random

LARGEST = 100_000
"""Positions of the largest game that is solved."""
_MOST = 10**6
_MEMORY_MB = 1000


class SpielBot(Bot[SpielObservation]):
    """The base of these bots: a game of OpenSpiel, and a generator."""

    def start(self, context: MatchContext) -> None:
        if not isinstance(context.game, SpielGame):
            raise BadInput(
                f"{type(self).__name__} plays games of OpenSpiel, not {context.game.name}"
            )
        super().start(context)
        self.game: SpielGame = context.game
        self.rng: Random = context.rng()


class SpielPolicy(SpielBot):
    """The base of bots that draw their actions by known probabilities."""

    def weights(self, observation: SpielObservation) -> Sequence[float]:
        """Returns the weight of each legal action; without any above 0 all are alike."""
        raise NotImplementedError

    def act(self, observation: SpielObservation) -> Action:
        odds = self.action_probabilities(observation)
        return self.rng.choices([*odds], [*odds.values()])[0]

    def action_probabilities(self, observation: SpielObservation) -> Mapping[Action, float]:
        legal, weights = observation.legal_actions, self.weights(observation)
        if not sum(weights) > 0:
            weights = [1.0] * len(legal)
        return {
            action: weight / sum(weights) for action, weight in zip(legal, weights, strict=True)
        }


class UniformRandom(SpielPolicy):
    """OpenSpiel's uniform random bot."""

    def weights(self, observation: SpielObservation) -> Sequence[float]:
        return [1.0] * len(observation.legal_actions)


class InformationSetSearch(SpielBot):
    """OpenSpiel's IS-MCTS: search over worlds that the seat holds possible.

    Args:
        simulations: Playouts for each decision.
        worlds: Most worlds that are drawn for a decision; 0 draws one for each playout.
        exploration: The constant of UCT, in units of the largest return.
    """

    def __init__(self, simulations: int = 100, worlds: int = 0, exploration: float = 1.0) -> None:
        if not 1 <= simulations <= _MOST or worlds < 0 or exploration <= 0:
            raise BadInput("simulations from 1, worlds from 0 and exploration above 0")
        self._simulations, self._worlds, self._exploration = simulations, worlds, exploration
        library()
        # Here, so that the time of a decision is no time of imports.
        from numpy.random import RandomState
        from open_spiel.python.algorithms.ismcts import ISMCTSBot
        from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

        self._kinds = RandomState, RandomRolloutEvaluator, ISMCTSBot

    def act(self, observation: SpielObservation) -> Action:
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        new_source, new_evaluator, new_bot = self._kinds
        world = self.game.resample(observation, self.rng)
        spiel = world.spiel
        source = new_source(self.rng.getrandbits(32))
        bot = new_bot(
            game=spiel.get_game(),
            evaluator=new_evaluator(n_rollouts=1, random_state=source),
            uct_c=self._exploration * spiel.get_game().max_utility(),
            max_simulations=self._simulations,
            max_world_samples=self._worlds or -1,
            random_state=source,
        )
        bot.set_resampler(lambda state, player: self.game.resample(observation, self.rng).spiel)
        chosen = bot.step(spiel)
        place: int = spiel.legal_actions().index(chosen)
        return world.legal_actions()[place]


class SampledUct(SpielBot):
    """OpenSpiel's UCT in worlds that the seat holds possible: the most visits in all of them win.

    In each world all cards are known, its rivals' included. So it sees no use in a bluff, nor in
    paying to learn a card.

    Args:
        worlds: Worlds that are drawn for each decision.
        simulations: Random playouts in each world.
        exploration: The constant of UCT, in units of the largest return.
    """

    def __init__(self, worlds: int = 20, simulations: int = 100, exploration: float = 1.0) -> None:
        if not (1 <= worlds <= _MOST and 1 <= simulations <= _MOST and exploration > 0):
            raise BadInput("worlds from 1, simulations from 1 and exploration above 0")
        self._worlds, self._simulations, self._exploration = worlds, simulations, exploration
        self._pyspiel = library()

    def start(self, context: MatchContext) -> None:
        """Begins a match.

        Raises:
            BadInput: It is no game of OpenSpiel, or one with rewards before the end.
        """
        super().start(context)
        pyspiel = self._pyspiel
        spiel = self.game.loaded(self.game.ruleset(context.ruleset), context.seats)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=self._seed())
        try:
            self._search = pyspiel.MCTSBot(
                game=spiel,
                evaluator=evaluator,
                uct_c=self._exploration * spiel.max_utility(),
                max_simulations=self._simulations,
                max_memory_mb=_MEMORY_MB,
                solve=False,  # a world that is solved early would have fewer visits
                seed=self._seed(),
                verbose=False,
            )
        except pyspiel.SpielError as error:
            raise BadInput(f"spiel-uct cannot play {self.game.name}: {error}") from None

    def _seed(self) -> int:
        return self.rng.getrandbits(31)

    def act(self, observation: SpielObservation) -> Action:
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        visits = [0] * len(legal)
        for _ in range(self._worlds):
            spiel = self.game.resample(observation, self.rng).spiel
            places = {id: place for place, id in enumerate(spiel.legal_actions())}
            for child in self._search.mcts_search(spiel).children:
                visits[places[child.action]] += child.explore_count
        return legal[visits.index(max(visits))]


class TabularPolicy(SpielPolicy):
    """Plays a policy from a file.

    The file is JSON: for each information state of OpenSpiel, the probability of each action by
    its text, such as ``{"0pb": {"pass": 0.4, "bet": 0.6}}``. Elsewhere all actions are equally
    likely. It plays the games that have all the actions that it names, and small ones only if
    they have all its states.

    Args:
        file: The path of the file.
    """

    def __init__(self, file: str) -> None:
        self._named = f"policy {file}"
        self._policy = read_policy(Path(file))
        texts = {text for odds in self._policy.values() for text in odds}
        self.games = tuple([name for name in catalogue() if _has_actions(name, texts)])

    def start(self, context: MatchContext) -> None:
        """Begins a match.

        Raises:
            BadInput: It is no game of OpenSpiel, or it has not all the states and actions.
        """
        super().start(context)
        ruleset = self.game.ruleset(context.ruleset)
        check_policy(self._named, self._policy, self.game, ruleset, context.seats)

    def weights(self, observation: SpielObservation) -> Sequence[float]:
        known = self._policy.get(observation.text, {})
        legal = [action.text for action in observation.legal_actions]
        check_actions(self._named, observation.text, known, legal)
        notation = self.game.notation
        odds = {notation.action(text).id: odd for text, odd in known.items()}
        return [odds.get(action.id, 0.0) for action in observation.legal_actions]


def _has_actions(name: str, texts: Iterable[str]) -> bool:
    """Returns whether a game has actions with all these texts."""
    entry = catalogue()[name]
    if entry.texts:
        return {*texts} <= {*entry.texts}
    ids = [text.removeprefix("action ") for text in texts]
    return all(id.isdecimal() and int(id) < entry.count for id in ids)


class CfrAverage(SpielPolicy):
    """Plays the average policy of CFR+, which OpenSpiel computes when the bot is loaded.

    Args:
        game: A game of OpenSpiel that is small enough.
        iterations: Iterations of CFR+.
        seats: Number of seats.
        ruleset: The ruleset, as ``arena match`` takes it.
    """

    def __init__(
        self, game: str, iterations: int = 100, seats: int = 2, ruleset: str = "standard"
    ) -> None:
        if not 1 <= iterations <= _MOST:
            raise BadInput(f"iterations: expected 1 to {_MOST}, not {iterations}")
        self.games = (game,)
        self._solved_for = (game, seats, ruleset)
        self._policy = solved(game, seats, ruleset, iterations)

    def start(self, context: MatchContext) -> None:
        here = (context.game.name, context.seats, context.ruleset)
        if here != self._solved_for:
            raise BadInput(f"this policy is for {self._solved_for}, not for {here}")
        super().start(context)

    def weights(self, observation: SpielObservation) -> Sequence[float]:
        return self._policy[observation.text]  # legal actions are in the order of OpenSpiel's ids


@cache
def solved(name: str, seats: int, ruleset: str, iterations: int) -> Mapping[str, Sequence[float]]:
    """Returns the average policy after some iterations of CFR+: odds by information state.

    Raises:
        BadInput: The game is too large.
        UnknownName: There is no game of that name.
    """
    if name not in catalogue():
        raise UnknownName("game of OpenSpiel", name, catalogue())
    game = game_class(name)()
    spiel = game.loaded(game.ruleset(ruleset), seats)
    states = at_decisions(
        spiel.new_initial_state(), LARGEST, lambda state: str(state.information_state_string())
    )
    if states is None:
        raise BadInput(f"{name} with {seats} seats has more than {LARGEST} positions: too large")
    solver = library().CFRPlusSolver(spiel)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()  # it lives as long as its solver only
    found = {state: policy.get_state_policy_as_parallel_vectors(state) for state in states}
    return {state: tuple(odds) for state, (_, odds) in found.items()}
