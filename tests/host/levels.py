"""The levels that hold on this machine: they are tried once a process, with all attacks."""

from functools import cache

from arena.host.box.levels import Level
from arena.host.box.probing.probe import probe


@cache
def levels_here() -> tuple[Level, ...]:
    """The weakest first."""
    return tuple(level for level in Level if probe(level).holds)
