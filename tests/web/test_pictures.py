"""The pictures of README and docs: declared once, small, used, and of pages that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.web.site.guard.settings import Settings
from tests.web.client import visiting
from tests.web.pictures import FOLDER, MAX_BYTES, PICTURES, play

ROOT = FOLDER.parents[1]
USED = re.compile(r"!\[[^\]]+\]\(([^)\s]*pictures/[^)\s]+)\)")
DRAWN = {"calibration.svg"}
"""Written by ``make calibrate``."""


def used() -> set[Path]:
    """The files of this folder that README and docs show."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    return {
        (page.parent / found).resolve()
        for page in pages
        if "_build" not in page.parts
        for found in USED.findall(page.read_text("utf-8"))
    }


def test_every_picture_is_declared_there_used_and_small():
    declared = {FOLDER / f"{each.name}.png" for each in PICTURES} | {
        FOLDER / name for name in DRAWN
    }
    assert {*FOLDER.iterdir()} == declared == used()
    assert sum(each.stat().st_size for each in declared) <= MAX_BYTES


def test_the_board_is_the_first_picture_of_the_readme():
    assert PICTURES[0].name == "board"
    assert USED.search((ROOT / "README.md").read_text("utf-8"))[1] == "docs/pictures/board.png"


@pytest.fixture(scope="module")
def cups(tmp_path_factory):
    file = tmp_path_factory.mktemp("pictures") / "pictures.db"
    play(file)
    return f"sqlite:///{file}"


async def test_every_picture_has_its_page(cups):
    async with visiting(Settings(db=cups, play=True)) as visitor:
        for each in PICTURES:
            answer = await visitor.get(each.address)
            assert answer.status == 200, each.address
            for name in re.findall(r"[#.]([\w-]+)", each.part):
                assert name in answer.text, each.part
