"""One fake endpoint for the tests of a module; llama.cpp's tests where it can be installed."""

from pathlib import Path

import pytest

from tests.endpoints.served import served

LLAMA = Path(__file__).parents[2] / ".venv-models" / "ready"


def pytest_ignore_collect(collection_path, config):
    """Requires of llama.cpp's tests only what the machine can install (``.ci/run`` tries it)."""
    needless = config.getoption("--require-all") and not LLAMA.exists()
    return True if needless and collection_path.name == "test_llama.py" else None


@pytest.fixture(scope="module")
def fake():
    with served() as running:
        yield running
