"""Executors as people type them: a kind with its options in brackets, as in ``NAME(key=value)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, runtime_checkable

import msgspec

from arena.core.errors import BadInput
from arena.core.options import rows_of
from arena.core.text.parsing import Value
from arena.core.tournaments.executor import Executor, ExecutorKind, PlaceReport, Work
from arena.plugins.rating_options import checked_value


@runtime_checkable
class _WithPlaces(Protocol):
    """A kind of executor that can describe its places."""

    async def places(self, options: Any) -> Sequence[PlaceReport]: ...  # noqa: ANN401 # its own type


class ChosenExecutor(msgspec.Struct, frozen=True):
    """A kind of executor with the options that were typed."""

    kind: ExecutorKind[Any]
    options: msgspec.Struct

    @property
    def name(self) -> str:
        """The name of the kind."""
        return self.kind.name

    def open(self, work: Work) -> AbstractAsyncContextManager[Executor]:
        """Opens it for one tournament; the end of the context ends its processes."""
        return self.kind.open(work, self.options)

    async def places(self) -> Sequence[PlaceReport] | None:
        """Returns what is known of its places; ``None`` where it has none of its own."""
        return await self.kind.places(self.options) if isinstance(self.kind, _WithPlaces) else None


def chosen(kind: ExecutorKind[Any], given: Mapping[str, Value]) -> ChosenExecutor:
    """Returns a kind of executor with the options that were given.

    Raises:
        BadInput: It has no such option, needs another one, or cannot take a value.
    """
    options: type[msgspec.Struct] = kind.options
    rows = rows_of(options)
    for key in given:
        if key not in rows:
            takes = ", ".join(rows) or "no options"
            raise BadInput(f"{key}: not available for executor {kind.name}, which takes {takes}")
    missing = [key for key, row in rows.items() if row.default is msgspec.NODEFAULT]
    if missing := [key for key in missing if key not in given]:
        raise BadInput(f"{kind.name} needs {missing[0]}; write {kind.name}({missing[0]}=...)")
    values = {key: checked_value(key, value, rows[key]) for key, value in given.items()}
    return ChosenExecutor(kind, options(**values))
