"""The replay player in a real browser: keys, mouse, touch, without a script, at every width."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from arena.pages.replay import single_replay_page, small_player
from arena.pages.templates import asset
from tests.pages.one_match import CHIPS, SABACC, Crash, played
from tests.web.browser import WIDTHS

NAMES = ("target-total", "cautious-folder", "exact-drawer", "equity-bettor", "search", "random")
SCREENS = ((1280, 800), (1024, 768), (375, 812))
SEEN = """all => all.filter(one => one.querySelector('.board').checkVisibility())
    .map(one => one.id)"""
PARTS = """all => all.map(plate => [...plate.children]
    .filter(one => one.checkVisibility() && one.offsetWidth > 1 && !one.matches('.push'))
    .map(one => one.getBoundingClientRect())
    .map(box => [box.left, box.top, box.right, box.bottom]))"""
MOTION = "() => document.getAnimations().filter(each => !(each instanceof CSSTransition)).length"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Addresses of pages of Pazaak and of Sabacc: one with a seat taken out, two of long names."""
    folder = tmp_path_factory.mktemp("replays")
    matches = {
        "pazaak": played(seed=4),
        "sabacc": played(SABACC, CHIPS, 3, ("ann", "bob", "cid", "dot"), [Crash]),
        "four": played(SABACC, CHIPS, 3, NAMES[:4]),
        "five": played(SABACC, CHIPS, 3, NAMES[:5]),
        "six": played(SABACC, CHIPS, 3, NAMES),
        "won hands": played(SABACC, "old_republic(hands=2)", 3, NAMES[:4]),
    }
    for name, match in matches.items():
        view = "all" if name in {"four", "five", "six"} else "seat1"
        (folder / f"{name}.html").write_text(single_replay_page(match, view))
    small = small_player(matches["pazaak"], address="pazaak.html")
    text = (
        f"<style>{asset('style.css')}{asset('board.css')}</style><main><h1>Cup</h1>{small}</main>"
    )
    text = f"<!doctype html><html lang=en><meta charset=utf-8><title>Cup</title>{text}"
    (folder / "small.html").write_text(f"{text}<script>{asset('player.js')}</script>")
    return {name: (folder / f"{name}.html").as_uri() for name in (*matches, "small")}


@contextmanager
def opened(look, address, **options):
    seen = look(address, **options)
    yield seen
    assert seen.problems == []
    assert {each.partition("?")[0].partition("#")[0] for each in seen.requests} == {
        address.partition("?")[0].partition("#")[0]
    }


def shown(seen) -> list[str]:
    """Names of the steps that a person can see."""
    return seen.page.eval_on_selector_all(".moment", SEEN)


def moves(page) -> list[str]:
    """The moves that a person can see in the list."""
    rows = page.locator(".moves li").filter(visible=True)
    return [row.get_attribute("data-move") for row in rows.all()]


def test_keys_walk_through_moves_and_scenes_that_are_held(look, pages):
    with opened(look, pages["pazaak"]) as seen:
        press, page = seen.page.keyboard.press, seen.page
        last = int(page.locator(".moment").last.get_attribute("data-move"))
        held = page.locator(".moment[id*=h]").first.get_attribute("id")
        second = held.partition("h")[0]
        before = f"m{int(second[1:]) - 1}"
        assert shown(seen) == ["m0"]
        for key, step in (
            ("ArrowRight", "m1"), ("ArrowLeft", "m0"), ("ArrowLeft", "m0"), ("End", f"m{last}"),
            ("ArrowRight", f"m{last}"), ("Home", "m0"), ("Shift+ArrowRight", second),
            ("ArrowLeft", held), ("ArrowLeft", before), ("ArrowRight", held),
            ("ArrowRight", second),
            ("ArrowRight", f"m{int(second[1:]) + 1}"), ("Shift+ArrowLeft", second),
        ):  # fmt: skip
            press(key)
            assert shown(seen) == [step], key
            assert page.url.endswith(f"#{step.partition('h')[0]}") or step == "m0"
        for key in ("Enter", "x"):  # any key goes on from what is held, also while it stands still
            press("ArrowLeft")
            assert shown(seen) == [held]
            press(key)
            assert shown(seen) == [second], key
        assert page.locator(".spoken").text_content().startswith(f"Move {second[1:]}. ")
        assert page.locator(".timebox input").get_attribute("aria-valuetext") == (
            f"Set 2, move {second[1:]} of {last}"
        )
        assert page.locator(".moves li[aria-current]").get_attribute("data-move") == second[1:]


