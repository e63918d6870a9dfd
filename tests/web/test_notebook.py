"""A match in a notebook plays in a real browser, in its frame, and asks nothing of the network."""

from __future__ import annotations

from arena.api.common.shown import shown
from tests.pages.one_match import played


def test_a_match_in_a_notebook_plays(look, tmp_path):
    page = tmp_path / "notebook.html"
    page.write_text(f"<!doctype html><title>Notebook</title>{shown(played(seed=4))._repr_html_()}")
    seen = look(page.as_uri())
    frame = seen.page.frame_locator("iframe")
    place = frame.get_by_label("Move", exact=True)
    frame.locator(".live #m0.now").wait_for()
    assert place.input_value() == "0"
    frame.get_by_role("button", name="Forward").click()
    frame.locator("#m1.now").wait_for()
    frame.locator(".now .board").click()  # a frame gets the keys once it is clicked
    seen.page.keyboard.press("ArrowRight")
    frame.locator("#m2.now").wait_for()
    assert place.input_value() == "2"
    frame.get_by_role("button", name="Play").click()
    frame.locator("#m3.now").wait_for()
    frame.get_by_role("link", name="Skip to the content").press("Enter")  # stays in the frame
    seen.page.keyboard.press("End")
    frame.get_by_text("wins the match").last.wait_for()
    assert seen.problems == []
    assert {each.partition("#")[0] for each in seen.requests} <= {page.as_uri(), "about:srcdoc"}
