"""Decisions evaluated by learned values: what the seat cannot know changes nothing."""

import pytest

from arena.core.chance.seeding import generator
from arena.core.state import CHANCE
from arena.match.decisions import assessment
from arena.match.learned.decisions import LearnedDecisions
from arena.match.replay import replay
from arena.service.match.analysis import analysis_of, evaluator_of
from tests.match.bots import PAZAAK, STANDARD
from tests.match.test_learned import DICED, SABACC, SHORT, learned, record


def decisions(ruleset, seats):
    played = record(SABACC, ruleset, 1, seats)
    return [step for step in replay(SABACC, played) if step.action is not None]


@pytest.mark.parametrize(("ruleset", "seats"), [(SHORT, 2), (DICED, 3)])
def test_states_that_look_alike_to_the_seat_are_valued_alike(ruleset, seats):
    evaluator = LearnedDecisions(SABACC, "", learned(SABACC, ruleset).values_of, 3)
    evaluated = 0
    for step in decisions(ruleset, seats)[:8]:
        found = evaluator.of(step.state)
        assert [*found] == [*step.state.legal_actions()][: len(found)]
        other = SABACC.resample(step.state.observation(step.seat), generator(9))
        assert evaluator.of(other) == found
        evaluated += bool(found)
    assert evaluated > 3


def test_an_action_is_worth_the_mean_value_after_it_over_chance_and_worlds(monkeypatch):
    step = decisions(SHORT, 2)[0]
    values = learned(SABACC, SHORT)
    worlds = [step.state]
    monkeypatch.setattr(SABACC, "resample", lambda seen, rng: worlds[0])
    found = LearnedDecisions(SABACC, "", values.values_of, 2).of(step.state)
    for action, value in found.items():
        after = step.state.clone()
        after.apply_action(action)
        mean = values.expectation if after.current_player() == CHANCE else values.value
        assert value == pytest.approx(mean(after)[step.seat], abs=1e-6)
    best = max(found.values())
    assessed = assessment(LearnedDecisions(SABACC, "", values.values_of, 2), step)
    assert assessed.given_away == pytest.approx(best - found[step.action])


def test_a_match_of_sabacc_has_mistakes_by_learned_values_alone():
    played, values = record(SABACC, SHORT, 2), learned(SABACC, SHORT)
    assert evaluator_of(SABACC, played) is None
    found = analysis_of(SABACC, played, values, {0, 1}, deals="")
    assert found.evaluator == f"{values.name}, 16 worlds"
    judged = [each.given_away for each in found.decisions]
    assert all(each is not None and each >= 0 for each in judged)
    assert max(judged) > 0
    plain = analysis_of(SABACC, played, values, {0, 1}, deals="", learned=False)
    assert (plain.evaluator, plain.luck) == ("", found.luck)
    assert {each.given_away for each in plain.decisions} == {None}


def test_a_game_with_values_of_decisions_keeps_its_own():
    played = record(PAZAAK, STANDARD, 1)
    found = evaluator_of(PAZAAK, played, learned(PAZAAK, STANDARD))
    assert found.name == "pazaak-own-hand 1"
