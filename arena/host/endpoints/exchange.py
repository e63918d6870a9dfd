"""Questions to endpoints and their answers, and the journal that keeps them.

An answer is stored before it is used. A match that is played again finds its questions in the
journal and asks only what nobody has answered yet.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

import msgspec

from arena.core.record import MatchKey

Reading: TypeAlias = Literal[
    "legal", "illegal", "unreadable", "refused", "too long", "cut", "empty", "unanswered"
]
"""The kind of an answer: a legal word, an illegal one, no word at all, a refusal, a prompt that is
too long for the model, an answer that was cut by its length, or nothing. ``"unanswered"`` is a
question without an answer, which may have to be paid for all the same."""


class Question(msgspec.Struct, frozen=True):
    """One question to an endpoint.

    Attributes:
        match: The match, within its tournament.
        seat: The seat that is asked, from 0.
        decision: Number of the decision within the seat's match, from 1; 0 for the loadout.
        attempt: Number of the attempt within the decision, from 1.
        digest: SHA-256 of the request's body: another prompt is another question.
    """

    match: MatchKey
    seat: int
    decision: int
    attempt: int
    digest: bytes


class Answer(msgspec.Struct, frozen=True):
    """The answer of an endpoint as it came.

    Attributes:
        status: The HTTP status.
        body: The body, decompressed.
        seconds: Wall-clock time from sending to the last byte.
    """

    status: int
    body: bytes
    seconds: float


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one exchange as the endpoint counts them; ``None`` where it does not say.

    Attributes:
        prompt: Tokens of the prompt, the cached ones among them.
        cached: Tokens of the prompt that the endpoint had in its cache.
        completion: Tokens of the answer, its reasoning included.
    """

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One question with its answer, as the journal and transcripts have it.

    Attributes:
        entrant: Index of the bot in the field.
        asked: Body of the request, without the key, which is sent in a header.
        cost: Price in dollars; ``None`` where prices or tokens are not known.
        finish: Why the endpoint ended its answer, in its own word.
        action: The legal word that was answered; empty if there was none.
        played_for: Whether the harness played a move for the bot after this attempt.
    """

    question: Question
    entrant: int
    asked: bytes
    answer: Answer
    usage: Usage
    reading: Reading
    cost: float | None = None
    finish: str = ""
    action: str = ""
    played_for: bool = False


class Journal(Protocol):
    """Keeps exchanges of one tournament."""

    def find(self, question: Question) -> Answer | None:
        """Returns the answer that was stored for that question."""

    async def keep(self, exchange: Exchange) -> None:
        """Keeps an exchange; returns once it is committed."""

    def forget(self, match: MatchKey) -> None:
        """Frees the memory that a match takes, which is over."""


class MemoryJournal:
    """Keeps exchanges of matches that are stored nowhere: a ``Journal``."""

    def __init__(self) -> None:
        self._answers: dict[Question, Answer] = {}

    def find(self, question: Question) -> Answer | None:
        """Returns the answer that was stored for that question."""
        return self._answers.get(question)

    async def keep(self, exchange: Exchange) -> None:
        """Keeps an answer."""
        if exchange.reading != "unanswered":
            self._answers[exchange.question] = exchange.answer

    def forget(self, match: MatchKey) -> None:
        """Forgets the answers of a match, which is over."""
        for question in [each for each in self._answers if each.match == match]:
            del self._answers[question]
