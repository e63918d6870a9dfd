"""The content of a page before it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from arena.pages.page import Link
from arena.web.site.lists import Place


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A template with its values, and what surrounds them.

    Attributes:
        title: What the page is about.
        description: One sentence, shown where a link to it is posted.
        template: Its name in the folder ``site``.
        trail: The pages above this one, and itself.
        section: Path of the page of the navigation that it belongs to.
        matches: Number of stored matches that it shows.
        running: Whether it will soon be out of date: without a script it is loaded again.
        next: Address that is loaded instead without a script; by default its own again.
        polled: Address that the page asks for its content again, by a script or without; empty when
            it is final, or has a stream of events.
        parts: Whether parts of it ask for themselves again, as its template says.
        light: Values that its events have instead, without what a page keeps while it is open.
        styles: Style sheets of its own, besides those of every page.
        scripts: Scripts of its own.
    """

    title: str
    description: str
    template: str
    values: Mapping[str, object]
    trail: tuple[Link, ...] = ()
    section: str = ""
    matches: int = 0
    running: bool = False
    next: str = ""
    polled: str = ""
    parts: bool = False
    light: Mapping[str, object] = {}
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


def titled(name: str) -> str:
    """Returns a name with a capital letter, as it stands in titles."""
    return f"{name[:1].upper()}{name[1:]}"


def moment(time: datetime) -> str:
    """Returns a time in UTC as it is shown and sorted, to the minute."""
    return f"{time:%Y-%m-%d %H:%M}"


def trail(place: Place, *steps: tuple[str, str]) -> tuple[Link, ...]:
    """Returns the way from the first page: strings and addresses, the last one without."""
    return (Link("Arena", place.to("")), *(Link(text, address) for text, address in steps))
