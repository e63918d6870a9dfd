"""The matches of one round while it is played: those still to play, and sums over the played ones.

A match that was played is a byte here, and one more in the number of those that ended alike; so a
round of a million matches takes megabytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeAlias

from arena.core.record import MatchKey
from arena.core.tournaments.format import Job, Pairing, Round, RoundResult
from arena_tournaments.play.schedule import Counted, Returns, Schedule, counted_result, seatings
from arena_tournaments.play.volume import Fixed, Volume

Span: TypeAlias = tuple[int, int]
"""The first and the last of some matches of a pairing in a row, by their numbers (matches)."""


class RoundPlay:
    """The matches of one round: which will be played, and what came of those that were.

    Args:
        schedule: The schedule of the tournament.
        round: The round.
    """

    def __init__(self, schedule: Schedule, round: Round) -> None:
        self.round, self._schedule = round, schedule
        self._seatings = [seatings(pairing) for pairing in round.pairings]
        volume = schedule.volume(round.number)
        self._boards: list[_Board] = [
            _FixedBoard(volume.games)
            if isinstance(volume, Fixed)
            else _DecidedBoard(volume, schedule, pairing)
            for pairing in round.pairings
        ]
        self._unknown: list[MatchKey] = []
        away = round.away
        self._present = [away.isdisjoint(pairing.seats) for pairing in round.pairings]

    @property
    def counts_alone(self) -> bool:
        """True if nothing depends on single matches: ``add_alike`` may be used."""
        return self._schedule.amounts is None and all(
            isinstance(board, _FixedBoard) for board in self._boards
        )

    @property
    def legs(self) -> tuple[int, ...]:
        """Number of matches of each pairing, as far as results decide it."""
        return tuple(board.legs for board in self._boards)

    @property
    def matches(self) -> int:
        """Number of matches of the round, as far as results decide it."""
        return sum(self.legs)

    @property
    def done(self) -> int:
        """Number of them that are played."""
        return sum(board.done for board in self._boards)

    @property
    def left(self) -> int:
        """Number of them that are still to be played; none where somebody is absent."""
        boards = zip(self._boards, self._present, strict=True)
        return sum(board.legs - board.done for board, present in boards if present)

    @property
    def surplus(self) -> MatchKey | None:
        """The first match that was added and is not to be played, if there is one."""
        legs = enumerate((board.surplus for board in self._boards), 1)
        found = [MatchKey(self.round.number, board, leg) for board, leg in legs if leg is not None]
        return min([*found, *self._unknown[:1]], default=None)

    def add(self, key: MatchKey, values: Returns, luck: Returns = ()) -> None:
        """Adds a match that is played, once; see ``Schedule.measured``."""
        seats = self._seats(key)
        if seats:
            self._boards[key.pairing - 1].add(key.leg, seats, values, luck)
        else:
            self._unknown.append(key)

    def add_alike(self, pairing: int, spans: Iterable[Span], counted: Iterable[Counted]) -> None:
        """Adds matches of a pairing without looking at each; see ``counts_alone``.

        Args:
            pairing: Number of the pairing.
            spans: The matches.
            counted: The numbers of them that ended alike.
        """
        if not 0 < pairing <= len(self._boards):
            self._unknown += [MatchKey(self.round.number, pairing, first) for first, _ in spans]
            return
        board = self._boards[pairing - 1]
        assert isinstance(board, _FixedBoard)
        board.add_alike(spans, counted)

    def job(self, key: MatchKey) -> Job | None:
        """Returns a match of a pairing, whether it will be played or not."""
        seats = self._seats(key)
        return self._schedule.job(key, seats) if seats else None

    def _seats(self, key: MatchKey) -> tuple[int, ...]:
        if not 0 < key.pairing <= len(self._seatings) or key.leg < 1:
            return ()
        rows = self._seatings[key.pairing - 1]
        return rows[(key.leg - 1) % len(rows)]

    def points(self, pairing: int) -> Sequence[float]:
        """Returns the points of a pairing's first entrant, of each match up to one not played.

        They are known only where results decide how much is played; else there are none.
        """
        return self._boards[pairing - 1].points()

    def luck(self, pairing: int) -> Sequence[float]:
        """Returns the luck of a pairing's first entrant in each match of ``points``, if known."""
        return self._boards[pairing - 1].luck()

    def jobs(self) -> Iterator[Job]:
        """Yields the matches that are still to be played, pairing by pairing."""
        number = self.round.number
        for pairing, board in enumerate(self._boards, 1):
            if self._present[pairing - 1]:
                rows = self._seatings[pairing - 1]
                for leg in board.missing():
                    seats = rows[(leg - 1) % len(rows)]
                    yield self._schedule.job(MatchKey(number, pairing, leg), seats)

    def pieces(self, size: int) -> Iterator[list[Job]]:
        """Yields the matches that are still to be played now, that many at a time."""
        jobs = self.jobs()
        while piece := list(islice(jobs, size)):
            yield piece

    def extend(self) -> bool:
        """Has further matches played where the results call for more; returns whether any do."""
        return sum([board.extend() for board in self._boards]) > 0  # of every board

    def result(self) -> RoundResult:
        """Returns the result of the round, as if it ended now.

        Where luck decides how much is played, nothing is awarded to who is left alone: without
        the records nobody could say how much was missing.
        """
        return counted_result(
            self.round,
            [board.counted() for board in self._boards],
            [0 if self._schedule.luck else board.legs - board.done for board in self._boards],
            by_amount=self._schedule.amounts is not None,
        )


