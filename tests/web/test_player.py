"""The replay player in a real browser: keys, slider, links, without a script, at every width."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from arena.pages.replay import single_replay_page
from tests.pages.one_match import CHIPS, SABACC, Crash, played
from tests.web.browser import WIDTHS

ABOVE = "() => document.querySelector('#m0 .at0').getBoundingClientRect().top"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Addresses of a page of Pazaak, and of one of Sabacc from which a seat was taken out."""
    folder = tmp_path_factory.mktemp("replays")
    matches = {
        "pazaak": played(seed=4),
        "sabacc": played(SABACC, CHIPS, 3, ("ann", "bob", "cid", "dot"), [Crash]),
    }
    for name, match in matches.items():
        (folder / f"{name}.html").write_text(single_replay_page(match, "seat1"))
    return {name: (folder / f"{name}.html").as_uri() for name in matches}


@contextmanager
def opened(look, address, **options):
    seen = look(address, **options)
    yield seen
    assert seen.problems == []
    assert {each.partition("?")[0].partition("#")[0] for each in seen.requests} == {
        address.partition("?")[0].partition("#")[0]
    }


def shown(seen) -> list[str]:
    """Names of the moments that a person can see."""
    return seen.page.eval_on_selector_all(
        ".moment",
        "all => all.filter(one => one.querySelector('.board').checkVisibility())"
        ".map(one => one.id)",
    )


def test_keys_walk_through_the_moments(look, pages):
    with opened(look, pages["pazaak"]) as seen:
        press, page = seen.page.keyboard.press, seen.page
        last = page.locator(".moment").count() - 1
        second = page.locator(".moment[data-part]").nth(1).get_attribute("id")
        assert shown(seen) == ["m0"]
        for key, moment in (
            ("ArrowRight", "m1"), ("ArrowLeft", "m0"), ("ArrowLeft", "m0"), ("End", f"m{last}"),
            ("ArrowRight", f"m{last}"), ("Home", "m0"), ("Shift+ArrowRight", second),
            ("ArrowRight", f"m{int(second[1:]) + 1}"), ("Shift+ArrowLeft", second),
        ):  # fmt: skip
            press(key)
            assert shown(seen) == [moment], key
            assert page.url.endswith(f"#{moment}") or moment == "m0"
        assert page.locator(".spoken").text_content().startswith(f"Move {second[1:]}. ")
        assert page.locator("input").get_attribute("aria-valuetext") == (
            f"Set 2, move {second[1:]} of {last}"
        )
        assert page.locator(".moves a[aria-current]").get_attribute("href") == f"#{second}"


@pytest.mark.thorough("keys walk through the same moments")
def test_it_plays_to_the_end_and_stops(look, pages):
    with opened(look, pages["pazaak"], reduced_motion="reduce") as seen:
        page = seen.page
        last = page.locator(".moment").count() - 1
        for _ in range(3):  # from 2 to 4, the fastest
            page.keyboard.press("+")
        assert page.locator("[data-speed='4']").get_attribute("aria-pressed") == "true"
        page.locator("input").fill(str(last - 2))
        assert shown(seen) == [f"m{last - 2}"]
        page.keyboard.press(" ")
        page.locator(f"#m{last}.now").wait_for(state="attached")
        page.locator(".player:not(.playing)").wait_for()
        assert shown(seen) == [f"m{last}"]


@pytest.mark.parametrize("address", ["#m5", "?move=5"])
def test_an_address_has_the_move(look, pages, address):
    with opened(look, pages["pazaak"] + address) as seen:
        assert shown(seen) == ["m5"]
        seen.page.locator(".moves a[href='#m7']").click()
        assert shown(seen) == ["m7"]


def test_without_a_script_the_moves_are_links(look, pages):
    with opened(look, pages["pazaak"], java_script_enabled=False) as seen:
        page = seen.page
        visible = ".moment .board:visible"
        assert page.locator(visible).count() == 1
        assert page.locator("#m0 .board").is_visible()
        assert not page.locator(".player").is_visible()
        page.locator("#m0 a[rel=next]").click()
        assert page.locator("#m1 .board").is_visible()
        page.locator(".moves a[href='#m9']").click()
        assert page.locator("#m9 .board").is_visible()
        assert page.locator(visible).count() == 1


@pytest.mark.thorough("test_pages.py checks pages of the same style sheet")
@pytest.mark.parametrize(("name", "scheme"), [("pazaak", "light"), ("sabacc", "dark")])
def test_it_is_accessible_and_fits_every_width(look, pages, name, scheme):
    with opened(look, pages[name] + "#m7", color_scheme=scheme) as seen:
        assert seen.violations() == []
        assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]


def test_seats_are_around_a_table_or_in_rows_where_it_is_narrow(look, pages):
    with opened(look, pages["sabacc"] + "#m1") as seen:
        lefts = "all => new Set(all.map(one => one.getBoundingClientRect().left)).size"
        tops = lefts.replace("left", "top")
        places = {}
        for width in WIDTHS:
            seen.page.set_viewport_size({"width": width, "height": 900})
            places[width] = [
                seen.page.eval_on_selector_all("#m1 .seat", each) for each in (lefts, tops)
            ]
        assert places[375] == [1, 4]
        assert places[1024][0] == 3
        above = ABOVE.replace("#m0", "#m1")
        before = seen.page.evaluate(above)
        seen.page.keyboard.press("f")
        assert seen.page.evaluate(above) != before
        struck = seen.page.locator(".moment:last-child .seat.out .badge", has_text="taken out")
        assert struck.text_content() == "taken out: crash"


@pytest.mark.thorough("a key flips the board above; the list of keys is seen in full alone")
def test_the_board_is_flipped_and_the_keys_are_listed(look, pages):
    with opened(look, pages["sabacc"]) as seen:
        page = seen.page
        page.keyboard.press("f")
        flipped = page.evaluate(ABOVE)
        page.locator("[data-go=flip]").click()
        assert page.evaluate(ABOVE) > flipped + 100
        assert not page.locator(".keys dl").is_visible()
        page.keyboard.press("?")
        assert page.locator(".keys dl").is_visible()
        assert "all cards open" not in page.locator(".keys").inner_text()  # it has one view
        assert seen.violations() == []
        assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
