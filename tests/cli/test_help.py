"""Help texts: short imperative summaries in panels, and one form for the help of options."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from arena_tournaments.spec.keys import TournamentSpec

from arena.cli.app import build
from arena.cli.terminal.help import GROUPS, PANELS
from arena.core.options import rows_of
from tests.cli.in_process import run_in_process

MAX_LENGTH = 60
"""Characters of a summary: with a name of 11 it fits in a line of 80 columns."""
MAX_WORDS = 15
QUOTED = re.compile(r"'[^']*'|[A-Z]+\(\w+=\w+\)")
DEFAULT = re.compile(r" \[[^]]+\]$")


def commands() -> Iterator[tuple[str, typer.core.TyperCommand | typer.core.TyperGroup]]:
    """Every command with its path."""
    waiting = [("arena", typer.main.get_command(build()))]
    while waiting:
        path, command = waiting.pop()
        yield path, command
        parts = getattr(command, "commands", {})
        waiting += [(f"{path} {name}", part) for name, part in parts.items()]


COMMANDS = dict(commands())


def shown_help(*words: str) -> str:
    """The help of a command in a terminal of 80 columns."""
    code, out, _ = run_in_process([*words, "--help"], Path.cwd(), {**os.environ, "COLUMNS": "80"})
    assert code == 0
    return out


@pytest.mark.parametrize("path", COMMANDS)
def test_a_summary_is_imperative_and_short(path):
    summary = COMMANDS[path].help.split("\n\n")[0].removesuffix(".")
    verb = summary.split()[0]
    assert not verb.endswith(("s", "ing", ":")), f"{path} is not an imperative: {summary}"
    if path != "arena":
        assert len(summary) <= MAX_LENGTH, summary


@pytest.mark.parametrize("path", [path for path in COMMANDS if hasattr(COMMANDS[path], "commands")])
def test_no_summary_is_cut_at_80_columns(path):
    shown = shown_help(*path.split()[1:])
    assert "..." not in shown.replace("[ARGS]...", "")
    for command in COMMANDS[path].commands.values():
        assert command.help.split("\n\n")[0] in shown


def test_all_commands_are_in_panels_on_one_screen():
    shown = shown_help()
    headings = re.findall(r"^(\w[\w ]*):$", shown, re.M)
    assert headings == ["Options", *PANELS]
    assert len(shown.splitlines()) < 50


def test_the_options_of_a_run_are_in_groups():
    shown = shown_help("tournament", "run")
    assert re.findall(r"^(\w+):$", shown, re.M) == ["Arguments", *GROUPS]
    for key, row in ((key, each.option) for key, each in rows_of(TournamentSpec).items()):
        if row.file_only:
            continue
        flag = (row.flag or f"--{key.replace('_', '-')}").split("/")[0]
        assert re.search(rf"^  {flag}\b", shown.partition(f"\n{row.group}:\n")[2], re.M), flag


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_of_an_option_is_a_noun_or_command_and_its_default(path):
    for parameter in COMMANDS[path].params:
        text = getattr(parameter, "help", "") or ""
        if parameter.name in ("install_completion", "show_completion"):  # Typer's own
            continue
        bare = QUOTED.sub("X", DEFAULT.sub("", text))
        assert len(DEFAULT.sub("", text).split()) <= MAX_WORDS, (path, text)
        assert not re.search(r"[;()\[\]]", bare), (path, text)
        assert ";" not in text, (path, text)


def test_every_row_of_a_spec_has_a_group():
    assert {row.option.group for row in rows_of(TournamentSpec).values()} == {*GROUPS}
