"""The browser of the other tests finds what is wrong with a page."""

from __future__ import annotations

import pytest

from tests.web.browser import WIDTHS, visit

BROKEN = """<!doctype html><html lang="en"><title>Broken</title>
<main><h1>Broken</h1><img src="missing.png"><p style="width: 700px">wide</p></main>
<script>console.error("said")</script></html>"""
SOUND = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Sound</title><main><h1>Sound</h1><p>Text</p></main></html>"""


@pytest.fixture
def page(tmp_path):
    def write(text: str) -> str:
        file = tmp_path / "page.html"
        file.write_text(text)
        return file.as_uri()

    return write


def test_a_broken_page_is_found_out(browser, page):
    with visit(browser, page(BROKEN)) as seen:
        assert any("said" in each for each in seen.problems)
        assert any("missing.png" in each for each in seen.problems)
        assert any(each.startswith("image-alt") for each in seen.violations())
        assert seen.overflow(375) > 300
        assert seen.overflow(1024) == 0


@pytest.mark.thorough("the pages of the site are watched by the same means")
def test_a_sound_page_has_no_problems(browser, page):
    with visit(browser, page(SOUND)) as seen:
        assert seen.violations() == []
        assert [seen.overflow(width) for width in WIDTHS] == [0, 0, 0]
        assert seen.problems == []
