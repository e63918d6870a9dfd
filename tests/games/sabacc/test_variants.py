"""Section 2 of the rule book: the nine variants."""

import msgspec
import pytest

from arena.games.sabacc.cards.cards import CHARACTERS, DECK, RANKS, SUITS
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.rulesets import RULESETS
from arena.games.sabacc.cards.variants import VARIANTS

# 004:60-74 and 150-296: Rancor, Jedi Knight, Jedi Master, Dark Jedi, Lord of the Sith, Smuggler,
# Bounty Hunter; the exchange; what has to be shown for the larger one; the combination.
TABLE = {
    "old_republic": ((9, 3, 3, -14, 10, 10, 9), {1, 2}, ("Jedi Master",), "Jedi"),
    "rebel_alliance": ((7, 3, 4, 12, -10, 5, 9), {1, 2, 3}, (), "Force"),
    "new_republic": ((8, 4, 3, 12, -11, 4, 10), {1, 3}, (), "Republic"),
    "imperial": ((7, 15, -9, 3, 4, 7, 3), {2}, (), "Sith"),
    "cloud_city": ((7, 4, 6, 9, -8, 5, 7), {2, 4}, (), "Partner"),
    "mos_eisley": ((5, 7, 8, -11, 10, 6, 5), {1}, ("Smuggler", "Bounty Hunter"), "Gangster"),
    "corellian": ((4, 10, -13, 11, 11, 4, 3), {1, 2}, (), "Smuggler"),
    "corporate_sector": ((5, -7, 8, 7, 8, 6, 3), {3}, (), "Hunter"),
    "crseih_station": ((7, 8, -6, 5, 4, 6, 6), {1, 2}, (), "Temporal"),
}
NEEDS = {
    "Jedi": {"Jedi Master": 1, "Jedi Knight": 1, "Sabers": 1},
    "Force": {"Jedi Knight": 2, "Ace": 1},
    "Republic": {"Jedi Knight": 1, "Jedi Master": 1, "Smuggler": 1},
    "Sith": {"Lord of the Sith": 1, "Commander": 1, "Ace": 1},
    "Partner": {"Smuggler": 2, "Jedi Knight": 1},
    "Gangster": {"Smuggler": 1, "Bounty Hunter": 2, "Coins": 1},
    "Smuggler": {"Smuggler": 2, "Coins": 1},
    "Hunter": {"Bounty Hunter": 2, "Coins": 1},
    "Temporal": {"Flasks": 4},
}


def test_s2_there_are_nine_and_the_old_republic_is_the_standard():
    assert list(VARIANTS) == list(TABLE)
    assert next(iter(RULESETS)) == "old_republic"
    assert all(RULESETS[name].row is row for name, row in VARIANTS.items())


@pytest.mark.parametrize("name", TABLE)
def test_s2_the_row_is_the_seeds(name):
    values, exchanges, revealers, combination = TABLE[name]
    row = VARIANTS[name]
    assert dict(zip(CHARACTERS, row.values, strict=True)) == dict(
        zip(CHARACTERS, (0, *values), strict=True)
    )
    assert row.exchanges == exchanges
    assert set(row.revealers) == set(revealers)
    assert row.after_showing == ({1, 2, 3, 4} if revealers else set())
    assert row.combination == combination
    assert dict(row.needs) == NEEDS[combination]
    assert row.source.startswith("004:")


@pytest.mark.parametrize("name", TABLE)
def test_s1_the_characters_add_to_30_and_the_deck_to_540(name):
    row = VARIANTS[name]
    assert sum(row.values) == 30
    values = ranker(RULESETS[name], row).values
    assert sum(values[card.id] for card in DECK) == 540


@pytest.mark.parametrize("name", TABLE)
def test_what_a_combination_needs_exists_and_no_card_is_needed_twice(name):
    names = [what for what, _ in VARIANTS[name].needs]
    assert set(names) <= {*CHARACTERS, *RANKS, *SUITS}
    # A rank and a suit in one row would both be met by one card, which counts only once.
    assert not (set(names) & {*RANKS} and set(names) & {*SUITS})


def test_s1_a_row_with_a_wrong_sum_is_refused():
    row = VARIANTS["imperial"]
    fields = {field: getattr(row, field) for field in row.__struct_fields__}
    with pytest.raises(ValueError, match="the characters of imperial must add to 30"):
        type(row)(**{**fields, "values": (1, *row.values[1:])})
    with pytest.raises(ValueError, match="must add to 30"):
        msgspec.structs.replace(row, values=(30,))
