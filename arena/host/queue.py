"""What the bot of one lane is asked, as messages; and what its answers mean to a match."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.core.actions import Action
from arena.core.errors import ParseError
from arena.core.game import AnyGame
from arena.core.outcome import Outcome, Termination
from arena.host.codecs import PACKED, BadAnswer, Codec
from arena.host.messages import Answer, Decide, Failed, Finish, Request, Start
from arena.match.adjudication import Failure
from arena.match.play import Packed, Seating, SeatRequest

if TYPE_CHECKING:
    from arena.host.pool import RemoteSeat

VOCABULARY = 100_000
"""Actions that are remembered by their id or text, before the memory is begun anew."""

_CAUSES = {
    "crash": Termination.CRASH,
    "illegal": Termination.ILLEGAL_ACTION,
    "timeout": Termination.TIMEOUT,
    "memory": Termination.MEMORY,
}
"""What a bot may say of why it does not answer."""


class Queue:
    """What the bot of one lane is to be asked.

    Args:
        codec: How it is talked to.
        game: The game.
        log: Tells the end of what it wrote to stdout and stderr.

    Attributes:
        waiting: Seats that wait for its answer, in order.
        share: Its share of the matches in progress: half of those for two, a third of those for
            three.
        farewells: What is to be told of matches that are over.
        epoch: Number of the lane's present process; an earlier one's matches are unknown to it.
        packs: Whether it takes observations as ``Game.pack`` writes them.
        actions: The actions that were answered so far, by what names them in an answer.
    """

    def __init__(self, codec: Codec, game: AnyGame, log: Callable[[], str] = str) -> None:
        self.waiting: deque[RemoteSeat] = deque()
        self.share = 0.0
        self.epoch = 0
        self.farewells: list[Finish] = []
        self._game, self._dialect, self._log = game, codec, log
        self.packs = codec is PACKED
        self._view, self._offers = codec.view(game), codec.offers(game)
        self.actions: dict[object, Action] = {}

    def requests(self, first_id: int, seats: Sequence[RemoteSeat]) -> list[Request]:
        """What these seats are asked now, as messages; part of the hot path.

        Args:
            first_id: Number of the first request; the others follow.
            seats: Who is asked.
        """
        return [
            Decide(id, seat.number, asked.payload)
            if type(asked := seat.asked) is Packed
            else self._request(id, seat, asked)  # type: ignore[arg-type] # it waits: it is asked
            for id, seat in enumerate(seats, first_id)
        ]

    def again(self, first_id: int, seat: RemoteSeat, asked: Sequence[SeatRequest]) -> list[Request]:
        """What a seat was asked before, as messages for a new process of its bot.

        Args:
            first_id: Number of the first request; the others follow.
            seat: The seat.
            asked: What it was asked, from the start.
        """
        return [self._request(id, seat, one) for id, one in enumerate(asked, first_id)]

    def _request(self, id: int, seat: RemoteSeat, asked: SeatRequest) -> Request:
        if isinstance(asked, Packed):
            return Decide(id, seat.number, asked.payload)
        if not isinstance(asked, Seating):
            return Decide(id, seat.number, self._view(asked))
        offer = None if asked.offer is None else self._offers(asked.offer)
        told = seat.context
        return Start(id, seat.number, told.ruleset, told.seat, told.seats, told.seed, offer)

    def farewell(self, seat: RemoteSeat, outcome: Outcome) -> None:
        """Its match is over."""
        if seat.epoch == self.epoch:
            self.farewells.append(Finish(seat.number, self._dialect.outcome(outcome)))

    def decision(self, seat: RemoteSeat, answer: Answer) -> object:
        """What an answer means to the match: an action, a loadout, a failure, or nonsense."""
        sitting = type(seat.asked) is Seating
        if answer.failed is not None:
            return _failure(answer.failed, self._log(), sitting=sitting)
        try:
            if sitting:
                text = answer.loadout
                return None if text is None else self._game.notation.parse_loadout(text)
            return self._action(answer)
        except ParseError as error:
            return Failure(Termination.ILLEGAL_ACTION, plain(str(error)))
        except BadAnswer as error:
            return Failure(Termination.PROTOCOL, error.reason)

    def _action(self, answer: Answer) -> Action:
        if len(self.actions) >= VOCABULARY:
            self.actions.clear()
        action = self._dialect.action(self._game, answer)
        self.actions[answer.action] = action
        return action


def plain(text: str, most: int = 200) -> str:
    """One printable line of what a bot said, for a record or a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:most]


def _failure(failed: Failed, log: str, *, sitting: bool) -> object:
    """What a bot's own word of its failure means.

    An answer that is no action at all is handed on as an object of a class of that name: so the
    state refuses it in the same words as it would have refused the bot's own object in process.
    """
    cause = _CAUSES.get(failed.kind)
    if cause is None:
        return Failure(Termination.PROTOCOL, "it failed in a way that is not known")
    reason = plain(failed.reason)
    if cause is Termination.ILLEGAL_ACTION and not sitting:
        return type(reason.split("\0")[0] or "object", (), {})()
    told = f"\nthe end of its log:\n{log}" if log else ""
    return Failure(cause, reason, f"{failed.error}{told}")
