"""Describes a program of any language as a bot, by the command that starts it."""

from __future__ import annotations

import shlex
from pathlib import Path

from arena.core.errors import BadPlugin, ParseError
from arena.core.tournaments.format import Participant
from arena.plugins.entries import BotSource
from arena.plugins.hashing import bytes_content
from arena.plugins.programs import find_program


def command_source(typed: str) -> BotSource:
    """Returns the bot that a command line such as ``"node bot.js"`` starts; it does not run yet.

    It may read the folder of its script (the first argument that is a file, else the program
    itself), and runs there.

    Raises:
        BadInput: It is not a command line, or there is no such program.
    """
    try:
        program, *arguments = shlex.split(typed)
    except ValueError:
        raise ParseError(f"cannot read the command {typed!r}; write e.g. 'node bot.js'") from None
    found = find_program(program)
    if found is None:
        raise BadPlugin(
            f"there is no program {program!r}; install it, or give its path, e.g. ./{program}"
        )
    files = [Path(each).resolve() for each in arguments if Path(each).is_file()]
    script = files[0] if files else Path(found).resolve()
    command = [found]
    command += [str(Path(each).resolve()) if Path(each).exists() else each for each in arguments]
    content = bytes_content(script.read_bytes())
    participant = Participant(script.stem or script.name, "command", content)
    return BotSource(
        kind="program",
        target="",
        parameters={},
        participant=participant,
        origin=f"command {typed!r}",
        command=tuple(command),
        folder=str(script.parent),
    )
