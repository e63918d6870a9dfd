"""Submissions for tests: bots to submit, and a driver that trusts them and calls them here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from arena.cli.verbs.bots import bots, submit
from arena.cli.verbs.results import leaderboard
from arena.core.errors import BadInput
from arena.host.bot.inline import play_inline
from arena.host.process.launch import MatchSettings
from arena.plugins.entries import BotSource
from arena.plugins.loading import load_bot
from arena.service.bots import qualify
from arena.testing.inline_driver import InlineDriver

CAREFUL = '''"""A bot that ends its turns."""
from arena import Bot
__version__ = "1.0"
__author__ = "Ann"
__license__ = "MIT"
class Careful(Bot):
    games = ("pazaak",)
    def __init__(self, at: int = 3) -> None:
        self.at = at
    def act(self, observation):
        return observation.legal_actions[0]
'''
SORE = CAREFUL.replace(
    "        return",
    "        if self.at == 3: raise ValueError('\\x1b[2J I am sore')\n        return",
)

COUNTING = CAREFUL.replace("class", "import itertools\nMADE = itertools.count()\nclass", 1).replace(
    "self.at = at", "self.number = next(MADE)"
)
"""Knows how many of it were made before: it remembers what it should not."""


class Answer(msgspec.Struct):
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


def command() -> Command:
    """Runs a command in this process; bad input as ``arena.cli.app.main`` answers it."""
    app = typer.Typer(name="arena", pretty_exceptions_enable=False)
    for verb in (bots, leaderboard, submit):
        verb.register(app)

    def run(*words: str | Path) -> Answer:
        result = CliRunner().invoke(app, [str(word) for word in words], prog_name="arena")
        if isinstance(result.exception, BadInput):
            return Answer(2, result.stdout, f"{result.stderr}arena: {result.exception}\n")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets submitted bots of tests qualify in this process, and search bots think but briefly."""
    monkeypatch.setattr(qualify, "open_driver", _trusting)


@contextmanager
def _trusting(settings: MatchSettings, field: Sequence[BotSource]) -> Iterator[InlineDriver]:
    path, loaded = sys.path[:], set(sys.modules)
    sys.path[:0] = [folder for source in field for folder in source.modules.values()]
    try:
        makers = [load_bot(_hasty(source)) for source in field]
        names = [source.participant.key for source in field]
        yield InlineDriver(play_inline, settings.game, settings.ruleset, makers, names)
    finally:
        sys.path[:] = path
        for source in field:
            module = source.target.partition(":")[0]
            if module not in loaded:
                sys.modules.pop(module, None)


def _hasty(source: BotSource) -> BotSource:
    """Lets a search bot, which takes most of the time of a qualification, search but briefly."""
    if "search" not in source.target:
        return source
    return msgspec.structs.replace(source, parameters={**source.parameters, "iterations": 4})
