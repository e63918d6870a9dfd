"""Checks a bot: real matches against random play in every seat, and how reproducible it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from arena.core.bot import Bot
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Termination
from arena.core.record import MatchRecord
from arena.core.seeding import derive_seed
from arena.match.clock import Limits
from arena.match.play import Played
from arena.match.replay import replay
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
    """A match that the bot lost by its own fault.

    Attributes:
        match: Number of the match in this check, from 1.
        seed: Seed of the deal.
        seat: The seat the bot sat in.
        cause: What it did.
        reason: One line.
        move: Number of decisions taken before, by both.
        position: What the bot saw, as text; empty before the deal.
        error: Its traceback, if it raised.
    """

    match: int
    seed: int
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
        points: Match points taken: a win 1, a draw 1/2.
        requests: Requests that the bot answered (starts, offers, decisions), of all matches.
        nanoseconds: Time it took for them.
        failures: The matches it lost by its own fault.
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
        """Whether the bot may be entered: it lost no match by its own fault."""
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
    """Plays the bot in every seat, the same deals seat after seat, twice over.

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
    seats = [runs.seat(number) for number in range(matches)]
    returns = [record.outcome.returns[s] for (record, _), s in zip(fresh, seats, strict=True)]
    used = [measured for _, measured in fresh]
    return BotReport(
        matches=matches,
        points=sum((value > 0) + (value == 0) / 2 for value in returns),
        requests=sum(u.requests[s] for u, s in zip(used, seats, strict=True)),
        nanoseconds=sum(u.nanoseconds[s] for u, s in zip(used, seats, strict=True)),
        failures=tuple(
            _failure(game, number, played)
            for number, played in enumerate(fresh)
            if played[0].outcome.offender == seats[number]
        ),
        deterministic=deterministic,
    )


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
        self._seats = game.seats.start

    def seat(self, number: int) -> int:
        return number % self._seats

    def match(self, number: int, bot: BotFactory) -> Played:
        makers = [self._opponent] * self._seats
        names = ["opponent"] * self._seats
        makers[self.seat(number)] = bot
        names[self.seat(number)] = "bot"
        deal = derive_seed(self._seed, "deal", number // self._seats)
        private = derive_seed(self._seed, "bots", number)
        return self._play(self._game, self._ruleset, deal, private, makers, names, self._limits)


def _moves(run: Sequence[Played]) -> list[tuple[tuple[bytes, ...], bytes]]:
    return [(record.loadouts, record.actions) for record, _ in run]


def _failure(game: AnyGame, number: int, played: Played) -> BotFailure:
    record, measured = played
    ending = record.outcome
    seat = ending.offender
    assert seat is not None
    return BotFailure(
        match=number + 1,
        seed=record.seed,
        seat=seat,
        cause=ending.termination,
        reason=ending.reason,
        move=ending.move or 0,
        position=_position(game, record, seat),
        error=measured.error,
    )


def _position(game: AnyGame, record: MatchRecord, seat: int) -> str:
    last = deque(replay(game, record), maxlen=1)
    return game.render(last[0].state.observation(seat)) if last else ""
