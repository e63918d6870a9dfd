"""Docstrings are full statements in the field's terms, and names are free of private words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAIN = (
    "arena/cli",
    "arena/games",
    "arena/host",
    "arena/core",
    "arena/match",
    "arena/plugins",
    "arena/service",
    "arena/api",
    "arena/testing",
    "bots/arena_bots",
    "tournaments/arena_tournaments",
    "results/arena_results",
)
"""Folders that keep to these rules."""
MODULES = sorted(
    path
    for folder in PLAIN
    for path in (ROOT / folder).rglob("*.py")
    if path.parent.name != "versions"
)
RIDDLE = re.compile(r"(What|How|Who|Whom|Whose|Whether|Where|Which|Why)\b")
PRIVATE = {
    "brought": "loadout",
    "farewell": "finish message",
    "judge": "check",
    "judges": "checks",
    "mend": "fix",
    "mended": "fixed",
    "mends": "fixes",
    "rooms": "modules",
    "said": "sent, declared or payload",
    "stranger": "untrusted",
    "strangers": "untrusted",
    "tell": "send, show or report",
    "telling": "narration",
    "tells": "sends, shows or reports",
    "told": "sent, given or reported",
    "trouble": "error or problem",
}
"""Words of a private dialect, each with plain ones in its place."""
IDENTIFIER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Every docstring with the name of what it belongs to."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, *IDENTIFIER)):
            text = ast.get_docstring(node)
            if text:
                yield getattr(node, "name", "the module"), text


def identifiers(tree: ast.Module) -> Iterator[str]:
    """Every name that a module gives: classes, functions, arguments, variables, attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.alias(asname=str() as name):
                yield name
            case ast.ExceptHandler(name=str() as name):
                yield name


def words(name: str) -> list[str]:
    """``BadSpelling`` and ``bad_spelling`` are ``bad`` and ``spelling``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_docstrings_begin_with_a_full_statement(path):
    wrong = []
    for name, text in docstrings(ast.parse(path.read_text())):
        first = " ".join(text.split("\n\n")[0].split())
        if RIDDLE.match(first) or len(first.split()) < 3 or not first.endswith((".", ":")):
            wrong.append(f"{name}: {first}")
    assert wrong == []


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_docstrings_and_names_are_in_the_terms_of_the_field(path):
    tree = ast.parse(path.read_text())
    found = {
        f"{name}: {word} -> {PRIVATE[word]}"
        for name, text in docstrings(tree)
        for word in re.findall(r"\w+", text.lower())
        if word in PRIVATE
    }
    found |= {
        f"{name} -> {PRIVATE[word]}"
        for name in identifiers(tree)
        for word in words(name)
        if word in PRIVATE
    }
    assert found == set()
