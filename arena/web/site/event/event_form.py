"""The form of a draft: a field for each key of a tournament file, and the typed keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, get_args, get_origin

import msgspec
from arena_results.bots.submissions import SubmissionStatus, submissions
from arena_results.file.database import Database
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import ArenaError, BadSpec
from arena.core.options import Row, Rows, checked, rows_of
from arena.plugins.registry import Registry

MAIN = ("name", "game", "ruleset", "format", "games", "rounds")
"""Keys with fields that are always open."""
GROUPS = ("Field", "Format", "Length", "Limits")
"""Groups of keys that a draft has fields for; of the others only ``MORE``."""
MORE = ("name", "mirrored")
HIDDEN = ("bots", "bots_from", "executor")
"""Keys that a draft has no fields for: bots are chosen, and files of the server are not named."""
_HEADS = ("@", "(", " with ")
_SPEC = rows_of(TournamentSpec)


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the form.

    Attributes:
        kind: ``text``, ``number``, ``lines``, ``check`` or ``choice``.
        value: Its text; of a check ``on`` or nothing.
        hint: The default, where nothing is typed.
    """

    key: str
    label: str
    help: str
    kind: str
    value: str
    hint: str = ""
    choices: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that can be chosen.

    Attributes:
        value: Its name as typed.
        about: A summary, or the author.
    """

    value: str
    about: str
    chosen: bool = False


class DraftForm:
    """The form of a draft with these keys, and the options of its format.

    Attributes:
        main: The fields that are always open.
        own: The fields of its format.
        more: The others.
        house: The built-in bots of its game.
        sent: The bots that were submitted for it.
        typed: Bots that are not among the choices, a line each.
    """

    def __init__(
        self, registry: Registry, database: Database, keys: Mapping[str, object],
        entered: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self._registry, self.keys = registry, keys
        self.game = str(keys.get("game") or _SPEC["game"].default)
        rows = {key: row for key, row in _SPEC.items() if _is_offered(key, row)}
        shown = {key: rows.pop(key) for key in MAIN if key in rows}
        self.main = [self._field(key, row) for key, row in shown.items()]
        self.own = [self._field(key, row) for key, row in self.options().items()]
        self.more = [self._field(key, row) for key, row in rows.items()]
        given = keys.get("bots", [*entered])
        chosen = [str(each) for each in given] if isinstance(given, list | tuple) else []
        sent, house = bot_choices(registry, database, self.game)
        self.sent, self.house = (
            [msgspec.structs.replace(each, chosen=each.value in chosen) for each in part]
            for part in (sent, house)
        )
        known = {each.value for each in (*sent, *house)}
        self.typed = "\n".join(each for each in chosen if each not in known)

    @property
    def format(self) -> str:
        """The name of its format."""
        return str(self.keys.get("format") or _SPEC["format"].default)

    @property
    def own_given(self) -> bool:
        """True if the draft has an option of its format."""
        return any(each.key in self.keys for each in self.own)

    def options(self) -> Rows:
        """Returns the options of its format, without the keys of every tournament."""
        with suppress(ArenaError):
            found = self._registry.format(self.format).options()
            return {key: row for key, row in found.items() if key not in _SPEC}
        return {}

    def _field(self, key: str, row: Row) -> Field:
        choices = self._choices(key, row)
        kind = "choice" if choices else _kind(row)
        value = self.keys.get(key, row.default if kind == "check" else None)
        label = key.replace("_", " ")
        return Field(
            key=key, label=label, help=row.option.help, kind=kind, value=_text(value, kind, row),
            hint=row.default_text if kind != "check" else "", choices=choices,
        )  # fmt: skip

    def _choices(self, key: str, row: Row) -> tuple[str, ...]:
        if key == "game":
            return tuple([each.name for each in self._registry.games()])
        if key == "format":
            return tuple([each.name for each in self._registry.formats()])
        if key == "ruleset" and "(" not in str(self.keys.get("ruleset", "")):
            with suppress(ArenaError):
                return ("", *self._registry.rated_game(self.game).rulesets)
        for part in (row.takes, *get_args(row.takes)):
            if get_origin(part) is Literal:
                values = tuple(map(str, get_args(part)))
                return values if row.default in values else ("", *values)
        return ()


def typed_keys(
    form: Mapping[str, str], bots: Sequence[str], before: Mapping[str, object], rows: Rows
) -> dict[str, object]:
    """Returns the keys of a draft after its form was sent; keys that were not sent stay.

    Args:
        form: The fields by key.
        bots: The bots that were chosen or typed.
        before: The keys of the draft.
        rows: The options of its format as the form showed them.
    """
    offered = {key: row for key, row in _SPEC.items() if _is_offered(key, row)} | dict(rows)
    sent = {key: row for key, row in offered.items() if key in form}
    kept = {key: value for key, value in before.items() if key not in sent and key != "bots"}
    found: dict[str, object] = {}
    for key, row in sent.items():
        value = _value(form[key], _kind(row), row)
        if value not in ("", [], None) and value != row.default:
            found[key] = value
    return {**found, **kept, "bots": [*dict.fromkeys(bots)]}


def check_typed(
    registry: Registry, database: Database, keys: Mapping[str, object],
    before: Mapping[str, object], rows: Rows,
) -> None:  # fmt: skip
    """Checks the keys that were typed into a form.

    Args:
        before: The keys of the draft. Its bots need no check.
        rows: As for ``typed_keys``.

    Raises:
        BadSpec: With every problem.
    """
    problems: list[str] = []
    checked({key: value for key, value in keys.items() if key in rows}, problems, rows)
    checked({key: value for key, value in keys.items() if key in _SPEC}, problems, _SPEC)
    old, bots = before.get("bots"), keys["bots"]
    known = [*old] if isinstance(old, list) else []
    names = {each.name for each in registry.bots()} | {each.name for each in submissions(database)}
    problems.extend(
        f"bots: {bot!r} is neither a built-in nor a submitted bot"
        for bot in (bots if isinstance(bots, list) else ())
        if bot not in known and _name_of(bot) not in names
    )
    if problems:
        raise BadSpec("", problems)


def bot_choices(
    registry: Registry, database: Database, game: str
) -> tuple[list[Choice], list[Choice]]:
    """Returns the bots of a game that can be entered: submitted and built-in."""
    sent = [
        Choice(value=each.spelling, about=f"by {each.author}" if each.author else "")
        for each in submissions(database)
        if each.status is SubmissionStatus.ENABLED and game in each.games
    ]
    house = [
        Choice(value=each.name, about=each.summary)
        for each in registry.bots()
        if each.is_opponent(game)
    ]
    return sent, house


def _is_offered(key: str, row: Row) -> bool:
    grouped = row.option.group in GROUPS or key in MORE
    return grouped and key not in HIDDEN and not row.option.file_only


def _name_of(bot: str) -> str:
    return min((bot.partition(head)[0] for head in _HEADS), key=len).strip()


def _kind(row: Row) -> str:
    kinds = {bool: "check", int: "number", float: "number", list: "lines"}
    return kinds.get(row.plain, "text")


def _text(value: object, kind: str, row: Row) -> str:
    if kind == "check":
        return "on" if value else ""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ("," if row.option.commas else "\n").join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _value(typed: str, kind: str, row: Row) -> object:
    typed = typed.strip()
    if kind == "check":
        return bool(typed)
    if kind == "lines":
        return [line.strip() for line in typed.splitlines() if line.strip()]
    if kind == "number" and typed:
        for number in (int, float) if row.plain is float else (int,):
            with suppress(ValueError):
                return number(typed)
    return typed
