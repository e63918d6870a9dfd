"""Qualifies the files of an organiser's folder, and starts tournaments.

Both happen in processes of their own, by the verbs of the command line.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeAlias

import msgspec
import trio
from arena_results.file.database import Database
from arena_results.file.runner_lock import is_running
from arena_results.store.queries import left_running, summary
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, describe
from arena.core.text.printable import printable_line
from arena.host.box.levels import Level
from arena.plugins.registry import Registry
from arena.service.answers.errors import known_error
from arena.service.answers.rows import Document
from arena.service.bots.submit_many import Unreadable
from arena.service.league.league_file import LeagueLimits
from arena.service.letters.submissions import submission_letters
from arena.service.lookup.isolation import choose_level
from arena.service.lookup.resolver import BotResolver
from arena.service.public.documents import tournament_rows
from arena.service.run import run as runs
from arena.service.setup.resolve import resolve
from arena.web.site.event import entry_process
from arena.web.site.event.event_folder import Entry, EventFolder

Report: TypeAlias = Callable[[str], object]
REQUIRED = "confined"
"""The lowest level at which an organiser's site runs bots of others."""
WEAKER = tuple(each for each in Level if each.rank < Level(REQUIRED).rank)
"""Levels that an event never has, whatever its file says."""
LOOK_SECONDS = 0.5
"""Time between two looks at the folder for new files."""
ESTIMATE_SECONDS = 120.0
"""Most seconds that an estimate may take."""
TAIL_BYTES = 8_000
"""Bytes at the end of a log in which its last error is looked for."""
KILLED = (
    "its process was killed, or the machine went down, in the middle of a round. Stored matches "
    "are safe, and Resume plays the others"
)
"""The reason of a run that was killed, which its log cannot have."""
FORM = "the form"
"""The source of the keys of a draft, for their problems."""
ERROR = "arena: "
"""The beginning of the lines by which a command says what is wrong."""


class Begun(NamedTuple):
    """The tournament of a form, and whether it is new."""

    number: int
    new: bool


