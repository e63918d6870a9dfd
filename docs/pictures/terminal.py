"""Draws the picture of a terminal in the README: real commands, whose real output becomes an SVG.

.venv/bin/python docs/pictures/terminal.py docs/pictures/terminal.svg
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

COLUMNS = 100
COMMANDS = (
    "arena tournament run swiss.toml | head -n 9",
    "arena leaderboard",
    "arena replay 1.1.1.1 --view public | tail -n 10",
)

TOURNAMENT = """\
format = "swiss"
rounds = 4
games = 200
seed = 7
bots = ["optimal", "hand-saver", "counter", "stand(at=17)", "random"]
"""

FORMAT = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""Rich's picture without the fonts that it would load from elsewhere."""


def run(command: str, folder: str) -> str:
    """Output of a shell command as it comes to a terminal, with its colours."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.rstrip("\n")


def main() -> None:
    """Runs the commands in a folder of their own and writes the picture."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "swiss.toml").write_text(TOURNAMENT)
        for command in COMMANDS:
            console.print(Text(f"$ {command}", style="bold green"))
            console.print(Text.from_ansi(run(command, folder)), end="\n\n")
    Path(sys.argv[1]).write_text(console.export_svg(title="arena", code_format=FORMAT))


if __name__ == "__main__":
    main()
