"""Runs a tournament: pairs per round, plays and stores it, until the format is done.

It knows neither where matches run (the executor) nor where they are stored (the storage).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
import trio

from arena.core.errors import HarnessFault
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.executor import Executor, Pace
from arena.core.tournaments.format import PAIRS, Entrant, Format, Job, Round, RoundResult, Tables
from arena.core.tournaments.rulings import Ruling, absences
from arena_tournaments.play.by_hand import paired_around, paired_by_hand
from arena_tournaments.play.round_play import Begin, RoundPlay
from arena_tournaments.play.rulings import field_of_round, paired_by, ruled, under
from arena_tournaments.play.schedule import Returns, Schedule

PIECE = 50_000
"""Matches that an executor is given at a time: some seconds of play, and megabytes of memory."""

TOGETHER = 5_000
"""Matches from which on no further chunk is stored in the same transaction: a tenth of a second."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament ready to be played.

    Attributes:
        field: The entrants in initial order, late entries last.
        schedule: The matches of its rounds.
        rulings: Decisions of the organiser, by which rounds are paired and results count.
    """

    format: Format
    field: tuple[Entrant, ...]
    rounds: int
    schedule: Schedule
    tables: Tables = PAIRS
    rulings: tuple[Ruling, ...] = ()

    def next_round(self, results: Sequence[RoundResult]) -> Round | None:
        """Pairs the round after these; ``None`` when the tournament is over."""
        number = len(results) + 1
        if not self.rulings:
            return self.format.next_round(self.field, results, self.rounds, self.tables)
        format, field, past = self._before(results)
        by_hand = paired_by_hand(self.rulings, number, format.seatable(field, past))
        made = paired_around(format, field, past, self.rounds, self.tables, by_hand)
        if made is None:
            return None
        return msgspec.structs.replace(made, absent=absences(self.rulings, number))

    def seatable(self, results: Sequence[RoundResult]) -> Sequence[int]:
        """Returns the indices of the entrants that can be seated by hand in the next round."""
        format, field, past = self._before(results)
        return format.seatable(field, past)

    def _before(
        self, results: Sequence[RoundResult]
    ) -> tuple[Format, tuple[Entrant, ...], tuple[RoundResult, ...]]:
        """Returns format, field and results as the decisions have them for the next round."""
        number = len(results) + 1
        known = paired_by(self.rulings, number)
        field = field_of_round(self.field, self.rulings, number)
        format = under(self.format, [entrant.name for entrant in field], known)
        return format, field, ruled(results, known)


class Storage(Protocol):
    """Stores the rounds and matches of a tournament."""

    async def save_round(self, round: Round) -> bool:
        """Keeps a pairing before any of its matches is played.

        Returns:
            False if an organiser's decision was made that the plan does not know: nothing was
            stored.
        """

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Stores matches permanently, each exactly once; they count when this has returned."""

    async def close_round(self, number: int) -> None:
        """Called when every match of a round is stored; again for each when a run continues."""


class Observer(Protocol):
    """Receives the progress of a tournament; every call must be quick."""

    def round_started(self, play: RoundPlay) -> None:
        """Called when a round begins, and again whenever its results call for more matches.

        Args:
            play: Its matches, to be checked; those that are played are added to it before
                ``matches_played``, some may have been before a stop.
        """

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        """Called when these matches are played and stored."""

    def round_finished(self, result: RoundResult) -> None:
        """Called when all matches of a round are played and stored."""