def test_the_result_and_later_moves_are_hidden_until_they_are_reached(look, pages):
    with opened(look, pages["pazaak"]) as seen:
        page = seen.page
        body = "() => document.body.innerText"
        assert "wins" not in page.evaluate(body)
        assert moves(page) == ["0"]
        page.keyboard.press("ArrowRight")
        assert moves(page) == ["0", "1"]
        later = page.locator(".timeline .tl-at").filter(visible=False).count()
        assert later > 3
        assert page.locator(".tl-at[data-move='1']").is_visible()
        page.locator("[data-go=reveal]").click()
        assert len(moves(page)) == page.locator(".moves li").count() > 20
        assert page.locator(".timeline .tl-at").filter(visible=False).count() == 0
        page.locator(".result summary").click()
        assert "won by bob" in page.locator(".result pre").inner_text()
        assert not page.locator(".decided").is_visible()
        page.keyboard.press("End")
        assert page.locator(".decided").is_visible()
        assert "bob wins the match" in page.locator(".moment.now .scene").inner_text()


def test_mouse_and_touch_walk_through_the_moves(look, pages):
    with opened(look, pages["pazaak"], has_touch=True) as seen:
        page = seen.page
        worst = page.locator("[data-go=worst]")
        for tap in ("click", "tap"):
            for button, step in (("next", "m1"), ("next", "m2"), ("back", "m1"), ("last", "m21")):
                getattr(page.locator(f".controls [data-go={button}]"), tap)()
                assert shown(seen) == [step], (tap, button)
            getattr(worst, tap)()
            assert shown(seen) == [worst.get_attribute("href").removeprefix("#")]
            getattr(page.locator(".controls [data-go=first]"), tap)()
            assert shown(seen) == ["m0"]
        box = page.locator(".timebox").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.52, box["y"] + 4)
        assert shown(seen) == ["m11"]
        held = page.locator(".moment[id*=h]").first.get_attribute("id")
        page.keyboard.press("Home")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert shown(seen) == [held]
        page.locator(".moment.now .scene a[data-go=next]").tap()
        assert shown(seen) == [held.partition("h")[0]]


@pytest.mark.thorough("keys walk through the same moments")
def test_it_plays_to_the_end_and_stops(look, pages):
    with opened(look, pages["pazaak"], reduced_motion="reduce") as seen:
        page = seen.page
        for _ in range(3):  # from 1 to 4, the fastest
            page.keyboard.press("+")
        assert page.locator("[data-speed='4']").get_attribute("aria-pressed") == "true"
        page.locator(".timebox input").fill("20")
        assert shown(seen) == ["m20"]
        page.keyboard.press(" ")
        page.locator("#m21h0.now").wait_for()
        page.keyboard.press("x")  # any key goes on from what is held
        page.locator("#m21.now").wait_for()
        page.locator(".replay:not(.playing)").wait_for(state="attached")
        assert shown(seen) == ["m21"]


def test_cards_move_once_and_not_for_those_who_want_no_motion(look, pages):
    for name in ("pazaak", "four"):
        counts = {}
        for option in ("no-preference", "reduce"):
            with opened(look, pages[name], reduced_motion=option) as seen:
                counts[option] = 0
                for _ in range(12):
                    seen.page.keyboard.press("ArrowRight")
                    counts[option] += seen.page.evaluate(MOTION)
                lasting = "() => document.getAnimations().map(each => each.effect.getTiming())"
                for timing in seen.page.evaluate(lasting):
                    assert timing["duration"] <= 300
                    assert timing["iterations"] == 1
        assert counts["no-preference"] > 3
        assert counts["reduce"] == 0


@pytest.mark.parametrize("address", ["#m5", "?move=5"])
def test_an_address_has_the_move(look, pages, address):
    with opened(look, pages["pazaak"] + address) as seen:
        assert shown(seen) == ["m5"]
        seen.page.locator(".moves a[href='#m2']").click()
        assert shown(seen) == ["m2"]


