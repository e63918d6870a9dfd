"""Estimates of time and budgets: the time of matches is injected, the matches are real."""

from __future__ import annotations

from collections import Counter

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.store.queries import tournaments

from arena.cli.texts.dry_run import print_dry_run
from arena.core.errors import BadInput, BadSpec
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.run.ahead import estimate
from arena.service.run.ahead.dry_run import dry_run
from arena.service.run.ahead.estimate import Speed, calibrate, measured, most_matches
from arena.service.run.executors.model_estimate import QuestionFigures
from arena.service.run.run import begin, play
from arena.service.run.watching.progress import Progress
from arena.service.setup.formats import budget_seconds
from arena.service.setup.resolve import resolve

FIELD = ["random", "stand", "stand(at=17)"]
TABLE = {
    "game": "sabacc",
    "bots": ["random", "target-total", "exact-drawer"],
    "format": "tables",
    "seats": 3,
}
TEN_A_SECOND = Speed(matches=30, seconds=5.0, start=2.0, workers=1)


@pytest.fixture
def registry():
    return Registry()


@pytest.fixture
def tournament(registry):
    """Resolves a tournament of the keys."""
    with BotResolver(registry) as resolver:
        yield lambda **keys: resolve(resolver, {"bots": FIELD, "concurrency": 1, **keys})


@pytest.fixture
def ten_a_second(monkeypatch):
    """Every calibration takes 5 seconds, 2 of them to start, and says ten matches a second."""

    async def calibrated(resolved, seconds=3.0):
        return TEN_A_SECOND

    monkeypatch.setattr(estimate, "calibrate", calibrated)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("2h", 7200), ("1.5 m", 90)]
)
def test_a_budget_is_a_number_with_its_unit(text, seconds):
    assert budget_seconds(text) == seconds


@pytest.mark.parametrize("text", ["10", "0s", "", "m", "10 minutes", "-3s", "1e3s", "٣s"])
def test_what_is_no_length_of_time_is_refused(text):
    with pytest.raises(BadInput, match=r"expected a duration such as 90s, 10m or 2h"):
        budget_seconds(text)


@pytest.mark.parametrize(
    ("keys", "games"),
    [
        # 60 s less 5 of the calibration and 2 to start: 530 matches, of 3 pairings.
        ({}, 176),
        ({"mirrored": False}, 176),
        ({"rounds": 3}, 58),
        ({"format": "gauntlet"}, 264),
        ({"until_decided": 0.05}, 176),
        (TABLE, 528),
    ],
)
async def test_a_budget_is_filled_with_whole_groups(
    ten_a_second, registry, tournament, keys, games
):
    found, speed = await measured(tournament(budget="1m", **keys))
    assert found.spec.games == games
    assert (found.spec.budget, found.new().games) == ("", games)
    assert speed.seconds + speed.time(most_matches(found)) <= 60
    group = 1 if "mirrored" in keys else found.tables.most
    assert games % group == 0
    more = speed.seconds + speed.time(most_matches(found.with_games(games + group)))
    assert more > 60


async def test_a_budget_that_cannot_hold_a_group_a_pairing_names_the_least(
    ten_a_second, registry, tournament
):
    with pytest.raises(BadInput) as refused:
        await measured(tournament(budget="7s"))
    assert str(refused.value) == (
        "--budget: 7s is too short: 6 matches, one mirrored group a pairing, "
        "take about 8s with the calibration"
    )
    found, _ = await measured(tournament(budget="8s"))
    assert found.spec.games == 2


@pytest.mark.parametrize("key", ["games", "first_to", "best_of"])
def test_a_budget_goes_with_no_number_of_matches(tournament, key):
    with pytest.raises(
        BadSpec, match=rf"budget: cannot be combined with --{key.replace('_', '-')}"
    ):
        tournament(budget="1m", **{key: 3})


async def test_a_budget_of_stages_leaves_those_alone_that_say_how_much_they_play(
    ten_a_second, registry, tournament
):
    stages = ["swiss(rounds=2)", "knockout(take=2, first_to=2)"]
    found, _ = await measured(tournament(budget="1m", stages=stages))
    assert [volume.games for volume in found.volumes] == [262, 262, 4]
    with pytest.raises(BadInput, match="budget: nothing to decide"):
        await measured(tournament(budget="1m", stages=["knockout(first_to=2)"]))


async def test_what_a_budget_gave_is_stored_and_played(
    ten_a_second, registry, tournament, tmp_path
):
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        resolved, _ = await measured(tournament(budget="11s", seed=1))
        run = await begin(database, resolved)
        await play(run, progress := Progress(run.plan))
        (stored,) = tournaments(database)
        assert (stored.games, stored.matches) == (12, 36)
        assert '"games":12' in stored.spec
        assert "budget" not in stored.spec
        assert progress.done == progress.total == 36


