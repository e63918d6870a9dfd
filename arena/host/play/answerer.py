"""Answers for the endpoints of a field: from a request of a match to an answer of the bot."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import trio

from arena.core.bot import MatchContext
from arena.core.errors import EndpointFailed
from arena.core.observation import Observation
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.host.endpoints.client import EndpointClient, open_clients
from arena.host.endpoints.exchange import Answer, Exchange, Journal, Question, Reading
from arena.host.endpoints.purse import Purse, worst_cost
from arena.host.endpoints.reply import Reply, cost_of, read_reply
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
    "cut": "Your answer was cut, as it was too long.",
    "empty": "Your answer was empty.",
}


class EndpointAnswerer:
    """Answers for all endpoints of a field: an ``Answerer``.

    Attributes:
        clients: The client of each endpoint, by its bot's index in the field.
        journal: Keeps each answer before it is used.
        purse: Holds the cost of each question before it is asked.
        too_dear: Returns the line of a run that pauses because of its cost.
    """

    def __init__(
        self,
        clients: Mapping[int, EndpointClient],
        journal: Journal,
        purse: Purse,
        too_dear: Callable[[], str],
    ) -> None:
        self.clients, self.journal, self.purse = clients, journal, purse
        self.too_dear = too_dear

    def open_seat(self, entrant: int, match: MatchKey, context: MatchContext) -> EndpointSeat:
        """Opens a seat of a match that begins."""
        return EndpointSeat(self, entrant, match, context)


@asynccontextmanager
async def open_answerer(
    bots: Sequence[BotSource], journal: Journal, purse: Purse, too_dear: Callable[[], str]
) -> AsyncIterator[EndpointAnswerer]:
    """Opens the clients of a field's endpoints; ``EndpointAnswerer`` explains the arguments.

    Raises:
        BadInput: The HTTP client is not installed, or a variable that has a key is missing.
    """
    endpoints = {index: bot.endpoint for index, bot in enumerate(bots) if bot.endpoint is not None}
    async with open_clients(list(endpoints.values())) as clients:
        named = dict(zip(endpoints, clients, strict=True))
        yield EndpointAnswerer(named, journal, purse, too_dear)


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
        if self._endpoint.fallback == "lose":
            reason = f"no legal move in {tries} answers; the last: {problem}"
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
            answer = await self._paid(body, worst)
            reply = read_reply(answer, endpoint.answer)
        read = _read(dialogue, reply, observation)
        if not kept:
            last = attempt == endpoint.tries and read.reading != "legal"
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
        if read.reading != "legal":
            dialogue.again(reply.text, read.problem)
        return read

    async def _paid(self, body: bytes, worst: float) -> Answer:
        purse = self._answerer.purse
        while not purse.reserve(worst):
            if not purse.fits(worst):
                raise EndpointFailed(self._answerer.too_dear(), retry=False)
            await trio.sleep(RESERVE_SECONDS)
        try:
            return await self._client.ask(body)
        except BaseException:
            self._answerer.purse.pay(self._match, worst, 0.0)
            raise


def _read(dialogue: Dialogue, reply: Reply, observation: Observation | None) -> Read:
    if reply.reading is not None:
        return Read(reply.reading, problem=_PROBLEMS[reply.reading])
    return dialogue.read(reply.text, observation)
