"""Reads the screen of an application in tests, as text, and compares it with a stored one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual.app import App
from textual.errors import NoWidget
from textual.pilot import Pilot

GOLDEN = Path(__file__).with_name("golden")


def text_of(app: App[Any]) -> str:
    """The screen as it is shown, line by line, without trailing spaces."""
    cells = [[" "] * app.size.width for _ in range(app.size.height)]
    widgets = [app.screen, *app.screen.walk_children()]
    bars = [each.vertical_scrollbar for each in widgets if each.show_vertical_scrollbar]
    for widget in (*widgets, *bars):
        with suppress(NoWidget):
            place = app.screen.find_widget(widget)
            shown = place.visible_region
            inside = shown.translate(-place.region.offset)
            for line, strip in zip(shown.line_range, widget.render_lines(inside), strict=True):
                cells[line][shown.x : shown.right] = strip.text
    return "\n".join("".join(line).rstrip() for line in cells) + "\n"


def walk(
    app: App[Any], steps: Callable[[Pilot[Any]], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> None:
    """Runs an application without a terminal, and takes these steps in it.

    pytest-trio owns asynchronous tests; Textual is asyncio's.
    """

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await steps(pilot)

    asyncio.run(run())


async def until(pilot: Pilot[Any], there: Callable[[], object], seconds: float = 20) -> None:
    """Waits until something is so; a busy machine may take long."""
    for _ in range(int(seconds / 0.02)):
        if there():
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise AssertionError(f"it did not come to that:\n{text_of(pilot.app)}")


def same_as_stored(app: App[Any], name: str) -> None:
    """Compares the screen with ``golden/NAME.txt``; with GOLDEN=write that is written."""
    file, shown = GOLDEN / f"{name}.txt", text_of(app)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(shown, "utf-8")
    assert shown == file.read_text("utf-8"), shown
