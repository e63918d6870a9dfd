"""Writes a new bot project: ``arena new bot NAME``. The files are templates beside this module."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

from arena.core.errors import BadInput, UnknownName

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?")
_TEMPLATES = files("arena.plugins") / "templates"


def new_bot(
    name: str, folder: Path, game: str = "pazaak", taken: Collection[str] = ()
) -> list[Path]:
    """Writes a working, tested project for one bot.

    Args:
        name: Name of the bot and of its distribution: letters, digits, ``-`` and ``_``.
        folder: The project's folder; made when it is missing, else it must be empty.
        game: The game that it plays.
        taken: Names of the bots that exist already.

    Returns:
        The files written: project file, readme, the bot's module, its test, ``.gitignore``.

    Raises:
        BadInput: The name cannot be used, or the folder is not empty or cannot be written.
        UnknownName: There is no template for that game.
    """
    module = _module_name(name)
    if name in taken:
        raise BadInput(f"there is a bot {name!r} already; choose another name")
    games = sorted(path.name for path in (_TEMPLATES / "games").iterdir() if path.is_dir())
    if game not in games:
        raise UnknownName("game with a template for bots", game, games)
    fields = {
        "name": name,
        "module": module,
        "class_name": _class_name(module),
        "game": game,
    }
    texts = {
        folder / target: Template((_TEMPLATES / source).read_text("utf-8")).substitute(fields)
        for target, source in {
            "pyproject.toml": "bot/pyproject.toml.tmpl",
            "README.md": "bot/README.md.tmpl",
            ".gitignore": "bot/gitignore.tmpl",
            f"{module}.py": f"games/{game}/bot.py.tmpl",
            f"tests/test_{module}.py": f"games/{game}/test_bot.py.tmpl",
        }.items()
    }
    _write(folder, texts)
    return list(texts)


def _module_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"bot name {name!r} cannot name a distribution; use letters, digits, - and _, "
            "with a letter or digit at both ends"
        )
    module = re.sub("[-_]+", "_", name).lower()
    if not module.isidentifier() or keyword.iskeyword(module):
        raise BadInput(f"bot name {name!r} makes no Python module {module!r}; begin with a letter")
    if module in sys.stdlib_module_names or _is_module(module):
        raise BadInput(f"bot name {name!r} would hide the module {module!r}; choose another name")
    return module


def _is_module(name: str) -> bool:
    """Returns whether a module has that name; a mere folder is no module."""
    found = find_spec(name)
    return found is not None and found.origin is not None


def _class_name(module: str) -> str:
    """Returns a class name: ``my_bot`` is ``MyBot``, ``cautious`` is ``CautiousBot``."""
    name = "".join(word[:1].upper() + word[1:] for word in module.split("_"))
    return name if name.endswith("Bot") and name != "Bot" else f"{name}Bot"


def _write(folder: Path, texts: dict[Path, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadInput(f"{folder} is not empty; nothing was written, choose another folder")
        for path, text in texts.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"cannot write the project in {folder}: {error.strerror}") from None
