"""Scores of a tournament, plain and luck-adjusted, from sums that are stored by pairing.

Scores are match points per match: 1 for a match that is won, 0 for one that is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from math import fsum, isclose
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from arena_results.file.database import Database
from arena_results.ratings.intervals.amounts import AmountEstimate, estimate_sums
from arena_results.schema.rows import LuckSums, MemberLuck, Status, StoredTournament
from arena_results.store.luck_sums import Measured, keep_luck, kept_luck, luck_sums
from arena_results.store.queries import WholeMatch, matches
from arena_results.store.value_files import add_file
from arena_tournaments.play.rulings import void_pairings
from arena_tournaments.play.schedule import match_points

from arena.core.errors import BadInput, BadStore, Divergence
from arena.core.game import AnyGame
from arena.core.parts.value import LUCK_ADJUSTED, SHORT_HASH, ValueFunction
from arena.core.table import Column, Table
from arena.core.tournaments.format import RoundResult
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.match.luck import frozen_values, luck_of_matches, luck_switched_off

AT_ONCE = 5_000
"""Matches whose luck a report computes; of more, ``arena tournament luck`` computes it."""
LEARNED_AT_ONCE = 500
"""The same, by learned values, which take ten times as long."""
ROUNDING, LEARNED_ROUNDING = 1e-9, 1e-5
"""Relative differences between machines, and of learned values, computed with 32-bit floats."""
Boards: TypeAlias = Mapping[tuple[int, int], LuckSums]
"""Sums by round and pairing."""


class BotLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a bot, plain and luck-adjusted, of all its matches or against one other.

    Attributes:
        against: The other; ``None`` for all.
        deals: Number of deals that the matches come from: matches of one deal share their luck.
        score: Mean match points per match.
        score_error: Half the 95 % interval of the mean; ``None`` with too few deals.
        luck: Mean luck a match.
        adjusted: The score less the luck.
        adjusted_error: Half its 95 % interval.
        fitted: The score less the luck by coefficients that were fitted on earlier deals.
        fitted_error: Half its 95 % interval.
        worth: That many times the matches would give the plain score as short an interval as that
            of ``adjusted``.
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
    fitted: float
    fitted_error: float | None
    worth: float | None


class Adjusted(msgspec.Struct, frozen=True):
    """The scores of bots, plain and luck-adjusted, by index into the field.

    Attributes:
        bots: Of those that have played.
        pairs: Each against each that it has met.
    """

    bots: dict[int, BotLuck]
    pairs: dict[tuple[int, int], BotLuck]


BOTS = (
    Column("name", "bot", drop=0),
    Column("score", "score", True, 3, drop=0),
    Column("score_error", "± 95 %", True, 3, drop=0),
    Column("luck", "luck", True, 3, drop=3),
    Column("adjusted", LUCK_ADJUSTED, True, 3, drop=0),
    Column("adjusted_error", "± 95 %", True, 3, drop=0),
    Column("fitted", "fitted", True, 3, drop=1),
    Column("fitted_error", "± 95 %", True, 3, drop=1),
    Column("worth", "matches x", True, 1, drop=2),
    Column("matches", "matches", True, drop=4),
    Column("deals", "deals", True, drop=5),
)
"""The columns of bots; pairs have one more."""
_AGAINST = Column("against", "against", drop=0)


class TournamentLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of a tournament, plain and luck-adjusted.

    Attributes:
        frozen: Whether the value function was fixed before the first match.
        independent: Whether it was learned from other deals, or not at all; ``None`` if it is not
            known.
        bots: Each bot, the best adjusted score first.
        pairs: Each bot against each that it has met, in the order of the field.
    """

    tournament: int
    value_function: str
    hash: str
    frozen: bool
    independent: bool | None
    bots: tuple[BotLuck, ...]
    pairs: tuple[BotLuck, ...]

    def document(self) -> Document:
        """The JSON document of ``arena tournament luck``."""
        document: Document = msgspec.to_builtins(self)
        for row in document["bots"]:
            del row["against"]
        return document

    def table(self, *, pairs: bool) -> Table:
        """Returns the rows of bots or of pairs."""
        rows = self.document()["pairs" if pairs else "bots"]
        by = f"{self.value_function}, sha256 {self.hash[:SHORT_HASH]}"
        title = f"Match points a match, with luck and {LUCK_ADJUSTED} ({by})"
        columns = (BOTS[0], _AGAINST, *BOTS[1:]) if pairs else BOTS
        return Table(title=title, columns=columns, rows=rows)


