"""Whole tournaments by an executor of a test: each has the chain of the local run."""

from __future__ import annotations

import ast
import os
import re
import shutil
import signal
import sys
from functools import partial
from pathlib import Path

import psutil
import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.queries import tournament
from arena_tournaments.spec.keys import TournamentSpec

from arena.cli.texts.ledgers import void_text
from arena.core.errors import BadInput, HarnessFault
from arena.core.tournaments import lanes
from arena.plugins.registry import Registry
from arena.service.answers.steps import await_steps
from arena.service.league import run as league_module
from arena.service.league.league_file import LeagueSpec
from arena.service.league.run import LeagueRun, Unobserved
from arena.service.lookup.resolver import BotResolver
from arena.service.report.checks.verification import verify_tournament
from arena.service.run.executors import checked
from arena.service.run.run import begin, play
from arena.service.run.verbs import RunContext, redo
from arena.service.run.watching.progress import Progress
from arena.service.setup.resolve import resolve
from tests.cli.in_process import run_in_process
from tests.plugins.distributions import put_distribution
from tests.tournaments.executors import far

ROOT = Path(__file__).parents[3]
KEYS = {"bots": ["random", "stand(at=17)", "counter"], "games": 40, "seed": 7, "concurrency": 2}
DYING_WORKERS = """
import os, sys
if "arena.host.stdio" in sys.orig_argv:
    os._exit(1)
"""
NO_PROGRAMS = "import os; os.environ['PATH'] = ''"
LIAR = """
import sys
if "arena.host.stdio" in sys.orig_argv:
    import msgspec
    from arena.core.outcome import Termination
    from arena.core.tournaments.wire import decode_matches, encode
    from arena.host.play import worker

    def forged(match):
        outcome = match.record.outcome
        changed = msgspec.structs.replace(outcome, CHANGES)
        record = msgspec.structs.replace(match.record, outcome=changed)
        return msgspec.structs.replace(match, record=record)

    honest = worker.play_chunk
    worker.play_chunk = lambda *job: encode([forged(each) for each in decode_matches(honest(*job))])
"""
OTHER_WINNER = LIAR.replace("CHANGES", "returns=outcome.returns[::-1]")
CRASHES = LIAR.replace("CHANGES", "termination=Termination.CRASH, offender=0, move=0, reason='x'")
AS_FAST_AS_USUAL = """
from arena.host import place
place._speed = lambda: 1.0
"""
TIMEOUTS = CRASHES.replace("CRASH", "TIMEOUT") + AS_FAST_AS_USUAL
SLOW = "import sys; sys.setprofile(lambda *seen: None)"
SLEEPER = """
import sys, time
from arena import Bot

class Sleeper(Bot):
    def act(self, observation):
        if sys.getprofile() is not None:  # the place is slow
            open("SEEN", "w").close()
            time.sleep(60)
        return observation.legal_actions[-1]
"""
KILLER = """
import os, signal
from arena import Bot

class Killer(Bot):
    def act(self, observation):
        os.kill(os.getpid(), signal.SIGKILL)
"""


class Places:
    """The folder of the places, and the results of one tournament that they play."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bots = folder / "places", folder
        self.database = open_database(f"sqlite:///{folder}/far.db")
        self.late, self.notices = 10.0, []

    def add(self, name: str, site: str = "") -> Path:
        """Adds a place, with a module that Python runs as it starts; returns its folder."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        (folder / "sitecustomize.py").write_text(site)
        return folder

    def pid(self, name: str) -> int:
        return int((self.folder / f".{name}.pid").read_text())

    async def play(self, disturb=lambda: None, **keys):
        """Plays a tournament, disturbed once in the middle; returns it as stored."""
        executor = f"far(folder={self.folder}, late={self.late})"
        return await self._play(KEYS | {"executor": executor} | keys, disturb)

    async def local(self, **keys):
        return await self._play(KEYS | keys, lambda: None)

    async def redo(self, stored, place):
        """Plays the matches of a place again, and the tournament to its end."""
        seen = []

        class Context(RunContext):
            def redone(self, redone):
                seen.append(redone)

        context = Context(Registry(), self.database)
        await await_steps(redo(context, stored.summary.id, place))
        return seen[0]

    def now(self, stored):
        return tournament(self.database, stored.summary.id)

    async def _play(self, keys, disturb):
        class Disturbed(Progress):
            todo = [disturb]

            def matches_played(self, matches):
                super().matches_played(matches)
                if self.done > self.total // 4 and self.todo:
                    self.todo.pop()()

        with BotResolver(Registry(), self.database) as resolver:
            resolved = await trio.to_thread.run_sync(resolve, resolver, keys)
            run = await begin(self.database, resolved)
            pace = run.pace()
            pace.notice = self.notices.append
            try:
                await play(run, Disturbed(run.plan), pace)
            finally:
                self.stored = tournament(self.database, run.number)
        assert self.stored.summary.status is Status.FINISHED
        return self.stored


