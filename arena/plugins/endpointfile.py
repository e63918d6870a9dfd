"""Reads the file of an endpoint of a language model, which is a bot: ``NAME.toml``.

The file has no key of the endpoint. No error repeats a value that may be one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from arena.core.errors import BadPlugin, BadSpec, ParseError
from arena.core.options import Option, Row, Rows, checked, rows_of
from arena.core.text.spelled import Spelled
from arena.core.text.toml import read_toml
from arena.core.tournaments.format import Participant
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.entries import BotSource
from arena.plugins.hashing import bytes_content
from arena.plugins.submissions.submission import check_name

KIND = "endpoint"
"""The value of the key ``kind`` in such a file."""
MAX_TEMPLATE_BYTES = 100_000
"""Bytes of a template of prompts."""
_SECRET = re.compile(r"(api_?|access_?|secret_?)?(key|token)|authorization|password|sig", re.I)
"""Names of keys, and of parameters of an address, that hold a key."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
PRICES = ("price_in", "price_cached", "price_out")
"""Keys that are no part of a bot's content."""
_RESERVED = frozenset({"messages", "model", "stream", "n"})
"""Fields of a request that only Arena writes."""


_EXAMPLES = {
    "kind": KIND,
    "url": "http://127.0.0.1:8080/v1/chat/completions",
    "model": "default",
    "key_env": "OPENAI_API_KEY",
    "temperature": 0.0,
    "max_tokens": 500,
    "prompt": "prompt.jinja",
    "price_in": 0.25,
    "price_cached": 0.025,
    "price_out": 2.0,
    "proxy": "http://proxy.example.org:3128",
    "loadout": "",
}
"""Values of a new file for keys without a default."""


class EndpointBot(Endpoint, frozen=True, metaclass=Spelled):
    """A bot that is an endpoint of a language model, as a program makes it.

    Its other arguments are the keys of an [endpoint file](../reference/endpoint-file.md), with the
    text of the template as ``template`` in place of ``prompt``.

    Attributes:
        name: Its name in tournaments, by the rule for submitted bots.
        version: Its version; ratings belong to name, version and content.
        author: Its author; at tables of 3-6 seats bots of one author are separated.

    Raises:
        BadSpec: An argument is wrong; the error names each one.
    """

    name: str
    version: Annotated[
        str, Option("Version of the bot; ratings belong to name, version and content.", longest=64)
    ] = "1"
    author: Annotated[
        str, Option("Author of the bot; at larger tables bots of one author are separated.", "none")
    ] = ""

    def __post_init__(self) -> None:
        given = {key: getattr(self, key) for key in FILE_ROWS if key in self.__struct_fields__}
        set_ones = {key: value for key, value in given.items() if value != FILE_ROWS[key].default}
        problems = _wrong(set_ones)
        if problems:
            raise BadSpec(f"endpoint {self.name}", problems)
        check_name(self.name, self.version)

    def source(self, origin: str) -> BotSource:
        """Returns the bot as tournaments take it.

        Args:
            origin: What to name in errors.
        """
        fields = Endpoint.__struct_fields__
        endpoint = Endpoint(**{field: getattr(self, field) for field in fields})
        return BotSource(
            "endpoint",
            "",
            {},
            Participant(self.name, self.version, content_of(endpoint)),
            origin,
            loadout=endpoint.loadout,
            author=self.author,
            endpoint=endpoint,
        )


_OWN_ROWS: Rows = {
    "kind": Row(str, Option(f'Always `"{KIND}"`.'), msgspec.NODEFAULT),
    "prompt": Row(
        str,
        Option(
            "File of a template of prompts, in this folder. Its text is part of the bot.",
            "the default template",
            longest=1000,
        ),
        "",
    ),
}
FILE_ROWS: Rows = {**_OWN_ROWS, **rows_of(Endpoint), **rows_of(EndpointBot)}
"""The keys of an endpoint file."""


def read_endpoint_file(typed: str) -> BotSource:
    """Reads the file of an endpoint, and the template that it names; nothing is asked.

    Args:
        typed: Its path as the user wrote it.

    Raises:
        BadInput: A file cannot be read, or a key is wrong; the error names each one.
    """
    if not typed.isprintable():
        raise BadPlugin(f"endpoint file {typed!r} has a name that cannot be shown; rename it")
    path, where = Path(typed), f"endpoint file {typed}"
    keys = _table(where, path)
    if keys.get("kind") != KIND:
        raise BadSpec(
            where, [f'kind: expected kind = "{KIND}", for an endpoint of a language model']
        )
    problems = _wrong(keys)
    if not problems and "prompt" in keys:
        keys["template"] = _template(where, path.parent, keys["prompt"])
    if problems:
        raise BadSpec(where, problems)
    check_name(path.stem, "1", f"{where}: ", "; rename the file")
    values = {key: value for key, value in keys.items() if key not in _OWN_ROWS}
    source = EndpointBot(name=path.stem, **values).source(f"file {typed}")
    return msgspec.structs.replace(source, prompt=keys.get("prompt", ""))


def content_of(endpoint: Endpoint) -> str:
    """Hashes the parameters of an endpoint that differ from their defaults.

    Prices are left out: they change nothing of how it plays, and a wrong one can be corrected.
    """
    given = {
        field.name: getattr(endpoint, field.name)
        for field in msgspec.structs.fields(Endpoint)
        if field.name not in PRICES
        and getattr(endpoint, field.name) != field.default
        and (field.name != "extra" or endpoint.extra)
    }
    return bytes_content(msgspec.json.encode(given, order="deterministic"))


