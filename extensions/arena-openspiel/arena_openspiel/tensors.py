"""The tensors of OpenSpiel's games, known without OpenSpiel: ``tensors.json``.

``python -m arena_openspiel.tensors`` shows for which games that file would change, ``--write``
writes it.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock

import msgspec

from arena.core.chance.seeding import generator
from arena.core.text.parsing import Value
from arena_openspiel.catalogue import catalogue
from arena_openspiel.facts import facts_of
from arena_openspiel.library import VERSION, SpielGame, SpielState, library, load_game
from arena_openspiel.rules import SpielRules, loaded

FILE = Path(__file__).with_name("tensors.json")
MATCHES = 20
"""Random matches in which it is seen whether all numbers are 0 to 1."""
NO_TENSOR = "OpenSpiel does not write what a seat knows as numbers"
TELLS_MORE = "OpenSpiel's numbers tell a seat more than it knows"
UNTESTED = "OpenSpiel's numbers were not tested: it takes too long to deal its cards again"
REFUSED: Mapping[str, str] = {
    "bargaining": UNTESTED,
    "colored_trails": UNTESTED,
    "crazy_eights": UNTESTED,
    "dou_dizhu": UNTESTED,
    "go_fish": UNTESTED,
    "kriegspiel": TELLS_MORE,  # the number of moves since the last capture or pawn's move
    "skat": UNTESTED,
}
"""Games whose tensor is not used, and why. In 9 seconds too few worlds of some could be dealt."""
LARGEST: Mapping[str, Mapping[str, Value]] = {
    name: {"obstype": "reveal-numturns"} for name in ("dark_hex", "dark_hex_ir", "phantom_ttt")
}
"""Options with which a game has the most numbers, where these are not the defaults."""


class Tensor(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a game in OpenSpiel: its information state, or else its observation.

    Attributes:
        size: The most numbers that it writes, at any table under any ruleset.
        recalls: Whether it is the information state.
        unit: Whether all numbers are 0 to 1.
        longest: The most decisions of a match.
        missing: Why it cannot be used; empty if it can.
    """

    size: int = 0
    recalls: bool = False
    unit: bool = True
    longest: int = 0
    missing: str = ""


@cache
def tensors() -> Mapping[str, Tensor]:
    """Returns the tensors of games, by name."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Tensor])


def tensor_of(name: str) -> Tensor:
    """Returns the tensor of a game; one that cannot be used if nothing is known of it."""
    return tensors().get(name, Tensor(missing=NO_TENSOR))


class Writer:
    """Writes positions of a game as float32; many times faster than by OpenSpiel's lists.

    Args:
        game: The game of OpenSpiel.
        recalls: Whether information states are written, or else observations.
    """

    def __init__(self, game: SpielGame, *, recalls: bool) -> None:
        from open_spiel.python.observation import make_observation

        pyspiel = library()
        alone = pyspiel.PrivateInfoType.SINGLE_PLAYER
        kind = pyspiel.IIGObservationType(
            perfect_recall=recalls, public_info=True, private_info=alone
        )
        self._observation = make_observation(game, kind)
        self._lock = Lock()

    def written(self, spiel: SpielState, seat: int) -> bytes:
        """Returns the numbers of a seat."""
        with self._lock:  # the tensor is written over for each position
            self._observation.set_from(spiel, seat)
            numbers: bytes = self._observation.tensor.tobytes()
            return numbers


@cache
def writer(name: str, rules: SpielRules, seats: int) -> Writer:
    """Returns the writer of a game whose tensor can be used."""
    return Writer(loaded(name, rules, seats), recalls=tensor_of(name).recalls)


def measured(name: str) -> Tensor:
    """Returns the tensor of a game as the OpenSpiel that is installed writes it."""
    games = [*_tables(name)]
    kind = games[0].get_type()
    recalls = kind.provides_information_state_tensor
    missing = REFUSED.get(name, "")
    if not recalls and not kind.provides_observation_tensor:
        missing = NO_TENSOR
    if missing:
        return Tensor(missing=missing)
    size = max(
        game.information_state_tensor_size() if recalls else game.observation_tensor_size()
        for game in games
    )
    longest = max(game.max_game_length() for game in games)
    unit = all(0 <= value <= 1 for value in _seen(games, recalls=recalls))
    return Tensor(size=size, recalls=recalls, unit=unit, longest=longest)


def _tables(name: str) -> Iterator[SpielGame]:
    """Yields the game at its smallest and at its largest table, with options that change it."""
    entry = catalogue()[name]
    flags = [{key: not value} for key, value in entry.options.items() if isinstance(value, bool)]
    for seats in dict.fromkeys(entry.seats):
        table: dict[str, Value] = {}
        if entry.players:
            table = {entry.players: seats, **facts_of(name).by_seats(seats)}
        for options in ({}, *flags, LARGEST.get(name, {})):
            yield load_game(name, {**entry.options, **table, **options})


def _seen(games: list[SpielGame], *, recalls: bool) -> Iterator[float]:
    """Yields all numbers in some random matches."""
    rng, writers = generator(0), [Writer(game, recalls=recalls) for game in games]
    for match in range(MATCHES):
        state = games[match % len(games)].new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0:
                yield from array("f", writers[match % len(games)].written(state, player))
            state.apply_action(rng.choice(state.legal_actions()))


def main() -> None:
    """Compares the tensors with OpenSpiel, or writes them."""
    found = {name: measured(name) for name in catalogue()}
    if "--write" in sys.argv:
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        return
    listed = tensors()
    differs = sorted(name for name in {*found, *listed} if found.get(name) != listed.get(name))
    sys.exit(f"not as in OpenSpiel {VERSION}: {', '.join(differs)}" if differs else 0)


if __name__ == "__main__":
    main()
