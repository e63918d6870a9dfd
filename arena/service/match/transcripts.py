"""Shows and removes the questions to language models and their answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from itertools import takewhile
from textwrap import dedent

import msgspec
from arena_results.file.database import Database
from arena_results.store.exchanges import StoredExchange, exchanges, purge_exchanges
from arena_results.store.queries import summary, tournament

from arena.core.record import MatchKey
from arena.core.table import Column
from arena.core.text.printable import printable_text
from arena.host.endpoints.exchange import Exchange
from arena.service.answers.rows import Row

COLUMNS = (
    Column("match", "match", drop=0, type="text", names="match"),
    Column("seat", "seat", right=True, type="integer"),
    Column("name", "bot", drop=0, type="text", names="bot"),
    Column("decision", "decision", right=True, type="integer", hint="0: the loadout"),
    Column("attempt", "attempt", right=True, type="integer"),
    Column("reading", "reading", type="text"),
    Column("action", "move", type="text", most=24),
    Column("played_for", "played for", type="truth", drop=3),
    Column("finish", "finish", type="text", drop=4),
    Column("prompt_tokens", "prompt", right=True, type="integer", drop=2, unit="tokens"),
    Column("cached_tokens", "cached", right=True, type="integer", drop=4, unit="tokens"),
    Column("completion_tokens", "answer", right=True, type="integer", drop=2, unit="tokens"),
    Column("seconds", "time", right=True, digits=1, unit="s", type="number", drop=2),
    Column("cost", "cost", right=True, digits=6, unit="$", type="number", drop=3),
    Column("status", type="integer"),
    Column("replaced", type="integer"),
    Column("messages"),
    Column("request"),
    Column("answer", type="text"),
)
"""The columns of transcripts, in the order of documents."""
TEXTS = ("messages", "request")
"""Columns with JSON values; tables have them as text."""
MAX_TEXT = 1_000_000
"""Characters of a message or an answer that are shown."""


def transcript(database: Database, number: int, key: Sequence[int] = ()) -> Generator[Row]:
    """Yields the exchanges of a tournament's endpoints in schedule order, as they are read.

    Args:
        number: Its number.
        key: The first numbers of the matches that are meant: round, pairing, match.

    Raises:
        UnknownName: There is no such tournament.
        BadStore: A text is damaged.
    """
    names = tournament(database, number, matches=False).names
    for each in exchanges(database, number, key):
        yield transcript_row(number, names, each)


def transcript_row(number: int, names: Sequence[str], stored: StoredExchange) -> Row:
    """Returns an exchange as a row; removed messages are empty."""
    each = stored.exchange
    question, usage = each.question, each.usage
    request = _request(each.asked)
    messages = _messages(request)
    request.pop("messages", None)
    return {
        "match": f"{number}.{question.match}",
        "seat": question.seat,
        "name": names[each.entrant],
        "decision": question.decision,
        "attempt": question.attempt,
        "reading": each.reading,
        "action": each.action,
        "played_for": each.played_for,
        "finish": each.finish,
        "prompt_tokens": usage.prompt,
        "cached_tokens": usage.cached,
        "completion_tokens": usage.completion,
        "seconds": each.answer.seconds,
        "cost": each.cost,
        "status": each.answer.status,
        "replaced": stored.replaced,
        "messages": messages,
        "request": request,
        "answer": each.answer.body.decode("utf-8", "replace"),
    }


def flat(rows: Iterator[Row]) -> Iterator[Row]:
    """Yields rows with text in the place of JSON, for tables."""
    for row in rows:
        yield {**row, **{key: msgspec.json.encode(row[key]).decode() for key in TEXTS}}


class ShownExchange(msgspec.Struct, frozen=True):
    """A question and its answer as text for people; removed messages are empty.

    Attributes:
        numbers: One line: the attempt, its kind, the move, tokens, seconds, cost, finish reason.
        prompt: The messages.
        answer: The text of the answer.
    """

    numbers: str
    prompt: str
    answer: str


class ShownDecision(msgspec.Struct, frozen=True):
    """The attempts of a language model at one decision, as text for people.

    Attributes:
        seat: Its seat.
        name: The bot.
        decision: Number of the decision within the match; 0 for the loadout.
    """

    seat: int
    name: str
    decision: int
    attempts: list[ShownExchange]


def shown_decisions(
    database: Database, number: int, key: MatchKey, seats: Mapping[int, str]
) -> list[ShownDecision]:
    """Returns the transcript of a match as it stands; see ``by_decision``.

    Args:
        seats: The seats that are shown, with the names of their bots.
    """
    return [
        ShownDecision(seat, seats[seat], decision, [*map(_shown, found)])
        for (seat, decision), found in by_decision(database, number, key, seats).items()
    ]


def _shown(exchange: Exchange) -> ShownExchange:
    answer = printable_text(answer_text(exchange.answer.body), MAX_TEXT).strip()
    prompt = dedent("\n".join(_message_lines(_messages(_request(exchange.asked)))))
    return ShownExchange(_numbers(exchange), prompt, answer)


def by_decision(
    database: Database, number: int, key: MatchKey, seats: Collection[int]
) -> dict[tuple[int, int], list[Exchange]]:
    """Returns the exchanges of a match as it stands, by seat and number of the decision.

    Args:
        seats: The seats that are shown.
    """
    found: dict[tuple[int, int], list[Exchange]] = defaultdict(list)
    for each in exchanges(database, number, msgspec.structs.astuple(key)):
        question = each.exchange.question
        if not each.replaced and question.seat in seats:
            found[question.seat, question.decision].append(each.exchange)
    return dict(found)


def transcript_text(database: Database, number: int, key: Sequence[int]) -> str:
    """Returns the exchanges of a match as text for people.

    Messages that a seat's question before began with, such as the rules, are left out.
    """
    parts, before = [], dict[int, list[Mapping[str, object]]]()
    for each in exchanges(database, number, key):
        exchange, seat = each.exchange, each.exchange.question.seat
        known, messages = before.get(seat, []), _messages(_request(exchange.asked))
        same = sum(
            1
            for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known, messages, strict=False))
        )
        before[seat] = messages
        parts.append("\n".join([f"seat {seat}", *_lines(exchange, messages[same:])]))
    return "\n\n".join(parts)


def purge_transcripts(database: Database, number: int) -> int:
    """Removes the messages of a tournament's exchanges, and returns how many; numbers stay.

    Messages of unfinished matches stay, so that nothing is asked twice.

    Raises:
        UnknownName: There is no such tournament.
    """
    summary(database, number)
    return purge_exchanges(database, number)


def exchange_lines(exchange: Exchange) -> list[str]:
    """Returns an exchange without its question as lines for people."""
    return _lines(exchange, ())


def _lines(exchange: Exchange, messages: Sequence[Mapping[str, object]]) -> list[str]:
    decision = exchange.question.decision
    lines = [f"{f'decision {decision}' if decision else 'loadout'}, {_numbers(exchange)}"]
    lines += _message_lines(messages)
    lines += _quoted("answer", answer_text(exchange.answer.body))
    return lines


def answer_text(body: bytes) -> str:
    """Returns the text of an answer's body; the whole body where it has no such text."""
    try:
        content = msgspec.json.decode(body)["choices"][0]["message"]["content"]
    except (msgspec.MsgspecError, LookupError, TypeError):
        content = None
    return content if isinstance(content, str) else body.decode("utf-8", "replace")


