"""The runtimes that are tried, a row each, and the table of them in the guide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from arena.plugins.languages import LANGUAGES

BOTS = Path(__file__).parent / "bots"
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "other-language.md"
BEGIN, END = "<!-- runtimes -->\n", "<!-- end of runtimes -->"
EVERYWHERE, AT_PROCESS = (True, True, True), (True, False, False)
HEAD = ("language", "`command`", "`build`", "process", "confined", "boxed")


class Runtime(NamedTuple):
    """A way to run a program, and where it plays.

    Attributes:
        name: As people call it.
        source: The file in ``bots``.
        command: The command of the submission.
        build: The build of the submission, if it has one.
        plays: Whether it plays at the levels ``process``, ``confined`` and ``boxed``.
    """

    name: str
    source: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    plays: tuple[bool, bool, bool] = EVERYWHERE

    @property
    def needs(self) -> list[str]:
        """The programs that have to be installed."""
        return [words[0] for words in (self.build, self.command) if words and "/" not in words[0]]


RUNTIMES = (
    *(Runtime(each.called, each.file, each.command, each.build) for each in LANGUAGES),
    Runtime("Python", "bot.py", ("python3", "bot.py")),
    Runtime("Ruby", "bot.rb", ("ruby", "bot.rb")),
    Runtime("Perl", "bot.pl", ("perl", "bot.pl")),
    Runtime("Lua", "bot.lua", ("lua5.4", "bot.lua")),
    Runtime("PHP", "bot.php", ("php", "bot.php")),
    Runtime("C# (mono)", "bot.cs", ("mono", "bot.exe"), ("mcs", "bot.cs"), AT_PROCESS),
)


def table() -> str:
    """The table of the guide."""
    lines = [HEAD, ["---"] * len(HEAD)]
    for each in RUNTIMES:
        command, build = map(_written, (each.command, each.build))
        lines.append([each.name, command, build, *(["no", "yes"][on] for on in each.plays)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _written(command: tuple[str, ...]) -> str:
    return f"`{json.dumps(command)}`" if command else ""