@pytest.mark.parametrize("bots", [FIELD, ["random", "stand"]])
async def test_a_calibration_plays_real_matches_and_stores_none(registry, tournament, bots):
    speed = await calibrate(tournament(bots=bots), seconds=0.05)
    assert speed.matches > 0
    assert 0 <= speed.start < speed.seconds
    assert speed.time(speed.matches) == pytest.approx(speed.seconds)


@pytest.mark.parametrize(
    ("keys", "length"),
    [
        ({"bots": [*FIELD, "counter"], "games": 300}, 600),
        ({"games": 4, "format": "swiss"}, 4),
        ({"first_to": 3}, 4),
        ({"games": 1_000_000}, estimate.MAX_WAVE),
        ({"budget": "1m"}, estimate.MAX_WAVE),
        ({**TABLE, "games": 9}, 9),
    ],
)
def test_a_calibration_plays_as_many_matches_together_as_the_tournament(tournament, keys, length):
    """Bots in processes of their own take longer for each match of a few."""
    resolved = tournament(**keys)
    schedule, rounds = estimate._calibration(resolved)
    assert estimate._wave_length(resolved, rounds[0]) == length
    waves = estimate._waves(schedule, rounds, 5)
    jobs = [job for _ in range(6) for job in next(waves)]
    assert len(jobs) == len({job.key for job in jobs}) == 30
    played = Counter((job.key.round, job.key.pairing) for job in jobs)
    assert max(played.values()) - min(played.values()) <= resolved.tables.most


async def test_the_start_is_what_the_rate_of_the_second_half_leaves_over():
    steady = [(3.0, 2), *((3.0 + step / 10, 2 + 5 * step) for step in range(1, 21))]
    assert estimate._start(steady, 1) == pytest.approx(5.0 - 102 / 50)
    slow = [(3.0, 2), (4.0, 3), (5.0, 4)]
    assert estimate._start(slow, 1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("keys", "rounds", "matches", "at_most"),
    [
        ({"games": 4}, 3, 12, False),
        ({"games": 4, "format": "swiss", "rounds": 2}, 1, 8, False),
        ({"games": 4, "format": "knockout"}, 1, 8, True),
        ({"first_to": 3}, 3, 18, True),
        ({"games": 4, "format": "gauntlet"}, 2, 8, False),
        ({"games": 4, "stages": ["round-robin", "knockout(take=2)"]}, 1, 16, True),
    ],
)
async def test_a_dry_run_has_the_known_rounds_and_the_number_of_matches(
    ten_a_second, registry, tournament, keys, rounds, matches, at_most
):
    shown = await dry_run(tournament(**keys))
    document = shown.document()
    assert (len(shown.rounds), document["matches"], document["at_most"]) == (
        rounds,
        matches,
        at_most,
    )
    assert document["seconds"] == 2 + matches / 10
    assert [row["name"] for row in document["field"]] == FIELD
    first = document["rounds"][0]
    seated = [name for pairing in first["pairings"] for name in pairing["names"]]
    assert sorted(seated + first["byes"]) == sorted(FIELD)


@pytest.mark.parametrize(
    ("limit", "affordable", "said"),
    [
        (12.5, 25, "--max-cost 12.5 pauses it after about 25 of 40 matches"),
        (30.0, 40, "--max-cost 30 is enough, unless matches are longer or more answers illegal"),
        (90.0, 40, "--max-cost 90 is enough\n"),
    ],
)
def test_a_dry_run_has_the_time_of_models_and_the_limit_of_cost(
    ten_a_second, tournament, tmp_path, capsys, limit, affordable, said
):
    model = tmp_path / "gpt.toml"
    model.write_text(
        'kind = "endpoint"\nurl = "http://127.0.0.1:1/v1"\nmodel = "m"\nmax_tokens = 9\n'
        "parallel = 2\nprice_in = 1000\nprice_out = 1000\n"
    )
    figures = {"gpt": QuestionFigures(prompt=490, completion=10, seconds=4.0, loadouts=1)}
    wanted = tournament(bots=[str(model), "stand"], games=40, max_cost=limit)
    shown = trio.run(dry_run, wanted, None, figures)
    document = shown.document()
    assert document["seconds"] == (2 + 40 / 10) + 40 * 4.0 / 2
    assert document["models"]["affordable"] == affordable
    print_dry_run(shown)
    printed = capsys.readouterr().out
    assert "Time: about 1:26 (0:06 for Arena, 1:20 for language models) with 1 worker" in printed
    assert said in printed


async def test_a_dry_run_is_in_the_order_of_the_ratings(
    ten_a_second, registry, tournament, tmp_path
):
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        run = await begin(database, tournament(games=10, seed=3))
        await play(run, Progress(run.plan))
        by_rating = tournament(seed_by="rating")
        by_rating.resolver.database = database
        shown = await dry_run(by_rating)
        assert len(tournaments(database)) == 1
    ratings = [entry.rating for entry in shown.field]
    assert ratings == sorted(ratings, reverse=True)
    assert len({*ratings}) > 1
    assert shown.resolved.names == tuple(entry.participant.name for entry in shown.field)
