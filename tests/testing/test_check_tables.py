"""``check_game`` at tables of several seats, and with games that expel offenders."""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest

from arena.core.outcome import Outcome, Payoffs
from arena.testing.check_game import check_game
from tests.broken_game import with_parts
from tests.sizes import volume
from tests.table_game import OUT, RULES, Table, TableState, broken


def test_a_game_for_tables_keeps_every_promise():
    report = check_game(Table(), RULES, redeals=3000)
    assert report.problems == ()
    assert report.seats == (2, 3, 4)
    assert report.redeals >= 3000
    assert report.other_worlds > 0.6 * report.redeals
    assert min(report.checks.values()) > 30
    assert len(report.checks) == 22


@pytest.mark.parametrize(("redeals", "matches"), [(1, 4), (3000, 15)])
@pytest.mark.thorough("the test before has as many redeals", everyday=["1-4"])
def test_every_size_of_table_gets_matches_and_its_share_of_the_redeals(redeals, matches):
    ended, redealt = Counter(), Counter()

    def spying(self, state, open_seats):
        everybody = len(open_seats) == len(state.loadouts)
        ended[len(state.loadouts)] += state.is_terminal() and everybody
        return ""

    class Spied(with_parts(Table, board_text=spying)):
        def resample(self, observation, rng):
            redealt[len(observation.loadouts)] += 1
            return super().resample(observation, rng)

    assert check_game(Spied(), RULES, redeals).passed
    assert min(ended[seats] for seats in (2, 3, 4)) >= matches
    assert min(redealt[seats] for seats in (2, 3, 4)) >= redeals / 3


def test_expulsion_is_not_checked_in_a_game_without_it():
    report = check_game(broken(game_expels=False, expel=lambda self, seat: 1 // 0), RULES, 500)
    assert report.passed
    assert "play goes on without a seat" not in report.checks


@pytest.mark.thorough("matches of usual length are looked at in full")
def test_a_long_match_is_looked_at_ever_more_rarely():
    def long(self, loadouts, dealer=None):
        TableState.__init__(self, loadouts)
        self.turns *= 300
        self.dealer = dealer
        self.answer()

    report = check_game(broken(__init__=long, game_seats=range(2, 3), game_expels=False), RULES, 1)
    assert report.passed
    assert 200 < report.redeals / report.matches < 0.7 * report.decisions / report.matches


def stays_at_the_table(self, seat):
    self.out.append(seat)
    self.history += bytes((seat, OUT))
    if len(self.out) == len(self.loadouts) - 1:
        self.phase = "over"


def plays_on_alone(self, seat):
    self.turns += [other for other in range(len(self.loadouts)) if other != seat]
    out, self.out = self.out, []
    TableState.expel(self, seat)
    self.out = [*out, seat]


def ranked_by_card(self):
    twin = self.clone()
    twin.out = []
    return TableState.outcome(twin)


def first_out_ranks_best_of_them(self):
    twin = self.clone()
    twin.out.reverse()
    return TableState.outcome(twin)


def level_at_the_bottom(self):
    ending = TableState.outcome(self)
    if len(self.out) < 2:
        return ending
    returns = list(ending.returns)
    level = sum(returns[seat] for seat in self.out) / len(self.out)
    for seat in self.out:
        returns[seat] = level
    return Outcome(tuple(returns), ending.scores)


def in_place(self, seat):
    self.raises[seat] += 100
    TableState.expel(self, seat)


def shared_raises(self, dealer=None):
    twin = TableState.clone(self, dealer)
    twin.raises = self.raises
    return twin


def opens_the_hand_quietly(self, seat):
    return tuple(self.cards[other] for other in self.out)


def leaves_chance_open(self, seat):
    dealer, self.dealer = self.dealer, None
    TableState.expel(self, seat)
    self.dealer = dealer


def unrepeatable(self, seat):
    TableState.expel(self, seat)
    self.raises[seat] = os.urandom(1)[0]


def wipes_the_history(self, seat):
    TableState.expel(self, seat)
    self.history = bytes((seat, OUT))


def forgetful_resample(self, observation, rng):
    state = Table.resample(self, observation, rng)
    if state.out:
        left = state.out.pop()
        state.turns.insert(0, left)
    return state


def small_stakes(self):
    ending = TableState.outcome(self)
    return Outcome(tuple(mine / 2 for mine in ending.returns), ending.scores)


def only_at_four(self, seat):
    return self.cards[0] if len(self.loadouts) == 4 and self.cards else None


def only_at_three(self, seat):
    return self.cards[0] if len(self.loadouts) == 3 and self.cards else None


def silent(self, observation):
    return None


def speechless(self, state, open_seats):
    if state.is_terminal():
        raise LookupError("no words")
    return "the table"


def cannot_expel(self, seat):
    raise NotImplementedError("TableState cannot go on without a seat")


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (broken(expel=cannot_expel), "it raised NotImplementedError: TableState cannot go on"),
        (broken(expel=stays_at_the_table), "is to decide, though it was taken out"),
        (broken(expel=plays_on_alone), "one seat is left, but the match goes on"),
        (broken(outcome=ranked_by_card), r"the seats \(.*\) were taken out, but the returns are"),
        (broken(outcome=first_out_ranks_best_of_them), r"the seats \(\d, \d.*\) were taken out"),
        (broken(outcome=level_at_the_bottom), r"the seats \(\d, \d.*\) were taken out|utilities"),
        (
            broken(expel=in_place, clone=shared_raises, extra=lambda s, _: sum(s.raises)),
            "what was done to the original changed its clone",
        ),
        (broken(extra=opens_the_hand_quietly), "seat . sees a difference: extra is"),
        (broken(expel=leaves_chance_open), "with a dealer, chance is to decide"),
        (broken(expel=unrepeatable), "the same seed gives another match"),
        (broken(expel=wipes_the_history), "has forgotten some of its history"),
        (broken(game_resample=forgetful_resample), "seat . sees a difference|in a re-dealt world"),
        (
            broken(outcome=small_stakes, amounts_payoffs=lambda *_: Payoffs(least=-0.1, most=0.1)),
            "are not within -0.1 to 0.1, as payoffs",
        ),
        (broken(extra=only_at_four), r"\(4 seats\), .*sees a difference: extra is"),
        (broken(extra=only_at_three), r"\(3 seats\), .*sees a difference: extra is"),
        (broken(game_render=silent, board_text=lambda *_: ""), "is written as NoneType"),
        (broken(board_text=speechless), "it raised LookupError: no words"),
    ],
    ids=lambda x: None if isinstance(x, Table) else x[:40],
)
def test_a_broken_promise_is_named(game, named):
    report = check_game(game, RULES, redeals=volume(3000, everyday=500))
    assert not report.passed
    assert re.search(named, " / ".join(report.problems)), report.problems
    assert len(report.problems) <= 10


def test_returns_need_not_be_the_finishing_order():
    report = check_game(broken(outcome=small_stakes), RULES, redeals=300)
    assert (report.problems, report.notes) == ((), ())


def test_a_problem_names_the_table_and_the_expelled_seats():
    report = check_game(broken(expel=stays_at_the_table), RULES, redeals=500)
    assert re.match(r"match \d+ \(\d seats\), move \d+(, seat \d out)+: ", report.problems[0])
