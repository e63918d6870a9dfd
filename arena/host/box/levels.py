"""The levels of isolation, weakest first."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """Levels of isolation, from none to a box of its own."""

    TRUSTED = "trusted"
    """Called in the harness's own process: only for what the operator trusts by name."""
    PROCESS = "process"
    """A process of its own with a bare environment, closed descriptors and resource limits."""
    CONFINED = "confined"
    """The same, under Landlock and a seccomp list of allowed system calls."""
    BOXED = "boxed"
    """The same, within namespaces of its own, by bubblewrap."""

    @property
    def rank(self) -> int:
        """0 for the weakest."""
        return tuple(Level).index(self)
