"""Measures environments for learners: decisions a second of one core, with masks and views.

    python -m benchmarks.learners

Actions are drawn from the masks, which is part of the time. Figures are in processor time, with
ratios to the calibration loop (``benchmarks.timing``).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arena.rl import aec, single, vector
from benchmarks.timing import print_calibration, speed

TABLES = 64
STEPS = 400
"""Steps of a vector in one timed run."""
DECISIONS = 5_000
"""Decisions of an environment of one match in a timed run."""
GAMES = (("pazaak", 2), ("sabacc", 2), ("sabacc", 4))


def drawn(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns an action of each table that is offered; where a match is over, any."""
    return (rng.random(masks.shape, np.float32) * masks).argmax(1)


def tables(game: str, opponents: str = "", seats: int | None = None) -> Callable[[], object]:
    """Returns work of ``TABLES * STEPS`` steps of tables."""
    env = vector(game, TABLES, opponents, seats)
    rng = np.random.default_rng(1)

    def work() -> None:
        seen, _ = env.reset(seed=1)
        for _ in range(STEPS):
            seen, *_ = env.step(drawn(seen["action_mask"], rng))

    return work


def turns(game: str, seats: int) -> Callable[[], object]:
    """Returns work of ``DECISIONS`` decisions of a PettingZoo environment."""
    env, rng = aec(game, seats=seats), np.random.default_rng(1)

    def work() -> None:
        done = 0
        while done < DECISIONS:
            env.reset(seed=done)
            for _ in env.agent_iter():
                seen, _, over, _, _ = env.last()
                mask = seen["action_mask"]
                env.step(None if over else int(drawn(mask[None], rng)[0]))
                done += not over

    return work


def alone(opponent: str) -> Callable[[], object]:
    """Returns work of ``DECISIONS`` decisions of a Gymnasium environment."""
    env, rng = single("pazaak", opponent), np.random.default_rng(1)

    def work() -> None:
        over = True
        for number in range(DECISIONS):
            if over:
                seen, _ = env.reset(seed=number)
            seen, _, over, _, _ = env.step(int(drawn(seen["action_mask"][None], rng)[0]))

    return work


def row(name: str, work: Callable[[], object], units: int) -> None:
    """Prints one figure."""
    found = speed(work, units)
    print(f"{name:44} {found.rate:10,.0f} decisions/s {found.ratio:10,.0f} a loop", flush=True)


def main() -> None:
    print_calibration()
    for game, seats in GAMES:
        row(f"vector, self-play, {game}, {seats} seats", tables(game, "", seats), TABLES * STEPS)
    for bot in ("stand(at=17)", "counter"):
        row(f"vector, pazaak against {bot}", tables("pazaak", bot), TABLES * STEPS)
    row("single, pazaak against stand(at=17)", alone("stand(at=17)"), DECISIONS)
    for game, seats in GAMES:
        row(f"aec, {game}, {seats} seats", turns(game, seats), DECISIONS)


if __name__ == "__main__":
    main()
