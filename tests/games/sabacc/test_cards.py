"""Section 1 of the rule book: the deck of 76."""

import copy
import pickle
from collections import Counter

import pytest

from arena.core.errors import UnknownName
from arena.games.sabacc.cards.cards import (
    CHARACTERS,
    DECK,
    DECK_SIZE,
    KINDS,
    RANKS,
    SUITS,
    card_named,
    card_of,
    in_order,
)


def test_s1_44_numbered_16_ranked_and_16_characters_are_76():
    numbered = [card for card in DECK if card.numbered]
    characters = [card for card in DECK if card.character]
    ranked = [card for card in DECK if card.rank in RANKS]
    assert (len(numbered), len(ranked), len(characters), len(DECK)) == (44, 16, 16, 76)
    assert len(DECK) == DECK_SIZE
    assert not {*numbered} & {*ranked} | {*numbered} & {*characters} | {*ranked} & {*characters}


def test_s1_numbered_cards_count_their_face_and_ranked_ones_12_to_15():
    for suit in SUITS:
        worth = {card.rank: card.value for card in DECK if card.suit == suit}
        faces = {str(face): face for face in range(1, 12)}
        assert worth == {**faces, "Commander": 12, "Mistress": 13, "Master": 14, "Ace": 15}


def test_s1_two_cards_of_every_character_one_of_every_other():
    copies = Counter(DECK)
    assert {card.name for card in KINDS if copies[card] == 2} == set(CHARACTERS)
    assert set(copies.values()) == {1, 2}
    assert len(copies) == len(KINDS) == 68


def test_an_id_is_an_index_and_a_name_finds_its_card():
    for id, card in enumerate(KINDS):
        assert card.id == id
        assert card_of(id) is card
        assert card_named(card.name) is card
        assert card_named(f"  {card.name.upper().replace(' ', '  ')} ") is card


@pytest.mark.parametrize("name", ["12 of Coins", "Ace", "", "Queen of Air", "0 of Coins"])
def test_an_unknown_card_is_refused_with_the_choices(name):
    with pytest.raises(UnknownName, match=r"unknown Sabacc card .*Ace of Staves, Sabers, .*Rancor"):
        card_named(name)


def test_a_copy_of_a_card_is_the_same_object():
    card = card_named("5 of Flasks")
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card


def test_hands_are_kept_in_the_order_of_the_deck():
    names = ["Idiot", "Ace of Coins", "5 of Staves", "Idiot", "2 of Flasks"]
    ordered = in_order(map(card_named, names))
    assert [str(card) for card in ordered] == [
        "5 of Staves",
        "2 of Flasks",
        "Ace of Coins",
        "Idiot",
        "Idiot",
    ]
