from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def deaf() -> Iterator[None]:
    """A process that ignores Ctrl-C, as workers do."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)
