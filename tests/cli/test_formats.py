"""Brackets, races and stages from the options to the report."""

from __future__ import annotations

import json

import pytest
from arena_results.store.queries import matches, tournament

import arena
from arena.cli.texts.report import print_report
from arena.core.errors import BadSpec
from arena.plugins.registry import Registry
from arena.service.report.report import make_report
from arena.service.setup.decoded import decode
from arena.service.storage.databases import open_database

FIELD = ("stand(at=14)", "stand(at=15)", "stand(at=16)", "stand(at=17)", "stand(at=18)")
CUP = """
bots = ["stand(at=14)", "stand(at=15)", "stand(at=16)", "stand(at=17)", "stand(at=18)"]
games = 2
seed = 3
[[stages]]
format = "swiss"
rounds = 2
[[stages]]
format = "knockout"
take = 4
first_to = 2
third_place = true
"""


@pytest.fixture(scope="module")
def cups(tmp_path_factory):
    """The same tournament of two stages, played by one worker process and by two."""
    folder = tmp_path_factory.mktemp("cups")
    (folder / "cup.toml").write_text(CUP)
    with arena.open_database(folder / "cups.db") as db:
        for workers in (1, 2):
            db.run(file=folder / "cup.toml", concurrency=workers)
    with open_database(f"sqlite:///{folder}/cups.db") as database:
        yield database


def report_of(database, number):
    stored = tournament(database, number)
    return make_report(decode(Registry(), stored))


def test_any_number_of_workers_gives_the_same_records(cups):
    one, other = (
        [(match.key, match.record) for _, match in matches(cups, number)] for number in (1, 2)
    )
    assert one == other
    assert len(one) > 2 * 2 * 2 + 2 * 4


def test_the_document_has_the_stages_and_the_bracket_of_one(cups):
    from arena.service.report.tables.documents import document

    shown = json.loads(json.dumps(document(report_of(cups, 1))))
    assert shown["tournament"]["format"] == "swiss+knockout"
    swiss, knockout = shown["stages"]
    assert (swiss["format"], swiss["rounds"], swiss["bracket"]) == ("swiss", 2, None)
    assert (swiss["volume"], knockout["volume"]) == ("2 games a pairing", "pairings first to 2")
    assert knockout["entrants"] == [line["name"] for line in swiss["standings"][:4]]
    assert [bout["name"] for bout in knockout["bracket"]] == [
        "semifinal 1", "semifinal 2", "third place", "final",
    ]  # fmt: skip
    assert [bout["round"] for bout in knockout["bracket"]] == [3, 3, 4, 4]
    final = knockout["bracket"][-1]
    assert shown["standings"][0]["name"] == final["winner"]
    assert [row["stage"] for row in shown["standings"]] == ["knockout"] * 4 + ["swiss"]
    assert [row["rank"] for row in shown["standings"]] == [1, 2, 3, 4, 5]
    for bout in knockout["bracket"]:
        assert max(bout["points"]) >= 2
        assert sum(bout["points"]) % 2 == 0


def test_the_report_shows_stage_after_stage(cups, capsys):
    print_report(report_of(cups, 1), "")
    out = capsys.readouterr().out
    assert "swiss+knockout, 4 of 4 rounds, 2 games a pairing, then pairings first to 2" in out
    assert "Stage 1: swiss, 5 entrants, 2 of 2 rounds, 2 games a pairing" in out
    assert "Stage 2: knockout, 4 entrants, 2 of 2 rounds, pairings first to 2" in out
    assert out.index("Rounds: opponent's line") < out.index("Bracket: match points")
    assert "Scoring of the knockout: ranked by how far each came" in out


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        (
            {"format": "swiss", "third_place": True},
            "third_place: not available for swiss; formats with it: knockout",
        ),
        ({"first_to": 2, "best_of": 3}, "games: give one of first_to, best_of: each says"),
        ({"format": "knockout", "rounds": 9}, "rounds: knockout of 5 plays 3 rounds, not 9"),
        ({"stages": ["swiss", "knockout(take=8)"]}, "stages: stage 2 takes 8 of 5 entrants"),
        ({"stages": ["swiss"], "format": "knockout"}, "stages: every stage has its own format"),
        (
            {"forbidden": [["stand(at=14)", "stand(at=19)"]], "format": "swiss"},
            "forbidden: unknown bot ",
        ),
        (
            {"forbidden": ["stand(at=14) | stand(at=15)"]},
            "forbidden: not available for round-robin",
        ),
        (
            {"mathces": 3},
            "mathces: no such key, and no option of round-robin; "
            "the options are bye_points, forfeit_points, matc",
        ),
        ({"format": "knockout(third_place=3)"}, "third_place: expected true or false, not 3"),
        ({"format": "knockout(third_place="}, "format: cannot read 'knockout(third_place='"),
        ({"stages": ["swiss"], "third_place": True}, "third_place: not available for swiss"),
        ({"stages": ["swiss(laps=2)"]}, "stages: stage 1: laps: no such key, and no option of"),
        ({"stages": ["swiss(until='x')"]}, "stages: stage 1: until: expected 'separated(95%)'"),
        ({"format": "swiss", "format_options": 3}, "format_options: expected a table, not 3"),
        ({"acceleration": "paris", "format": "swiss"}, "acceleration: expected baku, not 'paris'"),
        ({"stages": ["tables"]}, "stages: tables is not for tables of two, as stages are"),
        (
            {"stages": ["double-elimination(bracket_reset=true)", "knockout"]},
            "stages: double-elimination with these options may end a round early",
        ),
        (
            {"game": "sabacc", "format": "tables", "first_to": 2, "seats": 3},
            "first_to: only tables of two play until one is ahead, not 3",
        ),
    ],
)
def test_what_does_not_go_together_is_one_line(tmp_path, keys, problem):
    with arena.open_database(tmp_path / "none.db") as db:
        with pytest.raises(BadSpec) as raised:
            db.run(list(FIELD), **keys)
        assert any(line.startswith(problem) for line in raised.value.problems)
        assert db.tournaments() == []


def test_options_of_a_swiss_hold_in_its_stage_alone(tmp_path):
    keys = {"stages": ["swiss(rounds=2, acceleration='baku')", "knockout(take=2)"], "games": 2}
    pair = ["stand(at=14) | stand(at=16)"]
    with arena.open_database(tmp_path / "cup.db") as db:
        cup = db.run(list(FIELD), **keys, forbidden=pair, seed=1, concurrency=1)
        rounds = cup.document()["rounds"]
    met = [{*each["names"]} for past in rounds[:2] for each in past["pairings"]]
    assert {"stand(at=14)", "stand(at=16)"} not in met
    assert len(rounds) == 3
