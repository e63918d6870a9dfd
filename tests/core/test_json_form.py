"""The default JSON form and packing of observations, for games that define none."""

import enum
import json
from fractions import Fraction

import msgspec
import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.game import Ruleset
from arena.core.observation import Observation, Offer
from arena.core.parts.json_form import json_form, plain
from tests.table_game import MOVES, PASS, RAISE, RULES, Table, TableObservation


class Suit(enum.StrEnum):
    CUPS = "cups"


class Named(msgspec.Struct, frozen=True):
    name: str
    worth: int = 0


class MatchKey(msgspec.Struct, frozen=True):
    row: int
    piece: Named


class Plainest(Observation, frozen=True):
    rules: Ruleset
    card: Named
    place: MatchKey


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (None, None),
        (True, True),
        (-3, -3),
        (0.5, 0.5),
        ("word", "word"),
        (Suit.CUPS, "cups"),
        (RAISE, "raise"),
        (Named("king", 4), "king"),
        (MatchKey(2, Named("rook")), {"row": 2, "piece": "rook"}),
        (b"\x00\xff", [0, 255]),
        ((1, (2, None), Named("ace")), [1, [2, None], "ace"]),
        (frozenset(("b", "a")), ["a", "b"]),
        ({Named("ace"): (1,), 2: PASS}, {"ace": [1], "2": "pass"}),
        (Fraction(1, 3), "1/3"),
    ],
    ids=[
        *("none", "bool", "int", "float", "text", "enum", "action", "named", "struct", "bytes"),
        *("tuple", "set", "dict", "fraction"),
    ],
)
def test_a_value_has_a_json_form(value, form):
    assert plain(value) == form
    assert type(plain(value)) is type(form)
    assert json.loads(json.dumps(plain(value))) == form


def test_the_json_of_an_observation_has_its_fields_but_no_ruleset():
    seen = Plainest(1, (PASS,), b"\x07", RULES, Named("ace"), MatchKey(0, Named("rook")))
    assert json_form(seen) == {
        "seat": 1,
        "legal_actions": ["pass"],
        "history": [7],
        "card": "ace",
        "place": {"row": 0, "piece": "rook"},
    }


def observations():
    game = Table()
    state = game.new_state(RULES, [b"", b"hat", b""], SeatStreams(5))
    while True:
        yield from (state.observation(seat) for seat in range(3))
        if state.is_terminal():
            return
        state.apply_action(state.legal_actions()[-1])


def test_a_default_packed_observation_unpacks_to_an_equal_one():
    for seen in observations():
        message = msgspec.msgpack.encode(Table().wire.pack(seen))
        got = Table().wire.unpack(RULES, msgspec.msgpack.decode(message))
        assert got == seen
        assert type(got) is TableObservation
        assert all(action is MOVES[action.id] for action in got.legal_actions)


def test_a_default_description_is_in_the_games_notation():
    first, second, *_ = observations()
    description = Table().wire.describe(first)
    assert description == {
        "seat": 0,
        "legal_actions": ["pass", "raise", "show"],
        "history": ["code 255", f"code {first.history[1]}"],
        "loadouts": [[], list(b"hat"), []],
        "card": first.card,
        "extra": None,
    }
    assert Table().wire.describe(second)["legal_actions"] == []


def test_the_json_form_of_an_offer_has_its_fields():
    class Choice(Offer, frozen=True):
        rules: Ruleset
        sizes: tuple[int, int]
        pieces: tuple[Named, ...]

    assert Table().loadouts.describe(Offer(1)) == {"seat": 1}
    offer = Choice(0, RULES, (1, 2), (Named("rook"), Named("ace")))
    assert Table().loadouts.describe(offer) == {
        "seat": 0,
        "sizes": [1, 2],
        "pieces": ["rook", "ace"],
    }
