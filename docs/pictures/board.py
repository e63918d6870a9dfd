"""Draws the picture of a board in the README: a real match of Sabacc, in the player of replays.

It needs Chromium, and Playwright (``make .venv/browser``):

.venv/bin/python docs/pictures/board.py docs/pictures/board.png
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ARENA = Path(sys.executable).with_name("arena")
BOTS = ("equity-bettor", "exact-drawer", "cautious-folder", "target-total")
MATCH = "1.1.1.1"
MOVE = 139
SIZE = {"width": 1100, "height": 1200}
FLAGS = ["--no-sandbox", "--disable-gpu"]
"""Root may not use Chromium's sandbox."""


def replay(folder: str) -> Path:
    """Plays a table of four and returns the replay of its first match as a page."""
    rules = ("--game", "sabacc", "--ruleset", "old_republic(mode=chips)", "--seed", "5")
    table = ("--format", "tables", "--seats", "4", "--games", "4")
    field = [word for bot in BOTS for word in ("--bot", bot)]
    page = Path(folder, "match.html")
    for command in (
        ("tournament", "run", *rules, *table, *field),
        ("replay", MATCH, "--html", str(page)),
    ):
        subprocess.run((ARENA, *command), cwd=folder, capture_output=True, check=True)
    return page


def main() -> None:
    """Writes the picture of one move: the buttons, the table and the list of moves."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        page.goto(f"{replay(folder).as_uri()}#m{MOVE}")
        player = page.locator(".player").bounding_box()
        table = page.locator(".board:visible").bounding_box()
        top, bottom = player["y"] - 12, table["y"] + table["height"] + 12
        clip = {"x": 16, "y": top, "width": SIZE["width"] - 32, "height": bottom - top}
        page.screenshot(path=sys.argv[1], clip=clip)
        browser.close()


if __name__ == "__main__":
    main()