async def run(
    plan: Plan,
    rounds: Sequence[Round],
    begin: Begin,
    executor: Executor,
    storage: Storage,
    observer: Observer,
    pace: Pace,
    label: str = "the executor",
) -> tuple[RoundResult, ...] | None:
    """Plays a tournament to its end, from the start or from where it stopped.

    Args:
        rounds: Rounds that were paired before a stop.
        begin: Called with each round, in a thread; the matches that it adds are not played again.
        pace: When to pause; the executor looks at it, too.
        label: The executor in errors.

    Returns:
        The result of every round; ``None`` after a pause, when something is left to play or an
        open-ended format has nothing to pair, or when an organiser's decision was made that the
        plan does not know (``pace.recalled``).

    Raises:
        HarnessFault: The executor did not deliver every match once, and no other.
    """
    results: list[RoundResult] = []
    while True:
        if len(results) < len(rounds):  # paired before a stop
            paired: Round | None = rounds[len(results)]
        else:
            # A large Swiss takes seconds to pair: in a thread, so that the display stays live.
            paired = await trio.to_thread.run_sync(plan.next_round, results)
            if paired is not None and not await storage.save_round(paired):
                pace.recalled = True
                return None
        if paired is None and plan.format.open_ended and len(results) < plan.rounds:
            pace.pausing = pace.waiting = True  # until the field changes
            return None
        if paired is None:
            return tuple(results)
        before = pace.stored
        play = await trio.to_thread.run_sync(begin, paired)
        result = await _play_round(play, plan.schedule, executor, storage, observer, pace, label)
        if result is None:
            return None
        observer.round_finished(result)
        results.append(result)
        played_now = pace.stored > before  # else it was finished before the stop
        if played_now and pace.pauses_after(paired.number) and len(results) < plan.rounds:
            pace.pausing = True
            return None


async def _play_round(
    play: RoundPlay,
    schedule: Schedule,
    executor: Executor,
    storage: Storage,
    observer: Observer,
    pace: Pace,
    label: str,
) -> RoundResult | None:
    """Plays a round until no pairing is to play any more; ``None`` after a pause."""
    play.extend()
    while True:
        observer.round_started(play)
        for jobs in play.pieces(PIECE):
            left = {job.key: job for job in jobs}
            await _play_piece(left, play, schedule, executor, storage, observer, pace, label)
            if left:
                return None
        if not play.extend():
            await storage.close_round(play.round.number)
            return play.result()


async def _play_piece(
    left: dict[MatchKey, Job],
    play: RoundPlay,
    schedule: Schedule,
    executor: Executor,
    storage: Storage,
    observer: Observer,
    pace: Pace,
    label: str,
) -> None:
    send, receive = trio.open_memory_channel[list[PlayedMatch] | None](0)

    async def execute() -> None:
        async with send.clone() as deliver:
            await executor.play([*left.values()], deliver)
        await send.send(None)  # the end, even if the executor left a channel open

    # The channels close last: what fails here cancels the executor before it could notice.
    async with send, receive, trio.open_nursery() as nursery:
        nursery.start_soon(execute)
        ended = False
        while not ended:
            matches, ended = await _delivered(receive)
            if not matches:
                continue
            _check_off(matches, left, label)
            await storage.write(matches)
            pace.stored += len(matches)
            for measured in await _measured(schedule, matches):
                play.add(*measured)
            observer.matches_played(matches)
        if left and not pace.holding:
            delivered = f"{play.done} of {play.done + play.left} matches"
            raise HarnessFault(f"{label} delivered {delivered} of round {play.round.number}")


async def _delivered(
    receive: trio.MemoryReceiveChannel[list[PlayedMatch] | None],
) -> tuple[list[PlayedMatch], bool]:
    """Returns the matches that are delivered by now, at least a chunk, and whether it was the last.

    A transaction takes milliseconds, however small it is. With many workers chunks wait for the one
    before them, and are then stored together.
    """
    matches: list[PlayedMatch] = []
    chunk = await receive.receive()
    while chunk is not None:
        matches += chunk
        if len(matches) >= TOGETHER or not receive.statistics().tasks_waiting_send:
            return matches, False
        chunk = receive.receive_nowait()
    return matches, True


async def _measured(
    schedule: Schedule, matches: Sequence[PlayedMatch]
) -> list[tuple[MatchKey, Returns, Returns]]:
    """Returns matches as a round takes them; their luck takes long to compute, so in a thread."""

    def measure() -> list[tuple[MatchKey, Returns, Returns]]:
        return [*map(schedule.measured, matches)]

    return measure() if schedule.luck is None else await trio.to_thread.run_sync(measure)


def _check_off(matches: Sequence[PlayedMatch], left: dict[MatchKey, Job], label: str) -> None:
    for match in matches:
        if left.pop(match.key, None) is None:
            raise HarnessFault(
                f"{label} delivered match {match.key} twice, or without a job for it"
            )
