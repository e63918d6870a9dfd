"""The side deck that the better bots play."""

import pytest
from arena_bots.pazaak.side_decks import RANKING, WANTED, choose_side_deck

from arena.games.pazaak.engine.cards import CATALOGUE
from arena.games.pazaak.game import Pazaak

GAME = Pazaak()


@pytest.mark.parametrize(
    "spelling",
    [
        "standard",
        "wiki",
        "console",
        "kotor1",
        "table",
        "standard(max_copies=1)",
        "standard(max_copies=4,max_gold_copies=1)",
        "standard(side_deck_size='10..25')",
        "standard(side_deck_size=25)",
        "standard(collection='+1 +1 +2 +2 +3 +3 +4 +4 +5 +5 ±1T -3')",
    ],
)
def test_it_is_legal_in_every_ruleset_with_a_choice(spelling):
    ruleset = GAME.ruleset(spelling)
    offer = GAME.loadouts.offer(ruleset, 0)
    deck = choose_side_deck(offer)
    assert len(GAME.loadouts.accept(ruleset, deck)) == offer.sizes[0]


def test_where_nothing_is_scarce_it_is_the_wanted_deck():
    deck = choose_side_deck(GAME.loadouts.offer(GAME.ruleset(), 0))
    assert sorted(card.id for card in deck) == sorted(card.id for card in WANTED)


def test_the_ranking_names_every_kind_once():
    assert sorted(card.id for card in RANKING) == [card.id for card in CATALOGUE]
