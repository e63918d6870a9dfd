"""Learned value functions: facts of positions, exact means, learning, and their files."""

from fractions import Fraction
from itertools import pairwise
from math import fsum

import numpy as np
import pytest

from arena.core.chance.seeding import derive_seed
from arena.core.errors import BadInput
from arena.core.parts.full_state_facts import SceneFacts
from arena.games.pazaak.engine import stages
from arena.games.sabacc.game import Sabacc
from arena.host.bot.inline import play_inline
from arena.match.learned.file import Origin, Source, read_file
from arena.match.learned.network import Network, fit, new_network
from arena.match.learned.positions import events_of, positions, results_of
from arena.match.learned.training import Plan, learn
from arena.match.learned.values import LearnedValues, file_of
from arena.match.limits import Limits
from arena.match.luck import chance_events, luck_by_seat, nodes
from arena.testing.scripted import RandomBot
from tests.match.bots import PAZAAK, STANDARD
from tests.testing.toy_game import RULES, Toy

SABACC = Sabacc()
SHORT = SABACC.ruleset("old_republic(hands=2)")
DICED = SABACC.ruleset("old_republic(hands=2,mode=chips,dice=True,variable=True)")
TOY = Toy()


def record(game, ruleset, seed, seats=2):
    makers, names = [RandomBot] * seats, "abcdef"[:seats]
    return play_inline(game, ruleset, derive_seed(3, seed), 1, makers, names, Limits())[0]


def learned(game, ruleset, seed=5, sources=()):
    """A value function of random weights: whatever it is, luck has mean zero."""
    facts = game.full_state.facts(ruleset)
    origin = Origin(
        game=game.name,
        ruleset=ruleset.name,
        engine=game.version,
        facts=facts.name,
        matches=0,
        positions=0,
        rounds=1,
        epochs=1,
        seed=seed,
        sources=sources,
    )
    network = new_network(facts.size, (8, 4), seed)
    for name, each in network.weights.items():
        network.weights[name] = each.astype(np.float16).astype(np.float32)
    return LearnedValues(game, ruleset, file_of(origin, network))


GAMES = [(PAZAAK, STANDARD, 2), (SABACC, SHORT, 2), (SABACC, DICED, 3), (TOY, RULES, 2)]


@pytest.mark.parametrize(("game", "ruleset", "seats"), GAMES)
def test_at_every_chance_node_the_mean_luck_is_nothing(game, ruleset, seats):
    values = learned(game, ruleset)
    for node, came in [
        (state.clone(), came)
        for _, state, came, _ in nodes(game, record(game, ruleset, 1, seats))
        if came is not None
    ][:12]:
        outcomes = node.chance_outcomes()
        assert came in [action for action, _ in outcomes]
        lucks = [next(iter(values.luck([(node, action)])))[0] for action, _ in outcomes]
        for seat in range(seats):
            odds = [odds for _, odds in outcomes]
            assert sum(odds) == Fraction(1)
            means = [float(p) * luck[seat] for p, luck in zip(odds, lucks, strict=True)]
            assert fsum(means) == pytest.approx(0, abs=1e-7)
        assert all(fsum(luck) == pytest.approx(0, abs=1e-9) for luck in lucks)


@pytest.mark.parametrize(
    ("game", "ruleset", "seats", "matches"), [(*GAMES[1], 25), (*GAMES[3], 60)]
)
def test_the_luck_of_matches_has_mean_zero(game, ruleset, seats, matches):
    values = learned(game, ruleset)
    luck = [luck_by_seat(game, record(game, ruleset, n, seats), values)[0] for n in range(matches)]
    assert np.std(luck) > 0
    assert abs(np.mean(luck)) < 3 * np.std(luck) / matches**0.5


def test_cards_that_come_in_sabacc_are_found_again():
    for ruleset in (SHORT, DICED):
        for seed in range(3):
            match = record(SABACC, ruleset, seed, 3)
            last = [state for _, state, _, _ in nodes(SABACC, match)][-1]
            assert last.observation(0).history  # every answer was legal, and led to each decision


def test_facts_after_a_card_of_pazaak_are_the_next_decisions():
    facts, compared = PAZAAK.full_state.facts(STANDARD), 0
    for seed in range(3):
        for _, node, came, _ in nodes(PAZAAK, record(PAZAAK, STANDARD, seed)):
            if came is None or node.phase != stages.DRAW:
                continue
            outcomes = node.chance_outcomes()
            shared, own = facts.after(node, outcomes, node.turn)
            for (action, _), rows in zip(outcomes, own, strict=True):
                after = node.clone()
                after.apply_action(action)
                if after.phase == stages.ACT and after.turn == node.turn:
                    assert sorted((*shared, *rows)) == sorted(facts.of(after, after.turn))
                    compared += 1
    assert compared > 100


def test_scenes_give_facts_of_any_game_from_ones_own_side():
    facts = TOY.full_state.facts(RULES)
    assert isinstance(facts, SceneFacts)
    played = nodes(TOY, record(TOY, RULES, 1))
    state = next(state.clone() for _, state, came, _ in played if not came)
    first, second = facts.of(state, 0), facts.of(state, 1)
    assert first == facts.of(state.clone(), 0)
    assert sorted(first) != sorted(second)  # the own card and the other's give other facts
    assert all(0 <= row < facts.size for row in (*first, *second))


def test_the_gradient_is_the_slope_of_the_error():
    network = new_network(6, (5, 4), 1)
    rows, wanted = np.array([[0, 1, 6], [2, 2, 3], [4, 0, 5]]), np.array([1, -1, 0.5], np.float32)

    def error():
        return float(((network.of(rows) - wanted) ** 2).mean() / 2)

    for name, slopes in network.gradient(rows, wanted).items():
        weights = network.weights[name]
        for place in list(np.ndindex(weights.shape))[:20]:
            if name == "rows" and place[0] == network.blank:
                assert slopes[place] == 0
                continue
            before = weights[place]
            weights[place] = before + 1e-3
            above = error()
            weights[place] = before - 1e-3
            below = error()
            weights[place] = before
            assert slopes[place] == pytest.approx((above - below) / 2e-3, abs=5e-4)


