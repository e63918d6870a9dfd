"""A database of results: plays tournaments into it, and reads what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Unpack, overload

from arena_results.file.database import Database
from arena_results.store.queries import tournament

from arena.api.common.callbacks import chosen_keys, context_of, split_keys
from arena.api.common.calls import address, awaitable, blocking, looped, plugins, public, warn
from arena.api.common.keys import Paths, RunKeys, RunTableKeys, RunTournamentKeys, SubmitKeys
from arena.api.common.shown import Match, shown
from arena.api.database.career import Careers
from arena.api.database.lists import Lists
from arena.api.database.organiser import Organiser
from arena.api.database.site import SiteServer
from arena.api.database.submissions import submitted
from arena.api.tournament import Tournament
from arena.core.errors import BadInput, UnknownName
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document, Row, rows_of
from arena.service.answers.steps import Steps, await_steps
from arena.service.boards.history import bot_history
from arena.service.bots.listing import bot_details, bot_rows, export_bot, submitted_bots, switch_bot
from arena.service.lookup.python_bots import AnyBot, LocalBot, named_bots
from arena.service.lookup.refusals import refusal_of
from arena.service.match.replays import parse_numbers, stored_match, verify
from arena.service.report.report import stored_report
from arena.service.run.options import ResumeKeys
from arena.service.run.verbs import RunContext, fork, resume, run_new
from arena.service.setup.field import at_one_table
from arena.service.storage import databases
from arena.service.storage.bundles import import_bundle


@public
def open_database(db: str | PathLike[str] | None = None, *, create: bool = True) -> ResultsDatabase:
    """Opens a database of results; use it in a ``with`` statement.

    Args:
        db: A file, or an address ``postgresql://USER@HOST/NAME``; by default the variable
            ``ARENA_DB``, or ``arena.db``. A bundle is opened like a database that can only be read.
        create: Whether a file that does not exist is made.

    Raises:
        BadStore: It is not a database of this version, or cannot be made.
        AlteredResults: It is a bundle, and something in it is not what was written.
    """
    return ResultsDatabase(databases.open_database(address(db), create=create))


class ResultsDatabase(Lists, AbstractContextManager["ResultsDatabase"]):
    """An open database of results; ``open_database`` makes it.

    The methods that play do so until they are done; ``..._async`` are for trio programs, and
    cancelling one leaves a tournament that ``resume`` continues with, as does Ctrl-C. It stands for
    its file (``os.PathLike``) in calls that take the address of a database.

    Args:
        database: The database.

    Attributes:
        path: The path of the database file; ``None`` where a server has it.
        url: Its address, without a password.
        site: Serves it as a web site.
        career: Plays the careers whose matches it has.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, Registry())
        self.path = Path(database.place.files[0]) if database.place.files else None
        self.url = database.url
        self.site = SiteServer(database)
        self.career = Careers(database, self._registry)

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; what was stored stays."""
        self._database.close()

    def __repr__(self) -> str:
        return f"<ResultsDatabase {self._database.label}>"

    def __fspath__(self) -> str:
        return str(self.path or self.url)

    @looped
    @public
    async def run(
        self,
        bots: Sequence[AnyBot] = (),
        *,
        file: str | PathLike[str] | None = None,
        **keys: Unpack[RunTournamentKeys],
    ) -> Tournament:
        """Plays a new tournament.

        Args:
            bots: The field; without any, that of the file.
            file: A tournament file (TOML).
            keys: The keys of a tournament file, which are the options of ``arena tournament run``;
                they overrule those of the file. Those of ``RunKeys`` are of the run only:
                ``progress`` is called after every event, ``events`` with a document of it.

        Raises:
            BadSpec: With every problem of the bots and the keys; nothing was stored.
            HarnessFault: It cannot continue; everything played is stored.
        """
        given, options = split_keys(keys)
        chosen, local, where = chosen_keys(bots, file, given)
        return await _played(self, partial(run_new, keys=chosen, where=where), local, options)

    run_async = awaitable(run)

    @looped
    @public
    async def match(self, *bots: AnyBot, **keys: Unpack[RunTableKeys]) -> Tournament:
        """Plays bots against each other at one table: a tournament of one pairing.

        Args:
            bots: One for each seat.
            keys: As ``run`` takes them.

        Raises:
            BadSpec: As ``run``.
            HarnessFault: As ``run``.
        """
        names, local = named_bots(bots)
        given, options = split_keys(keys)
        chosen = at_one_table(names, {"name": "match", **given})
        return await _played(self, partial(run_new, keys=chosen, where="arguments"), local, options)

    match_async = awaitable(match)

    @looped
    @public
    async def resume(
        self,
        number: int | None = None,
        bots: Iterable[AnyBot] = (),
        *,
        max_crash_rate: float | None = None,
        max_cost: float | None = None,
        executor: str | None = None,
        **keys: Unpack[RunKeys],
    ) -> Tournament:
        """Continues where a run stopped; nothing is played twice.

        Args:
            number: Number of the tournament; by default the last unfinished one.
            bots: Its bots of this program; all others are found by themselves.
            max_crash_rate: Another share of crashed matches at which it stops.
            max_cost: Another number of dollars that calls of language models may cost.
            executor: Plays the rest; by default this machine does.
            keys: Those of ``RunKeys``, as for ``run``.

        Raises:
            BadSpec: Something of it cannot be found any more.
            BadPlugin: A bot, or the game, is not what it was when the tournament began.
            BadStore: Another process plays it.
            BadInput: There is no number, and every tournament is finished.
            HarnessFault: As ``run``.
        """
        changed = ResumeKeys(max_crash_rate=max_crash_rate, max_cost=max_cost, executor=executor)
        verb = partial(resume, number=number, **changed)
        return await _played(self, verb, named_bots(bots)[1], keys)

    resume_async = awaitable(resume)

    @looped
    @public
    async def fork(
        self,
        number: int,
        bots: Iterable[AnyBot] = (),
        *,
        redo_crashed: bool = False,
        **keys: Unpack[RunTournamentKeys],
    ) -> Tournament:
        """Plays a new tournament of the bots and settings of another, as they are now.

        Args:
            number: Number of the other.
            bots: Its bots of this program; all others are found by themselves.
            redo_crashed: Whether it has all matches of the other but those that crashed or did not
                start; bots and rules must be unchanged, and there are no keys then.
            keys: As ``run`` takes them; they overrule those of the other.

        Raises:
            BadSpec: As ``run``.
            HarnessFault: As ``run``.
        """
        given, options = split_keys(keys)
        verb = partial(fork, number=number, keys=given, redo_crashed=redo_crashed)
        return await _played(self, verb, named_bots(bots)[1], options)

    fork_async = awaitable(fork)

    @public
    def organiser(self, number: int) -> Organiser:
        """The organiser's verbs on a tournament: add, withdraw, disqualify, bye, pause, ..."""
        return Organiser(self._database, number, self._registry)

    @public
    def tournament(self, number: int) -> Tournament:
        """A tournament: standings, rounds, matches, losses, replays.

        Raises:
            UnknownName: There is no such tournament.
            AlteredResults: Something of it is not what was written.
        """
        stored = tournament(self._database, number)
        with plugins(self._registry) as registry:
            report = stored_report(registry, stored, self._database)
        return Tournament(report, self._database, registry)

    @public
    def import_bundle(self, file: str | PathLike[str]) -> int:
        """Stores the tournament of a bundle; its submitted bots come with it, disabled.

        Args:
            file: What ``Tournament.export_bundle`` or ``arena export ID --bundle FILE`` wrote.

        Returns:
            The tournament's number in this database.

        Raises:
            BadStore: It is not a bundle, or cannot be read.
            AlteredResults: Something in it is not what was written; nothing was stored.
            BadInput: The tournament is here already.
        """
        imported = import_bundle(self._database, Path(file))
        for bot, reason in imported.bots.items():
            if reason:
                warn(f"bot {bot} was left out: {reason}")
        return imported.tournament

    @public
    def replay(self, match: str | int) -> Match:
        """A stored match, to look at move by move.

        Args:
            match: ``TOURNAMENT.ROUND.PAIRING.MATCH``; of a shorter number the first match.

        Raises:
            BadInput: There is no such match.
        """
        numbers = parse_numbers(self._database, _match_text(match))
        number, key = numbers.tournament, numbers.key
        return shown(stored_match(self._registry, self._database, number, key))

    @public
    def verify(self, match: str | int) -> Document:
        """Re-executes a match, or all of a pairing, round or tournament, up to the first to differ.

        Args:
            match: ``TOURNAMENT[.ROUND[.PAIRING[.MATCH]]]``.

        Returns:
            The document of ``arena replay --verify``: ``verified``, and the matches and decisions,
            or the match and its difference.

        Raises:
            BadInput: There is no such match.
        """
        numbers = parse_numbers(self._database, _match_text(match))
        return verify(self._registry, self._database, numbers).document()

    def bots(self) -> list[Row]:
        """The bots that can be named: built-in bots, installed and submitted ones."""
        with plugins(self._registry) as registry:
            entries = registry.bots()
        return rows_of(bot_rows(entries, submitted_bots(self._database.url)))

    @public
    def bot(self, name: str, matches: int | None = None) -> Document:
        """Everything known of a bot, or why it was refused: the document of ``arena bots show``.

        Args:
            name: ``NAME`` or ``NAME@VERSION``.
            matches: Also sums over its last that many matches: luck, mistakes, why it lost.

        Raises:
            UnknownName: There is no such bot, or no such version of it.
        """
        try:
            details = bot_details(self._registry, self._database.url, name, looked=True).document()
        except UnknownName:
            if refusal := refusal_of(self._database, name):
                return refusal.document()
            raise
        if matches is not None:
            count = matches
            history = bot_history(self._registry, self._database, name, count)
            details["history"] = history.document()
        return details

    @public
    def export_bot(self, name: str, folder: str | PathLike[str]) -> list[str]:
        """Writes what was submitted of a bot, byte for byte, into an empty folder.

        Returns:
            The hidden files that were left out: tools obey such files.

        Raises:
            BadInput: Nothing of that name was submitted, or the folder cannot be used.
        """
        return export_bot(self._database, name, Path(folder))[2]

    @public
    def enable_bot(self, name: str) -> list[str]:
        """Lets a disabled bot, or one version of it, into tournaments again.

        Returns:
            The versions that changed, as ``NAME@VERSION``.

        Raises:
            UnknownName: Nothing of that name was submitted.
        """
        return _switched(self._database, name, enabled=True)

    @public
    def disable_bot(self, name: str) -> list[str]:
        """Keeps a submitted bot, or one version of it, out of new tournaments.

        Returns:
            The versions that changed, as ``NAME@VERSION``.

        Raises:
            UnknownName: Nothing of that name was submitted.
        """
        return _switched(self._database, name, enabled=False)

    @overload
    def submit(self, path: str | PathLike[str], **keys: Unpack[SubmitKeys]) -> Document: ...
    @overload
    def submit(self, path: Paths, **keys: Unpack[SubmitKeys]) -> list[Document]: ...
    @blocking
    @public
    def submit(
        self, path: str | PathLike[str] | Paths, **keys: Unpack[SubmitKeys]
    ) -> Document | list[Document]:
        """Qualifies a bot by real matches and enters it if it breaks none.

        Args:
            path: A file ``bot.py[:Class]``, a folder, a .zip or .tar.gz archive of
                one, or a wheel; or a list of such, of which each is entered or refused on its own.
            keys: The name of the bot, or which of several it is; games to enter it for, by default
                those that it names; the seed of its matches, by default drawn; isolation and
                limits as in a tournament; ``progress``, called before the matches of each game.

        Returns:
            The document of ``arena submit``; its ``status`` is ``"entered"``, ``"unchanged"`` or
            ``"refused"``, with the reasons. Of a list a list of them, each with its ``path``.

        Raises:
            BadInput: It cannot be read, needs what is not allowed, or cannot have that name.
            HarnessFault: A match was void.
        """
        return submitted(self._registry, self._database.url, path, **keys)

    submit_async = awaitable(submit)
    verify_async = awaitable(verify)


async def _played(
    db: ResultsDatabase,
    verb: Callable[[RunContext], Steps[int]],
    local: Sequence[LocalBot],
    options: RunKeys,
) -> Tournament:
    with plugins(db._registry) as registry:
        context = context_of(registry, db._database, local, **options)
        number = await await_steps(verb(context))
    return db.tournament(number)


def _match_text(match: str | int) -> str:
    if not isinstance(match, str | int):
        raise BadInput(f"match: expected a text such as '3.1.2.1', not {match!r}")
    return str(match)


def _switched(database: Database, name: str, *, enabled: bool) -> list[str]:
    changed = switch_bot(database, name, enabled=enabled)
    return [each.spelling for each in changed]
