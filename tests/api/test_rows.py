"""Records have the same keys in every row, one value in each cell; the other calls of the API."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import arena
from arena.core.errors import BadStore, ParseError, UnknownName
from tests.api.test_play_match import FILE, Clumsy
from tests.cli.in_process import run_in_process

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*NOT CONFINED:UserWarning"),
    pytest.mark.usefixtures("shallow_search"),
]
SEAT = "seat1"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("rows") / "cups.db"


@pytest.fixture(scope="module")
def db(file):
    with arena.open_database(file) as db:
        db.run(["counter", Clumsy, "random"], games=2, format="swiss", stake=5)
        field = ["target-total", "cautious-folder", "random", "exact-drawer"]
        db.run(field, game="sabacc", format="tables", seats=3)
        yield db


LISTS = {
    "tournaments": lambda db: db.tournaments(),
    "standings": lambda db: db.tournament(1).standings(),
    "standings at tables": lambda db: db.tournament(2).standings(),
    "crosstable": lambda db: db.tournament(1).crosstable(),
    "rounds": lambda db: db.tournament(1).rounds(),
    "matches": lambda db: db.tournament(1).matches(),
    "matches at tables": lambda db: db.tournament(2).matches(),
    "losses": lambda db: db.tournament(1).losses(),
    "leaderboard": lambda db: db.leaderboard(),
    "moments": lambda db: db.replay("2").rows(),
    "bots": lambda db: db.bots(),
    "games": lambda db: arena.list_games(),
}


@pytest.mark.parametrize("rows_of", LISTS.values(), ids=LISTS)
def test_rows_make_columns(db, rows_of):
    rows = rows_of(db)
    assert len(rows) > 1
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    for values in columns.values():
        kinds = {type(value) for value in values} - {type(None)}
        assert len(kinds) <= 1
        assert kinds <= {str, int, float, bool}


def documents(file, *words):
    words = (*words, "-o", "json", "--db", f"sqlite:///{file}")
    code, out, err = run_in_process(words, file.parent, os.environ)
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (("tournament", "show", "1"), lambda db: db.tournament(1).document()),
        (
            ("replay", "1.1.1.2", "--view", "seat1"),
            lambda db: db.replay("1.1.1.2").document("seat1"),
        ),
        (("replay", "2", "--verify"), lambda db: db.verify("2")),
        (("bots", "show", "counter"), lambda db: db.bot("counter")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_documents_are_those_of_the_command_line(db, file, words, value):
    assert json.loads(json.dumps(value(db))) == documents(file, *words)


@pytest.mark.parametrize(
    ("words", "rows_of"),
    [
        (("tournament", "list"), lambda db: db.tournaments()),
        (("leaderboard",), lambda db: db.leaderboard()),
        (("bots",), lambda db: db.bots()),
    ],
)
def test_rows_have_the_keys_and_values_of_the_documents(db, file, words, rows_of):
    shown = documents(file, *words)
    assert shown
    for row, document in zip(rows_of(db), shown, strict=True):
        assert row == {
            key: " ".join(map(str, value)) if isinstance(value, list) else value
            for key, value in document.items()
        }


def test_a_submitted_bot_is_qualified_switched_and_written_out(tmp_path):
    (tmp_path / "careful.py").write_text(FILE)
    with arena.open_database(tmp_path / "a.db") as db:
        began = []
        file = tmp_path / "careful.py"
        answer = db.submit(file, game="pazaak", seed=3, progress=lambda *event: began.append(event))
        assert (answer["status"], answer["version"]) == ("entered", "1")
        ((package, game, opponents, seed),) = began
        assert (package.name, game.name, opponents[0], seed) == ("careful", "pazaak", "random", 3)
        assert db.submit(tmp_path / "careful.py")["status"] == "unchanged"
        assert db.disable_bot("careful") == ["careful@1"]
        assert db.disable_bot("careful") == []
        with pytest.raises(arena.BadInput, match="disabled"):
            db.match("careful", "random", games=2)
        assert db.enable_bot("careful@1") == ["careful@1"]
        assert db.export_bot("careful", tmp_path / "copy") == []
        assert (tmp_path / "copy" / "careful.py").read_text() == FILE
        assert db.bots()[-1]["name"] == "careful"
        with pytest.raises(UnknownName):
            db.bot("nobody")
    match = arena.play_match("careful", "random", db=tmp_path / "a.db")
    assert match.names == ("careful", "random")


def test_bad_input_raises_errors_of_arena(db, tmp_path):
    with pytest.raises(ParseError, match="there are tournaments 1 to 2"):
        db.replay("one")
    with pytest.raises(UnknownName, match="unknown game 'chess' in the database"):
        db.leaderboard("chess")
    with pytest.raises(BadStore, match="there is no results database"):
        arena.open_database(tmp_path / "none.db", create=False)
    with pytest.raises(BadStore, match="is a folder"):
        arena.open_database(tmp_path)
    for call in (arena.describe_game, arena.check_game):
        with pytest.raises(UnknownName, match="unknown game 'chess'; choices: pazaak, sabacc"):
            call("chess")
    with pytest.raises(arena.ArenaError):
        arena.check_cases(tmp_path / "none.json")


def test_checks_are_documents(tmp_path):
    assert arena.check_game("sabacc", "old_republic(hands=1)", redeals=20)["passed"]
    file = tmp_path / "clumsy.py"
    file.write_text(FILE.replace("return observation.legal_actions[0]", "raise ValueError"))
    report = arena.check_bot(file, matches=1)
    assert not report["passed"]
    assert report["failures"]
    cases = Path(__file__).parents[1] / "conformance" / "data" / "pazaak.json"
    results = arena.check_cases(cases)
    assert len(results) > 40
    assert all(result["passed"] for result in results)
    assert arena.upgrade_database(_empty(tmp_path)) is None
    assert [path.name for path in arena.new_game("high-card", tmp_path / "g")]


def _empty(folder) -> Path:
    file = folder / "new.db"
    arena.open_database(file).close()
    return file


def test_the_default_database_is_that_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    arena.open_database().close()
    monkeypatch.setenv("ARENA_DB", "sqlite:///other.db")
    arena.open_database().close()
    assert {path.name for path in tmp_path.glob("*.db")} == {"arena.db", "other.db"}
