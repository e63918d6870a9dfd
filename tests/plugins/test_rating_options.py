"""Options of rating systems: each value is checked by its row; errors name it as typed."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from arena.core.errors import BadInput
from arena.core.options import Option
from arena.core.tournaments.rating import RatingSystem
from arena.plugins.options import in_python, options_spelled
from arena.plugins.rating_options import unused, with_options
from arena.plugins.registry import Registry

HELP = Option("A value.")


class Every(RatingSystem, kw_only=True):
    """A system with an option of every type."""

    name: str = "every"
    version: str = "1"
    takes: tuple[str, ...] = ("before",)
    above: Annotated[float, Meta(gt=0), HELP] = 1.0
    below: Annotated[float, Meta(ge=0, lt=1), HELP] = 0.5
    any_number: Annotated[float, HELP] = 0.0
    count: Annotated[int, Meta(ge=1, le=9), HELP] = 1
    maybe: Annotated[Annotated[float, Meta(ge=2)] | None, HELP] = None
    which: Annotated[Literal["a", "b"], HELP] = "a"
    flag: Annotated[bool, HELP] = False


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("above", 0, "above: expected a number above 0, not 0"),
        ("above", "x", "above: expected a number above 0, not 'x'"),
        ("above", float("inf"), "above: expected a number above 0, not inf"),
        ("below", 1, "below: expected a number from 0 below 1, not 1"),
        ("any_number", "x", "any_number: expected a number, not 'x'"),
        ("count", 1.5, "count: expected a whole number from 1 to 9, not 1.5"),
        ("maybe", 1, "maybe: expected a number from 2, not 1"),
        ("which", "c", "unknown which 'c'; choices: a, b"),
        ("flag", "x", "flag: expected true or false, not 'x'"),
        ("before", "x", "before: no option in brackets of rating system every; use arena rate -"),
        ("k", 1, "k: not available for rating system every, which takes above, below, any_number"),
    ],
)
def test_a_wrong_value_is_one_line_that_names_the_option_as_typed(key, value, problem):
    with pytest.raises(BadInput) as refused:
        with_options(Every(), {key: value}, {})
    assert str(refused.value).startswith(problem)


def test_an_option_beside_the_name_is_spelled_as_its_face_does():
    with pytest.raises(BadInput, match=r"^--any-number: expected a number, not 'x'$"):
        with_options(Every(), {}, {"any_number": "x"})
    with pytest.raises(BadInput, match=r"^--k: .* which takes --above, .*--flag, --before$"):
        with_options(Every(), {}, {"k": 1})
    with options_spelled(in_python):
        assert str(unused(Every(), "k")).endswith("count, maybe, which, flag, before")


def test_a_system_with_options_of_somebodys_own_has_no_version():
    same, other = (with_options(Every(), {"count": count}, {}) for count in (1, 2))
    assert (same.version, other.version, other.options()["count"].default) == ("1", "", 2)


@pytest.mark.parametrize("spelled", ["elo(k=8)", "joint(prior=5)", "glicko2(tau=1)"])
def test_ours_are_configured_the_same_way(spelled):
    system = Registry().rating_system(spelled)
    assert isinstance(system, RatingSystem)
    assert system.version == ""
    assert Registry().rating_system(spelled.partition("(")[0]).version == "1"
