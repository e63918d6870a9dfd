"""Records: rows of scalar values with the same keys in each, as pandas and polars take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
"""A value of a record."""
# Which type a value has depends on its key: a union would make every reader check for all types.
Row: TypeAlias = dict[str, Any]
"""A record of ``Scalar`` values; its keys are those of docs/reference/json.md."""
Document: TypeAlias = dict[str, Any]
"""A JSON document, as ``json.loads`` would return it; docs/reference/json.md has its keys."""


def rows_of(documents: Iterable[Mapping[str, object]]) -> list[Row]:
    """Documents of one kind as records.

    A list becomes its values with a space between, as in CSV, and a list of lists such as
    ``a | b; c | d``; a mapping becomes columns
    ``key.part``, those that a document does not have being ``None``.
    """
    flat = [_flat(document) for document in documents]
    keys = list(dict.fromkeys(key for row in flat for key in row))
    return [{key: row.get(key) for key in keys} for row in flat]


def _flat(document: Mapping[str, object]) -> Row:
    row: Row = {}
    for key, value in document.items():
        if isinstance(value, Mapping):
            row |= {f"{key}.{part}": scalar(each) for part, each in value.items()}
        else:
            row[key] = scalar(value)
    return row


def scalar(value: object) -> Scalar:
    """A value as one cell."""
    if isinstance(value, Enum):
        return str(value.value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Sequence):
        if value and all(isinstance(each, list) for each in value):
            return "; ".join(" | ".join(map(str, each)) for each in value)
        return " ".join(map(str, value))
    return str(value)
