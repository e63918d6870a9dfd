"""One walk in a real terminal, from the command to the line that stays after the screen."""

from __future__ import annotations

import shutil
import subprocess
import sys
from time import monotonic, sleep

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


class Terminal:
    """A terminal of tmux's, on a server of its own."""

    def __init__(self, folder) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self._call("new-session", "-d", "-x", "80", "-y", "24", "-s", "one", "-c", str(folder))

    def _call(self, *words: str) -> str:
        done = subprocess.run([*self._tmux, *words], capture_output=True, text=True, check=True)
        return done.stdout

    def type(self, *keys: str) -> None:
        self._call("send-keys", "-t", "one", *keys)

    def shows(self, text: str, seconds: float = 60) -> str:
        """Waits until the screen has a text; a busy machine may take long."""
        end = monotonic() + seconds
        while text not in (screen := self._call("capture-pane", "-p", "-t", "one")):
            assert monotonic() < end, screen
            sleep(0.1)
        return screen

    def close(self) -> None:
        self._call("kill-server")


@pytest.fixture
def terminal(tmp_path):
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


@pytest.mark.thorough("test_play.py plays matches by keyboard")
def test_a_match_is_played_left_and_replayed_from_the_line_that_stays(terminal):
    command = f"{sys.executable} -m arena play pazaak random --loadout hard --db a.db"
    terminal.type(f"clear; NO_COLOR=1 {command}", "Enter")
    screen = terminal.shows("your turn")
    assert "▶ You" in screen
    terminal.type("q")
    terminal.shows("Leave the table?")
    terminal.type("y")
    terminal.shows("You have lost, 0 : 0")
    terminal.type("q")
    terminal.shows("Replay it: arena replay 1.1.1.1 --db sqlite:///a.db")
