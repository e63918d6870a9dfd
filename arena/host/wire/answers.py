"""The answers to one batch, taken as they come and compared with its requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.host.wire.codecs import BadAnswer, Codec
from arena.host.wire.messages import Answer

UNASKED = "it answered something that it was not asked"
"""The reason of a loss by an answer to nothing."""


class Answered(NamedTuple):
    """The answers to a batch, in the order of its requests, and the time that they took.

    An answer that only names an action is its id or its text.
    """

    answers: Sequence[Answer | int | str]
    wall_ns: int
    cpu_ns: int


class Answers:
    """Takes the answers to the requests of a batch.

    ``wanted`` holds the ids of the requests, ``taken`` the answers so far; see ``Answered``.
    """

    __slots__ = ("_codec", "_wanted", "taken")

    def __init__(self, codec: Codec, wanted: Sequence[int]) -> None:
        self._codec, self._wanted = codec, wanted
        self.taken: list[Answer | int | str] = []

    def take(self, payload: bytes) -> bool:
        """Takes answers; returns whether they were the last ones of the batch.

        Raises:
            BadAnswer: They cannot be read, or do not belong to the requests that are open.
        """
        answers, wanted = self.taken, self._wanted
        size, whole, right = len(wanted), self._codec.whole, True
        for one in self._codec.answers(payload):
            had = len(answers)
            if type(one) is Answer:
                first, action = one.id, one.action
                named = action is not None and one.loadout is None and one.failed is None
                answers.append(action if named else one)  # type: ignore[arg-type] # see above
            else:
                first, *actions = one  # type: ignore[misc] # a run
                answers.extend(actions)
            # Ids follow each other, so that the first of a run is that of all.
            right = right and had < size and first == wanted[had]
        done = len(answers) == size
        if not right or whole > done:
            raise BadAnswer(_mismatch(answers, wanted) if whole else UNASKED)
        return done


def _mismatch(answers: Sequence[Answer | int | str], wanted: Sequence[int]) -> str:
    if len(answers) != len(wanted):
        return f"{len(answers)} answers to {len(wanted)} requests"
    return UNASKED
