"""Reads a bot file without running it: the class of its bot and its declared version."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.core.errors import BadPlugin, ParseError, UnknownName
from arena.core.metadata import BotMetadata
from arena.core.text.decoding import wide_encoding
from arena.core.text.printable import printable_line
from arena.plugins.hashing import bytes_content

_SPELLING = re.compile(
    r"(?P<path>.+?\.py)(?::(?P<name>[^\W\d]\w*))?\s*(?P<call>\(.*\)\s*)?", re.DOTALL
)

HOUSE_PACKAGE = "arena_bots"
"""The package of the built-in bots, from which others may derive."""
MAX_CODE_LENGTH = 1_000_000
"""The most bytes of source code that are read for the declarations of one submission."""
_MAX_SPELLING_LENGTH = 10_000
_FORMATTED = re.compile(rb"\b[rR]?[fF][rR]?[\'\"]")
_FORMATTED_WORK = 2_000_000_000
"""Braces times bytes of code with f-strings: in Python 3.11 each brace costs time by the length
of the string that it is in. That many take some seconds."""
_NOT_LITERAL = (ValueError, TypeError, OverflowError, RecursionError, MemoryError)
"""Errors of ``ast.literal_eval`` for code that is not a literal value."""


class BotFile(msgspec.Struct, frozen=True):
    """The declarations of a bot file.

    Attributes:
        path: The file, absolute.
        class_name: The class that is the bot.
        version: Its ``__version__ = "..."``, or ``"file"``.
        content: Content hash of the file.
        author: Its ``__author__ = "..."``, or empty.
    """

    path: Path
    class_name: str
    version: str
    content: str
    author: str = ""


def split_file_spelling(spelling: str) -> tuple[str, str | None, str] | None:
    """Splits ``"path/to/file.py:Name(at=3)"`` into path, ``Name`` and ``"(at=3)"``.

    ``None`` when the name as typed does not name a Python file.
    """
    match = _SPELLING.fullmatch(spelling.strip()) if len(spelling) <= _MAX_SPELLING_LENGTH else None
    return (match["path"], match["name"], match["call"] or "") if match else None


def is_endpoint_file(spelling: str) -> bool:
    """Returns whether a name as typed is the path of a file of an endpoint."""
    return len(spelling) <= _MAX_SPELLING_LENGTH and spelling.strip().endswith(".toml")


def names_file(spelling: str) -> bool:
    """Returns whether a name as typed, without a loadout, is the path of a bot's file."""
    return is_endpoint_file(spelling) or split_file_spelling(spelling) is not None


def read_bot_file(typed: str, class_name: str | None) -> BotFile:
    """Reads a bot file; none of its code runs.

    Args:
        typed: Its path as the user wrote it.
        class_name: The class that was asked for; ``None`` for the only bot in the file.

    Raises:
        BadInput: It cannot be read, is not Python, or as ``read_bot_code``.
    """
    if not typed.isprintable():
        raise BadPlugin(f"bot file {typed!r} has a name that cannot be shown; rename it")
    try:
        code = Path(typed).read_bytes()
    except OSError as error:
        raise BadPlugin(
            f"bot file {typed} cannot be read: {error.strerror}; give the path of a .py file"
        ) from None
    found = read_bot_code(typed, code, class_name)
    version, content = found.version or "file", bytes_content(code)
    return BotFile(Path(typed).resolve(), found.name, version, content, found.author)


def read_bot_code(typed: str, code: bytes, class_name: str | None) -> BotMetadata:
    """Reads a module that holds a bot, which is named after its class; none of its code runs.

    Args:
        typed: What to call the file in errors.
        class_name: The class that was asked for; ``None`` for the only bot in the module.

    Raises:
        BadInput: It is not Python, holds no bot of that name, or several and none was named.
    """
    tree = parse_code(typed, code)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return code_facts(typed, tree, _choose(typed, class_name, classes, _bots(tree, classes)))


