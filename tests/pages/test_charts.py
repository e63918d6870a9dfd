from __future__ import annotations

import pytest

from arena.pages.charts import FAULTS, Axis, bars, curve, forest, heat_map
from arena.service.charts.charts import HeatMap, Interval, Intervals, Mark, Scale

BOTS = Intervals(
    title="Ratings",
    axis="rating",
    rows=(
        Interval(label="a", value=1600, low=1500, high=1700),
        Interval(label="b", value=1500, note="?"),
        Interval(label="c", value=1400, low=1300, high=1500),
        Interval(label="d", value=1350, low=1300, high=1400),
    ),
)


def test_an_axis_spans_the_values_and_has_round_numbers():
    axis = Axis(Scale((1300, 1700)), 0, 100)
    assert axis.place(1300) == 0
    assert axis.place(1500) == 50
    assert [tick.text for tick in axis.ticks] == ["1300", "1400", "1500", "1600", "1700"]
    assert [tick.place for tick in axis.ticks] == [0, 25, 50, 75, 100]


def test_an_axis_has_a_least_span_about_its_values():
    axis = Axis(Scale((914, 916), least=200), 0, 100)
    assert [tick.text for tick in axis.ticks] == ["850", "900", "950", "1000"]
    assert axis.place(915) == 50
    one = (Interval(label="a", value=914.5, low=914, high=915),)
    for digits, texts in ((0, ["850", "900", "950", "1000"]), (3, ["914.0", "914.5", "915.0"])):
        chart = Intervals(title="t", axis="t", rows=one, digits=digits)
        assert [tick.text for tick in curve(chart).ticks][: len(texts)] == texts
        (drawn,) = [column for column in forest(chart).columns if column.drawn]
        assert [tick.text for tick in drawn.ticks][: len(texts)] == texts


def test_equal_ratios_are_equal_lengths_on_a_logarithmic_axis():
    axis = Axis(Scale((0.1, 1000), logarithmic=True), 0, 100)
    assert [tick.text for tick in axis.ticks] == ["0.1", "1", "10", "100", "1000"]
    assert axis.place(10) == 50


@pytest.mark.parametrize("value", [0.0, -3.5, 1e6])
def test_a_single_value_stands_in_the_middle(value):
    assert Axis(Scale((value, value)), 0, 100).place(value) == 50


def test_a_forest_plot_has_each_value_drawn_and_written():
    table = forest(BOTS, {"a": "bots/a"})
    first, second, *_ = table.rows
    assert first["label"].address == "bots/a"
    assert (first["value"], first["interval"]) == ("1600", "1500 to 1700")
    assert first["drawn"].low < first["drawn"].value < first["drawn"].high
    assert second["interval"] is None
    assert second["drawn"].low is None
    assert [column.key for column in table.columns][-1] == "note"


def test_a_mark_has_its_place_on_the_axis():
    chart = Intervals(
        title="t", axis="ms", rows=BOTS.rows, marks=(Mark("limit", 5000),), logarithmic=True
    )
    (drawn,) = [column for column in forest(chart).columns if column.drawn]
    assert drawn.marks[0].text == "limit"
    assert drawn.marks[0].place == 96


def test_a_band_has_gaps_where_intervals_are_missing():
    drawn = curve(BOTS)
    assert len(drawn.line.split()) == 4
    assert [len(band.split()) for band in drawn.bands] == [4, 4]  # a, and c to d: b has no interval
    assert [point.known for point in drawn.points] == [True, False, True, True]
    assert drawn.points[0].up < drawn.points[-1].up  # higher values stand higher
    assert drawn.summary == "Ratings: from 1600 (a) to 1350 (d)"


def test_a_heat_map_has_shares_and_counts():
    chart = HeatMap(
        title="Crosstable",
        axis="share",
        names=("a", "b"),
        shares=((None, 0.75), (0.25, None)),
        texts=(("", "6-1-2"), ("2-1-6", "")),
    )
    table = heat_map(chart)
    assert (table.rows[0]["c2"].text, table.rows[0]["c2"].note) == ("75 %", "6-1-2")
    assert table.rows[0]["c1"] == ""
    assert table.rows[1]["c1"].level < 5 < table.rows[0]["c2"].level


def test_the_pieces_of_a_bar_are_shares_of_the_longest():
    table = bars("Losses", ["play", "crash"], {"a": [3, 1], "b": [0, 2]})
    one, other = (row["drawn"].pieces for row in table.rows)
    assert [(piece.start, piece.length) for piece in one] == [(0, 75), (75, 25)]
    assert [(piece.start, piece.length, piece.tone) for piece in other] == [(0, 50, 1)]
    assert table.rows[0]["part1"] == 1


def test_a_fault_has_its_colour_also_without_losses_on_play():
    table = bars("Lost by faults", ["crash"], {"a": [2]}, tone=FAULTS)
    assert [piece.tone for piece in table.rows[0]["drawn"].pieces] == [FAULTS]
    assert [column.piece for column in table.columns if column.head == "crash"] == [FAULTS]


def test_bars_without_counts_are_empty():
    assert bars("Losses", ["play"], {"a": [0]}).rows[0]["drawn"].pieces == ()