def _table(where: str, path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_bytes())
    except OSError as error:
        raise BadPlugin(
            f"{where} cannot be read: {error.strerror}; give the path of a .toml file, "
            "or write one with: arena new bot NAME --endpoint"
        ) from None
    except ParseError as error:
        raise BadSpec(where, [str(error)]) from None


def _template(where: str, folder: Path, named: str) -> str:
    path = folder / named
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadSpec(
            where, [f"prompt: {named} is outside of the folder of the file; copy it there"]
        )
    try:
        data = path.read_bytes()
        if len(data) > MAX_TEMPLATE_BYTES:
            raise BadSpec(where, [f"prompt: {path} is longer than {MAX_TEMPLATE_BYTES} bytes"])
        text = data.decode()
    except OSError as error:
        raise BadSpec(where, [f"prompt: {path} cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError:
        raise BadSpec(where, [f"prompt: {path} is no UTF-8 text"]) from None
    if not text.strip():
        raise BadSpec(where, [f"prompt: {path} is empty"])
    return text


def _wrong(keys: Mapping[str, object]) -> list[str]:
    """Returns what is wrong with the keys of a file; what may be a key is not repeated."""
    secret = [key for key in keys if key not in FILE_ROWS and _SECRET.fullmatch(key)]
    problems = [
        f"{key}: write the name of an environment variable as key_env; the key itself stands in "
        "no file"
        for key in secret
    ]
    key_env = keys.get("key_env", "X")
    if not isinstance(key_env, str) or not _VARIABLE.fullmatch(key_env):
        problems.append(
            "key_env: expected the name of an environment variable, such as OPENAI_API_KEY"
        )
    urls = [key for key in ("url", "proxy") if key in keys]
    problems += [each for key in urls for each in _wrong_address(key, keys[key])]
    if lone := _lone_price(keys):
        problems.append(lone)
    extra = keys.get("extra", {})
    problems += _wrong_extra(extra) if isinstance(extra, dict) else ["extra: expected a table"]
    said = {*secret, "key_env", "extra", *urls}
    rest = {key: value for key, value in keys.items() if key not in said}
    good = checked(rest, problems, FILE_ROWS)
    problems += [
        f"{key}: expected a number, not {value}"
        for key, value in good.items()
        if isinstance(value, float) and not isfinite(value)
    ]
    missing = [key for key in ("url", "model") if not keys.get(key)]
    problems += [f"{key}: is missing" for key in missing if key not in said or not keys.get(key)]
    return problems


def _lone_price(keys: Mapping[str, object]) -> str:
    given = [key for key in PRICES if keys.get(key) is not None]
    missing = [key for key in ("price_in", "price_out") if key not in given]
    if not given or not missing:
        return ""
    return f"{given[0]}: needs {' and '.join(missing)}, too, without which no cost is known"


def _wrong_address(key: str, url: object) -> list[str]:
    if not url:
        return []
    example = "http://127.0.0.1:8080/v1/chat/completions" if key == "url" else "http://proxy:3128"
    expected = [f"{key}: expected an address that begins with http:// or https://, e.g. {example}"]
    longest = FILE_ROWS[key].option.longest or 0
    if not isinstance(url, str) or len(url) > longest or not url.isprintable() or " " in url:
        return expected
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for a port that is none
    except ValueError:
        return expected
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return expected
    if parts.username is not None or parts.password is not None:
        return [f"{key}: has a user or a password before @; give the key by key_env"]
    if any(_SECRET.fullmatch(name.replace("-", "_")) for name, _ in parse_qsl(parts.query)):
        return [f"{key}: has a key after ?; give it by key_env"]
    return []


def _wrong_extra(extra: Mapping[str, object]) -> list[str]:
    problems = [
        f"extra: {field} is Arena's own field" for field in sorted(_RESERVED & extra.keys())
    ]
    try:
        text = msgspec.json.encode(extra)
        if msgspec.json.decode(text) != extra:  # dates, or numbers that JSON does not have
            raise ValueError
    except (TypeError, ValueError, RecursionError):
        problems.append("extra: expected values that JSON has: text, numbers, true, false, lists")
    problems += [
        f"extra: {field} would be stored; put it into a variable, and its name into key_env"
        for field in extra
        if _SECRET.fullmatch(field.replace("-", "_"))
    ]
    return problems


def file_text() -> str:
    """Returns the text of a new endpoint file: every key with its help, most as comments."""
    parts = ["# An endpoint of a language model, which is a bot."]
    for key, row in sorted(FILE_ROWS.items(), key=lambda each: each[0] == "extra"):
        value = _EXAMPLES.get(key, row.default)
        off = "" if row.default is msgspec.NODEFAULT else "# "
        default = f" Without it: {row.option.default}." if row.option.default else ""
        said = f"# {row.option.help}{default}".replace("`", "")
        line = f"{key} = {msgspec.json.encode(value).decode()}"
        # A table is the last: whatever follows would belong to it.
        parts.append(f"{said}\n{off}{'[extra]' if key == 'extra' else line}")
    return "\n\n".join([*parts, ""]).rstrip() + "\n# top_p = 0.9\n"
