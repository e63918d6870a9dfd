"""Shares the time of a season among its bots: one that thinks long rests while others play.

A bot's time accrues evenly, by a number of seconds per hour. A bot that has used up its time, while
others wait for it, rests (``RulingKind.REST``): its other matches of the round are left out. It
returns when it has saved some time again, or no other bot needs matches. These decisions are stored
before anything is paired by them: checking a season needs no clock.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from math import inf
from time import monotonic

import msgspec
import trio
from arena_results.schema.rows import PairingSums, StoredTournament
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Plan

from arena.core.errors import BadInput, BadStore
from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import Pace
from arena.core.tournaments.format import RoundResult
from arena.core.tournaments.rulings import Ruling, RulingKind, absences
from arena.service.run.changes.rulings import Rulings, resting
from arena.service.run.watching.progress import Progress

HOUR, MINUTE = 3600.0, 60.0
SAVED = 1 / 36
"""Share of an hour's time that a bot can save up: with 360 s an hour it is 10 s."""
SHORT_SECONDS = 1.0
"""Time up to which others wait for a bot: a rest costs them more."""
CHECK_SECONDS = 1.0
"""Time between two looks at whether others wait for a bot that has used up its time."""
PAUSE_SECONDS = 0.05
"""Least time between two of these looks."""
PIECES = 60
"""Parts of an hour in which used time is counted."""
REASON = "it used up its time while others waited"


