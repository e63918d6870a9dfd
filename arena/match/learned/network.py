"""A small network that values positions, and its fitting: two hidden layers over rows of facts.

The first layer adds up the learned rows of a position's facts. The same data and seed give the same
network on one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.core.chance.seeding import derive_seed
from arena.match.learned.positions import Floats, Ints, Positions

Weights = dict[str, NDArray[np.float32]]
_CHUNK = 8192
_BATCH = 4096
_BATCHES = 64
"""Batches of an epoch, where that makes them smaller than ``_BATCH``."""
_WARM_UP = 200
"""Steps over which the rate of learning rises."""


class Network:
    """Values positions from one seat's side.

    Args:
        weights: ``rows`` (the last of them blank), and the biases and matrices of three layers.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    @property
    def blank(self) -> int:
        """The number of the blank row."""
        return len(self.weights["rows"]) - 1

    def values(self, positions: Positions) -> Floats:
        """Returns the value of every outcome of all samples, each from the side of its sample."""
        found = np.empty(len(positions.odds), dtype=np.float32)
        last = np.cumsum(positions.count)
        for start in range(0, len(last), _CHUNK):
            part = slice(start, start + _CHUNK)
            count = positions.count[part]
            outcomes = slice(last[start] - count[0], last[part][-1])
            sums = self._sums(positions.shared[part]) + self.weights["bias1"]
            sums = np.repeat(sums, count, axis=0) + self._sums(positions.own[outcomes])
            found[outcomes] = self._upper(sums)[0]
        return found.astype(np.float64)

    def of(self, rows: Ints) -> Floats:
        """Returns the value of positions, each given as a line of rows."""
        return self._upper(self._sums(rows) + self.weights["bias1"])[0].astype(np.float64)

    def _sums(self, rows: Ints) -> NDArray[np.float32]:
        table = self.weights["rows"]
        sums = np.zeros((len(rows), table.shape[1]), dtype=np.float32)
        for column in rows.T:
            sums += table[column]
        return sums

    def _upper(self, sums: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
        first = np.maximum(sums, 0)
        second = np.maximum(first @ self.weights["layer2"] + self.weights["bias2"], 0)
        return second @ self.weights["layer3"] + self.weights["bias3"], first, second

    def gradient(self, rows: Ints, wanted: NDArray[np.float32]) -> Weights:
        """Returns the gradient of half the mean squared error, for each of the weights."""
        values, first, second = self._upper(self._sums(rows) + self.weights["bias1"])
        error = (values - wanted) / np.float32(len(wanted))
        back2 = error[:, None] * self.weights["layer3"] * (second > 0)
        back1 = (back2 @ self.weights["layer2"].T) * (first > 0)
        return {
            "rows": self._of_rows(rows, back1),
            "bias1": back1.sum(0),
            "layer2": first.T @ back2,
            "bias2": back2.sum(0),
            "layer3": second.T @ error,
            "bias3": error.sum(keepdims=True),
        }

    def _of_rows(self, rows: Ints, back: NDArray[Any]) -> NDArray[np.float32]:
        """Adds each line's gradient to all of its rows; the blank row has none."""
        sums = np.zeros_like(self.weights["rows"])
        order = np.argsort(rows, axis=None, kind="stable")
        sorted_rows = rows.ravel()[order]
        order = order[: np.searchsorted(sorted_rows, self.blank)] // rows.shape[1]
        if len(order):
            sorted_rows = sorted_rows[: len(order)]
            cuts = np.flatnonzero(np.r_[True, sorted_rows[1:] != sorted_rows[:-1]])
            sums[sorted_rows[cuts]] = np.add.reduceat(back[order], cuts, axis=0)
        return sums


def new_network(size: int, hidden: tuple[int, int], seed: int) -> Network:
    """Returns a network with random weights, which follow from the seed."""
    draw = np.random.default_rng(derive_seed(seed, "network")).normal
    wide, narrow = hidden
    rows = draw(size=(size + 1, wide)) * 0.1
    rows[-1] = 0
    weights = {
        "rows": rows,
        "bias1": np.zeros(wide),
        "layer2": draw(size=(wide, narrow)) * (2 / wide) ** 0.5,
        "bias2": np.zeros(narrow),
        "layer3": draw(size=narrow) * 0.1,
        "bias3": np.zeros(1),
    }
    return Network({name: each.astype(np.float32) for name, each in weights.items()})


def fit(
    network: Network,
    rows: Ints,
    wanted: Floats,
    *,
    epochs: int,
    rate: float,
    seed: int,
    progress: Callable[[float], None],
) -> None:
    """Fits a network in place to the wanted values by Adam, with a rate that falls to 0.

    D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015; with beta2 = 0.99.

    Args:
        rows: The rows of each position.
        rate: The highest rate of learning.
        progress: Is sent the share that is done, now and then.
    """
    weights = network.weights
    means = {name: np.zeros_like(each) for name, each in weights.items()}
    squares = {name: np.zeros_like(each) for name, each in weights.items()}
    batch = min(_BATCH, max(len(rows) // _BATCHES, 1))
    steps = epochs * (len(rows) // batch)
    labels = wanted.astype(np.float32)
    for step, chosen in enumerate(_batches(len(rows), batch, epochs, seed), start=1):
        now = (
            rate * min(1.0, step / min(_WARM_UP, steps)) * 0.5 * (1 + np.cos(np.pi * step / steps))
        )
        for name, slope in network.gradient(rows[chosen], labels[chosen]).items():
            mean, square = means[name], squares[name]
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            weights[name] -= np.float32(now / (1 - 0.9**step)) * (
                mean / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
            )
        if step % 20 == 0 or step == steps:
            progress(step / steps)


def _batches(samples: int, batch: int, epochs: int, seed: int) -> Iterator[NDArray[Any]]:
    draw = np.random.default_rng(derive_seed(seed, "batches"))
    for _ in range(epochs):
        order = draw.permutation(samples)
        for start in range(0, samples - batch + 1, batch):
            yield order[start : start + batch]
