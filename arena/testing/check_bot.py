"""Checks a bot: real matches against another in every seat, and how reproducible it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from textwrap import indent
from typing import TypeAlias

import msgspec

from arena.core.chance.seeding import derive_seed
from arena.core.defaults import CHECK_MATCHES
from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Fault, Outcome, Termination, utilities
from arena.core.record import MatchKey, Measurement, PlayedMatch
from arena.core.tournaments.format import BotDriver, Job
from arena.match.adjudication import faults_of
from arena.match.replay import state_before
from arena.testing.reasons import in_one_line

BOT, OPPONENT = 0, 1
"""The field that a driver of ``check_bot`` plays: the bot, and the one in every other seat."""


ENOUGH = 3
"""Faults of one kind after which a check stops: more of them show nothing new, and take time."""
MAX_BATCH = 256
"""Matches that are played at once at most; it begins with one."""

OnPlayed: TypeAlias = Callable[[int, int, int], object]
"""Called after some matches: with the number of all, of those played, and of the faults."""


class BotFailure(msgspec.Struct, frozen=True):
    """A match that the bot broke.

    Attributes:
        match: Number of the match in this check, from 1.
        seed: Seed of the deal.
        seats: Number of seats at the table.
        seat: The bot's seat.
        cause: The kind of its fault.
        reason: One line.
        move: Number of decisions taken before, by all seats.
        position: The bot's view as text; empty before the deal.
        error: Its traceback, if it raised.
    """

    match: int
    seed: int
    seats: int
    seat: int
    cause: Termination
    reason: str
    move: int
    position: str
    error: str

    @property
    def headline(self) -> str:
        """One line with the match, the seat, the move and the fault."""
        return (
            f"match {self.match} (seed {self.seed}), seat {self.seat} of {self.seats}, "
            f"move {self.move}: {self.cause}: {self.reason}"
        )

    @property
    def why(self) -> str:
        """The fault with its cause in one line: message and place of its error, or last words."""
        return f"{self.cause}: {in_one_line(self.reason, self.error)}"

    @property
    def details(self) -> str:
        """The bot's view and its traceback; empty when there is neither."""
        error = self.error if self.error != self.reason else ""
        return "\n".join(filter(None, (self.position.rstrip(), error.rstrip())))


class BotReport(msgspec.Struct, frozen=True):
    """The result of a check of a bot.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset.
        isolation: The level at which the bot ran, as in ``Measurement.isolation``.
        matches: Matches per run, of two.
        points: Match points: per match the share of the opponents that the bot beat, a shared place
            counting half (of two seats: a win 1, a draw 1/2).
        requests: Requests that the bot answered (starts, offers, decisions).
        nanoseconds: Wall-clock time for them.
        cpu_nanoseconds: CPU time for them; 0 for a trusted bot.
        failures: The matches that it broke.
        deterministic: Whether the bot did the same again with the same seeds, in the opposite
            order; not needed to enter. ``False`` if untried.
        stopped: Whether the check ended early, after ``ENOUGH`` like faults.
    """

    game: str
    ruleset: str
    isolation: str
    matches: int
    points: float
    requests: int
    nanoseconds: int
    cpu_nanoseconds: int
    failures: tuple[BotFailure, ...]
    deterministic: bool
    stopped: bool = False

    @property
    def passed(self) -> bool:
        """The bot may be entered: it broke no match."""
        return not self.failures

    @property
    def complaint(self) -> str:
        """The faults of the bot, for its author; empty when it passed.

        The first in full, one of every other kind in a line.
        """
        if self.passed:
            return ""
        kinds: dict[_Kind, list[BotFailure]] = {}
        for failure in self.failures:
            kinds.setdefault(_kind(failure), []).append(failure)
        same, *others = kinds.values()
        lines = [
            f"broke {len(self.failures)} of {self.matches} matches of {self.game}, {self.ruleset}",
            same[0].headline,
            indent(same[0].details, "  "),
            f"the like in {len(same) - 1} more" if len(same) > 1 else "",
            *(other[0].headline for other in others),
        ]
        return "\n".join(filter(None, lines))


