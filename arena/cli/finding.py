"""Finds bots by what the user typed: house bots, installed ones, files, and submitted ones."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

import msgspec

from arena.cli.scratch import scratch_folder
from arena.core.errors import BadPlugin, UnknownName
from arena.core.parsing import join_loadout, split_loadout
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry

if TYPE_CHECKING:
    from arena_results.database import Database


class BotResolver:
    """Finds bots for one run; submitted ones are unpacked for as long as it is open.

    Use it as a context.

    Args:
        registry: Knows house bots and installed ones.
        database: Holds the submitted ones; ``None`` when there is none yet.
        resumes: Whether it is for a tournament that had begun: disabled bots will do.

    Attributes:
        registry: The same.
    """

    def __init__(
        self, registry: Registry, database: Database | None = None, *, resumes: bool = False
    ) -> None:
        self.registry, self._database, self._resumes = registry, database, resumes
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._folder = self._open.enter_context(scratch_folder())
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    @property
    def apart(self) -> tuple[str, ...]:
        """Files that no bot may ever be granted: the database."""
        return (str(self._database.path),) if self._database is not None else ()

    def find(
        self,
        spelling: str,
        trust: Collection[str] = (),
        allow: Collection[str] = (),
        *,
        confine_house: bool = False,
    ) -> BotSource:
        """The bot; none of its code runs.

        Args:
            spelling: ``NAME``, ``NAME(key=value)``, ``NAME@VERSION`` of a submitted bot, or
                ``path/to/file.py[:Class]``; with `` with LOADOUT`` it brings that to every match.
            trust: Bots from outside that the operator vouches for.
            allow: Installed distributions that bots from outside may import.
            confine_house: Whether house bots are not trusted, either.

        Raises:
            BadInput: There is no such bot, or it cannot be used.
        """
        bot, loadout = split_loadout(spelling)
        found = self._find(bot, trust, allow)
        if found.kind == "house" and confine_house:
            found = msgspec.structs.replace(found, trusted=False)
        if loadout:
            name = join_loadout(found.participant.name, loadout)
            participant = msgspec.structs.replace(found.participant, name=name)
            found = msgspec.structs.replace(found, participant=participant, loadout=loadout)
        return found

    def _find(self, spelling: str, trust: Collection[str], allow: Collection[str]) -> BotSource:
        try:
            return self.registry.resolve_bot(spelling, trust, self.registry.importable(allow))
        except UnknownName as unknown:
            submitted = self._submitted(spelling, allow)
            if submitted is None:
                raise self._unknown(unknown) from None
            return submitted

    def spelling(self, spelling: str, bot: BotSource) -> str:
        """The spelling that finds the same version again, when there are newer ones."""
        if bot.kind not in ("submitted", "program"):
            return spelling
        called, loadout = split_loadout(bot.participant.name)
        name, bracket, parameters = called.partition("(")
        return join_loadout(f"{name}@{bot.participant.version}{bracket}{parameters}", loadout)

    def _submitted(self, spelling: str, allow: Collection[str]) -> BotSource | None:
        from arena.cli.submitted import resolve_submitted

        if self._database is None:
            return None
        return resolve_submitted(
            self._database,
            spelling,
            self._folder,
            self.registry.importable(allow),
            allow,
            disabled_too=self._resumes,
        )

    def _unknown(self, unknown: UnknownName) -> UnknownName:
        """The same with the submitted bots among the choices."""
        if self._database is None or unknown.kind != "bot":
            return unknown
        from arena_results.submissions import submissions

        names = {each.name for each in submissions(self._database)}
        return UnknownName("bot", unknown.name, {*unknown.choices, *names})


def check_trusted_only(bot: BotSource) -> None:
    """For runs at level ``trusted``: nobody runs whom the operator does not vouch for.

    Raises:
        BadPlugin: The operator does not.
    """
    if not bot.trusted:
        name = bot.participant.name
        raise BadPlugin(
            f"bot {name} of {bot.origin} comes from outside, and isolation is 'trusted'; to run "
            f"it with your rights add --trust {name}, or leave --isolation at auto"
        )
