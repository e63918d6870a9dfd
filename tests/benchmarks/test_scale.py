"""The benchmark of scale: parts work, slopes are right, and the page has the values."""

from __future__ import annotations

import pytest

from benchmarks import scale
from benchmarks.scaling import limits, workers
from benchmarks.scaling.parts import Point, count, reckoned, shown, slope

KEPT = scale.read(scale.FILE)


@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_slope_is_the_power_by_which_a_value_grows(power):
    points = [(size, 5.0 * size**power) for size in (10, 100, 1000)]
    assert slope(points) == pytest.approx(power)
    assert reckoned(points, 10_000) == pytest.approx(5.0 * 10_000**power)
    assert limits.reached(points, 5.0 * 200**power) == pytest.approx(200)
    assert limits.reached(points, 5.0 * 3000**power) == pytest.approx(3000)


def test_what_does_not_grow_reaches_no_limit_and_stays():
    points = [(10, 2.0), (100, 1.5)]
    assert reckoned(points, 1000) == 1.5
    assert limits.reached(points, 9.0) is None


def test_values_and_sizes_are_short():
    assert [shown(each, "s") for each in (0.00042, 0.5, 90, 600, 8000, 10**6)] == [
        *("420 µs", "500 ms", "90 s", "10 min", "2.22 h", "11.6 days")
    ]
    assert [shown(1.5e9, "B"), shown(0.5, "%"), shown(12_345, "")] == ["1.5 GB", "50%", "12,300"]
    assert [count(20_000), count(10**6), count(5 * 10**7)] == ["20,000", "10⁶", "5 x 10⁷"]


@pytest.mark.parametrize(
    ("name", "size"), [("pairing", 64), ("matches", 100), ("board", 20), ("writer", 5)]
)
def test_a_part_measures_everything_that_its_table_has(name, size):
    part = scale.PARTS[name]
    found = dict(part.measure(size))
    assert found.keys() == part.units.keys()
    assert all(value >= 0 for value in found.values())


def test_simulated_workers_play_every_match(monkeypatch):
    monkeypatch.setattr(workers, "SECONDS", {"slow": 10.0})
    monkeypatch.setattr(workers, "MEANS", {"slow": 0.5})
    found = dict(workers.of_workers(5))
    assert 0.5 < found["slow: workers busy"] <= 1
    assert 0 < found["slow: runner busy"] < 1


def test_a_table_has_a_row_for_each_size_and_reckons_larger_ones():
    points = [Point("board", size, "leaderboard", size**2 / 10**6) for size in (100, 1000)]
    lines = scale.table("board", points).splitlines()
    assert lines[2:] == [
        "| 100 | 10 ms |  |  |",
        "| 1,000 | 1 s |  |  |",
        "| slope | 2.0 |  |  |",
        "| *10,000, reckoned* | *100 s* |  |  |",
    ]


@pytest.mark.parametrize("name", scale.PARTS)
def test_the_page_has_the_values_that_are_kept(name):
    page = scale.PAGE.read_text()
    begin, end = scale.marks(name)
    written = page.partition(begin)[2].partition(end)[0].strip()
    assert written == scale.table(name, KEPT[name])


def test_the_limits_of_the_page_follow_from_the_values():
    page = scale.PAGE.read_text()
    assert limits.table(KEPT) in page
    assert scale.written(page, scale.LIMITS, limits.table(KEPT)) == page


def test_values_of_other_parts_stay(tmp_path):
    file = tmp_path / "scale.csv"
    scale.keep(
        file, [Point("board", 10, "leaderboard", 1.0), Point("writer", 1, "per second", 2.0)]
    )
    scale.keep(file, [Point("writer", 1, "per second", 3.0)])
    assert scale.read(file) == {
        "board": [Point("board", 10, "leaderboard", 1.0)],
        "writer": [Point("writer", 1, "per second", 3.0)],
    }
