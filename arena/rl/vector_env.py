"""Many tables of a game as one vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, Self

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from arena.core.actions import Action
from arena.core.chance.seeding import MAX_SEED, SEED_BITS, generator
from arena.core.errors import BadInput
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.plugins.registry import Registry
from arena.rl.checks import check_known, option
from arena.rl.faults import Faults
from arena.rl.opponents import Opponents
from arena.rl.rules import Rules, Seen, SelfPlay, mask_row, rules_of, seats_of
from arena.rl.tables import Table
from arena.service.lookup.python_bots import AnyBot

Step = tuple[Seen, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class TablesEnv(VectorEnv[Seen, Any, Any]):
    """Tables that play at the same time; see ``arena.rl.vector``.

    The reward at the end of a match is the return of the seat that decided last at the table; in
    ``info["returns"]`` are the returns of all seats, in rows of tables, and 0 before the end.
    ``info["deal"]`` has the number of each table's deal.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        game: str,
        tables: int,
        opponents: Sequence[AnyBot] | str,
        seats: int | None,
        db: str | PathLike[str] | None,
        keys: Mapping[str, object],
    ) -> None:
        if tables < 1:
            raise BadInput(f"tables: expected 1 or more, not {tables}")
        self.num_envs = tables
        self._opponents: Opponents | None = None
        self._against: list[_Against] = []
        if opponents:
            self._opponents = Opponents(game, opponents, db, keys)
            self.rules, self.seats = self._opponents.rules, self._opponents.seats
            faults, dealt = self._opponents.faults, self._opponents.tables(tables)
            self._against = [_Against(each, self.rules, self.seats, faults) for each in dealt]
            self._starts: list[Callable[[int, int], _Match]] = [
                table.begin for table in self._against
            ]
        else:
            for key in keys:
                if key != "ruleset":
                    raise BadInput(f"{key}: not available without opponents")
            self.rules = rules_of(Registry(), game, str(keys.get("ruleset", "")))
            self.seats = seats_of(self.rules, seats)
            self._starts = [self._self_play] * tables
        self.single_observation_space = self.rules.observation_space()
        self.single_action_space = self.rules.action_space()
        self.observation_space = batch_space(self.single_observation_space, tables)
        self.action_space = batch_space(self.single_action_space, tables)
        self._numbers = np.zeros((tables, self.rules.size), np.float32)
        self._offered = bytearray(tables * self.rules.actions)
        self._mask = np.frombuffer(self._offered, np.int8).reshape(tables, self.rules.actions)
        self._seat, self._deal = np.zeros(tables, np.int64), np.zeros(tables, np.int64)
        self._over = np.zeros(tables, np.bool_)
        self._matches: list[_Match] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins a match at every table; with ``options["deal"]`` these are the deals from there.

        Tables get deals of their own; against opponents, the learner's seat is drawn, too.
        """
        super().reset(seed=seed)
        self._rng = generator(int(self.np_random.integers(1 << SEED_BITS)))
        check_known(options, ("deal",))
        first = option(options, "deal", MAX_SEED - self.num_envs)
        self._matches = [
            self._begun(number, None if first is None else first + number)
            for number in range(self.num_envs)
        ]
        self._over[:] = False
        return self._seen(), self._info(self._no_returns())

    def step(self, actions: Any) -> Step:  # noqa: ANN401 - any sequence of whole numbers
        rewards = np.zeros(self.num_envs, np.float32)
        ends = np.zeros(self.num_envs, np.bool_)
        returns = self._no_returns()
        if not self._matches:
            raise BadInput("call reset() before step()")
        decided = [*zip(np.asarray(actions).tolist(), self._over.tolist(), strict=True)]
        for table, (action, over) in zip(self._against, decided, strict=False):
            if not over:
                table.send(action)
        for number, (action, over) in enumerate(decided):
            if over:
                self._matches[number] = self._begun(number, None)
                continue
            match = self._matches[number]
            seat, outcome = match.seat, match.decide(action)
            if outcome is None:
                self._write(number, match)
                continue
            ends[number] = True
            self._mask[number] = 0
            rewards[number] = outcome.returns[seat]
            returns[number] = outcome.returns
        self._over = ends
        none = np.zeros(self.num_envs, np.bool_)
        return self._seen(), rewards, ends.copy(), none, self._info(returns)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are offered at each table."""
        return self._mask.astype(bool)

    def close_extras(self, **kwargs: object) -> None:
        if self._opponents is not None:
            self._opponents.close()

    def _self_play(self, deal: int, chance: int) -> SelfPlay:
        return SelfPlay(self.rules, self.seats, deal)

    def _begun(self, number: int, deal: int | None) -> _Match:
        drawn, chance = self._rng.getrandbits(SEED_BITS), self._rng.getrandbits(SEED_BITS)
        match = self._starts[number](drawn if deal is None else deal, chance)
        self._deal[number] = match.deal
        self._write(number, match)
        return match

    def _write(self, number: int, match: _Match) -> None:
        self.rules.view.write(match.seen, self._numbers[number])
        actions = self.rules.actions
        mask = mask_row(tuple(match.choices), actions)
        self._offered[number * actions : (number + 1) * actions] = mask
        self._seat[number] = match.seat

    def _seen(self) -> Seen:
        return {"observation": self._numbers.copy(), "action_mask": self._mask.copy()}

    def _info(self, returns: NDArray[np.float64]) -> dict[str, Any]:
        return {"seat": self._seat.copy(), "deal": self._deal.copy(), "returns": returns}

    def _no_returns(self) -> NDArray[np.float64]:
        return np.zeros((self.num_envs, self.seats))


class _Match(Protocol):
    """A match at one table; the attributes are as in ``SelfPlay``."""

    deal: int
    seat: int
    seen: Observation
    choices: Mapping[int, Action]

    def decide(self, number: int) -> Outcome | None:
        """Takes a decision; returns the outcome, if the match is over."""


class _Against:
    """Matches of the learner against bots at one table."""

    def __init__(self, table: Table, rules: Rules, seats: int, faults: Faults) -> None:
        self._table, self._view, self._seats, self._faults = table, rules.view, seats, faults

    def begin(self, deal: int, chance: int) -> Self:
        """Begins a match; its seat and its bots' seeds follow from the second number."""
        seat = chance % self._seats
        seen, self.deal = self._faults.begin(self._table, seat, deal, chance)
        self._take(seen)
        return self

    def send(self, number: int) -> None:
        """Hands in a decision; the bots of all tables answer at the same time."""
        self._table.send(self.choices.get(number) or Action(number, f"action {number}"))

    def decide(self, number: int) -> Outcome | None:
        """Plays on after the decision, which ``send`` has handed in."""
        seen = self._table.receive()
        if seen is not None:
            self._take(seen)
            return None
        outcome = self._table.outcome
        assert outcome is not None
        self._faults.warn(outcome, self.seat)
        return outcome

    def _take(self, seen: Observation) -> None:
        self.seen: Observation = seen
        self.seat = seen.seat
        self.choices: Mapping[int, Action] = self._view.choices(seen)