def parse_code(typed: str, code: bytes) -> ast.Module:
    """Parses untrusted source code, which ``typed`` names in errors; none of it runs.

    Raises:
        BadPlugin: It is not Python, or larger than anybody writes.
    """
    if len(code) > MAX_CODE_LENGTH:
        raise BadPlugin(f"bot file {typed} is longer than {MAX_CODE_LENGTH} bytes; shorten it")
    if wide := wide_encoding(code):
        raise BadPlugin(f"bot file {typed} is {wide} text; save it as UTF-8")
    if _formatted_work(code) > _FORMATTED_WORK:
        raise BadPlugin(
            f"bot file {typed} holds f-strings and {code.count(b'{')} braces, too much to be read; "
            "keep tables in a file of their own"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own style is its author's affair
            return ast.parse(code)
    except SyntaxError as error:
        what = "a number has too many digits" if "integer string" in error.msg else error.msg
        remedy = "save it as UTF-8" if what.startswith("(unicode error) 'utf-8'") else "fix it"
        raise BadPlugin(
            f"bot file {typed} is not valid Python: {what} (line {error.lineno}); {remedy}"
        ) from None
    except ValueError as error:
        raise BadPlugin(f"bot file {typed} is not valid Python: {error}; fix it") from None
    except (RecursionError, MemoryError):
        raise BadPlugin(f"bot file {typed} is nested too deeply to be read; fix it") from None


def _formatted_work(code: bytes) -> int:
    """Returns braces times bytes of code with f-strings; 0 for code without."""
    return code.count(b"{") * len(code) if _FORMATTED.search(code) else 0


def check_code(typed: str, codes: Collection[bytes]) -> None:
    """Refuses files that are together more code than one submission may have read.

    Raises:
        BadPlugin: They are too much.
    """
    size, work = sum(map(len, codes)), sum(map(_formatted_work, codes))
    if size > MAX_CODE_LENGTH or work > _FORMATTED_WORK:
        much = f"{size} bytes of code" if size > MAX_CODE_LENGTH else "f-strings with many braces"
        raise BadPlugin(
            f"{typed} holds {much} in {len(codes)} files, too much to look for a bot in "
            f"(at most {MAX_CODE_LENGTH} bytes); name the bot in a pyproject.toml"
        )


def bot_names(tree: ast.Module) -> list[str]:
    """Returns the names of the public bots of a module."""
    return _bots(tree, [node for node in tree.body if isinstance(node, ast.ClassDef)])


def code_facts(typed: str, tree: ast.Module, class_name: str) -> BotMetadata:
    """Reads a module's declarations, and those of its class of that name, by which it is named.

    The class may be defined elsewhere and only imported here.

    Raises:
        BadPlugin: Its games are no names.
    """
    declared = ("__version__", "__author__", "__license__")
    constants = _constants(tree.body, declared)
    bodies = (n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == class_name)
    games = _constants(next(bodies, ()), ("games",)).get("games", ())
    listed = games if isinstance(games, list | tuple) else ()
    if not all(isinstance(game, str) for game in listed):
        raise BadPlugin(
            f"bot file {typed}: games of {class_name}: expected a list of names, "
            'e.g. games = ["pazaak"]'
        )
    facts = [constants.get(key, "") for key in declared]
    version, author, licence = (
        printable_line(fact) if isinstance(fact, str) else "" for fact in facts
    )
    return BotMetadata(
        name=class_name,
        version=version,
        author=author,
        licence=licence,
        games=tuple(map(printable_line, listed)),
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
        raise ParseError(
            f"{typed} holds several bots; write {typed}:NAME with one of {', '.join(bots)}"
        )
    return bots[0]


def _bots(tree: ast.Module, classes: Iterable[ast.ClassDef]) -> list[str]:
    """Returns the names of the public classes that derive from ``Bot`` or from a built-in bot.

    Directly, or through the file's own. A bot of another extension is found by its name only.
    """
    known, house = {"Bot"}, set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            ours = (node.module or "").partition(".")[0] == HOUSE_PACKAGE
            for alias in node.names:
                if ours:
                    house.add(alias.asname or alias.name)
                elif alias.name == "Bot":
                    known.add(alias.asname or alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == HOUSE_PACKAGE:
                    house.add(alias.asname or HOUSE_PACKAGE)
    bots = []
    for node in classes:
        if any(_last_name(base) in known or _first_name(base) in house for base in node.bases):
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


def _first_name(base: ast.expr) -> str:
    """Returns ``arena_bots`` of ``arena_bots.pazaak.optimal.Optimal``."""
    while isinstance(base, ast.Subscript | ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


def _constants(body: Iterable[ast.stmt], wanted: Collection[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for node in body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [each.id for each in targets if isinstance(each, ast.Name) and each.id in wanted]
        if names:
            with suppress(*_NOT_LITERAL):
                found |= dict.fromkeys(names, ast.literal_eval(node.value))
    return found
