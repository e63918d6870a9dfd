"""Tournaments of hostile bots, each played once a kind of user for all tests that look at it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from arena.host.box.bubblewrap import bubblewrap
from tests.isolation.expectations import TOURNAMENTS
from tests.isolation.tournaments import Played, play, remove_markers
from tests.isolation.users import User, install_for_everybody, log_in

USERS = ("root", "user") if os.geteuid() == 0 else ("user",)
"""Kinds of user that this process can be."""
WORKERS = {"root": 2, "user": 1}
"""Worker processes of a tournament by the kind of user: each plays in its own way."""
ORDINARY = "nobody"
BY_BOTH = ("bots-0.25s-1", "bots-5.0s-2", "programs-0.25s-1", "boxed-0.25s-1", "boxed-5.0s-1")
"""The tournaments that root and an ordinary user run: of each kind of bot and each level.

By an ordinary user all bots are in the tournament of ``test_one_great_tournament.py``, too."""
RUNS = [(kind, key) for kind in USERS for key in (TOURNAMENTS if kind == USERS[0] else BY_BOTH)]
"""Tournaments by kind of user."""


@pytest.fixture(scope="session")
def ground() -> Iterator[Path]:
    """A new folder that every user can read."""
    folder = Path(tempfile.mkdtemp(prefix="arena-isolation-"))
    folder.chmod(0o755)
    remove_markers(folder)
    yield folder
    remove_markers(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def user_of(ground: Path) -> Iterator[Callable[[str], User]]:
    """The user of a kind, who can run the harness."""
    users = ExitStack()

    @cache
    def find(kind: str) -> User:
        if kind == "root" or os.geteuid() != 0:
            user = log_in("", sys.executable)
        else:
            user = log_in(ORDINARY, install_for_everybody(ground / "venv"))
        users.callback(user.harness.close)
        return user

    with users:
        yield find


@pytest.fixture(scope="session")
def played(ground: Path, user_of: Callable[[str], User]) -> Callable[[str, str], Played]:
    """Plays a tournament of hostile bots as a kind of user, once."""

    @cache
    def run(kind: str, tournament: str) -> Played:
        level, bots = TOURNAMENTS[tournament]
        if level == "boxed" and bubblewrap() is None:
            pytest.skip("bubblewrap is not installed")
        folder, workers = ground / f"{kind}-{tournament}", WORKERS[kind]
        return play(user_of(kind), folder, bots, level=level, workers=workers)

    return run


@pytest.fixture(scope="session")
def tame(ground: Path, user_of: Callable[[str], User]) -> Callable[[int], Played]:
    """Plays a tournament with a stand-in in the place of each hostile bot, once a number of them.

    The well-behaved bots then have the same places in the field, and so the same deals.
    """

    @cache
    def run(size: int) -> Played:
        names = next(each.bots for each in TOURNAMENTS.values() if len(each.bots) == size)
        return play(user_of(USERS[-1]), ground / f"tame-{size}", names, tame=True)

    return run


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrises tests by the kinds of user, and by the tournaments that each of them runs."""
    names = set(metafunc.fixturenames)
    if {"kind", "bot", "tournament"} <= names:
        entries = [(*run, bot) for run in RUNS for bot in TOURNAMENTS[run[1]].bots]
        metafunc.parametrize(("kind", "tournament", "bot"), entries)
    elif {"kind", "tournament"} <= names:
        metafunc.parametrize(("kind", "tournament"), RUNS)
    elif "kind" in names:
        metafunc.parametrize("kind", USERS)
