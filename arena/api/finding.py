"""Finding stored matches by who played, how they ended, and how close they were."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice
from os import PathLike

from arena_results.file.database import Database

from arena.api.common.calls import address, public
from arena.service.answers.arguments import Positive
from arena.service.answers.rows import Row
from arena.service.match import listing as matches
from arena.service.storage import databases


@public
def find_matches(
    number: int | None = None,
    db: str | PathLike[str] | None = None,
    *,
    bot: str = "",
    against: str = "",
    won: bool = False,
    drawn: bool = False,
    lost: bool = False,
    cause: str = "",
    round: int | None = None,
    closest: Positive | None = None,
    limit: int | None = None,
) -> Iterator[Row]:
    """Finds matches, each with the command that replays it; they are read as they are taken.

    Args:
        number: Number of the tournament; all of them by default.
        db: The database, as for ``open_database``, or an open one.
        bot: Who played, as in the standings, also with ``@VERSION``; ``*`` stands for anything.
        against: Its opponent.
        won: Only those that the bot won (at tables: alone on top).
        drawn: Only drawn ones.
        lost: Only those that the bot lost.
        cause: How it ended, such as ``"crash"``; with ``lost`` the bot's own fault.
        round: Only this round.
        closest: Only that many: those with the smallest margins between the two best scores, of
            equals those with the most decisions; only matches without faults.
        limit: At most that many.

    Raises:
        UnknownName: There is no such tournament, bot or cause.
        BadInput: There is no such round, or it takes a bot.
    """
    wanted = matches.Wanted(
        tournament=number,
        bot=bot,
        against=against,
        result=matches.one_result(won=won, drawn=drawn, lost=lost),
        cause=cause,
        round=round,
        closest=closest,
    )
    database = databases.open_database(address(db), create=False)
    try:
        rows = matches.find_matches(database, wanted)[1]
    except BaseException:
        database.close()
        raise
    return _until_closed(database, rows, limit)


def _until_closed(database: Database, rows: Generator[Row], most: int | None) -> Iterator[Row]:
    with closing(database), closing(rows):
        yield from islice(rows, most)
