"""Hints as tables, the words and cards of actions, picked loadouts, and difficulties."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest
from arena_results.file.database import open_database

from arena.core.actions import Action
from arena.core.chance.dealer import Sampled
from arena.core.choices import choices_of, merged
from arena.core.parts.moves import Move
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.plugins.entries import LEVELS
from arena.plugins.registry import Registry
from arena.service.boards.kept import Boards
from arena.service.match.hints import action_hints, chances
from arena.service.match.odds import state_odds
from arena.service.run.opponents import medium, opponents

PAZAAK, SABACC = Pazaak(), Sabacc()


def pazaak_decision():
    keys = {"own": "10 8", "rival": "10 9", "hand": "+1 ±2", "stands": "yes"}
    return PAZAAK.odds.position(PAZAAK.ruleset(), keys)


def choices(game, state):
    return choices_of(game, state.observation(state.current_player()))


def test_moves_say_their_words_and_the_cards_of_the_hand():
    found = {each.text: (each.words, each.cards) for each in choices(PAZAAK, pazaak_decision())}
    assert found == {
        "end turn": ("End turn", ()),
        "stand": ("Stand at 18", ()),
        "play +1": ("Play +1", (0,)),
        "play ±2 as +2": ("Play +2", (1,)),
        "play ±2 as -2": ("Play \N{MINUS SIGN}2", (1,)),
    }


@pytest.mark.parametrize(("most", "found"), [(4, 6), (5, 3), (9, 3)])
def test_five_amounts_or_more_are_one_choice_with_bounds(most, found):
    texts = ["check", *(f"bet {amount}" for amount in range(1, most + 1)), "fold"]
    actions = [Action(index, text) for index, text in enumerate(texts)]
    moves = [Move(text.capitalize()) for text in texts]
    choices = [*merged(actions, moves)]
    assert len(choices) == found
    bounds = [(each.words, each.least, each.most) for each in choices if each.least is not None]
    assert bounds == [("Bet {}", 1, most)] * (found == 3)


def test_every_move_of_sabacc_uses_the_cards_that_it_names():
    rules = SABACC.ruleset("old_republic(mode=chips,hands=1)")
    state = SABACC.new_state(rules, (b"",) * 4, Sampled(Random(1)))
    rng, kinds = Random(2), set()
    while state.current_player() >= 0:
        seen = state.observation(state.current_player())
        moves = SABACC.moves.of(seen)
        assert len(moves) == len(seen.legal_actions)
        for action, move in zip(seen.legal_actions, moves, strict=True):
            if action.text.startswith("exchange"):
                assert [place + 1 for place in move.cards] == [*map(int, action.text.split()[1:])]
                assert move.words.startswith(f"Exchange {len(move.cards)} card")
            kinds.add(move.words.split()[0])
        allowed = [each for each in seen.legal_actions if each.text != "fold"]
        state.apply_action(rng.choice(allowed[:3]))
    assert {"Put", "Exchange", "Keep", "Fold", "Draw"} <= kinds


def test_hints_rank_the_actions_by_what_they_are_worth():
    state = pazaak_decision()
    odds = state_odds(PAZAAK, "standard", state)
    table = action_hints(odds, choices(PAZAAK, state))
    first = table.columns[1].key
    assert first == "wins match"
    worth = [row[first] for row in table.rows]
    assert worth == sorted(worth, reverse=True)
    assert [row["best"] for row in table.rows] == [value == worth[0] for value in worth]
    named = {row["action"]: row for row in table.rows}
    assert named["Stand at 18"]["set lost"] == 1
    assert named["Play ±2 as +2"]["set won"] > 0
    assert [row["event"] for row in chances(odds, choices(PAZAAK, state)).rows] == ["next card"]


def test_a_side_deck_is_picked_from_cards_that_make_a_loadout():
    for ruleset in ("standard", "standard(max_copies=2)"):
        rules = PAZAAK.ruleset(ruleset)
        picker = PAZAAK.loadouts.picker(rules)
        default = PAZAAK.loadouts.parse(" ".join(picker.chosen))
        assert PAZAAK.loadouts.accept(rules, default) == PAZAAK.loadouts.accept(rules, None)
        assert picker.least <= len(picker.chosen) <= picker.most
        assert all(each.about and each.face.name == each.text for each in picker.cards)
    assert {each.most for each in picker.cards} == {2}
    assert SABACC.loadouts.picker(SABACC.ruleset()) is None


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/o.db", create=True) as found:
        yield found


class Rated(Boards):
    """A leaderboard with these ratings."""

    def __init__(self, ratings, half):
        self._ratings, self._half = ratings, half

    def now(self, asked, **_):
        rows = [
            SimpleNamespace(
                participant=SimpleNamespace(name=name, version="1"),
                rating=rating,
                low=rating - self._half,
                high=rating + self._half,
                component=1,
            )
            for name, rating in self._ratings.items()
        ]
        return [SimpleNamespace(rows=rows)]


def test_a_difficulty_is_declared_where_no_rating_is_known(database):
    registry = Registry()
    for boards in (Boards(registry, database), Rated({"random": 2000.0}, 10)):
        found = opponents(registry, database, boards, "pazaak", submitted=True)
        levels = {each.name: each.level for each in found}
        assert levels["random"] == 1
        assert levels["optimal"] == 5
        assert [each.level for each in found] == sorted(levels.values())
        assert medium(found).difficulty == "medium"
    assert LEVELS[levels["stand"]] == "easy"


def test_a_difficulty_follows_from_ratings_that_are_known_well(database):
    registry = Registry()
    ratings = {"random": 1900.0, "stand": 1700.0, "counter": 1500, "optimal": 1400, "search": 1200}
    for half, hardest in ((20, "very hard"), (400, "very easy")):
        boards = Rated(ratings, half)
        found = opponents(registry, database, boards, "pazaak", submitted=False)
        assert {each.name: each.difficulty for each in found}["random"] == hardest
