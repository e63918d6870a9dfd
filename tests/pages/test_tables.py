from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from arena.pages.page import Asset, Link, Page, file_policy
from arena.pages.tables import Badge, Head, Table, cell_text
from arena.pages.templates import asset, environment

HOSTILE = "<script>alert('x')</script>&\"'"
PAGE = Page(
    title=HOSTILE,
    description=HOSTILE,
    site=HOSTILE,
    footer=HOSTILE,
    styles=(Asset(address="style.css"),),
)
SOURCE = """{% extends "layout.html.jinja" %}
{% from "tables.html.jinja" import table as drawn %}
{% block content %}{{ drawn(table) }}{% endblock %}"""


def table_text(table: Table) -> str:
    return environment().from_string(SOURCE).render(page=PAGE, table=table)


def test_every_text_is_escaped():
    columns = (
        Head(key="name", head=HOSTILE, hint=HOSTILE, row=True, address=f"?sort={HOSTILE}"),
        Head(key="link", head="link"),
        Head(key="badge", head="badge"),
    )
    row = {"name": HOSTILE, "link": Link(HOSTILE, f"m/{HOSTILE}"), "badge": Badge(HOSTILE)}
    drawn = table_text(Table(caption=HOSTILE, columns=columns, rows=[row]))
    assert "<script" not in drawn
    assert "&#39;x&#39;" in drawn
    assert drawn.count("&lt;script&gt;") >= 10


def test_a_missing_value_is_an_error():
    with pytest.raises(UndefinedError):
        environment().from_string(SOURCE).render(page=PAGE)


def test_numbers_stand_at_the_right_and_the_order_is_named():
    columns = (
        Head(key="name", head="name", row=True),
        Head(key="score", head="score", right=True, digits=1, order="descending"),
    )
    rows = [{"name": "one", "score": 3.0}, {"name": "other", "score": None}]
    drawn = table_text(Table(caption="Standings", columns=columns, rows=rows))
    assert '<th scope="row" class="bot">one</th><td class="num">3.0</td>' in drawn
    assert '<td class="num">–</td>' in drawn
    assert 'aria-sort="descending"' in drawn
    assert '<caption class="sr">Standings</caption>' in drawn


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (None, None, "–"),
        ("", None, "–"),
        (0, None, "0"),
        (2.5, None, "2.5"),
        (-0.001, 2, "0.00"),
        (9999, None, "9999"),
        (1234567, None, "1,234,567"),
    ],
)
def test_the_text_of_a_cell(value, digits, text):
    assert cell_text(value, Head("key", digits=digits)) == text


def test_the_policy_of_a_file_allows_what_is_in_it_and_nothing_else():
    inline = Asset(text="body{}")
    policy = file_policy([inline, Asset(address="style.css")], [])
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "'self'" in policy
    assert "script-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_style_sheet_asks_nobody_for_anything():
    assert "url(" not in asset("style.css")
    assert "@import" not in asset("style.css")
