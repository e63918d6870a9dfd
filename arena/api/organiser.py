"""The organiser's verbs on one stored tournament."""

from __future__ import annotations

from typing import Literal

from arena_results.file.database import Database
from arena_results.store.organising import (
    MOST_WORKERS,
    delete_tournament,
    rename,
    request_pause,
    set_concurrency,
)

from arena.api.calls import public
from arena.plugins.registry import Registry
from arena.service.answers.arguments import text, whole
from arena.service.answers.defaults import HALF_POINT
from arena.service.answers.rows import Row, rows_of
from arena.service.run import rulings


class Organiser:
    """Changes one tournament, also while another process plays it; ``ResultsDatabase`` makes it.

    Every method raises ``UnknownName`` if there is no such tournament.

    Args:
        database: Where it is stored.
        number: Its number.
        registry: Knows its format, and the bots that are entered late.
    """

    def __init__(self, database: Database, number: int, registry: Registry) -> None:
        self._database, self._number, self._registry = database, number, registry

    def __repr__(self) -> str:
        return f"<Organiser of tournament {self._number}>"

    @public
    def pause(self, after: Literal["round", "match"] = "round") -> None:
        """Asks the process that plays it to pause; ``ResultsDatabase.resume`` continues.

        Args:
            after: What is finished before: the running ``"round"``, or ``"match"`` for the matches
                in progress.

        Raises:
            BadInput: It is not running.
        """
        request_pause(self._database, self._number, text("after", after))

    @public
    def set(self, *, concurrency: int) -> None:
        """Changes how many worker processes play it, at once and for the next ``resume``.

        Raises:
            BadInput: It is finished, or the number is out of bounds.
        """
        workers = whole("concurrency", concurrency, 1, MOST_WORKERS)
        set_concurrency(self._database, self._number, workers)

    @public
    def add(self, bot: str, *, missed_points: float = 0.0) -> Row:
        """Enters another bot, from the next round on; every decision is returned as a row.

        Args:
            bot: As in a tournament file.
            missed_points: What each round that it missed scores: 0 or 0.5.

        Raises:
            BadInput: The format takes no late entries, or no round is left.
            BadSpec: There is no such bot, or it does not fit the tournament.
        """
        place = self._registry, self._database, self._number
        return rows_of([rulings.add(*place, text("bot", bot), missed_points).document()])[0]

    @public
    def withdraw(self, bot: str, *, now: bool = False) -> Row:
        """Withdraws a bot from the next round on, or ``now``: it forfeits the rest of this one.

        Raises:
            BadInput: The format does not take that, it has left already, or no round is left.
        """
        place = self._registry, self._database, self._number
        return rows_of([rulings.withdraw(*place, text("bot", bot), now).document()])[0]

    @public
    def disqualify(self, bot: str, reason: str, *, void: bool = False) -> Row:
        """Disqualifies a bot at once: it forfeits what is left, and is ranked last.

        Args:
            reason: Shown in the report.
            void: Whether all of its results are annulled, for everybody; else they stand.

        Raises:
            BadInput: The format does not take that, it has left already, or there is no reason.
        """
        place = self._registry, self._database, self._number
        made = rulings.disqualify(*place, text("bot", bot), text("reason", reason), void)
        return rows_of([made.document()])[0]

    @public
    def bye(self, bot: str, *, round: int | None = None, points: float = HALF_POINT) -> Row:
        """Gives a bot a bye on request.

        Args:
            round: A round that is not paired yet; the next one by default.
            points: 0.5 or 0.

        Raises:
            BadInput: The format knows none, the round is paired, or the bot has left.
        """
        place = self._registry, self._database, self._number
        number = None if round is None else whole("round", round, 1)
        made = rulings.give_bye(*place, text("bot", bot), number, points)
        return rows_of([made.document()])[0]

    def finish(self) -> None:
        """Ends a tournament that has no end of its own, such as a league; shows its key.

        Raises:
            BadInput: Its format has an end, its last round is not finished, or it is finished.
            BadStore: Some process plays it.
        """
        rulings.finish(self._registry, self._database, self._number)

    @public
    def rename(self, name: str) -> None:
        """Gives it another name."""
        rename(self._database, self._number, text("name", name))

    def delete(self) -> None:
        """Deletes it and its matches, which ratings then no longer count.

        Raises:
            BadStore: Some process plays it.
        """
        delete_tournament(self._database, self._number)
