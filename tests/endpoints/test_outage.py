"""Runs with an endpoint that fails, in this process: their cost, and the end of a pause."""

from __future__ import annotations

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.exchange_sums import spent
from arena_results.store.exchanges import exchanges
from arena_results.store.queries import matches, tournament

from arena.core.errors import HarnessFault
from arena.core.outcome import RULE_ENDINGS, Termination
from arena.core.tournaments.executor import Pace
from arena.host.endpoints.purse import worst_cost
from arena.plugins.registry import Registry
from arena.service.run.person.exhibition import Exhibition, Seats
from arena.service.run.run import begin
from tests.endpoints.answering import played_on, resolved
from tests.endpoints.runs import PRICES, write_endpoint
from tests.service.test_exhibition import Obedient


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/runs.db") as database:
        yield database


@pytest.fixture
def start(database, fake, tmp_path):
    """Begins a run of an endpoint against a bot; keys are those of the endpoint's file."""
    fake.control(down=0, delay=0)

    async def start(games=4, max_cost=None, **keys):
        write_endpoint(tmp_path, fake.url, **PRICES | keys)
        bots = [str(tmp_path / "gpt.toml"), "stand"]
        own = {"bots": bots, "games": games, "isolation": "trusted", "seed": 7}
        own["confine_house"] = False
        if max_cost:
            own["max_cost"] = max_cost
        found = await trio.to_thread.run_sync(lambda: resolved(database, **own))
        return await begin(database, found)

    return start


def kept(database, number=1):
    return [each.exchange for each in exchanges(database, number)]


async def test_a_call_that_is_not_answered_costs_what_it_may(database, start):
    run = await start(timeout_seconds=0.3, model="counter+fail=hang+rate=0.1+luck=2")
    first = spent(database, run.number)
    stored = await played_on(run)
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, 4)
    found = kept(database)
    lost = [each for each in found if each.reading == "unanswered"]
    endpoint = run.resolved.bots[0].endpoint
    assert lost
    for each in lost:
        assert each.cost == pytest.approx(worst_cost(endpoint, each.asked), abs=1e-6)
    assert first > 0  # of the question before the tournament
    assert spent(database, run.number) == pytest.approx(first + sum(each.cost for each in found))


async def test_a_first_question_that_could_be_too_dear_is_not_asked(database, start, fake):
    before = fake.stats()["requests"]
    run, pace = await start(max_cost=0.01), Pace()
    stored = await played_on(run, pace=pace)
    assert (stored.summary.status, kept(database)) == (Status.INTERRUPTED, [])
    assert fake.stats()["requests"] == before
    assert pace.enough > worst_cost(run.resolved.bots[0].endpoint, b"")


async def test_a_pause_waits_for_no_endpoint_that_fails(database, start, fake):
    fake.control(delay=0.02)
    run, lines, left = await start(games=12), [], []
    fake.control(delay=0.02, down=600)

    def notice(line):
        lines.append(line)
        pace.pausing = True
        left.append(trio.current_time())

    pace = Pace(notice=notice)
    stored = await played_on(run, pace=pace)
    assert trio.current_time() - left[0] < 2
    assert stored.summary.status is Status.INTERRUPTED
    (line,) = lines
    assert line.endswith(": HTTP 529: overloaded; questions wait until it answers")
    fake.control(down=0, delay=0)
    stored = await played_on(run)
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, 12)


async def test_calls_that_a_second_signal_ends_cost_what_they_may(database, start, fake):
    run = await start()
    fake.control(delay=600)
    before = fake.stats()["requests"]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(played_on, run)
        while fake.stats()["requests"] < before + 4:
            await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert {each.reading for each in kept(database)} == {"unanswered"}
    assert len(kept(database)) == 4
    assert spent(database, run.number) > 4 * worst_cost(run.resolved.bots[0].endpoint, b"")


@pytest.mark.parametrize("fallback", ["lose", "first legal"])
async def test_a_prompt_that_is_too_long_is_the_bots_own(database, start, fallback):
    """One line names bot and match, and the run goes on."""
    lines: list[str] = []
    run = await start(model="counter+context=1500", fallback=fallback)
    stored = await played_on(run, pace=Pace(notice=lines.append))
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, 4)
    (line,) = lines
    assert line.startswith("gpt, match 1.1.")
    assert "the prompt is longer than the model's context; give the model more" in line
    endings = {match.record.outcome.termination for _, match in matches(database, 1)}
    assert endings <= ({Termination.ILLEGAL_ACTION} if fallback == "lose" else RULE_ENDINGS)
    long = [each for each in kept(database) if each.reading == "too long"]
    assert {each.question.attempt for each in long} == {1}
    assert {each.cost for each in long} == {0.0}
    assert {each.played_for for each in long} == {fallback != "lose"}


def test_a_match_of_a_person_keeps_to_a_limit_of_cost(database, fake, tmp_path):
    write_endpoint(tmp_path, fake.url, **PRICES)
    seats = Seats(bots=[str(tmp_path / "gpt.toml")])
    with pytest.raises(
        HarnessFault, match=r"the match was stopped and counts nowhere: .* pass --max-cost 2$"
    ):
        Exhibition(Registry(), database, seats, {"max_cost": 2.0}).play(Obedient().seat)
    assert 0 < spent(database, 1) <= 2.0
    assert len(tournament(database, 1).played) == 0