class _Board(Protocol):
    """The matches of one pairing.

    Attributes:
        legs: Number of matches to play, as far as results decide it.
        done: Number of them that are played.
    """

    @property
    def legs(self) -> int: ...

    @property
    def done(self) -> int: ...

    @property
    def surplus(self) -> int | None: ...

    def add(self, leg: int, seats: tuple[int, ...], values: Returns, luck: Returns) -> None: ...

    def missing(self) -> Iterator[int]: ...

    def points(self) -> Sequence[float]: ...

    def luck(self) -> Sequence[float]: ...

    def extend(self) -> bool: ...

    def counted(self) -> Sequence[Counted]: ...


class _FixedBoard:
    def __init__(self, games: int) -> None:
        self.legs, self.done = games, 0
        self.surplus: int | None = None
        self._played = bytearray(games)
        self._ended: Counter[tuple[tuple[int, ...], Returns]] = Counter()

    def add(self, leg: int, seats: tuple[int, ...], values: Returns, luck: Returns) -> None:
        if leg > self.legs:
            self.surplus = min(leg, self.surplus or leg)
        else:
            self._played[leg - 1] = 1
            self._ended[seats, values] += 1
            self.done += 1

    def add_alike(self, spans: Iterable[Span], counted: Iterable[Counted]) -> None:
        for first, last in spans:
            if first < 1 or last > self.legs:
                self.surplus = first if first < 1 else self.legs + 1
            else:
                self._played[first - 1 : last] = b"\1" * (last - first + 1)
        for seats, values, number in counted:
            self._ended[seats, values] += number
            self.done += number

    def missing(self) -> Iterator[int]:
        leg = 0
        while leg := self._played.find(0, leg) + 1:
            yield leg

    def points(self) -> Sequence[float]:
        return ()

    luck = points

    def extend(self) -> bool:
        return False

    def counted(self) -> Sequence[Counted]:
        return [(*key, number) for key, number in self._ended.items()]


class _DecidedBoard:
    def __init__(self, volume: Volume, schedule: Schedule, pairing: Pairing) -> None:
        self._volume, self._schedule = volume, schedule
        self._first, self._group = pairing.seats[0], schedule.group(len(pairing.seats))
        self._played: dict[int, tuple[tuple[int, ...], Returns]] = {}
        self._lucks: dict[int, float] = {}  # of the first entrant, by leg
        self._points: list[float] = []  # of the first entrant, up to a match that is not played
        self.legs = 0
        self.extend()

    @property
    def done(self) -> int:
        return sum(leg <= self.legs for leg in self._played)

    @property
    def surplus(self) -> int | None:
        return min((leg for leg in self._played if leg > self.legs), default=None)

    def add(self, leg: int, seats: tuple[int, ...], values: Returns, luck: Returns) -> None:
        self._played[leg] = seats, values
        if luck:
            self._lucks[leg] = luck[seats.index(self._first)]

    def missing(self) -> Iterator[int]:
        return (leg for leg in range(1, self.legs + 1) if leg not in self._played)

    def points(self) -> Sequence[float]:
        points = self._points
        while ended := self._played.get(len(points) + 1):
            seats, values = ended
            points.append(self._schedule.points(seats.index(self._first), values))
        return points

    def luck(self) -> Sequence[float]:
        return [self._lucks[leg] for leg in range(1, len(self.points()) + 1)] if self._lucks else ()

    def extend(self) -> bool:
        before, points, luck = self.legs, self.points(), self.luck()
        # Waves follow from matches that do not change, so that only the next ones are new.
        while len(points) >= self.legs:
            wave = self._volume.more(points[: self.legs], self._group, luck[: self.legs])
            if not wave:
                break
            self.legs += wave
        return self.legs != before

    def counted(self) -> Sequence[Counted]:
        kept = Counter(ended for leg, ended in self._played.items() if leg <= self.legs)
        return [(*key, number) for key, number in kept.items()]


Begin: TypeAlias = Callable[[Round], RoundPlay]
"""Returns the matches of a round, with those that were played before a stop."""
