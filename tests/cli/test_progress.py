"""``arena progress``: the versions of a bot, each against its own past and other bots."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as Tree
from functools import partial

import pytest
from arena_results.bots.submissions import CheckSummary, GameReport, NewSubmission, add
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

import arena as api
from tests.pages.played import Stands

AGAINST = {name: CheckSummary(4, 0.5, True, "boxed") for name in ("random", "stand", "counter")}


class Caller(api.Bot):
    """Plays what is offered first."""

    def act(self, observation):
        return observation.legal_actions[0]


def bot(name, at, version="1"):
    return api.PythonBot(partial(Stands, at, 99), name=name, version=version)


def submit(url, name, version):
    """Stores a version as ``arena submit`` does, without its matches."""
    report = {"pazaak": GameReport("standard", AGAINST)}
    new = NewSubmission(
        name=name, version=version, games=("pazaak",), content=version.ljust(64, "0"),
        deterministic=True, report=report,
    )  # fmt: skip
    with open_database(url) as database:
        return add(database, new, b"").submitted_at


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A database: cem in three versions, of which the last two are alike, and another bot."""
    file = tmp_path_factory.mktemp("progress") / "cups.db"
    with api.open_database(file) as db:
        for seed, (version, at) in enumerate([("1.0", 11), ("1.1", 16), ("1.2", 17)]):
            db.run(
                [bot("cem", at, version), bot("fay", 17)],
                format="round-robin",
                games=100,
                seed=seed,
            )
    return file


@pytest.fixture
def url(file, tmp_path):
    return f"sqlite:///{shutil.copy(file, tmp_path / 'own.db')}"


def submit_played(url, name, version):
    """Stores a version that has played, with the content that it had."""
    with open_database(url) as database:
        (content,) = {
            each.participant.content
            for number in (1, 2, 3)
            for each in tournament(database, number).field
            if (each.participant.name, each.participant.version) == (name, version)
        }
        new = NewSubmission(
            name=name, version=version, games=("pazaak",), content=content, deterministic=True,
            report={"pazaak": GameReport("standard", AGAINST)},
        )  # fmt: skip
        add(database, new, b"")
    return f"{name}@{version}"


def document(answer):
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def test_versions_come_in_their_order_with_the_ratings_of_the_leaderboard(arena, url):
    (found,) = document(arena("progress", "cem", "-o", "json", "--db", url))
    board = document(arena("leaderboard", "--all-versions", "-o", "json", "--db", url))
    ratings = {row["version"]: row["rating"] for row in board if row["name"] == "cem"}
    assert [row["version"] for row in found["versions"]] == ["1.0", "1.1", "1.2"]
    assert {row["version"]: row["rating"] for row in found["versions"]} == ratings
    first, second, third = (row["better_than_last"] for row in found["versions"])
    assert first is None
    assert second > 0.95
    assert 0.05 < third < 0.95
    assert [row["name"] for row in found["anchors"]] == ["fay"]
    assert arena("progress", "cem", "-o", "csv", "--db", url).out.count("\n") == 4
    assert api.stats.progress("cem", url.removeprefix("sqlite:///")) == [found]


def test_the_last_step_is_said_in_words_with_the_command_that_decides_it(arena, url):
    answer = arena("progress", "cem", "--db", url)
    said = " ".join(answer.out.partition("●")[2].split())
    assert "The last step is 1.2: whether it is better is not yet known: " in said
    assert "it takes about" in said
    assert answer.err == (f"Next: arena compare cem@1.1 cem@1.2 --ruleset standard --db {url}\n")
    drawn = answer.out.partition("cem by version")[2]
    assert [line.split()[0] for line in drawn.splitlines()[2:5]] == ["1.0", "1.1", "1.2"]
    assert "┊ fay 1" in drawn


