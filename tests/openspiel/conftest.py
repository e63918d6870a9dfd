"""Tests of arena-openspiel run where OpenSpiel is installed: ``make .venv/openspiel``."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.plugins.distributions import install_extension, put_distribution

INSTALLED = find_spec("pyspiel") is not None


def pytest_ignore_collect(collection_path, config):
    """Requires only what the machine can install (``.ci/run`` tries it)."""
    needless = config.getoption("--require-all") and not INSTALLED
    return True if needless and collection_path.name.startswith("test_") else None


def pytest_collection_modifyitems(items):
    """Skips the tests of this folder by name where OpenSpiel is missing."""
    if INSTALLED:
        return
    for item in items:
        if "tests/openspiel/" in item.nodeid:
            item.add_marker(pytest.mark.skip(reason="no open_spiel; make .venv/openspiel"))


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The extension is installed, for this process."""
    site = tmp_path / "site"
    entry = {"arena": {"openspiel": "arena_openspiel.plugin"}}
    put_distribution(site, "arena-openspiel", entry, {})
    monkeypatch.syspath_prepend(site)


@pytest.fixture(scope="session")
def spiel_site(tmp_path_factory):
    """A folder into which the extension is installed."""
    return install_extension("arena-openspiel", tmp_path_factory.mktemp("openspiel") / "site")
