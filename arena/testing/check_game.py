"""Checks a game by random play against the promises of ``arena.core``: any game, no rules known.

The heart of it is re-dealing: at every decision, and for every seat, what that seat cannot see is
dealt anew (``Game.resample``), and its observation must stay the same to the byte, then and while
play goes on in the same way. ``arena.testing.probes`` holds the other promises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from arena.core.actions import Action, pack_ids
from arena.core.dealer import SeatStreams
from arena.core.errors import ArenaError
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation
from arena.core.record import MatchRecord
from arena.core.seeding import derive_seed, generator
from arena.core.state import TERMINAL, State
from arena.match.replay import verify
from arena.testing.probes import (
    Broken,
    ChanceLaw,
    Print,
    check_actions,
    check_clone,
    check_end,
    check_immutable,
    check_unfinished,
    demand,
    difference,
    fingerprint,
)

if TYPE_CHECKING:
    from random import Random

MOST_PROBLEMS = 10
"""After so many broken matches the check gives up."""
MOST_DECISIONS = 20_000
"""A match that goes on for longer does not end, as far as the check can tell."""


class GameReport(msgspec.Struct, frozen=True):
    """What a check of a game found.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset.
        matches: Matches played.
        decisions: Decisions taken in them.
        redeals: Worlds dealt anew and compared.
        other_worlds: How many of these another seat could have told from the real one: near
            ``redeals`` when resampling is honest, 0 when nothing is hidden or nothing is re-dealt.
        checks: How often each promise was put to the test.
        problems: One line for each match that broke a promise: which, where, and what differed.
    """

    game: str
    ruleset: str
    matches: int
    decisions: int
    redeals: int
    other_worlds: int
    checks: Mapping[str, int]
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether no promise was broken."""
        return not self.problems


def check_game(game: AnyGame, ruleset: Ruleset, redeals: int = 10_000, seed: int = 0) -> GameReport:
    """Plays at random and tests the contract at every step.

    Args:
        game: The game.
        ruleset: The rules to play by.
        redeals: How many worlds to deal anew, over as many matches as it takes.
        seed: Everything follows from it.
    """
    check = _Check(game, ruleset, seed, redeals)
    while check.redeals < redeals and len(check.problems) < MOST_PROBLEMS and not check.endless:
        check.match()
    if not check.problems:
        check.close()
    return GameReport(
        game=game.name,
        ruleset=ruleset.name,
        matches=check.matches,
        decisions=check.decisions,
        redeals=check.redeals,
        other_worlds=check.other_worlds,
        checks=dict(sorted(check.counts.items())),
        problems=tuple(check.problems),
    )


