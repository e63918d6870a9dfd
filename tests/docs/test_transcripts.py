"""Tutorials and how-tos: whoever does what they say gets what they show."""

from __future__ import annotations

import pytest

from tests.docs.transcripts import PAGES, comparable, followed


@pytest.mark.thorough("other pages; tests/cli tests their commands", everyday=["other-language"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_write_what_it_shows(page):
    assert followed(page) == page.read_text("utf-8"), (
        f"write it anew: python -m tests.docs.transcripts {page}"
    )


def test_only_times_levels_and_secrets_may_differ():
    shown = "a  boxed  1.5 s\nchain 0123456789abcdef0123456789abcdef\n"
    other = "a  confined   20 s\nchain ffffffffffffffffffffffffffffffff\n"
    assert comparable(shown) == comparable(other)
    assert comparable(shown) != comparable(shown.replace("a ", "b "))
