"""Turns an unpacked submission into a bot that can be run: its folder and its modules."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from arena.core.errors import BadPlugin
from arena.core.text.parsing import Value, format_call
from arena.core.tournaments.format import Participant
from arena.plugins.entries import BotSource
from arena.plugins.programs import find_program
from arena.plugins.submissions.metadata import SOURCE_ROOTS, module_path
from arena.plugins.submissions.submission import Package


def source_of(
    package: Package,
    folder: Path,
    parameters: Mapping[str, Value] | None = None,
    allowed: Mapping[str, str] | None = None,
) -> BotSource:
    """Returns the bot of a submission, as it is sent to the process that runs it.

    Args:
        folder: Where its files were unpacked to.
        allowed: Other modules that it may import, with their folders (``allowed_modules``).

    Raises:
        BadPlugin: Its program is not installed here.
    """
    root = folder.resolve()
    given = dict(parameters or {})
    version = package.version
    return BotSource(
        kind=package.kind,
        target=package.target,
        parameters=given,
        participant=Participant(format_call(package.name, given), version, package.content),
        origin=f"submitted bot {package.name} {version}".rstrip(),
        modules={**(allowed or {}), **_modules(package, root)} if package.target else {},
        command=_command(package, root),
        folder=str(root),
        author=package.author,
    )


def _modules(package: Package, root: Path) -> dict[str, str]:
    module = package.target.partition(":")[0]
    path = module_path(package.files, module) or ""
    below = next(each for each in reversed(SOURCE_ROOTS) if path.startswith(each))
    tops = {
        name.removeprefix(below).partition("/")[0].partition(".")[0]
        for name in package.files
        if name.startswith(below) and name.endswith((".py", ".so"))
    }
    # One that has a name of the standard library could never be imported: that one comes first.
    return dict.fromkeys(sorted(tops - sys.stdlib_module_names), str(root / below))


def _command(package: Package, root: Path) -> tuple[str, ...]:
    if not package.command:
        return ()
    program, *arguments = package.command
    own = program.removeprefix("./")
    found = str(root / own) if own in package.files else find_program(program)
    if found is None:
        raise BadPlugin(
            f"bot {package.name} needs the program {program!r}, which is not installed here; "
            "install it, or leave the bot out"
        )
    return (
        found,
        *(
            str(root / each.removeprefix("./"))
            if each.removeprefix("./") in package.files
            else each
            for each in arguments
        ),
    )
