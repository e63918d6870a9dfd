"""Options of a ruleset that do not fit are named with what was expected."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Meta

from arena.core.errors import ParseError
from arena.core.ruleset import Ruleset, find_ruleset


class Bounded(Ruleset, frozen=True, kw_only=True):
    highest: Annotated[int, Meta(ge=2, le=9)] = 6
    open: bool = False


ROWS = {"standard": Bounded(name="standard", source="tests")}


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("highest=99", "option highest: expected a whole number <= 9, not 99"),
        ("highest=x", "option highest: expected a whole number, not 'x'"),
        ("open=1", "option open: expected true or false, not 1"),
    ],
)
def test_a_value_of_an_option_that_does_not_fit(option, says):
    with pytest.raises(ParseError) as raised:
        find_ruleset("bounded", ROWS, f"standard({option})")
    assert str(raised.value) == says


def test_a_value_within_its_bounds_is_taken():
    assert find_ruleset("bounded", ROWS, "standard(highest=9)").highest == 9
