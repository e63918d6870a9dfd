"""Shows pages on a terminal, walked with the keyboard: ``arena replay --step``."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from arena.cli.output import stdout
from arena.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

FORWARD = frozenset({"\r", "\n", " ", "n", "\x1b[C", "\x1bOC"})
BACK = frozenset({"p", "\x7f", "\x1b[D", "\x1bOD"})
QUIT = frozenset({"q", "\x1b", "\x04", ""})
"""Keys as a terminal sends them: Enter, space, arrows (both spellings), Escape, Ctrl-D, hung up."""

_KEY = re.compile(r"\x1b(?:\[|O)[0-9;]*[A-Za-z~]|.", re.DOTALL)


def check_terminal() -> None:
    """Refuses to step where nobody could see or press anything."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("--step needs a terminal; leave it out to print the whole match")


def walk(pages: Sequence[str]) -> None:
    """Shows page after page, of at least one, until the user quits; Ctrl-C quits too."""
    console = stdout()
    number = 0
    # Ctrl-C is a key like "q" here: it ends the walk, and is no stop of the command.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(KeyboardInterrupt), _keyboard() as keys, console.screen() as screen:
        while True:
            place = f"{number + 1} of {len(pages)}"
            foot = f"[{place}] Enter, right, n: on   left, p: back   q: quit"
            screen.update(_page(console, pages[number], foot))
            key = next(keys)
            if key in QUIT:
                return
            if key in FORWARD:
                number = min(number + 1, len(pages) - 1)
            elif key in BACK:
                number = max(number - 1, 0)


def _page(console: Console, page: str, foot: str) -> Text:
    """The page as far as it fits, so that its foot is always seen."""
    from rich.text import Text

    lines = list(Text(page).wrap(console, console.width))
    room = max(console.height - 2, 1)
    if len(lines) > room:
        lines[room - 1 :] = [Text("... too long for this window; all of it: without --step")]
    return Text("\n").join([*lines, Text(), Text(foot)])


@contextmanager
def _keyboard() -> Iterator[Iterator[str]]:
    """Keys as they are pressed, unechoed; the terminal is as before afterwards."""
    # Not on every platform; and once for all keys: those typed between two reads count too.
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield _keys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _keys(terminal: int) -> Iterator[str]:
    """Key after key; several that were pressed fast come as one text."""
    while True:
        typed = os.read(terminal, 1024).decode(errors="replace")
        yield from _KEY.findall(typed) or [""]
