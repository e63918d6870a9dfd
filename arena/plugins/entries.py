"""Describes bots for lists and for the processes that run them, as data: nothing is imported."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from arena.core.text.parsing import Value
from arena.core.text.spelled import Spelled
from arena.core.tournaments.format import Participant
from arena.plugins.endpoints.spec import Endpoint

AnsweredBy: TypeAlias = Literal["host", "process", "person", "endpoint"]
"""The place of a bot's answers: the host's process, a process of its own, a person, or an endpoint
of a language model."""

LEVELS = ("not rated yet", "very easy", "easy", "medium", "hard", "very hard")
"""Difficulties in words, by level."""


class BotEntry(msgspec.Struct, frozen=True, kw_only=True, metaclass=Spelled):
    """A bot as the list of bots shows it.

    A hook implementation gives ``name``, ``target``, ``summary`` and ``games``, and may give
    ``author``, ``level`` and ``needs``; the registry fills in the rest.

    Attributes:
        name: Name that people type.
        target: Where it is, ``"package.module:Class"``; imported only where it runs.
        summary: One line for lists.
        games: Names of the games it plays; empty when it declares none, or plays any.
        version: Version of its distribution.
        author: Who wrote it; of an installed bot what its distribution declares.
        kind: ``"house"`` when an extension registers it, ``"installed"`` when it is untrusted,
            from the entry-point group ``arena.bots``.
        level: How hard it is for a person, from 1, very easy, to 5, very hard; 0 if it does not
            say. A rating counts for more.
        needs: Arguments of its constructor that have no default. A bot with any enters only by a
            name with them, such as ``NAME(file=...)``.
    """

    name: str
    target: str
    summary: str = ""
    games: tuple[str, ...] = ()
    version: str = ""
    distribution: str = ""
    kind: Literal["house", "installed"] = "house"
    author: str = ""
    level: int = 0
    needs: tuple[str, ...] = ()

    def is_opponent(self, game: str) -> bool:
        """Returns whether it is a built-in bot that plays a game by its name alone."""
        return self.kind == "house" and game in (self.games or (game,)) and not self.needs


class BotSource(msgspec.Struct, frozen=True):
    """One entered bot: all that another process needs to make it. Packs as msgpack.

    Attributes:
        kind: ``"house"``, ``"installed"`` (an untrusted distribution), ``"file"`` (one Python
            file), ``"submitted"`` (a copy from the registry), ``"program"`` (any language),
            ``"endpoint"`` (a language model) or ``"local"`` (made by the program that plays).
        target: ``"package.module:Class"``; ``"/absolute/path/file.py:Class"`` for a file; empty
            for a program; the name of a local bot.
        parameters: Arguments of its constructor.
        participant: Who it is in tournaments: name with parameters, version, content hash.
        origin: What to name in errors, e.g. ``"distribution arena-bot-cautious 1.0"``.
        modules: Its own top-level modules and those it may use besides: the folder that holds
            each. Nothing else outside the standard library can be imported by it.
        command: The program and its arguments, with absolute paths; empty for Python bots,
            which our own runtime loads.
        folder: For a program: the folder that it may read, and where it runs.
        trusted: Whether the operator vouches for it: then it is called in process.
        loadout: What it brings to every match, in the game's notation; empty when it chooses.
        author: Who wrote it, as it declares; empty for built-in bots and where it does not say.
        distribution: Of a built-in bot or an installed one: its distribution.
        person_ns: Nanoseconds that a person has for a decision; 0 for a program. A person's time
            is not part of the match clock.
        endpoint: The parameters of an endpoint; ``None`` for all others.
        prompt: Of an endpoint: the file of its template, as its own file names it.
    """

    kind: Literal["house", "installed", "file", "submitted", "program", "endpoint", "local"]
    target: str
    parameters: dict[str, Value]
    participant: Participant
    origin: str
    modules: dict[str, str] = {}
    command: tuple[str, ...] = ()
    folder: str = ""
    trusted: bool = False
    loadout: str = ""
    author: str = ""
    person_ns: int = 0
    distribution: str = ""
    endpoint: Endpoint | None = None
    prompt: str = ""

    @property
    def answered_by(self) -> AnsweredBy:
        """The place of its answers."""
        if self.endpoint is not None:
            return "endpoint"
        if self.person_ns:
            return "person"
        return "host" if self.trusted else "process"
