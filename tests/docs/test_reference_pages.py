"""Pages of docs/reference name what the code has: every key with its default, every limit."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import msgspec
import pytest
from arena_tournaments.spec.files import load_keys
from arena_tournaments.spec.keys import TournamentSpec, read_spec

from arena.core.options import options_of
from arena.core.outcome import RULE_ENDINGS, Termination
from arena.plugins.registry import Registry
from arena.service.league.league_file import FinalSpec, LeagueLimits, LeagueSpec
from tests.cli.in_process import run_in_process

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
    options = options_of(Registry().formats())
    fields = {*TournamentSpec.__struct_fields__} - {"format_options"}
    assert {**there, **limits}.keys() == fields | options.keys()
    for key, rows_by_format in options.items():
        for row in rows_by_format.values():
            if row.default_text and not row.option.default:
                assert there[key] == row.default_text, key
    for key, default in defaults().items():
        if key not in fields:
            continue
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


def test_every_key_of_a_league_file_has_its_row_and_default():
    shown = {
        row[0].strip("`"): row[1].strip("`") for row in rows(page("league-file"), heading="key")
    }
    tables = (LeagueSpec, LeagueLimits, FinalSpec)
    fields = [field for table in tables for field in msgspec.structs.fields(table)]
    assert shown.keys() == {field.name for field in fields}
    for field in fields:
        if isinstance(field.default, float | int) or field.default == "auto":
            value = field.default
            assert shown[field.name] == (value if isinstance(value, str) else f"{value:g}")


def test_every_cause_of_a_loss_has_its_row():
    losses = {*Termination} - RULE_ENDINGS - {Termination.HARNESS_FAULT}
    assert {row[0].strip("`") for row in rows(page("faults"), heading="cause")} == losses


FIELD = ("--bot", "counter", "--bot", "random")
LEAGUE = """
name = "Cantina"
house = ["counter", "random"]
final = {at = 2026-12-20T18:00:00Z}
"""
DOCUMENTS = (
    "games pazaak", "bots", "tournament list", "leaderboard", "leaderboard --pairs",
    "tournament show 1", "tournament losses 1", "tournament luck 1", "tournament verify 1",
    "tournament letters 1 --decisions 1",
    "matches 1", "replay 1.1.1.1 --luck --analysis --scenes", "odds 1.1.1.1 --move 1",
    "export 1 pairings", "export 1 decisions", "export 1 ratings", "bots show counter --matches 4",
    "progress counter",
    "check league league.toml --db arena.db", "plot leaderboard", "plot crosstable 1",
    "elo --wdl 136 111 96",
    "sprt --wdl 57433 106593 57030 --elo0 0 --elo1 2",
)  # fmt: skip
BY_VALUE = {
    "odds": ("actions",), "games": ("options", "meanings"), "tournament": ("tie_breaks",),
    "bots": ("report", "lost_by"), "replay": ("expelled",),
}  # fmt: skip
"""Objects with keys that are names, such as bots or causes, by command."""
NAMED = re.compile(r"(?:name|score|return)\d|play")


def keys(value: object, skipped: tuple[str, ...]) -> set[str]:
    """Returns every key of a document and of the objects in it."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each, skipped)}
    if not isinstance(value, dict):
        return set()
    inside = (keys(each, skipped) for key, each in value.items() if key not in skipped)
    return {*value}.union(*inside)


def test_every_key_of_a_document_is_on_the_page(tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "COLUMNS": "100"}
    run = ("tournament", "run", *FIELD, "--games", "4", "--seed", "1")
    (tmp_path / "league.toml").write_text(LEAGUE)
    assert run_in_process(run, tmp_path, environment)[0] == 0
    named = {key for each in re.findall(r"`(.*?)`", page("json")) for key in each.split(".")}
    missing = set()
    for command in DOCUMENTS:
        words = (*command.split(), "-o", "json")
        code, shown, error = run_in_process(words, tmp_path, environment)
        assert code == 0, (command, error)
        found = keys(json.loads(shown), BY_VALUE.get(words[0], ()))
        missing |= {(command, key) for key in found - named if not NAMED.fullmatch(key)}
    assert missing == set()
