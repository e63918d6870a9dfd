"""Learns Pazaak by self-play with NumPy: deep Monte Carlo values of actions, as in DouZero.

    python examples/learner/train.py [SECONDS]

It takes that many seconds of processor time, 300 if not given, and writes the weights into the bot.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.rl import vector

Array = NDArray[Any]
FILE = Path(__file__).parent / "learned_bot" / "learned" / "weights.npz"
TABLES, STEPS, BATCH, HIDDEN = 128, 1024, 512, 128
"""Tables; steps that are stored; positions of a step of learning; width of both hidden layers."""


class Network:
    """Values every action of a position, -1 to 1, by two hidden layers; learns by Adam."""

    def __init__(self, sizes: tuple[int, ...], rng: np.random.Generator) -> None:
        self.weights: list[Array] = []
        for fan_in, fan_out in pairwise(sizes):
            drawn = rng.standard_normal((fan_in, fan_out)) * np.sqrt(2 / fan_in)
            self.weights += [drawn.astype(np.float32), np.zeros(fan_out, np.float32)]
        self.weights[-2] *= 0.1
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.steps = 0

    def layers(self, seen: Array) -> list[Array]:
        """Returns the values of all layers, the actions' last."""
        w1, b1, w2, b2, w3, b3 = self.weights
        first = np.maximum(seen @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        return [seen, first, second, np.tanh(second @ w3 + b3)]

    def learn(self, seen: Array, actions: Array, results: Array, rate: float) -> None:
        """Moves the values of actions that were taken towards their results."""
        seen, first, second, values = self.layers(seen)
        rows = np.arange(len(actions))
        taken = values[rows, actions]
        back = np.zeros_like(values)
        back[rows, actions] = (taken - results) * (1 - taken**2) / len(actions)
        gradients: list[Array] = []
        for layer, weights in ((second, 4), (first, 2), (seen, 0)):
            gradients = [layer.T @ back, back.sum(0), *gradients]
            back = (back @ self.weights[weights].T) * (layer > 0)
        self.steps += 1
        for each, gradient in enumerate(gradients):
            self.means[each] += 0.1 * (gradient - self.means[each])
            self.squares[each] += 0.001 * (gradient**2 - self.squares[each])
            mean = self.means[each] / (1 - 0.9**self.steps)
            square = self.squares[each] / (1 - 0.999**self.steps)
            self.weights[each] -= rate * mean / (np.sqrt(square) + 1e-7)


class Memory:
    """The last positions, and the results of those whose match is over."""

    def __init__(self, size: int) -> None:
        self.seen = np.zeros((TABLES * STEPS, size), np.float32)
        self.actions, self.seats = np.zeros((2, TABLES * STEPS), np.int64)
        self.results = np.full(TABLES * STEPS, np.nan, np.float32)
        self.rows: list[list[int]] = [[] for _ in range(TABLES)]
        self.next = 0

    def add(self, seen: dict[str, Array], actions: Array, seats: Array) -> None:
        """Stores a step of all tables."""
        rows = slice(self.next, self.next + TABLES)
        self.seen[rows], self.actions[rows] = seen["observation"], actions
        self.seats[rows], self.results[rows] = seats, np.nan
        for table in np.flatnonzero(seen["action_mask"].any(1)).tolist():
            self.rows[table].append(self.next + table)
        self.next = (self.next + TABLES) % len(self.results)

    def end(self, table: int, returns: Array) -> None:
        """Stores the results of a match."""
        rows, self.rows[table] = self.rows[table][-STEPS:], []
        self.results[rows] = returns[self.seats[rows]]


def train(seconds: float, seed: int = 0) -> tuple[list[Array], str, int]:
    """Returns the weights, the name of the view, and how many decisions were played."""
    rng = np.random.default_rng(seed)
    env = vector("pazaak", TABLES)
    network = Network((env.rules.view.size, HIDDEN, HIDDEN, env.rules.actions), rng)
    memory, done, began = Memory(env.rules.view.size), 0, time.process_time()
    seen, info = env.reset(seed=seed)
    while (share := (time.process_time() - began) / seconds) < 1:
        masks = seen["action_mask"]
        values = network.layers(seen["observation"])[-1]
        explore = rng.random((TABLES, 1)) < max(0.02, 0.3 * (1 - share / 0.8))
        values = np.where(explore, rng.random(values.shape, np.float32), values)
        actions = np.where(masks, values, -9).argmax(1)
        memory.add(seen, actions, info["seat"])
        seen, _, over, _, info = env.step(actions)
        for table in np.flatnonzero(over).tolist():
            memory.end(table, info["returns"][table])
        done += TABLES
        drawn = rng.integers(min(done, len(memory.results)), size=BATCH)
        drawn = drawn[~np.isnan(memory.results[drawn])]
        if done > TABLES * 50:
            rate = 1e-3 if share < 0.7 else 2e-4
            network.learn(memory.seen[drawn], memory.actions[drawn], memory.results[drawn], rate)
    return network.weights, env.rules.view.name, done


def main() -> None:
    """Trains, and writes the weights into the bot's folder."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 300.0
    weights, view, done = train(seconds)
    np.savez(FILE, *weights, view=np.array(view))
    print(f"{done:,} decisions of {view}; weights: {FILE}")


if __name__ == "__main__":
    main()
