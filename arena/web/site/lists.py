"""Lists of pages: sorted, filtered and cut into pages by their address, without a script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from arena.core.errors import BadInput, UnknownName
from arena.core.table import Column, Row, spaced
from arena.core.table import Table as Listed
from arena.pages.drawing import Drawing
from arena.pages.page import Link
from arena.pages.tables import Head, Table

PAGE_SIZE = 50
"""Rows of one page of a list."""
FEW_ROWS = 12
"""Rows up to which a list needs no search."""
MAX_SEARCH_LENGTH = 100
"""Characters that are looked for."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The address of a page within the site.

    Attributes:
        prefix: The path prefix of the site.
        path: The path below it.
        words: The variable parts of the path.
        query: The parameters after the question mark.
    """

    prefix: str
    path: str
    words: Mapping[str, str] = {}
    query: Mapping[str, str] = {}

    def to(self, *parts: str | int, **query: str) -> str:
        """Returns the address of another page of the site: ``to("t", 3)`` is ``/t/3``."""
        path = "/".join(quote(str(part), safe="@(),=") for part in parts)
        return f"{self.prefix}/{path}" + (f"?{urlencode(query)}" if query else "")

    def again(self, **changes: str | None) -> str:
        """Returns the address of this page with another query; ``None`` takes a key out."""
        query = {
            key: value for key, value in {**self.query, **changes}.items() if value is not None
        }
        return (
            self.prefix
            + quote(self.path, safe="/@(),=")
            + (f"?{urlencode(query)}" if query else "")
        )

    def address(self, column: Column, row: Row) -> str:
        """Returns the address of what a column names in a row of a list; empty for none."""
        match column.names:
            case "bot":
                return self.to("b", row[column.key])
            case "version":
                return self.to("b", f"{row['name']}@{row['version']}")
            case "leaderboard" if row.get("season"):
                return self.to("league")
            case "leaderboard":
                return self.to("g", row["game"], row["ruleset"])
            case "match":
                query = {key: str(row[key]) for key in ("view", "move") if row.get(key)}
                return self.to("m", row["match"], **query)
            case "place":
                return self.to("t", self.words["id"], "why", row[column.key])
            case "submission":
                return self.to("s", row["id"])
            case "tournament":
                return self.to("t", row["id"])
        return ""

    @property
    def live(self) -> str:
        """The address of this page's stream of events."""
        own = self.again()
        return f"{self.prefix}/live{own.removeprefix(self.prefix)}"


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a list, with the links to the others.

    Attributes:
        anchor: Its place on the page; empty if it is the only one.
        action: Address of the search.
        searched: Parameter of the search.
        search: The searched text.
        unsearched: Address of the list without a search.
        kept: Keys and values of the address that a search keeps.
        pages: Links to the other pages, if there are any.
        count: Number of rows, in words.
        searchable: Whether there is enough to search in.
    """

    table: Table
    anchor: str
    action: str
    searched: str
    search: str
    unsearched: str
    kept: tuple[tuple[str, str], ...]
    pages: tuple[Link, ...]
    count: str
    searchable: bool


def listing(
    table: Listed, place: Place, *, things: str, name: str = "", least: float = 0
) -> Listing:
    """Returns the part of a table that an address asks for: ``?sort=-games&page=2&q=name``.

    Args:
        table: Its rows are a list, in the usual order; columns with keys of theirs can be sorted.
        things: What rows are, in the plural.
        name: Differs from list to list of a page: the parameters are ``NAME-sort`` and so on.
        least: The span of an axis on which estimates are drawn, at least.

    Raises:
        BadInput: The column or page does not exist.
    """
    sort_key, page_key, search_key = parameters(name)
    search = place.query.get(search_key, "").strip()[:MAX_SEARCH_LENGTH]
    rows, drawing = [*table.rows], Drawing(table, place.address, least)
    found = [row for row in rows if _matches(row, search.casefold())]
    by = place.query.get(sort_key, "")
    keys = set[str]().union(*rows)
    sortable = [head.key for head in drawing.heads if head.key in keys]
    if by and by.removeprefix("-") not in sortable and rows:
        raise UnknownName("column", by.removeprefix("-"), sortable)
    if by and rows:
        found = _sorted(found, by.removeprefix("-"), descending=by.startswith("-"))
    last = max(1, -(-len(found) // PAGE_SIZE))
    page = _page(place.query.get(page_key, "1"), last)
    shown = [*map(drawing.cells, found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE])]
    heads = [
        _head(head, by, place, name) if head.key in sortable else head for head in drawing.heads
    ]
    of = "" if len(found) == len(rows) else f" of {len(rows):,}"
    return Listing(
        table=Table(caption=table.title, columns=tuple(heads), rows=shown, kind="list"),
        anchor=name,
        action=place.again().partition("?")[0] + _fragment(name),
        searched=search_key,
        search=search,
        unsearched=place.again(**{search_key: None, page_key: None}) + _fragment(name),
        kept=tuple([each for each in place.query.items() if each[0] not in (page_key, search_key)]),
        pages=_pages(page, last, place, name),
        count=f"{len(found):,}{of} {things}",
        searchable=len(rows) > FEW_ROWS or bool(search),
    )


def parameters(name: str = "") -> tuple[str, str, str]:
    """Returns the parameters of a list of that name, by which it is sorted, cut and searched."""
    lead = f"{name}-" if name else ""
    return f"{lead}sort", f"{lead}page", f"{lead}q"


def _fragment(name: str) -> str:
    return f"#{name}" if name else ""


def _matches(row: Row, search: str) -> bool:
    texts = (spaced(each) for each in row.values() if isinstance(each, str | list | tuple))
    return not search or any(search in text.casefold() for text in texts)


def _sorted(rows: Sequence[Row], key: str, *, descending: bool) -> list[Row]:
    """Returns the rows by the values of a key; those without one come last."""
    known = [row for row in rows if row.get(key) is not None]
    known.sort(key=lambda row: _comparable(row[key]), reverse=descending)
    return [*known, *(row for row in rows if row.get(key) is None)]


def _comparable(value: Any) -> Any:  # noqa: ANN401
    """Returns the values by which strings are ordered: their words, and their numbers as
    numbers.
    """
    if not isinstance(value, str):
        return value
    return [int(each) if each.isdecimal() else each for each in _NUMBERS.split(value.casefold())]


_NUMBERS = re.compile("([0-9]+)")


def _head(head: Head, by: str, place: Place, name: str) -> Head:
    """Returns a column whose title sorts by it: first as most want it, then the other way."""
    key = head.key
    first, other = (f"-{key}", key) if head.right else (key, f"-{key}")
    order = "descending" if by == f"-{key}" else "ascending"
    sort_key, page_key, _ = parameters(name)
    changed = {sort_key: other if by == first else first, page_key: None}
    return msgspec.structs.replace(
        head,
        address=place.again(**changed) + _fragment(name),
        order=order if by.removeprefix("-") == key else "",
    )


def _page(text: str, last: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= last:
        return int(text)
    there = f"there are pages 1 to {last}" if last > 1 else "there is page 1"
    raise BadInput(f"page {text[:20]!r} of the list: {there}")


def _pages(page: int, last: int, place: Place, name: str) -> tuple[Link, ...]:
    if last == 1:
        return ()
    numbers = sorted({1, last, *range(max(1, page - 2), min(last, page + 2) + 1)})
    key = parameters(name)[1]
    return tuple(
        [
            Link(str(each), place.again(**{key: str(each)}) + _fragment(name), each == page)
            for each in numbers
        ]
    )
