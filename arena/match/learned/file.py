"""The file of a learned value function, read and checked without numpy.

It is msgpack: a map with the fields of ``ValueFile``. Weights are 16-bit floats (``<f2``). The hash
is SHA-256 over everything that decides values.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from math import prod

import msgspec

from arena.core.described import described
from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.parts.value import LEARNED

FORMAT = "arena value function 1"
WEIGHTS = ("rows", "bias1", "layer2", "bias2", "layer3", "bias3")
"""The names of the weights, in the order in which they are stored."""
_NO_NUMBERS = bytes([*range(0x7C, 0x80), *range(0xFC, 0x100)])
"""High bytes of 16-bit floats that are infinite or no numbers."""


class Source(msgspec.Struct, frozen=True):
    """A tournament that was learned from.

    Attributes:
        deals: Names its deals (``SeedSource.deals``).
        matches: Number of its matches that were learned from.
    """

    deals: str
    matches: int


class Origin(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"facts": "features"}
):
    """The game and the matches of a value function.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset, with options.
        engine: Version of the rules' engine.
        facts: Name of the facts (``FullStateFacts.name``); files call it ``features``.
        matches: Number of matches that it was learned from.
        positions: Number of their positions.
        rounds: Rounds of learning.
        epochs: Passes through all positions per round.
        seed: Seed of the learning.
        sources: The tournaments that it was learned from; empty in files that do not name them.
    """

    game: str
    ruleset: str
    engine: str
    facts: str
    matches: int
    positions: int
    rounds: int
    epochs: int
    seed: int
    sources: tuple[Source, ...] = ()


class Array(msgspec.Struct, frozen=True):
    """An array of 16-bit floats."""

    shape: tuple[int, ...]
    data: bytes


class ValueFile(msgspec.Struct, frozen=True, kw_only=True):
    """A learned value function as it is stored."""

    format: str
    origin: Origin
    weights: dict[str, Array]
    hash: str

    @property
    def name(self) -> str:
        """The name of the value function."""
        return f"{self.origin.game}{LEARNED}{self.origin.matches}"

    def to_bytes(self) -> bytes:
        """Returns the content of the file."""
        return msgspec.msgpack.encode(self)

    def independent_of(self, deals: str) -> bool | None:
        """Returns whether it was learned from other deals; ``None`` if that is not known."""
        sources = self.origin.sources
        return all(each.deals != deals for each in sources) if sources else None

    def check_fits(self, game: AnyGame, ruleset: Ruleset) -> None:
        """Raises ``BadInput`` if it is for another game, ruleset or engine."""
        facts, origin = game.full_state.facts(ruleset), self.origin
        wanted = (game.name, ruleset.name, game.version, facts.name)
        of = (origin.game, origin.ruleset, origin.engine, origin.facts)
        for what, theirs, ours in zip(
            ("game", "ruleset", "engine", "facts"), of, wanted, strict=True
        ):
            if theirs != ours:
                raise BadInput(f"the value function is for the {what} {theirs!r}, not {ours!r}")
        wide = len(self.weights["bias1"].data) // 2
        narrow = len(self.weights["bias2"].data) // 2
        shapes = {
            "rows": (facts.size + 1, wide),
            "bias1": (wide,),
            "layer2": (wide, narrow),
            "bias2": (narrow,),
            "layer3": (narrow,),
            "bias3": (1,),
        }
        found = {name: each.shape for name, each in self.weights.items()}
        if found != shapes or not (wide and narrow):
            raise BadInput("the weights of the value function are not of the right sizes")


def value_file(origin: Origin, weights: Mapping[str, Array]) -> ValueFile:
    """Returns the file of a value function that was learned."""
    packed = {name: weights[name] for name in WEIGHTS}
    return ValueFile(format=FORMAT, origin=origin, weights=packed, hash=_hash(origin, packed))


def read_file(data: bytes) -> ValueFile:
    """Reads the file of a value function.

    Raises:
        BadInput: It is not such a file, or it was changed.
    """
    try:
        file = msgspec.msgpack.decode(data, type=described(ValueFile))
    except msgspec.MsgspecError:
        raise BadInput("expected a value function made by arena learn-value") from None
    if file.format != FORMAT:
        raise BadInput(f"the value function has the format {file.format!r}, not {FORMAT!r}")
    if file.weights.keys() != set(WEIGHTS) or any(
        len(each.data) != 2 * prod(each.shape) for each in file.weights.values()
    ):
        raise BadInput("the weights of the value function are not whole")
    for each in file.weights.values():
        high = each.data[1::2]
        if len(high.translate(None, _NO_NUMBERS)) < len(high):
            raise BadInput("the weights of the value function are not all numbers")
    if file.hash != _hash(file.origin, file.weights):
        raise BadInput("the value function was changed: its hash is not that of its contents")
    return file


def _hash(origin: Origin, weights: dict[str, Array]) -> str:
    return sha256(msgspec.msgpack.encode([FORMAT, origin, weights])).hexdigest()
