"""Shows long text on a terminal: by a pager, or page by page with the keyboard (``--step``)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from shlex import split
from shutil import which
from typing import TYPE_CHECKING

from arena.cli.terminal.output import stdout
from arena.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

FORWARD = frozenset({"\r", "\n", " ", "n", "\x1b[C", "\x1bOC"})
BACK = frozenset({"p", "\x7f", "\x1b[D", "\x1bOD"})
QUIT = frozenset({"q", "\x1b", "\x03", "\x04", ""})
NEXT_PART, LAST_PART = frozenset({"]", "s"}), frozenset({"[", "S"})
FIRST = frozenset({"g", "\x1b[H", "\x1bOH", "\x1b[1~"})
LAST = frozenset({"G", "e", "\x1b[F", "\x1bOF", "\x1b[4~"})
UP, DOWN = frozenset({"k", "\x1b[A", "\x1bOA"}), frozenset({"j", "\x1b[B", "\x1bOB"})
PAGE_UP, PAGE_DOWN = frozenset({"b", "\x1b[5~"}), frozenset({"f", "\x1b[6~"})
"""Keys as a terminal sends them: Enter, space, arrows, Home, End (both spellings), PgUp, PgDn,
Escape, Ctrl-C, Ctrl-D, hung up."""
KEYS = "n/p: on, back  ]/[: next, last set or hand  G/g: end, begin  q: quit"

_KEY = re.compile(r"\x1b(?:\[|O)[0-9;]*[A-Za-z~]|.", re.DOTALL)


def show_long(text: str) -> None:
    """Prints a text; one that is longer than the terminal by a pager, as ``git log`` does.

    ``ARENA_PAGER`` names it, else ``PAGER``; empty or ``cat`` means none.
    """
    console = stdout()
    words = split(os.environ.get("ARENA_PAGER", os.environ.get("PAGER", "less")))
    rows = sum(-(-max(len(line), 1) // console.width) for line in text.splitlines())
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal and rows >= console.height and words and words != ["cat"] and which(words[0]):
        sys.stdout.flush()
        subprocess.run(words, input=f"{text}\n".encode(), check=False)
    else:
        print(text)


def check_terminal() -> None:
    """Refuses to step where nobody could see or press anything."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("--step needs a terminal; leave it out to print the whole match")


def walk(pages: Sequence[str], parts: Sequence[int] = (), begin: int = 0) -> None:
    """Shows page after page, of at least one, until the user quits.

    Args:
        parts: Indices of the pages with which a part (a set, a hand) begins, ascending.
        begin: Index of the page that is shown first.
    """
    console = stdout()
    number, top = begin, 0
    with _keyboard() as keys, console.screen() as screen:
        while True:
            place = f"[{number + 1} of {len(pages)}]"
            page, top, most = _page(console, pages[number], f"{place} {KEYS}", top)
            screen.update(page)
            key = next(keys)
            if key in QUIT:
                return
            shown = number
            number = _turned(key, number, len(pages) - 1, parts)
            if number != shown:
                # Whoever reads the ends of long pages goes on doing so.
                top = sys.maxsize if most and top == most else 0
            top += _scrolled(key, console.height)


def _turned(key: str, number: int, last: int, parts: Sequence[int]) -> int:
    if key in FORWARD:
        number += 1
    elif key in BACK:
        number -= 1
    elif key in NEXT_PART:
        number = next((part for part in parts if part > number), last)
    elif key in LAST_PART:
        number = next((part for part in reversed(parts) if part < number), 0)
    elif key in FIRST or key in LAST:
        number = 0 if key in FIRST else last
    return min(max(number, 0), last)


def _scrolled(key: str, height: int) -> int:
    if key in UP or key in DOWN:
        return -1 if key in UP else 1
    if key in PAGE_UP or key in PAGE_DOWN:
        return (-1 if key in PAGE_UP else 1) * max(height // 2, 1)
    return 0


def _page(console: Console, page: str, foot: str, top: int) -> tuple[Text, int, int]:
    """The part of a page that fits over its foot, from a line on.

    Returns:
        The part, its first line, and the greatest first line; 0 if the page fits.
    """
    from rich.text import Text

    lines = list(Text(page).wrap(console, console.width))
    below = list(Text(foot).wrap(console, console.width))
    room = max(console.height - len(below), 2)
    if len(lines) <= room:
        filling = [Text()] * min(room - len(lines), 1)
        return Text("\n").join([*lines, *filling, *below]), 0, 0
    room -= 1
    most = len(lines) - room
    top = min(max(top, 0), most)
    scroll = Text(f"-- lines {top + 1} to {top + room} of {len(lines)}; up, down, PgUp, PgDn --")
    return Text("\n").join([*lines[top : top + room], scroll, *below]), top, most


@contextmanager
def _keyboard() -> Iterator[Iterator[str]]:
    """Keys as they are pressed, unechoed; the terminal is as before afterwards.

    Ctrl-C is a key like "q": it sends no signal, which would raise an exception anywhere.
    """
    # Not on every platform; and once for all keys: those typed between two reads count too.
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    *settings, characters = termios.tcgetattr(terminal)
    characters[termios.VINTR] = b"\0"  # none (POSIX, termios.h: _POSIX_VDISABLE)
    termios.tcsetattr(terminal, termios.TCSADRAIN, [*settings, characters])
    try:
        yield _keys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _keys(terminal: int) -> Iterator[str]:
    """Key after key; several that were pressed fast come as one text."""
    while True:
        typed = os.read(terminal, 1024).decode(errors="replace")
        yield from _KEY.findall(typed) or [""]
