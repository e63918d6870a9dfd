"""A tournament over places in processes of their own has the results of the local run."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from tests.cli.tournament_runs import Place, check_same
from tests.preloaded import Preloaded

ROOT = Path(__file__).parents[2]
OWN = """
import arena


class Own(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[-1]
"""
EXTENSION = [
    f"extensions/arena-dask/arena_dask/{name}.py"
    for name in ("cluster", "executor", "kind", "roster", "worker")
]
LATE = """
import time

import arena


class Late(arena.Bot):
    def act(self, observation):
        time.sleep(0.6)
        return observation.legal_actions[0]
"""
RUN = (
    *("tournament", "run", "--seed", "7", "--games", "20"),
    *("--bot", "own.py", "--bot", "random", "--bot", "stand(at=17)"),
)


class Cluster(Place):
    """A folder in which the executor ``pipes`` is installed."""

    def __init__(self, folder: Path, preloaded: Preloaded) -> None:
        super().__init__(folder, preloaded)
        self.cache = folder / "cache"
        self.cache.mkdir(mode=0o700)
        (folder / "own.py").write_text(OWN)
        (folder / "late.py").write_text(LATE)
        about = folder / "site" / "arena_pipes-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-pipes\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[arena]\npipes = tests.places.pipes\n")
        paths = [str(folder / "site"), str(ROOT), self.env.get("PYTHONPATH", "")]
        self.env["PYTHONPATH"] = os.pathsep.join(filter(None, paths))

    def executor(self, *breaks: str) -> tuple[str, str]:
        return "--executor", f"pipes(cache={str(self.cache)!r}, breaks={':'.join(breaks)!r})"


@pytest.fixture
def cluster(tmp_path: Path, preloaded: Preloaded) -> Cluster:
    return Cluster(tmp_path, preloaded)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory, preloaded: Preloaded) -> tuple[object, ...]:
    place = Cluster(tmp_path_factory.mktemp("local"), preloaded)
    run = place.process(*RUN)
    assert run.code == 0, run.err
    return place.outcome()


@pytest.mark.parametrize(
    "breaks",
    [
        ("no", "no"),
        ("slot", "slot"),
        ("fails", "no"),
        ("engine", "no"),
        ("archive", "no"),
        ("level", "no"),
        ("dies-once-1.1.5", "no"),
    ],
    ids=lambda breaks: breaks[0],
)
def test_places_that_fail_change_no_result(cluster, local, breaks):
    run = cluster.process(*RUN, *cluster.executor(*breaks))
    assert run.code == 0, run.err
    check_same(cluster.outcome(), local)
    assert not run.err.count("void")
    contents = [each.name for each in cluster.cache.iterdir() if each.name != ".died"]
    assert [len(name) for name in contents] == [64]  # the archive of own.py, and nothing else


def test_an_altered_archive_in_the_cache_is_replaced(cluster, local):
    assert cluster.process(*RUN, *cluster.executor("no")).code == 0
    run = cluster.process(*RUN, *cluster.executor("cache"))
    assert run.code == 0, run.err
    (own,) = cluster.cache.rglob("*.py")
    assert own.read_text() == OWN


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("engine", "place-1: engine differs: here game pazaak 99, sent pazaak"),
        ("archive", "place-1: bot own differs: here"),
        ("level", "is unavailable here: no Landlock"),
    ],
)
def test_where_no_place_can_play_each_says_why(cluster, how, says):
    run = cluster.process(*RUN, *cluster.executor(how))
    assert run.code == 2
    assert says in run.err
    assert "Traceback" not in run.err


def test_a_match_that_kills_every_place_is_void_and_the_others_are_played(cluster, local):
    run = cluster.process(*RUN, *cluster.executor("dies-at-1.1.5", "dies-at-1.1.5"))
    assert run.code == 1
    assert "match 1.1.5 (random against stand(at=17)) was void: 3 places failed with it" in run.err
    assert "place-" in run.err
    assert cluster.stored() == 19
    again = cluster.process("tournament", "resume", "1", *cluster.executor("no", "no"))
    assert again.code == 0, again.err
    check_same(cluster.outcome(), local)
    losses = cluster.process("tournament", "losses", "1").out
    assert "place-" in losses


LIMITED = (
    *("tournament", "run", "--seed", "7", "--games", "2", "--decision-seconds", "0.3"),
    *("--bot", "late.py", "--bot", "random"),
)


def test_no_bot_loses_by_time_on_a_slow_place(cluster, tmp_path_factory, preloaded):
    own = Cluster(tmp_path_factory.mktemp("own"), preloaded)
    assert own.process(*LIMITED).code == 0
    run = cluster.process(*LIMITED, *cluster.executor("slow", "quick"))
    assert run.code == 0, run.err
    assert {each.record.outcome.termination for each in cluster.played()} == {"timeout"}
    check_same(cluster.outcome(), own.outcome())


def test_where_all_places_are_slow_a_match_that_ran_out_of_time_is_void(cluster):
    run = cluster.process(*LIMITED, *cluster.executor("slow"))
    assert run.code == 1
    assert "place-1: a bot used up its time, and the place has 30% of the usual speed" in run.err
    assert cluster.stored() == 0


def test_a_tournament_is_resumed_with_any_executor(cluster, local):
    run = cluster.process(*RUN, "--pause-after-round", "1", *cluster.executor("no"))
    assert run.code == 0, run.err
    again = cluster.process("tournament", "resume", "1", "--executor", "local")
    assert again.code == 0, again.err
    check_same(cluster.outcome(), local)


@pytest.mark.parametrize(
    "file",
    [
        "tests/places/pipes.py",
        "examples/arena-executor-ray/arena_executor_ray/executor.py",
        *EXTENSION,
    ],
)
def test_executors_are_built_on_the_contract_alone(file):
    tree = ast.parse((ROOT / file).read_text())
    used = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("arena.")
    }
    assert {name for name in used if not name.startswith("arena.core.")} <= {"arena.host.place"}
