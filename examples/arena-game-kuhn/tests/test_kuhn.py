"""Tests of the game: its rules, its contract, and a whole match."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from arena_game_kuhn.game import ACTIONS, CARDS, DEALS, DEALT, Kuhn, KuhnObservation, KuhnState

from arena import Action, Bot, MatchContext, MatchRecord, open_database
from arena.core.errors import IllegalAction, IllegalLoadout, ParseError
from arena.core.state import CHANCE
from arena.testing import Position, ScriptedBot, check_game

GAME = Kuhn()
SINGLE = GAME.ruleset("single")


def hand(cards: str, *actions: str) -> KuhnState:
    """A hand of OpenSpiel's game: the cards of both seats, and what they did."""
    return GAME.positions.state(SINGLE, cards=cards, actions=" ".join(actions))


@pytest.mark.parametrize("ruleset", ["standard", "single", "standard(hands=3)"])
def test_keeps_every_promise_of_a_game(ruleset: str) -> None:
    """Kuhn passes what ``arena check game kuhn`` tests."""
    report = check_game(GAME, GAME.ruleset(ruleset), redeals=500)
    assert report.passed, report.problems
    assert report.other_worlds > 0.4 * report.redeals


def deal_from(monkeypatch: pytest.MonkeyPatch, deals: tuple[tuple[int, ...], ...]) -> None:
    """Makes the game deal from these deals instead of all six."""

    def rigged(self: KuhnState) -> None:
        if self.dealer is not None and self.current_player() == CHANCE:
            card = self.dealer.pile(f"hand {len(self.deals)}", deals, 1).draw(0)
            self.deals += (card,)

    monkeypatch.setattr(KuhnState, "_let_deal", rigged)


def test_a_dealer_who_favours_a_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards are hidden, but their owners see them."""
    deal_from(monkeypatch, DEALT[4:])
    report = check_game(GAME, SINGLE, redeals=500)
    assert "dealers do not follow the odds: of dealt[0] of seat 0" in report.problems[-1]


@pytest.mark.parametrize(
    "deals",
    [DEALT + DEALT[:1], DEALT[1:] + DEALT[-1:], DEALT[:1]],
    ids=["J Q twice as often", "J Q never", "J Q always"],
)
@pytest.mark.parametrize("ruleset", ["standard", "single"])
def test_a_dealer_with_a_wrong_deck_is_found(
    ruleset: str, deals: tuple[tuple[int, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each deal is counted, as both seats' cards together show which it was."""
    deal_from(monkeypatch, deals)
    report = check_game(GAME, GAME.ruleset(ruleset), redeals=300)
    assert "dealers do not follow the odds" in report.problems[-1]


