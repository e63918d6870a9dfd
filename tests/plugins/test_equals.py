"""What comes with us gives the same documents when another distribution brings it."""

from __future__ import annotations

import json
import os
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

import pytest

from arena.core.tournament import options_of
from arena.plugins.manager import GROUP, OWN_DISTRIBUTION
from arena.plugins.registry import Registry
from tests.cli.in_process import run_in_process
from tests.plugins.distributions import put_distribution

OURS = {
    "games": "arena.plugins.builtin",
    "bots": "arena_bots.plugin",
    "formats": "arena_tournaments.plugin",
    "results": "arena_results.plugin",
}
"""Our entry points: games and case drivers; bots; formats and executors; ratings and exporters."""
ONE_OF = {
    "games": ("game", "sabacc"),
    "formats": ("format", "swiss"),
    "results": ("exporter", "csv"),
}
"""Of each entry point one object, with its kind."""
CASES = Path(__file__).parents[1] / "conformance" / "data" / "pazaak_more.json"
FOUR = "--bot stand --bot random --bot stand(at=15) --bot hand-saver"
Documents: TypeAlias = dict[str, str | bytes]
SABACC = "--game sabacc --bot random --bot target-total --bot cautious-folder"
TOURNAMENTS = (
    f"{FOUR} --until separated(60%) --matches 48",
    f"{FOUR} --format swiss --rounds 2 --forbidden stand|random --acceleration baku",
    f"{FOUR} --format swiss --rounds 2 --until separated --matches 20",
    f"{FOUR} --format adaptive --confidence 60 --matches 40",
    f"{FOUR} --format league --within 500 --rounds 3",
    f"{FOUR} --format gauntlet --champions 2 --best-of 2",
    f"{FOUR} --format knockout(third_place=true)",
    f"{FOUR} --format double-elimination --bracket-reset",
    f"{FOUR} --format ladder",
    f"{FOUR} --stage swiss(rounds=1,acceleration=baku) --stage knockout(take=2,first_to=2)",
    f"{SABACC} --format tables --seats 3",
    f"{SABACC} --format table-swiss --seats 3 --rounds 2",
)
"""Every format, with every option of each."""
DOCUMENTS = (
    *(f"tournament show {number} -o json" for number in range(1, len(TOURNAMENTS) + 1)),
    *(f"leaderboard --rating {name} -o json" for name in ("joint", "elo", "glicko2", "openskill")),
    *(f"matches -o {name}" for name in ("json", "csv", "jsonl")),
    *(f"games {of} -o json" for of in ("", "pazaak", "sabacc")),
    *(f"check game {game} --redeals 10 --seed 3 -o json" for game in ("pazaak", "sabacc")),
    "check cases cases.json -o json",
)
"""Every rating system, exporter and game."""


def documents(folder: Path, site: Path | None = None, played: Path | None = None) -> Documents:
    """The answers to all commands, in a new folder.

    Args:
        site: What is installed there as well.
        played: A folder whose database is taken over, with all tournaments.
    """
    environment = dict(os.environ, ARENA_DB=str(folder / "arena.db"))
    if site:
        environment["PYTHONPATH"] = str(site)
    shutil.copy(CASES, folder / "cases.json")

    def answer(words: str) -> str:
        code, out, err = run_in_process(words.split(), folder, environment)
        assert (code, "warning" in err) == (0, False), f"{words}: {out}{err}"
        return out

    if played:
        shutil.copy(played / "arena.db", folder)
    else:
        for words in TOURNAMENTS:
            volume = "" if "--best-of" in words or "--stage" in words else "--games 4"
            answer(f"tournament run --seed 7 --concurrency 1 -o json {words} {volume}")
    found = {words: answer(words) for words in DOCUMENTS}
    answer("export 1 matches -o parquet --to matches.parquet")
    return {**found, "parquet": (folder / "matches.parquet").read_bytes()}


def installed(folder: Path, theirs: dict[str, str]) -> Path:
    """A folder of the path in which another distribution has these entry points instead of us."""
    kept = {name: module for name, module in OURS.items() if name not in theirs}
    put_distribution(folder, OWN_DISTRIBUTION, {GROUP: kept}, {}, version(OWN_DISTRIBUTION))
    put_distribution(folder, "arena-twin", {GROUP: theirs}, {})
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which our own plugins played."""
    return tmp_path_factory.mktemp("ours")


@pytest.fixture(scope="module")
def ours(folder: Path) -> Documents:
    """The documents with our own plugins."""
    return documents(folder)


@pytest.mark.parametrize("taken", ["games", "formats", "results"])
def test_the_documents_are_the_same_to_the_byte(tmp_path, monkeypatch, folder, ours, taken):
    site = installed(tmp_path / "site", {taken: OURS[taken]})
    monkeypatch.syspath_prepend(site)
    registry = Registry()
    assert (len(registry.games()), len(registry.formats())) == (2, 10)
    assert [*registry.exporters()] == ["json", "csv", "jsonl", "parquet"]
    assert registry.label(*ONE_OF[taken]).endswith("of distribution arena-twin 1.0")
    found = documents(tmp_path, site, folder if taken == "results" else None)
    assert [words for words in ours if ours[words] != found[words]] == []


def test_there_is_a_tournament_of_every_format_and_each_of_its_options(ours):
    shown = [json.loads(ours[f"tournament show {at} -o json"]) for at in range(1, 13)]
    played = {name for each in shown for name in each["tournament"]["format"].split("+")}
    formats = {each.name: each for each in Registry().formats()}
    assert played == {*formats}
    typed = " ".join(TOURNAMENTS).replace("-", "_")
    assert [key for key in options_of(formats.values()) if key not in typed] == []