def test_the_address_of_an_unknown_move_does_not_show_the_end(look, pages):
    with opened(look, pages["pazaak"] + "#m999") as seen:
        assert shown(seen) == ["m0"]


def test_without_a_script_the_moves_are_links(look, pages):
    with opened(look, pages["pazaak"], java_script_enabled=False) as seen:
        page = seen.page
        visible = ".moment .board:visible"
        assert page.locator(visible).count() == 1
        assert page.locator("#m0 .board").is_visible()
        assert not page.locator(".controls").is_visible()
        page.locator("#m0 a[rel=next]").click()
        assert page.locator("#m1 .board").is_visible()
        assert not page.locator(".moves a[href='#m9']").is_visible()
        assert not page.locator(".result pre").is_visible()
        page.locator(".foot [data-go=reveal]").click()
        page.locator(".moves a[href='#m3']").click()
        assert page.locator("#m3 .board").is_visible()
        page.locator("#m3 a[rel=next]").click()
        assert page.locator("#m4h0 .scene").is_visible()
        page.locator("#m4h0 .scene a").click()
        assert page.locator("#m4 .board").is_visible()
        assert page.locator(visible).count() == 1


@pytest.mark.thorough("test_pages.py checks pages of the same style sheet")
@pytest.mark.parametrize(
    ("name", "scheme"), [("pazaak", "light"), ("sabacc", "dark"), ("six", "light")]
)
def test_it_is_accessible_and_fits_every_width(look, pages, name, scheme):
    with opened(look, pages[name] + "#m7", color_scheme=scheme) as seen:
        assert seen.violations() == []
        seen.page.locator(".result summary").click()
        seen.page.keyboard.press("End")
        assert seen.violations() == []
        assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]


@pytest.mark.parametrize("name", ["pazaak", "four", "six"])
def test_the_whole_table_and_the_controls_are_in_the_first_screen(look, pages, name):
    """Every step of a match, at the size of a notebook, a small one and a phone."""
    parts = ".board, .timebox, .controls, .titlebar"
    lowest = f"""() => Math.max(...[...document.querySelectorAll("{parts}")]
        .filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect().bottom))"""
    heights = "() => document.querySelector('.now .board').getBoundingClientRect().height"
    with opened(look, pages[name]) as seen:
        page = seen.page
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.keyboard.press("Home")
            boards = set()
            for _ in range(page.locator(".moment").count()):
                assert page.evaluate(lowest) <= height, (width, shown(seen))
                boards.add(page.evaluate(heights))
                page.keyboard.press("ArrowRight")
            assert max(boards) - min(boards) < 2, (width, boards)  # nothing jumps
            cards = page.locator(".now .squares .card, .now .hand .card").all()
            assert min(card.bounding_box()["width"] for card in cards) >= 43
            assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("name", ["four", "five", "six"])
def test_names_are_whole_and_nothing_on_a_plate_covers_another_part(look, pages, name):
    with opened(look, pages[name] + "#m9") as seen:
        for width, height in SCREENS:
            seen.page.set_viewport_size({"width": width, "height": height})
            cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
            assert seen.page.eval_on_selector_all(".now .plate .who", cut) == 0, width
            for plate in seen.page.eval_on_selector_all(".now .plate", PARTS):
                for number, one in enumerate(plate):
                    for other in plate[:number]:
                        beside = one[0] >= other[2] - 0.5 or other[0] >= one[2] - 0.5
                        below = one[1] >= other[3] - 2 or other[1] >= one[3] - 2
                        assert beside or below, (width, one, other)


def test_the_last_of_five_seats_is_in_the_middle_of_a_phone(look, pages):
    with opened(look, pages["five"]) as seen:
        seen.page.set_viewport_size({"width": 375, "height": 812})
        middles = {}
        for part in (".around", ".at3"):
            box = seen.page.locator(f".now {part}").bounding_box()
            middles[part] = box["x"] + box["width"] / 2
        assert middles[".at3"] == pytest.approx(middles[".around"], abs=1)


