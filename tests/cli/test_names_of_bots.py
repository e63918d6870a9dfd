"""Names of bots: which are taken, and what one means that the store and an installed bot have."""

from __future__ import annotations

import json
import os
import shutil
from functools import cache

import pytest

from arena.core.errors import BadPlugin
from arena.plugins.loading import check_unchanged
from arena.plugins.registry import Registry
from tests.cli.in_process import run_in_process
from tests.cli.submitting import CAREFUL

TWO_VERSIONS = (CAREFUL.replace('"1.0"', '"0.9"'), CAREFUL + "\nNEWER = 1\n")
pytestmark = pytest.mark.usefixtures("shallow_search")


def install(place, monkeypatch, code=CAREFUL, name="careful"):
    """Installs a bot as pip does: a module, and the metadata of its distribution."""
    site = place / "site"
    about = site / f"{name}-0.9.dist-info"
    about.mkdir(parents=True)
    (site / f"{name}_installed.py").write_text(code)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.9\n")
    (about / "entry_points.txt").write_text(f"[arena.bots]\n{name} = {name}_installed:Careful\n")
    monkeypatch.syspath_prepend(str(site))
    return site / f"{name}_installed.py"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test has a folder and a database of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


@pytest.fixture
def bot(tmp_path):
    """Writes a bot file."""

    def write(code):
        path = tmp_path / "careful.py"
        path.write_text(code)
        return path

    return write


@pytest.fixture(scope="module")
def databases(tmp_path_factory, shallow_search):
    """Returns a database with submitted bots, which is made once; tests get copies."""

    @cache
    def made(*codes):
        place = tmp_path_factory.mktemp("submitted")
        for code in codes:
            (place / "careful.py").write_text(code)
            ended = run_in_process(["submit", "careful.py", "--db", "arena.db"], place, os.environ)
            assert ended[0] == 0, ended
        return place / "arena.db"

    return made


@pytest.fixture
def submitted(databases, bot, tmp_path):
    """Has a test begin with bots in the store, the last one also as a file."""

    def copy(*codes):
        shutil.copy(databases(*codes), tmp_path / "arena.db")
        return bot(codes[-1])

    return copy


@pytest.fixture
def both(submitted, tmp_path, monkeypatch):
    """The bot careful 1.0 of the store, and careful 0.9 installed."""
    submitted(CAREFUL)
    return install(tmp_path, monkeypatch, CAREFUL + "\nOTHER = 1\n")


def test_a_name_of_two_bots_is_refused_with_both_spellings(arena, both):
    answer = arena("match", "careful(at=4)", "random", "--games", "2")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert "write careful@1.0(at=4) for the one in the registry, or careful@installed(at=4)" in (
        answer.err
    )
    listed = arena("bots")
    assert "careful is in the registry, and it is installed: write careful@1.0 or " in listed.err
    rows = json.loads(arena("bots", "-o", "json").out)
    assert [row["spelling"] for row in rows if row["name"] == "careful"] == [
        "careful@installed",
        "careful@1.0",
    ]
    assert "careful_installed:Careful" in arena("bots", "show", "careful@installed").out


def test_each_of_two_bots_of_a_name_plays_and_is_found_again(arena, both):
    answer = arena("match", "careful@installed", "careful@1.0", "--games", "2")
    assert answer.code == 0, answer.err
    assert arena("tournament", "verify", "1").code == 0
    document = json.loads(arena("tournament", "show", "1", "-o", "json").out)
    assert {row["version"] for row in document["standings"]} == {"0.9", "1.0"}
    fork = arena("tournament", "fork", "1", "--games", "4")
    assert fork.code == 0, fork.err


def test_a_pattern_that_fits_only_a_bot_that_cannot_enter_says_why(arena, bot, submitted):
    submitted(CAREFUL)
    assert arena("bots", "disable", "careful").code == 0
    refused = CAREFUL.replace("def act(", "def never(")
    assert arena("submit", bot(refused), "--name", "broken").code != 0
    for pattern, reason in (("care*", "careful@1.0"), ("bro*", "refused: ")):
        answer = arena("tournament", "run", "--bot", pattern, "--bot", "random", "--games", "2")
        assert answer.code == 2
        assert "unknown bot" not in answer.err
        assert reason in answer.err


