"""Pages keep the limits of docs/readability.py, which measures what they say."""

from __future__ import annotations

import pytest

from docs import readability


@pytest.mark.parametrize("page", readability.pages(), ids=lambda page: page.name)
def test_a_page_is_within_the_limits(page):
    assert [*readability.measure(page).problems()] == []


def test_a_sentence_over_the_limit_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(readability, "ROOT", tmp_path)
    page = tmp_path / "docs" / "howto" / "x.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Title\n\n{'word ' * 41}end.\n\n```\n{'code ' * 50}\n```\n")
    found = " ".join(readability.measure(page).problems())
    assert "docs/howto/x.md:3: 42 words" in found
    assert "42.0 words per sentence" in found
    assert "you per 100 words" in found


def test_what_is_counted():
    source = "One (two); who?\n- A list item.\n\n| a table | cell |\n\n    code\n"
    prose, table = readability.blocks(source)
    assert prose == [(1, "One (two); who?"), (2, "A list item.")]
    assert table == 3
    assert readability.sentences("It is e.g. this. And that.") == ["It is e.g. this.", "And that."]


def test_terms_are_found_outside_of_code():
    page = "Whoever wins.\n\n```\nwhoever\n```\n\nThe `leg` of [it](whose.md): 2 matches a pairing."
    assert [line for line, _ in readability.terms(page)] == [1, 7]
    assert [*readability.terms("A held-out deal is apart from a match a bot plays.")] != []
    assert [*readability.terms("A held-out deal; a match a bot plays is a match.")] == []
