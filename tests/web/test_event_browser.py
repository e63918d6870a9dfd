"""Pages of tournaments in a browser: what the first screen holds, and what a projector shows."""

from __future__ import annotations

import pytest

from tests.web.browser import WIDTHS, visit
from tests.web.served import served
from tests.web.test_event_pages import (
    CUP,
    RUNNING,
    SWISS,
    TABLES,
    events,  # noqa: F401 (a fixture)
    stepped,
)

NOTEBOOK, PHONE, SCREEN = (1280, 800), (375, 812), (1920, 1080)
SPILLED = """() => [...document.querySelectorAll('.proj, .proj *')].map(each => {
    const box = each.getBoundingClientRect();
    return [each.className.baseVal ?? each.className, box.left, box.top, box.right, box.bottom];
}).filter(([, left, top, right, bottom]) => left < -1 || top < -1 || right > 1921 || bottom > 1081)
"""
"""The elements of a projector's page that do not fit on its screen."""


@pytest.fixture(scope="module")
def address(events):  # noqa: F811 (the fixture)
    with served(events) as found:
        yield found


def opened(look, address, size, scheme="light", **options):
    seen = look(address, scheme, **options)
    width, height = size
    seen.page.set_viewport_size({"width": width, "height": height})
    return seen


BOX = """selector => {
    const found = [...document.querySelectorAll(selector)].find(each => each.checkVisibility());
    const box = found.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom];
}"""
"""Finds the first visible element and measures it at once: the board that plays changes."""


def box(seen, selector):
    """The first visible element of a selector: left, top, right, bottom."""
    return seen.page.evaluate(BOX, selector)


def test_the_first_screen_has_the_podium_the_standings_and_a_board(look, address):
    seen = opened(look, f"{address}/t/{SWISS}", NOTEBOOK)
    for selector in (".podium", ".standings tbody tr:nth-child(8)", ".featured .board"):
        assert box(seen, selector)[3] <= 800, selector
    assert box(seen, ".podium .first")[1] < box(seen, ".podium .second")[1]
    seen = opened(look, f"{address}/t/{CUP}", NOTEBOOK)
    assert box(seen, ".bracket")[3] <= 800
    assert box(seen, ".featured .board")[1] >= box(seen, ".bracket")[3]  # no empty column
    assert box(seen, ".featured .board")[0] == pytest.approx(box(seen, ".bracket")[0], abs=30)
    seen = opened(look, f"{address}/t/{RUNNING}", NOTEBOOK, "dark")
    for selector in (".status", ".standings tbody tr:nth-child(10)", ".featured .board"):
        assert box(seen, selector)[3] <= 800, selector
    assert box(seen, ".pairs li")[3] <= 800
    assert seen.problems == []


def test_the_first_screen_of_a_phone_has_the_champion_and_the_first(look, address):
    seen = opened(look, f"{address}/t/{SWISS}", PHONE)
    assert box(seen, ".podium")[3] <= 812
    assert box(seen, ".standings tbody tr:nth-child(3)")[3] <= 812
    seen = opened(look, f"{address}/t/{CUP}", PHONE)
    assert box(seen, ".bracket .rc:last-child .tie")[3] <= 812  # the final
    seen = opened(look, f"{address}/t/{RUNNING}", PHONE)
    assert box(seen, ".standings tbody tr:nth-child(10)")[3] <= 812


@pytest.mark.parametrize("number", [SWISS, RUNNING, TABLES, CUP])
def test_a_projector_shows_everything_at_once(look, address, number):
    seen = opened(look, f"{address}/t/{number}/projector?page=1", SCREEN, "dark")
    page = seen.page
    assert page.evaluate(SPILLED) == []
    root = "document.documentElement"
    assert page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]") == [*SCREEN]
    sizes = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert page.locator(".phead h1").evaluate(sizes) == 64
    if number == CUP:
        assert page.locator(".pbox .tie p").first.evaluate(sizes) == 34
    else:
        heights = [each.bounding_box()["height"] for each in page.locator(".pt tbody tr").all()]
        font, height = (54, 102) if len(heights) > 5 else (68, 150)  # few lines fill the screen
        assert page.locator(".pt tbody th").first.evaluate(sizes) == font
        assert {round(each) for each in heights} == {height}
        assert box(seen, ".pt")[3] > 540  # the lower half is not empty
        assert box(seen, ".pright .board")[2] <= 1920 - 48
    assert not page.locator("header.top").is_visible()
    assert seen.violations() == []
    assert seen.problems == []


@pytest.mark.parametrize("number", [CUP, TABLES])
def test_long_names_keep_a_projector_in_its_screen(look, address, number):
    seen = opened(look, f"{address}/t/{number}/projector", SCREEN)
    named = ".pclock .soft, .pclock b, .why, .tie .name, .plate .name, .pt th"
    rename = "(every, name) => every.forEach(each => { each.textContent = name; })"
    seen.page.eval_on_selector_all(named, rename, "W" * 64)
    names = "text => !['', 'name', 'sr', 'soft', 'long'].includes(text[0])"
    assert seen.page.evaluate(f"({SPILLED})().filter({names})") == []


def test_a_projector_without_a_script_turns_its_pages(look, address):
    seen = look(f"{address}/t/{SWISS}/projector?page=1", java_script_enabled=False)
    assert seen.page.locator(".pt tbody tr").count() == 8
    seen.page.wait_for_url("**/projector?page=2", timeout=30_000)
    assert seen.page.locator(".pt tbody tr").count() == 2


def test_an_open_page_follows_the_round_and_keeps_its_board(browser, tmp_path):
    from playwright.sync_api import expect

    file = tmp_path / "stepped.db"
    with (
        stepped(file) as step,
        served(f"sqlite:///{file}", interval=0.1, poll=0.05) as address,
        visit(browser, f"{address}/t/1") as seen,
    ):
        step()
        expect(seen.page.locator("td.prov").first).to_contain_text("+", timeout=30_000)
        moment = seen.page.locator(".featured .moment").first
        expect(moment).to_be_attached(timeout=30_000)  # it came with no event
        while (stored := step()) < 21:
            pass
        expect(seen.page.locator("td.prov").nth(3)).to_contain_text("+", timeout=30_000)
        assert stored == 21
        expect(moment).to_be_attached(timeout=30_000)  # perhaps that of another match
        assert seen.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("number", [SWISS, RUNNING, CUP])
def test_pages_of_tournaments_are_accessible_and_fit(look, address, number, scheme):
    seen = opened(look, f"{address}/t/{number}", NOTEBOOK, scheme)
    assert seen.violations() == []
    assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
    assert seen.problems == []
