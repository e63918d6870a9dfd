"""The files that each bot's process may use, found and checked once for a field."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from arena.core.errors import BadPlugin, HarnessFault
from arena.host.box.granted import check_granted
from arena.host.box.paths import interpreter_paths, program_folder, stdlib_paths
from arena.host.process.launch import (
    GameSource,
    Granted,
    MatchSettings,
    own_files,
    readable_of_bot,
    readable_of_runtime,
    runtime_modules,
)
from arena.plugins.entries import BotSource


class Grants:
    """Finds and checks the files that the processes of a field may read and execute.

    Args:
        settings: What the matches have in common.
        bots: The field: no bot is granted a file of another one.

    Raises:
        HarnessFault: The files of our own runtime cannot be granted.
    """

    def __init__(self, settings: MatchSettings, bots: Sequence[BotSource]) -> None:
        self._game, self._bots = GameSource.of(settings.game), bots
        home, temporary = os.path.expanduser("~"), tempfile.gettempdir()
        self._apart = (*settings.apart, home, temporary)
        self._known: dict[str, Granted] = {}
        try:
            check_granted((*stdlib_paths(), *readable_of_runtime()), (), self._apart)
        except OSError as error:
            raise HarnessFault(f"the files of our own runtime: {error}") from None

    def of(self, bot: BotSource) -> Granted:
        """Returns the files that a bot may use, in addition to those of all bots.

        Raises:
            BadPlugin: It needs files that no bot may be granted.
        """
        key = bot.participant.key
        if key not in self._known:
            try:
                self._known[key] = self._found(bot)
            except OSError as error:
                raise BadPlugin(str(error)) from None
        return self._known[key]

    def of_all(self) -> list[str]:
        """Returns the files that must exist where these bots run; each is granted its own part."""
        shown = [os.path.join(folder, name) for name, folder in runtime_modules().items()]
        shown += stdlib_paths()
        for bot in self._bots:
            with suppress(BadPlugin):  # reported when its process is to be started
                granted = self.of(bot)
                shown += (*granted.read, *granted.execute)
        return shown

    def _found(self, bot: BotSource) -> Granted:
        if bot.command:
            read, execute = interpreter_paths(bot.command)
            granted = Granted((*read, bot.folder), execute, program_folder(bot.command))
        else:
            granted = Granted(tuple(readable_of_bot(bot, self._game)))
        own = own_files(bot)
        others = [path for each in self._bots for path in own_files(each) if path not in own]
        check_granted(granted.read, granted.execute, (*self._apart, *others))
        return granted
