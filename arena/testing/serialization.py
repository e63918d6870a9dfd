"""The promises on the way to bots in other processes, each as a function that raises ``Broken``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec

from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation, Offer
from arena.core.parts import Wire
from arena.core.parts.json_form import json_form
from arena.core.state import State
from arena.testing.probes import Broken, demand, difference


def check_packed(game: AnyGame, ruleset: Ruleset, seen: Observation) -> int:
    """An observation arrives as it was sent, and its legal actions are the game's own."""
    wire = game.wire
    _check_arrives(
        seen, lambda: wire.pack(seen), lambda sent: wire.unpack(ruleset, sent), "an observation"
    )
    return 1


class SentMatch:
    """Sends the decisions of one match to its seats as a host does, by the game's ``packer``.

    ``check_packed`` tests a game that leaves it at the contract's own.
    """

    def __init__(self, game: AnyGame, ruleset: Ruleset, seats: int) -> None:
        kind = type(game.wire)
        self._own = kind.packer is not Wire.packer or kind.unpacker is not Wire.unpacker
        if self._own:
            self._pack = game.wire.packer()
            self._unpack = [game.wire.unpacker(ruleset) for _ in range(seats)]

    def check(self, state: State[Any], seat: int) -> int:
        """Checks that the observation of the seat to decide arrives unchanged."""
        if not self._own:
            return 0
        seen = state.observation(seat)
        what = "an observation that follows others of its match"
        _check_arrives(seen, lambda: self._pack(state, seat), self._unpack[seat], what)
        return 1


def _check_arrives(
    seen: Observation, pack: Callable[[], object], unpack: Callable[[Any], Observation], what: str
) -> None:
    try:
        arrived = unpack(msgspec.msgpack.decode(msgspec.msgpack.encode(pack())))
    except Exception as error:
        raise Broken(f"{what} cannot be packed and unpacked: {_line(error)}") from error
    # Actions compare by identity, unless the game made them compare otherwise.
    own = _identical(arrived.legal_actions, seen.legal_actions)
    changed = difference(seen, arrived) or ("" if own else "legal_actions are other objects")
    demand(not changed, f"{what} changes when it is packed and unpacked: {changed}")


def check_described(game: AnyGame, seen: Observation) -> int:
    """An observation is JSON for bots in other languages, which can answer every legal action.

    It has every field but the ruleset; the game may write a value otherwise, and add more.
    """
    described = game.wire.describe(seen)
    _check_json(described, "an observation")
    _check_fields(described, seen, "an observation")
    demand(
        described.get("seat") == seen.seat,
        f"seat {seen.seat} is described as {described.get('seat')}",
    )
    texts = described.get("legal_actions")
    legal = [game.notation.action(text) for text in texts] if isinstance(texts, list) else []
    same = _identical(legal, seen.legal_actions)
    demand(same, f"the legal actions are described as {texts}, which mean others")
    return 1


def check_offer(game: AnyGame, ruleset: Ruleset, offer: Offer) -> int:
    """An offer is JSON, and the default loadout can be written as text and read."""
    described = game.loadouts.describe(offer)
    _check_json(described, "an offer")
    _check_fields(described, offer, "an offer")
    loadout = game.loadouts.accept(ruleset, None)
    text = game.loadouts.text(loadout)
    read = game.loadouts.accept(ruleset, game.loadouts.parse(text))
    demand(read == loadout, f"what a seat brings is written as {text!r}, but read as {read!r}")
    return 1


def _check_json(document: object, what: str) -> None:
    try:
        same = msgspec.json.decode(msgspec.json.encode(document)) == document
    except Exception as error:
        raise Broken(f"{what} is described by what is not JSON: {_line(error)}") from error
    # Bytes, tuples and structs can be written as JSON, but are not what is read again.
    demand(same and isinstance(document, dict), f"{what} is described by what is not JSON")


def _check_fields(document: Collection[str], seen: Observation | Offer, what: str) -> None:
    missing = [field for field in json_form(seen) if field not in document]
    demand(not missing, f"{what} is described without {', '.join(missing)}")


def _identical(some: Sequence[object], others: Sequence[object]) -> bool:
    return [*map(id, some)] == [*map(id, others)]


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
