"""Sums over the exchanges of endpoints: what each bot was asked, and what that took and cost."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import text

from arena.core.tournaments.format import EXHIBITION
from arena_results.file.database import Database
from arena_results.store.exchanges import MICRO


class ExchangeSums(msgspec.Struct, frozen=True, kw_only=True):
    """The sums of one bot over its stored matches; ``None`` where the endpoint did not say.

    Attributes:
        matches: Number of its matches.
        decisions: Number of its decisions, a chosen loadout not among them.
        calls: Number of questions that were answered; of a decision there may be several.
        illegal: Number of answers that were no legal move, for whatever reason.
        refused: Number of them that were refusals.
        too_long: Number of them where the prompt was too long for the model.
        cut: Number of them that were cut by their length.
        empty: Number of them that were empty.
        unanswered: Number of questions without an answer, which may have to be paid for.
        played_for: Number of moves that the harness played for it.
        prompt_tokens: Tokens of prompts.
        cached_tokens: Tokens of prompts that the endpoint had in its cache.
        completion_tokens: Tokens of answers.
        seconds: Time of all calls.
        cost: Dollars.
    """

    matches: int
    decisions: int
    calls: int
    illegal: int
    refused: int
    too_long: int
    cut: int
    empty: int
    unanswered: int
    played_for: int
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    seconds: float
    cost: float | None

    def share(self, count: int) -> float:
        """Returns the share of a number of answers among all of them."""
        return count / self.calls if self.calls else 0.0

    @property
    def tokens_per_match(self) -> float | None:
        """Tokens of prompts and answers in a match."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return (self.prompt_tokens + self.completion_tokens) / self.matches

    @property
    def seconds_per_match(self) -> float:
        """Time of its calls in a match."""
        return self.seconds / self.matches

    @property
    def cost_per_match(self) -> float | None:
        """Dollars of a match."""
        return None if self.cost is None else self.cost / self.matches


def exchange_sums(database: Database, tournament: int) -> dict[str, ExchangeSums]:
    """Returns the sums of a tournament's endpoints by the keys of their participants.

    Bots that are no endpoints have none.
    """
    return _sums(database, _OF_TOURNAMENT, {"id": tournament})


def board_sums(database: Database, game: str, ruleset: str) -> dict[str, ExchangeSums]:
    """Returns the sums over all rated tournaments of a game and ruleset; see ``exchange_sums``."""
    given = {"game": game, "ruleset": ruleset, "unrated": EXHIBITION}
    return _sums(database, _OF_BOARD, given)


def spent(database: Database, tournament: int) -> float:
    """Returns the dollars that a tournament has cost so far, also in matches that do not count."""
    with database.reading() as connection:
        found = connection.execute(_SPENT, {"id": tournament}).scalar()
    return int(found or 0) / MICRO


def match_costs(database: Database, tournament: int) -> dict[tuple[int, int, int], float]:
    """Returns the dollars of each match that is not stored yet, and, as ``(0, 0, 0)``, of the
    dearest one that is.
    """
    with database.reading() as connection:
        found = connection.execute(_COSTS, {"id": tournament}).all()
    costs: dict[tuple[int, int, int], float] = {}
    for round, pairing, leg, stored, cost in found:
        if not round:  # first questions
            continue
        key = (0, 0, 0) if stored else (round, pairing, leg)
        costs[key] = max(costs.get(key, 0.0), int(cost or 0) / MICRO)
    return costs


def _sums(database: Database, which: str, given: dict[str, Any]) -> dict[str, ExchangeSums]:
    with database.reading() as connection:
        found = connection.execute(text(_SUMS.format(which=which)), given).mappings().all()
    return {row["key"]: _made(row) for row in found}


def _made(row: Any) -> ExchangeSums:  # noqa: ANN401 -- a row of SQL
    values = {name: None if row[name] is None else int(row[name]) for name in _INTEGERS}
    cost = None if row["cost"] is None else int(row["cost"]) / MICRO
    return ExchangeSums(**values, seconds=int(row["milliseconds"]) / 1000, cost=cost)  # type: ignore[arg-type]


