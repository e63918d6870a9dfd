"""Submissions of every kind, made for tests."""

from __future__ import annotations

import zipfile
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
BOT = """
import sys
from arena import Bot
__version__ = "1.2"
__author__ = "Ann"
__license__ = "MIT"
{extra}
class Careful(Bot):
    games = ("pazaak",)
"""
BOMB = BOT.format(extra="raise SystemExit('it was run')")
PROJECT = """
[project]
name = "arena-bot-careful"
version = "2.0"
license = "MIT"
authors = [{name = "Ann"}, {email = "bob@example.org"}]
dependencies = ["arena-harness", "numpy>=2"]
[project.entry-points."arena.bots"]
careful = "careful_bot.play:Careful"
"""
PROGRAM = """
[project]
name = "sharp"
version = "0.3"
[tool.arena.bot]
command = {command}
games = ["pazaak", "sabacc"]
"""


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def wheel(path: Path, files: dict[str, str | bytes], stamp: int = 1990) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (stamp, 1, 1, 0, 0, 0)), text)
    return path


WHEEL = {
    "careful_bot/__init__.py": "",
    "careful_bot/play.py": BOMB,
    "arena_bot_careful-2.0.dist-info/METADATA": (
        "Metadata-Version: 2.1\nName: arena-bot-careful\nVersion: 2.0\nAuthor: Ann\n"
        "License-Expression: MIT\nRequires-Dist: numpy\n"
        'Requires-Dist: pytest; extra == "dev"\n\nA text.\n'
    ),
    "arena_bot_careful-2.0.dist-info/entry_points.txt": (
        "[console_scripts]\nx = y:z\n[arena.bots]\ncareful = careful_bot.play:Careful\n"
    ),
}
