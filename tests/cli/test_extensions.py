"""An extension of somebody else's brings formats, ratings, exports and executors of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.tournament_runs import Place

EXTENSION = '''
from arena.core.tournament import Pairing, Round, Scoring
from arena.plugins.hookspecs import hookimpl


class EndsMeet:
    """The first meets the last, the second the last but one; a match won counts three points."""

    name, summary, seats = "ends-meet", "one round: the first meets the last", range(2, 3)

    def rounds(self, entrants, requested, tables):
        return 1

    def next_round(self, field, played, rounds, tables):
        if played:
            return None
        pairs = [(one, len(field) - 1 - one) for one in range(len(field) // 2)]
        middle = (len(field) // 2,) if len(field) % 2 else ()
        return Round(1, tuple(map(Pairing, pairs)), middle)

    def scoring(self):
        return Scoring(
            name="three-points",
            summary="a match won scores 3, a bye as much as all matches won",
            scores=lambda result: tuple(3 * points for points in result.points),
            worth=lambda result: 3 * sum(result.points),
            bye=1.0,
            tie_breaks=TIE_BREAKS,
        )


TIE_BREAKS = ("WIN",)


@hookimpl
def arena_formats():
    return [EndsMeet()]
'''
RUN = ("tournament", "run", "--seed", "5", "--concurrency", "1", "--games", "4")
BOTS = ("--bot", "random", "--bot", "stand", "--bot", "stand(at=15)")


class Extended(Place):
    """A place where somebody else's extension is installed."""

    def __init__(self, folder: Path, code: str = EXTENSION) -> None:
        super().__init__(folder)
        site = folder / "site"
        about = site / "arena_more-1.0.dist-info"
        about.mkdir(parents=True)
        (site / "arena_more.py").write_text(code)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-more\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[arena]\nmore = arena_more\n")
        self.env["PYTHONPATH"] = os.pathsep.join([str(site), self.env.get("PYTHONPATH", "")])


@pytest.fixture
def place(tmp_path) -> Extended:
    return Extended(tmp_path)


def test_a_format_brings_a_scoring_of_its_own(place):
    run = place.arena(*RUN, "--format", "ends-meet", *BOTS, "-o", "json")
    assert run.code == 0, run.err
    assert run.document["tournament"]["scoring"] == "three-points"
    rows = {row["name"]: row for row in run.document["standings"]}
    assert rows["stand"]["score"] == 3 * 4  # it has the bye
    for name in ("random", "stand(at=15)"):
        assert rows[name]["score"] == 3 * rows[name]["match_points"]
        assert rows[name]["tie_breaks"] == {"WIN": rows[name]["tie_breaks"]["WIN"]}
    assert sum(rows[name]["score"] for name in ("random", "stand(at=15)")) == 12
    table = place.arena("tournament", "show", "1").out
    assert "Scoring: a match won scores 3, a bye as much as all matches won; then by WIN" in table


def test_a_scoring_with_an_unknown_tie_break_is_refused_before_play(tmp_path):
    place = Extended(tmp_path, EXTENSION.replace('("WIN",)', '("LUCK",)'))
    run = place.arena(*RUN, "--format", "ends-meet", *BOTS)
    assert run.code == 2
    assert "format: unknown tie-break 'LUCK'; choices: BH" in run.err
    assert place.stored() == 0
