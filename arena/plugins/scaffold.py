"""Writes new projects: ``arena new bot|game NAME``. The files are templates next to this module."""

from __future__ import annotations

import json
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from arena.core.errors import BadInput, UnknownName
from arena.plugins.languages import CHOICES, LANGUAGES, PYTHON

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.plugins.entries import BotEntry
    from arena.plugins.registry import Registry

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?")
_TEMPLATES = files("arena.plugins") / "templates"
_GAME_MODULES = (
    "__init__", "plugin", "actions", "rulesets", "notation", "observation", "state", "situation",
    "resample", "render", "game", "cases",
)  # fmt: skip


def new_bot(
    registry: Registry, name: str, folder: Path, game: str = "pazaak", language: str = PYTHON
) -> list[Path]:
    """Writes a working, tested project for one bot, and returns its files.

    Args:
        registry: The bots and games that there are.
        name: Name of the bot and of its distribution: letters, digits, ``-`` and ``_``.
        folder: The project's folder; made when it is missing, else it must be empty.
        game: The game that it plays: at random, if that has no templates of its own.
        language: One of ``CHOICES``.

    Raises:
        BadInput: The name or the folder cannot be used, or there is no such game or language.
    """
    if language != PYTHON:
        return _new_program(registry, name, folder, game, language)
    module = _module_name("bot", name, registry.bots())
    registry.rated_game(game)
    known = [path.name for path in (_TEMPLATES / "games").iterdir() if path.is_dir()]
    templates = f"games/{game}" if game in known else "bot"
    values = {
        "name": name,
        "module": module,
        "class_name": _class_name(module, "Bot"),
        "game": game,
    }
    sources = {
        "pyproject.toml": "bot/pyproject.toml",
        "README.md": "bot/README.md",
        ".gitignore": "gitignore",
        f"{module}.py": f"{templates}/bot.py",
        f"tests/test_{module}.py": f"{templates}/test_bot.py",
    }
    return _write(folder, sources, values)


def new_endpoint(registry: Registry, name: str, folder: Path) -> list[Path]:
    """Writes the file of an endpoint of a language model, ``NAME.toml``, as ``new_bot`` does."""
    check_name("bot", name)
    _check_new("bot", name, registry.bots())
    from arena.plugins.endpointfile import file_text  # with its readers: games do without

    return _write_texts(folder, {folder / f"{name}.toml": file_text()})


def _new_program(
    registry: Registry, name: str, folder: Path, game: str, language: str
) -> list[Path]:
    row = next((each for each in LANGUAGES if each.name == language), None)
    if row is None:
        raise UnknownName("language", language, CHOICES)
    check_name("bot", name)
    _check_new("bot", name, registry.bots())
    registry.rated_game(game)
    build = f"build = {json.dumps(row.build)}\n" if row.build else ""
    how = f"Arena builds it by `{' '.join(row.build)}`, in a sandbox." if row.build else ""
    values = {
        "name": name,
        "game": game,
        "language": row.name,
        "called": row.called,
        "file": row.file,
        "command": json.dumps(row.command),
        "build": build,
        "how": how,
    }
    sources = {
        "pyproject.toml": "languages/pyproject.toml",
        "README.md": "languages/README.md",
        ".gitignore": "languages/gitignore",
        row.file: f"languages/{row.file}",
        "tests/test_bot.py": "languages/test_bot.py",
    }
    return _write(folder, sources, values)


def new_game(registry: Registry, name: str, folder: Path, *, full: bool = False) -> list[Path]:
    """Writes a working, tested project for one game as ``new_bot`` does for a bot.

    Args:
        full: Writes a package with a module for each part, and rule cases, instead of one file.
    """
    module = _module_name("game", name, registry.games())
    values = {
        "name": name,
        "module": module,
        "prefix": _camel_case(module),
        "class_name": _class_name(module, "Game"),
    }
    templates = "game" if full else "one_file"
    sources = {
        "pyproject.toml": f"{templates}/pyproject.toml",
        "README.md": f"{templates}/README.md",
        ".gitignore": "gitignore",
    }
    if full:
        sources |= {f"{module}/{part}.py": f"game/{part}.py" for part in _GAME_MODULES}
        sources["tests/cases.json"] = "game/cases.json"
    else:
        sources[f"{module}.py"] = "one_file/game.py"
    sources[f"tests/test_{module}.py"] = f"{templates}/test_game.py"
    return _write(folder, sources, values)


def check_name(kind: str, name: str) -> None:
    """Raises ``BadInput`` for a name that a distribution cannot have."""
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"{kind} name {name!r} cannot name a distribution; use letters, digits, - and _, "
            "with a letter or digit at both ends"
        )


def _module_name(kind: str, name: str, others: Iterable[BotEntry | AnyGame]) -> str:
    """Returns the module of a project of that name; raises ``BadInput`` for one of no use."""
    check_name(kind, name)
    module = re.sub("[-_]+", "_", name).lower()
    if keyword.iskeyword(module):
        raise BadInput(
            f"{kind} name {name!r} makes no Python module: {module!r} is a word of the language; "
            "choose another name"
        )
    if not module.isidentifier():
        raise BadInput(
            f"{kind} name {name!r} makes no Python module {module!r}; begin with a letter"
        )
    if module in sys.stdlib_module_names or _is_module(module):
        raise BadInput(
            f"{kind} name {name!r} would hide the module {module!r}; choose another name"
        )
    _check_new(kind, name, others)
    return module


def _check_new(kind: str, name: str, others: Iterable[BotEntry | AnyGame]) -> None:
    if name in [other.name for other in others]:
        raise BadInput(f"there is a {kind} {name!r} already; choose another name")


def _is_module(name: str) -> bool:
    found = find_spec(name)
    return found is not None and found.origin is not None


def _camel_case(module: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in module.split("_"))


def _class_name(module: str, kind: str) -> str:
    """Returns a class's name: ``my_bot`` is ``MyBot``, ``bot`` is ``BotBot``."""
    name = _camel_case(module)
    return name if name.endswith(kind) and name != kind else f"{name}{kind}"


def _write(folder: Path, sources: Mapping[str, str], values: Mapping[str, str]) -> list[Path]:
    texts = {
        folder / file: Template(
            _for_game((_TEMPLATES / f"{source}.tmpl").read_text("utf-8"), values.get("game", ""))
        )
        for file, source in sources.items()
    }
    return _write_texts(folder, {path: text.substitute(values) for path, text in texts.items()})


def _write_texts(folder: Path, texts: Mapping[Path, str]) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadInput(f"{folder} is not empty; nothing was written, choose another folder")
        for path, text in texts.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"cannot write the project in {folder}: {error.strerror}") from None
    return [*texts]


def _for_game(text: str, game: str) -> str:
    """Returns a template with the lines for a game: of Pazaak, or of any other."""
    ours, others = ("@pazaak ", "@other ") if game == "pazaak" else ("@other ", "@pazaak ")
    lines = text.splitlines(keepends=True)
    return "".join(line.removeprefix(ours) for line in lines if not line.startswith(others))
