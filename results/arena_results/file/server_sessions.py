"""Opens sessions of a PostgreSQL server, and makes its errors one line."""

from __future__ import annotations

import os
import re
import socket

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.string import BytesBinaryDumper

from arena.core.errors import BadStore
from arena.core.text.printable import printable_line
from arena_results.file.addresses import password_of
from arena_results.file.holders import own_command
from arena_results.file.place import BUSY_SECONDS
from arena_results.file.server_texts import hold_every_text

CONNECT_SECONDS = 10
"""Seconds until a server that does not answer counts as unreachable."""
SILENT_SECONDS = 30
"""Seconds until a connection without any answer counts as lost, on both sides."""
MAX_NAME = 63
"""Bytes of the name by which a session is listed; the server cuts longer ones."""

_SESSION = f"""SELECT set_config('TimeZone', 'UTC', false),
set_config('lock_timeout', '{BUSY_SECONDS}s', false),
set_config('tcp_keepalives_idle', '{SILENT_SECONDS // 3}', false),
set_config('tcp_keepalives_interval', '{SILENT_SECONDS // 3}', false),
set_config('tcp_keepalives_count', '2', false),
set_config('tcp_user_timeout', '{SILENT_SECONDS}s', false)"""
"""Prepares a session: times are in UTC, and the server notices a client that is cut off."""

_ALIVE = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": SILENT_SECONDS // 3,
    "keepalives_interval": SILENT_SECONDS // 3,
    "keepalives_count": 2,
    "tcp_user_timeout": SILENT_SECONDS * 1000,
}
_LOCKED = "55P03"
"""State of a statement that waited too long for a lock."""
_NO_RIGHT = "42501"
"""State of a statement that the user has no right to."""
_NAME = re.compile(r"arena (\d+)@([^ :]*): (.*)", re.DOTALL)


def connect(url: str) -> psycopg.Connection[tuple[object, ...]]:
    """Opens a session, in which transactions are begun by statements.

    Raises:
        BadStore: The server cannot be reached, or refuses.
    """
    given = {"password": password_of(url)} if password_of(url) else {}
    keys = {**_ALIVE, "application_name": _own_name(), **conninfo_to_dict(url), **given}
    try:
        session = psycopg.connect(**keys, client_encoding="utf8", autocommit=True)  # type: ignore[arg-type]
        session.execute(_SESSION)
        # For columns of bytes, a slower one would be taken, written in Python.
        session.adapters.register_dumper(bytes, BytesBinaryDumper)
        hold_every_text(session)
    except psycopg.Error as error:
        raise BadStore(_refusal(url, str(error))) from None
    return session


def check_address(url: str) -> None:
    """Raises ``BadStore`` for an address that libpq cannot read, or that names no database."""
    try:
        keys = conninfo_to_dict(url)
    except psycopg.Error as error:
        reason = printable_line(str(error))
        raise BadStore(f"cannot read the database address {url!r}: {reason}") from None
    if not keys.get("dbname"):
        raise BadStore(f"{url!r} names no database: postgresql://USER@HOST/NAME")


def database_name(url: str) -> str:
    """Returns the name of the database of an address."""
    return str(conninfo_to_dict(url)["dbname"])


def complaint(url: str, error: BaseException | None, writers: str) -> str:
    """Returns the line for an error of a session.

    Args:
        writers: Who writes now, for a lock that was waited for in vain.
    """
    if isinstance(error, psycopg.Error):
        if error.sqlstate == _LOCKED:
            return (
                f"the database {url} is locked by {writers or 'another process'}; "
                "wait until that has ended, or stop it, and try again"
            )
        if isinstance(error, psycopg.OperationalError) and _is_loss(error.sqlstate):
            return (
                f"the connection to the database {url} was lost; "
                "what was committed is stored, and nothing else"
            )
        if error.sqlstate == _NO_RIGHT:
            return (
                f"the server of the database {url} refuses: "
                f"{printable_line(error.diag.message_primary or '')}; "
                "its operator may allow it: docs/howto/postgresql.md"
            )
        if error.diag.message_primary:
            return f"the database {url} failed: {printable_line(error.diag.message_primary)}"
    return f"the database {url} failed: {printable_line(str(error))}"


def shown(name: object, since: str = "") -> str:
    """Returns the process of a session, from the name by which that is listed."""
    if found := _NAME.fullmatch(str(name or "")):
        process, host, command = found.groups()
        return f"process {process} ({command}) on {host}{since}"
    return f"another process{since}"


def has_died(name: str) -> bool:
    """Returns whether a session of that name had a process of this machine that has died."""
    found = _NAME.fullmatch(name)
    if found is None or found[2] != _host():
        return False
    try:
        os.kill(int(found[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False  # it is another user's
    return False


def _host() -> str:
    return socket.gethostname().partition(".")[0][:20]


def _own_name() -> str:
    name = f"arena {os.getpid()}@{_host()}: {own_command()}"
    # The server replaces other characters.
    return name.encode("ascii", "replace")[:MAX_NAME].decode()


def _is_loss(state: str | None) -> bool:
    return state is None or state[:2] in ("08", "57")


def _refusal(url: str, text: str) -> str:
    """Returns the line for a session that was not opened, from libpq's text."""
    line = text.strip().splitlines()[0] if text.strip() else "no reason given"
    _, fatal, refused = line.rpartition("FATAL:")
    if fatal:
        reason = printable_line(refused.strip())
        return f"the server of the database {url} refuses: {reason}{_advice(reason)}"
    reason = printable_line(line.rpartition(" failed: ")[2])
    if "no password supplied" in reason:
        return f"the server of the database {url} refuses: {reason}{_advice(reason)}"
    return (
        f"cannot reach the database {url}: {reason}; "
        "check the address, and that its server is running"
    )


def _advice(reason: str) -> str:
    if "password" in reason:
        return "; give the password by the variable PGPASSWORD or in the file ~/.pgpass"
    if found := re.fullmatch(r'database "(.*)" does not exist', reason):
        return f"; its operator makes it by: createdb {found[1]}"
    if found := re.fullmatch(r'role "(.*)" does not exist', reason):
        return f"; name another, or its operator makes it by: createuser --pwprompt {found[1]}"
    return ""
