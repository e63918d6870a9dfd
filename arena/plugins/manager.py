"""Loads the extensions, entry points of the group ``arena``, one by one, and catches errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import EntryPoint, distributions, entry_points
from inspect import isroutine

import msgspec
from pluggy import HookimplOpts, PluginManager

from arena.core.errors import describe
from arena.core.text.printable import printable_line
from arena.plugins import hookspecs

GROUP = "arena"
"""Entry-point group of extensions."""
OWN_DISTRIBUTION = "arena-harness"
"""Our own extensions come first, so that no other can take their names."""


class Origin(msgspec.Struct, frozen=True):
    """The distribution from which an extension comes, with the name of its entry point."""

    distribution: str
    version: str
    entry: str
    summary: str
    author: str = ""

    def __str__(self) -> str:
        return f"entry {self.entry!r} of {self.full_name}"

    @property
    def full_name(self) -> str:
        """The distribution with its version, for errors."""
        return f"distribution {self.distribution} {self.version}"

    @property
    def remedy(self) -> str:
        """Names what the user can do about an extension that does not work."""
        return f"fix it, or remove it with: pip uninstall {self.distribution}"


class _Manager(PluginManager):
    """Takes every function whose name begins as a hook's for one, as pytest does.

    A game's file is imported by bots' processes, too, which have no pluggy to mark a hook with.
    """

    def parse_hookimpl_opts(self, plugin: object, name: str) -> HookimplOpts | None:
        if name.startswith("arena_") and isroutine(getattr(plugin, name, None)):
            return HookimplOpts(
                wrapper=False,
                hookwrapper=False,
                optionalhook=False,
                tryfirst=False,
                trylast=False,
                specname=None,
            )
        return None


class Extensions:
    """The extensions of one run; created once and passed on, nothing of it is global.

    Attributes:
        problems: A line for everything that did not work; the rest works all the same.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._manager = _Manager(GROUP)
        self._manager.add_hookspecs(hookspecs)
        self._origins: dict[str, Origin] = {}
        self._failed: set[tuple[str, str]] = set()
        for origin, entry in sorted(read_entries(GROUP, self.problems), key=_own_first):
            self._load(origin, entry)

    def ask(self, hook: str) -> Iterator[tuple[Origin, object]]:
        """Returns every object that the extensions give to a hook, such as ``"arena_games"``.

        An extension that fails is noted among the problems and gives nothing.
        """
        for origin, given in self._call(hook, {}):
            try:
                items = _items(given)
            except Exception as error:
                self._note(origin, f"failed in {hook}: {describe(error)}")
            else:
                yield from ((origin, item) for item in items)

    def notify(self, hook: str, **arguments: object) -> None:
        """Calls a hook, such as ``"arena_match_finished"``, in every extension that implements it.

        An extension that fails is noted among the problems, once a hook, and the others are called
        all the same.
        """
        for _ in self._call(hook, arguments):
            pass

    def _call(self, hook: str, arguments: dict[str, object]) -> Iterator[tuple[Origin, object]]:
        """Calls a hook's implementations one by one: pluggy would stop at the first that fails."""
        if not getattr(self._manager.hook, hook).get_hookimpls():
            return
        everyone = dict(self._manager.list_name_plugin())
        for name, origin in self._origins.items():
            others = [plugin for other, plugin in everyone.items() if other != name]
            try:
                given = self._manager.subset_hook_caller(hook, others)(**arguments)
            except Exception as error:
                if (name, hook) not in self._failed:
                    self._note(origin, f"failed in {hook}: {describe(error)}")
                self._failed.add((name, hook))
            else:
                yield from ((origin, one) for one in given)

    def refuse(self, origin: Origin, reason: str) -> None:
        """Notes that an object of an extension was left out."""
        self.problems.append(f"{origin}: {reason}, so it was left out: {origin.remedy}")

    def _load(self, origin: Origin, entry: EntryPoint) -> None:
        name = f"{origin.distribution}:{entry.name}"
        try:
            self._manager.register(entry.load(), name)
            self._manager.check_pending()
        except (Exception, SystemExit) as error:
            if self._manager.has_plugin(name):
                self._manager.unregister(name=name)
            self._note(origin, f"cannot be loaded: {describe(error)}")
        else:
            self._origins[name] = origin

    def _note(self, origin: Origin, problem: str) -> None:
        self.problems.append(f"{origin} {problem}; the rest works without it: {origin.remedy}")


def _items(given: object) -> tuple[object, ...]:
    if not isinstance(given, Iterable):
        raise TypeError(f"it must return a list, not {type(given).__name__}")
    return tuple(given)


def read_entries(group: str, problems: list[str]) -> list[tuple[Origin, EntryPoint]]:
    """Returns a group's entry points with their origins; of a distribution the first on the path.

    ``problems`` takes a line for each distribution whose metadata cannot be read.
    """
    try:
        return list(_entries(group, _path_state()))
    except Exception:
        entries = _read_entries_one_by_one(group, problems)
        return [(origin_of(entry), entry) for entry in entries]


@lru_cache(16)
def _entries(group: str, path_state: tuple[object, ...]) -> tuple[tuple[Origin, EntryPoint], ...]:
    """Reads the metadata of all distributions, which takes milliseconds."""
    return tuple((origin_of(entry), entry) for entry in entry_points(group=group))


def _path_state() -> tuple[object, ...]:
    """Returns what differs once something was installed in a folder of the path, or removed."""
    state: list[object] = []
    for folder in sys.path:
        try:
            about = os.stat(folder or ".")
        except OSError:
            continue
        state.append((folder, about.st_dev, about.st_ino, about.st_mtime_ns))
    return tuple(state)


def _read_entries_one_by_one(group: str, problems: list[str]) -> list[EntryPoint]:
    """Reads entry points so that one unreadable file of metadata hides no other; it is slower."""
    entries: dict[str, list[EntryPoint]] = {}
    for distribution in distributions():
        name = str(distribution.metadata["Name"])
        try:
            entries.setdefault(name, list(distribution.entry_points.select(group=group)))
        except Exception as error:
            problem = (
                f"the entry points of distribution {name} cannot be read: {describe(error)}; "
                f"the rest works without it: fix it, or remove it with: pip uninstall {name}"
            )
            if problem not in problems:
                problems.append(problem)
    return [entry for found in entries.values() for entry in found]


def origin_of(entry: EntryPoint) -> Origin:
    """Returns the distribution that an entry point belongs to."""
    if entry.dist is None:
        return Origin("(unknown)", "", entry.name, "")
    about = entry.dist.metadata
    name, version, summary, author, email = (
        about[key] if key in about else ""  # noqa: SIM401 - it has no get()
        for key in ("Name", "Version", "Summary", "Author", "Author-email")
    )
    written_by = printable_line(author or email)
    return Origin(name or "(unknown)", version, entry.name, summary, written_by)


def _own_first(found: tuple[Origin, EntryPoint]) -> tuple[bool, str, str]:
    origin, entry = found
    return origin.distribution != OWN_DISTRIBUTION, origin.distribution, entry.name
