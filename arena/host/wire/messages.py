"""The messages between the harness and a bot in another process: typed, with a version.

Our own runtime for Python bots gets them as msgpack in frames, programs as lines of JSON
(docs/reference/protocol.md). Only our runtime gets the decisions of a batch in columns
(``Decides``), and answers in runs. An answer repeats the ``id`` of its request, so it cannot be
early, late, or another bot's.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

PROTOCOL = 1
"""Version of the protocol; both sides must speak the same."""

Name = Annotated[str, msgspec.Meta(max_length=200)]
Line = Annotated[str, msgspec.Meta(max_length=1_000)]
Text = Annotated[str, msgspec.Meta(max_length=16_000)]
Number = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first message; a bot answers it with ``Ready``.

    Attributes:
        protocol: Version that the harness speaks.
        game: Name of the game.
        parameters: Arguments that the bot was entered with.
    """

    protocol: int
    game: str
    parameters: dict[str, bool | int | float | str] = {}


class Start(msgspec.Struct, frozen=True, gc=False, tag="start"):
    """A match begins; answered with a loadout, if one is offered.

    Attributes:
        id: Number of the request.
        match: Number of the match within this process; further messages name it.
        ruleset: Name of the ruleset, with its options.
        seat: The bot's seat.
        seats: Number of seats at the table.
        seed: The bot's private seed for this match.
        offer: The loadouts to choose from; ``None`` when there is nothing to choose.
    """

    id: int
    match: int
    ruleset: str
    seat: int
    seats: int
    seed: int
    offer: object = None


class Decide(msgspec.Struct, frozen=True, gc=False, tag="decide"):
    """A decision on the position as the bot's seat knows it; answered with an action."""

    id: int
    match: int
    observation: object


class Decides(msgspec.Struct, frozen=True, gc=False, tag="decides"):
    """The decisions of several matches, for our runtime: a ``Decide`` each, but in columns.

    Attributes:
        id: Number of the first request; the others follow it.
        matches: The match of each.
        observations: The position of each, in order; one may omit what its match's earlier ones
            had.
    """

    id: int
    matches: list[int]
    observations: list[Any]


class Finish(msgspec.Struct, frozen=True, gc=False, tag="finish"):
    """A match is over for this bot; needs no answer. The outcome is ``Outcome`` as plain values."""

    match: int
    outcome: object


Request: TypeAlias = Hello | Start | Decide | Decides | Finish


class Ready(msgspec.Struct, frozen=True):
    """A bot's answer to ``Hello``.

    Attributes:
        protocol: Version that the bot speaks.
        name: Its own name for itself; for people.
        games: Games that it plays; empty for any.
        batch: Requests that it takes before it answers.
        refusal: Reason why it cannot play; empty when it can.
        error: Its traceback, if it has one.
    """

    protocol: int
    name: Name = ""
    games: tuple[Name, ...] = ()
    batch: Annotated[int, msgspec.Meta(ge=1, le=4_096)] = 1
    refusal: Line = ""
    error: Text = ""


class Failed(msgspec.Struct, frozen=True):
    """A bot's report that it cannot answer.

    Attributes:
        kind: ``"crash"``, ``"illegal"`` (not an action or loadout), ``"timeout"`` or ``"memory"``.
        reason: One line.
        error: Its traceback.
    """

    kind: Name
    reason: Line = ""
    error: Text = ""


class Answer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A bot's answer to ``Start`` or ``Decide``.

    Attributes:
        id: The request's number.
        action: For ``Decide``: the action's id (our runtime) or its text (programs).
        loadout: For ``Start``: the loadout in the game's notation; ``None`` for the default.
        failed: Instead of both: it cannot answer.
    """

    id: Number
    action: Number | Line | None = None
    loadout: Line | None = None
    failed: Failed | None = None


AnswerRun: TypeAlias = Annotated[list[Number], msgspec.Meta(min_length=2)]
"""Answers of our runtime to consecutive decisions: the id of the first, and each action's id."""
