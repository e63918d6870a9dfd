"""Calls of the Python API warn of plugins that do not work, once each, whatever else happens."""

from __future__ import annotations

import warnings

import pytest

import arena

OBSERVER = """
def arena_match_finished(tournament_id, match):
    raise ZeroDivisionError("nobody looks")
"""
BROKEN = "arena-broken.* cannot be loaded: ZeroDivisionError.*uninstall arena-broken$"


@pytest.fixture
def broken(install):
    install("arena-broken", {"arena": {"broken": "broken_more"}}, {"broken_more.py": "1 / 0"})


@pytest.fixture
def db(tmp_path):
    with arena.open_database(tmp_path / "a.db") as db:
        yield db


@pytest.mark.parametrize(
    "call",
    [
        lambda db: arena.list_games(),
        lambda db: arena.play_match("random", "stand"),
        lambda db: arena.check_bot("random", matches=1),
        lambda db: db.bots(),
        lambda db: db.run(["random", "stand"], games=2),
    ],
)
def test_a_call_warns_of_a_plugin_that_cannot_be_used(broken, db, call):
    with pytest.warns(UserWarning, match=BROKEN) as caught:
        call(db)
    assert len(caught) == 1


def test_an_open_database_does_not_warn_again(broken, db):
    with pytest.warns(UserWarning, match=BROKEN):
        db.bots()
    with warnings.catch_warnings(action="error"):
        db.bots()


def test_a_name_of_a_plugin_that_failed_comes_with_the_warning(broken, db):
    with (
        pytest.warns(UserWarning, match=BROKEN),
        pytest.raises(arena.BadInput, match="unknown format 'grid'"),
    ):
        db.run(["random", "stand"], format="grid")


@pytest.fixture
def watched(install):
    files = {"watch_more.py": OBSERVER}
    install("arena-watch", {"arena": {"watch": "watch_more"}}, files)


def test_an_observer_that_fails_is_warned_of_once(watched, db):
    with pytest.warns(UserWarning, match="failed in arena_match_finished: ZeroDiv.*") as caught:
        assert db.match("random", "stand", games=4).finished
    assert len(caught) == 1
