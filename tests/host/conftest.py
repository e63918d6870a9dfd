from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from arena.host.box.levels import Level
from tests.host.levels import levels_here


@pytest.fixture
def deaf() -> Iterator[None]:
    """A process that ignores Ctrl-C, as workers do."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def level_here(level: Level) -> Level:
    if level not in levels_here():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    return level
