"""``arena replay --step`` on a real (pseudo) terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.preloaded import Preloaded

PATIENCE = 120
OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
"""Makes stdin the process's own terminal, so that Ctrl-C reaches it."""


class Terminal:
    """A terminal of 80 columns with a command in it."""

    def __init__(self, preloaded: Preloaded, *words: str, rows: int) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.process = preloaded.start(
            words,
            Path.cwd(),
            {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": str(rows)},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            first=OWN_TERMINAL,
        )
        self._theirs = theirs
        self._text = ""

    def press(self, keys: str) -> None:
        self._text = ""
        os.write(self._ours, keys.encode())

    def wait_for(self, words: str) -> str:
        """Reads until the text is on the screen; returns all output since the last key."""
        deadline = time.monotonic() + PATIENCE
        while words not in self._text:
            assert time.monotonic() < deadline, f"{words!r} never came: {self._text!r}"
            if select.select([self._ours], [], [], 0.1)[0]:
                raw = os.read(self._ours, 65536).decode()
                self._text += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw)
        return self._text

    def settings(self) -> list[object]:
        return termios.tcgetattr(self._theirs)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)


@pytest.fixture
def step(stored: str, preloaded: Preloaded) -> Iterator[Callable[..., Terminal]]:
    """Steps through a match."""
    opened: list[Terminal] = []

    def begin(match: str, rows: int = 24) -> Terminal:
        terminal = Terminal(preloaded, "replay", match, "--step", "--db", stored, rows=rows)
        opened.append(terminal)
        terminal.wait_for("[1 of ")
        return terminal

    yield begin
    for terminal in opened:
        terminal.close()


def test_keys_step_forward_and_back_and_quit(step):
    terminal = step("1.1.1.1")
    for keys, page in [("n", 2), ("\r", 3), ("\x1b[C", 4), ("\x1b[D", 3), ("p", 2), ("nn", 4)]:
        terminal.press(keys)
        text = terminal.wait_for(f"[{page} of ")
        assert f"Move {page - 1}" in text
    terminal.press("p" * 9)
    terminal.wait_for("[1 of ")
    terminal.press("q")
    assert terminal.process.wait(PATIENCE) == 0
    assert terminal.settings() == terminal.before


def test_the_last_page_has_the_end_and_the_keys(step):
    terminal = step("1.1.2.1")
    terminal.press("n" * 20)
    text = terminal.wait_for("[5 of 5]")
    assert "The end: won by stand(at=17)" in text


def test_a_page_that_is_longer_than_the_terminal_is_scrolled(step):
    terminal = step("1.1.2.1", rows=12)
    terminal.press("G")
    text = terminal.wait_for("[5 of 5]")
    assert "-- lines 1 to 10 of " in text
    assert "ValueError" not in text
    terminal.press("\x1b[6~" * 9)
    assert "error output" in terminal.wait_for("ValueError")


def test_keys_lead_to_the_next_set_the_end_and_the_beginning(step):
    terminal = step("1.1.1.1")
    terminal.press("]")
    assert "Set 2, " in terminal.wait_for("] n/p: on, back")
    terminal.press("[")
    assert "Set 1, " in terminal.wait_for("[1 of ")
    terminal.press("G")
    assert "The end: " in terminal.wait_for("] n/p: on, back")
    terminal.press("g")
    assert "Move 0" in terminal.wait_for("[1 of ")


@pytest.mark.parametrize("keys", ["\x1b", "\x03", "\x04"])
@pytest.mark.thorough("other keys", everyday=["*x03*"])
def test_escape_and_control_keys_leave_the_terminal_as_it_was(step, keys):
    terminal = step("1.1.1.1")
    terminal.press(keys)
    assert terminal.process.wait(PATIENCE) == 0
    assert terminal.settings() == terminal.before
