"""Guards objects of extensions: what goes wrong in one is a line that names its distribution."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial, wraps
from inspect import isfunction
from itertools import chain, product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec

from arena.core.described import described
from arena.core.errors import ArenaError, BadPlugin, describe
from arena.core.export import BinaryExporter, Streaming
from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import Executor, PlaceReport, Work
from arena.core.tournaments.format import (
    PAIRS,
    Bout,
    Entrant,
    Format,
    Job,
    Neighbours,
    PairingResult,
    Round,
    RoundResult,
    Scoring,
    Section,
    Tables,
)
from arena.core.tournaments.rating import Rated, RatingSystem, Results

if TYPE_CHECKING:
    import trio

_Open: TypeAlias = Callable[[Work, msgspec.Struct], AbstractAsyncContextManager[Executor]]
_Places: TypeAlias = Callable[[msgspec.Struct], Awaitable[Sequence[PlaceReport]]]

MEMBERS = {
    "exporter": "name summary export",
    "executor": "name summary options open",
    "play page": "name title game path routes",
}
"""The members of each kind of object that its contract names."""


class Guard(msgspec.Struct, frozen=True):
    """Makes failures and wrong answers of one extension's object to ``BadPlugin``.

    Attributes:
        label: The object in errors, with its distribution.
        remedy: What the user can do.
    """

    label: str
    remedy: str

    def members(self, kind: str, item: object) -> SimpleNamespace:
        """The object's members by its contract, the methods guarded."""
        found = {name: getattr(item, name) for name in MEMBERS[kind].split()}
        for name, check in _CHECKS.items():
            if name in found:
                found[name] = self.method(name, found[name], check)
        if isinstance(item, Streaming):
            found["parts"] = self._streamed(item.parts)
        if isinstance(item, BinaryExporter):
            found["write"] = self.method("write", item.write, _any)
        if kind == "executor":
            found["open"] = partial(self._opened, found["open"])
            if places := getattr(item, "places", None):
                found["places"] = partial(self._places, places)
        return SimpleNamespace(**found)

    def method(
        self, name: str, method: Callable[..., object], check: Callable[..., object]
    ) -> Callable[..., object]:
        """The same method, of which every answer is checked.

        Args:
            check: Takes the answer, then the method's arguments; returns what stands for the
                answer, or raises ``ValueError``.
        """

        @wraps(method)
        def guarded(*arguments: object, **named: object) -> object:
            try:
                answer = method(*arguments, **named)
            except (ArenaError, MemoryError):
                raise
            except Exception as error:
                raise self.failure(name, error) from error
            try:
                return check(answer, *arguments, **named)
            except Exception as error:
                raise self._wrong(name, error) from error

        return guarded

    def _streamed(self, parts: Callable[..., Iterator[str]]) -> Callable[..., Iterator[str]]:
        @wraps(parts)
        def guarded(*arguments: object) -> Iterator[str]:
            try:
                for part in parts(*arguments):
                    _check_text(part)
                    yield part
            except (ArenaError, MemoryError):
                raise
            except Exception as error:
                raise self.failure("parts", error) from error

        return guarded

    @asynccontextmanager
    async def _opened(
        self, open: _Open, work: Work, options: msgspec.Struct
    ) -> AsyncIterator[Executor]:
        failed: Exception | None = None
        try:
            async with open(work, options) as executor:
                if not hasattr(executor, "play"):
                    raise self._wrong("open", f"{_kind(executor)}, which has no play")
                try:
                    yield _GuardedExecutor(self, executor)
                except Exception as error:
                    failed = error
                    raise
        except* (ArenaError, MemoryError):
            if failed is None:
                raise
        except* Exception as group:
            if failed is None:
                raise self.failure("open", group) from group
        if failed is not None:
            raise failed

    async def _places(self, places: _Places, options: msgspec.Struct) -> Sequence[PlaceReport]:
        try:
            found = [*await places(options)]
        except* (ArenaError, MemoryError):
            raise
        except* Exception as group:
            raise self.failure("places", group) from group
        if any(not isinstance(each, PlaceReport) for each in found):
            raise self._wrong("places", "not PlaceReports")
        return found

    def failure(self, name: str, error: BaseException) -> BadPlugin:
        """The fault of a method that raised an error; of a group the first error is described."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return self._fault(f"failed in {name}: {describe(error)}")

    def _scoring(self, scoring: Scoring) -> Scoring:
        return msgspec.structs.replace(
            scoring,
            scores=self.method("scores", scoring.scores, _check_scores),
            worth=self.method("worth", scoring.worth, _check_worth),
        )

    def _wrong(self, name: str, why: object) -> BadPlugin:
        return self._fault(f"gave a wrong answer in {name}: {why}")

    def _fault(self, problem: str) -> BadPlugin:
        return BadPlugin(f"{self.label} {problem}; {self.remedy}")


_Base: TypeAlias = type[Format] | type[RatingSystem]
_LISTS = frozenset(("pairings", "reached", "sections", "bracket", "neighbours", "seatable"))
"""The methods whose answers are sequences, which may be made as they are read."""


def guarded(guard: Guard, item: Format | RatingSystem) -> Format | RatingSystem:
    """Returns a format or rating system with every method guarded, and answers checked.

    Answers of its own kind are guarded, too.
    """
    base: _Base = Format if isinstance(item, Format) else RatingSystem
    facts = {field.name: getattr(item, field.name) for field in msgspec.structs.fields(base)}
    made: Any = _KINDS[base](**facts, guard=guard, inner=item)
    assert isinstance(made, base)
    return made


def _forwarded(name: str, base: _Base) -> Callable[..., object]:
    def method(
        self: Any,  # noqa: ANN401
        *arguments: object,
        **named: object,
    ) -> object:
        guard, inner = self.guard, self.inner

        def call(*given: object, **more: object) -> object:
            found = getattr(inner, name)(*given, **more)
            return tuple(found) if name in _LISTS and found is not None else found

        def check(answer: object, *given: Any, **more: Any) -> object:  # noqa: ANN401
            if name in ("configured", "estimated_by", "forbidding"):
                _demand(isinstance(answer, base), f"{_kind(answer)}, not a {base.__name__}")
                assert isinstance(answer, Format | RatingSystem)
                return guarded(guard, answer)
            if name == "next_round" and answer is None and _may_end(inner, *given, **more):
                return None
            found = _CHECKS.get(name, _any)(answer, *given, **more)
            return guard._scoring(found) if name == "scoring" else found

        return guard.method(name, call, check)(*arguments, **named)

    return method


def _guarded_kind(base: _Base) -> type[msgspec.Struct]:
    """Returns a subclass whose methods, all those of the class, forward to the guarded object."""
    methods = [name for name, each in vars(base).items() if isfunction(each) and name[0] != "_"]
    return msgspec.defstruct(
        f"Guarded{base.__name__}",
        [("guard", Guard), ("inner", base)],
        bases=(base,),
        namespace={name: _forwarded(name, base) for name in methods},
        kw_only=True,
    )


_KINDS: Mapping[_Base, type[msgspec.Struct]] = {
    Format: _guarded_kind(Format),
    RatingSystem: _guarded_kind(RatingSystem),
}
"""The guarded subclass of each base class."""


class _GuardedExecutor:
    """Makes failures of an extension's executor to ``BadPlugin``."""

    def __init__(self, guard: Guard, executor: Executor) -> None:
        self._guard, self._executor = guard, executor

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        try:
            await self._executor.play(jobs, deliver)
        except* (ArenaError, MemoryError):
            raise
        except* Exception as group:
            raise self._guard.failure("play", group) from group