def test_a_match_is_printed_with_its_board_and_moves_alone(look, pages):
    with opened(look, pages["six"] + "#m40") as seen:
        seen.page.emulate_media(media="print")
        for part in (".controls", ".timebox", ".told", ".rowlinks"):
            assert seen.page.locator(part).filter(visible=True).count() == 0, part
        assert seen.page.locator(".board:visible").count() == 1
        hidden = "one => one.scrollHeight - one.clientHeight"
        assert seen.page.eval_on_selector(".moves", hidden) <= 1
        seen.page.emulate_media(media="null")  # others share the window


def test_forced_colours_mark_the_current_move_and_speed(look, pages):
    with opened(look, pages["pazaak"] + "#m5", forced_colors="active") as seen:
        style = "one => getComputedStyle(one).outlineStyle"
        for part in (".moves [aria-current]", ".seg [aria-pressed=true]"):
            assert seen.page.eval_on_selector(part, style) == "solid"
        assert seen.page.eval_on_selector(".seg [aria-pressed=false]", style) == "none"


def test_seats_are_around_a_table_and_the_board_is_flipped(look, pages):
    with opened(look, pages["sabacc"] + "#m1") as seen:
        lefts = "all => new Set(all.map(one => Math.round(one.getBoundingClientRect().left))).size"
        above = "() => document.querySelector('.now .at0').getBoundingClientRect().top"
        for width in WIDTHS:
            seen.page.set_viewport_size({"width": width, "height": 900})
            assert seen.page.eval_on_selector_all("#m1 .seat", lefts) == 2
        before = seen.page.evaluate(above)
        seen.page.keyboard.press("f")
        flipped = seen.page.evaluate(above)
        assert flipped > before + 100
        seen.page.locator("[data-go=flip]").click()
        assert seen.page.evaluate(above) == before
        seen.page.keyboard.press("End")
        struck = seen.page.locator(".moment.now .seat.out .cause", has_text="taken out")
        assert struck.text_content() == "taken out: crash"


@pytest.mark.thorough("the list of keys is seen in full alone")
def test_the_keys_are_listed(look, pages):
    with opened(look, pages["sabacc"]) as seen:
        page = seen.page
        assert not page.locator(".keys dl").is_visible()
        page.keyboard.press("?")
        assert page.locator(".keys dl").is_visible()
        assert "all cards open" not in page.locator(".keys").inner_text()  # it has one view
        assert seen.violations() == []
        assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]


def test_a_small_player_plays_by_itself_and_can_be_stopped(look, pages):
    at = "() => [...document.querySelectorAll('.moment')].findIndex(one => one.matches('.now'))"
    with opened(look, pages["small"]) as seen:
        page = seen.page
        page.locator(".small-player.playing").wait_for(state="attached")
        first = page.evaluate(at)
        page.wait_for_function(f"({at})() > {first}")
        page.locator("[data-go=play]").click()
        stopped = page.evaluate(at)
        assert page.locator("[data-go=play]").get_attribute("aria-label") == "Play"
        assert page.locator(".board:visible").count() == 1
        assert seen.violations() == []
        assert page.evaluate(at) == stopped
    with opened(look, pages["small"], reduced_motion="reduce") as seen:
        assert seen.page.locator(".playing").count() == 0
        assert seen.page.evaluate(MOTION) == 0
    with opened(look, pages["small"], java_script_enabled=False) as seen:
        assert seen.page.locator(".board:visible").count() == 1
        assert seen.page.get_by_role("link", name="Watch").is_visible()
        assert "wins" not in seen.page.locator("main").inner_text()


def test_a_plate_without_chips_begins_its_second_line_where_its_name_begins(look, pages):
    with opened(look, pages["won hands"]) as seen:
        seen.page.set_viewport_size({"width": 375, "height": 812})
        lefts = """all => all.filter(one => one.checkVisibility() && !one.querySelector('.deals'))
            .map(one => [...one.querySelectorAll('.who, .fact')]
                .map(each => Math.round(each.getBoundingClientRect().left)))"""
        plates = seen.page.eval_on_selector_all(".plate:not(:has(.state))", lefts)
        assert plates
        assert all(len({*plate}) == 1 for plate in plates), plates
