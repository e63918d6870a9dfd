"""The progress of a run in numbers: an observer that counts, and that interfaces draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from arena_results.schema.rows import PairingSums
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.rulings import disqualified, ruled, under
from arena_tournaments.play.runner import Plan
from arena_tournaments.scoring.standings import Standing, ranked

from arena.core.outcome import RULE_ENDINGS, Fault, Termination
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import RoundResult

NOTHING: Mapping[tuple[int, int], PairingSums] = MappingProxyType({})
"""The sums before anything was played."""


class Progress:
    """Counts matches, rounds and losses of a run: an ``Observer`` of ``run.run.play``.

    Args:
        played: The sums over the matches that were played before a stop.
        report: Called after every event.

    Attributes:
        total: Number of matches of the whole tournament; where results decide it, the most that
            are left to be expected.
        before: Number of matches that were played before this run.
        now: Number of matches that were played in this run.
        losses: Number of adjudicated losses by cause, with those before this run.
    """

    def __init__(
        self,
        plan: Plan,
        played: Mapping[tuple[int, int], PairingSums] = NOTHING,
        report: OnProgress | None = None,
    ) -> None:
        self.before, self.now = sum(sums.matches for sums in played.values()), 0
        self.losses: Counter[str] = Counter()
        for ending in chain.from_iterable(sums.endings for sums in played.values()):
            for _, cause in ending.faults:
                self.losses[cause.value] += ending.count
        self._report = report or (lambda progress: None)
        self.plan_changed(plan)

    def plan_changed(self, plan: Plan) -> None:
        """Begins with another field; the rounds that were played come again."""
        self._plan = plan
        self._names = [entrant.name for entrant in plan.field]
        self._expected = matches_by_round(plan)
        self._play: RoundPlay | None = None
        self._results: list[RoundResult] = []

    def __repr__(self) -> str:
        rounds = f"round {self.round} of {self.rounds}"
        return f"<Progress {self.done} of {self.total} matches, {rounds}>"

    def round_started(self, play: RoundPlay) -> None:
        self._play = play
        # Drawn pairings of a bracket play more than was to be expected.
        index = play.round.number - 1
        self._expected[index] = max(self._expected[index], play.matches)
        self._report(self)

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        self.now += len(matches)
        for match in matches:
            outcome = match.record.outcome
            self._count_losses(outcome.termination, outcome.expelled)
        self._report(self)

    def _count_losses(self, termination: Termination, expelled: Sequence[Fault]) -> None:
        if termination not in RULE_ENDINGS:
            self.losses[termination.value] += 1
        self.losses.update(fault.cause.value for fault in expelled)

    def round_finished(self, result: RoundResult) -> None:
        self._results.append(result)
        assert self._play is not None
        self._expected[result.round.number - 1] = self._play.done  # without what is forfeited
        self._play = None
        self._report(self)

    @property
    def total(self) -> int:
        return sum(self._expected)

    @property
    def done(self) -> int:
        """Number of matches that are played."""
        return self.before + self.now

    @property
    def round(self) -> int:
        """Number of the present round; after the last one that of the last."""
        return len(self._results) + (self._play is not None)

    @property
    def rounds(self) -> int:
        """Number of rounds of the tournament."""
        return self._plan.rounds

    @property
    def points(self) -> Sequence[float]:
        """Points of the first entrant of the first pairing now played (``RoundPlay.points``)."""
        return self._play.points(1) if self._play is not None else ()

    @property
    def luck(self) -> Sequence[float]:
        """The first entrant's luck in each of these matches, where the run goes by it."""
        return self._play.luck(1) if self._play is not None else ()

    def standings(self) -> tuple[Standing, ...]:
        """The standings, as if the present round ended now."""
        results: Sequence[RoundResult] = self._results
        if self._play is not None and self._play.done:
            results = [*results, self._play.result()]
        rulings = self._plan.rulings
        format = under(self._plan.format, self._names, rulings)
        return ranked(format, self._names, ruled(results, rulings), last=disqualified(rulings))


OnProgress: TypeAlias = Callable[[Progress], object]
"""Called after every event of a run, in its thread; what it raises stops the run."""


def matches_by_round(plan: Plan) -> list[int]:
    """The number of matches of each round; if results decide it, the most before draws."""
    entrants, format = len(plan.field), plan.format
    pairings = format.pairings(entrants, plan.rounds, plan.tables)
    volumes = plan.schedule.volumes
    return [count * volume.games for count, volume in zip(pairings, volumes, strict=True)]
