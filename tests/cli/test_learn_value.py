"""``arena learn-value``, and luck by its files."""

import json
import shutil
import sqlite3
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

import pytest

import arena as api
from arena.service.match import learning
from tests.cli.forging import seal_again
from tests.cli.stored_cups import store

SMALL = ("--hidden", "4x3", "--rounds", "1", "--epochs", "1")


@pytest.fixture(scope="module")
def cups(tmp_path_factory):
    """URL of a database with some matches more than are held out."""
    url = f"sqlite:///{tmp_path_factory.mktemp('learning')}/arena.db"
    store(url, legs=60)
    return url


@pytest.fixture(autouse=True)
def _few(monkeypatch, tmp_path):
    monkeypatch.setattr(learning, "FEWEST", 20)
    monkeypatch.chdir(tmp_path)


@pytest.mark.thorough("a tournament fixes learned values every day")
def test_luck_is_computed_by_learned_values_other_than_the_fixed(arena, cups):
    text = arena("learn-value", "pazaak", *SMALL, "--db", cups).out
    assert text.startswith("pazaak-learned ")
    assert "pazaak.values\nSHA-256 " in text
    assert "without luck by pazaak-no-hands 1" in text
    assert max(map(len, text.splitlines())) <= 100
    found = json.loads(
        arena("learn-value", "pazaak", *SMALL, "--out", "v", "-o", "json", "--db", cups).out
    )
    assert found["origin"]["matches"] > found["held_out"] > 10
    assert [row["hash"] for row in found["reductions"]][-1] == found["hash"]
    plain = json.loads(arena("tournament", "luck", "1", "-o", "json", "--db", cups).out)
    by_file = ("--value-function", "v")
    luck = json.loads(arena("tournament", "luck", "1", *by_file, "-o", "json", "--db", cups).out)
    assert (luck["hash"], luck["frozen"]) == (found["hash"], False)
    assert [row["score"] for row in luck["bots"]] != [row["adjusted"] for row in luck["bots"]]
    assert json.loads(arena("tournament", "luck", "1", "-o", "json", "--db", cups).out) == plain
    with api.open_database(cups) as db:
        assert json.loads(json.dumps(db.tournament(1).luck("v"))) == luck
    shown = arena("replay", "1.1.1.1", "--luck", *by_file, "--summary", "--db", cups).out
    assert f"by {found['value_function']} (sha256 {found['hash'][:12]})" in shown
    as_json = json.loads(
        arena("replay", "1.1.1.1", "--luck", *by_file, "-o", "json", "--db", cups).out
    )
    assert as_json["luck"]["hash"] == found["hash"]


def test_a_tournament_keeps_learned_values_for_all_commands(arena, cups, tmp_path):
    for name, seed in (("fixed", "1"), ("other", "2")):
        arena("learn-value", "pazaak", *SMALL, "--seed", seed, "--out", name, "--db", cups)
    (tmp_path / "cup.toml").write_text(
        "bots = ['stand', 'stand(at=16)']\ngames = 4\nseed = 3\nvalue_function = 'fixed'\n"
    )
    db = ("--db", f"sqlite:///{tmp_path}/own.db")
    ran = arena("tournament", "run", "cup.toml", "--concurrency", "1", *db)
    assert ran.code == 0, ran.err
    (tmp_path / "fixed").rename("moved")

    def luck(*more):
        return json.loads(arena("tournament", "luck", "1", *more, "-o", "json", *db).out)

    def shown():
        return json.loads(arena("tournament", "show", "1", "-o", "json", *db).out)

    about, found = shown()["tournament"], luck()
    assert (found["hash"], found["frozen"], found["independent"]) == (
        about["value_hash"],
        True,
        True,
    )
    assert luck("--value-function", "moved") == found
    assert luck("--value-function", "other")["frozen"] is False
    adjusted = {row["name"]: row["adjusted"] for row in found["bots"]}
    assert {row["name"]: row["adjusted"] for row in shown()["standings"]} == adjusted
    for option, key in (("--luck", "luck"), ("--analysis", "analysis")):
        replay = json.loads(arena("replay", "1.1.1.1", option, "-o", "json", *db).out)
        assert replay[key]["hash"] == about["value_hash"]
        other = ("--value-function", "other")
        again = json.loads(arena("replay", "1.1.1.1", option, *other, "-o", "json", *db).out)
        assert again[key]["hash"] != about["value_hash"]
    history = json.loads(arena("bots", "show", "stand", "--matches", "9", "-o", "json", *db).out)
    assert history["history"]["with_luck"] == history["history"]["matches"] == 8
    verified = arena("tournament", "verify", "1", *db).out
    by = f"computed again by {about['value_function']}, which was fixed before play"
    assert f"  luck        4 matches {by}\n" in verified
    wrong = ("tournament", "run", "cup.toml", "--value-function", "cup.toml", *db)
    answer = arena(*wrong)
    assert (answer.code, answer.err.count("\n")) == (2, 1), answer
    assert (
        "value_function: cup.toml: expected a value function made by arena learn-value"
        in answer.err
    )


