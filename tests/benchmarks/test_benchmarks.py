"""Benchmarks can be run: each imports what there is, and leaves out what a machine has not."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from arena.host.box.levels import Level
from benchmarks import bench, confined, measuring, sabacc, timing

MODULES = sorted(path.stem for path in Path(bench.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_every_benchmark_can_be_imported(name):
    assert callable(getattr(import_module(f"benchmarks.{name}"), "main", print))


def test_the_smallest_benchmark_plays_and_counts(monkeypatch, capsys):
    monkeypatch.setattr(timing, "RUNS", 1)
    monkeypatch.setattr(sabacc, "MATCHES", 4)
    sabacc.matches(2, "old_republic")
    row = capsys.readouterr().out
    found = re.search(r"([\d,]+) hands/s +([\d.]+) µs a decision +([\d.]+) a hand", row)
    assert found is not None
    hands, decision, decisions = (float(each.replace(",", "")) for each in found.groups())
    assert hands * decisions == pytest.approx(1e6 / decision, rel=0.05)


def test_a_round_of_benchmarks_is_in_mirrored_groups():
    jobs = measuring.jobs_of_round(measuring.one_pairing(2), 4)
    assert [job.seats for job in jobs] == [(0, 1), (1, 0)] * 2
    assert [job.seed == jobs[0].seed for job in jobs] == [True, True, False, False]


def test_what_needs_bubblewrap_is_left_out_where_it_is_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Level.BOXED not in confined.levels_here()
    why = "bubblewrap (bwrap) is not installed"
    assert f"left out: all figures of bots that are boxed: {why}\n" in capsys.readouterr().out
