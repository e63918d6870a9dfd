"""Learning of a value function in rounds, with less noisy labels from round to round.

The label of a position is the result of its match less all later luck by the values learned so far:
the same mean, and a smaller variance the better they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from arena.match.learned.network import Network, fit, new_network
from arena.match.learned.positions import Floats, Positions, stacked

_RATES = (4e-3, 3e-3, 2e-3)
"""The highest rate of learning of each round; the last one's from there on."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The recipe of a value function.

    Attributes:
        hidden: Sizes of the hidden layers.
        rounds: Rounds, each with new labels.
        epochs: Passes through all positions per round.
        seed: Decides the first weights and the order of positions.
    """

    hidden: tuple[int, int] = (64, 32)
    rounds: int = 3
    epochs: int = 4
    seed: int = 1


def learn(
    parts: Sequence[Positions], size: int, plan: Plan, progress: Callable[[float], None]
) -> Network:
    """Learns the values of positions.

    Args:
        parts: Positions of matches, a part for each number of seats.
        size: Number of rows of the facts.
        progress: Is sent the share that is done, now and then.
    """
    network = new_network(size, plan.hidden, plan.seed)
    rows = stacked([part.rows() for part in parts], size)
    values: list[Floats] = [np.zeros(len(part.odds)) for part in parts]
    for number in range(plan.rounds):
        labels = [part.continuations(each) for part, each in zip(parts, values, strict=True)]

        def share(done: float, before: int = number) -> None:
            progress((before + done) / plan.rounds)

        fit(
            network,
            rows,
            np.concatenate(labels),
            epochs=plan.epochs,
            rate=_RATES[min(number, len(_RATES) - 1)],
            seed=plan.seed + number,
            progress=share,
        )
        if number + 1 < plan.rounds:
            values = [network.values(part) for part in parts]
    for name, each in network.weights.items():  # as they are stored
        network.weights[name] = each.astype(np.float16).astype(np.float32)
    return network
