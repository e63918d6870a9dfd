"""The wire: observations on their way to bots in other processes and in other languages."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, Generic

import msgspec

from arena.core.parts.json_form import json_form
from arena.core.parts.part import ObservationT, Part, RulesetT, StateT


class Wire(Part, Generic[RulesetT, ObservationT, StateT]):
    """Encodes observations; unless a game has its own they are pickles, which only bots receive."""

    def pack(self, observation: ObservationT) -> object:
        """Encodes the observation as plain values, by itself: it is decoded in any order."""
        ids = [action.id for action in observation.legal_actions]
        rest = msgspec.structs.replace(observation, legal_actions=())
        return ids, pickle.dumps(rest, pickle.HIGHEST_PROTOCOL)

    def unpack(self, ruleset: RulesetT, packed: Any) -> ObservationT:  # noqa: ANN401 - plain values
        """Decodes ``pack`` after msgpack (tuples became lists), with the interned parts.

        ``unpack(rules, pack(o)) == o``, always.
        """
        ids, pickled = packed
        rest: ObservationT = pickle.loads(pickled)
        legal = tuple(self.game.notation.action_of(id) for id in ids)
        return msgspec.structs.replace(rest, legal_actions=legal)

    def packer(self) -> Callable[[StateT, int], object]:
        """Returns a new function that encodes the observations of one match as plain values.

        It is called for every decision that a bot in another process is sent, in order. It may
        leave out what it wrote for that seat before, but nothing for having been written for
        another seat. Unless a game says otherwise it leaves out nothing.
        """
        return lambda state, seat: self.pack(state.observation(seat))

    def unpacker(self, ruleset: RulesetT) -> Callable[[Any], ObservationT]:
        """Returns a new function that decodes what a ``packer`` writes for one seat of a match.

        It is called with all of that in order, each after msgpack, and returns equal observations.
        A game overrides both or neither.
        """
        return partial(self.unpack, ruleset)

    def describe(self, observation: ObservationT) -> dict[str, object]:
        """Returns the observation as JSON values, in notation, for bots in other languages.

        It holds every field but the ruleset, whose name they know. ``legal_actions`` are strings of
        the notation, one of which is the answer; ``history`` is a list of lines.
        """
        events = self.game.notation.events(observation.history)
        return {**json_form(observation), "history": list(events)}
