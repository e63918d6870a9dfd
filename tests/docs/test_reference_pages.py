"""Pages of docs/reference name what the code has: every key with its default, every limit."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from arena_tournaments.spec import TournamentSpec, load_keys, read_spec

from arena.core.outcome import RULE_ENDINGS, Termination

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text("utf-8")


def rows(text: str, *, heading: str) -> list[list[str]]:
    """Returns the cells of every table with this first heading."""
    tables = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    return [line.strip("| ").split(" | ") for table in tables for line in table.splitlines()]


def defaults() -> dict[str, str]:
    """Returns the default of every key of a tournament file that is a plain value."""
    found = {}
    for key, value in msgspec.structs.asdict(TournamentSpec()).items():
        plain = str(value).lower() if isinstance(value, bool) else value
        found[key] = f"{plain:g}" if isinstance(plain, float) else str(plain)
    return found


def test_every_key_of_a_tournament_file_has_its_row_and_default():
    there = {
        row[0].strip("`"): row[2].strip("`") for row in rows(page("tournament-file"), heading="key")
    }
    limits = {row[0].strip("`"): row[1] for row in rows(page("limits"), heading="key")}
    assert not there.keys() & limits.keys()
    assert {**there, **limits}.keys() == {*TournamentSpec.__struct_fields__}
    for key, default in defaults().items():
        shown = {**there, **limits}[key]
        if key in limits:
            assert default in ("None", shown.split()[0]), key
        elif default not in ("None", "", "()", "{}"):
            assert shown == default, key


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", page("tournament-file"), re.S))
def test_files_of_the_page_are_tournament_files(text, tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text(text)
    problems: list[str] = []
    assert read_spec(load_keys(file), problems).bots
    assert problems == []


def test_every_cause_of_a_loss_has_its_row():
    losses = {*Termination} - RULE_ENDINGS - {Termination.HARNESS_FAULT}
    assert {row[0].strip("`") for row in rows(page("faults"), heading="cause")} == losses