def test_a_new_version_has_a_row_and_the_command_that_plays_it(arena, url):
    at = submit(url, "cem", "1.3")
    answer = arena("progress", "cem", "--db", url)
    row = next(line.split() for line in answer.out.splitlines() if line.startswith(" 1.3"))
    assert row == ["1.3", f"{at:%Y-%m-%d}", f"{at:%H:%M}", "-", "?", "?", "-", "0"]
    assert "1.3 has not played yet." in " ".join(answer.out.split())
    assert answer.err == (
        "Next: arena tournament run --bot cem@1.3 --bot cem@1.2 --bot cem@1.1 --bot cem@1.0 "
        "--bot fay --games 200 --format 'gauntlet(champions=1)' --ruleset standard "
        f"--db {url}\n"
    )


def test_no_command_names_a_version_that_is_disabled(arena, url):
    for name, version in (("cem", "1.3"), ("ann", "0.1"), ("ann", "0.2"), ("bea", "1")):
        submit(url, name, version)
    own = submit_played(url, "cem", "1.1"), submit_played(url, "fay", "1")
    before = arena("progress", "cem", "--db", url).err
    assert all(f" --bot {each}" in before for each in ("cem@1.3", "cem@1.1", "fay"))
    for each in (*own, "ann@0.1", "bea"):
        assert arena("bots", "disable", each, "--db", url).code == 0
    after = arena("progress", "cem", "--db", url).err
    assert " --bot cem@1.3 --bot cem@1.2 --bot cem@1.0 --games" in after
    assert "--bot ann@0.2 --bot random" in arena("progress", "ann", "--db", url).err
    assert "enable one: arena bots enable bea" in arena("progress", "bea", "--db", url).err
    assert arena("bots", "disable", "cem@1.3", "--db", url).code == 0
    assert "Next:" not in arena("progress", "cem", "--db", url).err  # 1.1 is disabled


def test_without_a_match_the_command_that_plays_them_is_one_line(arena, url):
    submit(url, "ann", "0.1")
    submit(url, "ann", "0.2")
    answer = arena("progress", "ann", "--db", url)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "arena: no version of ann has played yet; play them: arena tournament run --bot ann@0.2 "
        "--bot ann@0.1 --bot random --bot stand --games 200 --format 'gauntlet(champions=1)' "
        f"--db {url}\n"
    )


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("cme",), "unknown bot 'cme' on a leaderboard; choices: "),
        (
            ("cem@1.0",),
            "cem@1.0: expected a bot without a version, as cem; all of them are shown\n",
        ),
        (("cem", "--game", "chess"), "unknown game 'chess' in the database; choices: pazaak\n"),
        (("cem", "--out", "x.jpg"), "x.jpg: a picture"),
    ],
)
def test_bad_input_is_one_line(arena, url, words, error):
    answer = arena("progress", *words, "--db", url)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith(f"arena: {error}")


def test_amounts_have_their_unit_and_no_points(arena, tmp_path):
    path = tmp_path / "chips.db"
    with api.open_database(path) as db:
        for version, seed in (("1", 1), ("2", 2)):
            caller = api.PythonBot(Caller, name="caller", version=version)
            db.run(
                [caller, "random"], game="sabacc", ruleset="old_republic(mode=chips)",
                scoring="amount", games=20, seed=seed,
            )  # fmt: skip
    (found,) = document(arena("progress", "caller", "-o", "json", "--db", f"sqlite:///{path}"))
    assert (found["unit"], found["last_step"]["unit"]) == ("credits", "credits")
    assert found["text"].endswith(("credits a match.", "of each version."))


@pytest.mark.thorough("the drawing in the terminal has the same rows")
def test_a_picture_has_every_version_and_the_other_bots(arena, url, tmp_path):
    pytest.importorskip("matplotlib")
    answer = arena("progress", "cem", "--out", tmp_path / "x.svg", "--db", url)
    assert answer.code == 0, answer.err
    text = " ".join(Tree.parse(tmp_path / "x.svg").getroot().itertext())
    assert all(name in text for name in ("1.0", "1.1", "1.2", "fay"))
