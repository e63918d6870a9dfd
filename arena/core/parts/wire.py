"""The wire: observations on their way to bots in other processes and in other languages."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, Generic

import msgspec

from arena.core.json_form import json_form
from arena.core.parts.part import ObservationT, Part, RulesetT, StateT


class Wire(Part, Generic[RulesetT, ObservationT, StateT]):
    """Encodes observations; unless a game has its own they are pickles.

    A pickle only ever travels from the harness to a bot, with the ids of the legal actions beside
    it.
    """

    def pack(self, observation: ObservationT) -> object:
        """Encodes the observation as plain values, by itself: it is decoded in any order.

        Where a game has no ``packer`` of its own, it runs for every decision of a bot in another
        process: games that are played a lot write it in the cheap style (``arena.core.packing``).
        """
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

        It is called with the state and the seat for every decision that a bot in another process
        is sent, in order, and not for those that are not sent. It may leave out what it wrote for
        that seat before, but nothing for having been written for another seat. Unless a game says
        otherwise it leaves out nothing.
        """
        return lambda state, seat: self.pack(state.observation(seat))

    def unpacker(self, ruleset: RulesetT) -> Callable[[Any], ObservationT]:
        """Returns a new function that decodes what a ``packer`` writes for one seat of a match.

        It is called with all of that in order, each after msgpack (tuples became lists), and
        returns equal observations, with the interned parts. Whoever overrides ``packer`` so that
        it leaves something out overrides both; ``arena check game`` tests them together.
        """
        return partial(self.unpack, ruleset)

    def describe(self, observation: ObservationT) -> dict[str, object]:
        """Returns the observation as JSON values, in notation, for bots in other languages.

        It holds all that the observation holds, field by field, but for the ruleset, whose name
        they know. ``legal_actions`` are texts of the notation, one of which is the answer;
        ``history`` is a list of lines.
        """
        events = self.game.notation.events(observation.history)
        return {**json_form(observation), "history": list(events)}
