"""The cause of a bot's fault in one line: its error's message and line, or its last words."""

from __future__ import annotations

import re

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