class Events:
    """The events of an organiser's site.

    Attributes:
        folder: Where its files are.
        checking: Name of the file that is being qualified; empty without one.
    """

    def __init__(self, folder: EventFolder, url: str) -> None:
        choose_level("auto", REQUIRED)
        self.folder, self._url, self.checking = folder, url, ""
        self._started: dict[int, subprocess.Popen[bytes]] = {}
        self._lock, self._beginning = Lock(), trio.Lock()

    def entries(self) -> list[Entry]:
        """Returns the files of the folder, and which of them is being qualified."""
        return [
            msgspec.structs.replace(each, state="qualifying")
            if each.file == self.checking and each.state == "waiting"
            else each
            for each in self.folder.entries()
        ]

    async def qualify(self, report: Report) -> None:
        """Qualifies every file that has no decision, one after another, until it is cancelled.

        Args:
            report: Called with the part of a failure that authors do not see.
        """
        failures = Counter[str]()
        while True:
            try:
                entries = await trio.to_thread.run_sync(self.folder.entries)
                waiting = [each.file for each in entries if each.state == "waiting"]
                self.checking = min(waiting, key=failures.__getitem__, default="")
                if self.checking:
                    await self._decide(self.checking, entries, report)
                else:
                    await trio.sleep(LOOK_SECONDS)
            except Exception as error:  # as a full disk: the site goes on, and it is tried again
                failures[self.checking] += 1  # after the others
                known = known_error(error)
                report(printable_line(str(known)) if known else describe(error))
                await trio.sleep(10 * LOOK_SECONDS)
            finally:
                self.checking = ""

    async def _decide(self, file: str, entries: list[Entry], report: Report) -> None:
        path = str(self.folder.path / file)
        taken = {
            each.bot.partition("@")[0]: each.file for each in entries if each.state == "entered"
        }
        job = entry_process.EntryJob(
            url=self._url, path=path, taken=taken, game=self.folder.game(file), parent=os.getpid()
        )
        why = "its qualification took too long"
        with trio.move_on_after(LeagueLimits().qualify_seconds):
            done = await trio.run_process(
                [sys.executable, "-P", "-m", entry_process.__name__],
                stdin=msgspec.msgpack.encode(job), capture_stdout=True, capture_stderr=True,
                check=False, deliver_cancel=_kill, start_new_session=True,
            )  # fmt: skip
            if not done.returncode:
                letters: list[Document] = msgspec.json.decode(done.stdout)
                await trio.to_thread.run_sync(self.folder.decide, file, letters)
                return
            report(f"{file}: {printable_line(done.stderr.decode(errors='replace')[-500:])}")
            why = "its qualification failed, which may not be the bot's fault; ask the organiser"
        refusal = submission_letters([(path, Unreadable(why))], 1.0)
        await trio.to_thread.run_sync(self.folder.decide, file, refusal)

    async def begin(
        self, registry: Registry, database: Database, keys: Mapping[str, object],
        latest: int | None = None,
    ) -> Begun:  # fmt: skip
        """Stores a new tournament, of which nothing is played yet.

        Args:
            latest: The latest tournament when the form was drawn. A later one of the same name
                began by the same form, which was sent twice: then nothing is stored.

        Raises:
            BadSpec: With every problem of its keys; nothing was stored.
        """
        required = {"require": REQUIRED} if keys.get("require") in (None, *WEAKER) else {}
        async with self._beginning:
            if latest is not None:
                rows = await trio.to_thread.run_sync(tournament_rows, database)
                for row in rows:
                    if row["id"] > latest and row["name"] == keys.get("name", ""):
                        return Begun(row["id"], new=False)
            with BotResolver(registry, database) as resolver:
                resolved = await trio.to_thread.run_sync(
                    resolve, resolver, {**keys, **required}, FORM
                )
                return Begun((await runs.begin(database, resolved)).number, new=True)

    def play(self, database: Database, number: int, *, one_round: bool) -> None:
        """Starts the process that plays what is left of a tournament, as ``arena`` does.

        It continues when this process ends.

        Args:
            one_round: Whether it pauses after the next round.

        Raises:
            BadInput: It is being played, it was begun with less isolation than events have, or its
                log cannot be written.
        """
        spec = TournamentSpec.from_json(summary(database, number).spec)
        if spec.require in (None, *WEAKER):
            raise BadInput(
                f"tournament {number} was begun by a command and does not require "
                f"{REQUIRED} bots; go on with: arena tournament resume {number}"
            )
        words = ["tournament", "resume", str(number), "--db", self._url]
        words += ["--pause-after-round", "next"] if one_round else []
        with self._lock:
            if self.is_played(database, number):
                raise BadInput(f"tournament {number} is being played")
            with self.folder.new_log(number) as log:
                self._started[number] = subprocess.Popen(
                    [sys.executable, "-P", "-m", "arena", *words], cwd=self.folder.path,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                    start_new_session=True,
                )  # fmt: skip

    def is_played(self, database: Database, number: int) -> bool:
        """Returns whether a process plays a tournament, or has been started for that."""
        process = self._started.get(number)
        if process is not None and process.poll() is None:
            return True
        return is_running(database, number)

    def problem(self, database: Database, number: int) -> str:
        """Returns why the last run of a tournament stopped too early; empty if it did not."""
        found = last_error(self.folder.log(number))
        return found or (KILLED if left_running(database, number) else "")

    async def estimate(self, name: str) -> Document:
        """Returns the document of ``arena tournament run --dry-run`` for a draft.

        Raises:
            BadInput: With the line by which that refuses.
        """
        words = ["tournament", "run", str(self.folder.draft(name)), "--require", REQUIRED]
        words += ["--dry-run", "-o", "json", "--db", self._url]
        with trio.move_on_after(ESTIMATE_SECONDS):
            done = await trio.run_process(
                [sys.executable, "-P", "-m", "arena", *words], capture_stdout=True,
                capture_stderr=True, check=False, deliver_cancel=_kill, start_new_session=True,
            )  # fmt: skip
            if done.returncode:
                raise BadInput(_errors(done.stderr) or "the estimate failed")
            found: Document = msgspec.json.decode(done.stdout)
            return found
        raise BadInput(f"the estimate took longer than {ESTIMATE_SECONDS:g} s")


async def _kill(process: trio.Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def last_error(log: Path) -> str:
    """Returns the last error of a log; empty without one."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - TAIL_BYTES))
            return _errors(file.read())
    except OSError:
        return ""


def _errors(written: bytes) -> str:
    lines = written.decode(errors="replace").replace("\r", "\n").splitlines()
    found = [line.removeprefix(ERROR) for line in lines if line.startswith(ERROR)]
    return printable_line("; ".join(found), 2_000)
