"""One piece of work of Arena, or of another project that plays games, for ``benchmarks.peers``.

    python -m benchmarks.contenders NAME

Each line of stdin has it done once; answered is a line with its units (decisions, or loops), and
its processor time. It runs in the environment of the project that it is of, and imports no other.
What is done for every decision, and what is not, is in ``CONTENDERS``; policies cost next to
nothing, so that it is the project that is measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from benchmarks.timing import calibration_loop, processor_seconds

Work = Callable[[], int]
"""Does the work; returns its number of decisions."""


class Contender(NamedTuple):
    """A row of the table.

    Attributes:
        project: Whose it is: its distribution's name.
        game: What is played.
        on: What is done for it beside the rules, in words of the table.
        open: Prepares the work, seldom quickly.
        compiled: Whether it plays in the copy of the tree whose hot path is compiled.
    """

    project: str
    game: str
    on: str
    open: Callable[[], Work]
    compiled: bool = False


def arena(game: str, ruleset: str, games: int, *names: str) -> Work:
    """Plays matches of Arena on the path of tournaments, in this process."""
    from arena.core.tournaments.wire import decode_jobs, encode
    from arena.host.play.worker import Setup
    from arena.match.limits import Limits
    from arena.plugins.registry import Registry
    from benchmarks.measuring import jobs_of_round, one_pairing

    registry = Registry()
    bots = tuple(map(registry.resolve_bot, names))
    ruleset = registry.game(game).ruleset(ruleset).name
    host = Setup(game, ruleset, bots, Limits()).open()
    jobs = encode(jobs_of_round(one_pairing(len(names)), games))

    def work() -> int:
        played = host.play(decode_jobs(jobs), float("inf"))
        encode(played)  # as a worker sends them
        return sum(sum(match.measurement.requests) - len(names) for match in played)

    return work


def openspiel(name: str, plays: int, views: bool) -> Work:
    """Plays a game of OpenSpiel: legal actions, chance and returns, and views if wanted."""
    from random import Random

    import pyspiel

    if name.startswith("python_"):
        import open_spiel.python.games  # noqa: F401  # registers them

    game = pyspiel.load_game(name)

    def work() -> int:
        rng, decisions = Random(7), 0
        for _ in range(plays):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, chances)[0])
                    continue
                if views:
                    state.information_state_string()
                legal = state.legal_actions()
                state.apply_action(legal[decisions % len(legal)])
                decisions += 1
            state.returns()
        return decisions

    return work


def rlcard(name: str, plays: int) -> Work:
    """Plays a game of RLCard by its environments, which always make views and trajectories."""
    import rlcard as library

    environment = library.make(name, config={"seed": 7})

    class Agent:
        """Takes each of the legal actions in turn."""

        use_raw = False

        def __init__(self) -> None:
            self.asked = 0

        def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            self.asked += 1
            legal = list(state["legal_actions"])
            return legal[self.asked % len(legal)], {}

    agents = [Agent() for _ in range(environment.num_players)]
    environment.set_agents(agents)

    def work() -> int:
        before = sum(agent.asked for agent in agents)
        for _ in range(plays):
            environment.run(is_training=False)
        return sum(agent.asked for agent in agents) - before

    return work


def axelrod(turns: int, results: bool) -> Work:
    """Plays the iterated prisoner's dilemma of Axelrod: one match, or a tournament with results."""
    import axelrod as library

    def match() -> int:
        library.Match((library.TitForTat(), library.Alternator()), turns=turns).play()
        return 2 * turns

    def tournament() -> int:
        players = [library.TitForTat(), library.Alternator(), library.Random(0.5)]
        repetitions = 5
        library.Tournament(players, turns=turns, repetitions=repetitions, seed=7).play(
            progress_bar=False
        )
        # Each against each, itself included; what repeats without chance is not played again.
        return 2 * turns * (repetitions * 3 + 3)

    return tournament if results else match


def calibration() -> Work:
    """Does the calibration loop; its units are loops."""

    def work() -> int:
        calibration_loop()
        return 1

    return work


ALL_ON = "views, legality, clock, seeds, records"
OURS = {
    "pazaak": Contender(
        *("arena-harness", "Pazaak", ALL_ON),
        partial(arena, "pazaak", "standard", 1_500, "stand(at=17)", "stand(at=16)"),
    ),
    "sabacc": Contender(
        *("arena-harness", "Sabacc for two", ALL_ON),
        partial(arena, "sabacc", "old_republic", 100, *["target-total"] * 2),
    ),
    "sabacc6": Contender(
        *("arena-harness", "Sabacc for six, chips", ALL_ON),
        partial(arena, "sabacc", "old_republic(mode=chips)", 6, *["target-total"] * 6),
    ),
}
"""Arena itself, in the order of the table."""
CONTENDERS = {
    "loop": Contender("", "", "the calibration loop", calibration),
    **OURS,
    **{f"{name}-compiled": own._replace(compiled=True) for name, own in OURS.items()},
    "leduc": Contender(
        *("open-spiel", "Leduc poker, in C++", "legality, views"),
        partial(openspiel, "leduc_poker", 6_000, True),
    ),
    "leduc-bare": Contender(
        *("open-spiel", "Leduc poker, in C++", "legality"),
        partial(openspiel, "leduc_poker", 6_000, False),
    ),
    "kuhn": Contender(
        *("open-spiel", "Kuhn poker, in Python", "legality, views"),
        partial(openspiel, "python_kuhn_poker", 2_000, True),
    ),
    "kuhn-bare": Contender(
        *("open-spiel", "Kuhn poker, in Python", "legality"),
        partial(openspiel, "python_kuhn_poker", 2_000, False),
    ),
    "rlcard-leduc": Contender(
        *("rlcard", "Leduc poker", "legality, views, trajectories"),
        partial(rlcard, "leduc-holdem", 1_000),
    ),
    "rlcard-limit": Contender(
        *("rlcard", "limit hold'em", "legality, views, trajectories"),
        partial(rlcard, "limit-holdem", 500),
    ),
    "axelrod": Contender(
        *("axelrod", "prisoner's dilemma, one match", "the histories of both"),
        partial(axelrod, 20_000, False),
    ),
    "axelrod-results": Contender(
        *("axelrod", "prisoner's dilemma, a tournament", "the histories of both, seeds, results"),
        partial(axelrod, 1_000, True),
    ),
}
"""By name, in the order of the table."""


def main() -> None:
    work = CONTENDERS[sys.argv[1]].open()
    work()  # what is loaded or cached at first use is no matter of speed
    for _ in sys.stdin:
        found: list[int] = []
        seconds = processor_seconds(lambda found=found: found.append(work()))
        print(found[0], seconds, flush=True)


if __name__ == "__main__":
    main()
