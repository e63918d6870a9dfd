"""The kept ratios: read, compared, and added to."""

from __future__ import annotations

import subprocess

import pytest

from benchmarks import history, timing

OLD = history.Row("2026-01-01", "abc", "3.11", "a machine", "matches", 100.0)
ROWS = [OLD, OLD._replace(ratio=80.0), OLD._replace(python="3.12", ratio=300.0)]


def test_the_calibration_loop_is_what_it_was():
    assert timing.calibration_loop() == 136_324


def test_speed_is_measured_beside_the_loop(monkeypatch):
    """With another speed of the machine the rate is another one, the ratio is not."""
    for slower in (1, 3):
        times = iter([0.5 * slower, 2.0 * slower] * 5 + [0.5 * slower])
        monkeypatch.setattr(timing, "processor_seconds", lambda _, times=times: next(times))
        found = timing.speed(print, 100)
        assert found == pytest.approx((50 / slower, 25, 0.5 * slower))


def test_ratios_compare_with_the_last_ones_of_the_same_python():
    assert history.last_kept(ROWS, "3.11", "a machine") == {"matches": 80.0}
    assert history.last_kept(ROWS, "3.13", "a machine") == {}


def test_ratios_compare_with_those_of_the_same_machine_if_there_are_any():
    rows = [*ROWS, OLD._replace(machine="another", ratio=50.0)]
    assert history.last_kept(rows, "3.11", "a machine") == {"matches": 80.0}
    assert history.last_kept(rows, "3.11", "a third") == {"matches": 50.0}


@pytest.mark.parametrize(
    ("ratio", "kept", "falls"), [(71, 80, True), (73, 80, False), (1, None, False)]
)
def test_a_fall_by_more_than_a_tenth_is_reported(ratio, kept, falls):
    assert history.has_fallen(ratio, kept) is falls


def test_rows_are_added_and_read_again(tmp_path):
    file = tmp_path / "history.csv"
    history.keep(file, ROWS[:1])
    history.keep(file, ROWS[1:])
    assert history.read(file) == ROWS
    assert file.read_text().count("measure") == 1


def test_a_fall_is_a_warning_alone_and_measured_twice(monkeypatch, tmp_path, capsys):
    file = tmp_path / "history.csv"
    python = ".".join(history.platform.python_version_tuple()[:2])
    history.keep(file, [OLD._replace(python=python)])
    ratios = iter([80.0, 85.0, 7.0])
    monkeypatch.setattr(history, "FILE", file)
    monkeypatch.setattr(history, "MEASURES", {"matches": history.started, "new": history.started})
    monkeypatch.setattr(history, "speed", lambda *_: timing.Speed(1, next(ratios), 1))
    monkeypatch.setattr(history.sys, "argv", ["history", "--keep"])
    history.main()
    printed = capsys.readouterr().out
    assert "WARNING: matches: slower by more than 10%" in printed
    assert "new: slower" not in printed
    assert [row.ratio for row in history.read(file)] == [100, 85, 7]


def test_what_is_measured_is_kept():
    kept = history.last_kept(history.read(history.FILE), "3.11", "any")
    assert set(history.MEASURES) <= set(kept)


def test_a_measure_plays_its_matches():
    with history.matches("pazaak", "standard", 2, *history.THRESHOLDS) as (work, units):
        assert len(work()) == units == 2


def test_the_check_of_ci_fails_nothing():
    line = next(
        line
        for line in (history.FILE.parents[1] / ".ci" / "run").read_text().splitlines()
        if "history ||" in line
    )
    done = subprocess.run(
        ["bash", "-e", "-c", line], cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("WARNING: ")