@pytest.fixture
def places(tmp_path, monkeypatch):
    put_distribution(
        tmp_path / "site",
        "arena-far",
        {"arena": {"far": "arena_far"}},
        {
            "arena_far.py": "from tests.tournaments.executors.far import FarExecutors\n"
            "def arena_executors(): return [FarExecutors()]\n"
        },
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(lanes, "MAX_WAIT_SECONDS", 0.2)
    places = Places(tmp_path)
    with places.database:
        yield places
    sys.modules.pop("arena_far", None)
    assert {each.name for each in (places.folder / ".cache").glob(".*")} == set()


def worker_of(pid: int) -> psutil.Process:
    [worker] = psutil.Process(pid).children()
    return worker


def test_it_is_short_and_uses_the_contract_alone():
    code = Path(far.__file__).read_text()
    assert len(code.splitlines()) <= 150
    lines = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    ours = {line.module for line in lines if line.module.startswith("arena")}
    assert {name for name in ours if not name.startswith("arena.core.")} == {"arena.host.place"}
    assert not [each.name for line in lines for each in line.names if each.name.startswith("_")]


async def test_the_chain_is_that_of_the_local_run_also_when_a_worker_is_killed(places):
    places.add("a"), places.add("b")
    local = await places.local()
    quiet = await places.play()
    assert (quiet.chain, quiet.void) == (local.chain, ())
    killed = []

    def kill():
        killed.append(worker_of(places.pid("a")))
        killed[0].kill()

    after = await places.play(kill)
    assert killed
    assert (after.chain, after.void) == (local.chain, ())


@pytest.mark.thorough("another failure than that of the killed worker")
async def test_a_place_that_always_fails_is_left_to_itself(places):
    places.add("bad", DYING_WORKERS), places.add("good")
    played = await places.play()
    assert (played.chain, played.void) == ((await places.local()).chain, ())


@pytest.mark.thorough("another failure than that of the killed worker")
async def test_a_frozen_place_is_given_up_and_begun_anew(places):
    places.add("a"), places.add("b")
    places.late, pids = 3.0, []

    def freeze():
        pids.append(places.pid("a"))
        os.kill(pids[0], signal.SIGSTOP)

    played = await places.play(freeze, match_seconds=5)
    assert (played.chain, played.void) == ((await places.local(match_seconds=5)).chain, ())
    assert places.pid("a") not in pids


@pytest.mark.thorough("another failure than that of the killed worker")
async def test_a_place_that_is_killed_is_begun_anew(places):
    places.add("a")
    played = await places.play(lambda: os.kill(places.pid("a"), signal.SIGKILL))
    assert (played.chain, played.void) == ((await places.local()).chain, ())


@pytest.mark.thorough("copies of the engine take seconds to load", everyday=["level"])
@pytest.mark.parametrize(
    "altered",
    [{}, {"engine": ("arena", "match/play.py"), "bot": ("bots/arena_bots", "uniform_random.py")}],
    ids=["level", "all"],
)
async def test_a_place_with_another_engine_bot_or_level_plays_nothing(places, altered):
    for name, (package, module) in altered.items():
        copy = places.add(name) / Path(package).name
        shutil.copytree(ROOT / package, copy, ignore=shutil.ignore_patterns("web", "pages"))
        with (copy / module).open("a") as file:
            file.write("# changed\n")
    places.add("level", NO_PROGRAMS)
    bot = places.bots / "sleeper.py"
    bot.write_text(SLEEPER)
    keys = {"bots": ["random", str(bot)], "games": 4, "isolation": "boxed"}
    with pytest.raises(BadInput) as raised:
        await places.play(**keys)
    refusals = dict(line.split(": ", 1) for line in str(raised.value).split("; "))
    says = {
        "bot": "module arena_bots differs:",
        "engine": "engine differs:",
        "level": "level boxed is unavailable",
    }
    assert {name: line.partition(" here")[0] for name, line in refusals.items()} == {
        name: says[name] for name in (*altered, "level")
    }
    places.add("good")
    played = await places.play(**keys)
    assert (played.chain, played.void) == ((await places.local(**keys)).chain, ())


@pytest.mark.thorough("another failure than that of the killed worker")
async def test_files_of_a_bot_that_were_changed_in_a_cache_are_unpacked_again(places):
    places.add("a")
    bot = places.bots / "sleeper.py"
    bot.write_text(SLEEPER)
    keys = {"bots": ["random", str(bot)], "games": 4}
    first = await places.play(**keys)
    [kept] = [each for each in (places.folder / ".cache").iterdir() if each.is_dir()]
    (kept / "sleeper.py").write_text(SLEEPER.replace("[-1]", "[0]"))
    assert (await places.play(**keys)).chain == first.chain
    assert (kept / "sleeper.py").read_text() == SLEEPER


async def test_a_match_that_kills_every_worker_is_void_and_the_others_are_played(places):
    places.add("a"), places.add("b"), places.add("c")
    bot = places.bots / "killer.py"
    bot.write_text(KILLER)
    keys = {"bots": ["random", "stand", "counter", str(bot)], "games": 2, "trust": ["killer"]}
    with pytest.raises(HarnessFault) as raised:
        await places.play(**keys)
    says = r"match 1\.\d\.\d \(.*killer.*\) was void: 3 places failed with it; the last: [abc]: "
    assert re.match(says, str(raised.value))
    void = places.stored.void
    assert len({each.key for each in void}) == len(void) == 2
    assert {each.reason[1:] for each in void} == {": a worker process failed: died"}
    shown = void_text(void, places.stored.names, 1, "")
    assert re.search(r"\(harness fault: [abc]: a worker process failed: died", shown)
    assert places.stored.summary.matches == 2
    assert places.stored.summary.status is Status.INTERRUPTED


async def test_a_timeout_at_a_slow_place_is_played_again_at_another(places):
    places.add("slow", SLOW), places.add("usual", AS_FAST_AS_USUAL)
    bot = places.bots / "sleeper.py"
    seen = places.bots / "seen"
    bot.write_text(SLEEPER.replace("SEEN", str(seen)))
    keys = {"bots": ["random", "counter", str(bot)], "games": 6, "trust": ["sleeper"]}
    limits = {"decision_seconds": 0.5}
    played = await places.play(**keys, **limits)
    assert seen.exists()
    assert (played.chain, played.void) == ((await places.local(**keys, **limits)).chain, ())


async def test_a_place_that_makes_up_losses_is_barred_and_the_tournament_goes_on(places):
    places.add("liar", CRASHES), places.add("a")
    played = await places.play()
    assert (played.chain, played.void) == ((await places.local()).chain, ())
    [line] = places.notices
    says = (
        r"match 1\.\d\.\d+ \(.* against .*\): the record of place liar is not what this machine "
        r"plays, .* again: arena tournament redo 1 --place liar --db sqlite:"
    )
    assert re.match(says, line)


@pytest.mark.thorough("another verdict about a loss")
async def test_a_timeout_that_this_machine_does_not_confirm_is_void(places):
    places.add("a", TIMEOUTS)
    played = await places.play(games=2)
    assert played.chain == (await places.local(games=2)).chain
    says = "a: x, and this machine does not confirm it"
    assert [each.reason for each in played.void] == [says] * played.summary.matches


@pytest.mark.thorough("another reason to play a match again than a loss")
async def test_of_other_matches_a_sample_is_played_again(places, monkeypatch):
    places.add("liar", OTHER_WINNER)
    monkeypatch.setattr(checked, "SHARE", 1)
    played = await places.play(games=2)
    assert played.chain == (await places.local(games=2)).chain
    [line] = places.notices
    assert "the record of place liar is not" in line


@pytest.mark.thorough("no round is paired again", everyday=["swiss"])
@pytest.mark.parametrize(
    "keys",
    [{"games": 10}, {"format": "swiss", "rounds": 3, "games": 4}],
    ids=["round-robin", "swiss"],
)
async def test_what_a_place_made_up_is_replaced_and_the_chain_right(places, monkeypatch, keys):
    monkeypatch.setattr(checked, "SHARE", 0)
    places.add("a"), places.add("liar", OTHER_WINNER)
    local, lied = await places.local(**keys), await places.play(**keys)
    assert lied.chain != local.chain
    with pytest.raises(BadInput, match="was played at b; places: a, liar"):
        await places.redo(lied, "b")
    assert (await places.redo(lied, "a")).differ == 0
    assert places.now(lied).chain == lied.chain
    redone = await places.redo(lied, "liar")
    assert 0 < redone.differ <= redone.matches
    stored = places.now(lied)
    assert (stored.chain, stored.sums) == (local.chain, local.sums)
    assert len(stored.void) >= 1
    assert {each.reason for each in stored.void} == {
        "liar: its record is not what this machine plays"
    }
    verify = partial(verify_tournament, Registry(), places.database, stored.summary.id)
    assert (await trio.to_thread.run_sync(verify)).difference == ""
    with pytest.raises(BadInput, match="places: none, all of it was played here"):
        await places.redo(lied, "liar")


@pytest.mark.thorough("tests/service/test_league.py plays leagues here")
async def test_a_league_waits_for_its_places_and_loses_nothing(places, monkeypatch):
    """The machines go away in the middle of a season, and come back."""
    monkeypatch.setattr(league_module, "RETRY_SECONDS", 0.2)
    monkeypatch.setattr(league_module, "LOOK_SECONDS", 0.2)
    away = places.bots / "away"
    places.add("a", f"import os; os.path.exists({str(away)!r}) and os._exit(1)")
    keys = TournamentSpec(
        format_options={"within": 60.0}, games=40, concurrency=1, isolation="confined",
        executor=f"far(folder={places.folder})",
    )  # fmt: skip
    house = ("stand(at=17)", "random", "counter", "stand")
    spec = LeagueSpec(name="Cantina", house=house, tournament=keys)
    lines = []

    class Lines(Unobserved):
        def changed(self, line):
            lines.append(line)

    def stored():
        return tournament(places.database, 1)

    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(LeagueRun(Registry(), places.database, spec, Lines()).run)
            while not lines or not stored().summary.matches:
                await trio.sleep(0.02)
            away.touch()
            os.kill(places.pid("a"), signal.SIGKILL)
            while "a: it ended" not in lines:
                await trio.sleep(0.02)
            before = stored().summary
            await trio.sleep(1)
            assert lines.count("a: it ended") == 1
            away.unlink()
            while stored().summary.status is not Status.WAITING:
                await trio.sleep(0.1)
            nursery.cancel_scope.cancel()
    after = stored().summary
    assert before.matches < after.matches
    assert stored().void == ()
    assert str(places.folder) not in after.spec


def test_the_command_says_how_many_differed_and_what_it_leaves_is_whole(places, monkeypatch):
    monkeypatch.setattr(checked, "SHARE", 0)
    places.add("liar", OTHER_WINNER)
    lied = trio.run(partial(places.play, games=2))
    redo = ("tournament", "redo", "1", "--place", "liar", "--db", places.database.url)
    code, out, err = run_in_process(redo, places.bots, os.environ)
    assert code == 0
    says = "6 matches of place liar in tournament 1 played again; 6 of them differed "
    assert err.startswith(f"{says}and are replaced\n")
    assert "6 matches were void and played again" in out
    assert places.now(lied).chain == trio.run(partial(places.local, games=2)).chain
    says = "no match of tournament 1 was played at liar; places: none, all of it was played here"
    assert run_in_process(redo, places.bots, os.environ) == (2, "", f"arena: {says}\n")
