"""The pages of the site in a real browser, with and without JavaScript."""

from __future__ import annotations

import re
import shutil
import time

import pytest

from tests.cli.stored_cups import store
from tests.web.browser import WIDTHS, visit
from tests.web.served import served

PAGES = {
    "home": "/",
    "events": "/events?sort=-matches",
    "leaders": "/leaders",
    "leaderboard": "/g/pazaak/standard",
    "bots": "/b?sort=-name",
    "bot": "/b/random",
    "tournament": "/t/1?sort=-won",
    "unfinished": "/t/2",
    "why": "/t/1/why/random",
    "rounds": "/t/1/rounds",
    "matches": "/t/1/matches?q=crash",
    "charts": "/t/1/charts",
    "match": "/m/1.1.2.1?view=all&move=3",
}


@pytest.fixture(scope="module")
def address(cups):
    with served(cups) as found:
        yield found


EVERY_DAY = ("tournament",)
ONCE = pytest.mark.thorough("the same templates and style sheet draw all pages")
SELDOM = [pytest.param(each, marks=ONCE) for each in PAGES if each not in EVERY_DAY]


@pytest.mark.parametrize("page", [*EVERY_DAY, *SELDOM])
def test_a_page_is_sound(look, address, page):
    seen = look(address + PAGES[page], color_scheme="dark")
    assert seen.violations() == []
    seen.page.emulate_media(color_scheme="light")
    assert seen.page.locator("h1").count() == 1
    assert seen.page.locator("meta[property='og:title']").get_attribute("content")
    assert seen.page.locator("meta[property='og:description']").get_attribute("content")
    assert seen.violations() == []
    assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
    assert seen.problems == []
    assert all(each.startswith(address) for each in seen.requests if "data:" not in each)


@pytest.mark.parametrize("page", ["tournament", *SELDOM])
def test_a_page_says_the_same_without_javascript(look, address, page):
    texts = []
    for scripts in (True, False):
        seen = look(address + PAGES[page], java_script_enabled=scripts)
        texts.append(seen.page.locator("h1").inner_text())
        texts.append(re.findall(r"[\w@=()]+", seen.page.locator("main").inner_text())[:12])
    assert texts[:2] == texts[2:]


@pytest.mark.thorough("tests without a browser read the same pages")
def test_a_page_that_is_not_there_names_the_choices(look, address):
    seen = look(address + "/t/9")
    assert "unknown tournament '9'; choices: 1, 2" in seen.page.locator("main").inner_text()
    assert seen.violations() == []


def test_lists_are_sorted_and_followed_by_keyboard_alone(look, address):
    seen = look(address + "/t/1")
    seen.page.get_by_role("link", name="W-D-L", exact=True).focus()
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_url("**/t/1?sort=-won")
    column = seen.page.locator("th[aria-sort=descending]")
    assert column.inner_text().startswith("W-D-L")
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Enter")  # skips to the content
    assert seen.page.evaluate("document.activeElement.id") == "content"


def test_an_open_page_follows_what_is_stored(browser, cups, tmp_path):
    from playwright.sync_api import expect

    own = shutil.copy(cups.removeprefix("sqlite:///"), tmp_path / "own.db")
    with (
        served(f"sqlite:///{own}", interval=0.1, poll=0.05, prefix="/arena") as address,
        visit(browser, address + "/") as seen,
    ):
        expect(seen.page.locator("#live")).not_to_contain_text("new cup")
        store(f"sqlite:///{own}", name="<b>new cup</b>")
        expect(seen.page.locator("#live")).to_contain_text("<b>new cup</b>", timeout=30_000)
        assert seen.problems == []
        seen.page.get_by_role("link", name="new cup").click()
        assert seen.page.locator("h1").inner_text().startswith("<b>new cup</b>")


def test_an_open_page_is_live_though_its_second_script_comes_late(browser, address):
    def late(route):
        time.sleep(0.5)
        route.continue_()

    with visit(browser, "about:blank") as seen:
        seen.page.route("**/hx-sse.min.js*", late)
        with seen.page.expect_request("**/live/t/1", timeout=30_000):
            seen.page.goto(address + "/t/1")


@pytest.mark.thorough("the page of a tournament is drawn by the same templates")
def test_projector_pages_scroll_by_themselves_unless_no_motion_is_wanted(browser, cups):
    with served(cups, projector=True) as address:
        for motion, name in (("no-preference", "scroll-to-end"), ("reduce", "none")):
            with visit(browser, address + "/t/1", reduced_motion=motion) as seen:
                found = seen.page.evaluate("getComputedStyle(document.body).animationName")
                assert found == name
                assert seen.problems == []


@pytest.mark.thorough("tests without a browser read the same pages")
def test_the_page_of_the_public_view_holds_no_traceback_and_no_other_view(look, address):
    seen = look(address + "/m/2.1.2.1")
    assert [each.inner_text() for each in seen.page.locator(".views a").all()] == ["public"]
    assert "Traceback" not in seen.page.content()


@pytest.mark.thorough("the same style sheet draws it")
def test_the_page_of_an_error_is_as_good_as_any(look, address):
    seen = look(address + "/t/99")
    assert seen.page.locator("h1").inner_text() == "Not Found"
    assert seen.violations() == []
    assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]


def test_the_address_of_a_match_names_one_move(browser, address):
    match = address + "/m/1.1.1.1"
    with visit(browser, f"{match}?view=seat0&move=5") as seen:
        page = seen.page
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"{match}?view=seat0&move=6")
        page.locator("[data-go=reveal]").click()
        page.locator(".moves a", has_text="the end").click()
        last = page.url.rpartition("=")[2]
        page.keyboard.press("p")
        page.wait_for_url(f"{match}?view=public&move={last}")
        page.goto(f"{match}?move=5#m7")
        page.wait_for_url(f"{match}?move=7")
        assert seen.problems == []
    with visit(browser, f"{match}?view=seat0&move=5", java_script_enabled=False) as seen:
        seen.page.locator(".moment.start a[rel=next]").click()
        seen.page.wait_for_url(f"{match}?view=seat0&move=6")
        assert seen.page.locator("#m6 .board").is_visible()


@pytest.mark.thorough("tests/web/test_player.py walks by keys")
def test_keys_lead_to_the_views_of_a_match_at_the_same_move(look, address):
    names = {"seat0": "stand(at=17)", "seat1": "random", "all": "all cards"}
    seen = look(address + "/m/1.1.1.1?move=3")
    for key, view in (("1", "seat1"), ("a", "all"), ("0", "seat0"), ("p", "public")):
        seen.page.keyboard.press(key)
        seen.page.wait_for_url(f"**/m/1.1.1.1?view={view}&move=3")
        current = seen.page.locator(".views a[aria-current]").inner_text()
        assert current == names.get(view, view)
        assert seen.page.locator(".moment.now").get_attribute("id") == "m3"
    seen.page.keyboard.press("7")
    seen.page.keyboard.press("ArrowRight")
    seen.page.wait_for_url("**/m/1.1.1.1?view=public&move=4")
    assert "all cards open" in seen.page.locator(".keys").text_content()
    assert seen.problems == []