def _message_lines(messages: Sequence[Mapping[str, object]]) -> list[str]:
    lines = []
    for message in messages:
        lines += _quoted(str(message.get("role", "")), _content(message.get("content")))
    return lines


def _numbers(exchange: Exchange) -> str:
    usage, question = exchange.usage, exchange.question
    tokens = ["?" if part is None else f"{part:,}" for part in (usage.prompt, usage.completion)]
    parts = [
        f"attempt {question.attempt}: {exchange.reading}",
        *([exchange.action] if exchange.action else []),
        *(["a move was played for it"] if exchange.played_for else []),
        f"{tokens[0]} + {tokens[1]} tokens",
        f"{exchange.answer.seconds:.1f} s",
        *([] if exchange.cost is None else [f"${exchange.cost:.6f}"]),
        *([exchange.finish] if exchange.finish else []),
    ]
    return ", ".join(parts)


def _quoted(who: str, text: str) -> list[str]:
    if not text:
        return []
    lines = printable_text(text, MAX_TEXT).rstrip().splitlines()
    return [f"  {printable_text(who)}:", *(f"    {line}" for line in lines)]


def _content(content: object) -> str:
    return content if isinstance(content, str) else msgspec.json.encode(content).decode()


def _messages(request: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = request.get("messages")
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _request(asked: bytes) -> dict[str, object]:
    try:
        return msgspec.json.decode(asked, type=dict[str, object])
    except msgspec.MsgspecError:
        return {}
