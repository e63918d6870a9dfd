"""Names the bots of a call: names as typed, and classes or functions of this program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import msgspec

from arena.core.bot import Bot
from arena.core.errors import BadInput, BadPlugin, describe
from arena.core.text.parsing import format_call, parse_call
from arena.core.text.spelled import Spelled
from arena.core.tournaments.format import Participant, shown_names
from arena.host.bot.watch import LeftTable, OutOfTime
from arena.plugins.endpointfile import EndpointBot
from arena.plugins.entries import BotSource
from arena.plugins.hashing import bytes_content
from arena.plugins.submissions.submission import check_name
from arena.service.lookup.code_hash import bot_content

MakeBot: TypeAlias = Callable[[], Bot[Any]]
"""A class of bots, or a function, that makes a fresh bot for every match."""


PERSON_CONTENT = bytes_content(b"a person")
"""The content hash of a person at the table."""
_MAX_NAME_LENGTH = 200
"""Characters of a name with its parameters."""


class PythonBot(msgspec.Struct, frozen=True, metaclass=Spelled):
    """A bot of this program under a name of its own; it is trusted, and called in this process.

    Attributes:
        make: Makes a fresh bot: a class, or a function without arguments.
        name: Its name in tournaments, e.g. ``"cautious(at=15)"``: by the rule for submitted bots,
            with or without parameters.
        version: Its version; ratings belong to name, version and code.
        author: Its author; at tables of 3-6 seats bots of one author are separated.
        person_seconds: A person's time for a decision, after which the bot raises ``OutOfTime``
            itself; 0 for a program.
        Left: Raised by the bot of a person who leaves the match, which is lost.
        OutOfTime: Raised by the bot of a person without time.
    """

    Left: ClassVar[type[BaseException]] = LeftTable
    OutOfTime: ClassVar[type[BaseException]] = OutOfTime
    make: MakeBot
    name: str
    version: str = "1"
    author: str = ""
    person_seconds: float = 0.0

    def __post_init__(self) -> None:
        for part in (self.name, self.version):
            if not isinstance(part, str) or not part.strip():
                raise BadInput(f"a PythonBot's name and version are texts, not {part!r}")
        if not isinstance(self.author, str) or not (self.author or " ").isprintable():
            raise BadInput(f"a PythonBot's author is a text, not {self.author!r}")
        if not isinstance(self.person_seconds, int | float) or not 0 <= self.person_seconds < 1e9:
            raise BadInput(f"a person's seconds are a number from 0, not {self.person_seconds!r}")
        check_name(parse_call(self.name)[0], self.version)
        if len(self.name) > _MAX_NAME_LENGTH:
            raise BadInput(f"a PythonBot's name has at most {_MAX_NAME_LENGTH} characters")


class LocalBot(msgspec.Struct, frozen=True):
    """A bot that is defined in this program, such as a class in a notebook; it is trusted.

    ``make`` makes a fresh one. For a person it has the time for a decision (``BotSource``). An
    endpoint is not made: it has ``endpoint``.
    """

    participant: Participant
    make: MakeBot | None
    author: str = ""
    person_ns: int = 0
    endpoint: BotSource | None = None


AnyBot: TypeAlias = str | Path | MakeBot | PythonBot | EndpointBot
"""A bot: a name as typed such as ``"stand(at=17)"``, a file, or a bot of this program."""


def named_bots(bots: Iterable[AnyBot]) -> tuple[list[str], list[LocalBot]]:
    """Returns the names of bots as typed, and the bots that only this process can make.

    Raises:
        BadInput: They are not a list, or one of them is not a bot, or has no name.
        BadPlugin: One of this program cannot be made.
    """
    if isinstance(bots, str | Path | type) or not isinstance(bots, Iterable):
        raise BadInput(f"bots is a list of bots, not {bots!r}")
    found = [bot if isinstance(bot, str | Path) else _local(bot) for bot in bots]
    local = [bot for bot in found if isinstance(bot, LocalBot)]
    called = iter(shown_names([bot.participant for bot in local]))
    return [next(called) if isinstance(bot, LocalBot) else str(bot) for bot in found], local


def _local(bot: MakeBot | PythonBot | EndpointBot) -> LocalBot:
    if isinstance(bot, EndpointBot):
        source = bot.source("this program")
        return LocalBot(source.participant, None, bot.author, endpoint=source)
    if not isinstance(bot, PythonBot):
        name = getattr(bot, "__name__", "")
        if not callable(bot) or not name.isidentifier():
            raise BadInput(
                f"{bot!r}: expected a bot; give a name, a file, a class derived from "
                "arena.Bot, arena.PythonBot(make, name), or arena.EndpointBot(...)"
            )
        bot = PythonBot(bot, name)
    try:
        made: object = bot.make()
    except Exception as error:
        raise BadPlugin(f"bot {bot.name} cannot be made: {describe(error)}") from error
    if not isinstance(made, Bot):
        raise BadPlugin(f"bot {bot.name} is a {type(made).__name__}; derive it from arena.Bot")
    name = format_call(*parse_call(bot.name))
    participant = Participant(name, bot.version, bot_content(bot.make, type(made)))
    person_ns = int(bot.person_seconds * 1_000_000_000)
    return LocalBot(participant, bot.make, bot.author, person_ns)
