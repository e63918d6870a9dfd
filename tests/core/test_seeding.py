"""Seeds of a tournament's matches: derived from its key or its open seed."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.seeding import (
    KEY_BYTES,
    SEED_BITS,
    SeedOrigin,
    SeedSource,
    derive_seed,
    fresh_key,
    private_seeds,
)

SEEDS = st.integers(0, 2**63 - 1)
KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES).map(bytes.hex)
PLACES = st.tuples(*[st.integers(1, 40)] * 3)


def keyed(key, origin=SeedOrigin.DRAWN_KEY):
    return SeedSource(origin, key=key).keys()


def seeded(seed, origin=SeedOrigin.OPEN_SEED):
    return SeedSource(origin, seed).keys()


@given(SEEDS, SEEDS, PLACES)
def test_private_seeds_do_not_change_with_the_open_seed_and_deals_do(one, other, place):
    assert seeded(one).private(*place) == seeded(other).private(*place)
    assert (seeded(one).deal(*place) == seeded(other).deal(*place)) == (one == other)


@given(KEYS, KEYS, PLACES)
def test_another_key_gives_other_deals_and_other_private_seeds(one, other, place):
    assert (keyed(one).deal(*place) == keyed(other).deal(*place)) == (one == other)
    assert (keyed(one).private(*place) == keyed(other).private(*place)) == (one == other)


@given(KEYS, PLACES)
def test_the_seeds_of_a_given_key_are_pinned(key, place):
    drawn, given_again = keyed(key), keyed(key.upper(), SeedOrigin.GIVEN_KEY)
    assert drawn.deal(*place) == given_again.deal(*place)
    assert drawn.private(*place) == given_again.private(*place)


@given(KEYS, PLACES)
def test_deals_and_private_seeds_have_keys_of_their_own(key, place):
    keys = keyed(key)
    assert len({keys.deals, keys.bots, bytes.fromhex(key)}) == 3
    assert all(len(each) == KEY_BYTES for each in (keys.deals, keys.bots))
    assert keys.deal(*place) != keys.private(*place)


@given(KEYS, SEEDS)
def test_keys_and_open_seeds_have_no_deals_in_common(key, seed):
    places = [(1, pairing, deal) for pairing in range(1, 5) for deal in range(1, 11)]
    deals = [{keys.deal(*place) for place in places} for keys in (keyed(key), seeded(seed))]
    assert [len(each) for each in deals] == [len(places)] * 2
    assert not deals[0] & deals[1]


@given(st.one_of(KEYS.map(keyed), SEEDS.map(seeded)), PLACES)
def test_all_derived_seeds_are_in_range(keys, place):
    for seed in (keys.deal(*place), keys.private(*place)):
        assert 0 <= seed < 2**SEED_BITS


@pytest.mark.parametrize(
    ("bits", "seeds"),
    [
        ("deals of neighbouring keys", lambda n: keyed(f"{n:032x}").deal(1, 1, 1)),
        ("deals of one key", lambda n: keyed("0" * 32).deal(1, 1, n + 1)),
        ("private seeds of one key", lambda n: keyed("0" * 32).private(1, 1, n + 1)),
        ("private seeds of open seeds", lambda n: seeded(7).private(1, 1, n + 1)),
    ],
)
def test_every_bit_is_set_half_of_the_time(bits, seeds):
    made = [seeds(number) for number in range(4_000)]
    assert len(set(made)) == len(made), bits
    for bit in range(SEED_BITS):
        ones = sum(seed >> bit & 1 for seed in made)
        assert abs(ones - 2_000) < 190, bits  # six standard deviations; what is drawn is fixed


def test_every_drawn_key_is_different():
    keys = {fresh_key() for _ in range(1_000)}
    assert len(keys) == 1_000
    assert {len(bytes.fromhex(key)) for key in keys} == {KEY_BYTES}


@given(SEEDS, PLACES)
def test_deals_of_an_open_seed_are_derived_from_it_alone(seed, place):
    round, pairing, number = place
    derived = derive_seed(seed, "round", round, "pairing", pairing, "deal", number)
    assert seeded(seed).deal(*place) == derived


def test_the_derivation_is_pinned():
    # A finished tournament is dealt again by its key: another derivation would deal others.
    keys = keyed("000102030405060708090a0b0c0d0e0f")
    assert (keys.deal(1, 2, 3), keys.private(1, 2, 3)) == (519290565583095, 8431014112316600)
    key = blake2b(b"deals", digest_size=16, key=bytes(range(16))).digest()
    text = blake2b(b"round/1/pairing/2/deal/3", digest_size=8, key=key).digest()
    assert keys.deal(1, 2, 3) == int.from_bytes(text, "little") >> 11
    assert private_seeds(seeded(7).private(1, 1, 1), 2) == (7012570450082826, 5508266908914398)


def test_the_origin_of_a_seed_decides_whether_deals_are_public():
    known = {SeedOrigin.GIVEN_KEY, SeedOrigin.OPEN_SEED}
    assert {origin for origin in SeedOrigin if SeedSource(origin).open} == known
