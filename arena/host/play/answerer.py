"""Answers for the endpoints of a field: from a request of a match to an answer of the bot."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import trio

from arena.core.bot import MatchContext
from arena.core.errors import CostLimit, EndpointFailed
from arena.core.observation import Observation
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.host.endpoints.client import EndpointClient, Send, open_clients
from arena.host.endpoints.exchange import Answer, Exchange, Journal, Question, Reading, Usage
from arena.host.endpoints.purse import Purse, worst_cost
from arena.host.endpoints.reply import TOO_LONG, Reply, cost_of, read_reply
from arena.host.endpoints.request import request_body
from arena.host.prompts.answers import Read
from arena.host.prompts.dialogue import Dialogue
from arena.match.adjudication import Failure
from arena.match.requests import Seating
from arena.plugins.entries import BotSource

RESERVE_SECONDS = 0.05
"""Seconds until a question is tried again for which calls under way leave too little money."""
_PROBLEMS: dict[Reading, str] = {
    "refused": "You did not answer.",
    "too long": "the prompt is longer than the model's context.",
    "cut": "Your answer was cut, as it was too long.",
    "empty": "Your answer was empty.",
}


class EndpointAnswerer:
    """Answers for all endpoints of a field: an ``Answerer``.

    Attributes:
        clients: The client of each endpoint, by its bot's index in the field.
        journal: Keeps each answer before it is used.
        purse: Holds the cost of each question before it is asked.
        too_dear: Returns the error of a run that pauses because of its cost.
        notice: Takes a line for people.
        names: The names of the bots, by index in the field.
    """

    def __init__(
        self,
        clients: Mapping[int, EndpointClient],
        journal: Journal,
        purse: Purse,
        too_dear: Callable[[], CostLimit],
        notice: Callable[[str], object],
        names: Sequence[str],
    ) -> None:
        self.clients, self.journal, self.purse = clients, journal, purse
        self.too_dear, self.notice, self.names = too_dear, notice, names
        self._too_long = set[int]()

    def open_seat(self, entrant: int, match: MatchKey, context: MatchContext) -> EndpointSeat:
        """Opens a seat of a match that begins."""
        return EndpointSeat(self, entrant, match, context)

    def leave(self) -> None:
        """Lets no question wait for an endpoint that fails any more, as the run pauses."""
        for client in self.clients.values():
            client.leave()

    def note_too_long(self, entrant: int, match: MatchKey, said: str) -> None:
        """Says that a bot's prompt is too long for its model; once for each bot."""
        if entrant not in self._too_long:
            self._too_long.add(entrant)
            self.notice(
                f"{self.names[entrant]}, match {match}: {TOO_LONG}; until then it counts as an "
                f"illegal answer: {said}"
            )


@asynccontextmanager
async def open_answerer(
    bots: Sequence[BotSource],
    journal: Journal,
    purse: Purse,
    too_dear: Callable[[], CostLimit],
    notice: Callable[[str], object],
) -> AsyncIterator[EndpointAnswerer]:
    """Opens the clients of a field's endpoints; ``EndpointAnswerer`` explains the arguments.

    Raises:
        BadInput: The HTTP client is not installed, or a variable that has a key is missing.
    """
    endpoints = {index: bot.endpoint for index, bot in enumerate(bots) if bot.endpoint is not None}
    names = [bot.participant.name for bot in bots]
    async with open_clients(list(endpoints.values()), notice=notice) as clients:
        by_index = dict(zip(endpoints, clients, strict=True))
        yield EndpointAnswerer(by_index, journal, purse, too_dear, notice, names)