def check_bot(
    driver: BotDriver,
    game: AnyGame,
    ruleset: Ruleset,
    matches: int = CHECK_MATCHES,
    seed: int = 0,
    played: OnPlayed = lambda of, done, faults: None,
) -> BotReport:
    """Plays the bot in every seat of tables of every size, the same deals for each seat, twice.

    Small tables come first: for 2 to 6 seats 20 matches reach every seat. The second run is in the
    opposite order. Three like faults end the check.

    Args:
        driver: Plays matches; member ``BOT`` of its field is the bot, ``OPPONENT`` sits in every
            other seat.
        matches: Matches of each of the two runs.
        seed: Seed of everything.
        played: Called after some matches.

    Raises:
        BadInput: There are no matches to play.
        HarnessFault: A match was void.
    """
    if matches < 1:
        raise BadInput(f"matches: expected 1 or more, not {matches}")
    jobs = _jobs(game, matches, seed)
    fresh, stopped = _play_until(driver, jobs, partial(played, 2 * matches))
    again = [] if stopped else list(driver(jobs[::-1]))[::-1]
    mine = [(match, job.seats.index(BOT)) for match, job in zip(fresh, jobs, strict=False)]
    return BotReport(
        game=game.name,
        ruleset=ruleset.name,
        isolation=", ".join(sorted({_isolation(m.measurement, seat) for m, seat in mine})),
        matches=len(fresh),
        points=sum(_points(match.record.outcome, seat) for match, seat in mine),
        requests=sum(match.measurement.requests[seat] for match, seat in mine),
        nanoseconds=sum(match.measurement.nanoseconds[seat] for match, seat in mine),
        cpu_nanoseconds=sum(sum(m.measurement.cpu_nanoseconds[seat:][:1]) for m, seat in mine),
        failures=tuple(
            _failure(game, match, fault) for match, seat in mine for fault in _faults(match, seat)
        ),
        deterministic=_moves(fresh) == _moves(again),
        stopped=stopped,
    )


def _play_until(
    driver: BotDriver, jobs: Sequence[Job], played: Callable[[int, int], object]
) -> tuple[list[PlayedMatch], bool]:
    """Plays matches until all are played or ``ENOUGH`` faults are alike, which the second value
    says.
    """
    fresh: list[PlayedMatch] = []
    kinds: Counter[_Kind] = Counter()
    while len(fresh) < len(jobs) and max(kinds.values(), default=0) < ENOUGH:
        size = 1 if len(fresh) < ENOUGH else min(len(fresh), MAX_BATCH)
        part = jobs[len(fresh) : len(fresh) + size]
        matches = list(driver(part))
        for match, job in zip(matches, part, strict=True):
            kinds.update(map(_kind, _faults(match, job.seats.index(BOT))))
        fresh += matches
        played(len(fresh), kinds.total())
    return fresh, max(kinds.values(), default=0) >= ENOUGH


_Kind: TypeAlias = tuple[Termination, str]


def _kind(fault: Fault | BotFailure) -> _Kind:
    return fault.cause, fault.reason.split(" ")[0]


def _faults(match: PlayedMatch, seat: int) -> list[Fault]:
    return [fault for fault in faults_of(match.record.outcome) if fault.seat == seat]


def _points(outcome: Outcome, seat: int) -> float:
    """Returns the share of its opponents that a seat has beaten, a tie half."""
    return (1 + utilities([-each for each in outcome.returns])[seat]) / 2


def _jobs(game: AnyGame, matches: int, seed: int) -> list[Job]:
    """Returns the matches by number: one deal per table, with the bot in each seat."""
    tables = list(enumerate(game.seats))
    places = [(table, seats, seat) for table, seats in tables for seat in range(seats)]
    jobs = []
    for number in range(matches):
        turn, place = divmod(number, len(places))
        table, seats, mine = places[place]
        deal = derive_seed(seed, "deal", table + turn * len(tables))
        seated = tuple(BOT if seat == mine else OPPONENT for seat in range(seats))
        jobs.append(
            Job(MatchKey(1, number + 1, 1), deal, derive_seed(seed, "bots", number), seated)
        )
    return jobs


def _moves(run: Sequence[PlayedMatch]) -> list[tuple[tuple[bytes, ...], bytes]]:
    return [(match.record.loadouts, match.record.actions) for match in run]


def _isolation(measurement: Measurement, seat: int) -> str:
    levels = measurement.isolation.split(",")
    return levels[seat].strip() if len(levels) > 1 else levels[0]


def _failure(game: AnyGame, match: PlayedMatch, fault: Fault) -> BotFailure:
    record, measured = match.record, match.measurement
    asked = measured.requests[fault.seat] > 1  # its seating is the first request
    state = state_before(game, record, fault) if asked else None
    return BotFailure(
        match=match.key.pairing,
        seed=record.seed,
        seats=len(record.seats),
        seat=fault.seat,
        cause=fault.cause,
        reason=fault.reason,
        move=fault.move,
        position=game.render(state.observation(fault.seat)) if state else "",
        error=measured.error,
    )