_INTEGERS = (
    *("matches", "decisions", "calls", "illegal", "refused", "too_long", "cut", "empty"),
    *("unanswered", "played_for"),
    *("prompt_tokens", "cached_tokens", "completion_tokens"),
)
_OF_TOURNAMENT = "exchange.tournament_id = :id"
_OF_BOARD = """exchange.tournament_id IN (
SELECT id FROM tournament WHERE game = :game AND ruleset = :ruleset AND format <> :unrated)"""
_STORED = """EXISTS (SELECT 1 FROM "match" WHERE "match".tournament_id = exchange.tournament_id
AND "match".round = exchange.round AND "match".pairing = exchange.pairing
AND "match".leg = exchange.leg)"""
# A sum is known where all its parts are.
_SUMS = (
    """SELECT participant.key AS key, count(*) AS matches, sum(decisions) AS decisions,
sum(calls) AS calls, sum(illegal) AS illegal, sum(played_for) AS played_for,
sum(refused) AS refused, sum(too_long) AS too_long, sum(cut) AS cut, sum(is_empty) AS empty,
sum(unanswered) AS unanswered,
CASE WHEN count(prompt) = count(*) THEN sum(prompt) END AS prompt_tokens,
CASE WHEN count(cached) = count(*) THEN sum(cached) END AS cached_tokens,
CASE WHEN count(completion) = count(*) THEN sum(completion) END AS completion_tokens,
sum(milliseconds) AS milliseconds, CASE WHEN count(cost) = count(*) THEN sum(cost) END AS cost
FROM (
SELECT tournament_id, entrant, sum(answered) AS calls,
count(DISTINCT CASE WHEN decision > 0 THEN decision END) AS decisions,
sum(CASE WHEN reading = 'legal' THEN 0 ELSE answered END) AS illegal,
sum(CASE WHEN reading = 'refused' THEN 1 ELSE 0 END) AS refused,
sum(CASE WHEN reading = 'too long' THEN 1 ELSE 0 END) AS too_long,
sum(CASE WHEN reading = 'cut' THEN 1 ELSE 0 END) AS cut,
sum(CASE WHEN reading = 'empty' THEN 1 ELSE 0 END) AS is_empty,
count(*) - sum(answered) AS unanswered,
sum(CASE WHEN played_for THEN 1 ELSE 0 END) AS played_for,
CASE WHEN count(prompt_tokens) >= sum(answered) THEN sum(prompt_tokens) END AS prompt,
CASE WHEN count(cached_tokens) >= sum(answered) THEN sum(cached_tokens) END AS cached,
CASE WHEN count(completion_tokens) >= sum(answered) THEN sum(completion_tokens) END AS completion,
sum(milliseconds) AS milliseconds,
CASE WHEN count(cost) = count(*) THEN sum(cost) END AS cost
FROM (SELECT tournament_id, entrant, round, pairing, leg, decision, reading, played_for,
prompt_tokens, cached_tokens, completion_tokens, milliseconds, cost,
CASE WHEN reading = 'unanswered' THEN 0 ELSE 1 END AS answered
FROM exchange WHERE {which} AND replaced = 0 AND """
    + _STORED
    + """) AS asked
GROUP BY tournament_id, entrant, round, pairing, leg) AS played
JOIN entry ON entry.tournament_id = played.tournament_id AND entry."index" = played.entrant
JOIN participant ON participant.id = entry.participant_id
GROUP BY participant.key"""
)
_SPENT = text("SELECT sum(cost) FROM exchange WHERE tournament_id = :id")
_COSTS = text(f"""SELECT round, pairing, leg, stored, sum(cost) FROM (
SELECT round, pairing, leg, cost, CASE WHEN {_STORED} THEN 1 ELSE 0 END AS stored
FROM exchange WHERE tournament_id = :id AND replaced = 0) AS priced
GROUP BY round, pairing, leg, stored""")
