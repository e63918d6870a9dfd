"""The levels that hold on this machine: they are tried once a process, with all attacks."""

from functools import cache

from arena.host.box.probe import levels_available

levels_here = cache(levels_available)
