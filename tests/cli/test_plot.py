"""``arena plot``: pictures in the terminal, as values, and as files."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena as api
from arena.cli.texts.chart import chart_text
from arena.service.charts.charts import Interval, Intervals, Mark, three_figures, time_text

BOARD = ("--ruleset", "standard")


def document(answer):
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def test_a_leaderboard_is_drawn_with_the_ratings_that_it_prints(arena, stored):
    rows = document(arena("leaderboard", *BOARD, "-o", "json", "--db", stored))
    chart = document(arena("plot", "leaderboard", *BOARD, "-o", "json", "--db", stored))
    assert [(row["label"], row["value"]) for row in chart["rows"]] == [
        (row["name"], row["rating"]) for row in rows
    ]
    assert [(row["low"], row["high"]) for row in chart["rows"]] == [
        (row["low"], row["high"]) for row in rows
    ]
    text = arena("plot", "leaderboard", *BOARD, "--db", stored).out.splitlines()
    assert text[0] == chart["title"] == "pazaak, standard: leaderboard"
    assert [line.split()[0] for line in text[2:-1]] == [row["name"] for row in rows]
    for line, row in zip(text[2:-1], rows, strict=True):
        assert ("├" in line) == (row["low"] is not None)
        assert ("○" in line) == (row["low"] is None)


def test_a_crosstable_has_the_share_of_the_points_and_the_games(arena, stored):
    chart = document(arena("plot", "crosstable", "2", "-o", "json", "--db", stored))
    shown = document(arena("tournament", "show", "2", "-o", "json", "--db", stored))
    assert chart["names"] == [row["name"] for row in shown["standings"]]
    size = len(chart["names"])
    for one in range(size):
        for other in range(size):
            share, games = chart["shares"][one][other], chart["texts"][one][other]
            if share is None:
                assert games == ""
                continue
            won, drawn, lost = map(int, games.split("-"))
            assert share == pytest.approx((won + drawn / 2) / (won + drawn + lost))
            assert share + chart["shares"][other][one] == pytest.approx(1)
    text = arena("plot", "crosstable", "2", "--db", stored).out
    assert all(f"{n} {name}" in text for n, name in enumerate(chart["names"], 1))


def test_times_are_below_the_limit_of_a_decision(arena, stored):
    chart = document(arena("plot", "times", "1", "-o", "json", "--db", stored))
    assert chart["marks"] == [{"label": "limit", "value": 10_000.0}]
    for row in chart["rows"]:
        assert 0 < row["low"] <= row["value"] <= row["high"] < 10_000
    assert "┊ limit 10 s" in arena("plot", "times", "1", "--db", stored).out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("leaderboard", "--game", "chess"), "unknown game 'chess' in the database; choices: paz"),
        (("times", "9"), "unknown tournament '9'; choices: 1, 2"),
        (
            ("leaderboard",),
            r"2 leaderboards, of which one can be drawn \(or --tournament\): "
            "--game pazaak --ruleset 'standard'; ",
        ),
        (("leaderboard", *BOARD, "--out", "x.jpg"), r"x\.jpg: a picture .* ends in \.svg or \.png"),
        (("leaderboard", *BOARD, "--out", "no/x.svg"), "no/x.svg: cannot be written: No such file"),
    ],
)
def test_bad_input_is_one_line(arena, stored, words, error):
    answer = arena("plot", *words, "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert re.fullmatch(f"arena: {error}.*\n", answer.err)


@pytest.mark.parametrize("text", ["", "{}", '{"chart": "pie"}', '{"chart": "intervals"}'])
def test_what_is_no_chart_is_named(arena, tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    answer = arena("plot", "chart", tmp_path / "x.json")
    assert (answer.code, answer.out) == (2, "")
    assert re.fullmatch(r"arena: .*x\.json: no chart: .+\n", answer.err)


def test_an_empty_database_has_nothing_to_draw(arena, tmp_path):
    url = f"sqlite:///{tmp_path}/empty.db"
    with api.open_database(url):
        pass
    answer = arena("plot", "leaderboard", "--db", url)
    assert answer.code == 2
    assert answer.err == "arena: no matches are stored yet: there are no ratings to draw\n"


@pytest.mark.thorough("pictures in the terminal hold the same rows")
def test_files_hold_every_name_and_are_the_same_whenever_they_are_drawn(arena, stored, tmp_path):
    pytest.importorskip("matplotlib")
    for words in (("leaderboard", *BOARD), ("crosstable", "1"), ("times", "1")):
        values = tmp_path / "chart.json"
        values.write_text(arena("plot", *words, "-o", "json", "--db", stored).out)
        drawn = []
        for name in ("a.svg", "b.svg"):
            answer = arena("plot", "chart", values, "--out", tmp_path / name)
            assert (answer.code, answer.out) == (0, "")
            drawn.append((tmp_path / name).read_bytes())
        assert drawn[0] == drawn[1]
        text = " ".join(Tree.fromstring(drawn[0]).itertext())
        chart = json.loads(values.read_text())
        for name in [row["label"] for row in chart.get("rows", ())] or chart["names"]:
            assert name in text
    assert arena("plot", "times", "1", "--out", tmp_path / "x.png", "--db", stored).code == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_names_are_drawn_as_they_are(tmp_path):
    pytest.importorskip("matplotlib")
    values = tmp_path / "chart.json"
    row = {"label": "a$b$_<&", "value": 1.0}
    values.write_text(
        json.dumps({"chart": "intervals", "title": "$x$", "axis": "y", "rows": [row]})
    )
    text = " ".join(Tree.fromstring(api.stats.pictures.chart(values).svg()).itertext())
    assert "a$b$_<&" in text
    assert "$x$" in text


def test_marks_stand_over_bars_each_by_its_own_sign():
    marks = (Mark("low", 20.0), Mark("near", 50.0), Mark("alike", 50.0))
    row = Interval(label="bot", value=50.0, low=0.0, high=100.0)
    chart = Intervals(title="t", axis="a", rows=(row,), marks=marks)
    *_, drawn, below, legend = chart_text(chart, 60).splitlines()
    assert drawn.index("├") < drawn.index("1") < drawn.index("●") < drawn.index("┤")
    assert abs(drawn.index("●") - drawn.index("3")) == 1
    assert below.index("2") == drawn.index("●")
    assert legend == "● a; 1 low 20; 2 near 50; 3 alike 50"


@given(
    st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 3), min_size=1, max_size=5),
    st.lists(st.floats(-1e6, 1e6), max_size=2),
    st.integers(20, 150),
)
def test_every_estimate_lies_in_its_interval_whatever_the_width(ends, marks, width):
    rows = [
        Interval(label="bot", value=value, low=low, high=high)
        for low, value, high in map(sorted, ends)
    ]
    chart = Intervals(
        title="t", axis="a", rows=tuple(rows), marks=tuple(Mark("m", each) for each in marks)
    )
    aside = 3 + 2 + max(len(chart.text(row.value)) for row in rows) + 2
    signs = "┊" if len(marks) == 1 else "12"[: len(marks)]
    lines = [line[aside:] for line in chart_text(chart, width).splitlines()[2:-1]]
    assert len(lines) - len(rows) in (0, 1)  # a line of its own for marks that are hidden
    assert {*signs} <= {*"".join(lines)}
    for drawn in lines:
        assert len(drawn) <= max(20, width - aside)
    for drawn in lines[: len(rows)]:
        interval = drawn.translate(dict.fromkeys(map(ord, signs), " ")).strip()
        assert interval.count("●") == 1
        assert set(interval[1:-1]) <= {*"─●", *(" " if marks else "")}


@given(st.floats(1e-9, 1e9))
def test_three_figures_have_no_exponent(value):
    text = three_figures(value)
    assert "e" not in text.lower()
    assert float(text) == pytest.approx(value, rel=0.01)


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0.0004653, "0.465 µs"),
        (0.99951, "1 ms"),
        (0.9994, "999 µs"),
        (8.888, "8.89 ms"),
        (999.9, "1 s"),
        (10_000, "10 s"),
        (123_456, "123 s"),
    ],
)
def test_times_have_three_figures_and_their_unit(milliseconds, text):
    assert time_text(milliseconds) == text


def test_without_matplotlib_the_extra_is_named(arena, stored, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    answer = arena("plot", "leaderboard", *BOARD, "--out", tmp_path / "x.svg", "--db", stored)
    assert answer.code == 2
    assert "pip install 'arena-harness[plots]'" in answer.err
    assert not Path(tmp_path / "x.svg").exists()
