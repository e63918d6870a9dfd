"""Computes leaderboards: bot versions sorted by rating, one table a game and ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import TypeAlias

import msgspec

from arena.core.chance.seeding import derive_seed
from arena.core.described import described
from arena.core.errors import BadInput, BadStore, UnknownName
from arena.core.outcome import Amounts
from arena.core.tournaments.format import Participant, shown_names
from arena.core.tournaments.rating import (
    BALANCE,
    Rated,
    Rating,
    RatingSystem,
    Results,
    Unit,
    Worths,
    check_anchor,
)
from arena_results.boards.adjusted_board import with_adjusted
from arena_results.boards.board_rows import (
    Board,
    LeaderboardRow,
    latest,
    part,
    placed,
    with_exchanges,
)
from arena_results.boards.boards import LARGE, basis, keep_rows, kept_rows
from arena_results.boards.purses import purses
from arena_results.bots.submissions import ages
from arena_results.file.database import Database
from arena_results.ratings.fits.duels import (
    counted_units,
    incomplete,
    needs_matches,
    unit_key,
    units,
)
from arena_results.ratings.fits.remarks import incomplete_remarks, seat_remark
from arena_results.ratings.systems.systems import Joint
from arena_results.schema.rows import StoredTournament, TournamentSummary
from arena_results.store.exchange_sums import board_sums, exchange_sums
from arena_results.store.queries import match_rows, tournament, tournaments

JOINT: RatingSystem = Joint()
"""The rating system of leaderboards, unless another is asked for."""


def table_note(system: RatingSystem = JOINT) -> str:
    """Explains the numbers of a leaderboard with tables of more than two seats, in one line."""
    return (
        f"tables of n seats: a match is a duel with each opponent by finishing order"
        f"{system.table_note}; {BALANCE} counts duels won, drawn and lost, points their mean in "
        "each match, 1st the matches finished alone on top; tables of all sizes count together"
    )


Worth: TypeAlias = tuple[str, Amounts]
"""The unit of amounts, in the plural, and what gives each seat's of a match."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of leaderboards.

    Attributes:
        tournament: Only the matches of this one.
        anchors: Ratings that are given, by name or ``name@version``; not of boards by amount. The
            mean of those without one (``None``) is ``START``.
        worth: Gives unit and amounts of a tournament that is scored by amount, for rating systems
            that can use them; tournaments of others, and all without it, are rated by finishing
            orders.
    """

    game: str | None = None
    ruleset: str | None = None
    tournament: int | None = None
    system: RatingSystem = msgspec.field(default_factory=lambda: JOINT)
    anchors: Mapping[str, float | None] = {}
    worth: Callable[[TournamentSummary], Worth | None] | None = None

    def worth_of(self, summary: TournamentSummary) -> Worth | None:
        """Unit and amounts of a tournament, if it will be rated by them."""
        return self.worth(summary) if self.worth and "amounts" in self.system.takes else None


def leaderboard(
    database: Database,
    game: str | None = None,
    ruleset: str | None = None,
    system: RatingSystem = JOINT,
) -> tuple[LeaderboardRow, ...]:
    """Returns the rows of all boards, with every version: see ``boards``."""
    found = boards(database, Asked(game=game, ruleset=ruleset, system=system))
    return tuple(chain.from_iterable(board.rows for board in found))


def boards(database: Database, asked: Asked) -> tuple[Board, ...]:
    """Returns boards sorted by game and ruleset, over every match in the database.

    Matches count as soon as they are stored, also of unfinished tournaments. Different games or
    rulesets never share a board. Tables of all sizes do: a field that does not divide makes
    several. Ratings, intervals and scores are rounded to 1/100 of a point.

    Raises:
        BadInput: A tournament with a stake has tables of more than two seats, or an anchor is
            wrong.
    """
    if asked.anchors and "anchors" not in asked.system.takes:
        raise BadInput(f"rating system {asked.system.name} takes no anchors; joint does")
    grouped: dict[tuple[str, str, str], list[TournamentSummary]] = {}
    for summary in chosen(database, asked):
        unit, _ = asked.worth_of(summary) or ("", None)
        grouped.setdefault((summary.game, summary.ruleset, unit), []).append(summary)
    stored = [
        [tournament(database, summary.id) for summary in grouped[board]]
        for board in sorted(grouped)
    ]
    _check_anchors(asked.anchors, stored)
    found = tuple(_board_of(database, each, asked) for each in stored)
    if asked.anchors or "luck" not in asked.system.takes:
        return found
    return tuple(map(with_adjusted, found, stored))


def chosen(database: Database, asked: Asked) -> list[TournamentSummary]:
    """Returns the tournaments of the wanted boards, by number."""
    return [
        summary
        for summary in tournaments(database)
        if summary.matches
        and summary.rated
        and asked.game in (None, summary.game)
        and asked.ruleset in (None, summary.ruleset)
        and asked.tournament in (None, summary.id)
    ]


def with_history(
    database: Database,
    found: Iterable[Board],
    *,
    every_version: bool = False,
    tournament: int | None = None,
) -> tuple[Board, ...]:
    """Returns boards with one row a name: its latest version that has played there.

    Ratings stay with versions: the latest begins again. Names with other parameters are other
    names. Versions go by the order in which they were submitted, or first entered. With
    ``every_version`` earlier ones keep rows of their own. Ranks are those among the rows that are
    left.

    Args:
        tournament: The only one that counts, if one was asked for.
    """
    age = ages(database)
    return tuple(
        _with_exchanges(database, latest(board, age, every_version), tournament) for board in found
    )


def _with_exchanges(database: Database, board: Board, tournament: int | None) -> Board:
    if tournament is None:
        sums = board_sums(database, board.game, board.ruleset)
    else:
        sums = exchange_sums(database, tournament)
    return with_exchanges(board, sums) if sums else board


def _board(summary: TournamentSummary) -> tuple[str, str]:
    return summary.game, summary.ruleset


def _check_anchors(
    anchors: Mapping[str, float | None], boards: Iterable[Sequence[StoredTournament]]
) -> None:
    """Raises ``UnknownName`` for an anchor that is on no board, ``BadInput`` for a wrong rating."""
    players = {entry.participant for board in boards for stored in board for entry in stored.field}
    for name, value in anchors.items():
        check_anchor(name, value)
        if not any(_is_named(player, name) for player in players):
            raise UnknownName("bot on a leaderboard", name, sorted({each.name for each in players}))


def _is_named(player: Participant, name: str) -> bool:
    return name in (player.name, f"{player.name}@{player.version}")


def _anchors(
    players: Sequence[Participant], anchors: Mapping[str, float | None]
) -> dict[int, float | None]:
    """The given ratings by player.

    Raises:
        BadInput: Several versions have the name of an anchor.
    """
    found: dict[int, float | None] = {}
    for name, value in anchors.items():
        named = [index for index, each in enumerate(players) if _is_named(each, name)]
        if len(named) > 1:
            versions = ", ".join(
                f"{each.name}@{each.version}" for each in map(players.__getitem__, named)
            )
            raise BadInput(f"anchor {name}: several versions have played: {versions}")
        found.update(dict.fromkeys(named, value))
    return found


class _Tally(msgspec.Struct):
    games: int = 0
    deals: int = 0
    firsts: int = 0
    score: float = 0.0
    seats: set[int] = msgspec.field(default_factory=set)
    duels: Counter[float] = msgspec.field(default_factory=Counter)

    def add(self, scores: Sequence[float], times: int) -> None:
        """Counts equal matches by the points taken from each opponent."""
        self.games += times
        self.firsts += times * (min(scores) == 1)
        self.score += times * sum(scores) / len(scores)
        self.seats.add(len(scores) + 1)
        for score in scores:
            self.duels[score] += times


def _board_of(database: Database, board: Sequence[StoredTournament], asked: Asked) -> Board:
    system, number = asked.system, sum(stored.summary.matches for stored in board)
    reads = system.by_order or any(map(reads_matches, board))
    whole = asked.tournament is None and not asked.anchors
    reads = reads and asked.worth_of(board[0].summary) is None
    if not (reads and whole and number >= LARGE and system.version):
        return computed(database, board, asked)
    key, found = _board(board[0].summary), basis(board, system)
    kept = kept_rows(database, *key, found)
    with suppress(msgspec.DecodeError):  # bytes that another program wrote
        if kept is not None:
            return msgspec.msgpack.decode(kept, type=described(Board))
    made = computed(database, board, asked)
    with suppress(BadStore):  # a file that can only be read
        keep_rows(database, *key, found, msgspec.msgpack.encode(made))
    return made


def computed(database: Database, board: Sequence[StoredTournament], asked: Asked) -> Board:
    """Returns the board of tournaments of one game and ruleset, from what is stored of them."""
    players = _played(board)
    index_of = {player: index for index, player in enumerate(players)}
    # Entries that have not played yet are no players; no match speaks of them.
    played = [
        (stored, [index_of.get(entry.participant, -1) for entry in stored.field])
        for stored in board
    ]
    counted = _counted(database, played)
    game, ruleset = _board(board[0].summary)
    unit, _ = asked.worth_of(board[0].summary) or ("", None)
    results = Results(
        names=shown_names(players),
        counted=counted,
        in_order=lambda: [_units(database, *each) for each in played],
        # The seed comes from facts that are public while a tournament is running.
        seed=derive_seed(0, "bootstrap", game, ruleset),
        anchors={} if unit else _anchors(players, asked.anchors),
        worths=_worths(database, played, asked) if unit else (),
    )
    rated = asked.system.rate(results)
    tallies, money = _tallies(counted, len(players)), _credits(database, played)
    levels = _levels(played)
    rows = [
        msgspec.structs.replace(
            _row(board[0].summary, unit, *each),
            credits=money.get(index),
            isolation=tuple(sorted(levels.get(index, ()))),
        )
        for index, each in enumerate(zip(players, rated.ratings, tallies, strict=True))
    ]
    # Players are sorted by key, and so are those with equal ratings.
    order = sorted(range(len(rows)), key=lambda index: (rows[index].component, -rows[index].rating))
    covariance = rated.covariance and part(rated.covariance, order)
    ranked = placed([rows[index] for index in order], covariance)
    return Board(
        game=game,
        ruleset=ruleset,
        unit=unit,
        rows=tuple(ranked),
        covariance=covariance,
        notes=(*rated.notes, *_remarks(results, rated, asked.system)),
    )


def _remarks(results: Results, rated: Rated, system: RatingSystem) -> list[str]:
    found = [] if rated.seat_effect is None else [seat_remark(*rated.seat_effect)]
    if system.by_order or results.worths:
        return found
    return [*found, *incomplete_remarks(results.names, incomplete(results.counted))]


def _row(
    about: TournamentSummary, unit: str, player: Participant, rating: Rating, tally: _Tally
) -> LeaderboardRow:
    digits = 4 if unit else 2
    return LeaderboardRow(
        game=about.game,
        ruleset=about.ruleset,
        rank=0,
        participant=player,
        unit=unit,
        rating=round(rating.value, digits),
        low=round(rating.low, digits),
        high=round(rating.high, digits),
        error=None if rating.error is None else round(rating.error, digits),
        component=rating.component,
        flags=rating.flags,
        games=tally.games,
        deals=tally.deals,
        seats=tuple(sorted(tally.seats)),
        score=round(tally.score, 2),
        firsts=tally.firsts,
        won=tally.duels[1.0],
        drawn=tally.duels[0.5],
        lost=tally.duels[0.0],
        credits=None,
    )


def _played(board: Iterable[StoredTournament]) -> list[Participant]:
    found = {
        stored.field[seat].participant
        for stored in board
        for sums in stored.sums.values()
        for ending in sums.endings
        for seat in ending.seats
    }
    return sorted(found, key=lambda player: player.key)


def reads_matches(stored: StoredTournament) -> bool:
    """Returns whether all matches of a tournament are read for its board: its sums do not do."""
    return needs_matches(stored.sums.values(), stored.summary.mirrored)


_Played: TypeAlias = Sequence[tuple[StoredTournament, Sequence[int]]]
"""Tournaments, each with the player of each entry."""


def _counted(database: Database, played: _Played) -> Counter[Unit]:
    found: Counter[Unit] = Counter()
    for stored, indices in played:
        if reads_matches(stored):
            found.update(_units(database, stored, indices))
        else:
            mirrored = stored.summary.mirrored
            found.update(counted_units(stored.sums.values(), mirrored, indices))
    return found


def _units(database: Database, stored: StoredTournament, indices: Sequence[int]) -> list[Unit]:
    summary, boards = stored.summary, stored.sums
    matches = match_rows(database, summary.id)
    counted = (each for each in matches if (each.key.round, each.key.pairing) in boards)
    return units(counted, summary.mirrored, indices)


def _worths(database: Database, played: _Played, asked: Asked) -> list[Worths]:
    found: list[Worths] = []
    for stored, indices in played:
        worth = asked.worth_of(stored.summary)
        if worth is None:
            continue
        matches = match_rows(database, stored.summary.id)
        for _, legs in groupby(matches, key=unit_key(stored.summary.mirrored)):
            found.append(
                [(tuple([indices[seat] for seat in leg.seats]), worth[1](leg)) for leg in legs]
            )
    return found


def _tallies(counted: Mapping[Unit, int], players: int) -> list[_Tally]:
    tallies = [_Tally() for _ in range(players)]
    for unit, times in counted.items():
        for player in unit[0].players:
            tallies[player].deals += times
        for match in unit:
            for player, scores in zip(match.players, match.taken, strict=True):
                tallies[player].add(scores, times)
    return tallies


def _credits(database: Database, played: _Played) -> dict[int, int]:
    found: Counter[int] = Counter()
    for stored, indices in played:
        about = stored.summary
        if about.stake:
            matches = match_rows(database, about.id)
            held = purses(matches, len(indices), about.purse, about.stake)
            for index, amount in zip(indices, held, strict=True):
                found[index] += amount - about.purse
    return dict(found)


def _levels(played: _Played) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for stored, indices in played:
        for seats, isolation in {(each.seats, each.isolation) for _, each in stored.endings}:
            levels = isolation.split(",")
            if len(levels) == 1:
                levels *= len(seats)
            for entrant, level in zip(seats, levels, strict=True):
                found.setdefault(indices[entrant], set()).add(level)
    return found