class BotTime:
    """The time that bots have used.

    Args:
        seconds: Time of each bot in an hour.
        clock: Gives seconds that pass.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.seconds, self._clock = seconds, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._used: dict[str, deque[tuple[int, float]]] = {}

    def use(self, bot: str, seconds: float) -> None:
        """Counts time that a bot has thought."""
        self._left[bot] = self.left(bot) - seconds, self._clock()
        piece, used = int(self._clock() * PIECES / HOUR), self._used.setdefault(bot, deque())
        if used and used[-1][0] == piece:
            seconds += used.pop()[1]
        used.append((piece, seconds))
        while used[0][0] <= piece - PIECES:
            used.popleft()

    @property
    def most(self) -> float:
        """The seconds that a bot can save up."""
        return self.seconds * SAVED

    def left(self, bot: str) -> float:
        """Returns the seconds that a bot may use now; below 0 it has used more."""
        left, since = self._left.get(bot, (self.most, 0.0))
        return min(self.most, left + (self._clock() - since) * self.seconds / HOUR)

    def is_rested(self, bot: str) -> bool:
        """Returns whether a bot has saved up its whole time."""
        return self.left(bot) >= self.most

    def used(self, bot: str) -> float:
        """Returns the seconds that a bot has used in the last hour."""
        first = int(self._clock() * PIECES / HOUR) - PIECES
        return sum(seconds for piece, seconds in self._used.get(bot, ()) if piece > first)


class Holder(msgspec.Struct, frozen=True):
    """A bot for which the others wait.

    Attributes:
        since: When the other matches of the round were played, UTC.
    """

    name: str
    since: datetime


class SeasonTime:
    """The time of a season, for its runner and its pages.

    Args:
        seconds: Time of each bot per hour.

    Attributes:
        time: The time that bots have used, by the keys of participants.
        match_seconds: The time that entries take in a match: ``Pace.seconds`` of each run.
        keys: The keys of the field.
        names: Its names.
        resting: The entries that rest.
        holders: The bots that the round waits for.
        changes: Number of times that these changed.
    """

    def __init__(self, seconds: float) -> None:
        self.time, self.changes = BotTime(seconds), 0
        self.match_seconds: dict[int, float] = {}
        self.keys: tuple[str, ...] = ()
        self.names: tuple[str, ...] = ()
        self.resting: tuple[int, ...] = ()
        self.holders: tuple[Holder, ...] = ()

    def see_field(self, stored: StoredTournament) -> None:
        """Takes the field of a season, and who of it rests."""
        self.keys = tuple([each.participant.key for each in stored.field])
        self.names, self.resting = tuple(stored.names), resting(stored)

    def hold(self, entries: Sequence[int]) -> None:
        """Takes the entries that hold the round now."""
        known, at = {each.name: each for each in self.holders}, datetime.now(UTC)
        names = [self.names[each] for each in entries]
        self.changes += names != [*known]
        self.holders = tuple([known.get(name) or Holder(name, at) for name in names])

    def lines(self) -> list[str]:
        """Describes who holds the round and who rests, a bot a line, and the rule of it."""
        lines = [
            f"{each.name} holds the round since {each.since:%H:%M:%S} UTC: all other matches of it "
            f"are played. {self._used(self.names.index(each.name))}"
            for each in self.holders
            if each.name in self.names
        ]
        lines += [
            f"{self.names[each]} rests while others play. {self._used(each)}"
            for each in self.resting
        ]
        return [*lines, self._rule()] if lines else []

    def _rule(self) -> str:
        minute, most = self.time.seconds * MINUTE / HOUR, self.time.most
        return (
            f"Each bot gets {minute:.3g} s of time a minute, and can save up {most:.3g} s. A bot "
            "that has used up its time rests as soon as others would have to wait for it. It "
            f"returns when it has saved up {most:.3g} s again, or when nobody else needs a match."
        )

    def _used(self, entry: int) -> str:
        time = self.time
        return f"It has used {time.used(self.keys[entry]):.0f} of {time.seconds:g} s this hour."


class SeasonProgress(Progress):
    """Follows the round of a season that is played, and counts the time of its bots.

    Args:
        shared: Gets the time.
        pace: The pace of the run.

    Attributes:
        field_changed: Whether the field is another one than ``shared`` knows.
        news: Set when matches are played.
    """

    def __init__(
        self, plan: Plan, played: Mapping[tuple[int, int], PairingSums], shared: SeasonTime,
        pace: Pace,
    ) -> None:  # fmt: skip
        self.shared, self.pace, self.field_changed = shared, pace, False
        self.news = trio.Event()
        super().__init__(plan, played)

    def plan_changed(self, plan: Plan) -> None:
        super().plan_changed(plan)
        self.field_changed = True
        self.shared.hold(())

    def round_started(self, play: RoundPlay) -> None:
        super().round_started(play)
        self.shared.hold(())

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        super().matches_played(matches)
        for match in matches:
            for key, nanoseconds in zip(
                match.record.seats, match.measurement.nanoseconds, strict=True
            ):
                self.shared.time.use(key, nanoseconds / 1e9)
        self.pace.deciding = bool(self.holding())
        self.news.set()

    def round_finished(self, result: RoundResult) -> None:
        super().round_finished(result)
        self.shared.hold(())

    def holding(self) -> tuple[int, ...]:
        """Returns the bots without which nothing of the round is left to play, in order.

        They are the bots with open matches that have used up their time, and will not be done soon.
        """
        play, time = self._play, self.shared.time
        over = {index for index, key in enumerate(self.shared.keys) if time.left(key) < 0}
        over.difference_update(self.shared.resting)
        if play is None or self.pace.holding or not over:
            return ()
        jobs = [*play.jobs()]
        number = Counter(entry for job in jobs for entry in job.seats)
        known = self.pace.seconds
        over = {one for one in over if number[one] * known.get(one, inf) > SHORT_SECONDS}
        found: set[int] = set()
        for job in jobs:
            own = over.intersection(job.seats)
            if not own:
                return ()  # there are other matches to play
            found |= own
        return tuple(sorted(found))

    def others_wait(self, holding: Sequence[int]) -> Callable[[], bool] | None:
        """Returns a function, for a thread, that finds whether others would play without some."""
        play, plan = self._play, self._plan
        if play is None:
            return None
        number = play.round.number
        made = [
            Ruling(kind=RulingKind.REST, entry=each, round=number + 1, now=True) for each in holding
        ]
        plan = msgspec.structs.replace(plan, rulings=(*plan.rulings, *made))
        result = play.result()
        round = msgspec.structs.replace(play.round, absent=absences(plan.rulings, number))
        results = [*self._results, msgspec.structs.replace(result, round=round)]

        def find() -> bool:
            following = plan.next_round(results)
            return following is not None and bool(following.pairings)

        return find


async def share_time(rulings: Rulings, progress: SeasonProgress) -> None:
    """Has bots rest that hold the round while others would play, until it is cancelled."""
    shared = progress.shared
    while True:
        with trio.move_on_after(CHECK_SECONDS):
            await progress.news.wait()
        progress.news = trio.Event()
        with suppress(BadInput):  # the tournament went on meanwhile, or the database is in use
            if progress.field_changed:
                progress.field_changed = False
                shared.see_field(await trio.to_thread.run_sync(rulings.stored))
            holding = progress.holding()
            shared.hold(holding)
            find = progress.others_wait(holding) if holding else None
            if find is not None and await trio.to_thread.run_sync(find):
                for name in [shared.names[each] for each in holding]:
                    await trio.to_thread.run_sync(rulings.rest, name, REASON)
                shared.resting = (*shared.resting, *holding)
                progress.pace.recalled = True
        progress.pace.deciding = False
        await trio.sleep(PAUSE_SECONDS)


async def bring_back(rulings: Rulings, shared: SeasonTime, *, everybody: bool) -> tuple[str, ...]:
    """Ends the rest of bots that have saved up time again; returns their names.

    Args:
        everybody: Whether all return, for nobody else needs matches.

    Raises:
        BadStore: The database cannot be used.
    """
    if not _due(shared, everybody):
        return ()
    shared.see_field(await trio.to_thread.run_sync(rulings.stored))
    back = []
    for name in [shared.names[each] for each in _due(shared, everybody)]:
        try:
            await trio.to_thread.run_sync(rulings.bring_back, name)
        except BadStore:
            raise
        except BadInput:  # it has left meanwhile, or the season is over
            continue
        back.append(name)
    shared.see_field(await trio.to_thread.run_sync(rulings.stored))
    return tuple(back)


def _due(shared: SeasonTime, everybody: bool) -> list[int]:
    return [
        each for each in shared.resting if everybody or shared.time.is_rested(shared.keys[each])
    ]
