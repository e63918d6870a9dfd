"""Our formats, games and ratings give the same documents when another distribution has them."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

import pytest

from arena.core.options import options_of
from arena.plugins.manager import GROUP, OWN_DISTRIBUTION
from arena.plugins.registry import Registry
from tests.cli.in_process import run_in_process
from tests.plugins.distributions import put_distribution

OURS = {
    "career": "arena.cli.career",
    "games": "arena.plugins.builtin",
    "bots": "arena_bots.plugin",
    "formats": "arena_tournaments.plugin",
    "results": "arena_results.plugin",
}
"""Our entry points: careers, as a game of their own with cases and commands; games and case
drivers; bots; formats and executors; ratings and exporters."""
ONE_OF = {
    "career": ("game", "pazaak-career"),
    "games": ("game", "sabacc"),
    "formats": ("format", "swiss"),
    "results": ("exporter", "csv"),
}
"""Of each entry point one object, with its kind."""
DATA = Path(__file__).parents[1] / "conformance" / "data"
CASES = {"cases.json": DATA / "pazaak_more.json", "career.json": DATA / "pazaak_career.json"}
FOUR = "--bot stand --bot random --bot stand(at=15) --bot hand-saver"
Answers: TypeAlias = dict[str, str | bytes]
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
    f"{FOUR} --stage swiss(rounds=1,acceleration=baku)"
    " --stage knockout(take=2,cut_ties=playoff,first_to=2)",
    f"{SABACC} --format tables --seats 3",
    f"{SABACC} --format table-swiss --seats 3 --rounds 2",
)
"""Every format, with every option of each."""
OF_GAMES = (
    *(f"games {of} -o json" for of in ("", "pazaak", "sabacc")),
    "check game pazaak --redeals 2 --seed 3 -o json",
    "check game sabacc --ruleset old_republic(hands=1) --redeals 2 --seed 3 -o json",
    "check cases cases.json -o json",
)
SYSTEMS = (
    *("joint", "elo", "glicko2", "openskill", "pl"),
    *("elo(k=8,start=1000)", "glicko2(tau=1)", "joint(prior=50,scale=log,seat_effect=false)"),
)
"""The rating systems of every board, and every option of each."""
OF_RESULTS = (
    *(f"leaderboard --rating {name} -o json" for name in SYSTEMS),
    "leaderboard --rating bt --tournament 1 -o json",
    *(f"matches -o {name}" for name in ("json", "csv", "jsonl")),
    "export 1 matches -o parquet --to matches.parquet",
)
"""Every rating system, and every exporter."""
OF_CAREER = (
    "career new me.json --auxiliary --cheats --seed 7 --db sqlite:///career.db",
    "career play me.json novice --wager 5 --roll",
    "career show me.json -o json",
    "matches --db sqlite:///career.db -o json",
    "replay 1.1.1.1 --db sqlite:///career.db",
    "games pazaak-career -o json",
    "check cases career.json -o json",
)
"""The commands of careers, and what others say of their game."""
ASKED = {
    "career": OF_CAREER,
    "games": (TOURNAMENTS[0], TOURNAMENTS[-1], *OF_GAMES),
    "formats": TOURNAMENTS,
    "results": OF_RESULTS,
}
"""The commands whose answers come from what each entry point brings."""


def answers(folder: Path, asked: Iterable[str], site: Path | None = None) -> Answers:
    """The answers to commands in a folder, with what is installed in ``site``."""
    environment = dict(os.environ, ARENA_DB=str(folder / "arena.db"))
    if site:
        environment["PYTHONPATH"] = str(site)
    for name, cases in CASES.items():
        shutil.copy(cases, folder / name)
    found: Answers = {}
    for words in asked:
        command = words
        if words.startswith("--"):
            volume = "" if "--best-of" in words or "--stage" in words else "--games 4"
            command = f"tournament run --seed 7 --concurrency 1 -o json {words} {volume}"
        code, out, err = run_in_process(command.split(), folder, environment)
        found[words] = out.replace(str(folder), "")
        assert (code, "warning" in err) == (0, False), f"{words}: {err}"
        if "parquet" in words:
            found[words] = (folder / "matches.parquet").read_bytes()
    return found


def unnumbered(answer: str | bytes) -> object:
    """A tournament's document without its number in the database; any other answer as it is."""
    if not (isinstance(answer, str) and answer.startswith("{") and '"tournament": {' in answer):
        return answer
    document = json.loads(answer)
    del document["tournament"]["id"]
    return json.dumps(document)


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
def ours(folder: Path) -> Answers:
    """The answers with our own plugins."""
    return answers(folder, (*TOURNAMENTS, *OF_GAMES, *OF_RESULTS, *OF_CAREER))


@pytest.mark.parametrize("taken", ASKED)
def test_the_documents_are_the_same_to_the_byte(tmp_path, monkeypatch, folder, ours, taken):
    site = installed(tmp_path / "site", {taken: OURS[taken]})
    monkeypatch.syspath_prepend(site)
    registry = Registry()
    assert (len(registry.games()), len(registry.formats())) == (2, 10)
    assert registry.game("pazaak-career").version == "1"
    assert [*registry.exporters()] == ["json", "csv", "jsonl", "parquet"]
    assert registry.label(*ONE_OF[taken]).endswith("of distribution arena-twin 1.0")
    if taken == "results":
        shutil.copy(folder / "arena.db", tmp_path)
    found = answers(tmp_path, ASKED[taken], site)
    assert [words for words in found if unnumbered(ours[words]) != unnumbered(found[words])] == []


def test_there_is_a_tournament_of_every_format_and_each_of_its_options(ours):
    shown = [json.loads(ours[words]) for words in TOURNAMENTS]
    played = {name for each in shown for name in each["tournament"]["format"].split("+")}
    formats = {each.name: each for each in Registry().formats()}
    assert played == {*formats}
    typed = " ".join(TOURNAMENTS).replace("-", "_")
    assert [key for key in options_of(formats.values()) if key not in typed] == []


def test_there_is_a_board_of_every_rating_system_and_each_of_its_options():
    systems = Registry().rating_systems()
    typed = " ".join(OF_RESULTS)
    named = (*systems, *options_of(systems.values()))
    assert [word for word in named if not re.search(rf"\b{word}\b", typed)] == []
