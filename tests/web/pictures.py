"""The pictures of the README and the documentation: ``make screenshots``.

python -m tests.web.pictures [PART-OF-A-NAME ...]

Each is a page of a site with tournaments that are played anew, from fixed seeds, or a part of one.
Pillow, which matplotlib needs, makes them small: a page has few colours.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import arena
from tests.web.browser import chromium, visit
from tests.web.served import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
COLOURS = 64
MAX_BYTES = 300_000
"""Bytes of all files in the folder together."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture of a page.

    Attributes:
        name: Name of its file, without the ending.
        address: The page.
        part: Selects the element that it shows; empty for what fits in the window.
        size: Width and height of the window.
        width: Width of the picture, to which it is reduced.
        scheme: ``"light"`` or ``"dark"``.
    """

    name: str
    address: str
    part: str = ""
    size: tuple[int, int] = (1280, 800)
    width: int = 840
    scheme: str = "light"


PICTURES = (
    Picture(name="board", address="/m/2.1.1.1?view=all&move=139", part="#m139 .board", width=1000),
    Picture(name="match", address="/m/1.3.1.1?view=all&move=9"),
    Picture(name="home", address="/", scheme="dark"),
    Picture(name="tournament", address="/t/1"),
    Picture(name="bot", address="/b/counter"),
    Picture(name="projector", address="/t/1/projector", size=(1920, 1080), scheme="dark"),
    Picture(name="play", address="/play", scheme="dark"),
)
"""All of them; the first one is the board of the README."""


def play(file: Path) -> None:
    """Plays the tournaments that the pictures show; the same each time."""
    field = ("optimal", "counter", "hand-saver", "stand(at=17)", "stand(at=15)", "random")
    table = ("equity-bettor", "exact-drawer", "cautious-folder", "target-total")
    chips = {"game": "sabacc", "ruleset": "old_republic(mode=chips)", "format": "tables"}
    with arena.open_database(file) as db:
        db.run(field, format="swiss", rounds=3, games=4, seed=5, name="Autumn Cup")
        db.run(table, seats=4, games=4, seed=5, name="Sabacc night", **chips)
        db.run(field[:4], format="knockout", games=4, seed=3, name="Cantina knockout")


def take(folder: Path, wanted: Sequence[str] = ()) -> None:
    """Takes the pictures whose names have one of these parts, by default all."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "pictures.db"
        play(file)
        with chromium() as browser, served(f"sqlite:///{file}", play=True) as address:
            for each in PICTURES:
                if wanted and not any(part in each.name for part in wanted):
                    continue
                width, height = each.size
                options = {
                    "viewport": {"width": width, "height": height},
                    "color_scheme": each.scheme,
                    "reduced_motion": "reduce",
                }
                with visit(browser, address + each.address, **options) as seen:
                    png = small(drawn(seen.page, each.part), each.width)
                    (folder / f"{each.name}.png").write_bytes(png)
                    print(f"{each.name}.png: {len(png):,} bytes")
                    assert not seen.problems, seen.problems


def drawn(page: Page, part: str) -> bytes:
    """Returns a picture of a page, or of an element of it."""
    return page.locator(part).first.screenshot() if part else page.screenshot()


def small(png: bytes, width: int) -> bytes:
    """Returns a picture of that width at most, in few colours."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        plain = picture.convert("RGB")
    if plain.width > width:
        height = round(plain.height * width / plain.width)
        plain = plain.resize((width, height), Image.Resampling.LANCZOS)
    few = plain.quantize(COLOURS, dither=Image.Dither.NONE)
    written = io.BytesIO()
    few.save(written, "png", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    take(FOLDER, sys.argv[1:])
