"""The luck of stored matches by the value function of their game, and scores without it.

Luck and scores are in match points: 1 for a match that is won, 0 for one that is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from arena_results.database import Database
from arena_results.queries import stored_matches
from arena_results.ratings.amounts import AmountEstimate, estimate_amount
from arena_results.rows import StoredTournament, TournamentSummary
from arena_tournaments.rulings import void_pairings
from arena_tournaments.schedule import match_points

from arena.core.errors import BadInput, Divergence, UnknownName
from arena.core.game import AnyGame
from arena.core.record import MatchRecord
from arena.core.tournament import RoundResult
from arena.core.value import SHORT_HASH, ValueFunction
from arena.match.luck import ChanceEvent, chance_events, luck_by_seat
from arena.plugins.registry import Registry
from arena.service.rows import Document

_Deals: TypeAlias = dict[tuple[int, int, int], list[tuple[float, float]]]
"""By deal: the match points and the luck of one bot in each match of it."""


class MatchLuck(msgspec.Struct, frozen=True):
    """The luck in one match.

    Attributes:
        value_function: Name of the value function.
        hash: Its SHA-256.
        scores: The match points of each seat.
        luck: The luck of each seat, in match points.
        events: What chance did, in order; luck and values of an event are in match points, too.
    """

    value_function: str
    hash: str
    scores: tuple[float, ...]
    luck: tuple[float, ...]
    events: tuple[ChanceEvent, ...]

    @property
    def adjusted(self) -> tuple[float, ...]:
        """The match points of each seat less its luck."""
        return tuple([score - luck for score, luck in zip(self.scores, self.luck, strict=True)])

    def document(self) -> Document:
        """The value of ``luck`` in the JSON document of ``arena replay --luck``."""
        seats = zip(self.scores, self.luck, self.adjusted, strict=True)
        return {
            "value_function": self.value_function,
            "hash": self.hash,
            "seats": [
                {"seat": seat, "score": score, "luck": luck, "adjusted": adjusted}
                for seat, (score, luck, adjusted) in enumerate(seats)
            ],
            "events": msgspec.to_builtins(self.events),
        }


class FrozenValues(msgspec.Struct, frozen=True):
    """The value function that a tournament fixed before its first match.

    Attributes:
        name: Its name; ``None`` if none was fixed.
        hash: Its SHA-256.
    """

    name: str | None = None
    hash: str | None = None

    def problem(self, values: ValueFunction[Any] | None) -> str:
        """Returns the reason why luck is not computed by a value function; empty if it may be."""
        if self.hash is None or (values and values.hash == self.hash):
            return ""
        now = f"{values.name} (sha256 {values.hash[:SHORT_HASH]})" if values else "none"
        return (
            f"luck is switched off: the value function fixed before play is {self.name} "
            f"(sha256 {self.hash[:SHORT_HASH]}), and the game now has {now}"
        )

    def checked(self, game: AnyGame, engine: str, ruleset: str) -> ValueFunction[Any]:
        """Returns the game's value function for matches of a tournament.

        Raises:
            BadInput: The game has none, or another one than was fixed.
        """
        played = game.at_version(engine)
        values = played.value_function(played.ruleset(ruleset))
        if problem := self.problem(values):
            raise BadInput(problem)
        if values is None:
            raise BadInput(f"no luck is known of {game.name}: the game has no value function")
        return values


def frozen_values(about: TournamentSummary) -> FrozenValues:
    """Returns the value function that a stored tournament fixed before its first match."""
    return FrozenValues(about.value_function, about.value_hash)


def luck_switched_off(registry: Registry, about: TournamentSummary) -> str:
    """Returns the reason why a stored tournament has no luck, where one was fixed; else empty."""
    frozen, values = frozen_values(about), None
    if frozen.hash is None:
        return ""
    with suppress(UnknownName):  # neither game nor version of its engine need be here
        played = registry.game(about.game).at_version(about.engine)
        values = played.value_function(played.ruleset(about.ruleset))
    return frozen.problem(values)


def luck_of(
    game: AnyGame,
    record: MatchRecord,
    *,
    all_seen: bool = True,
    frozen: FrozenValues = FrozenValues(),  # noqa: B008 - immutable
) -> MatchLuck:
    """Returns the luck of every chance event of a match.

    Args:
        all_seen: Whether the reader may know all hidden cards.
        frozen: The value function that its tournament fixed.

    Raises:
        BadInput: The game has no value function, one that depends on hidden cards, or another one
            than was fixed.
        Divergence: The record does not re-execute to what it says.
    """
    values = frozen.checked(game, record.engine, record.ruleset)
    if not (values.public or all_seen):
        raise BadInput(f"luck by {values.name} follows from hidden cards: only view all shows it")
    events = tuple(
        [
            msgspec.structs.replace(
                event,
                luck=tuple([each / 2 for each in event.luck]),
                value=tuple([(1 + each) / 2 for each in event.value]),
            )
            for event in chance_events(game, record, values)
            if event.line is not None or any(event.luck)
        ]
    )
    sums = tuple([sum(event.luck[seat] for event in events) for seat in range(len(record.seats))])
    scores = match_points(record.outcome.returns)
    return MatchLuck(values.name, values.hash, tuple(scores), sums, events)


class BotLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a bot with and without luck, of all its matches or against one other.

    Attributes:
        against: The other; ``None`` for all.
        deals: Number of deals that the matches come from: matches of one deal share their luck.
        score: Mean match points a match.
        score_error: Half the 95 % interval of the mean; ``None`` with too few deals.
        luck: Mean luck a match.
        adjusted: The score less the luck.
        adjusted_error: Half its 95 % interval.
        worth: So many times the matches would give the plain score as short an interval.
    """

    name: str
    against: str | None
    matches: int
    deals: int
    score: float
    score_error: float | None
    luck: float
    adjusted: float
    adjusted_error: float | None
    worth: float | None


