"""Strings as a PostgreSQL server holds them: it refuses NUL, which bots may print and raise.

In the database NUL is the character U+FDD0, which no text needs, and ``0``; that character itself
is followed by ``1``.
"""

from __future__ import annotations

from typing import TypeAlias

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.postgres import types
from psycopg.pq import Format

MARK = "\ufdd0"
_MARKED = MARK.encode()
_Session: TypeAlias = psycopg.Connection[tuple[object, ...]]


class _Text(Dumper):
    """Writes a text in a statement, where the server finds out its type."""

    def dump(self, obj: str) -> bytes:
        if "\0" in obj or MARK in obj:
            obj = obj.replace(MARK, f"{MARK}1").replace("\0", f"{MARK}0")
        return obj.encode()


class _CopiedText(_Text):
    """Writes a text among the rows of a binary COPY."""

    format, oid = Format.BINARY, types["text"].oid


class _CopiedVarchar(_CopiedText):
    oid = types["varchar"].oid


class _Loaded(Loader):
    """Reads a text."""

    def load(self, data: Buffer) -> str:
        found = bytes(data)
        text = found.decode()
        if _MARKED in found:
            text = text.replace(f"{MARK}0", "\0").replace(f"{MARK}1", MARK)
        return text


def hold_every_text(session: _Session) -> None:
    """Has a session write and read every text as it is."""
    for each in (_CopiedText, _CopiedVarchar):
        session.adapters.register_loader(each.oid, _Loaded)
        session.adapters.register_dumper(str, each)
    session.adapters.register_dumper(str, _Text)  # the last is that of statements
