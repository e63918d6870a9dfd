"""Addresses of results databases, as people write them; imports nothing that is slow to load."""

from __future__ import annotations

import json
import os
import re
import shlex
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

DEFAULT_URL = "sqlite:///arena.db"
"""The database used when nobody names one."""
SERVER = "postgresql://"
"""The begin of the addresses of databases of a server."""
KINDS = "a database is FILE, sqlite:///FILE or postgresql://USER@HOST/NAME"
"""The kinds of addresses, for messages."""
PASSWORDS = "ARENA_PASSWORDS"
"""The variable by which the processes that this one starts know the passwords of databases."""

_SERVER = re.compile(r"postgres(?:ql)?:/{0,2}(?!/)")
"""Begins the address of a server, however people write it."""
_PASSWORD = re.compile(r"([^:/]+://[^:@/?#]*):(?!\d*(?:/[^@?]*)?\?)([^?]*|[^@]*)@")
"""An address up to its host, with a password: a port and a query are none."""


def db_option(url: str) -> str:
    """Returns the option by which a suggested command finds a database; none for the default."""
    return "" if url == DEFAULT_URL else f" --db {shlex.quote(url)}"


def is_server(url: str) -> bool:
    """Returns whether an address is of a database of a server."""
    return url.startswith(SERVER)


def without_password(url: str) -> str:
    """Returns an address in its usual form without its password, which ``password_of`` returns.

    So no message, stored value or list of processes has it.
    """
    url = _SERVER.sub(SERVER, url, count=1) if _SERVER.match(url) else url
    if "://" not in url or url.startswith("sqlite"):
        return url
    password = ""
    # Before it is split: the password may hold any sign as it is, and the rest be no address.
    if found := _PASSWORD.match(url):
        password = unquote(found[2])
        url = f"{found[1]}@{url[found.end() :]}"
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that do not match
        return url
    user, at, host = parts.netloc.rpartition("@")
    query = parse_qsl(parts.query, keep_blank_values=True)
    if any(key == "password" for key, _ in query):
        password = dict(query)["password"]
        query = [(key, value) for key, value in query if key != "password"]
        parts = parts._replace(query=urlencode(query, quote_via=quote, safe="/"))
    bare = parts._replace(netloc=f"{user}{at}{host}").geturl()
    if parts.netloc == "" and not bare.startswith(f"{parts.scheme}://"):
        bare = bare.replace(":", "://", 1)  # urlsplit drops an authority that is empty
    if password:
        os.environ[PASSWORDS] = json.dumps({**_passwords(), bare: password})
    return bare


def password_of(url: str) -> str:
    """Returns the password that an address came with, to this process or its parent; or none."""
    return _passwords().get(url, "")


def _passwords() -> dict[str, str]:
    try:
        found = json.loads(os.environ.get(PASSWORDS, "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
