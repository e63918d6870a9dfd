"""``arena demo``: what a newcomer sees first, in a real terminal, and the commands it ends with."""

from __future__ import annotations

import os
import pty
import subprocess
import termios
from contextlib import suppress
from pathlib import Path

from tests.cli.test_command import ARENA


def on_a_terminal(folder: Path, *words: str) -> tuple[int, list[str]]:
    """Runs ``arena`` on a terminal of 80 columns, which cannot draw over lines."""
    screen, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    unset = ("COLUMNS", "LINES", "FORCE_COLOR")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    with subprocess.Popen(
        [ARENA, *words],
        cwd=folder,
        env={**environment, "TERM": "dumb", "ARENA_DB": "arena.db"},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        written = b""
        with suppress(OSError):  # the terminal is gone when the program has ended
            while part := os.read(screen, 4096):
                written += part
        os.close(screen)
    return process.returncode, written.decode().splitlines()


def test_a_newcomer_sees_one_screen_or_two_and_four_commands_that_work(
    tmp_path, monkeypatch, arena
):
    """It has at most 60 lines of 80 columns, and touches no database that was there before."""
    (tmp_path / "arena.db").write_bytes(b"mine")
    code, lines = on_a_terminal(tmp_path, "demo")
    text = "\n".join(lines)
    assert code == 0, text
    assert len(lines) <= 60, text
    assert max(map(len, lines)) <= 80, text
    parts = ("demo-bot 0.1.0 is entered", "2. Play", "optimal", "3. Rate", "rating", "4. Replay")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "The end: won by " in text
    *_, title, replay, new, match, serve = lines
    assert title == "Next:"
    assert serve.split("#")[0].split() == ["arena", "serve", "--db", "demo.db"]

    monkeypatch.chdir(tmp_path)
    for line in (replay, new, match):
        answer = arena(*line.split("#")[0].split()[1:])
        assert answer.code == 0, answer.err
    stored = Path("demo.db").read_bytes()
    again = arena("demo")
    assert (again.code, again.out) == (2, "")
    assert again.err == ("arena: --db demo.db: this file exists; delete it, or name a new file\n")
    assert Path("demo.db").read_bytes() == stored
    assert Path("arena.db").read_bytes() == b"mine"