def tournament_luck(
    registry: Registry,
    database: Database,
    stored: StoredTournament,
    played: Sequence[RoundResult],
    file: Path | None = None,
) -> TournamentLuck:
    """Computes the scores of a tournament's bots without luck; the sums are stored.

    Args:
        played: The results of its rounds; annulled pairings do not count.
        file: A learned value function instead of the fixed one; if it is that, the sums are stored,
            and it is kept itself where it is missing.

    Raises:
        BadInput: Its game has no value function, or another one than was fixed before play, or
            nothing was played yet.
        Divergence: A record does not re-execute to what it says.
    """
    about, game = stored.summary, registry.game(stored.summary.game)
    fixed = frozen_values(stored)
    values = fixed.checked(game, about.engine, about.ruleset, file)
    if file is not None:
        stored = msgspec.structs.replace(stored, luck={})
        if fixed.file is None and about.value_hash == values.hash:
            with suppress(BadStore):  # it can only be read, or is locked
                add_file(database, about, file.read_bytes())
    found = adjusted_scores(completed(database, stored, game, values), void_pairings(played))
    if found is None or not found.bots:
        raise BadInput(f"tournament {about.id} has no matches yet that count")
    bots = sorted(found.bots.values(), key=lambda row: -row.adjusted)
    pairs = tuple([found.pairs[key] for key in sorted(found.pairs)])
    return TournamentLuck(
        tournament=about.id,
        value_function=values.name,
        hash=values.hash,
        frozen=about.value_hash == values.hash,
        independent=values.independent_of(fixed.deals),
        bots=tuple(bots),
        pairs=pairs,
    )


def with_luck(
    registry: Registry, database: Database, stored: StoredTournament, *, by_luck: bool
) -> StoredTournament:
    """Returns a stored tournament with the sums of its luck, if they are available at once.

    They can where a value function was fixed before play and is there, and all but ``AT_ONCE``
    matches are in sums that are stored; any number where luck decided how many were played.

    Args:
        by_luck: Whether luck decided how many matches were played.
    """
    about, missing, fixed = stored.summary, _missing(stored), frozen_values(stored)
    if about.value_hash is None or not missing or luck_switched_off(registry, stored):
        return stored
    most = LEARNED_AT_ONCE if fixed.learned else AT_ONCE
    if sum(stored.sums[board].matches for board in missing) > most and not by_luck:
        return stored
    game = registry.game(about.game)
    values = fixed.checked(game, about.engine, about.ruleset)
    return completed(database, stored, game, values)


def completed(
    database: Database, stored: StoredTournament, game: AnyGame, values: ValueFunction[Any]
) -> StoredTournament:
    """Returns a tournament with the luck of all its matches; that of a finished one is stored."""
    about, missing = stored.summary, _missing(stored)
    if not missing:
        return stored
    played = matches(database, about.id, boards=missing)
    found = dict(sums_by_board(stored, game, values, played))
    if about.status is Status.FINISHED and about.value_hash == values.hash:
        with suppress(BadStore):  # it can only be read, or is locked: computed again next time
            keep_luck(database, about.id, found)
    return msgspec.structs.replace(stored, luck={**stored.luck, **found})


def _missing(stored: StoredTournament) -> list[tuple[int, int]]:
    kept = kept_luck(stored)
    return [board for board in stored.sums if board not in kept]


