"""Endpoints from Python, against a person, in a comparison, a dry run and a league."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from arena_results.store.exchange_sums import spent
from arena_results.store.queries import summary
from arena_tournaments.spec.keys import read_spec

import arena
from arena.core.errors import HarnessFault
from arena.core.outcome import RULE_ENDINGS
from arena.plugins.registry import Registry
from arena.service.answers.errors import Problems
from arena.service.run.person.exhibition import Exhibition, Seats
from arena.service.storage.databases import open_database
from tests.endpoints.runs import PRICES, kept, place_with
from tests.mcp.test_table import begin, finish, opened
from tests.service.test_exhibition import Obedient


def test_a_program_enters_an_endpoint(fake, tmp_path):
    bot = arena.EndpointBot(name="gpt", url=fake.url, model="counter", parallel=4)
    with arena.open_database(tmp_path / "a.db") as db:
        cup = db.run([bot, "stand"], games=4, seed=7, isolation="trusted")
        assert {row["name"] for row in cup.standings()} == {"gpt", "stand"}
    match = arena.play_match(bot, "stand", seed=1)
    assert match.names == ("gpt", "stand")
    assert match.outcome.termination in RULE_ENDINGS


def test_a_person_plays_against_a_model(fake, tmp_path):
    place, front = place_with(tmp_path, fake.url), Obedient()
    with open_database(place.url, create=True) as database:
        seats = Seats(bots=[str(tmp_path / "gpt.toml")])
        match = Exhibition(Registry(), database, seats, {}).play(front.seat)
    assert match.outcome.termination in RULE_ENDINGS
    assert match.measurement.isolation.split(",")[1] == "endpoint"
    assert len(front.asked) > 1
    assert {each.reading for each in kept(place)} == {"legal"}


def test_a_limit_of_cost_is_for_all_matches_of_an_agent(fake, tmp_path):
    place_with(tmp_path, fake.url, **PRICES)
    with open_database(f"sqlite:///{tmp_path}/a.db", create=True) as database:
        with opened(Registry(), database, str(tmp_path / "gpt.toml"), max_cost=50.0) as table:
            finish(table, begin(table))
            begin(table)
        left = read_spec(msgspec.json.decode(summary(database, 2).spec), Problems()).max_cost
        first_question = 50.0 - spent(database, 1) - left
        assert 0 < first_question < 0.1 < spent(database, 1)


def test_a_wrong_model_is_one_line_before_an_agent_has_a_table(fake, tmp_path):
    place = place_with(tmp_path, fake.url, model="no-such-model")
    refused = place.arena("mcp", "pazaak", "--against", "gpt.toml")
    assert (refused.code, refused.out, len(refused.err.splitlines())) == (2, "", 1)
    assert "HTTP 404, no such address or model" in refused.err
    assert not kept(place)


def test_a_person_is_told_why_a_model_stopped_the_match(fake, tmp_path):
    place = place_with(tmp_path, fake.url)
    with open_database(place.url, create=True) as database:
        match = Exhibition(Registry(), database, Seats(bots=[str(tmp_path / "gpt.toml")]), {})
        with pytest.raises(
            HarnessFault, match=r"^the match was stopped and counts nowhere: .*HTTP 401"
        ):
            match.play(Obedient().seat, lambda run: fake.control(down=600, status=401))
    fake.control(down=0)


def test_a_comparison_says_what_certainty_costs(fake, tmp_path):
    place = place_with(tmp_path, fake.url, **PRICES)
    words = ("compare", "gpt.toml", "stand", "--max-games", "30", "--seed", "7", "--adjusted")
    shown = place.arena(*words)
    assert shown.code == 0, shown.err
    assert re.match(
        r"Undecided: about [\d,]+ more matches, about \$\S+, needed: ", shown.out.splitlines()[-1]
    )
    assert "0.0% of" in shown.out
    shown = place.arena("compare", "gpt.toml", "stand", "--games", "2", "--seed", "7")
    about = place.arena("bots", "show", "gpt", "-o", "json").document
    assert about["kind"] == "endpoint"
    start = "Undecided: at least 18 more matches, at least $"
    assert shown.out.splitlines()[-1].startswith(start)


def test_a_dry_run_asks_two_questions_and_foresees_the_cost(fake, tmp_path):
    place = place_with(tmp_path, fake.url, **PRICES)
    before = fake.stats()["requests"]
    words = ("tournament", "run", "--bot", "gpt.toml", "--bot", "stand", "--games", "20")
    shown = place.arena(
        *words, "--isolation", "trusted", "--dry-run", "--precision", "90", "-o", "json"
    )
    assert shown.code == 0, shown.err
    assert fake.stats()["requests"] - before == 2
    document = json.loads(shown.out)
    found, asked = document["models"], document["precision"]["models"]
    assert found["cost"] > 0
    assert found["tokens"] > 300 * found["calls"] > 0  # real prompts, not the first question
    assert asked["matches"] == document["precision"]["matches"]
    assert found["affordable"] is None


def test_a_file_that_names_more_bots_than_the_game_has_seats_is_one_line(fake, tmp_path):
    place = place_with(tmp_path, fake.url)
    refused = place.arena("match", "gpt.toml", "stand", "counter")
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
    assert "not 3" in refused.err


def test_an_operator_enters_an_endpoint_in_a_league(fake, tmp_path):
    place = place_with(tmp_path, fake.url)
    (tmp_path / "league.toml").write_text(
        'name = "L"\nhouse = ["gpt.toml", "stand"]\nanchors = { stand = 1500 }\n'
    )
    checked = place.arena("check", "league", "league.toml")
    assert checked.code == 0, checked.err
    place_with(tmp_path, fake.url, **PRICES)
    refused = place.arena("check", "league", "league.toml")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "calls of gpt are paid as long as the season lasts; give tournament.max" in refused.err
