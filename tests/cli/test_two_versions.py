"""Two versions of one bot in one field: entered, distinct in every table, resumed and checked."""

from __future__ import annotations

import json

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

import arena as api
from tests.api.test_play_match import Cautious
from tests.cli.submitting import CAREFUL, command, trust
from tests.cli.tournament_runs import Place

pytestmark = pytest.mark.usefixtures("shallow_search")
FIELD = ("--bot", "careful@1.0", "--bot", "careful@1.1", "--bot", "random")
FEW = ("--games", "2", "--isolation", "process", "--concurrency", "1", "--seed", "3")
NAMES = ["careful@1.0", "careful@1.1", "random"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder whose database has careful in two versions, and a tournament of both."""
    place = Place(tmp_path_factory.mktemp("versions"))
    with pytest.MonkeyPatch.context() as patch:
        trust(patch)
        patch.chdir(place.folder)
        patch.setattr("sys.dont_write_bytecode", True)
        run = command()
        for version in ("1.0", "1.1"):
            (place.folder / "careful.py").write_text(CAREFUL.replace("1.0", version))
            assert run("submit", "careful.py", "--db", place.url).code == 0
    answer = place.arena("tournament", "run", *FIELD, *FEW)
    assert answer.code == 0, answer.err
    return place


def test_versions_that_meet_have_them_in_their_names_in_every_table(place):
    text = place.arena("tournament", "show", "1").out
    tables = text.split("\n", 1)[1]
    assert tables.count("careful@1.0") == tables.count("careful@1.1") > 1
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert sorted(row["name"] for row in document["standings"]) == NAMES
    assert {row["name"]: row["version"] for row in document["standings"]}["careful@1.1"] == "1.1"
    assert sorted(document["crosstable"]["names"]) == NAMES
    rows = place.arena("tournament", "show", "1", "-o", "csv").out.splitlines()
    assert sum(",careful@1." in row for row in rows) == 2
    with api.open_database(place.url) as db:
        cup = db.tournament(1)
        assert sorted(row["name"] for row in cup.crosstable()) == NAMES
        assert {match["name0"] for match in cup.matches()} == set(NAMES)


def test_a_replay_names_the_version_also_where_only_one_of_them_plays(place):
    with api.open_database(place.url) as db:
        match = next(
            row for row in db.tournament(1).matches() if {row["name0"], row["name1"]} >= {"random"}
        )
        replayed = db.replay(str(match["match"]))
        assert replayed.names == (match["name0"], match["name1"])
        assert {player.name for player in replayed.players} == {"careful", "random"}
    assert "careful@1." in place.arena("replay", str(match["match"])).out.partition("Move 0")[2]


def test_participants_keep_their_keys_and_ratings_their_versions(place):
    with open_database(place.url) as database:
        field = tournament(database, 1).field
    assert [entry.participant.name for entry in field] == ["careful", "careful", "random"]
    rows = json.loads(place.arena("leaderboard", "--all-versions", "-o", "json").out)
    assert sorted((row["name"], row["version"]) for row in rows)[:2] == [
        ("careful", "1.0"),
        ("careful", "1.1"),
    ]


def test_a_field_of_two_versions_is_verified_and_forked(place):
    assert place.arena("tournament", "verify", "1").code == 0
    again = place.arena("tournament", "fork", "1", "--games", "2", "-o", "json")
    assert sorted(row["name"] for row in again.document["standings"]) == NAMES


def test_a_version_is_not_shown_where_it_parts_nobody(place):
    run = ("tournament", "run", "--bot", "careful@1.0", "--bot", "random", *FEW, "-o", "json")
    assert {row["name"] for row in place.arena(*run).document["standings"]} == {"careful", "random"}


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("careful@2", "unknown version '2' of bot careful; choices: 1.0, 1.1"),
        ("random@99", "unknown version '99' of bot random; choices: "),
    ],
)
@pytest.mark.parametrize("verb", [("match", "counter"), ("check", "bot")])
def test_an_unknown_version_is_one_line_with_those_that_there_are(place, verb, bot, reason):
    answer = place.arena(*verb, bot)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert reason in answer.err


def test_the_same_version_twice_is_refused(place):
    answer = place.arena("match", "careful@1.1", "careful")
    assert answer.code == 2
    assert "careful is entered twice" in answer.err


def test_a_submitted_version_is_checked_by_its_name(place):
    words = ("check", "bot", "careful@1.0", "--matches", "1", "--isolation", "process")
    answer = place.arena(*words, "-o", "json")
    assert answer.document["matches"] == 1, answer.err


def test_versions_of_a_bot_of_the_program_meet_and_are_resumed(tmp_path):
    old = api.PythonBot(Cautious, "mine", "1")
    new = api.PythonBot(lambda: Cautious(18), "mine", "2")
    with api.open_database(tmp_path / "mine.db") as db:
        cup = db.run([old, new, "random"], games=2, pause_after_round=1)
        assert not cup.finished
        cup = db.resume(cup.number, [new, old])
        assert sorted(row["name"] for row in cup.standings()) == ["mine@1", "mine@2", "random"]
