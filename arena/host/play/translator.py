"""The translator between matches and the messages to one bot: requests out, answers in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.actions import Action
from arena.core.errors import ParseError
from arena.core.outcome import Termination
from arena.host.play.pool import RemoteSeat
from arena.host.process.launch import MatchSettings
from arena.host.process.loss import plain
from arena.host.wire.codecs import PACKED, BadAnswer, Codec
from arena.host.wire.messages import Answer, Failed, Request, Start
from arena.match.adjudication import Failure
from arena.match.limits import A_DECISION, A_MATCH, over_time
from arena.match.requests import Seating

VOCABULARY = 100_000
"""Most actions that are cached by id or text."""
_CAUSES = {
    "crash": Termination.CRASH,
    "illegal": Termination.ILLEGAL_ACTION,
    "timeout": Termination.TIMEOUT,
    "memory": Termination.MEMORY,
}
"""Reasons that a bot may give for not answering."""


class Translator:
    """Writes the requests of a bot's seats as messages, and reads its answers as decisions."""

    def __init__(self, codec: Codec, settings: MatchSettings) -> None:
        self._codec, self._game, self._resources = codec, settings.game, settings.resources
        self._actions: dict[object, Action] = {}

    def requests(
        self, first_id: int, seats: Sequence[RemoteSeat], asked: Sequence[object]
    ) -> list[Request]:
        """Writes the requests of these seats as messages; hot path.

        Args:
            first_id: The id of the first message that needs an answer; the others follow it.
            seats: The seats, those first that sit down.
            asked: The request of each.
        """
        requests: list[Request] = []
        for seat, request in zip(seats, asked, strict=True):
            if type(request) is not Seating:
                break
            requests.append(self._start(first_id + len(requests), seat, request))
        begin = len(requests)
        if begin < len(seats):
            numbers = [seat.number for seat in seats[begin:]]
            observations = self._observations(asked[begin:])
            requests += self._codec.decides(first_id + begin, numbers, observations)
        return requests

    def _start(self, id: int, seat: RemoteSeat, request: Seating) -> Start:
        offer = None if request.offer is None else self._codec.offer(self._game, request.offer)
        own = seat.context
        return Start(id, seat.number, own.ruleset, own.seat, own.seats, own.seed, offer)

    def _observations(self, asked: Sequence[Any]) -> list[object]:
        if self._codec is PACKED:
            return [*asked]
        game, write = self._game, self._codec.observation
        return [write(game, one) for one in asked]

    def decisions(
        self, seats: Sequence[RemoteSeat], answers: Sequence[Answer | int | str], cpu_ns: int
    ) -> list[object]:
        """Reads answers as decisions of their matches; hot path.

        Args:
            seats: The seats of the batch.
            answers: Their answers, in the same order.
            cpu_ns: The share of each in the CPU time of the batch.
        """
        most_ns = self._resources.match_cpu_ns
        if cpu_ns > self._resources.decision_cpu_ns:
            most_ns = -1
        decisions: list[object] = [*map(self._actions.get, answers)]
        for place, seat in enumerate(seats):
            seat.cpu_ns = used = seat.cpu_ns + cpu_ns
            if used > most_ns:
                decisions[place] = self._over_cpu(cpu_ns)
            elif decisions[place] is None:
                decisions[place] = self._decision(seat, answers[place])
        return decisions

    def _over_cpu(self, cpu_ns: int) -> Failure:
        limits = self._resources
        if cpu_ns > limits.decision_cpu_ns:
            reason = over_time(limits.decision_cpu_ns, A_DECISION, "CPU time")
        else:
            reason = over_time(limits.match_cpu_ns, A_MATCH, "CPU time")
        return Failure(Termination.TIMEOUT, reason)

    def _decision(self, seat: RemoteSeat, given: Answer | int | str) -> object:
        answer = given if isinstance(given, Answer) else Answer(0, given)
        sitting = type(seat.request) is Seating
        if answer.failed is not None:
            log = "" if seat.log is None else seat.log.text()
            return _failure(answer.failed, log, sitting=sitting)
        try:
            if sitting:
                text = answer.loadout
                return None if text is None else self._game.loadouts.parse(text)
            if len(self._actions) >= VOCABULARY:
                self._actions.clear()
            action = self._actions[answer.action] = self._codec.action(self._game, answer)
            return action
        except ParseError as error:
            return Failure(Termination.ILLEGAL_ACTION, plain(str(error)))
        except BadAnswer as error:
            return Failure(Termination.PROTOCOL, error.reason)


def _failure(failed: Failed, log: str, *, sitting: bool) -> object:
    """Reads a bot's report of its own failure.

    For an answer of a wrong type it returns an object of a class of that name, which the state
    refuses as it would refuse the bot's own object.
    """
    cause = _CAUSES.get(failed.kind)
    if cause is None:
        return Failure(Termination.PROTOCOL, "it failed in a way that is not known")
    reason = plain(failed.reason)
    if cause is Termination.ILLEGAL_ACTION and not sitting:
        return type(reason.split("\0")[0] or "object", (), {})()
    end = f"\nthe end of its log:\n{log}" if log else ""
    return Failure(cause, reason, f"{failed.error}{end}")
