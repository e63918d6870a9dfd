"""Play in a real browser: by mouse, by keyboard, and without JavaScript."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from arena_results.file.database import open_database

from tests.web.browser import WIDTHS, visit

ARENA = Path(sys.executable).with_name("arena")
PAZAAK = ("pazaak", "standard", "", ["stand"])
SHORT = ("pazaak", "standard", "max_sets=2", ["stand"])
SABACC = (
    *("sabacc", "old_republic", "mode=chips,hands=1"),
    ["target-total", "cautious-folder", "random"],
)
SLOW = 60_000
"""Milliseconds in which bots have acted, on a busy machine."""


@pytest.fixture
def address(tmp_path):
    """The address of a server of its own process, which only this machine reaches.

    Each test has one: together they would send more in a minute than a visitor may.
    """
    url = f"sqlite:///{tmp_path}/play.db"
    with open_database(url, create=True):
        pass
    command = [ARENA, "serve", "--db", url, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().split(" ")[0].rstrip("/")
        server.terminate()
        assert server.wait(30) == 0


def sit_down(page, address, game, ruleset, options, bots):
    page.goto(f"{address}/play?game={game}")
    page.get_by_label("Ruleset").select_option(ruleset)
    page.get_by_label("Options, if you want others").fill(options)
    for place, bot in enumerate(bots):
        page.locator("select[name=bot]").nth(place).select_option(bot)
    page.get_by_label("Hints").check()
    page.get_by_role("button", name="Sit down").click()
    page.locator(".turn button").first.wait_for(timeout=SLOW)


def questions(page):
    """Yields as long as the page asks something; each time the number of another question."""
    last = ""
    while True:
        page.locator(f".ending, .turn input[name=question]:not([value='{last}'])").first.wait_for(
            state="attached", timeout=SLOW
        )
        if page.locator(".ending").count():
            return
        last = page.locator("input[name=question]").first.get_attribute("value")
        yield last


def by_mouse(page):
    """Takes the second action, if there is one, else the first; amounts as they stand."""
    if page.get_by_role("button", name="Bring these").count():
        page.get_by_role("button", name="Bring these").click()
    else:
        buttons = page.locator(".choices button")
        buttons.nth(min(1, buttons.count() - 1)).click()


def by_keyboard(page):
    """Takes the first action by its number; an amount or a loadout is affirmed by Enter."""
    if page.get_by_role("button", name="Bring these").count():
        page.get_by_label("Cards, or the name").press("Enter")
        return
    many = page.locator(".choices button").count() >= 10
    amount = page.locator(".choices li").first.locator("input[type=number]").count()
    page.keyboard.press("1")
    if many or amount:
        page.keyboard.press("Enter")
    if many and amount:
        page.keyboard.press("Enter")


@pytest.mark.thorough(
    "test_play.py plays whole matches by HTTP; the tests below press keys in the browser"
)
@pytest.mark.parametrize(
    ("wish", "act", "script"),
    [
        pytest.param(PAZAAK, by_keyboard, True, id="pazaak-keyboard"),
        pytest.param(SHORT, by_mouse, True, id="pazaak-mouse"),
        pytest.param(SHORT, by_mouse, False, id="pazaak-without-javascript"),
        pytest.param(SABACC, by_mouse, True, id="sabacc-mouse"),
        pytest.param(SABACC, by_keyboard, True, id="sabacc-keyboard"),
        pytest.param(SABACC, by_mouse, False, id="sabacc-without-javascript"),
    ],
)
def test_a_whole_match_is_played(browser, address, wish, act, script):
    with visit(browser, f"{address}/play", java_script_enabled=script) as seen:
        page = seen.page
        assert not script or seen.violations() == []
        sit_down(page, address, *wish)
        table = page.url
        checked = False
        for _ in questions(page):
            if not checked and page.locator(".felt").count():
                checked = True
                if script:
                    page.keyboard.press("h")
                    page.locator(".odds, [role=alert]").first.wait_for(timeout=SLOW)
                    assert seen.violations() == []
                assert not script or [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
            act(page)
        assert checked
        assert page.url == table
        assert re.match(r"You have (won|lost)|A draw", page.locator(".ending h2").inner_text())
        if script:
            assert seen.violations() == []
            assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
        if len(wish[-1]) == 1:  # at larger tables it is the same, with more processes
            again(page, script)
        # A stream of events that ends because the visitor goes on is no problem.
        assert [each for each in seen.problems if "/live/" not in each] == []


def again(page, script):
    """Plays the same deal from another seat, and leaves."""
    table = page.url
    if script:
        page.keyboard.press("r")
    else:
        page.get_by_role("button", name="Same deal").click()
    page.wait_for_url(lambda url: url != table and "/play/" in url, timeout=SLOW)
    page.locator(".turn button").first.wait_for(timeout=SLOW)
    page.get_by_text("Leave the table").click()
    page.get_by_role("button", name="Leave, and lose").click()
    page.locator(".ending").wait_for(timeout=SLOW)


def test_an_amount_is_chosen_by_key_and_goes_with_its_question(browser, address):
    options = "mode=chips,hands=9,ante=3"
    with visit(browser, f"{address}/play") as seen:
        page = seen.page
        sit_down(page, address, "sabacc", "old_republic", options, ["target-total"])
        amounts = 0
        for _ in questions(page):
            amount = page.locator(".choices li").first.locator("input[type=number]")
            if amounts:
                assert page.evaluate("document.activeElement.textContent").startswith("Your turn")
            if not amount.count():
                by_keyboard(page)
                continue
            page.keyboard.press("1")
            amounts += 1
            assert amount.evaluate("input => input === document.activeElement")
            assert amount.input_value() == amount.get_attribute("min")
            if amounts == 2:
                return
            page.keyboard.type("4")
            page.keyboard.press("Enter")
        pytest.fail("nobody was asked for a second amount")


@pytest.mark.thorough("test_an_amount_is_chosen_by_key types digits; tests/tui waits for them, too")
def test_the_first_of_two_digits_waits_for_the_second_however_long(browser, address):
    with visit(browser, f"{address}/play") as seen:
        page = seen.page
        sit_down(page, address, "sabacc", "old_republic", "mode=showdown,hands=1", ["target-total"])
        asked = questions(page)
        number = next(asked)
        while page.locator(".choices button").count() < 10:
            by_keyboard(page)
            number = next(asked)
        page.clock.install()
        page.keyboard.press("1")
        assert page.evaluate("document.activeElement.dataset.key") == "1"
        page.clock.run_for(60_000)
        assert page.locator("input[name=question]").first.get_attribute("value") == number
        with page.expect_request(lambda each: each.method == "POST") as sent:
            page.keyboard.press("0")
        assert f"question={number}&choice=10" in sent.value.post_data
