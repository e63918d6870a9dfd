"""The examples, used as an author would use them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from arena.cli.verbs.tournaments.demo import KEYS
from arena.core.errors import ParseError
from arena.core.outcome import Termination
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from tests.testing.plugin_runs import PYTEST

EXAMPLES = Path(__file__).parents[2] / "examples"
THIRTY_LINES = EXAMPLES / "bots" / "thirty_lines.py"


def play(names: tuple[str, str], matches: int) -> float:
    """The first bot's points over matches in which the seats take turns."""
    registry = Registry()
    game = registry.game("pazaak")
    makers = [load_bot(registry.resolve_bot(name, {"thirty_lines", "cautious"})) for name in names]
    points = 0.0
    for seed in range(matches):
        seated = [makers[(seat + seed) % 2] for seat in (0, 1)]
        record, _ = play_inline(game, game.ruleset(), seed, seed, seated, names, Limits())
        assert record.outcome.termination is Termination.RULES, record.outcome.reason
        points += (1 + record.outcome.returns[seed % 2]) / 2
    return points


@pytest.mark.parametrize("file", sorted((EXAMPLES / "tournaments").glob("*.toml")), ids=str)
def test_no_example_of_a_tournament_has_predictable_deals(file):
    assert not {"seed", "key"} & tomllib.loads(file.read_text()).keys()


def test_no_command_that_a_newcomer_copies_plays_with_an_open_seed():
    files = [(EXAMPLES.parent / name).read_text() for name in ("README.md", "Makefile")]
    commands = [line for text in files for line in text.splitlines() if "arena " in line]
    assert len(commands) > 10
    assert not [line for line in commands if re.search(r"--seed \d", line)]


def test_the_demo_has_no_predictable_deals():
    assert not {"seed", "key"} & KEYS.keys()


def test_the_single_file_bot_has_about_thirty_lines():
    assert len(THIRTY_LINES.read_text().splitlines()) <= 35


def test_the_single_file_bot_beats_chance():
    assert play((f"{THIRTY_LINES}(near=18)", "random"), 60) > 45


def test_the_package_is_found_by_its_entry_point_and_beats_chance(cautious_site, monkeypatch):
    monkeypatch.syspath_prepend(cautious_site)
    source = Registry().resolve_bot("cautious", {"cautious"})
    assert (source.kind, source.participant.version) == ("installed", "1.0.0")
    assert source.origin == "distribution arena-bot-cautious 1.0.0"
    assert play(("cautious(risk=0.3)", "random"), 60) > 45
    with pytest.raises(ParseError, match=r"risk is a chance, from 0 to 1, not 7.0"):
        load_bot(Registry().resolve_bot("cautious(risk=7)", {"cautious"}))


@pytest.mark.thorough("it is found and plays every day")
def test_the_packages_own_tests_pass_where_it_is_installed(tmp_path, site_env):
    shutil.copytree(EXAMPLES / "arena-bot-cautious" / "tests", tmp_path / "tests")
    run = subprocess.run(
        PYTEST, cwd=tmp_path, env=site_env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "5 passed" in run.stdout
