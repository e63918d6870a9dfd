"""Matches that the harness failed: played again, listed, and in no result."""

from __future__ import annotations

import pytest
from arena_results.schema.rows import VoidMatch

import arena
from arena.cli.texts.ledgers import void_text
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from tests.cli.tournament_runs import Place

ENDS_ITS_WORKER = """
import os
from pathlib import Path
from arena import Bot

MARK = Path(__file__).with_suffix(".mark")


class Ender(Bot):
    def act(self, observation):
        if not MARK.exists():
            MARK.touch()
            os._exit(3)
        return observation.legal_actions[-1]
"""
RUN = (
    *("tournament", "run", "--bot", "ender.py", "--bot", "random", "--games", "4", "--seed", "7"),
    *("--trust", "ender", "--concurrency", "1", "-o", "json"),
)
REASON = "the worker process died; a bot may have ended it"


def ledger(place, number):
    with arena.open_database(place.url) as db:
        return db.tournament(number).ledger()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Tournament 1 lost a worker, 2 is the same without."""
    place = Place(tmp_path_factory.mktemp("void"))
    (place.folder / "ender.py").write_text(ENDS_ITS_WORKER)
    assert place.arena(*RUN).code == 0
    assert place.arena(*RUN).code == 0
    return place


def test_void_matches_are_listed_and_in_no_document(place):
    found = ledger(place, 1)
    assert found["void"] == [
        {"match": "1.1.1.1", "attempt": 1, "cause": "harness fault", "name": None, "reason": REASON}
    ]
    assert [row["void"] for row in found["bots"]] == [1, 1]
    assert ledger(place, 2)["void"] == []
    for verb in ("show", "verify"):
        one, other = (
            place.arena("tournament", verb, number, "-o", "json").document for number in "12"
        )
        for document in (one, other):
            (document["tournament"] if verb == "show" else document).pop(
                "id" if verb == "show" else "tournament"
            )
        assert one == other


@pytest.mark.parametrize("verb", ["show", "losses"])
def test_people_are_shown_them(place, verb):
    line = f"1 match was void and played again: 1.1.1.1 (harness fault: {REASON})"
    assert line in place.arena("tournament", verb, "1").out
    assert "void and" not in place.arena("tournament", verb, "2").out


def test_many_are_counted_and_lead_to_the_document():
    names = ("a", "b")
    void = [VoidMatch(MatchKey(1, 1, leg), Termination.CRASH, "x", 1) for leg in range(1, 9)]
    line = void_text(void, names, 3, " --db x.db")
    assert line.startswith("8 matches were void and played again: 3.1.1.1 3.1.1.2 ")
    assert line.endswith(" (crash of b: x), +2 more: arena tournament losses 3 -o json --db x.db")
    assert void_text((), names, 3, "") == ""


def test_a_match_that_is_void_again_and_again_stops_the_run_and_is_listed(tmp_path):
    place = Place(tmp_path)
    code = ENDS_ITS_WORKER.replace("not MARK.exists()", "True")
    (place.folder / "ender.py").write_text(code)
    answer = place.arena(*RUN)
    assert answer.code == 1
    assert "was void 3 times: " + REASON in answer.err
    void = ledger(place, 1)["void"]
    assert [row["attempt"] for row in void if row["match"] == "1.1.1.1"] == [1, 2, 3, 4]
