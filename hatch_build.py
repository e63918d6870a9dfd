"""Compiles the hot path when a wheel is built, from the same source (mypyc).

``ARENA_COMPILE=0`` never does, ``ARENA_COMPILE=1`` does or fails; without either a wheel is
compiled where a C compiler and Python's headers are. An editable install is never compiled: what it
would leave next to the sources would hide later changes of them.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "arena/core/parts/packing.py",
    "arena/core/chance/streams.py",
    "arena/games/pazaak/engine/chance.py",
    "arena/games/pazaak/engine/following.py",
    "arena/games/pazaak/engine/procedure.py",
    "arena/games/pazaak/engine/ruled_table.py",
    "arena/games/pazaak/engine/rules.py",
    "arena/games/pazaak/engine/table.py",
    "arena/games/pazaak/engine/wire.py",
    "arena/games/sabacc/engine/betting.py",
    "arena/games/sabacc/engine/chance.py",
    "arena/games/sabacc/engine/deck.py",
    "arena/games/sabacc/engine/hand.py",
    "arena/games/sabacc/engine/match.py",
    "arena/games/sabacc/parts/playout.py",
    "arena/games/sabacc/cards/points.py",
    "arena/games/sabacc/cards/pots.py",
    "arena/games/sabacc/cards/ranking.py",
    "arena/games/sabacc/engine/ruled_hand.py",
    "arena/games/sabacc/engine/rules.py",
    "arena/games/sabacc/cards/showdown.py",
    "arena/host/wire/answers.py",
    "arena/host/play/arrivals.py",
    "arena/host/wire/codecs.py",
    "arena/host/play/confined.py",
    "arena/host/play/dispatcher.py",
    "arena/host/wire/framing.py",
    "arena/host/bot/inline.py",
    "arena/host/play/pool.py",
    "arena/host/process/process.py",
    "arena/host/play/translator.py",
    "arena/host/bot/watch.py",
    "arena/match/clock.py",
    "arena/match/course.py",
    "arena/match/play.py",
)
"""The modules that are compiled: what runs for every decision. They define no class of msgspec's,
and no contract, which plugins implement in plain Python."""
NEEDED = ("mypy>=2.0", "msgspec>=0.19", "setuptools>=65.5")
"""Packages that compiling needs, besides a C compiler; msgspec for its types."""
OPTIONS = """
[mypy]
follow_imports = silent
ignore_missing_imports = true
[mypy-arena.api.*]
follow_imports = skip
"""
"""mypy's settings: where a wheel is built, neither our other packages nor those that we depend on
can be imported, and the façade would lead to all of them."""


def obstacle() -> str:
    """Returns the reason why nothing can be compiled here in a few words, or ``""``."""
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} is not CPython"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python.h is not there (Debian: python3-dev)"
    return ""


def compile_modules(root: Path, folder: Path) -> dict[str, str]:
    """Compiles the modules; returns where each file is, and its place in a wheel.

    Args:
        root: The source tree; nothing is written there.
        folder: Where to work.
    """
    import setuptools  # it comes before mypyc, which builds with what is loaded
    from mypyc.build import mypycify

    made, options = folder / "made", folder / "mypy.ini"
    options.write_text(OPTIONS)
    before = Path.cwd()
    os.chdir(root)  # modules are named by their paths
    try:
        extensions = mypycify(
            [f"--config-file={options}", f"--cache-dir={folder / 'mypy'}", *COMPILED],
            opt_level=os.environ.get("ARENA_COMPILE_LEVEL", "3"),
            debug_level="0",
            target_dir=str(folder / "c"),
            group_name="arena.core.compiled",  # in a folder that bots' processes may read
        )
        for extension in extensions:  # what one module calls of another is bound here, or inlined
            extension.extra_compile_args = [*extension.extra_compile_args, "-fvisibility=hidden"]
        build = setuptools.Distribution({"name": "arena", "ext_modules": extensions})
        command = build.get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(made), str(folder / "objects")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    return {str(path): str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()}


class CompilingHook(BuildHookInterface):
    """Places compiled modules next to their sources in a wheel."""

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Returns the packages that the build needs besides hatchling."""
        wanted = os.environ.get("ARENA_COMPILE", "")
        return [] if wanted == "0" or obstacle() else [*NEEDED]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles before the wheel is written."""
        wanted = os.environ.get("ARENA_COMPILE", "")
        if wanted not in ("", "0", "1"):
            sys.exit(f"ARENA_COMPILE is 0 or 1, not {wanted!r}")
        reason = obstacle()
        if wanted == "0":
            reason = "ARENA_COMPILE=0"
        elif version == "editable":
            reason = "an editable install runs its sources (make test COMPILED=1 has a copy)"
        elif not reason and not all(map(find_spec, ("mypyc", "msgspec", "setuptools"))):
            reason = f"building needs {' and '.join(NEEDED)}"
        if not reason:
            self._folder = tempfile.TemporaryDirectory(prefix="arena-compile-")
            try:
                files = compile_modules(Path(self.root), Path(self._folder.name))
            except (Exception, SystemExit) as error:
                if wanted == "1":
                    raise
                reason = f"compiling failed: {type(error).__name__}: {error}".splitlines()[0]
            else:
                build_data["force_include"].update(files)
                build_data["pure_python"], build_data["infer_tag"] = False, True
                self.app.display_info("Arena is compiled.")
        if reason:
            if wanted == "1":
                sys.exit(f"ARENA_COMPILE=1, but Arena cannot be compiled: {reason}")
            self.app.display_info(f"Arena is not compiled, and runs as well: {reason}.")

    def finalize(self, *_: object) -> None:
        """Removes what was made once it is in the wheel."""
        if self._folder is not None:
            self._folder.cleanup()
