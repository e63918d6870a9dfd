"""The lists of a database of results: tournaments, leaderboards, decisions."""

from __future__ import annotations

from collections.abc import Mapping

from arena_results.boards.leaderboard import Asked
from arena_results.file.database import Database
from arena_results.store.queries import tournaments

from arena.api.common.calls import plugins, public, warn
from arena.api.common.shown import Rows
from arena.core.errors import BadInput
from arena.core.table import Table
from arena.plugins.registry import Registry
from arena.service.answers.rows import Row, rows_of
from arena.service.boards.rows import leaderboards, pair_table
from arena.service.boards.table import board_row, board_table
from arena.service.match.analysis import MISTAKE
from arena.service.match.decisions import MATCHES, decision_table
from arena.service.match.listing import Wanted
from arena.service.report.filed.tournament_rows import TOURNAMENTS, summary_row


class Lists:
    """The lists of a database as records; notebooks show them as tables."""

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database, self._registry = database, registry

    def tournaments(self) -> list[Row]:
        """Every tournament, the oldest first."""
        rows = rows_of(map(summary_row, tournaments(self._database)))
        return Rows(Table(title="Tournaments", columns=TOURNAMENTS, rows=rows), rows)

    @public
    def leaderboard(
        self,
        game: str | None = None,
        ruleset: str | None = None,
        *,
        tournament: int | None = None,
        rating: str = "joint",
        anchor: Mapping[str, float | None] | None = None,
        all_versions: bool = False,
        pairs: bool = False,
    ) -> list[Row]:
        """The ratings with their intervals, board after board.

        Args:
            game: Only this game.
            ruleset: Only this ruleset, as tournaments are stored with it.
            tournament: Only the matches of this tournament.
            rating: Name of the rating system.
            anchor: Ratings that are given, by name or ``name@version``; 1500 is the mean of those
                that are ``None``.
            all_versions: Whether every version of a bot has a row, or the latest that has played.
            pairs: Whether the rows are of every two bots of a board instead, with the chance that
                the one is better than the other.

        Raises:
            UnknownName: No tournament in the database has that game or ruleset, or number; or an
                anchor is on no board.
            BadInput: The rating system takes no anchors, or has no such chances.
        """
        with plugins(self._registry) as registry:
            system = registry.rating_system(rating)
            asked = Asked(
                game=game,
                ruleset=ruleset,
                tournament=tournament,
                system=system,
                anchors=anchor or {},
            )
            boards = leaderboards(
                self._database, asked, all_versions=all_versions, registry=registry
            )
        if pairs:
            return Rows(pair_table(boards, system))
        rows = rows_of(board_row(row) for board in boards for row in board.rows)
        return Rows.joined([*map(board_table, boards)], rows)

    @public
    def decisions(
        self,
        number: int | None = None,
        *,
        bot: str = "",
        against: str = "",
        round: int | None = None,
        limit: int | None = MATCHES,
        mistakes: float = MISTAKE,
        learned: bool = True,
    ) -> list[Row]:
        """Returns every decision of matches as a record, with its value and the best action.

        ``value`` is the win probability of the bot after it, by all cards; ``given_away`` what the
        decision cost, by what the bot knew. Both are ``None`` where the game does not know them.

        Args:
            number: Number of the tournament; all of them by default.
            bot: Only the decisions of this bot, named as for ``arena.find_matches``.
            against: Only in matches against this one.
            round: Only this round.
            limit: At most that many matches, the first ones; a warning says if there are more.
                ``None`` for all, at some 50 ms per match of Pazaak.
            mistakes: Win probability that a ``mistake`` gives away at least.
            learned: Whether learned values may evaluate decisions, which takes seconds per match.

        Raises:
            UnknownName: There is no such tournament or bot.
            BadInput: There is no such round, or a number is not valid.
        """
        if limit is not None and limit < 1:
            raise BadInput(f"limit {limit}: expected a number from 1, or None")
        wanted = Wanted(tournament=number, bot=bot, against=against, round=round)
        with plugins(self._registry) as registry:
            table, more = decision_table(
                registry, self._database, wanted, limit, mistakes, learned=learned
            )
        if more:
            warn(f"decisions: only those of the first {limit} matches; limit=None takes all")
        return Rows(table)
