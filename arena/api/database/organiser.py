"""The organiser's verbs on one stored tournament."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Annotated, Concatenate, Literal, ParamSpec

import msgspec
from arena_results.file.database import Database
from arena_results.store.organising import (
    MAX_WORKERS,
    delete_tournament,
    rename,
    request_pause,
    set_concurrency,
)

from arena.api.common.calls import looped, public
from arena.plugins.registry import Registry
from arena.service.answers.rows import Row, rows_of
from arena.service.answers.steps import await_steps
from arena.service.report.sums.ruling_rows import Made
from arena.service.run.changes.coming_round import pairing_lines
from arena.service.run.changes.redo_place import PlaceRedone
from arena.service.run.changes.rulings import Rulings
from arena.service.run.verbs import RunContext, redo

P = ParamSpec("P")


def _as_row(
    rule: Callable[Concatenate[Rulings, P], Made],
) -> Callable[Concatenate[Organiser, P], Row]:
    """Makes a method of ``Rulings`` one of the organiser."""

    @public
    @wraps(rule)
    def call(self: Organiser, /, *args: P.args, **keywords: P.kwargs) -> Row:
        return rows_of([rule(self._rulings, *args, **keywords).document()])[0]

    call.__dict__["__signature__"] = signature(rule).replace(return_annotation="Row")
    return call


class _Redoing(RunContext):
    """Keeps the numbers of matches that were played again."""

    row: Row

    def redone(self, redone: PlaceRedone) -> None:
        self.row = {key: getattr(redone, key) for key in ("matches", "differ", "rounds")}


class Organiser:
    """Changes one tournament, also while another process plays it; ``ResultsDatabase`` makes it.

    Every method raises ``UnknownName`` if there is no such tournament. Rulings are
    returned as rows.

    Args:
        database: Where it is stored.
        number: Its number.
        registry: Knows its format, and the bots that are entered late.
    """

    def __init__(self, database: Database, number: int, registry: Registry) -> None:
        self._database, self._number = database, number
        self._registry = registry
        self._rulings = Rulings(registry, database, number)

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
        request_pause(self._database, self._number, after)

    @public
    def set(self, *, concurrency: Annotated[int, msgspec.Meta(ge=1, le=MAX_WORKERS)]) -> None:
        """Changes how many worker processes play it, at once and for the next ``resume``.

        Raises:
            BadInput: It is finished, or the number is out of bounds.
        """
        set_concurrency(self._database, self._number, concurrency)

    add = _as_row(Rulings.add)
    withdraw = _as_row(Rulings.withdraw)
    disqualify = _as_row(Rulings.disqualify)
    bye = _as_row(Rulings.bye)
    pair = _as_row(Rulings.pair)
    swap = _as_row(Rulings.swap)
    forbid = _as_row(Rulings.forbid)
    lots = _as_row(Rulings.lots)

    @public
    def pairing(self) -> list[str]:
        """Returns the next round as it would be paired now, as ``pair`` takes it.

        Raises:
            BadInput: The round before it is not finished, or no round is left.
        """
        return pairing_lines(self._rulings.coming())

    @looped
    @public
    async def redo(self, place: str) -> Row:
        """Plays all matches of a place of an executor again, here, and replaces wrong ones.

        A tournament that was finished is finished again.

        Args:
            place: Name of the place.

        Returns:
            The numbers of matches that were played again, that differed, and of rounds that were
            paired again.

        Raises:
            BadInput: The place has played nothing of it.
            BadStore: Some process plays it.
            HarnessFault: It cannot continue; everything played is stored.
        """
        context = _Redoing(self._registry, self._database)
        await await_steps(redo(context, self._number, place))
        return context.row

    def finish(self) -> None:
        """Ends a tournament that has no end of its own, such as a league; shows its key.

        Raises:
            BadInput: Its format has an end, its last round is not finished, or it is finished.
            BadStore: Some process plays it.
        """
        self._rulings.finish()

    @public
    def rename(self, name: str) -> None:
        """Gives it another name."""
        rename(self._database, self._number, name)

    def delete(self) -> None:
        """Deletes it and its matches, which ratings then no longer count.

        Raises:
            BadStore: Some process plays it.
        """
        delete_tournament(self._database, self._number)
