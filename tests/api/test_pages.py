"""Pages with Python: it runs and prints what they show; the guide on Python has every command."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from functools import cache
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
import typer

import arena
from arena.api.database.career import Careers
from arena.api.database.organiser import Organiser
from arena.api.database.site import SiteServer
from arena.cli.app import build

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto" / "python.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.M | re.S)


@pytest.mark.thorough(
    "tests/api calls the same functions", everyday=["README.md", "docs/explanation/fair-deals.md"]
)
@pytest.mark.filterwarnings("ignore:.*NOT CONFINED:UserWarning")
@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/howto/python.md",
        "docs/howto/export-data.md",
        "docs/howto/notebooks.md",
        "docs/howto/follow-events.md",
        "docs/explanation/fair-deals.md",
    ],
)
def test_the_python_of_a_page_runs_and_prints_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    names: dict[str, object] = {"__name__": page}
    blocks = BLOCK.findall((ROOT / page).read_text("utf-8"))
    assert blocks
    for code, text in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), names)
        if text:
            assert printed.getvalue() == text, code


@cache
def commands() -> dict[str, typer.core.TyperCommand]:
    """Every command by its words."""
    found = {}

    def walk(words, command):
        for name, child in getattr(command, "commands", {}).items():
            walk((*words, name), child)
        if words and not (hasattr(command, "commands") and command.no_args_is_help):
            found[" ".join(words)] = command

    walk((), typer.main.get_command(build()))
    return found


@cache
def functions() -> dict[str, list[str]]:
    """The functions of every command, from the page's last table."""
    rows = re.findall(r"^\| (`arena .*?) \| (`.*?) \|$", PAGE.rpartition("\n## ")[2], re.M)
    return {
        words: re.findall(r"`([\w.]+)\(", right)
        for left, right in rows
        for words in re.findall(r"`arena (.*?)`", left)
    }


PLACES = {
    "arena": arena,
    "arena.stats": arena.stats,
    "arena.stats.pictures": arena.stats.pictures,
    "db": arena.ResultsDatabase,
    "db.site": SiteServer,
    "db.career": Careers,
    "cup": arena.Tournament,
    "arena.league": arena.league,
    "organiser": Organiser,
}


def function(name: str):
    place, _, attribute = name.rpartition(".")
    return getattr(PLACES[place], attribute)


def test_every_command_names_its_functions():
    assert functions().keys() == commands().keys()
    for names in functions().values():
        assert names
        assert all(inspect.getdoc(function(name)) for name in names)


CALLS = [
    (name, given)
    for line in PAGE.splitlines()
    if line.startswith("| ")
    for name, given in re.findall(
        r"`((?:arena(?:\.league|\.stats|\.stats\.pictures)?|db|cup|organiser)\.\w+)\(([^`]+?)\)`",
        line,
    )
]


@pytest.mark.parametrize(("name", "given"), CALLS, ids=[name for name, _ in CALLS])
def test_calls_of_the_tables_name_arguments_as_they_are_given(name, given):
    """By position or after a star, under their names, with their defaults."""
    scope: dict[str, object] = {}
    exec(f"def shown({given}): pass", scope)
    taken = inspect.signature(function(name)).parameters
    for key, shown in inspect.signature(scope["shown"]).parameters.items():
        assert taken[key].kind is shown.kind, f"{name}: {key}"
        if shown.default is not shown.empty:
            assert taken[key].default == shown.default, f"{name}: {key}"


ELSEWHERE = {
    "db": "the database is opened first",
    "output": "a face's",
    "details": "a face's: documents have them all",
    "help": "a face's",
    "sprt_values": "sprt has all values",
    "step": "a terminal's",
    "move": "a face's: moments are a list",
    "log": "a method of the match has it",
    "scenes": "a method of the match has it",
    "html": "a function of its own",
    "explain": "a method of the tournament: Tournament.explain",
    "luck": "a method of the match has it",
    "analysis": "a method of the match has it",
    "mistakes": "a method of the match has it",
    "value_function": "a method of the match, or of the tournament, has it",
    "every": "a face's: the document has every attack",
    "summary": "a face's",
    "view": "a method of the match has it",
    "verify": "a function of its own",
    "pairs": "a face's: the document has both",
    "source": "a function of its own",
    "dry_run": "a function of its own",
    "cmd": "command",
    "one": "bots",
    "other": "bots",
    "more": "bots",
    "bot": "bots, or name",
    "tournament": "number",
    "yes": "a question of a face",
    "bundle": "file",
    "id": "number",
    "out": "a method of the picture has it",
    "seat": "the order of the bots",
    "loadout": "the person's bot answers prepare",
    "minutes": "PythonBot has person_seconds",
    "hints": "a method of the match has odds",
    "within": "the bundle is opened as a database",
    "against": "bots",
    "transcripts": "a method of the tournament",
}
"""Parameters of commands that their functions have under another name, or not at all."""


@pytest.mark.parametrize("words", functions())
def test_functions_take_the_options_of_their_command(words):
    taken = {key for name in functions()[words] for key in arguments(function(name))}
    assert {parameter.name for parameter in commands()[words].params} - {*ELSEWHERE} <= taken


def arguments(called) -> set[str]:
    """The names of a function's arguments, those of ``**keys`` among them."""
    hints = get_type_hints(inspect.unwrap(called))
    keys = get_args(hints["keys"])[0].__optional_keys__ if "keys" in hints else ()
    return {*inspect.signature(called).parameters, *keys}
