"""Keeps questions to a language model, and its answers, in the journal of a tournament."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from arena_results.file.database import open_database
from arena_results.store.exchanges import ExchangeJournal

from arena.core.record import MatchKey
from arena.host.endpoints.exchange import Answer, Exchange, Question, Usage

MATCHES = 4


async def ask(journal, leg, decision, attempt, seat):
    body = msgspec.json.encode(
        {
            "model": "m",
            "messages": [{"role": "user", "content": f"Decision {decision}:\x1b[31m which?"}],
        }
    )
    said = {"choices": [{"message": {"content": "I stand.\nstand"}, "finish_reason": "stop"}]}
    legal = attempt == 2
    await journal.keep(
        Exchange(
            question=Question(MatchKey(1, 1, leg), seat, decision, attempt, sha256(body).digest()),
            entrant=0,
            asked=body,
            answer=Answer(200, msgspec.json.encode(said), 0.5),
            usage=Usage(1000, 0, 10),
            reading="legal" if legal else "illegal",
            cost=0.01,
            finish="stop",
            action="stand" if legal else "",
        )
    )


async def ask_all(url):
    """Asks in the place of the first bot, which sits at the second seat in every other match."""
    with open_database(url) as database:
        journal = ExchangeJournal(database, 1)
        for leg in range(1, MATCHES + 1):
            for decision in (1, 2):
                for attempt in (1, 2):
                    await ask(journal, leg, decision, attempt, 1 - leg % 2)
