"""The pytest plugin for authors: a bot's own repository tests it in three lines.

It stands on the roof, as it wires the checks (``arena.testing``) to a host, and every pytest run
where Arena is installed loads it: so nothing of Arena is imported before a fixture is used.
docs/howto/test-a-bot.md shows the fixtures at work. Bots are called in the process of the tests.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from arena.core.bot import Bot
    from arena.core.game import AnyGame
    from arena.core.record import MatchRecord
    from arena.match.limits import Limits
    from arena.plugins.registry import Registry
    from arena.testing.check_bot import BotReport
    from arena.testing.inline_driver import BotFactory, PlayMatch
    from arena.testing.positions import Position

AnyBot: TypeAlias = "str | BotFactory | Bot[Any]"
"""A built-in bot by its name (``"stand(at=17)"``); a class, or whatever makes a bot; or a bot."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option of golden playthroughs."""
    parser.getgroup("arena").addoption(
        "--update-playthroughs",
        action="store_true",
        help="write golden playthroughs instead of comparing with them",
    )


@pytest.fixture(scope="session")
def arena_registry() -> Registry:
    """Every game and bot by name, those of the installed plugins among them."""
    from arena.plugins.registry import Registry

    return Registry()


@pytest.fixture(scope="session")
def arena_game(arena_registry: Registry) -> Callable[[str], AnyGame]:
    """A game by its name: ``arena_game("pazaak")``."""
    return arena_registry.game


@pytest.fixture(scope="session")
def arena_check(arena_registry: Registry) -> Callable[..., BotReport]:
    """Plays a bot in every seat, and fails with the position, cause and traceback of its faults.

    ``arena_check(MyBot, game="pazaak")`` gives the ``BotReport`` of a bot that broke no match;
    ``seconds`` is what it may take for a decision, ``against`` sits in the other seats.
    """
    from arena.core.defaults import CHECK_MATCHES

    def check(
        bot: AnyBot,
        game: str = "pazaak",
        ruleset: str = "",
        matches: int = CHECK_MATCHES,
        seed: int = 0,
        against: AnyBot = "random",
        seconds: float = 10.0,
    ) -> BotReport:
        from arena.core.bot import Bot
        from arena.core.errors import BadInput
        from arena.match.limits import Limits
        from arena.testing.check_bot import check_bot
        from arena.testing.inline_driver import InlineDriver

        __tracebackhide__ = True
        if isinstance(bot, Bot):
            raise BadInput("every match needs a new bot: give its class, or partial(MyBot, at=17)")
        played = arena_registry.game(game)
        rules = played.ruleset(ruleset)
        makers = _maker(arena_registry, bot), _maker(arena_registry, against)
        limits = Limits(decision_ns=round(seconds * 1e9))
        with _inline(limits) as play:
            names = _name(bot), _name(against)
            driver = InlineDriver(play, played, rules, makers, names, limits)
            report = check_bot(driver, played, rules, matches, seed)
        if not report.passed:
            raise AssertionError(f"{_name(bot)} {report.complaint}")
        return report

    return check


@pytest.fixture(scope="session")
def position(arena_registry: Registry) -> Callable[..., Position]:
    """A described situation: ``position("pazaak", tables=([10, 9], [8]), ...).ask(MyBot)``."""

    def described(game: str = "pazaak", ruleset: str = "", **situation: object) -> Position:
        from arena.testing.positions import Position

        found = arena_registry.game(game)
        return Position.described(found, found.ruleset(ruleset), **situation)

    return described


@pytest.fixture(scope="session")
def play_match(arena_registry: Registry) -> Callable[..., MatchRecord]:
    """Plays one match: ``play_match(MyBot, "stand(at=17)", seed=3)`` gives its record.

    Faults of the bots are printed on stdout, which pytest shows of a test that fails.
    """

    def play(*bots: AnyBot, game: str = "pazaak", ruleset: str = "", seed: int = 0) -> MatchRecord:
        from arena.core.errors import BadInput
        from arena.match.adjudication import faults_of
        from arena.match.limits import Limits

        played = arena_registry.game(game)
        if len(bots) not in played.seats:
            most = max(played.seats)
            raise BadInput(f"{game} seats {min(played.seats)} to {most} bots, not {len(bots)}")
        rules = played.ruleset(ruleset)
        makers = [_maker(arena_registry, bot) for bot in bots]
        names, limits = [*map(_name, bots)], Limits()
        with _inline(limits) as host:
            record, used = host(played, rules, seed, seed, makers, names, limits)
        for fault in faults_of(record.outcome):
            print(f"seat {fault.seat}, {record.seats[fault.seat]}: {fault.cause}: {fault.reason}")
        if used.error:
            print(used.error)
        return record

    return play


@pytest.fixture
def golden_playthrough(
    request: pytest.FixtureRequest, arena_registry: Registry
) -> Callable[..., None]:
    """Compares a match with its golden file: ``golden_playthrough("first.txt", record)``.

    The file lies next to the test. ``--update-playthroughs`` writes it again.
    """

    def compare(file: str | Path, match: str | MatchRecord) -> None:
        from arena.testing.playthrough import check_golden, narrate

        __tracebackhide__ = True
        text = match if isinstance(match, str) else narrate(arena_registry.game(match.game), match)
        update = bool(request.config.getoption("--update-playthroughs"))
        check_golden(request.path.parent / file, text, update=update)

    return compare


@contextmanager
def _inline(limits: Limits) -> Iterator[PlayMatch]:
    """Plays matches in this process; a bot that takes too long is interrupted where it can be.

    The watchdog needs the alarm signal and the main thread. Where something else uses the alarm
    (another plugin that limits the time of tests, say), that has to do.
    """
    from functools import partial

    from arena.host.bot.inline import play_inline
    from arena.host.bot.watch import Watch
    from arena.host.play.hosts import TICK_SECONDS

    free = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    )
    if not free:
        yield play_inline
        return
    with Watch(limits.decision_ns, TICK_SECONDS) as watch:
        yield partial(play_inline, watch=watch)


def _maker(registry: Registry, bot: AnyBot) -> BotFactory:
    from arena.core.bot import Bot
    from arena.core.errors import BadInput
    from arena.plugins.loading import load_bot

    if isinstance(bot, Bot):
        return lambda: bot
    if not isinstance(bot, str):
        return bot
    source = registry.resolve_bot(bot)
    if source.kind != "house":
        raise BadInput(f"{bot}: expected a built-in bot; give the class of any other")
    return load_bot(source)


def _name(bot: AnyBot) -> str:
    if isinstance(bot, str):
        return bot
    named = getattr(bot, "func", bot)  # a partial has no name of its own
    return getattr(named, "__name__", type(bot).__name__)
