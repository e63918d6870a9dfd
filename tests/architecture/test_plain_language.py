"""Docstrings are full statements; help uses the plain words of docs/terms.tsv."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import typer

from arena.cli.app import build
from docs.readability import terms

ROOT = Path(__file__).parents[2]
PLAIN = ("arena", "benchmarks", "bots", "docs", "examples", "results", "tests", "tournaments")
"""Folders that keep to these rules."""
RIDDLE = re.compile(
    r"(What|When|How|Who|Whom|Whose|Whoever|Whatever|Whether|Where|Which|Why|Itself)\b"
)
ENDS = re.compile(r"[.:]\)?$")
MAX_IN_HELP = 36
"""Most terms in the help of all commands together."""
MAX_IN_DOCSTRINGS = 970
"""Most terms in the docstrings of the product."""
PRODUCT = ("arena", "bots", "results", "tournaments")
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of statements that hold others."""
IDENTIFIER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@cache
def documented(folder: str) -> list[tuple[Path, list[tuple[str, str]]]]:
    """Every file of a folder with its docstrings; but for migrations, which stay as they are."""
    return [
        (path.relative_to(ROOT), [*docstrings(ast.parse(path.read_text()))])
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.parent.name != "versions"
    ]


def docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Every docstring with the name of what it belongs to; only statements hold definitions."""
    inside: list[ast.AST] = [tree]
    while inside:
        node = inside.pop()
        if isinstance(node, (ast.Module, *IDENTIFIER)):
            text = ast.get_docstring(node)
            if text:
                yield getattr(node, "name", "the module"), text
        yield from attribute_docstrings(getattr(node, "body", ()))
        for held in BLOCKS:
            inside += getattr(node, held, ())


def attribute_docstrings(body: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Every text that stands below an assignment, with the name that it explains."""
    for assigned, below in pairwise(body):
        if isinstance(assigned, (ast.Assign, ast.AnnAssign)):
            match below:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    name = assigned.targets[0] if isinstance(assigned, ast.Assign) else None
                    yield ast.unparse(name or assigned.target), text


def help_texts() -> Iterator[str]:
    """Yields the help of every command and of its parameters."""
    inside: list[typer.core.TyperCommand] = [typer.main.get_command(build())]
    while inside:
        command = inside.pop()
        inside += getattr(command, "commands", {}).values()
        yield command.help or ""
        yield from (getattr(each, "help", None) or "" for each in command.params)


@pytest.mark.parametrize("folder", PLAIN)
def test_docstrings_begin_with_a_full_statement(folder):
    wrong = []
    for path, written in documented(folder):
        for name, text in written:
            first = " ".join(text.split("\n\n")[0].split())
            if RIDDLE.match(first) or len(first.split()) < 3 or not ENDS.search(first):
                wrong.append(f"{path}: {name}: {first}")
    assert wrong == []


def test_help_uses_no_more_terms_than_before():
    """A ratchet: set ``MAX_IN_HELP`` to the number found when it has become smaller."""
    found = [term for text in help_texts() for _, term in terms(text)]
    assert len(found) <= MAX_IN_HELP, found


def test_docstrings_use_no_more_terms_than_before():
    """A ratchet: set ``MAX_IN_DOCSTRINGS`` to the number found when it has become smaller."""
    texts = [text for folder in PRODUCT for _, found in documented(folder) for _, text in found]
    assert sum(1 for text in texts for _ in terms(text)) <= MAX_IN_DOCSTRINGS


def test_the_rules_find_riddles():
    tree = ast.parse('def tell_again():\n    """What a bot is told."""')
    ((_, text),) = docstrings(tree)
    assert RIDDLE.match(text)
    assert dict(docstrings(ast.parse('X = 1\n"""Below it."""'))) == {"X": "Below it."}