def sums_by_board(
    stored: StoredTournament,
    game: AnyGame,
    values: ValueFunction[Any],
    matches: Iterable[WholeMatch],
) -> Iterator[tuple[tuple[int, int], LuckSums]]:
    """Yields the sums of the luck of whole pairings, in schedule order.

    Raises:
        Divergence: A record does not re-execute to what it says.
    """
    about = stored.summary
    for board, some in groupby(matches, lambda each: (each[0].key.round, each[0].key.pairing)):
        yield board, luck_sums(_measured(about.id, game, values, some), about.mirrored)


def _measured(
    number: int, game: AnyGame, values: ValueFunction[Any], matches: Iterable[WholeMatch]
) -> Iterator[Measured]:
    luck_of = luck_of_matches(game, values)
    for row, match in matches:
        try:
            luck = luck_of(match.record)
        except Divergence as error:
            raise Divergence(f"match {number}.{row.key} cannot be replayed: {error}") from None
        yield row, match_points(row.returns), luck


def alike(one: LuckSums, other: LuckSums, *, learned: bool) -> bool:
    """Returns whether sums are the same but for rounding, which may differ between machines."""
    rounding = LEARNED_ROUNDING if learned else ROUNDING
    least = rounding * one.matches

    def close(first: MemberLuck, second: MemberLuck) -> bool:
        pairs = zip(msgspec.structs.astuple(first), msgspec.structs.astuple(second), strict=True)
        return all(isclose(a, b, rel_tol=rounding, abs_tol=least) for a, b in pairs)

    if msgspec.structs.astuple(one)[:3] != msgspec.structs.astuple(other)[:3]:
        return False
    return len(one.members) == len(other.members) and all(map(close, one.members, other.members))


def adjusted_scores(stored: StoredTournament, void: Collection[tuple[int, int]]) -> Adjusted | None:
    """Returns the scores, plain and luck-adjusted; ``None`` where luck of a match is missing.

    Args:
        void: Annulled pairings, by round and number, which do not count.
    """
    if not stored.luck or _missing(stored):
        return None
    found: dict[tuple[int, int | None], list[tuple[LuckSums, MemberLuck]]] = {}
    for board, sums in sorted(kept_luck(stored).items()):
        if board not in void:
            for own in sums.members:
                for other in (None, *[each.index for each in sums.members if each is not own]):
                    found.setdefault((own.index, other), []).append((sums, own))
    names, bots, pairs = stored.names, {}, {}
    for (bot, other), parts in found.items():
        row = _bot_luck(names[bot], None if other is None else names[other], parts)
        if other is None:
            bots[bot] = row
        else:
            pairs[bot, other] = row
    return Adjusted(bots, pairs)


def _bot_luck(
    name: str, against: str | None, parts: Sequence[tuple[LuckSums, MemberLuck]]
) -> BotLuck:
    matches = sum(sums.matches for sums, _ in parts)
    deals = sum(sums.deals for sums, _ in parts)
    legs = sum(sums.legs_legs for sums, _ in parts)
    columns = zip(*[msgspec.structs.astuple(own)[1:] for _, own in parts], strict=True)
    x, nx, xx, own, nl, ll, xl, f, nf, ff = map(fsum, columns)
    score = estimate_sums(matches, deals, legs, x, nx, xx)
    adjusted = estimate_sums(matches, deals, legs, x - own, nx - nl, xx - 2 * xl + ll)
    fitted = estimate_sums(matches, deals, legs, f, nf, ff)
    return BotLuck(
        name=name,
        against=against,
        matches=matches,
        deals=deals,
        score=score.mean,
        score_error=score.error,
        luck=score.mean - adjusted.mean,
        adjusted=adjusted.mean,
        adjusted_error=adjusted.error,
        fitted=fitted.mean,
        fitted_error=fitted.error,
        worth=_worth(score, adjusted),
    )


def _worth(raw: AmountEstimate, adjusted: AmountEstimate) -> float | None:
    if raw.error is None or adjusted.error is None:
        return None
    return (raw.error / adjusted.error) ** 2