def _demand(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def _check_rounds(answer: object, *given: object, **named: object) -> object:
    return msgspec.convert(answer, Annotated[int, msgspec.Meta(ge=1)])


def _may_end(
    format: Format,
    field: Sequence[Entrant],
    played: Sequence[RoundResult],
    rounds: int,
    tables: Tables = PAIRS,
) -> bool:
    """Returns whether a format may end before its last round."""
    return format.ends_early or bool(format.ending(field, played, tables))


def _check_pairings(
    answer: tuple[object, ...], entrants: int, rounds: int, tables: Tables = PAIRS
) -> tuple[object, ...]:
    _demand(len(answer) == rounds, f"{len(answer)} numbers for {rounds} rounds")
    _demand(all(isinstance(each, int) for each in answer), f"not whole numbers: {answer}")
    return answer


def _check_reached(
    answer: tuple[object, ...] | None, entrants: int, played: object
) -> tuple[object, ...] | None:
    if answer is not None:
        _demand(len(answer) == entrants, f"{len(answer)} numbers for {entrants} entrants")
        _demand(all(isinstance(each, int | float) for each in answer), f"not numbers: {answer}")
    return answer


def _check_sections(
    answer: tuple[Section, ...], names: Sequence[str], played: object
) -> tuple[Section, ...]:
    """Checks members, and draws every table once."""
    _all_are(Section, answer)
    return tuple([_checked_section(each, len(names)) for each in answer])


def _checked_section(section: Section, entrants: int) -> Section:
    msgspec.convert((section.title, section.members), tuple[str, tuple[int, ...]])
    outside = {*section.members} - {*range(entrants)}
    _demand(not outside, f"members {outside} in a field of {entrants}, counted from 0")
    _demand(len({*section.members}) == len(section.members), "a member twice")
    _demand(bool(section.members or section.table), f"nothing in section {section.title!r}")
    if section.table is None:
        return section
    table = msgspec.structs.replace(section.table, rows=tuple(map(dict, section.table.rows)))
    keys = {column.key for column in table.written}
    missing = sorted({key for row in table.rows for key in keys - row.keys()})
    _demand(not missing, f"a row of {section.title} without {', '.join(missing)}")
    msgspec.convert(
        table.written_rows, list[dict[str, bool | int | float | str | list[object] | None]]
    )
    for columns, rows in [table.drawn()]:
        for column, row in product(columns, rows):
            column.text(row[column.key])
    return msgspec.structs.replace(section, table=table)


def _check_seatable(
    answer: tuple[object, ...], field: Sequence[object], played: object
) -> tuple[object, ...]:
    _demand({*answer} <= {*range(len(field))}, f"not indices of {len(field)} entrants: {answer}")
    return answer


def _all_are(kind: type, answer: tuple[object, ...], *given: object) -> object:
    _demand(all(isinstance(each, kind) for each in answer), f"not a {kind.__name__}")
    return answer


def _check_round(
    answer: object,
    field: Sequence[object],
    played: Sequence[object],
    rounds: int,
    tables: Tables = PAIRS,
) -> Round | None:
    """Checks the number of a round, and that its seats are within the field."""
    number, sizes = len(played) + 1, range(max(2, tables.least), tables.most + 1)
    if answer is None:
        _demand(number > rounds, f"it ended after {len(played)} of {rounds} rounds")
        return None
    _demand(isinstance(answer, Round), f"{_kind(answer)}, not a Round")
    made = msgspec.convert(msgspec.to_builtins(answer), described(Round))
    _demand(made.number == number, f"round {made.number}, where round {number} is next")
    _demand(number <= rounds, f"round {number} of {rounds}")
    for pairing in made.pairings:
        shown = f"a pairing of the entrants {pairing.seats}"
        _demand(len({*pairing.seats}) == len(pairing.seats), f"{shown}, one of them twice")
        _demand(len(pairing.seats) in sizes, f"{shown}, not of {sizes[0]} to {sizes[-1]}")
    seated = {*chain.from_iterable(pairing.seats for pairing in made.pairings)}
    entrants = sorted([*seated, *made.byes])
    outside = {*entrants} - {*range(len(field))}
    _demand(not outside, f"entrants {outside} in a field of {len(field)}, counted from 0")
    _demand(
        len({*entrants}) == len(entrants),
        f"a bye for an entrant who plays or has one already: {made.byes}",
    )
    return made


def _check_scoring(answer: object) -> Scoring:
    _demand(isinstance(answer, Scoring), f"{_kind(answer)}, not a Scoring")
    assert isinstance(answer, Scoring)
    facts = answer.name, answer.summary, answer.bye, answer.tie_breaks
    msgspec.convert(facts, tuple[str, str, _Share, tuple[str, ...]])
    return answer


def _check_scores(answer: object, result: PairingResult) -> object:
    scores = msgspec.convert(answer, tuple[float, ...])
    seats = len(result.pairing.seats)
    _demand(len(scores) == seats, f"{len(scores)} scores for {seats} seats")
    _demand(all(map(math.isfinite, scores)), f"the scores {scores}")
    return answer


def _check_worth(answer: object, result: PairingResult) -> object:
    _demand(math.isfinite(msgspec.convert(answer, float)), f"a worth of {answer}")
    return answer


def _check_ratings(answer: object, results: Results) -> Rated:
    _demand(isinstance(answer, Rated), f"{_kind(answer)}, not a Rated")
    rated, players = (
        msgspec.convert(msgspec.to_builtins(answer), described(Rated)),
        len(results.names),
    )
    _demand(len(rated.ratings) == players, f"{len(rated.ratings)} ratings for {players} players")
    for rating in rated.ratings:
        numbers = rating.value, rating.low, rating.high, rating.error or 0.0, *rating.more.values()
        _demand(all(map(math.isfinite, numbers)), f"the rating {numbers}")
    if rated.covariance is not None:
        sizes = {len(rated.covariance), *map(len, rated.covariance)}
        _demand(sizes == {players}, f"a covariance that is not {players} by {players}")
    return rated


def _any(answer: object, *given: object, **named: object) -> object:
    return answer


def _check_text(answer: object, *given: object) -> object:
    _demand(isinstance(answer, str), f"{_kind(answer)}, not a text")
    return answer


_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


def _kind(answer: object) -> str:
    return f"a {type(answer).__name__}"


_CHECKS: Mapping[str, Callable[..., object]] = {
    "rounds": _check_rounds,
    "next_round": _check_round,
    "scoring": _check_scoring,
    "ending": _check_text,
    "pairings": _check_pairings,
    "reached": _check_reached,
    "sections": _check_sections,
    "seatable": _check_seatable,
    "bracket": partial(_all_are, Bout),
    "neighbours": partial(_all_are, Neighbours),
    "rate": _check_ratings,
    "export": _check_text,
}
"""Checks of answers, by method."""
