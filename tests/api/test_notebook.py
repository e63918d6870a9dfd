"""Answers in a notebook: tables, sentences and players as HTML that asks nothing of the network."""

from __future__ import annotations

import importlib.util
import re
from html import escape
from html.parser import HTMLParser

import pytest

import arena

ADDRESS = re.compile(r"(?:src|href)=[\"']?(?!data:|#)\w+:", re.I)


class _Cells(HTMLParser):
    """The cells of a table's rows, and the names of all elements."""

    def __init__(self, html):
        super().__init__()
        self.rows: list[list[str]] = []
        self.names: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with arena.open_database(tmp_path_factory.mktemp("notebook") / "cups.db") as db:
        db.run(["counter", "stand(at=17)", "random"], games=4, seed=1, name="<b>Cup</b>")
        yield db


def test_records_are_tables_with_the_columns_that_people_see(db):
    cup = db.tournament(1)
    standings = cup.standings()
    rows = _Cells(standings._repr_html_()).rows
    assert rows[0][:3] == ["#", "bot", "score"]
    assert "SB" not in rows[0]
    assert [row[1] for row in rows[1:]] == [row["name"] for row in standings]
    for records in (db.tournaments(), db.leaderboard(), cup.matches(), cup.rounds()):
        assert isinstance(records, list)
        assert len(_Cells(records._repr_html_()).rows) >= len(records) + 1
    assert cup.crosstable()[0]["name"] in cup.crosstable()._repr_html_()


def test_a_name_is_text(db):
    for shown in (db.tournaments(), db.tournament(1)):
        assert "&lt;b&gt;Cup" in shown._repr_html_()
        assert "<b>" not in shown._repr_html_()


def test_long_lists_show_their_ends_and_the_number_between(db):
    records = db.decisions(1)
    rows = _Cells(records._repr_html_()).rows
    assert len(records) > 100
    assert len(rows) == 1 + 60 + 1
    assert [f"… {len(records) - 60:,} more rows"] in rows


def test_a_tournament_begins_with_its_verdict(db):
    cup = db.tournament(1)
    html = cup._repr_html_()
    assert cup.verdict == cup.document()["verdict"]
    assert html.startswith(f"<p><strong>{escape(cup.verdict)}</strong></p><table>")


def test_a_match_is_a_player_in_a_frame_that_reaches_nothing(db):
    for match in (db.replay("1.1.1.1"), arena.play_match("counter", "random", seed=1)):
        html = match._repr_html_()
        assert html.startswith("<iframe ")
        assert 'sandbox="allow-scripts"' in html
        assert "default-src &amp;#39;none&amp;#39;" in html
        assert not ADDRESS.search(html)


def test_decisions_are_those_of_the_analysis_of_each_match(db):
    records = db.decisions(1, bot="counter")
    assert {row["name"] for row in records} == {"counter"}
    assert {row["match"] for row in records} == {
        row["match"] for row in arena.find_matches(1, db, bot="counter")
    }
    place = records[0]["match"]
    match = db.replay(place)
    seat = match.names.index("counter")
    found = [each for each in match.analysis().decisions if each.seat == seat]
    rows = [row for row in records if row["match"] == place]
    for each, row in zip(found, rows, strict=True):
        assert (row["move"], row["action"]) == (each.move, each.action)
        assert (row["value"], row["given_away"]) == (each.value[seat], each.given_away)
        assert (row["better"] or "", row["mistake"]) == (each.better, each.is_mistake(0.05))


def test_a_limit_of_decisions_is_said(db):
    with pytest.warns(UserWarning, match="only those of the first 2 matches"):
        records = db.decisions(limit=2)
    assert len({row["match"] for row in records}) == 2
    assert db.decisions(1, limit=12) == db.decisions(1, limit=None)
    with pytest.raises(arena.BadInput, match="limit 0: expected a number from 1"):
        db.decisions(limit=0)
    with pytest.raises(arena.BadInput, match="there is no round 9"):
        db.decisions(1, round=9)


def test_a_game_without_win_probabilities_has_decisions_without_values(tmp_path):
    with arena.open_database(tmp_path / "cups.db") as db:
        db.match("target-total", "random", game="sabacc", games=2, seed=1)
        records = db.decisions()
    assert len(records) > 4
    assert {(row["value"], row["given_away"], row["better"]) for row in records} == {(None,) * 3}


def test_records_are_what_frames_take(db):
    """All have the same keys and plain values; pandas and polars take them where they are."""
    records = db.decisions(1)
    assert {tuple(row) for row in records} == {tuple(records[0])}
    assert {type(value) for row in records for value in row.values()} <= {
        str, int, float, bool, type(None)
    }  # fmt: skip
    for library in filter(importlib.util.find_spec, ("pandas", "polars")):
        frame = importlib.import_module(library).DataFrame(records)
        assert frame.shape == (len(records), len(records[0]))
