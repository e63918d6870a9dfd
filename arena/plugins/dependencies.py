"""Finds the modules that a submitted bot may import: of distributions that the organiser allows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from arena.core.errors import BadPlugin
from arena.core.text.printable import printable_line
from arena.plugins.manager import OWN_DISTRIBUTION
from arena.plugins.options import option

_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_MAX_LENGTH = 1_000
"""Characters of a requirement."""


def check_requirements(bot: str, requirements: Iterable[str], allowed: Collection[str]) -> None:
    """Refuses a bot with requirements that are not allowed; the harness itself always is.

    Versions and markers are not weighed: there is one version of each, the installed one.

    Args:
        requirements: Requirements as distributions declare them: ``"numpy>=2"``.
        allowed: Names of distributions.

    Raises:
        BadPlugin: It asks for another, or for something that cannot be read.
    """
    known = {_plain(name) for name in (*allowed, OWN_DISTRIBUTION)}
    for requirement in requirements:
        found = _NAME.match(requirement) if len(requirement) <= _MAX_LENGTH else None
        if not found:
            shown = printable_line(requirement)
            raise BadPlugin(f"bot {bot} requires {shown!r}, which cannot be read; correct it")
        if _plain(found[1]) not in known:
            raise BadPlugin(
                f"bot {bot} requires {found[1]}, which is not allowed; "
                f"to allow it add {option('allow', [found[1]])}, or leave it out of the bot"
            )


def allowed_modules(names: Iterable[str]) -> dict[str, str]:
    """Returns the modules of allowed distributions, with the folder that holds each.

    Raises:
        BadPlugin: One of them is not installed, or does not list its files.
    """
    modules: dict[str, str] = {}
    for name in names:
        try:
            found = distribution(name)
        except (PackageNotFoundError, ValueError):
            raise BadPlugin(
                f"{name} is allowed but not installed; install it with: pip install {name}"
            ) from None
        tops = _top_levels(found)
        if not tops:
            raise BadPlugin(f"{name} does not list its modules; install it as a wheel: not with -e")
        modules |= dict.fromkeys(tops, str(found.locate_file("")))
    return modules


def _top_levels(found: Distribution) -> list[str]:
    tops = set[str]()
    for file in found.files or ():
        top, *rest = file.parts
        if rest and "." not in top and top != "__pycache__":  # no metadata, no shared libraries
            tops.add(top)
        elif not rest and file.suffix in (".py", ".so"):
            tops.add(top.partition(".")[0])
    return sorted(tops)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
