"""Our runtime reads the observations that the seats of a match have, to the byte.

By the codec that a host uses, along whole random matches under every ruleset of both games, and of
games of other authors.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.state import State
from arena.games.pazaak.career.game import PazaakCareer
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.wire.codecs import PACKED
from arena.host.wire.framing import LENGTH
from arena.host.wire.messages import Decides
from tests.sizes import volume
from tests.table_game import Table

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena-game-kuhn"


def kuhn() -> AnyGame:
    sys.path.insert(0, str(EXAMPLE))
    try:
        game: AnyGame = importlib.import_module("arena_game_kuhn.game").Kuhn()
    finally:
        sys.path.remove(str(EXAMPLE))
    return game


GAMES: tuple[AnyGame, ...] = (Pazaak(), Sabacc(), PazaakCareer(), Table(), kuhn())
ROWS = [(game, name) for game in GAMES for name in game.rulesets]


def states_of(game: AnyGame, name: str, seats: int, seed: int) -> list[tuple[int, State]]:
    """Returns the states of a random match in which a seat is to decide, each with the seat."""
    ruleset, rng = game.ruleset(name), generator(seed)
    loadouts = [game.loadouts.accept(ruleset, None)] * seats
    state = game.new_state(ruleset, loadouts, SeatStreams(seed))
    found = []
    while not state.is_terminal():
        found.append((state.current_player(), state.clone()))
        state.apply_action(rng.choice(state.legal_actions()))
    return found


def read_back(
    game: AnyGame, name: str, seats: list[int], packed: list[object]
) -> list[Observation]:
    """Returns what our runtime makes of the observations of a match, which come in one batch.

    To the runtime each seat is a match of its own, whose number is here the seat's.
    """
    frame = PACKED.encode(PACKED.decides(1, seats, packed))
    (batch,) = PACKED.requests(frame[LENGTH:])
    assert type(batch) is Decides
    unpack = {seat: game.wire.unpacker(game.ruleset(name)) for seat in {*seats}}
    return [unpack[seat](one) for seat, one in zip(batch.matches, batch.observations, strict=True)]


@pytest.mark.parametrize(("game", "name"), ROWS, ids=[f"{game.name}-{row}" for game, row in ROWS])
@settings(max_examples=volume(3))
@given(seed=st.integers(0, 2**32), data=st.data())
def test_a_batch_holds_what_its_seats_see(game, name, seed, data):
    states = states_of(game, name, data.draw(st.sampled_from(game.seats)), seed)
    seen = [state.observation(seat) for seat, state in states]
    pack = game.wire.packer()
    seats = [seat for seat, _ in states]
    arrived = read_back(game, name, seats, [pack(state, seat) for seat, state in states])
    assert arrived == seen
    # True and 1 are equal, and so are lists of them: only the bytes differ.
    assert msgspec.msgpack.encode(arrived) == msgspec.msgpack.encode(seen)
    for one, other in zip(arrived, seen, strict=True):
        assert [*map(id, one.legal_actions)] == [*map(id, other.legal_actions)]
