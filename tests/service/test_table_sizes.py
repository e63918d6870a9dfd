"""The size of tables: chosen by default, or refused with the choices."""

from __future__ import annotations

import pytest

from arena.core.errors import BadInput
from arena.core.tournaments.format import Tables
from arena.plugins.registry import Registry
from arena.service.setup.formats import table_sizes
from tests.table_game import Table

TABLE = Table()
FULL = type("FullTable", (Table,), {"name": "bridge", "seats": range(4, 5)})()


@pytest.fixture(scope="module")
def registry():
    return Registry()


def sizes(registry, format, wanted, game=TABLE):
    return table_sizes(registry, game, registry.format(format), wanted)


def test_the_default_size_is_the_smallest_that_game_and_format_allow(registry):
    assert sizes(registry, "swiss", None) == Tables(2, 2)
    assert sizes(registry, "tables", None) == Tables(3, 2)
    assert sizes(registry, "table-swiss", None, FULL) == Tables(4, 4)


def test_a_requested_size_that_fits_is_used(registry):
    assert sizes(registry, "tables", 4) == Tables(4, 2)


@pytest.mark.parametrize(
    ("format", "wanted", "problem"),
    [
        ("tables", 5, "table plays at tables of 2 to 4, not 5"),
        ("swiss", 3, "swiss is for tables of 2, not 3; formats for that: table-swiss"),
        (
            "tables",
            2,
            "tables is for tables of 3 to 6, not 2; formats for that: adaptive, double-elim",
        ),
    ],
)
def test_a_size_that_does_not_fit_is_refused_with_the_choices(registry, format, wanted, problem):
    with pytest.raises(BadInput) as raised:
        sizes(registry, format, wanted)
    assert str(raised.value).startswith(problem)


def test_a_game_that_a_format_cannot_seat_names_those_that_can(registry):
    with pytest.raises(
        BadInput, match="swiss is for tables of 2, not 4; formats for that: table-swiss, tables"
    ):
        sizes(registry, "swiss", None, FULL)
