"""A run needs prices to bound its cost, and a dry run estimates it."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.boards.board_rows import Board, LeaderboardRow, with_exchanges
from arena_results.file.database import open_database
from arena_results.store.exchange_sums import ExchangeSums
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput
from arena.core.table import fitted
from arena.core.tournaments.format import Participant
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.entries import BotSource
from arena.service.boards.table import board_table
from arena.service.report.comparing.endpoints import dollars
from arena.service.run.executors.model_estimate import QuestionFigures, model_estimate
from arena.service.setup.money import check_models, open_purse, too_dear_error

GPT = Endpoint(
    url="http://localhost/v1", model="m", price_in=2.0, price_out=8.0, max_tokens=100, parallel=4
)


def bot(name, endpoint=None):
    kind = "house" if endpoint is None else "endpoint"
    return BotSource(kind, "", {}, Participant(name, "1", "0" * 12), "", endpoint=endpoint)


def test_a_limit_of_cost_needs_prices_and_a_bound_of_answers():
    check_models(TournamentSpec(max_cost=1.0), [bot("gpt", GPT), bot("stand")])
    bare = Endpoint(url="http://localhost/v1", model="m", price_in=1.0)
    check_models(TournamentSpec(), [bot("bare", bare)])
    with pytest.raises(BadInput, match=r"bare has no price_out and no max_tokens, .* add them to"):
        check_models(TournamentSpec(max_cost=1.0), [bot("bare", bare)])


def test_a_budget_of_time_is_refused_for_language_models():
    check_models(TournamentSpec(budget="10m"), [bot("stand")])
    with pytest.raises(BadInput, match="the time of language models is not known before"):
        check_models(TournamentSpec(budget="10m"), [bot("gpt", GPT)])


def test_a_dry_run_foresees_calls_tokens_cost_and_time():
    figures = {"gpt": QuestionFigures(prompt=500, completion=50, seconds=2.0)}
    bots = [bot("gpt", GPT), bot("stand")]
    found = model_estimate(bots, ("gpt", "stand"), figures, decisions=10.0, seats=2, matches=100)
    assert found is not None
    assert (found.calls, found.tokens, found.seconds) == (1000, 550_000, 500.0)
    assert found.cost == pytest.approx(1.4)
    assert (found.most_calls, found.document()["most_calls"]) == (3000, 3000)
    assert found.most_cost == pytest.approx(3 * 1.4 + 1000 * 3 * 110 * 2e-6)
    assert found.document()["endpoints"][0]["name"] == "gpt"
    asks = {"gpt": msgspec.structs.replace(figures["gpt"], loadouts=1)}
    found = model_estimate(bots, ("gpt", "stand"), asks, decisions=10.0, seats=2, matches=100)
    assert found is not None
    assert found.calls == 1100


def test_what_an_endpoint_does_not_say_is_unknown_and_never_nothing():
    free = msgspec.structs.replace(GPT, price_in=None)
    silent = QuestionFigures(prompt=None, completion=None, seconds=1.0)
    told = QuestionFigures(prompt=1, completion=1, seconds=1.0)
    bots, names = [bot("a", free), bot("b", GPT)], ("a", "b")
    found = model_estimate(bots, names, {"a": told, "b": silent}, 10.0, 2, 10)
    assert found is not None
    assert (found.tokens, found.cost) == (None, None)
    assert found.shares[0].tokens == 200
    assert model_estimate(bots, names, {}, 10.0, 2, 10) is None


def test_a_new_tournament_has_a_full_purse_and_a_line_to_go_on_with(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/results.db") as database:
        purse = open_purse(database, 1, TournamentSpec(max_cost=5.0), cost_per_match=0.5)
        assert (purse.spent, purse.limit) == (0.0, 5.0)
        failed = too_dear_error(database, 1, purse)
        person = too_dear_error(database, 1, purse, exhibition=True)
    on = "could pass --max-cost 5; to go on: arena tournament resume 1 --max-cost 10"
    assert on in failed.reason
    assert failed.enough == 10.0
    assert person.reason.endswith("could pass --max-cost 5")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "$0.00"),
        (9.4, "$9.40"),
        (0.0316, "$0.032"),
        (0.00001, "$0.000010"),
        (1234.5, "$1,234.50"),
    ],
)
def test_an_amount_of_money_has_two_digits(value, text):
    assert dollars(value) == text


def row(name, rating, **values):
    values = {
        "rank": 1,
        "low": rating - 30.0,
        "high": rating + 30.0,
        "error": 15.0,
        "games": 200,
        "deals": 100,
        "seats": (2,),
        "score": 100.0,
        "firsts": 0,
        "won": 100,
        "drawn": 0,
        "lost": 100,
        "credits": None,
        "isolation": ("endpoint",),
        "ranks": (1, 2),
        "better": 0.9,
        "adjusted": rating,
        "adjusted_error": 10.0,
        **values,
    }
    who = Participant(name, "1", "0" * 12)
    return LeaderboardRow(game="g", ruleset="r", participant=who, rating=rating, **values)


def models(*rows, costs):
    """A board of models, with the dollars of a match of each."""
    board = Board(game="g", ruleset="r", unit="", rows=rows, covariance=None, notes=())
    sums = {
        each.participant.key: ExchangeSums(
            **dict.fromkeys(ExchangeSums.__struct_fields__, 0)
            | {"matches": 100, "calls": 1100, "illegal": 60, "played_for": 3, "cost": 100 * cost}
            | {"prompt_tokens": 800_000, "completion_tokens": 9000}
        )
        for each, cost in zip(rows, costs, strict=True)
        if cost is not None
    }
    return with_exchanges(board, sums)


def test_gain_per_dollar_is_above_the_lowest_rating():
    board = models(
        *(row("large", -10.0), row("medium", -20.0), row("small", -220.0)),
        *(row("new", -300.0, deals=1), row("free", -100.0), row("house", -150.0)),
        costs=(0.01, 0.001, 0.0001, 0.001, 0.0, None),
    )
    assert [each.rating_per_dollar for each in board.rows] == [210, 2000, 0, None, None, None]
    apart = models(row("a", 10.0), row("b", 0.0, component=2), costs=(0.01, 0.01))
    assert [each.rating_per_dollar for each in apart.rows] == [0, 0]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, "# bot version rating ± illegal played for matches cost"),
        (120, "# bot version rating ± illegal played for matches tokens time (s) cost gain per $"),
        (40, "# bot rating ± illegal played for"),
    ],
)
def test_a_narrow_leaderboard_keeps_what_qualifies_ratings(width, shown):
    board = models(row("gpt-5-mini", 1600.0), row("gpt-5", 1400.0), costs=(0.0025, 0.0125))
    kept, _ = fitted(*board_table(board).drawn(), width)
    assert " ".join(each.heading for each in kept) == shown
