"""Leaderboards are computed once for all pages, until the database changes."""

from __future__ import annotations

import shutil

import msgspec
import pytest
from arena_results.boards.board_history import events
from arena_results.boards.leaderboard import Asked
from arena_results.file.changes import Changes

import arena
from arena.core.errors import UnknownName
from arena.plugins.registry import Registry
from arena.service.boards.kept import Boards
from arena.service.storage.databases import open_database
from arena.web.site import boards as kept_boards
from arena.web.site.boards import KeptBoards
from arena.web.site.guard.settings import Settings
from tests.pages.played import Stands
from tests.web.client import visiting

STANDARD = Asked(game="pazaak", ruleset="standard")


class Counting:
    """Runs what computes leaderboards here, and counts it."""

    def __init__(self) -> None:
        self.runs = 0

    def run(self, function, *args):
        self.runs += 1
        return function(*args)


@pytest.fixture(scope="module")
def events_of_two(tmp_path_factory):
    """A database with two events; one bot comes in two versions."""
    file = tmp_path_factory.mktemp("boards") / "cups.db"
    with arena.open_database(file) as db:
        for version in ("1", "2"):
            new = arena.PythonBot(lambda: Stands(16), name="new", version=version)
            db.run([new, "random", "stand(at=17)"], format="round-robin", games=4, seed=1)
    return file


@pytest.fixture
def own(events_of_two, tmp_path):
    return f"sqlite:///{shutil.copy(events_of_two, tmp_path / 'own.db')}"


@pytest.fixture
def opened(own):
    apart = Counting()
    with open_database(own) as database, Changes(database) as changes:
        kept = KeptBoards(Registry(), database, changes.version, apart)
        yield kept, Boards(Registry(), database), apart


def plain(boards):
    return tuple(msgspec.structs.replace(board, covariance=None) for board in boards)


def test_they_are_those_of_the_database_without_covariances(opened):
    kept, fresh, _ = opened
    for asked in (Asked(), STANDARD, Asked(tournament=1)):
        for every in (False, True):
            assert kept.now(asked, all_versions=every) == plain(
                fresh.now(asked, all_versions=every)
            )
    assert kept.played(STANDARD) == fresh.played(STANDARD)
    found = events(fresh.played(STANDARD), "new", 3)
    assert len(found) > 1
    assert kept.at(STANDARD, found) == [*plain(fresh.at(STANDARD, found))]
    assert kept.at(STANDARD, []) == []


def test_they_are_computed_again_after_a_change_alone(opened, own):
    kept, fresh, apart = opened
    for _ in range(2):
        kept.now(Asked())
        kept.now(STANDARD, all_versions=True)
        found = events(kept.played(STANDARD), "new", 3)
        kept.at(STANDARD, found[1:])
    before = apart.runs
    kept.at(STANDARD, found)
    kept.at(STANDARD, found)
    assert apart.runs == before + 1
    with arena.open_database(own.removeprefix("sqlite:///")) as db:
        db.run(["stand(at=17)", "stand(at=16)"], games=2, seed=1)
    assert kept.now(STANDARD) == plain(fresh.now(STANDARD))
    assert apart.runs == before + 2


def test_of_many_the_latest_are_kept(opened, monkeypatch):
    kept, _, apart = opened
    monkeypatch.setattr(kept_boards, "MAX_BYTES", 1)
    kept.now(STANDARD)
    kept.now(STANDARD)
    assert apart.runs == 2


def test_what_is_not_there_is_named(opened):
    with pytest.raises(UnknownName, match="unknown game 'chess' in the database"):
        opened[0].now(Asked(game="chess"))


async def test_pages_of_bots_and_the_leaderboard_share_one_computation(own, monkeypatch):
    apart = Counting()
    async with visiting(Settings(db=own)) as site:
        monkeypatch.setattr(site.site.boards, "_apart", apart)
        for page in ("/g/pazaak/standard", "/api/leaderboard?game=pazaak", "/api/bots/random"):
            assert (await site.get(page)).status == 200
        standard = apart.runs
        for page in ("/b/new", "/b/random", "/b/new?sort=played"):
            assert (await site.get(page)).status == 200
    assert (standard, apart.runs) == (1, 3)