class EndpointSeat:
    """Answers for an endpoint in one seat of one match: an ``Answering``."""

    def __init__(
        self, answerer: EndpointAnswerer, entrant: int, match: MatchKey, context: MatchContext
    ) -> None:
        self._answerer, self._client = answerer, answerer.clients[entrant]
        self._entrant, self._match, self._seat = entrant, match, context.seat
        self._endpoint = self._client.endpoint
        self._dialogue = Dialogue(self._endpoint, context)
        self._decision = 0
        # Providers cache by it; without names, and the same in every run.
        place = f"{match}/{context.seat}".encode()
        self._tag = hashlib.sha256(place).hexdigest()[:16]

    async def answer(self, request: object) -> object:
        """Returns the answer to a request: a loadout, an action, or a ``Failure`` of the player.

        Raises:
            EndpointFailed: The endpoint failed, or the cost would pass its limit.
        """
        if isinstance(request, Seating):
            if request.offer is None:
                return None
            self._dialogue.ask_loadout(request.offer)
            return await self._ask(0, None)
        assert isinstance(request, Observation)
        self._decision += 1
        self._dialogue.ask(request)
        return await self._ask(self._decision, request)

    async def _ask(self, decision: int, observation: Observation | None) -> object:
        tries, problem = self._endpoint.tries, ""
        for attempt in range(1, tries + 1):
            read = await self._attempt(decision, attempt, observation)
            if read.reading == "legal":
                self._dialogue.settle(read.word)
                return read.answer
            problem = read.problem
            if read.reading == "too long":  # what is added for another attempt makes it longer
                break
        if self._endpoint.fallback == "lose":
            reason = f"no legal move in {attempt} answers; the last: {problem}"
            return Failure(Termination.ILLEGAL_ACTION, reason)
        if observation is None:
            return None
        played = observation.legal_actions[0]
        self._dialogue.settle(played.text)
        return played

    async def _attempt(self, decision: int, attempt: int, observation: Observation | None) -> Read:
        dialogue, endpoint = self._dialogue, self._endpoint
        body = request_body(endpoint, dialogue.messages(), dialogue.words, self._tag)
        digest = hashlib.sha256(body).digest()
        question = Question(self._match, self._seat, decision, attempt, digest)
        answer = self._answerer.journal.find(question)
        worst = 0.0
        if kept := answer is not None:
            reply = read_reply(answer, endpoint.answer)
        else:
            worst = worst_cost(endpoint, body)
            answer = await self._client.ask(body, partial(self._charged, question, body, worst))
            reply = read_reply(answer, endpoint.answer)
        read = _read(dialogue, reply, observation)
        if not kept:
            last = read.reading == "too long" or (
                attempt == endpoint.tries and read.reading != "legal"
            )
            cost = cost_of(endpoint, reply.usage)
            if cost is None and self._answerer.purse.limit is not None:
                cost = worst  # it counts against the limit in later runs, too
            self._answerer.purse.pay(self._match, worst, cost)
            await self._answerer.journal.keep(
                Exchange(
                    question=question,
                    entrant=self._entrant,
                    asked=body,
                    answer=answer,
                    usage=reply.usage,
                    cost=cost,
                    reading=read.reading,
                    finish=reply.finish,
                    action=read.word,
                    played_for=last and endpoint.fallback == "first legal",
                )
            )
        if read.reading == "too long":
            self._answerer.note_too_long(self._entrant, self._match, reply.text)
        elif read.reading != "legal":
            dialogue.again(reply.text, read.problem)
        return read

    async def _charged(self, question: Question, body: bytes, worst: float, send: Send) -> Answer:
        """Sends a question once; without an answer it costs its worst price if it was sent."""
        purse, began = self._answerer.purse, trio.current_time()
        while not purse.reserve(worst):
            if not purse.fits(worst):
                raise self._answerer.too_dear()
            await trio.sleep(RESERVE_SECONDS)
        try:
            return await send()
        except BaseException as error:
            paid = not isinstance(error, EndpointFailed) or error.paid
            purse.pay(self._match, worst, worst if paid else 0.0)
            if paid:
                seconds = trio.current_time() - began
                await self._answerer.journal.keep(
                    self._unanswered(question, body, worst, Answer(0, b"", seconds))
                )
            raise

    def _unanswered(
        self, question: Question, body: bytes, worst: float, answer: Answer
    ) -> Exchange:
        # Each attempt of a question has a row of its own, which no journal finds as an answer.
        once = msgspec.structs.replace(question, digest=os.urandom(len(question.digest)))
        bounded = self._endpoint.bounded or self._answerer.purse.limit is not None
        return Exchange(
            question=once,
            entrant=self._entrant,
            asked=body,
            answer=answer,
            usage=Usage(),
            cost=worst if bounded else None,
            reading="unanswered",
        )


def _read(dialogue: Dialogue, reply: Reply, observation: Observation | None) -> Read:
    if reply.reading is not None:
        return Read(reply.reading, problem=_PROBLEMS[reply.reading])
    return dialogue.read(reply.text, observation)
