"""The cause of a fault in one line: the message and the place of an error, or the last words."""

from __future__ import annotations

import re
from pathlib import PurePath
from traceback import walk_tb

from arena.core.errors import describe
from arena.core.game import AnyGame, Game
from arena.core.text.printable import printable_line

_FRAME = re.compile(
    r'^ *File "(?P<file>[^"\n]+)", line (?P<line>\d+)(?P<stack> in )?', re.MULTILINE
)
"""A frame of a traceback, or with ``stack`` of a stack as faulthandler writes it."""
MAX_LENGTH = 300
"""Characters of a reason in one line."""


def in_one_line(reason: str, error: str) -> str:
    """Returns a fault with its cause: the message and the place of an error, or the last line.

    Args:
        reason: The reason in the record: the kind of the error, or how a process was lost.
        error: The traceback and the log of the bot; its own files have relative paths.
    """
    frames = list(_FRAME.finditer(error))
    if frames and frames[0]["stack"]:  # innermost first
        frames.reverse()
    own = [frame for frame in frames if not frame["file"].startswith(("/", "<"))]
    if not frames:
        *_, last = ["", *filter(None, map(str.strip, error.splitlines()))]
        known = not last or last in reason or reason in last
        return printable_line(reason if known else f"{reason}: {last}", MAX_LENGTH)
    place = (own or frames)[-1]
    after = error[frames[-1].end() :].splitlines()[1:]
    message = next((line for line in after if line[:1].strip()), "")
    if place["stack"] or not message.startswith(reason.split(":")[0]):
        message = reason
    return printable_line(f"{message} ({place['file']}, line {place['line']})", MAX_LENGTH)


def raised(error: BaseException, game: AnyGame) -> str:
    """Returns an error with its place in the code of a game, or else where it was raised.

    The code of a game lies in the packages of its classes.
    """
    modules = [kind.__module__ for kind in type(game).__mro__ if issubclass(kind, Game)]
    packages = tuple([f"{name.rpartition('.')[0] or name}." for name in modules[:-1]])
    frames = [
        (frame.f_globals.get("__name__", ""), frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
    ]
    own = [each for each in frames if f"{each[0]}.".startswith(packages)]
    name, file, line = (own or frames)[-1]
    parts = PurePath(file).parts
    depth = name.count(".") + 1 + (parts[-1] == "__init__.py")
    place = "/".join(parts[-depth:])
    return printable_line(f"{describe(error)} ({place}, line {line})", MAX_LENGTH)
