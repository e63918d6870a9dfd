"""Checks a bot: real matches against random play in every seat, and how reproducible it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from arena.core.bot import Bot
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Fault, Termination
from arena.core.seeding import derive_seed
from arena.match.adjudication import faults_of
from arena.match.clock import Limits
from arena.match.play import Played
from arena.match.replay import state_before
from arena.testing.scripted import RandomBot

BotFactory = Callable[[], Bot[Any]]
"""Makes a fresh bot object."""


class PlayMatch(Protocol):
    """Plays one match with new bots: ``arena.host.inline.play_inline``, or alike."""

    def __call__(
        self,
        game: AnyGame,
        ruleset: Ruleset,
        seed: int,
        bot_seed: int,
        makers: Sequence[BotFactory],
        names: Sequence[str],
        limits: Limits,
    ) -> Played:
        """The record and the measurement of the match."""


class BotFailure(msgspec.Struct, frozen=True):
    """A match that the bot broke: it lost it, or was taken out of it.

    Attributes:
        match: Number of the match in this check, from 1.
        seed: Seed of the deal.
        seats: Number of seats at the table.
        seat: The seat the bot sat in.
        cause: What it did.
        reason: One line.
        move: Number of decisions taken before, by all seats.
        position: What the bot saw, as text; empty before the deal.
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


class BotReport(msgspec.Struct, frozen=True):
    """What a check of a bot found.

    Attributes:
        matches: Matches played.
        points: Match points taken: in each match the share of the opponents that the bot left
            behind, a shared place counting half (of two seats: a win 1, a draw 1/2).
        requests: Requests that the bot answered (starts, offers, decisions), of all matches.
        nanoseconds: Time it took for them.
        failures: The matches that it broke.
        deterministic: Whether the bot, given the same seeds, did the same again, with the matches
            in the opposite order: a badge, no condition of entry.
    """

    matches: int
    points: float
    requests: int
    nanoseconds: int
    failures: tuple[BotFailure, ...]
    deterministic: bool

    @property
    def passed(self) -> bool:
        """Whether the bot may be entered: it broke no match."""
        return not self.failures


def check_bot(
    play: PlayMatch,
    factory: BotFactory,
    game: AnyGame,
    ruleset: Ruleset,
    matches: int = 20,
    seed: int = 0,
    opponent: BotFactory = RandomBot,
    limits: Limits | None = None,
) -> BotReport:
    """Plays the bot in every seat of tables of every size, the same deals seat after seat, twice.

    One table after the other, the smallest first: for 2 to 6 seats 20 matches reach every seat.

    Args:
        play: How matches are played.
        factory: Makes the bot.
        game: The game.
        ruleset: The rules to play by.
        matches: Matches of each of the two runs.
        seed: Everything follows from it.
        opponent: Makes whoever sits in the other seats.
        limits: What each seat may use.
    """
    runs = _Runs(play, game, ruleset, seed, opponent, limits or Limits())
    numbers = range(matches)
    fresh = [runs.match(number, factory) for number in numbers]
    again = [runs.match(number, factory) for number in reversed(numbers)][::-1]
    deterministic = _moves(fresh) == _moves(again)
    seats = [runs.place(number).seat for number in numbers]
    returns = [record.outcome.returns[s] for (record, _), s in zip(fresh, seats, strict=True)]
    used = [measured for _, measured in fresh]
    return BotReport(
        matches=matches,
        points=sum((1 + value) / 2 for value in returns),
        requests=sum(u.requests[s] for u, s in zip(used, seats, strict=True)),
        nanoseconds=sum(u.nanoseconds[s] for u, s in zip(used, seats, strict=True)),
        failures=tuple(
            _failure(game, number, played, fault)
            for number, played in enumerate(fresh)
            for fault in faults_of(played[0].outcome)
            if fault.seat == seats[number]
        ),
        deterministic=deterministic,
    )


class _Place(NamedTuple):
    """Where the bot sits: which of the tables, how many seats it has, and in which of them."""

    table: int
    seats: int
    seat: int


class _Runs:
    """Plays match number n the same way in every run."""

    def __init__(
        self,
        play: PlayMatch,
        game: AnyGame,
        ruleset: Ruleset,
        seed: int,
        opponent: BotFactory,
        limits: Limits,
    ) -> None:
        self._play, self._game, self._ruleset = play, game, ruleset
        self._seed, self._opponent, self._limits = seed, opponent, limits
        tables = list(enumerate(game.seats))
        self._places = [_Place(n, size, seat) for n, size in tables for seat in range(size)]

    def place(self, number: int) -> _Place:
        return self._places[number % len(self._places)]

    def match(self, number: int, bot: BotFactory) -> Played:
        table, seats, seat = self.place(number)
        makers, names = [self._opponent] * seats, ["opponent"] * seats
        makers[seat], names[seat] = bot, "bot"
        table += number // len(self._places) * len(self._game.seats)
        deal = derive_seed(self._seed, "deal", table)
        private = derive_seed(self._seed, "bots", number)
        return self._play(self._game, self._ruleset, deal, private, makers, names, self._limits)


def _moves(run: Sequence[Played]) -> list[tuple[tuple[bytes, ...], bytes]]:
    return [(record.loadouts, record.actions) for record, _ in run]


def _failure(game: AnyGame, number: int, played: Played, fault: Fault) -> BotFailure:
    record, measured = played
    asked = measured.requests[fault.seat] > 1  # its seating is the first request
    state = state_before(game, record, fault) if asked else None
    return BotFailure(
        match=number + 1,
        seed=record.seed,
        seats=len(record.seats),
        seat=fault.seat,
        cause=fault.cause,
        reason=fault.reason,
        move=fault.move,
        position=game.render(state.observation(fault.seat)) if state else "",
        error=measured.error,
    )
