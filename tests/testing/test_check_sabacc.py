"""Sabacc keeps every promise of the contract of games, in all its modes, at two to six seats."""

from __future__ import annotations

import msgspec
import pytest

from arena.games.sabacc.cards.cards import DECK
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.game import Sabacc
from arena.testing.check_game import check_game
from tests.sizes import volume

SABACC = Sabacc()
RULESETS = (
    "old_republic(hands=2)",
    "mos_eisley(hands=2,reveal=kept)",
    "corellian(mode=points,target=60)",
    "crseih_station(mode=points,target=0,hands=2,bonus=winner)",
    "imperial(mode=chips,hands=2)",
    "cloud_city(mode=chips,hands=2,betting=alternating)",
    "rebel_alliance(mode=chips,hands=2,betting=poker,short_stack=all_in,stack=30)",
    "new_republic(mode=chips,hands=2,short_stack=all_in,stack=20,all_bomb=refund)",
    "card_exchange(hands=2,tick_every=2)",
    "card_exchange(mode=chips,hands=2,tick_every=orbit,discards=reshuffled)",
    "variable(hands=2)",
    "variable(mode=chips,hands=2,dice=true,slip_return=kept_out,tick_every=phase)",
)
REDEALS = volume(850, everyday=250)


@pytest.mark.parametrize("spelling", RULESETS)
@pytest.mark.thorough(
    "more rulesets; tests/games/sabacc plays all modes", everyday=["old_republic(hands=2)"]
)
def test_sabacc_keeps_every_promise(spelling):
    report = check_game(SABACC, SABACC.ruleset(spelling), redeals=REDEALS, seed=5)
    assert report.passed, report.problems
    assert report.seats == (2, 3, 4, 5, 6)
    assert report.redeals >= REDEALS
    assert report.other_worlds > REDEALS / 2


def test_the_suite_deals_ten_thousand_times_anew():
    assert REDEALS * len(RULESETS) >= volume(10_000, everyday=3_000)


def test_a_sabacc_that_shows_what_lies_on_top_of_the_deck_is_caught(monkeypatch):
    honest = SabaccState.observation

    def leaky(self, seat):
        seen = honest(self, seat)
        top = max(card.id for card in self.unseen()) if any(self.hand_sizes) else len(DECK)
        return msgspec.structs.replace(seen, carried=top)

    monkeypatch.setattr(SabaccState, "observation", leaky)
    assert not check_game(SABACC, SABACC.ruleset(RULESETS[0]), redeals=300).passed
