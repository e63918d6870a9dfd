from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from arena.host.box.levels import Level
from arena.host.box.probe import levels_available


@pytest.fixture
def deaf() -> Iterator[None]:
    """A process that ignores Ctrl-C, as workers do."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def level_here(level: Level) -> Level:
    if level not in levels_available():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    return level
