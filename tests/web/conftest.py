from __future__ import annotations

import pytest

from arena.web.site.guard.settings import Settings
from tests.cli.stored_cups import store
from tests.web.browser import chromium, windows
from tests.web.client import visiting


@pytest.fixture(scope="session")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def look(browser):
    """Opens an address in a window that the tests of a file share, and returns the visit."""
    with windows(browser) as opened:
        yield opened


@pytest.fixture(scope="session")
def cups(tmp_path_factory):
    """The address of a database that tests only read: a finished tournament, and an unfinished."""
    url = f"sqlite:///{tmp_path_factory.mktemp('cups')}/cups.db"
    store(url)
    store(url, "table", legs=4, finished=False)
    return url


@pytest.fixture
async def site(cups):
    async with visiting(Settings(db=cups)) as visitor:
        yield visitor
