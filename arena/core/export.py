"""The contract of exporters: lists of results as documents for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol, runtime_checkable

from arena.core.table import Column


class Exporter(Protocol):
    """Writes a list as one document.

    Attributes:
        name: What people type, e.g. ``"csv"``.
        summary: One line for lists.
    """

    name: str
    summary: str

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        """Writes rows as text that ends with a line's end.

        Args:
            columns: Keys of the columns, in order.
            rows: One mapping a row, with at least these keys. Values are strings, numbers, truth
                values, ``None``, or tuples, lists and mappings of them.
        """


@runtime_checkable
class Streaming(Exporter, Protocol):
    """An exporter that needs not hold all rows: lists of any length can be written by it."""

    def parts(self, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
        """Yields the parts of what ``export`` returns, as the rows are read."""


@runtime_checkable
class BinaryExporter(Exporter, Protocol):
    """An exporter whose document is not text; its ``export`` raises ``BadInput``."""

    def write(
        self, columns: Sequence[Column], rows: Iterable[Mapping[str, object]], file: BinaryIO
    ) -> None:
        """Writes the document to an open file, which stays open, as the rows are read.

        Args:
            columns: In order; each has a type.
        """
