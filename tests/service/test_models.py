"""A run needs prices to bound its cost, and a dry run estimates it."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.file.database import open_database
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput
from arena.core.tournaments.format import Participant
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.entries import BotSource
from arena.service.report.endpoints import dollars
from arena.service.run.model_estimate import QuestionFigures, model_estimate
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
