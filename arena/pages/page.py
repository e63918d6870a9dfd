"""The values around the content of a page: title, navigation, style sheets, scripts, policy."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

import msgspec

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect x='3' y='5' width='17' height='24' rx='3' fill='%23a9420f'/%3E"
    "%3Crect x='12' y='3' width='17' height='24' rx='3' fill='%23fff' stroke='%23a9420f' "
    "stroke-width='2'/%3E%3Cpath d='M20.5 9v12M14.5 15h12' stroke='%23a9420f' stroke-width='3'/%3E"
    "%3C/svg%3E"
)
"""The picture of a page's tab: two cards."""


class Link(msgspec.Struct, frozen=True):
    """A text that leads to an address.

    Attributes:
        address: Empty for the page itself, in a trail.
        current: Whether it leads to the page on which it stands.
    """

    text: str
    address: str = ""
    current: bool = False


class Fact(msgspec.Struct, frozen=True):
    """One of the facts at the head of a page.

    Attributes:
        hint: What the name stands for, in full.
        wide: Whether it has a line of its own.
    """

    name: str
    value: str | Link
    hint: str = ""
    wide: bool = False


class Asset(msgspec.Struct, frozen=True, kw_only=True):
    """A style sheet or a script: at an address, or else within the page as ``text``.

    Attributes:
        deferred: Whether a script at an address runs after the page is read.
    """

    address: str = ""
    text: str = ""
    deferred: bool = False


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of a page but its content.

    Attributes:
        title: Its subject, for the window and for links to it.
        description: One sentence, which is shown where a link to it is posted (Open Graph).
        site: Name of the site or report.
        home: Address of its first page; empty without one.
        links: The pages that every page leads to.
        action: What to do first, at the end of the header; ``None`` for nothing.
        style: Classes of its content.
        trail: The pages above this one, the highest first, and last itself without an address.
        policy: Its Content-Security-Policy; empty where a server sends it.
        footer: One line of text.
        below: Further links, below that.
    """

    title: str
    description: str = ""
    site: str = "Arena"
    home: str = ""
    links: tuple[Link, ...] = ()
    action: Link | None = None
    style: str = ""
    trail: tuple[Link, ...] = ()
    styles: tuple[Asset, ...] = ()
    scripts: tuple[Asset, ...] = ()
    policy: str = ""
    below: tuple[Link, ...] = ()
    footer: str = "Arena, a tournament harness for bots that play card games"


def file_policy(styles: Iterable[Asset], scripts: Iterable[Asset]) -> str:
    """Returns the Content-Security-Policy of a page that is opened from a file.

    It allows these style sheets and scripts, pictures within the page, and nothing else.
    """
    kinds = {"style-src": styles, "script-src": scripts}
    allowed = [f"{kind} {_sources(assets)}" for kind, assets in kinds.items()]
    return "; ".join(
        ["default-src 'none'", *allowed, "img-src data:", "base-uri 'none'", "form-action 'none'"]
    )


def _sources(assets: Iterable[Asset]) -> str:
    """The sources of a directive: ``'self'`` for files, hashes of strings in the page."""
    found = ["'self'" if each.address else _hash(each.text) for each in assets]
    return " ".join(dict.fromkeys(found)) or "'none'"


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
