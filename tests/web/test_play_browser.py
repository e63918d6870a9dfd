"""Play in a real browser: by mouse, by touch, by keyboard, and without JavaScript."""

from __future__ import annotations

import re

import pytest
from arena_results.file.database import open_database

from arena.web.site.guard.settings import Limits
from tests.web.browser import WIDTHS, visit
from tests.web.served import served

PAZAAK = ("pazaak", "standard", "max_sets=2", ["stand"])
SABACC = (
    *("sabacc", "old_republic", "mode=chips,hands=2"),
    ["target-total", "cautious-folder", "random"],
)
FULL = (
    *("sabacc", "old_republic", "mode=chips,hands=1,betting=poker,short_stack=all_in,stack=12"),
    ["target-total", "cautious-folder", "random", "exact-drawer", "equity-bettor"],
)
MATCHES = 5
"""Matches in which each kind of question is asked, however the cards fall."""
SCREENS = ((1280, 800), (1024, 768), (375, 812))
"""Windows in which table, hand and actions are in one screen."""
SLOW = 60_000
"""Milliseconds in which bots have acted, on a busy machine."""
DOUBLE = 550
"""Milliseconds after which a click is no double click, whose second one the page drops."""
OVER = ".rail.end:not(.held)"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a server for the tests of this file, which together send much."""
    url = f"sqlite:///{tmp_path_factory.mktemp('play')}/play.db"
    with open_database(url, create=True):
        pass
    limits = Limits(requests=60_000, unsafe=6_000, answers=6_000, tables_of_address=8)
    with served(url, play=True, limits=limits) as found:
        yield found


def sit_down(page, address, game, ruleset, options, bots):
    page.goto(f"{address}/play?game={game}")
    while (chosen := page.locator("input[name=bot][type=checkbox]:checked")).count():
        chosen.first.uncheck()
    for bot in bots:
        page.locator(f"input[name=bot][value={bot}]").check()
    page.get_by_text("Rules and options").click()
    page.get_by_label("Ruleset").select_option(ruleset)
    page.get_by_label("Options, if you want others").fill(options)
    page.get_by_label("Hints").check()
    page.get_by_role("button", name="Sit down").click()
    page.locator(".rail, .loadout").first.wait_for(timeout=SLOW)
    if page.locator(".loadout").count():
        page.get_by_role("button", name="Begin the match").click()
        page.locator(".rail").first.wait_for(timeout=SLOW)


def questions(page):
    """Yields as long as the page asks something or holds a scene; each time another one."""
    last = "none"
    while True:
        other = f"form.rail:not([id='{last}'])"
        page.locator(f"{OVER}, {other}").first.wait_for(timeout=SLOW)
        if page.locator(OVER).count():
            return
        last = page.locator("form.rail").get_attribute("id")
        yield last


class Mouse:
    """Chooses cards and presses buttons by clicks."""

    def press(self, found):
        found.page.wait_for_timeout(DOUBLE)
        found.click()

    def choose(self, page, place):
        self.press(page.locator(".rail .pick").nth(place))

    def confirm(self, page, place):
        self.choose(page, place)

    def take(self, page):
        """Plays the first card that can be, exchanges two, puts one more than the least."""
        rail = page.locator(".rail")
        picks, boxes = rail.locator(".pick"), rail.locator(".pick [type=checkbox]")
        if rail.locator("[name=held]").count():
            self.press(rail.locator("[name=held]"))
        elif boxes.count():
            self.choose(page, 0)
            exchange = rail.get_by_role("button", name=re.compile("Exchange 1 card"))
            exchange.wait_for(timeout=SLOW)
            self.choose(page, 1)
            if rail.get_by_role("button", name=re.compile("Exchange 2 cards")).count():
                self.press(rail.get_by_role("button", name=re.compile("Exchange 2 cards")))
            else:
                self.press(rail.get_by_role("button", name=re.compile("Keep all|Fold")).first)
        elif picks.count():
            self.choose(page, 0)
            rail.locator(".btn.lamp").first.wait_for(timeout=SLOW)
            self.confirm(page, 0)
        elif rail.locator(".staker").count():
            self.press(rail.get_by_label("one more"))
            put = rail.locator("[data-words]").first
            assert re.search(r"\d", put.inner_text())
            self.press(put)
        else:
            buttons = rail.locator(".btn:visible")
            self.press(buttons.nth(min(1, buttons.count() - 1)))


class Touch(Mouse):
    """The same by taps."""

    def press(self, found):
        found.page.wait_for_timeout(DOUBLE)
        found.tap()


class Keyboard(Mouse):
    """Chooses cards by digits; Enter confirms."""

    def press(self, found):
        key = found.get_attribute("data-key")
        found.page.keyboard.press(key or "Enter")

    def choose(self, page, place):
        page.keyboard.press(str(place + 1))

    def confirm(self, page, place):
        page.keyboard.press("Enter")

    def take(self, page):
        if page.locator(".staker").count():
            page.keyboard.press("+")
            page.keyboard.press("Enter")
        else:
            super().take(page)


class Plain(Mouse):
    """Clicks without a script: a chosen card shows its buttons by the style sheet alone."""

    def take(self, page):
        rail = page.locator(".rail")
        if rail.locator(".pick [type=checkbox]").count():
            self.choose(page, 0)
            self.press(rail.get_by_role("button", name="Exchange the chosen cards"))
        elif rail.locator(".pick").count():
            self.choose(page, 0)
            self.press(rail.locator("[data-cards]:visible").first)
        elif rail.locator(".staker").count():
            self.press(rail.locator("[data-words]").first)
        else:
            buttons = rail.locator(".btn:visible")
            self.press(buttons.nth(min(1, buttons.count() - 1)))


def in_one_screen(page):
    """Asserts that table, hand and all actions are within the window, at each size."""
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        boxes = page.locator(".board .plate, .rail, .rail .hand, .rail .btn:visible")
        for box in [each.bounding_box() for each in boxes.all()]:
            assert box["x"] >= 0, (width, box)
            assert box["x"] + box["width"] <= width + 1, (width, box)
            assert box["y"] + box["height"] <= height + 1, (width, box)
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.thorough(
    "plays six matches in a browser; the tests below choose cards and amounts",
    everyday=["pazaak-keyboard"],
)
@pytest.mark.parametrize(
    ("wish", "hand", "script"),
    [
        pytest.param(PAZAAK, Mouse(), True, id="pazaak-mouse"),
        pytest.param(PAZAAK, Touch(), True, id="pazaak-touch"),
        pytest.param(PAZAAK, Keyboard(), True, id="pazaak-keyboard"),
        pytest.param(PAZAAK, Plain(), False, id="pazaak-without-javascript"),
        pytest.param(SABACC, Mouse(), True, id="sabacc-mouse"),
        pytest.param(SABACC, Touch(), True, id="sabacc-touch"),
        pytest.param(SABACC, Keyboard(), True, id="sabacc-keyboard"),
        pytest.param(SABACC, Plain(), False, id="sabacc-without-javascript"),
    ],
)
def test_a_whole_match_is_played(browser, address, wish, hand, script):
    options = {"java_script_enabled": script, "has_touch": isinstance(hand, Touch)}
    with visit(browser, f"{address}/play", **options) as seen:
        page, kinds = seen.page, set()
        for _ in range(MATCHES):  # by chance a match may ask for no card
            sit_down(page, address, *wish)
            table = page.url
            for _ in questions(page):
                rail = page.locator(".rail")
                kinds |= {
                    kind
                    for kind in (".pick", ".staker", "[name=held]")
                    if rail.locator(kind).count()
                }
                hand.take(page)
            if {".pick", "[name=held]"} <= kinds:
                break
        assert {".pick", "[name=held]"} <= kinds
        assert page.url == table
        end = page.locator(".rail .ask").inner_text()
        assert re.search("win|share|drawn", end), end
        assert "human" not in page.locator("main").inner_text()
        assert page.get_by_role("button", name="Play again").is_visible()
        assert page.get_by_role("link", name="Analyse").get_attribute("href").startswith("/m/")
        # A stream of events that ends because the visitor goes on is no problem.
        assert [each for each in seen.problems if "/live/" not in each] == []


@pytest.mark.parametrize("wish", [PAZAAK, SABACC, FULL], ids=["pazaak", "four", "six"])
def test_table_hand_and_actions_are_in_one_screen(browser, address, wish):
    with visit(browser, f"{address}/play") as seen:
        page, hand, checked = seen.page, Mouse(), set()
        sit_down(page, address, *wish)
        for _ in questions(page):
            rail = page.locator(".rail")
            kind = next(
                (k for k in ("[name=held]", ".staker", ".pick") if rail.locator(k).count()), ""
            )
            asked = (kind, rail.locator(".btn:visible").count())
            if asked not in checked:
                checked.add(asked)
                in_one_screen(page)
                assert seen.violations() == []
            hand.take(page)
        in_one_screen(page)
        names = ".sides .plate .who"
        cut = f"[...document.querySelectorAll('{names}')].map(e => e.scrollWidth > e.clientWidth)"
        assert not any(page.evaluate(cut)), "a name is cut"
        assert seen.violations() == []
        assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
        assert len(checked) > 1


def test_a_card_is_chosen_by_a_click_and_played_by_the_next(browser, address):
    with visit(browser, f"{address}/play") as seen:
        page = seen.page
        sit_down(page, address, *PAZAAK)
        for number in questions(page):
            picks = page.locator(".rail .pick")
            if not picks.count():
                page.keyboard.press("Enter")
                continue
            assert page.locator(".rail [data-cards]:visible").count() == 0
            picks.nth(0).click()
            words = page.locator(".rail .btn.lamp span").inner_text()
            assert words.startswith("Play ")
            assert f"for: {words}" in page.locator("[data-say]").inner_text()
            page.keyboard.press("Escape")
            assert page.locator(".rail [data-cards]:visible").count() == 0
            assert page.locator("form.rail").get_attribute("id") == number
            picks.nth(0).click()
            with page.expect_request(lambda each: each.method == "POST") as sent:
                picks.nth(0).click()
            assert "choice=" in sent.value.post_data
            return


def test_an_amount_is_set_by_steps_slider_and_number(browser, address):
    with visit(browser, f"{address}/play") as seen:
        page = seen.page
        sit_down(page, address, "sabacc", "old_republic", "mode=chips,hands=9", ["target-total"])
        amounts = 0
        for _ in questions(page):
            number, put = page.locator(".staker .number"), page.locator("[data-words] span").first
            if not number.count():
                Keyboard().take(page)
                continue
            amounts += 1
            assert number.input_value() == number.get_attribute("min")
            if amounts == 2:
                assert page.evaluate("document.activeElement.className") == "ask"
                return
            page.get_by_label("one more").click()
            assert number.input_value() == put.inner_text().split()[-1] == "2"
            page.locator(".slide").fill("5")
            assert number.input_value() == put.inner_text().split()[-1] == "5"
            number.fill("3")
            assert (page.locator(".slide").input_value(), put.inner_text()) == ("3", "Put 3")
            with page.expect_request(lambda each: each.method == "POST") as sent:
                number.press("Enter")
            assert "amount=3" in sent.value.post_data
        pytest.fail("nobody was asked for a second amount")


def test_a_side_deck_is_picked_with_the_number_of_its_cards(browser, address):
    with visit(browser, f"{address}/play") as seen:
        page = seen.page
        assert seen.violations() == []
        count = page.locator(".decks .count")
        assert count.inner_text() == "10 of 10"
        assert page.locator("input[name=bot]:checked").input_value() == "hand-saver"
        assert "medium" in page.locator(".opp:has(:checked)").inner_text()
        page.locator(".pick:has([value='+1'])").click()
        assert count.inner_text() == "9 of 10"
        page.locator(".pick:has([value='2&4'])").hover()
        assert "every 2 and 4" in page.locator(".decks .voice").inner_text()
        page.get_by_label("copies of +2").fill("2")
        assert count.inner_text() == "10 of 10"
        page.get_by_role("button", name="Sit down").click()
        page.locator(".rail").first.wait_for(timeout=SLOW)
        assert page.locator(".loadout").count() == 0
        own = {
            each.get_attribute("aria-label") for each in page.locator(".rail [aria-label]").all()
        }
        assert "+1" not in own


def test_the_same_deal_is_played_from_the_other_seat_and_left(browser, address):
    with visit(browser, f"{address}/play") as seen:
        page = seen.page
        sit_down(page, address, *PAZAAK)
        for again in ("Swap seats, same deal", "Play again"):
            page.get_by_text("Leave the table").click()
            page.get_by_role("button", name="Leave, and lose").click()
            page.locator(f"{OVER}, [name=held]").first.wait_for(timeout=SLOW)
            while page.locator("[name=held]").count():
                page.locator("[name=held]").click()
                page.wait_for_timeout(100)
            with page.expect_navigation(timeout=SLOW):
                page.get_by_role("button", name=again).click()
            page.locator("form.rail, .loadout").first.wait_for(timeout=SLOW)
            if page.locator(".loadout").count():
                page.get_by_role("button", name="Begin the match").click()
            page.locator("form.rail").first.wait_for(timeout=SLOW)