class TournamentLuck(msgspec.Struct, frozen=True):
    """The scores of a tournament with and without luck.

    Attributes:
        frozen: Whether the value function was fixed before the first match.
        bots: Each bot, the best adjusted score first.
        pairs: Each bot against each that it has met, in the order of the field.
    """

    tournament: int
    value_function: str
    hash: str
    frozen: bool
    bots: tuple[BotLuck, ...]
    pairs: tuple[BotLuck, ...]

    def document(self) -> Document:
        """The JSON document of ``arena tournament luck``."""
        document: Document = msgspec.to_builtins(self)
        for row in document["bots"]:
            del row["against"]
        return document


def tournament_luck(
    registry: Registry,
    database: Database,
    stored: StoredTournament,
    played: Sequence[RoundResult],
) -> TournamentLuck:
    """Computes the luck of every match of a tournament, and the scores of its bots without it.

    Args:
        played: The results of its rounds; annulled pairings do not count.

    Raises:
        BadInput: Its game has no value function, or another one than was fixed before play, or
            nothing was played yet.
        Divergence: A record does not re-execute to what it says.
    """
    about, game = stored.summary, registry.game(stored.summary.game)
    values = frozen_values(about).checked(game, about.engine, about.ruleset)
    deals: defaultdict[tuple[int, int | None], _Deals] = defaultdict(lambda: defaultdict(list))
    void = void_pairings(played)
    for row, match in stored_matches(database, about.id):
        record, key = match.record, row.key
        if (key.round, key.pairing) in void:
            continue
        try:
            luck = luck_by_seat(game, record, values)
        except Divergence as error:
            raise Divergence(f"match {about.id}.{key} cannot be replayed: {error}") from None
        legs = len(row.seats) if about.mirrored else 1
        deal = key.round, key.pairing, (key.leg - 1) // legs
        for index, points, own in zip(row.seats, match_points(row.returns), luck, strict=True):
            for other in (None, *row.seats):
                if other != index:
                    deals[index, other][deal].append((points, own / 2))
    if not deals:
        raise BadInput(f"tournament {about.id} has no matches yet that count")
    found = [
        _bot_luck(stored.names, bot, other, deals[bot, other].values())
        for bot, other in sorted(deals, key=lambda key: (key[0], -1 if key[1] is None else key[1]))
    ]
    bots = sorted((row for row in found if row.against is None), key=lambda row: -row.adjusted)
    pairs = tuple([row for row in found if row.against is not None])
    frozen = about.value_hash is not None
    return TournamentLuck(about.id, values.name, values.hash, frozen, tuple(bots), pairs)


def _bot_luck(
    names: Sequence[str],
    bot: int,
    other: int | None,
    deals: Iterable[Sequence[tuple[float, float]]],
) -> BotLuck:
    sums = [
        (sum(points for points, _ in deal), sum(own for _, own in deal), len(deal))
        for deal in deals
    ]
    raw = estimate_amount([(points, count) for points, _, count in sums])
    adjusted = estimate_amount([(points - own, count) for points, own, count in sums])
    return BotLuck(
        name=names[bot],
        against=None if other is None else names[other],
        matches=raw.matches,
        deals=raw.deals,
        score=raw.mean,
        score_error=raw.error,
        luck=raw.mean - adjusted.mean,
        adjusted=adjusted.mean,
        adjusted_error=adjusted.error,
        worth=_worth(raw, adjusted),
    )


def _worth(raw: AmountEstimate, adjusted: AmountEstimate) -> float | None:
    if raw.error is None or adjusted.error is None:
        return None
    return (raw.error / adjusted.error) ** 2
