"""Distributions as authors would install them, written or really installed into folders."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.plugins.distributions import put_distribution

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a distribution on the path: its name, entry points by group, and files."""

    def put(
        name: str,
        entries: Mapping[str, Mapping[str, str]],
        files: Mapping[str, str],
        version: str = "1.0",
    ) -> Path:
        folder = tmp_path / f"site-{name}"
        put_distribution(folder, name, entries, files, version)
        monkeypatch.syspath_prepend(folder)
        return folder

    before = set(sys.modules)
    yield put
    for module in set(sys.modules) - before:
        where = getattr(sys.modules[module], "__file__", None) or ""
        if where.startswith(str(tmp_path)):
            del sys.modules[module]


@pytest.fixture(scope="session")
def pip_install() -> Callable[[Path, Path], None]:
    """Really installs a project into a folder, without any index."""
    options = "--quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index"

    def install_into(project: Path, target: Path) -> None:
        pip = [sys.executable, "-m", "pip", "install", *options.split(), "--target", target]
        subprocess.run([*pip, project], check=True)

    return install_into


@pytest.fixture(scope="session")
def cautious_site(tmp_path_factory, pip_install) -> Path:
    """A folder into which the example bot is installed."""
    return installed_example("arena-bot-cautious", tmp_path_factory, pip_install)


@pytest.fixture(scope="session")
def kuhn_site(tmp_path_factory, pip_install) -> Path:
    """A folder into which the example game is installed."""
    return installed_example("arena-game-kuhn", tmp_path_factory, pip_install)


def installed_example(name: str, tmp_path_factory, pip_install) -> Path:
    target = tmp_path_factory.mktemp("site")
    pip_install(Path(__file__).parents[2] / "examples" / name, target)
    return target


def environment_with(site: Path) -> dict[str, str]:
    """The environment of a process for which the contents of that folder are installed."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.fixture
def site_env(cautious_site: Path) -> dict[str, str]:
    """The environment of a process that sees the example bot as installed."""
    return environment_with(cautious_site)


@pytest.fixture
def kuhn_env(kuhn_site: Path) -> dict[str, str]:
    """The environment of a process that sees the example game as installed."""
    return environment_with(kuhn_site)
