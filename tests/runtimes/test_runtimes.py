"""Programs of many languages play at the levels that the guide names, and at no other."""

from __future__ import annotations

import shutil
from functools import cache

import pytest

from arena.host.box.bubblewrap import bubblewrap
from arena.host.box.levels import Level
from arena.host.box.machine import describe
from arena.host.box.paths import NEED_PROC
from arena.host.builds.builder import built
from arena.host.builds.job import BuildLimits
from arena.plugins.submissions.archives import write_files
from arena.plugins.submissions.submission import read_package
from arena.plugins.submissions.unpacking import source_of
from tests.host.confined_plays import match_settings, offences, play, schedule, untrusted
from tests.host.levels import levels_here
from tests.runtimes.rows import AT_PROCESS, BEGIN, BOTS, END, PAGE, RUNTIMES, table

LEVELS = (Level.PROCESS, Level.CONFINED, Level.BOXED)
CASES = [(runtime, level) for level in LEVELS for runtime in RUNTIMES]


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    """Builds a bot once, as a submission is built; returns its files and metadata."""

    @cache
    def build(runtime):
        if missing := [name for name in runtime.needs if shutil.which(name) is None]:
            pytest.skip(f"{missing[0]} is not installed")
        if runtime.build and bubblewrap() is None:
            pytest.skip("bubblewrap is not installed")
        folder = tmp_path_factory.mktemp("bot")
        shutil.copy(BOTS / runtime.source, folder)
        (folder / "limit.txt").write_text("17\n")
        (folder / "pyproject.toml").write_text(
            f'[project]\nname = "bot"\nversion = "1.0"\n\n[tool.arena.bot]\n'
            f"command = {list(runtime.command)!r}\nbuild = {list(runtime.build)!r}\n"
            'games = ["pazaak"]\n'
        )
        return built(read_package(str(folder)), BuildLimits(seconds=300))

    return build


@pytest.mark.parametrize(
    ("runtime", "level"), CASES, ids=[f"{runtime.name}-{level}" for runtime, level in CASES]
)
@pytest.mark.thorough(
    "programs in C and JavaScript play at every level", everyday=["C++-confined", "Ruby-boxed"]
)
def test_a_runtime_plays_where_the_guide_says_so(tmp_path, submission, runtime, level):
    """With the default limits, and a file of its own that it reads in its working directory."""
    package = submission(runtime)
    if level not in levels_here():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    write_files(package.files, tmp_path / "bot")
    bots = [source_of(package, tmp_path / "bot"), untrusted("random")]
    played = play(match_settings(level=level), bots, schedule(2, deals=2))
    endings = {ending for _, ending in offences(played)}
    if runtime.plays[LEVELS.index(level)]:
        assert endings == {"rules"}, played[0].measurement.error
    else:
        assert "rules" not in endings


def test_the_guide_has_the_table_of_the_runtimes():
    _, begun, rest = PAGE.read_text().partition(BEGIN)
    assert begun
    assert rest.partition(END)[0].strip() == table().strip()


def test_arena_doctor_names_the_runtimes_that_nothing_confines():
    named = {runtime.command[0] for runtime in RUNTIMES if runtime.plays == AT_PROCESS}
    assert named <= set(NEED_PROC)
    assert all(name in describe()["programs"] for name in named)
