"""Docstrings are full statements in the field's terms, and names are free of private words."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAIN = ("arena", "benchmarks", "bots", "docs", "examples", "results", "tests", "tournaments")
"""Folders that keep to these rules."""
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
PAGES += sorted([*ROOT.glob("docs/tutorials/*.md"), *ROOT.glob("docs/howto/*.md")])
"""Documents, but for the rule books."""
RIDDLE = re.compile(
    r"(What|When|How|Who|Whom|Whose|Whoever|Whatever|Whether|Where|Which|Why|Itself)\b"
)
ENDS = re.compile(r"[.:]\)?$")
WORD = re.compile(r"\w+")
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
VOCABULARY = {"words": "keys, spelling or texts"}
"""Such words in contracts and games, where they name what a game calls its things."""
TEXTS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
"""Tokens for people; before Python 3.12 an f-string is one string."""
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of statements that hold others."""
SUSPECT = re.compile("|".join(PRIVATE), re.IGNORECASE)
"""Found in every file with such a word; most have none, and nothing of them is looked at."""
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


def texts(source: str) -> Iterator[str]:
    """Every comment and every string, docstrings and parts of f-strings included."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in TEXTS:
            yield token.string


def comments(source: str) -> Iterator[str]:
    """Every comment: a ``#`` and what follows it in a line, outside of strings."""
    if SUSPECT.search(source):  # to read tokens takes long
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.string


@cache
def words(name: str) -> list[str]:
    """``BadSpelling`` and ``bad_spelling`` are ``bad`` and ``spelling``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


@pytest.mark.parametrize("folder", PLAIN)
def test_docstrings_begin_with_a_full_statement(folder):
    wrong = []
    for path, written in documented(folder):
        for name, text in written:
            first = " ".join(text.split("\n\n")[0].split())
            if RIDDLE.match(first) or len(first.split()) < 3 or not ENDS.search(first):
                wrong.append(f"{path}: {name}: {first}")
    assert wrong == []


@pytest.mark.parametrize("folder", PLAIN)
def test_docstrings_and_names_are_in_the_terms_of_the_field(folder):
    found = set()
    for path, written in documented(folder):
        source = (ROOT / path).read_text()
        if not SUSPECT.search(source):
            continue
        used = [(name, word) for name, text in written for word in WORD.findall(text)]
        used += [(name, word) for name in identifiers(ast.parse(source)) for word in words(name)]
        found |= {
            f"{path}: {name}: {word} -> {PRIVATE[word.lower()]}"
            for name, word in used
            if word.lower() in PRIVATE
        }
    assert found == set()


@pytest.mark.parametrize("folder", ["arena/core", "arena/games", "bots", "examples"])
def test_contracts_and_games_name_their_vocabulary_plainly(folder):
    found = {
        f"{path}: {name} -> {VOCABULARY[word]}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if any(word in path.read_text().lower() for word in VOCABULARY)
        for name in identifiers(ast.parse(path.read_text()))
        for word in words(name)
        if word in VOCABULARY
    }
    assert found == set()


def test_comments_of_tests_are_in_the_terms_of_the_field():
    """Their strings are inputs, too, which have words of their own."""
    found = {
        f"{path.relative_to(ROOT)}: {word} -> {PRIVATE[word.lower()]}"
        for path in (ROOT / "tests").rglob("*.py")
        for text in comments(path.read_text())
        for word in WORD.findall(text)
        if word.lower() in PRIVATE
    }
    assert found == set()


@pytest.mark.parametrize("folder", [name for name in PLAIN if name not in ("docs", "tests")])
def test_comments_messages_and_templates_are_in_the_terms_of_the_field(folder):
    files = [
        path for path in (ROOT / folder).rglob("*.*") if path.suffix in (".py", ".tmpl", ".md")
    ]
    assert files
    suspects = {path: text for path in files if SUSPECT.search(text := path.read_text())}
    found = {
        f"{path.relative_to(ROOT)}: {word} -> {PRIVATE[word.lower()]}"
        for path, content in suspects.items()
        for text in (texts if path.suffix == ".py" else str.splitlines)(content)
        for word in WORD.findall(text)
        if word.lower() in PRIVATE
    }
    assert found == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_in_the_terms_of_the_field(page):
    found = {word for word in WORD.findall(page.read_text()) if word.lower() in PRIVATE}
    assert found == set()


def test_the_rules_find_riddles_and_private_words():
    tree = ast.parse('def tell_again():\n    """What a bot is told."""')
    ((_, text),) = docstrings(tree)
    assert RIDDLE.match(text)
    assert dict(docstrings(ast.parse('X = 1\n"""Below it."""'))) == {"X": "Below it."}
    assert [*comments('x = "told"  # said')] == ["# said"]
    assert {word for word in WORD.findall(text) if word in PRIVATE} == {"told"}
    assert [words(name) for name in identifiers(tree)] == [["tell", "again"]]
    *written, comment = texts('x = f"said {y}"  # told\n')
    assert "said" in written[0]
    assert comment == "# told"
