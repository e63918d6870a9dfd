"""``arena export``: lists of a tournament as documents, whole, precise and streamed."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing

import pytest
from arena_results.database import open_database
from arena_results.queries import tournament
from pyarrow import parquet

from arena.core.errors import AlteredResults
from arena.plugins.registry import Registry
from arena.service.exports import TABLES, Results
from arena.service.replays import stored_match
from arena.service.report import document, make_report
from tests.cli.stored_cups import LEGS, PAIRINGS

MATCHES = len(PAIRINGS) * LEGS


def lines(answer):
    assert (answer.code, answer.err) == (0, "")
    return [*csv.DictReader(io.StringIO(answer.out))]


def test_matches_have_a_row_each_and_two_seats(arena, stored):
    rows = lines(arena("export", "1", "matches", "--db", stored))
    assert len(rows) == MATCHES
    assert (rows[0]["match"], rows[0]["name0"], rows[0]["name1"]) == (
        "1.1.1.1",
        "stand(at=17)",
        "random",
    )
    assert {row["termination"] for row in rows} >= {"rules", "crash", "illegal action"}
    lost = [row for row in rows if row["offender"]]
    assert {row["offender"] for row in lost} == {"sore", "rule", "late"}
    assert "isolation" not in rows[0]
    assert "nanoseconds0" not in rows[0]


def test_measured_matches_have_times(arena, stored):
    rows = lines(arena("export", "1", "matches", "--measured", "--db", stored))
    assert all(row["isolation"] == "trusted" and int(row["requests0"]) >= 0 for row in rows)


def test_decisions_are_those_of_the_replays(arena, stored):
    rows = lines(arena("export", "1", "decisions", "--db", stored))
    with open_database(stored) as database:
        moments = [
            (f"1.{key}", str(moment.move), str(moment.seat), moment.action)
            for key in tournament(database, 1).played
            for moment in stored_match(Registry(), database, 1, key).moments()
            if moment.seat is not None
        ]
    assert [(row["match"], row["move"], row["seat"], row["action"]) for row in rows] == moments
    assert all(int(row["choices"]) >= 2 for row in rows)
    assert {row["name"] for row in rows} == {"stand(at=17)", "random", "sore"}


def test_standings_have_everything_that_the_table_shows(arena, stored):
    rows = lines(arena("export", "1", "standings", "--db", stored))
    with open_database(stored) as database:
        format = Registry().format("round-robin")
        shown = document(make_report(tournament(database, 1), format))["standings"]
    for row, line in zip(rows, shown, strict=True):
        assert (row["name"], float(row["score"])) == (line["name"], line["score"])
        ties = {name: float(row[f"tie_breaks.{name}"]) for name in line["tie_breaks"]}
        assert ties == line["tie_breaks"]
        for cause, count in line["losses_by_cause"].items():
            assert int(row[f"losses_by_cause.{cause}"]) == count
    assert any(line["losses_by_cause"] for line in shown)


def test_show_as_csv_has_tie_breaks_and_losses_too(arena, stored):
    (first, *_) = lines(arena("tournament", "show", "1", "-o", "csv", "--db", stored))
    assert {"rank", "name", "score", "tie_breaks.SB", "losses_by_cause.crash"} <= first.keys()


def test_all_lists_go_to_a_folder_in_every_kind(arena, stored, tmp_path):
    for kind in ("csv", "jsonl", "json", "parquet"):
        answer = arena("export", "2", "-o", kind, "--to", tmp_path / kind, "--db", stored)
        assert answer.code == 0, answer.err
        names = sorted(path.name for path in (tmp_path / kind).iterdir())
        assert names == sorted(f"{name}.{kind}" for name in TABLES)
        assert answer.err.count("Wrote ") == len(TABLES)
    for name in TABLES:
        rows = json.loads((tmp_path / "json" / f"{name}.json").read_text())
        assert rows == [
            json.loads(line)
            for line in (tmp_path / "jsonl" / f"{name}.jsonl").read_text().splitlines()
        ]
        assert rows == parquet.read_table(tmp_path / "parquet" / f"{name}.parquet").to_pylist()


def test_rows_are_made_as_they_are_asked_for(own):
    with closing(sqlite3.connect(own.removeprefix("sqlite:///"))) as file, file:
        (last,) = file.execute("SELECT max(pairing) FROM match").fetchone()
        file.execute("UPDATE match SET seed = seed + 1 WHERE pairing = ? AND leg = 2", (last,))
    with open_database(own) as database:
        rows = Results(Registry(), database, 1).table("matches").rows
        assert next(rows)["match"] == "1.1.1.1"
        with pytest.raises(AlteredResults, match=r"match 1\.4\.2"):
            list(rows)


def test_a_file_is_whole_or_stays_as_it_was(arena, own, tmp_path):
    with closing(sqlite3.connect(own.removeprefix("sqlite:///"))) as file, file:
        file.execute("UPDATE match SET seed = seed + 1 WHERE pairing = 4 AND leg = 2")
    place = tmp_path / "out" / "matches.csv"
    place.parent.mkdir()
    place.write_text("before")
    assert arena("export", "1", "matches", "--to", place, "--db", own).code == 1
    assert [(each.name, each.read_text()) for each in place.parent.iterdir()] == [
        ("matches.csv", "before")
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("1", "games"), "unknown list 'games'; choices: decisions, matches, pairings, ratings"),
        (("9", "matches"), "unknown tournament '9'; choices: 1, 2"),
        (("1",), "several lists need a folder: --to FOLDER, or name one list"),
        (("1", "matches", "-o", "table"), "-o table is for people; choices here: csv, jsonl"),
        (("1", "matches", "--to", "none/x.csv"), "none/x.csv cannot be written: No such file"),
    ],
)
def test_bad_input_is_one_line(arena, stored, words, says):
    answer = arena("export", *words, "--db", stored)
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert says in answer.err
