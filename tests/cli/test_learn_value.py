"""``arena learn-value``, and luck by its files."""

import json

import pytest

import arena as api
from arena.service import learning
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


def test_luck_is_computed_by_what_was_learned_and_as_another_than_was_fixed(arena, cups):
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


def test_a_tournament_fixes_learned_values_and_reports_by_them_once_their_file_is_given(
    arena, cups, tmp_path
):
    for name, seed in (("fixed", "1"), ("other", "2")):
        arena("learn-value", "pazaak", *SMALL, "--seed", seed, "--out", name, "--db", cups)
    (tmp_path / "cup.toml").write_text(
        "bots = ['stand', 'stand(at=16)']\ngames = 4\nseed = 3\nvalue_function = 'fixed'\n"
    )
    db = ("--db", f"sqlite:///{tmp_path}/own.db")
    ran = arena("tournament", "run", "cup.toml", "--concurrency", "1", *db)
    assert ran.code == 0, ran.err
    assert "give its file with --value-function." in ran.out
    refused = arena("tournament", "luck", "1", *db)
    assert (refused.code, "luck is switched off" in refused.err) == (2, True)

    def luck_by(name):
        found = arena("tournament", "luck", "1", "--value-function", name, "-o", "json", *db)
        return json.loads(found.out)

    def shown():
        return json.loads(arena("tournament", "show", "1", "-o", "json", *db).out)

    assert luck_by("other")["frozen"] is False
    assert "adjusted" not in shown()["standings"][0]
    luck = luck_by("fixed")
    assert luck["frozen"] is True
    assert luck["hash"] == shown()["tournament"]["value_hash"]
    assert "luck_off" not in shown()
    adjusted = {row["name"]: row["adjusted"] for row in shown()["standings"]}
    assert adjusted == {row["name"]: row["adjusted"] for row in luck["bots"]}
    wrong = ("tournament", "run", "cup.toml", "--value-function", "cup.toml", *db)
    answer = arena(*wrong)
    assert (answer.code, answer.err.count("\n")) == (2, 1), answer
    assert "value_function: cup.toml: this is no value function" in answer.err


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
        (("tournament", "luck", "1", "--value-function", "text"), "text: this is no value functi"),
        (("replay", "1", "--value-function", "text"), "--value-function goes with --luck"),
    ):
        answer = arena(*words, "--db", cups)
        assert (answer.code, answer.err.count("\n")) == (2, 1), answer
        assert message in answer.err