@pytest.mark.parametrize("redeals", [300, 1000])
@pytest.mark.parametrize("rigged", ["last hand", "leader"])
def test_a_dealer_who_is_honest_most_of_the_time_is_found(
    rigged: str, redeals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All deals together come as often as they should, but not each time."""

    def deals(state: KuhnState) -> tuple[tuple[int, ...], ...]:
        ahead = state.chips[0] - state.chips[1] if rigged == "leader" else len(state.deals) == 9
        return DEALT if not ahead else tuple(d for d in DEALT if (d[0] > d[1]) == (ahead > 0))

    def deal(self: KuhnState) -> None:
        if self.dealer is not None and self.current_player() == CHANCE:
            self.deals += (self.dealer.pile(f"hand {len(self.deals)}", deals(self), 1).draw(0),)

    monkeypatch.setattr(KuhnState, "_let_deal", deal)
    report = check_game(GAME, GAME.ruleset("standard"), redeals=redeals)
    assert "dealers do not follow the odds" in report.problems[-1]


@pytest.mark.parametrize(
    ("cards", "actions", "chips"),
    [
        ("KJ", ("pass", "pass"), (1, -1)),
        ("JQ", ("pass", "pass"), (-1, 1)),
        ("JK", ("bet", "pass"), (1, -1)),
        ("QK", ("bet", "bet"), (-2, 2)),
        ("KQ", ("bet", "bet"), (2, -2)),
        ("KJ", ("pass", "bet", "pass"), (-1, 1)),
        ("QJ", ("pass", "bet", "bet"), (2, -2)),
    ],
)
def test_a_hand_ends_and_pays_as_in_openspiel(
    cards: str, actions: tuple[str, ...], chips: tuple[int, int]
) -> None:
    """The five ways through a hand."""
    state = hand(cards, *actions)
    assert state.is_terminal()
    assert state.outcome().scores == chips
    assert state.returns() == chips


def test_there_are_30_ways_to_the_end_and_the_value_is_a_loss_of_an_eighteenth() -> None:
    """Kuhn's equilibrium: the first bets J with 1/3 and K always, and calls with Q at 2/3."""
    third = Fraction(1, 3)
    bets = {  # the chance of a bet, by the actions so far and the own card
        "": {"J": third, "Q": Fraction(0), "K": Fraction(1)},
        "pass bet": {"J": Fraction(0), "Q": 2 * third, "K": Fraction(1)},
        "pass": {"J": third, "Q": Fraction(0), "K": Fraction(1)},
        "bet": {"J": Fraction(0), "Q": third, "K": Fraction(1)},
    }
    endings = [*_endings(KuhnState(SINGLE), bets, ())]
    assert len(endings) == 30
    assert sum(prod(odds) * chips for odds, chips in endings) == Fraction(-1, 18)


def _endings(
    state: KuhnState, bets: Mapping[str, Mapping[str, Fraction]], odds: tuple[Fraction, ...]
) -> list[tuple[tuple[Fraction, ...], int]]:
    """The probabilities on the way to each end, and what the first seat gains there."""
    if state.is_terminal():
        return [(odds, state.scores()[0])]
    if state.current_player() == CHANCE:
        ways = state.chance_outcomes()
    else:
        bet = bets[state.actions][CARDS[state.deals[-1][state.current_player()]]]
        ways = tuple(zip(ACTIONS, (1 - bet, bet), strict=True))
    endings = []
    for action, chance in ways:
        child = state.clone()
        child.apply_action(action)
        endings += _endings(child, bets, (*odds, chance))
    return endings


def test_the_seats_take_turns_to_act_first() -> None:
    """Over a match of hands that are passed."""
    state = KuhnState(GAME.ruleset("standard(hands=3)"))
    first = []
    for cards in DEALT[:3]:
        state.apply_action(DEALS[DEALT.index(cards)])
        first.append(state.current_player())
        state.apply_action(ACTIONS[0])
        state.apply_action(ACTIONS[0])
    assert first == [0, 1, 0]
    assert state.is_terminal()
    assert state.chips == (-1, 1)


def test_what_the_rules_forbid_changes_nothing() -> None:
    """Only a seat's own decision is taken, and only while the match lasts."""
    state = hand("KQ", "bet")
    with pytest.raises(IllegalAction, match="deal J Q is not one of: pass, bet"):
        state.apply_action(DEALS[0])
    assert state.actions == "bet"
    with pytest.raises(IllegalAction, match="the match is not over"):
        state.outcome()
    with pytest.raises(IllegalLoadout):
        GAME.loadouts.accept(SINGLE, "an ace")


@pytest.mark.parametrize("text", ["", "raise", "bet 2"])
def test_unknown_actions_do_not_parse(text: str) -> None:
    """The message names what may be written."""
    with pytest.raises(ParseError, match="'pass' or 'bet'"):
        GAME.notation.action(text)


def test_a_described_position_is_where_its_seat_decides() -> None:
    """For tests and puzzles: bots are asked there."""
    here = Position.described(GAME, SINGLE, cards="KJ", actions="pass bet")
    assert here.seat == 0
    assert here.ask(ScriptedBot(["bet"])) == "bet"


@pytest.mark.parametrize(
    ("cards", "actions", "choices"),
    [("KK", "", "'deal J Q' or 'deal J K'"), ("KQ", "fold", "'pass' or 'bet'")],
)
def test_there_is_no_such_position(cards: str, actions: str, choices: str) -> None:
    """The message names what may be written there."""
    with pytest.raises(ParseError, match=choices):
        GAME.positions.state(SINGLE, cards=cards, actions=actions)


def test_a_seat_sees_its_card_and_the_events() -> None:
    """As text for people."""
    state = hand("QJ", "pass", "bet")
    text = GAME.render(state.observation(0))
    assert text.startswith("Hand 1 of 1; actions: pass bet\n")
    assert text.endswith("  choices: pass, bet")
    assert ("[Q]" in text, "[J]" in text) == (True, False)
    state.apply_action(ACTIONS[1])
    assert GAME.notation.events(state.history) == (
        *("seat 0: pass", "seat 1: bet", "seat 0: bet"),
        *("seat 0: shows Q", "seat 1: shows J", "seat 0: wins 2"),
    )


def test_an_onlooker_sees_the_cards_of_the_open_seats() -> None:
    """As data, from which text and pictures are drawn."""
    state = hand("QJ", "pass")
    for open_seats, cards in (((), "??"), ((1,), "?J"), ((0, 1), "QJ")):
        scene = GAME.board.scene(state, open_seats)
        assert "".join(str(zone.cards[0]) for zone in scene.zones) == cards
        assert (scene.turn, scene.value("chips", 0)) == (1, 0)


@pytest.mark.parametrize("hands", [0, 101])
def test_a_match_has_1_to_100_hands(hands: int) -> None:
    """A ruleset checks itself."""
    with pytest.raises(ParseError, match=f"hands is 1 to 100, not {hands}"):
        GAME.ruleset(f"standard(hands={hands})")


def test_search_beats_chance(play_match: Callable[..., MatchRecord]) -> None:
    """The house's search bot knows no game, and plays this one."""
    records = [play_match("search", "random", game="kuhn", seed=seed) for seed in range(20)]
    assert sum(record.outcome.returns[0] > 0 for record in records) > 12


THIRD = 1 / 3
EQUILIBRIUM = {
    "": {"J": THIRD, "Q": 0.0, "K": 1.0},
    "pass bet": {"J": 0.0, "Q": 2 * THIRD, "K": 1.0},
    "pass": {"J": THIRD, "Q": 0.0, "K": 1.0},
    "bet": {"J": 0.0, "Q": THIRD, "K": 1.0},
}
"""The chance of a bet, by the actions so far and the own card."""


class Equilibrium(Bot[KuhnObservation]):
    """Plays an equilibrium."""

    games = ("kuhn",)

    def start(self, context: MatchContext) -> None:
        """Draws its bets at random."""
        self.rng = context.rng()

    def act(self, observation: KuhnObservation) -> Action:
        """Bets with the chance of the equilibrium."""
        chance = EQUILIBRIUM[observation.actions][CARDS[observation.dealt[-1]]]
        return ACTIONS[self.rng.random() < chance]


class Follower(Equilibrium):
    """Plays the same under another name."""


def test_by_chips_the_equilibrium_is_ahead_of_chance_which_wins_as_many_hands(
    tmp_path: Path,
) -> None:
    """It takes exactly 1/6 of a chip a hand from random play, and wins half of the hands.

    From its like it takes nothing: a loss of 1/18 as the first, a gain of 1/18 as the second.
    """
    with open_database(tmp_path / "kuhn.db") as db:
        field = [Equilibrium, Follower, "random"]
        keys = {"game": "kuhn", "ruleset": "single", "games": 800, "seed": 1}
        cup = db.run(field, scoring="amount", **keys)
        rows = {row["name"]: row for row in cup.standings()}
        table = {row["name"]: row for row in cup.crosstable()}
        duel = db.run(field[::2], scoring="amount", **keys).result()
    assert cup.document()["tournament"]["unit"] == "chips"
    assert rows["random"]["rank"] == 3
    for name in ("Equilibrium", "Follower"):
        mean, error = rows[name]["mean_amount"], rows[name]["mean_amount_error"]
        assert abs(mean - 1 / 12) < error < 0.1
        assert abs(table[name]["random"] - 1 / 6) < 0.1
    assert abs(table["Equilibrium"]["Follower"]) < 0.1
    assert duel is not None
    assert abs(duel["mean_amount"] - 1 / 6) < duel["mean_amount_error"] < 0.1
    assert abs(duel["score"] - 0.5) < 0.05
