"""Fixtures: a database of real matches, and a command line with its exit code and output."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from arena.cli.app import build
from arena.cli.terminal.exits import error_code, error_lines
from arena.core.errors import ArenaError
from tests.cli.stored_cups import store


class Answer(msgspec.Struct):
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


Arena = Callable[..., Answer]


@pytest.fixture
def arena() -> Arena:
    """Runs a command in this process; errors as ``arena.cli.app.main`` answers it."""

    def run(*words: str | Path) -> Answer:
        texts = [str(word) for word in words]
        result = CliRunner().invoke(build(texts), texts, prog_name="arena")
        if isinstance(result.exception, ArenaError):
            lines = "".join(f"{line}\n" for line in error_lines(result.exception))
            return Answer(error_code(result.exception), result.stdout, result.stderr + lines)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> str:
    """URL of a database that tests only read: two tournaments of real matches."""
    url = f"sqlite:///{tmp_path_factory.mktemp('stored')}/arena.db"
    store(url)
    store(url, "table", legs=20, stake=10)
    return url


@pytest.fixture(scope="session")
def one_cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one tournament, of which tests get copies."""
    path = tmp_path_factory.mktemp("one-cup") / "cup.db"
    store(f"sqlite:///{path}")
    return path


@pytest.fixture
def own(tmp_path: Path, one_cup: Path) -> str:
    """URL of a database of the test's own: one tournament."""
    return f"sqlite:///{shutil.copy(one_cup, tmp_path / 'own.db')}"
