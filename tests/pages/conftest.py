from __future__ import annotations

import pytest

from tests.pages.played import play


@pytest.fixture(scope="session")
def cups(tmp_path_factory) -> str:
    """The file of a database that tests only read."""
    file = tmp_path_factory.mktemp("cups") / "cups.db"
    play(file)
    return str(file)