def test_a_misspelt_name_with_a_version_suggests_the_nearest(arena, bot):
    assert arena("submit", bot(CAREFUL), "--name", "my-bot").code == 0
    answer = arena("match", "my_bot@0.2.0", "random", "--games", "2")
    assert answer.code == 2
    assert "unknown bot 'my_bot'" in answer.err
    assert "did you mean my-bot?" in answer.err


def test_a_leaderboard_distinguishes_two_bots_of_one_version(
    arena, submitted, tmp_path, monkeypatch
):
    submitted(*TWO_VERSIONS)
    install(tmp_path, monkeypatch, CAREFUL + "\nOTHER = 1\n")
    for entry in ("careful@0.9", "careful@installed", "careful@1.0"):
        assert arena("match", entry, "random", "--games", "2").code == 0
    rows = json.loads(arena("leaderboard", "--all-versions", "-o", "json").out)
    contents = {row["content"][:12] for row in rows if row["version"] == "0.9"}
    monkeypatch.setenv("COLUMNS", "300")
    shown = arena("leaderboard").out
    assert len(contents) == 2
    assert all(f"0.9+{content} (" in shown for content in contents)


@pytest.mark.parametrize(("pattern", "field"), [("care*", "2 bots"), ("careful@*", "3 bots")])
def test_a_pattern_leaves_out_an_installed_bot_of_a_stored_version(
    arena, submitted, tmp_path, monkeypatch, pattern, field
):
    submitted(*TWO_VERSIONS)
    install(tmp_path, monkeypatch, CAREFUL + "\nOTHER = 1\n")
    answer = arena("tournament", "run", "--bot", pattern, "--bot", "stand", "--games", "2")
    assert answer.code == 0, answer.err
    assert field in answer.out + answer.err
    assert arena("match", "careful@installed", "careful@1.0", "--games", "2").code == 0


def test_a_pattern_fits_both(arena, both):
    words = ("--bot", "care*", "--bot", "random", "--games", "2")
    answer = arena("tournament", "run", *words)
    assert answer.code == 0, answer.err
    assert "3 bots" in answer.out + answer.err


@pytest.mark.parametrize("name", ["human", "HUMAN", "Rand0m", "st.and", "0ptima1"])
def test_names_of_people_and_house_bots_are_reserved(arena, bot, name):
    answer = arena("submit", bot(CAREFUL), "--name", name)
    assert answer.code == 2
    assert f"the name {name} is " in answer.err
    assert "give another with --name" in answer.err


@pytest.mark.parametrize("name", ["Careful", "carefu1", "care-ful", "CAREFUI"])
def test_a_name_too_like_another_is_refused(arena, bot, submitted, name):
    submitted(CAREFUL)
    answer = arena("submit", bot(CAREFUL + "\n"), "--name", name)
    assert answer.code == 2
    assert f"the name {name} is too like careful, which is in the registry" in answer.err


def test_the_same_code_is_not_compared(arena, submitted):
    path = submitted(CAREFUL)
    for candidate in (path, "careful@1.0 with hard"):
        answer = arena("compare", "careful", candidate, "--games", "20")
        same = candidate is path
        assert (answer.code == 2) == same, answer.err
        assert ("are the same code: there is nothing to compare" in answer.err) == same


def test_an_installed_bot_that_changed_after_its_entry_is_not_played(tmp_path, monkeypatch):
    module = install(tmp_path, monkeypatch)
    source = Registry().resolve_bot("careful")
    check_unchanged(source)
    module.write_text(CAREFUL + "\nOTHER = 2\n")
    with pytest.raises(BadPlugin, match="start it again, or enter it with arena submit, which"):
        check_unchanged(source)


def test_an_installed_bot_that_changed_says_how_the_event_goes_on(arena, tmp_path, monkeypatch):
    module = install(tmp_path, monkeypatch)
    field = ("--bot", "careful", "--bot", "random", "--bot", "stand", "--games", "2")
    assert arena("tournament", "run", *field, "--pause-after-round", "1").code == 0
    module.write_text(CAREFUL + "\nOTHER = 2\n")
    answer = arena("tournament", "resume", "1")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "(install the earlier code again, such as with pip install -e; next time" in answer.err
