"""Long texts: by a pager on a terminal, plain in a pipe."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

SHOWING = "from arena.cli.terminal.pager import show_long; show_long('\\n'.join(['line'] * LINES))"


@pytest.mark.parametrize(
    ("lines", "pager", "paged"),
    [(300, "sed s/line/paged/", True), (300, "", False), (5, "sed s/line/paged/", False)],
)
def test_a_long_text_is_paged_on_a_terminal_alone(lines, pager, paged):
    code = SHOWING.replace("LINES", str(lines))
    environment = {**os.environ, "ARENA_PAGER": pager, "LINES": "24", "COLUMNS": "80"}
    command = [sys.executable, "-c", code]
    piped = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert piped.stdout == "line\n" * lines
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs) as process:
            os.close(theirs)
            shown = b""
            try:
                while part := os.read(ours, 65_536):
                    shown += part
            except OSError:  # the terminal's other end is closed
                pass
            assert process.wait() == 0
    finally:
        os.close(ours)
    assert (b"paged" in shown, shown.count(b"\n")) == (paged, lines)
