"""The final of a league: submissions close at a time, the season ends, a longer run decides."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

import pytest
import trio
from arena_results.bots.authors import author_of, new_token
from arena_results.bots.seasons import Season, final_of, seasons
from arena_results.bots.submissions import SubmissionStatus, set_status
from arena_results.bots.uploads import UploadState, take_next, uploads
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.organising import delete_tournament
from arena_results.store.queries import tournament
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput
from arena.plugins.registry import Registry
from arena.service.league.final import Closed, season_state
from arena.service.league.league_file import FinalSpec, LeagueSpec
from arena.service.league.league_queue import accept_upload
from arena.service.league.phase import Stage, phase_of
from arena.service.league.run import LeagueRun, Unobserved
from arena.service.report.checks.verification import verify_tournament

AT = datetime(2026, 3, 1, 18, tzinfo=UTC)
PATIENCE = 120
REGISTRY = Registry()
BOT = """
from arena import Bot

__version__ = "1"


class Careful(Bot):
    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total >= {at} else end_turn
"""
pytestmark = pytest.mark.usefixtures("shallow_search", "uploads_as_forks")


@pytest.fixture
def empty(tmp_path):
    with open_database(f"sqlite:///{tmp_path / 'league.db'}", create=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def begun(tmp_path_factory, shallow_search, uploads_as_forks):
    """The file of a league in which two submitted bots play."""
    file = tmp_path_factory.mktemp("begun") / "league.db"
    with open_database(f"sqlite:///{file}", create=True) as opened:
        trio.run(entered, opened, league(), Clock(), 15, 16)
    return file


@pytest.fixture
def database(begun, tmp_path):
    """A database with careful-15 and careful-16 in its season."""
    shutil.copy(begun, tmp_path / "league.db")
    with open_database(f"sqlite:///{tmp_path / 'league.db'}") as opened:
        yield opened


class Lines(Unobserved):
    def __init__(self):
        self.lines = []

    def changed(self, line):
        self.lines.append(line)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, time=AT - timedelta(days=1)):
        self.time = time

    def __call__(self):
        return self.time


def league(**changes):
    values = {
        "name": "Cantina",
        "house": ("stand(at=17)", "random"),
        "tournament": TournamentSpec(format_options={"within": 1000.0}, games=4, concurrency=1),
        "final": FinalSpec(at=AT, matches=20),
    }
    return LeagueSpec(**values | changes)


async def run_until(database, spec, clock, over, observer=None):
    """Runs a league until ``over`` holds of its phase."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            run = LeagueRun(REGISTRY, database, spec, observer, clock=clock).run
            nursery.start_soon(run)
            while not over(await trio.to_thread.run_sync(phase, database, spec, clock)):
                await trio.sleep(0.1)
            nursery.cancel_scope.cancel()


def phase(database, spec, clock):
    return phase_of(spec, clock(), season_state(REGISTRY, database, spec))


async def send(database, spec, clock, at, author="Ann"):
    token = author_of(database, new_token(database, author, AT), AT)
    code = BOT.format(at=at).encode()
    return await accept_upload(database, spec, token, f"careful-{at}.py", code, print, clock)


async def entered(database, spec, clock, *totals, observer=None):
    """Runs a league until submitted bots play in its season."""
    for at in totals:
        await send(database, spec, clock, at)

    def all_play(_):
        begun = seasons(database, spec.name)
        playing = tournament(database, begun[-1].tournament_id).names if begun else ()
        return {f"careful-{at}" for at in totals} <= {*playing}

    await run_until(database, spec, clock, all_play, observer)


async def test_submissions_close_the_season_ends_and_its_first_play_a_final(database):
    spec, clock, seen = league(final=FinalSpec(AT, 20, "top 2")), Clock(), Lines()
    waiting = await send(database, spec, clock, 17)  # received in time, and decided after it
    clock.time = AT
    with pytest.raises(Closed, match=r"Cantina, season 1 closed at 2026-03-01 18:00 UTC$"):
        await send(database, spec, clock, 18)
    assert phase(database, spec, clock).stage is Stage.DECIDING

    def is_reported(now):
        return now.stage is Stage.OVER and seen.lines[-1].endswith("has won")

    await run_until(database, spec, clock, is_reported, seen)

    assert uploads(database)[-1].id == waiting.id
    assert uploads(database)[-1].state is UploadState.ENTERED
    season, final = tournament(database, 1), tournament(database, 2)
    assert "careful-17" in season.names
    assert [each.summary.status for each in (season, final)] == [Status.FINISHED] * 2
    assert final.summary.name == "Cantina, season 1, final"
    assert final.summary.format == "adaptive"
    assert final.summary.key != season.summary.key
    assert final.summary.mirrored
    assert len(final.names) == 2
    assert {*final.names} < {"careful-15", "careful-16", "careful-17"}
    assert 0 < final.summary.matches <= 20
    for number in (1, 2):
        verified = await trio.to_thread.run_sync(verify_tournament, REGISTRY, database, number)
        assert verified.finished
    assert seen.lines[-3:-1] == [
        "season 1 of Cantina is finished",
        "Cantina, season 1, final begins as tournament 2 with 2 bots",
    ]
    assert seen.lines.count("Cantina, season 1 takes no submissions any more") == 1
    won = phase(database, spec, clock)
    assert seen.lines[-1] == f"Cantina, season 1, final is over: {won.reason.split()[4]} has won"
    with pytest.raises(Closed):
        await send(database, spec, clock, 18)


