"""Careers: a person against rivals of growing strength, for credits; never rated."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from arena_results.file.database import Database

from arena.api.common.calls import awaitable, blocking, plugins, public
from arena.core.bot import Bot
from arena.core.errors import BadInput
from arena.core.text.bot_names import PERSON
from arena.games.pazaak.career.purse import PURSE
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.run.person import career as careers
from arena.service.run.person.career_file import career_file, read_career


class Careers:
    """The careers whose matches a database has; ``db.career`` is one.

    Args:
        database: The database.
        registry: Knows the built-in bots.
    """

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database, self._registry = database, registry

    @public
    def new(
        self,
        file: str | PathLike[str],
        *,
        purse: int = PURSE,
        name: str = PERSON,
        ruleset: str = "",
        skill: int | None = None,
        auxiliary: bool = False,
        cheats: bool = False,
        seed: int | None = None,
    ) -> Document:
        """Begins a career, and returns what ``show`` returns of it.

        Args:
            file: Its file, which must not exist: purses, level and matches.
            purse: The person's credits at the beginning.
            name: The person's name in records.
            ruleset: The ruleset; by default ``"standard"``.
            skill: The person's chance in a roll of skill, in per cent; by default 50.
            auxiliary: Whether a roll of skill shows an auxiliary hand (rule book section 7).
            cheats: Whether the person may cheat, at a risk (section 7).
            seed: What all deals are derived from; without it each match draws a key.

        Raises:
            BadInput: One of these cannot be used, or the file exists.
        """
        begun = careers.new_career(
            Path(file),
            self._database.place.home,
            name=name,
            ruleset=careers.ruleset_with(ruleset, skill, auxiliary, cheats),
            purse=purse,
            seed=seed,
        )
        return careers.career_document(begun)

    @blocking
    @public
    def play(
        self,
        file: str | PathLike[str],
        rival: str,
        wager: int,
        person: Callable[[], Bot[Any]] | None = None,
        *,
        roll: bool = False,
    ) -> Document:
        """Plays one match for a wager; returns its result, and the purse after it.

        Args:
            file: The file of the career.
            rival: Name of the rival.
            wager: What each of both places.
            person: A class of bots for ``pazaak-career``, or a function that makes one: it plays
                seat 0. Nobody is needed where skill decides.
            roll: Whether no card is played, and rolls of skill decide (003:133-134).

        Raises:
            BadInput: The career is over, the rival is not open, or a purse is too small.
            HarnessFault: The match is void; nobody pays.
        """
        if person is None and not roll:
            raise BadInput("play: give a person, a class derived from arena.Bot, or roll=True")
        if person is not None and not callable(person):
            raise BadInput(f"play: the person is a class derived from arena.Bot, not {person!r}")
        with plugins(self._registry) as registry, career_file(Path(file)) as opened:
            career = careers.OpenCareer(opened, self._database, registry)
            _, played = career.play(rival, wager, person() if person else Bot(), roll=roll)
        return careers.document_of(played)

    play_async = awaitable(play)

    @public
    def show(self, file: str | PathLike[str]) -> Document:
        """Returns a career: ``purse``, ``level``, ``rivals``, ``matches`` and more.

        Raises:
            BadInput: There is no such career, or the file is something else.
        """
        return careers.career_document(read_career(Path(file)))
