"""Rows as documents: what ``-o NAME`` of the commands writes, from Python."""

from __future__ import annotations

import json
import os

import pytest
from pyarrow import parquet

import arena
from arena.core.errors import BadInput, UnknownName
from tests.api.test_play_match import Clumsy
from tests.cli.in_process import run_in_process


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with arena.open_database(tmp_path_factory.mktemp("export") / "a.db") as db:
        db.run(["counter", Clumsy, "random", "stand with hard"], games=2)
        yield db


GAMES = ("name", "summary", "seats", "rulesets", "version")
LISTS = {
    "games": lambda db: arena.export(arena.list_games(), columns=GAMES),
    "games pazaak": lambda db: arena.export(arena.list_options("pazaak")),
    "games sabacc": lambda db: arena.export(arena.list_options("sabacc")),
    "bots": lambda db: arena.export(db.bots()),
    "leaderboard": lambda db: arena.export(db.leaderboard()),
    "tournament list": lambda db: arena.export(db.tournaments()),
    "tournament show 1": lambda db: arena.export(db.tournament(1).standings()),
}


@pytest.mark.parametrize("words", LISTS)
def test_csv_is_byte_for_byte_that_of_the_command(db, words, tmp_path):
    place = [] if words.startswith("games") else ["--db", f"sqlite:///{db.path}"]
    command = [*words.split(), "-o", "csv", *place]
    code, out, err = run_in_process(command, tmp_path, os.environ)
    assert code == 0, err
    assert LISTS[words](db) == out


def test_json_has_the_rows(db):
    rows = db.tournament(1).matches()
    assert json.loads(arena.export(rows, "json")) == rows
    narrow = json.loads(arena.export(rows, "json", ["name1", "match"]))
    assert narrow[0] == {"name1": rows[0]["name1"], "match": "1.1.1.1"}


def test_rows_of_other_shapes_are_flattened_and_filled():
    rows = [{"a": [1, 2], "b": {"c": 3}}, {"a": "=x", "d": True}]
    assert arena.export(rows) == "a,b.c,d\n1 2,3,\n'=x,,true\n"


def test_without_rows_the_heading_is_left():
    assert arena.export([], columns=["a", "b"]) == "a,b\n"
    assert arena.export([], "json") == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("xml",), "unknown exporter 'xml'; choices: csv, json, jsonl, parquet"),
        (("csv", ["b"]), "unknown column 'b'; choices: a"),
    ],
)
def test_unknown_names_are_refused_with_the_choices(arguments, text):
    with pytest.raises(UnknownName, match=text):
        arena.export([{"a": 1}], *arguments)


def test_json_lines_are_the_rows_of_json(db):
    rows = db.tournament(1).matches()
    lines = arena.export(rows, "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert arena.export([], "jsonl") == ""


def test_a_document_is_written_to_a_file(db, tmp_path):
    rows = db.leaderboard()
    for exporter in ("csv", "json", "jsonl"):
        assert arena.export(rows, exporter, file=tmp_path / exporter) == ""
        assert (tmp_path / exporter).read_text() == arena.export(rows, exporter)
    arena.export(rows, "parquet", ["name", "rating", "games"], file=tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.to_pylist() == [
        {key: row[key] for key in ("name", "rating", "games")} for row in rows
    ]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.parquet", "csv", "json", "jsonl"]


def test_a_file_that_cannot_be_written_stays_as_it_was(db, tmp_path):
    (tmp_path / "a.csv").write_text("before")
    with pytest.raises(UnknownName):
        arena.export(db.leaderboard(), columns=["x"], file=tmp_path / "a.csv")
    with pytest.raises(BadInput, match="cannot be written: No such file or directory"):
        arena.export(db.leaderboard(), file=tmp_path / "none" / "a.csv")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["before"]
