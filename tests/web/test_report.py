"""A tournament's report in a real browser, opened from its files."""

from __future__ import annotations

import msgspec
import pytest

import arena as api
from arena.pages.report import single_report
from arena.plugins.registry import Registry
from arena.service.public.static_report import report_contents
from arena.service.storage.databases import open_database
from tests.pages.played import play
from tests.web.browser import WIDTHS

NAMES = {
    "stands-15": "<script>alert(1)</script>",
    "stands-16": "\u202eright-to-left",
    "stands-17": "x" * 200,
    "stands-18": "</table>&amp;",
}


def renamed(value):
    """Returns a value in which the bots have other names."""
    if isinstance(value, str):
        return NAMES.get(value, value)
    if isinstance(value, msgspec.Struct):
        fields = {name: renamed(getattr(value, name)) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **fields)
    if isinstance(value, tuple | list):
        return type(value)(map(renamed, value))
    if isinstance(value, dict):
        return {renamed(key): renamed(each) for key, each in value.items()}
    return value


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Reports: ``cup`` in a folder, ``one.html`` at tables, and ``names.html`` of hostile names."""
    place = tmp_path_factory.mktemp("reports")
    play(place / "cups.db")
    with api.open_database(place / "cups.db") as db:
        db.tournament(1).report(html=place / "cup", replays=1)
        db.tournament(2).report(single=place / "one.html", replays=1)
    with open_database(f"sqlite:///{place / 'cups.db'}") as database:
        contents = report_contents(Registry(), database, 5, replays=0)
    (place / "names.html").write_text(single_report(renamed(contents)))
    return place


@pytest.mark.thorough("the same templates", everyday=["cup/index.html-light"])
@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("cup/index.html", "light"),
        ("cup/index.html", "dark"),
        ("one.html", "dark"),
        ("names.html", "light"),
    ],
)
def test_a_page_is_sound_at_every_width(look, folder, name, scheme):
    seen = look((folder / name).as_uri(), color_scheme=scheme)
    assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
    assert seen.violations() == []
    assert seen.problems == []
    root = folder.as_uri()
    assert all(each.startswith((root, "data:")) for each in seen.requests)


def test_names_are_shown_as_they_are(look, folder):
    seen = look((folder / "names.html").as_uri())
    shown = seen.page.locator("#standings tbody th").all_inner_texts()
    assert {*NAMES.values()} - {"\u202eright-to-left"} <= {*shown}
    assert seen.page.locator("script").count() == 0


@pytest.mark.thorough("test_player.py follows links to moves")
@pytest.mark.parametrize("scripts", [True, False])
def test_a_match_is_one_click_away(look, folder, scripts):
    page = (folder / "cup" / "index.html").as_uri()
    seen = look(page, java_script_enabled=scripts)
    seen.page.locator("#faults tbody a").first.click()
    seen.page.wait_for_url("**/replays/1.*")
    seen.page.locator("#m3 svg:visible").first.wait_for()
    seen.page.get_by_role("link", name="</title>").first.click()
    assert seen.page.url == page
    assert seen.problems == []


@pytest.mark.thorough("tests/pages reads the single file")
def test_a_match_in_a_single_file_unfolds(look, folder):
    seen = look((folder / "one.html").as_uri())
    text = seen.page.locator("#replays pre").first
    assert not text.is_visible()
    seen.page.locator("#closest tbody a").first.click()
    assert text.is_visible()
    assert seen.problems == []
