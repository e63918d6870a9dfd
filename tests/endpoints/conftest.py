"""One fake endpoint for the tests of a module."""

import pytest

from tests.endpoints.served import served


@pytest.fixture(scope="module")
def fake():
    with served() as running:
        yield running
