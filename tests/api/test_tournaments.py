"""Tournaments from Python: run, stopped, resumed, reported, by callers with and without a loop."""

from __future__ import annotations

import asyncio
import signal
import warnings

import pytest
import trio

import arena
from arena.core.errors import BadSpec, UnknownName
from tests.api.test_play_match import Cautious, Clumsy

FIELD = ["counter", "stand(at=17)", "random"]


@pytest.fixture
def db(tmp_path):
    with arena.open_database(tmp_path / "cups.db") as db:
        yield db


def test_a_tournament_is_run_and_reported(db):
    cup = db.run(FIELD, games=4, seed=3, name="spring")
    assert (cup.number, cup.finished, cup.summary.name) == (1, True, "spring")
    assert [row["name"] for row in cup.standings()] == ["counter", "stand(at=17)", "random"]
    assert sum(row["points"] or 0 for row in cup.rounds()) == 12
    assert [row["pairing"] for row in cup.rounds()].count(None) == 3
    assert len(cup.matches()) == 12
    assert cup.losses() == []
    assert cup.result() is None
    assert [row["name"] for row in cup.crosstable()] == [row["name"] for row in cup.standings()]
    assert [row["id"] for row in db.tournaments()] == [1]
    assert db.tournament(1).document() == cup.document()


def test_a_file_is_run_and_arguments_overrule_it(db, tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text('bots = ["counter", "random"]\ngames = 4\nkey = "' + "0" * 32 + '"\n')
    cup = db.run(file=file, seed=5, games=2)
    assert (cup.summary.games, cup.summary.seed, cup.summary.key) == (2, 5, None)
    with pytest.raises(BadSpec, match=r"cup.toml: rounds: expected"):
        db.run(file=file, rounds=0)


def test_two_bots_have_a_result(db):
    result = db.match("counter", "random", games=8).result()
    assert result is not None
    assert (result["point_of_view"], result["games"]) == ("counter", 8)
    table = db.match("target-total", "cautious-folder", "random", game="sabacc")
    assert table.document()["tournament"]["seats"] == 3


def test_progress_is_called_and_may_stop_the_run(db):
    seen = []
    cup = db.run(FIELD, games=4, progress=lambda progress: seen.append(progress.done))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 12)

    def enough(progress):
        if progress.done:
            raise EnoughError

    with pytest.raises(EnoughError):
        db.run(["random", Cautious], games=2000, progress=enough)
    stopped = db.tournament(2)
    assert (stopped.finished, cup.finished) == (False, True)
    assert 0 < len(stopped.matches()) < 2000
    assert {row["seed"] for row in stopped.matches()} == {None}
    resumed = db.resume(2, [Cautious])
    assert (resumed.finished, len(resumed.matches())) == (True, 2000)
    assert db.resume(2).document() == resumed.document()


class EnoughError(Exception):
    pass


def test_an_unknown_tournament_is_named(db):
    for call in (db.tournament, db.resume):
        with pytest.raises(UnknownName, match="unknown tournament '7'; choices: none"):
            call(7)


def test_losses_have_cause_move_and_traceback(db):
    cup = db.run([Clumsy, "random"], games=2)
    first, second = cup.losses()
    assert (first["name"], first["cause"], first["seat"]) == ("Clumsy", "crash", 0)
    assert first["match"] == "1.1.1.1"
    assert "no cards left to count" in first["error"]
    assert {first["seat"], second["seat"]} == {0, 1}
    assert cup.match(leg=2).outcome.offender == second["seat"]
    (row,) = (row for row in cup.standings() if row["name"] == "Clumsy")
    assert row["losses_by_cause.crash"] == 2


def test_open_seeds_are_warned_of(db, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from arena import Bot\nclass Mine(Bot):\n"
        "    def act(self, observation):\n        return observation.legal_actions[0]\n"
    )
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        db.run([tmp_path / "mine.py", "random"], games=2, seed=1, isolation="process")
    confined, seeds = (str(warning.message) for warning in warned)
    assert "NOT CONFINED" in confined
    assert "mine: a bot can find an open seed by trying" in seeds


async def test_a_trio_program_awaits_it_and_a_cancelled_one_is_resumed(db):
    with pytest.raises(arena.BadInput, match="await run_async"):
        db.run(FIELD, games=2)
    with trio.CancelScope() as scope:
        await db.run_async(
            ["random", "counter"],
            games=5000,
            progress=lambda progress: progress.done and scope.cancel(),
        )
    assert scope.cancelled_caught
    assert not db.tournament(1).finished
    played = len(db.tournament(1).matches())
    assert 0 < played < 5000
    with trio.move_on_after(0.5):
        await db.resume_async(1)
    assert len(db.tournament(1).matches()) >= played


async def test_two_tournaments_at_once(db):
    async with trio.open_nursery() as nursery:
        for bots in (["random", "counter"], ["random", Cautious]):
            nursery.start_soon(lambda bots=bots: db.run_async(bots, games=20))
    assert [row["status"] for row in db.tournaments()] == ["finished", "finished"]


@pytest.mark.parametrize("bot", ["counter", Cautious], ids=["workers", "here"])
def test_it_runs_where_asyncio_runs(db, bot):
    """As in a notebook; the loop goes on afterwards, and its signals arrive."""

    async def cell():
        came = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, came.set)
        match = arena.play_match(bot, "random")
        cup = db.run([bot, "random"], games=4)
        signal.raise_signal(signal.SIGUSR1)
        await asyncio.wait_for(came.wait(), 30)
        return match, cup

    match, cup = asyncio.run(cell())
    assert cup.finished
    assert match.outcome.termination == "rules"
