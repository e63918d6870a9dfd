"""A league whose operator has entered a language model."""

from __future__ import annotations

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.store.exchange_sums import spent
from arena_tournaments.spec.keys import TournamentSpec

from arena.plugins.registry import Registry
from arena.service.league.league_file import LeagueSpec
from arena.service.league.run import LeagueRun, Unobserved
from tests.endpoints.runs import PRICES, write_endpoint

PATIENCE = 120


class Lines(Unobserved):
    def __init__(self):
        self.seen, self.paused = [], trio.Event()

    def changed(self, line):
        self.seen.append(line)
        if "goes on with a higher max_cost" in line:
            self.paused.set()


async def played(database, folder, dollars):
    """Runs a league until it pauses; returns its lines."""
    house = (str(folder / "gpt.toml"), "stand")
    keys = TournamentSpec(format_options={"within": 10.0}, games=2, max_cost=dollars)
    spec, lines = LeagueSpec(name="L", house=house, tournament=keys), Lines()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(LeagueRun(Registry(), database, spec, lines).run)
            await lines.paused.wait()
            nursery.cancel_scope.cancel()
    return lines.seen


@pytest.mark.thorough("two seasons' matches; test_runs.py has a limit that is raised")
async def test_a_season_pauses_before_its_limit_of_cost_and_goes_on_by_its_file(fake, tmp_path):
    write_endpoint(tmp_path, fake.url, **PRICES)
    with open_database(f"sqlite:///{tmp_path / 'league.db'}", create=True) as database:
        first = await played(database, tmp_path, 20.0)
        before = spent(database, 1)
        await played(database, tmp_path, 60.0)
        after = spent(database, 1)
    assert first[1].startswith("pausing: tournament 1 has cost $")
    assert first[0] == "L, season 1 begins as tournament 1 with 2 bots"
    assert 0 < before <= 20 < after <= 60