async def test_a_league_goes_on_with_its_final_from_every_phase(database):
    spec, clock = league(), Clock()
    await send(database, spec, clock, 17)
    taken, _ = take_next(database, clock(), 9)  # and the program is killed
    clock.time = AT
    assert phase(database, spec, clock).stage is Stage.DECIDING
    stages = (Stage.RATING, Stage.BEGINNING, Stage.PLAYING, Stage.OVER)
    for wanted in stages:
        # Stopped as soon as the phase is seen, or a later one that comes quickly after it.
        after = stages[stages.index(wanted) :]
        await run_until(database, spec, clock, lambda now, after=after: now.stage in after)
    assert uploads(database)[taken.id - 1].state is UploadState.ENTERED
    assert seasons(database) == (Season("Cantina", 1, 1),)
    assert final_of(database, "Cantina", 1) == 2
    assert {*tournament(database, 2).names} == {"careful-15", "careful-16", "careful-17"}
    await run_until(database, spec, clock, lambda now: now.stage is Stage.OVER)
    assert [each.summary.matches for each in (tournament(database, 2),)] != [0]


async def test_a_final_can_be_changed_until_it_has_begun(database):
    clock = Clock(AT)
    later = league(final=FinalSpec(AT + timedelta(days=2), 20))
    assert phase(database, later, clock).stage is Stage.OPEN
    await send(database, later, clock, 17)
    clock.time += timedelta(days=2)
    set_status(database, "careful-15", "1", SubmissionStatus.DISABLED)
    await run_until(database, later, clock, lambda now: now.stage is Stage.OVER)
    assert {*tournament(database, 2).names} == {"careful-16", "careful-17"}

    far = datetime(2999, 1, 1, tzinfo=UTC)
    for final, problem in (
        (None, "final: missing, but the final of Cantina, season 1 has begun as tournament 2"),
        (FinalSpec(far, 20), r"final.at: 2999-01-01 00:00 UTC is too late: the final of Cantina"),
        (FinalSpec(AT, 20, "top 3"), None),
        (FinalSpec(AT, 20, "all"), None),
        (FinalSpec(AT, 21), "final.matches: the final .* with 20 matches at most, not 21"),
    ):
        run = LeagueRun(REGISTRY, database, league(final=final), clock=clock)
        if problem is None:  # it says the same of what has begun
            assert await run.begin_season() == 1
            continue
        with pytest.raises(BadInput, match=problem) as error:
            await run.begin_season()
        assert "\n" not in str(error.value)
    again = league(season=2)
    with pytest.raises(BadInput, match=r"final.at: 2026-03-01 18:00 UTC is past; Cantina, season"):
        await LeagueRun(REGISTRY, database, again, clock=clock).begin_season()
    await LeagueRun(REGISTRY, database, league(season=2, final=None), clock=clock).begin_season()
    assert [each.number for each in seasons(database, "Cantina")] == [1, 2]
    assert {*tournament(database, 3).names} >= {"careful-16", "careful-17"}


async def test_another_field_is_refused_and_a_deleted_final_is_played_again(database):
    spec, clock = league(), Clock()
    await entered(database, spec, clock, 17)
    clock.time = AT
    await run_until(database, spec, clock, lambda now: now.stage is Stage.OVER)
    fewer = league(final=FinalSpec(AT, 20, "top 2"))
    with pytest.raises(BadInput, match=r"final.field: the final .* with 3 bots; 'top 2' would be"):
        await LeagueRun(REGISTRY, database, fewer, clock=clock).begin_season()
    again = league(season=2, final=None)
    delete_tournament(database, 2)
    assert phase(database, fewer, clock).stage is Stage.BEGINNING
    await run_until(database, fewer, clock, lambda now: now.stage in (Stage.PLAYING, Stage.OVER))
    if tournament(database, 3).summary.status is not Status.FINISHED:
        with pytest.raises(BadInput, match=r"season: the final of season 1 is not over; Cantina, "):
            await LeagueRun(REGISTRY, database, again, clock=clock).begin_season()
    await run_until(database, fewer, clock, lambda now: now.stage is Stage.OVER)
    assert len(tournament(database, 3).names) == 2


async def test_a_season_with_one_bot_of_an_author_is_over_without_a_final(empty):
    spec, clock, seen = league(), Clock(), Lines()
    await entered(empty, spec, clock, 15)
    clock.time = AT
    await run_until(empty, spec, clock, lambda now: now.stage is Stage.OVER, seen)
    assert phase(empty, spec, clock).reason == (
        "the season is over without a final: only one bot of an author plays"
    )
    assert final_of(empty, "Cantina", 1) is None


async def test_a_submission_must_have_arrived_in_whole_before_the_time(empty):
    times = iter([AT - timedelta(seconds=1)])  # of the first look; it is read until later

    def clock():
        return next(times, AT)

    with pytest.raises(Closed):
        await send(empty, league(), clock, 15)
    assert uploads(empty) == ()