def test_a_network_learns_what_there_is_to_learn():
    draw = np.random.default_rng(1)
    rows = draw.integers(0, 10, (4000, 2)) + np.array((0, 10))
    wanted = np.where((rows[:, 0] > 4) == (rows[:, 1] > 4), 1.0, -1.0)
    network = new_network(20, (16, 8), 1)
    shares = []
    fit(network, rows, wanted, epochs=10, rate=2e-2, seed=1, progress=shares.append)
    assert ((network.of(rows) - wanted) ** 2).mean() < 0.2
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.thorough("what is learned is compared with exact values")
def test_labels_without_later_luck_have_the_same_mean_and_vary_less():
    matches = [record(TOY, RULES, n) for n in range(150)]
    facts = TOY.full_state.facts(RULES)
    found = positions(
        [list(events_of(TOY, facts, each)) for each in matches],
        [results_of(each.outcome.returns) for each in matches],
        facts.size,
    )
    network = learn([found], facts.size, Plan(hidden=(16, 8), epochs=5), lambda share: None)
    plain = found.continuations(np.zeros(len(found.odds)))
    labels = found.continuations(network.values(found))
    assert labels.mean() == pytest.approx(plain.mean(), abs=0.05)
    assert labels.std() < plain.std()
    luck = found.luck_of_matches(network.values(found))
    assert (found.results - luck).var() < 0.8 * found.results.var()
    again = learn([found], facts.size, Plan(hidden=(16, 8), epochs=5), lambda share: None)
    assert all((again.weights[name] == each).all() for name, each in network.weights.items())


def test_luck_of_a_match_is_the_same_event_by_event_and_by_arrays():
    values, match = learned(PAZAAK, STANDARD), record(PAZAAK, STANDARD, 4)
    facts = PAZAAK.full_state.facts(STANDARD)
    table = positions([list(events_of(PAZAAK, facts, match))], [(0, 0)], facts.size)
    luck = luck_by_seat(PAZAAK, match, values)
    events = [each.luck for each in chance_events(PAZAAK, match, values)]
    for seat in (0, 1):
        assert fsum(each[seat] for each in events) == pytest.approx(luck[seat])
        found = table.luck_of_matches(values._network.values(table))[0, seat]
        assert found == pytest.approx(luck[seat], abs=1e-5)


def test_values_are_results_at_the_end_and_sum_to_zero():
    values = learned(SABACC, DICED)
    states = [state.clone() for _, state, _, _ in nodes(SABACC, record(SABACC, DICED, 2, 3))]
    for state in states[::5]:
        assert fsum(values.value(state)) == pytest.approx(0, abs=1e-6)
    assert any(one != other for one, other in pairwise(map(values.value, states[::5])))
    end = states[-1]
    while not end.is_terminal():
        end.apply_action(end.legal_actions()[0])
    assert values.value(end) == results_of(end.returns())


def test_a_file_gives_the_same_value_function_again():
    values = learned(PAZAAK, STANDARD)
    data = values.file.to_bytes()
    again = LearnedValues(PAZAAK, STANDARD, read_file(data))
    assert (again.name, again.hash, again.file.to_bytes()) == (values.name, values.hash, data)
    match = record(PAZAAK, STANDARD, 1)
    assert luck_by_seat(PAZAAK, match, again) == luck_by_seat(PAZAAK, match, values)


def test_files_of_something_else_are_refused():
    data = learned(PAZAAK, STANDARD).file.to_bytes()
    for wrong, message in (
        (b"", "expected a value function made by arena learn-value"),
        (b"abc", "expected a value function made by arena learn-value"),
        (data[:-1], "expected a value function made by arena learn-value"),
        (data.replace(b"function 1", b"function 9", 1), "the format 'arena value function 9'"),
        (data[:3000] + bytes([data[3000] ^ 1]) + data[3001:], "the value function was changed"),
    ):
        with pytest.raises(BadInput, match=message):
            read_file(wrong)
    for wrong in (np.inf, -np.inf, np.nan):
        network = new_network(PAZAAK.full_state.facts(STANDARD).size, (8, 4), 5)
        network.weights["layer3"][1] = wrong
        with pytest.raises(BadInput, match="are not all numbers"):
            read_file(file_of(read_file(data).origin, network).to_bytes())
    weights = {name: each[..., :0] for name, each in network.weights.items()}
    with pytest.raises(BadInput, match="not of the right sizes"):
        file_of(read_file(data).origin, Network(weights)).check_fits(PAZAAK, STANDARD)
    with pytest.raises(BadInput, match="for the ruleset 'standard', not 'standard"):
        read_file(data).check_fits(PAZAAK, PAZAAK.ruleset("standard(max_sets=9)"))
    with pytest.raises(BadInput, match="for the game 'pazaak', not 'sabacc'"):
        LearnedValues(SABACC, SHORT, read_file(data))


def test_a_file_names_the_deals_that_it_was_learned_from():
    sources = (Source("one", 7), Source("other", 9))
    values = learned(PAZAAK, STANDARD, sources=sources)
    again = read_file(values.file.to_bytes())
    assert again.origin.sources == sources
    deals = ("one", "other", "third")
    assert [values.independent_of(each) for each in deals] == [False, False, True]
    assert learned(PAZAAK, STANDARD).independent_of("one") is None
    assert PAZAAK.luck.value_function(STANDARD).independent_of("one") is True
