"""Qualifies a submitted bot: real matches where untrusted bots run, and a report of its faults.

The check of ``arena.testing`` against random play tries every seat, twice. Then the bot meets each
built-in bot of the game in a short match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from arena_results.bots.submissions import CheckSummary, GameReport
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadPlugin
from arena.core.game import AnyGame
from arena.core.record import PlayedMatch
from arena.core.text.printable import printable_text
from arena.core.tournaments.format import BotDriver, Job
from arena.host.box.levels import Level
from arena.host.process.launch import MatchSettings
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from arena.service.lookup.drivers import open_driver
from arena.service.lookup.isolation import limits_of, resources_of
from arena.testing.check_bot import BOT, OPPONENT, BotReport, check_bot
from arena.testing.reasons import in_one_line

RANDOM = "random"
"""The built-in bot of the long check: it is quick, and reaches every corner of a game."""
MATCHES, SHORT_MATCHES = 20, 4
"""Matches of each of the two runs against random play, and against another built-in bot."""


class Qualification(msgspec.Struct, frozen=True, kw_only=True):
    """The findings about a bot in one game.

    Attributes:
        checks: The report of the matches against each opponent, by name.
        refusal: Why the bot could not even be started; empty when it could.
        error: The traceback and the log of a bot that could not be started.
    """

    game: str
    ruleset: str
    checks: dict[str, BotReport] = {}
    refusal: str = ""
    error: str = ""

    @property
    def passed(self) -> bool:
        """True if the bot may be entered: it broke no match."""
        return not self.refusal and all(check.passed for check in self.checks.values())

    @property
    def deterministic(self) -> bool:
        """True if it did the same again under the same seeds, against everybody."""
        return all(check.deterministic for check in self.checks.values())

    @property
    def complaint(self) -> str:
        """The bot's problem, for its author; empty when it passed.

        The first opponent against whom it failed is enough: position, traceback and log.
        """
        if self.refusal:
            return printable_text(f"{self.game}: {self.refusal}\n{self.error}").rstrip()
        for opponent, check in self.checks.items():
            if not check.passed:
                return printable_text(f"against {opponent} it {check.complaint}")
        return ""

    @property
    def why(self) -> str:
        """The same in one line: the cause of the first fault; empty when it passed."""
        if self.refusal:
            return in_one_line(f"{self.game}: {self.refusal}", self.error)
        for opponent, check in self.checks.items():
            if not check.passed:
                return f"{self.game}, against {opponent}: {check.failures[0].why}"
        return ""

    def summary(self) -> GameReport:
        """The part that is stored: nothing that differs from run to run."""
        against = {
            opponent: CheckSummary(
                check.matches, check.points, check.deterministic, check.isolation
            )
            for opponent, check in self.checks.items()
        }
        return GameReport(self.ruleset, against)


def qualify(
    source: BotSource,
    game: AnyGame,
    house: Mapping[str, BotSource],
    level: Level,
    seed: int,
    spec: TournamentSpec,
) -> Qualification:
    """Plays a bot against built-in bots under the game's first ruleset until it breaks a match.

    Args:
        house: The built-in bots that it meets, by name, in order (``house_bots``).
        level: The isolation of bots that are not trusted.
        seed: Seed of everything.
        spec: Has the limits of its time.
    """
    ruleset = game.ruleset()
    settings = MatchSettings(game, ruleset, limits_of(spec), resources_of(spec), level)
    checks: dict[str, BotReport] = {}
    try:
        with open_driver(settings, (source, *house.values())) as driver:
            for member, opponent in enumerate(house, start=1):
                matches = MATCHES if opponent == RANDOM else SHORT_MATCHES
                against = _Against(driver, member)
                report = check_bot(against, game, ruleset, matches, seed)
                checks[opponent] = _without(f"{source.folder}/", report)
                if not checks[opponent].passed:
                    break
    except BadPlugin as error:
        notes = "\n".join(getattr(error, "__notes__", ()))
        return Qualification(
            game=game.name,
            ruleset=ruleset.name,
            checks=checks,
            refusal=str(error),
            error=notes.replace(f"{source.folder}/", ""),
        )
    return Qualification(game=game.name, ruleset=ruleset.name, checks=checks)


def house_bots(registry: Registry, game: str) -> dict[str, BotSource]:
    """Returns the built-in bots that play a game, random play first."""
    names = [bot.name for bot in registry.bots() if bot.is_opponent(game)]
    names.sort(key=lambda name: name != RANDOM)
    return {name: registry.resolve_bot(name) for name in names}


def _without(folder: str, report: BotReport) -> BotReport:
    """The report without the folder of this run in tracebacks: its author has another."""
    failures = (
        msgspec.structs.replace(failure, error=failure.error.replace(folder, ""))
        for failure in report.failures
    )
    return msgspec.structs.replace(report, failures=tuple(failures))


class _Against:
    """A driver of two: the bot, and one member of a larger field in every other seat."""

    def __init__(self, driver: BotDriver, member: int) -> None:
        self._driver = driver
        self._members = {BOT: 0, OPPONENT: member}

    def __call__(self, jobs: Sequence[Job]) -> Sequence[PlayedMatch]:
        return self._driver(
            [
                msgspec.structs.replace(job, seats=tuple(map(self._members.__getitem__, job.seats)))
                for job in jobs
            ]
        )