@pytest.fixture(scope="module")
def fixed(cups, tmp_path_factory):
    """A folder with ``values`` that were learned, and ``own.db``, a tournament that fixed them."""
    folder = tmp_path_factory.mktemp("fixed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "FEWEST", 20)
        small = {"hidden": "4x3", "rounds": 1, "epochs": 1}
        api.stats.learn_value("pazaak", cups, out=folder / "values", **small)
    keys = {"games": 4, "seed": 3, "concurrency": 1, "value_function": str(folder / "values")}
    with api.open_database(folder / "own.db") as db:
        db.run(["stand", "stand(at=16)"], **keys)
    return folder


@pytest.fixture
def own(fixed, tmp_path):
    """The file of a copy of the database with that tournament."""
    return shutil.copy(fixed / "own.db", tmp_path)


def test_values_that_are_not_kept_are_asked_for_and_then_kept(arena, fixed, own):
    """As in databases of earlier versions, which stored the hash alone."""
    with closing(sqlite3.connect(own)) as file, file:
        file.execute("DELETE FROM value_function")
        file.execute("DELETE FROM luck")
    db = ("--db", f"sqlite:///{own}")
    assert "give its file with --value-function." in arena("tournament", "show", "1", *db).out
    refused = arena("tournament", "luck", "1", *db)
    assert (refused.code, "luck is switched off" in refused.err) == (2, True)
    by_file = ("--value-function", str(fixed / "values"))
    given = arena("tournament", "luck", "1", *by_file, "-o", "json", *db)
    assert json.loads(given.out)["frozen"] is True
    assert arena("tournament", "luck", "1", "-o", "json", *db).out == given.out


@pytest.mark.thorough("tournaments do")
def test_forks_matches_and_comparisons_fix_learned_values(arena, fixed, own):
    db = ("--db", f"sqlite:///{own}")
    values = ("--value-function", str(fixed / "values"))
    few = ("--concurrency", "1", "--games", "2")
    assert arena("tournament", "fork", "1", "--seed", "5", *few, *db).code == 0
    assert arena("match", "stand", "random", *few, *values, *db).code == 0
    assert arena("compare", "stand", "random", *few, *values, *db).code == 0
    assert arena("tournament", "fork", "1", *few, "--value-function", "", *db).code == 0
    with api.open_database(own) as opened:
        names = [opened.tournament(n).luck()["value_function"] for n in range(1, 6)]
    assert names == [names[0]] * 4 + ["pazaak-no-hands 1"]
    refused = arena("tournament", "fork", "1", "--ruleset", "standard(max_sets=2)", *few, *db)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "for the ruleset 'standard', not 'standard(max_sets=2)'; --value-function ''" in (
        refused.err
    )
    unknown = arena("match", "stand", "random", "--value-function", "sha256:77", *db)
    assert "--value-function: no tournament here fixed values with the SHA-256 '77'" in unknown.err


@pytest.mark.parametrize(
    "edit", ["hash = 'b'", "name = 'b'", "content = x'00'", "checksum = x'00'"]
)
def test_an_edit_of_kept_values_is_found(arena, own, edit):
    with closing(sqlite3.connect(own)) as file, file:
        file.execute(f"UPDATE value_function SET {edit}")
    db = ("--db", f"sqlite:///{own}")
    for command in (("tournament", "verify", "1"), ("tournament", "luck", "1")):
        answer = arena(*command, *db)
        assert (answer.code, answer.err.count("\n")) == (1, 1), answer
        assert answer.err.startswith("arena: tournament 1: value function ")


def test_other_values_with_fitting_checksums_are_refused(arena, cups, own):
    arena("learn-value", "pazaak", *SMALL, "--seed", "2", "--out", "other", "--db", cups)
    content = zlib.compress(Path("other").read_bytes())
    with closing(sqlite3.connect(own)) as file, file:
        file.execute("UPDATE value_function SET content = ?", (content,))
    seal_again(f"sqlite:///{own}")
    answer = arena("tournament", "verify", "1", "--db", f"sqlite:///{own}")
    assert (answer.code, answer.err.count("\n")) == (1, 1), answer
    assert " is not the one that was fixed" in answer.err


def test_values_learned_from_the_same_deals_are_refused_or_marked(arena, cups, fixed):
    values = ("--value-function", str(fixed / "values"))
    db = ("--db", cups)
    luck = arena("tournament", "luck", "1", *values, *db)
    marked = "note: learned from these deals, so that scores without luck are biased\n"
    assert marked in luck.err
    document = json.loads(arena("tournament", "luck", "1", *values, "-o", "json", *db).out)
    assert document["independent"] is False
    assert marked in arena("replay", "1.1.1.1", "--luck", *values, "--summary", *db).out
    refused = arena("match", "stand", "random", "--seed", "7", *values, *db)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--value-function: it was learned from a tournament with these deals" in refused.err


def test_a_bundle_carries_learned_values_until_their_last_tournament(arena, fixed, own, tmp_path):
    db, bundle = ("--db", f"sqlite:///{own}"), tmp_path / "cup.arena"
    assert arena("export", "1", "--bundle", str(bundle), *db).code == 0
    with zipfile.ZipFile(bundle) as packed:
        assert packed.read("value_function.values") == (fixed / "values").read_bytes()
        assert json.loads(packed.read("manifest.json"))["version"] == 2
    luck = ("tournament", "luck", "1", "-o", "json")
    as_database = arena(*luck, "--db", f"sqlite:///{bundle}")
    assert as_database.out == arena(*luck, *db).out
    assert arena("tournament", "verify", str(bundle)).code == 0
    new = f"sqlite:///{tmp_path}/new.db"
    assert arena("import", str(bundle), "--db", new).code == 0
    assert arena(*luck, "--db", new).out == as_database.out
    again = tmp_path / "again.arena"
    arena("export", "1", "--bundle", str(again), "--db", new)
    assert again.read_bytes() == bundle.read_bytes()
    arena("tournament", "delete", "1", "--yes", *db)
    with closing(sqlite3.connect(own)) as file:
        assert file.execute("SELECT count(*) FROM value_function").fetchone() == (0,)


def test_the_function_learns_what_the_command_does(arena, cups):
    found = json.loads(arena("learn-value", "pazaak", *SMALL, "-o", "json", "--db", cups).out)
    options = {"hidden": "4x3", "rounds": 1, "epochs": 1}
    document = api.stats.learn_value("pazaak", cups, tournaments=[1], **options)
    assert json.loads(json.dumps(document)) == found


def test_bad_input_is_one_line(arena, cups, tmp_path):
    (tmp_path / "text").write_text("no value function")
    for words, message in (
        (("learn-value", "sabacc"), "0 matches of sabacc old_republic are too few to learn from"),
        (("learn-value", "go"), "unknown game 'go'"),
        (("learn-value", "pazaak", "--from", "7"), "unknown tournament '7'; choices: 1"),
        (("learn-value", "sabacc", "--from", "1"), "tournament 1 is of pazaak standard, not of"),
        (("learn-value", "pazaak", "--hidden", "9"), "hidden layers are WIDExNARROW, 1 to 1024"),
        (("learn-value", "pazaak", "--rounds", "0"), "rounds: expected 1 to 20, not 0"),
        (("learn-value", "pazaak", *SMALL, "--out", "no/v"), "no/v cannot be written: No such"),
        (("tournament", "luck", "1", "--value-function", "none"), "none: No such file"),
        (("tournament", "luck", "1", "--value-function", "text"), "text: expected a value functi"),
        (("replay", "1", "--value-function", "text"), "--value-function: needs --luck"),
    ):
        answer = arena(*words, "--db", cups)
        # A slow machine also has lines of progress.
        errors = [line for line in answer.err.splitlines() if not line.startswith("reading ")]
        assert (answer.code, len(errors)) == (2, 1), answer
        assert message in errors[0]
