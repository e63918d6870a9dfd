"""Reads a bot file without running it: which class is the bot, and which version it says it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from arena.core.errors import BadPlugin, BadSpelling, UnknownName
from arena.plugins.content import bytes_content

_SPELLING = re.compile(
    r"(?P<path>.+?\.py)(?::(?P<name>[^\W\d]\w*))?\s*(?P<call>\(.*\)\s*)?", re.DOTALL
)


class BotFile(msgspec.Struct, frozen=True):
    """What a bot file says of itself.

    Attributes:
        path: The file, absolute.
        class_name: The class that is the bot.
        version: Its ``__version__ = "..."``, or ``"file"``.
        content: Content hash of the file.
    """

    path: Path
    class_name: str
    version: str
    content: str


def split_file_spelling(spelling: str) -> tuple[str, str | None, str] | None:
    """Splits ``"path/to/file.py:Name(at=3)"`` into path, ``Name`` and ``"(at=3)"``.

    Returns:
        ``None`` when the spelling does not name a Python file.
    """
    match = _SPELLING.fullmatch(spelling.strip())
    return (match["path"], match["name"], match["call"] or "") if match else None


def read_bot_file(typed: str, class_name: str | None) -> BotFile:
    """Reads a bot file; none of its code runs.

    Args:
        typed: Its path as the user wrote it.
        class_name: The class that was asked for; ``None`` for the only bot in the file.

    Raises:
        BadPlugin: The file cannot be read, is not Python, or holds no bot.
        BadSpelling: It holds several bots and none was named.
        UnknownName: It holds no class of that name.
    """
    try:
        code = Path(typed).read_bytes()
    except OSError as error:
        raise BadPlugin(
            f"bot file {typed} cannot be read: {error.strerror}; give the path of a .py file"
        ) from None
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        raise BadPlugin(
            f"bot file {typed} is not valid Python: {error.msg} (line {error.lineno}); mend it"
        ) from None
    except ValueError as error:
        raise BadPlugin(f"bot file {typed} is not valid Python: {error}; mend it") from None
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return BotFile(
        Path(typed).resolve(),
        _choose(typed, class_name, classes, _bots(tree, classes)),
        _version(tree.body),
        bytes_content(code),
    )


def _choose(typed: str, asked: str | None, classes: Iterable[ast.ClassDef], bots: list[str]) -> str:
    if asked is not None:
        names = [node.name for node in classes]
        if asked not in names:
            raise UnknownName(f"class of {typed}", asked, bots or names)
        return asked
    if not bots:
        raise BadPlugin(
            f"bot file {typed} holds no class that derives from arena.Bot; write one, "
            f"or name the class: {typed}:NAME"
        )
    if len(bots) > 1:
        raise BadSpelling(
            f"{typed} holds several bots; write {typed}:NAME with one of {', '.join(bots)}"
        )
    return bots[0]


def _bots(tree: ast.Module, classes: Iterable[ast.ClassDef]) -> list[str]:
    """Names of the public classes that derive from ``Bot``, directly or through the file's own."""
    known = {"Bot"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= {alias.asname or alias.name for alias in node.names if alias.name == "Bot"}
    bots = []
    for node in classes:
        if any(_last_name(base) in known for base in node.bases):
            known.add(node.name)
            if not node.name.startswith("_"):
                bots.append(node.name)
    return bots


def _last_name(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):  # Bot[PazaakObservation]
        base = base.value
    if isinstance(base, ast.Attribute):  # arena.Bot
        return base.attr
    return base.id if isinstance(base, ast.Name) else ""


def _version(body: Iterable[ast.stmt]) -> str:
    for node in body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
            continue
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if "__version__" in names and isinstance(node.value.value, str):
            return node.value.value
    return "file"