class _Check:
    def __init__(self, game: AnyGame, ruleset: Ruleset, seed: int, wanted: int) -> None:
        self._game, self._ruleset, self._seed, self._wanted = game, ruleset, seed, wanted
        self._rng: Random = generator(derive_seed(seed, "check"))
        self._law = ChanceLaw(self._rng)
        self._seen: dict[int, Action] = {}
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.matches = self.decisions = self.redeals = self.other_worlds = 0
        self.endless = False
        self._move = 0

    def match(self) -> None:
        """One match; the first thing that it breaks is noted."""
        self.matches += 1
        self._move = 0
        try:
            self._play(self.matches)
        except Broken as broken:
            self._note(str(broken))
        except Exception as error:  # whatever a stranger's game raises is a finding
            self._note(f"it raised {type(error).__name__}: {error}")

    def close(self) -> None:
        """What only all matches together can tell."""
        try:
            self.counts["dealers follow the odds"] += self._law.close()
        except Broken as broken:
            self.problems.append(str(broken))

    def _note(self, trouble: str) -> None:
        self.problems.append(f"match {self.matches}, move {self._move}: {trouble}")

    def _play(self, number: int) -> None:
        seats = self._rng.choice(self._game.seats)
        loadouts = [self._game.accept_loadout(self._ruleset, None) for _ in range(seats)]
        seed = derive_seed(self._seed, "deal", number)
        self._law.look(self._game.new_state(self._ruleset, loadouts))
        state = self._game.new_state(self._ruleset, loadouts, SeatStreams(seed))
        elsewhere = number % 2 == 0
        if elsewhere:  # every other match in a world where everybody holds something else
            for seat in range(seats):
                state = self._game.resample(state.observation(seat), self._rng)
        ids = self._decide(state, seats)
        self.counts["consistent returns"] += check_end(state, seats)
        if not elsewhere:
            self._verify(seed, loadouts, ids, state)

    def _decide(self, state: State[Any], seats: int) -> list[int]:
        ids: list[int] = []
        histories = [b""] * seats
        while (seat := state.current_player()) != TERMINAL:
            demand(0 <= seat < seats, f"with a dealer, player {seat} is to decide")
            self.endless = self._move == MOST_DECISIONS
            demand(not self.endless, f"no end after {MOST_DECISIONS} decisions")
            observations = [state.observation(other) for other in range(seats)]
            self._look(state, seat, observations, histories)
            histories = [observation.history for observation in observations]
            self._probe(state, observations[seat])
            watched = state.clone(), fingerprint(state, seats)
            action = self._rng.choice(state.legal_actions())
            self._seen[id(action)] = action
            state.apply_action(action)
            self._watch(*watched, seats)
            ids.append(action.id)
            self._move += 1
            self.decisions += 1
        return ids

    def _look(
        self,
        state: State[Any],
        seat: int,
        observations: list[Observation],
        histories: list[bytes],
    ) -> None:
        """What each seat sees, and what it must not see."""
        for other, seen in enumerate(observations):
            legal = state.legal_actions() if other == seat else ()
            demand(seen.seat == other, f"seat {other} gets the observation of seat {seen.seat}")
            demand(seen.legal_actions == legal, f"seat {other} sees other legal actions")
            recalls = seen.history.startswith(histories[other])
            demand(recalls, f"seat {other} has forgotten some of its history")
            self.counts["perfect recall"] += 1
            self._redeal(state, other, observations)

    def _redeal(self, state: State[Any], seat: int, observations: list[Observation]) -> None:
        seen = observations[seat]
        world = self._game.resample(seen, self._rng)
        found = difference(seen, world.observation(seat))
        demand(not found, f"re-dealt, seat {seat} sees a difference: {found}")
        self.redeals += 1
        self.other_worlds += any(
            world.observation(other) != real
            for other, real in enumerate(observations)
            if other != seat
        )
        if self._rng.random() < 0.25:
            self._continue(state.clone(), world.clone(), seat)

    def _continue(self, real: State[Any], world: State[Any], seat: int) -> None:
        """The same public continuation in both worlds must look the same to the seat."""
        for _ in range(6):
            player = real.current_player()
            same = world.current_player() == player
            demand(same, f"in a re-dealt world player {world.current_player()}, not {player}, acts")
            there = {id(action) for action in world.legal_actions()}
            common = [action for action in real.legal_actions() if id(action) in there]
            if player == seat:
                mine = {id(action) for action in common}
                demand(mine == there, f"re-dealt, seat {seat} may do other things")
            if not common:
                return
            action = self._rng.choice(common)
            real.apply_action(action)
            world.apply_action(action)
            found = difference(real.observation(seat), world.observation(seat))
            demand(not found, f"re-dealt, after {action} seat {seat} sees a difference: {found}")
            self.counts["the same continuation looks the same"] += 1

    def _probe(self, state: State[Any], seen: Observation) -> None:
        """The dearer promises, at some decisions."""
        if self._rng.random() < 0.1:
            self.counts["legality decided in one place"] += check_actions(
                state, list(self._seen.values())
            )
            self.counts["immutable observations"] += check_immutable(seen)
            self.counts["no result before the end"] += check_unfinished(state)
        if self._rng.random() < 0.2:
            self.counts["independent clones"] += check_clone(state, self._rng)
        if self._rng.random() < 0.3:
            ahead = state.clone()
            ahead.apply_action(self._rng.choice(ahead.legal_actions()))
            self._law.look(ahead)

    def _watch(self, clone: State[Any], before: Print, seats: int) -> None:
        found = fingerprint(clone, seats) != before
        demand(not found, "an action on the original changed its clone")
        self.counts["independent clones"] += 1

    def _verify(self, seed: int, loadouts: list[bytes], ids: list[int], state: State[Any]) -> None:
        seats = tuple(f"seat {seat}" for seat in range(len(loadouts)))
        record = MatchRecord(
            self._game.name, self._ruleset.name, self._game.version, seed, seats,
            tuple(loadouts), pack_ids(ids), state.outcome(),
        )  # fmt: skip
        demand(MatchRecord.from_bytes(record.to_bytes()) == record, "the record changes in bytes")
        try:
            verify(self._game, record)
        except ArenaError as error:
            raise Broken(f"the same seed gives another match: {error}") from error
        self.counts["the same seed gives the same match"] += 1
