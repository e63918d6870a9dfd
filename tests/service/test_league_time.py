"""A slow bot in a league: the others play on, its results count, and the season is verified."""

from __future__ import annotations

import pytest
import trio
from arena_results.bots.seasons import seasons
from arena_results.bots.submissions import NewSubmission, add
from arena_results.file.database import open_database
from arena_results.store.queries import tournament
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.tournaments.executor import Pace
from arena.core.tournaments.rulings import Ruling, RulingKind, absences
from arena.plugins.hashing import named_content
from arena.plugins.registry import Registry
from arena.plugins.submissions.archives import packed
from arena.service.league.league_file import LeagueLimits, LeagueSpec
from arena.service.league.league_time import BotTime, SeasonProgress, SeasonTime
from arena.service.league.run import LeagueRun
from arena.service.report.checks.verification import verify_tournament
from tests.tournaments.plays import SEVEN, field_of

SLOW = b"""
import time

from arena import Bot


class Slow(Bot):
    def act(self, observation):
        time.sleep(0.4)
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total >= 16 else end_turn
"""
PATIENCE = 180


class Time:
    now = 0.0

    def __call__(self):
        return self.now


def test_time_accrues_evenly_and_little_of_it_is_saved():
    clock = Time()
    time = BotTime(360, clock)
    assert (time.left("slow"), time.is_rested("slow")) == (10, True)
    time.use("slow", 40)
    assert (time.left("slow"), time.is_rested("slow")) == (-30, False)
    clock.now = 300
    assert time.left("slow") == pytest.approx(0)
    clock.now = 400
    assert time.is_rested("slow")
    clock.now = 3000
    assert (time.left("slow"), time.used("slow"), time.used("other")) == (10, 40, 0)
    clock.now = 3700
    assert time.used("slow") == 0


def test_who_rests_is_absent_until_it_returns_and_forfeits_nothing():
    rest = Ruling(kind=RulingKind.REST, entry=1, round=3, now=True)
    back = Ruling(kind=RulingKind.RETURN, entry=1, round=5)
    away = [[each.index for each in absences((rest, back), round)] for round in range(1, 7)]
    assert away == [[], [1], [1], [1], [], []]
    assert all(each.rests and not each.gone for each in absences((rest,), 9))
    left = Ruling(kind=RulingKind.WITHDRAW, entry=1, round=4)
    assert [each.gone for each in absences((rest, left, back), 6)] == [True]


def test_others_wait_a_moment_for_a_quick_bot_that_has_used_up_its_time():
    plan = Plan(
        format=RoundRobin(), field=tuple(field_of(2)), rounds=1,
        schedule=Schedule(SEVEN, True, (Fixed(20),)),
    )  # fmt: skip
    shared, pace = SeasonTime(360), Pace()
    shared.keys = ("one", "other")
    progress = SeasonProgress(plan, {}, shared, pace)
    round = plan.next_round([])
    assert round is not None
    progress.round_started(RoundPlay(plan.schedule, round))
    shared.time.use("other", 40)
    found = []
    for pace.seconds in ({1: 0.04}, {1: 0.06}, {}):  # without a measurement it may be slow
        found.append(progress.holding())
    assert found == [(), (1,), (1,)]


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path / 'league.db'}", create=True) as opened:
        files = {"slow.py": SLOW}
        new = NewSubmission(
            name="slow", version="1", author="Ann", games=("pazaak",), language="python",
            target="slow:Slow", content=named_content(files), deterministic=True, report={},
        )  # fmt: skip
        add(opened, new, packed(files))
        yield opened


def played(stored):
    """The numbers of matches with the slow bot, and of all others."""
    slow = stored.names.index("slow")
    counts = [0, 0]
    for (round, pairing), sums in stored.sums.items():
        seats = stored.rounds[round - 1].pairings[pairing - 1].seats
        counts[slow not in seats] += sums.matches
    return counts


async def test_others_play_on_while_a_slow_bot_rests_and_its_results_count(database):
    spec = LeagueSpec(
        name="Cantina",
        house=("stand(at=17)", "stand(at=16)"),
        tournament=TournamentSpec(format_options={"within": 1.0}, concurrency=1),
        limits=LeagueLimits(bot_seconds=36.0),
    )
    shared, held = SeasonTime(36.0), set()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(LeagueRun(Registry(), database, spec, None, shared).run)
            while True:
                await trio.sleep(0.2)
                held.update(shared.lines())
                begun = seasons(database, "Cantina")
                if begun and min(played(tournament(database, begun[0].tournament_id))[:1]) >= 1:
                    slow, others = played(tournament(database, begun[0].tournament_id))
                    if others >= 120:
                        break
            nursery.cancel_scope.cancel()
    stored = tournament(database, begun[0].tournament_id, matches=False)
    assert 1 <= slow < 40 <= others
    assert [each.kind for each in stored.rulings][:1] == [RulingKind.REST]
    assert any(line.startswith("slow rests while others play. It has used ") for line in held)
    number = begun[0].tournament_id
    found = await trio.to_thread.run_sync(verify_tournament, Registry(), database, number)
    assert found.difference == ""
    assert found.rounds >= 3
