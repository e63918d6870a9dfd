"""``arena export``: lists of a tournament as documents, whole, precise and streamed."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import zipfile
from contextlib import closing

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament
from pyarrow import parquet

from arena.core.errors import AlteredResults
from arena.core.record import MatchKey, SeatLog
from arena.plugins.registry import Registry
from arena.service.match.replays import stored_match
from arena.service.public.exports import TABLES, Results
from arena.service.report.report import make_report
from arena.service.report.tables.documents import document
from arena.service.setup.decoded import Decoded
from tests.cli.forging import add_log
from tests.cli.stored_cups import LEGS, PAIRINGS
from tests.cli.tournament_runs import Place

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


def test_logs_are_those_that_are_kept(arena, own):
    assert arena("export", "1", "logs", "-o", "json", "--db", own).out == "[]\n"
    add_log(own, MatchKey(1, 1, 1), SeatLog(1, "=cmd\nand more\n"))
    (row,) = json.loads(arena("export", "1", "logs", "-o", "json", "--db", own).out)
    assert row == {
        "match": "1.1.1.1",
        "round": 1,
        "pairing": 1,
        "leg": 1,
        "seat": 1,
        "name": "random",
        "text": "=cmd\nand more\n",
    }
    (cells,) = lines(arena("export", "1", "logs", "--db", own))
    assert cells["text"] == "'=cmd and more"


def test_standings_have_everything_that_the_table_shows(arena, stored):
    rows = lines(arena("export", "1", "standings", "--db", stored))
    with open_database(stored) as database:
        format = Registry().format("round-robin")
        shown = document(make_report(Decoded.of(tournament(database, 1), format)))["standings"]
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
        (("1", "games"), "unknown list 'games'; choices: decisions, logs, matches, pairings"),
        (("9", "matches"), "unknown tournament '9'; choices: 1, 2"),
        (("1",), "several lists need a folder: --to FOLDER, or name one list"),
        (("1", "matches", "-o", "table"), "-o table: expected csv, jsonl, json or parquet"),
        (("1", "matches", "--to", "none/x.csv"), "none/x.csv cannot be written: No such file"),
    ],
)
def test_bad_input_is_one_line(arena, stored, words, says):
    answer = arena("export", *words, "--db", stored)
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert says in answer.err


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with a finished tournament and its bundle, which tests only read."""
    place = Place(tmp_path_factory.mktemp("cup"))
    run = ("tournament", "run", "--bot", "counter", "--bot", "random", "--games", "4")
    assert place.arena(*run).code == 0
    answer = place.arena("export", "1", "--bundle", "cup.arena")
    assert (answer.code, answer.out, answer.err) == (0, "", "Wrote cup.arena\n")
    return place


def test_a_bundle_is_verified_and_replayed_as_its_tournament(cup):
    ours = cup.arena("tournament", "verify", "1", "-o", "json")
    there = cup.arena("tournament", "verify", "cup.arena", "-o", "json")
    assert (there.code, there.err) == (0, "")
    assert there.document == {**ours.document, "luck": None}  # it follows from the matches
    shown = cup.arena("tournament", "verify", "cup.arena").out
    assert shown.startswith("Tournament 1 of cup.arena is verified, in ")
    for words in ((), ("1.1.3",), ("1", "--verify"), ("1.1.2", "-o", "json")):
        numbers = ".".join(("1", *words[:1]))
        expected = cup.arena("replay", numbers, *words[1:])
        assert expected.code == 0
        assert cup.arena("replay", "cup.arena", *words) == expected


def test_a_bundle_stands_for_a_database(cup):
    show, board = ("tournament", "show", "1", "-o", "json"), ("leaderboard", "-o", "csv")
    assert cup.arena(*show, "--db", "cup.arena").out == cup.arena(*show).out
    ours, there = (
        [*csv.DictReader(cup.arena(*board, *db).out.splitlines())]
        for db in ((), ("--db", "cup.arena"))
    )
    luck = [name for name in there[0] if name.startswith("adjusted")]
    assert [[row.pop(name) for name in luck] for row in there] == [["", ""]] * 2  # it keeps none
    assert there == [{name: row[name] for name in row if name not in luck} for row in ours]


def test_an_imported_tournament_has_a_new_number_and_the_same_report(cup):
    answer = cup.arena("import", "cup.arena", "--db", "other.db")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == (
        "Imported as tournament 1\nCheck it: arena tournament verify 1 --db sqlite:///other.db\n"
    )
    again = cup.arena("import", "cup.arena", "--db", "other.db")
    assert (again.code, again.out) == (2, "")
    assert again.err.startswith("arena: cup.arena: it is in this database already, as tournament 1")
    shown = ("tournament", "show", "1", "-o", "json")
    assert cup.arena(*shown, "--db", "other.db").out == cup.arena(*shown).out


@pytest.mark.parametrize("verb", [("tournament", "verify"), ("replay",), ("import",)])
def test_damage_is_exit_code_2_and_edits_are_1(cup, verb):
    data = (cup.folder / "cup.arena").read_bytes()
    (cup.folder / "cut.arena").write_bytes(data[: len(data) // 2])
    with zipfile.ZipFile(cup.folder / "cup.arena") as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(cup.folder / "edited.arena", "w") as packed:
        for name, content in members.items():
            packed.writestr(name, content.replace(b"random", b"rigged"))
    cut, edited = (cup.arena(*verb, name) for name in ("cut.arena", "edited.arena"))
    assert (cut.code, cut.out, len(cut.err.splitlines())) == (2, "", 1)
    assert "cut.arena cannot be read" in cut.err
    assert (edited.code, edited.out, len(edited.err.splitlines())) == (1, "", 1)
    assert "edited.arena: tournament.json is not what the manifest says" in edited.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("tournament verify none.arena", "there is no bundle at none.arena; arena export ID"),
        ("tournament verify one", "'one' is neither the number of a tournament nor a bundle"),
        ("replay none.arena", "there is no bundle at none.arena"),
        ("replay 1.1.1.1 1.1.1", "'1.1.1': expected with a bundle only, not with 1.1.1.1"),
        ("replay cup.arena 9", "tournament 1 has no match 9.1.1"),
        ("import none", "there is no bundle at none"),
        (
            "export 1 matches --bundle a.arena",
            "--bundle: cannot be combined with lists, --to or --measured",
        ),
        ("export 1 --bundle none/a.arena", "none/a.arena cannot be written: No such file"),
        ("tournament delete 1 --yes --db cup.arena", "cup.arena is a bundle, which can only be"),
        ("match random counter --db cup.arena", "is a bundle, which can only be read; to play on"),
    ],
)
def test_bad_input_about_bundles_is_one_line(cup, words, says):
    answer = cup.arena(*words.split())
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert says in answer.err
