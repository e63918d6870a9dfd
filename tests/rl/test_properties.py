"""Environments show what the game says: views, legal actions, returns, mirrored deals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.rl import aec, single, vector

ROOT = Path(__file__).parents[2]
PAZAAK, SABACC = Pazaak(), Sabacc()
THIRTY_LINES = str(ROOT / "examples" / "bots" / "thirty_lines.py")


def chosen(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


def numbers(game, rules, observation):
    view = game.view.of(rules)
    out = np.empty(view.size, np.float32)
    view.write(observation, out)
    return out


@given(deal=st.integers(0, 1 << 50), luck=st.integers(0, 1 << 30), table=st.integers(0, 3))
@settings(max_examples=25)
def test_turns_show_the_view_the_legal_actions_and_the_returns(deal, luck, table):
    game, ruleset, seats = [
        (PAZAAK, "", 2), (SABACC, "", 3), (SABACC, "variable(mode=points,target=0,hands=3)", 2),
        (SABACC, "card_exchange(mode=chips)", 2),
    ][table]  # fmt: skip
    rules, rng = game.ruleset(ruleset), np.random.default_rng(luck)
    env = aec(game.name, ruleset, seats)
    env.reset(options={"deal": deal})
    default = [game.loadouts.accept(rules, None)] * seats
    state = game.new_state(rules, default, SeatStreams(deal))
    view = game.view.of(rules)
    while state.current_player() >= 0:
        seat = state.current_player()
        assert env.agent_selection == f"seat_{seat}"
        seen, reward, over, cut, info = env.last()
        choices = view.choices(state.observation(seat))
        offered = set(np.flatnonzero(seen["action_mask"]))
        assert offered == set(choices)
        if rules.name.find("chips") < 0:
            assert offered == {action.id for action in state.legal_actions()}
        np.testing.assert_array_equal(info["action_mask"], seen["action_mask"])
        np.testing.assert_array_equal(
            seen["observation"], numbers(game, rules, state.observation(seat))
        )
        for other in range(seats):
            watching = env.observe(f"seat_{other}")
            assert other == seat or not watching["action_mask"].any()
            assert env.observation_space(f"seat_{other}").contains(watching)
        assert (reward, over, cut) == (0, False, False)
        number = chosen(seen["action_mask"], rng)
        env.step(number)
        state.apply_action(choices[number])
    assert [env.rewards[f"seat_{seat}"] for seat in range(seats)] == list(state.returns())
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert all(env.terminations.values())


@pytest.mark.parametrize("opponent", ["stand(at=17)", THIRTY_LINES], ids=["house", "confined"])
def test_a_deal_is_dealt_again_with_the_same_cards(opponent):
    env = single("pazaak", opponent)
    for seat in (0, 1):
        played = []
        for _ in range(2):
            seen, info = env.reset(options={"deal": 11, "seat": seat})
            assert (info["deal"], info["seat"]) == (11, seat)
            rng, steps, over = np.random.default_rng(seat), [seen], False
            while not over:
                seen, reward, over, _, info = env.step(chosen(seen["action_mask"], rng))
                steps.append(seen)
            played.append((steps, reward, info["returns"]))
        (first, reward, returns), (again, *same) = played
        assert [reward, returns] == same
        assert reward == returns[seat]
        assert len(first) == len(again)
        for one, other in zip(first, again, strict=True):
            np.testing.assert_array_equal(one["observation"], other["observation"])
    env.close()


def test_mirrored_deals_have_the_same_cards_in_a_seat_whoever_sits_there():
    hands = slice(82, 105)  # the own hand in the view of Pazaak
    env = single("pazaak", "stand(at=20)")
    turns = aec("pazaak")
    for seat in (0, 1):
        seen, _ = env.reset(options={"deal": 3, "seat": seat})
        turns.reset(options={"deal": 3})
        mine = turns.observe(f"seat_{seat}")
        np.testing.assert_array_equal(seen["observation"][hands], mine["observation"][hands])
    env.close()


def test_a_vector_deals_what_one_table_deals():
    env = vector("pazaak", 3)
    seen, info = env.reset(options={"deal": 40})
    for number in range(3):
        turns = aec("pazaak")
        turns.reset(options={"deal": 40 + number})
        agent = turns.agent_selection
        assert agent == f"seat_{info['seat'][number]}"
        for name, each in turns.observe(agent).items():
            np.testing.assert_array_equal(seen[name][number], each)


def test_illegal_actions_are_faults_and_do_not_raise():
    env = single("pazaak", "random", seat=0)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(34)
    assert (reward, over, info["termination"]) == (-1, True, "illegal action")
    assert info["returns"] == (-1, 1)
    turns = aec("pazaak")
    turns.reset(seed=1)
    agent = turns.agent_selection
    turns.step(34)
    assert turns.rewards[agent] == -1
    assert turns.infos[agent]["fault"].startswith("action 34 is not one of: ")
    env.close()


def test_an_eliminated_seat_is_not_asked_again_and_rewarded_at_the_end():
    turns, rng = aec("sabacc", seats=4), np.random.default_rng(2)
    turns.reset(seed=2)
    turns.step(-5)
    (out,) = [agent for agent in turns.agents if "fault" in turns.infos[agent]]
    assert not any(turns.terminations.values())
    asked = set()
    while not turns.terminations[out]:
        asked.add(turns.agent_selection)
        turns.step(chosen(turns.observe(turns.agent_selection)["action_mask"], rng))
    assert asked == set(turns.agents) - {out}
    assert turns.rewards[out] == min(turns.rewards.values())
    assert sum(turns.rewards.values()) == pytest.approx(0)


def test_a_learner_that_is_eliminated_gets_its_result_at_the_end():
    env = single("sabacc", ["random", "random", "random"], seat=2)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(47)
    assert over
    assert reward == min(info["returns"])
    env.close()


def test_a_match_that_was_left_is_no_trouble_for_the_next():
    env = single("pazaak", THIRTY_LINES)
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        env.step(chosen(seen["action_mask"], np.random.default_rng(0)))
    env.close()
