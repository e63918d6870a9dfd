"""A stored tournament: standings, rounds, matches and losses as records, replays."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from arena_results.file.database import Database
from arena_results.schema.rows import Status, TournamentSummary
from arena_tournaments.spec.keys import Isolation, Levels

from arena.api.common.calls import blocking, plugins, public, warn
from arena.api.common.keys import Names
from arena.api.common.shown import Match, Rows, shown
from arena.core.errors import BadInput
from arena.core.record import MatchKey
from arena.plugins.registry import Registry
from arena.service.answers.arguments import listed
from arena.service.answers.defaults import LETTER_DECISIONS, REASKED_MATCHES, REPLAYS
from arena.service.answers.rows import Document, Row, rows_of
from arena.service.answers.writing import check_replaceable, replacing, write_folder
from arena.service.letters.letter import check_new_folder
from arena.service.letters.tournaments import tournament_letters
from arena.service.lookup.python_bots import AnyBot, named_bots
from arena.service.lookup.resolver import BotResolver
from arena.service.match.adjusted import tournament_luck
from arena.service.match.reask import Reasked, reask
from arena.service.match.replays import parse_numbers, stored_match
from arena.service.match.transcripts import purge_transcripts, transcript
from arena.service.public.exports import Results, export_tables
from arena.service.public.static_report import report_contents
from arena.service.report.checks.collusion import fares_together, together_document
from arena.service.report.comparing.verdict import verdict
from arena.service.report.filed.tournament_reports import written_report
from arena.service.report.filed.tournament_rows import (
    crosstable_rows,
    loss_rows,
    match_rows,
    round_rows,
)
from arena.service.report.report import Report
from arena.service.report.sums.ledger import ledger_document, make_ledger
from arena.service.report.tables.documents import document
from arena.service.report.tables.explain import explanation
from arena.service.report.tables.standings import plain, section_tables, standing_table
from arena.service.storage.bundles import export_bundle


class Tournament:
    """A tournament as it stood when it was read; ``ResultsDatabase`` makes it.

    What is in its records needs no database any more; ``losses``, ``match`` and what belongs to
    matches read them when they are called.

    Args:
        report: What is stored of it.
        database: Where it is stored.
        registry: Knows its game.
    """

    def __init__(self, report: Report, database: Database, registry: Registry) -> None:
        self._report, self._database, self._registry = report, database, registry

    def __repr__(self) -> str:
        summary = self.summary
        return (
            f"<Tournament {self.number} {summary.game} {summary.format}, {summary.entries} bots, "
            f"{summary.matches} matches, {summary.status}>"
        )

    def _repr_html_(self) -> str:
        from markupsafe import Markup

        from arena.pages.notebook import table_html

        text = Markup("<p><strong>{}</strong></p>").format(self.verdict)
        return text + table_html(plain(standing_table(self._report)))

    @property
    def verdict(self) -> str:
        """Its result in one sentence, as ``arena tournament show`` begins."""
        return verdict(self._report)

    @property
    def number(self) -> int:
        """Its number in the database."""
        return self.summary.id

    @property
    def summary(self) -> TournamentSummary:
        """Game, rules, format, sizes, status, and where its deals come from."""
        return self._report.stored.summary

    @property
    def finished(self) -> bool:
        """True if every match was played; else ``ResultsDatabase.resume`` continues."""
        return self.summary.status is Status.FINISHED

    def document(self) -> Document:
        """The JSON document of ``arena tournament show``."""
        return document(self._report)

    def standings(self) -> list[Row]:
        """The standings, the best first; tie-breaks and causes of losses have columns each."""
        return Rows(plain(standing_table(self._report)), standing_table(self._report).written_rows)

    def sections(self) -> dict[str, list[Row]]:
        """The parts that the standings have as well, such as groups, by their titles."""
        found = section_tables(self._report)
        return {each.title: Rows(plain(each), each.written_rows) for each in found}

    @public
    def explain(self, name: str) -> Document:
        """The document of ``arena tournament show --explain``: why a bot stands where it stands.

        Raises:
            UnknownName: There is no such bot in it.
        """
        return explanation(self._report, name).document()

    def crosstable(self) -> list[Row]:
        """Match points, or mean amounts, of each bot (``name``) against each (a column)."""
        return Rows.of(crosstable_rows(self._report), "Crosstable")

    def rounds(self) -> list[Row]:
        """The rounds played: a row for each bot in each pairing; a bye has no pairing."""
        return Rows.of([*round_rows(self._report)], "Rounds")

    def trf(self) -> str:
        """A Swiss as the text of a Tournament Report File of FIDE (TRF26), for other programs.

        Raises:
            BadInput: It is not a Swiss.
        """
        return written_report(self._report)

    def result(self) -> Row | None:
        """Of two bots: the games of the first against the other, Elo, nElo and LOS; else ``None``.

        It is ``result`` of the JSON document; by amount it has the first one's mean, too.
        """
        block = self.document()["result"]
        return rows_of([block])[0] if isinstance(block, dict) else None

    def matches(self) -> list[Row]:
        """Every match played: its key, seed, ending, and for each seat name, return and score.

        The seed is ``None`` until the tournament is finished: other matches of the deal may be
        left.
        """
        return Rows.of(match_rows(self._report), "Matches")

    def losses(self) -> list[Row]:
        """Every adjudicated loss: who, in which match, the cause, the move, and the traceback."""
        return Rows.of([*loss_rows(self._report, self._database)], "Losses")

    @public
    def transcripts(self, match: str = "") -> list[Row]:
        """The questions to language models with their answers, as ``arena transcripts show``.

        Args:
            match: ``ROUND[.PAIRING[.MATCH]]``; empty for all.

        Raises:
            BadInput: There is no such match.
        """
        numbers = parse_numbers(self._database, f"{self.number}.{match}".rstrip("."))
        return [*transcript(self._database, self.number, numbers.rest)]

    @public
    def purge_transcripts(self) -> int:
        """Removes the texts of transcripts, and returns of how many questions; numbers stay."""
        return purge_transcripts(self._database, self.number)

    @public
    def export(
        self, to: str | PathLike[str], *what: str, exporter: str = "csv", measured: bool = False
    ) -> list[Path]:
        """Writes lists to files, as ``arena export`` does; rows are written as they are read.

        Args:
            to: A file; for several lists a folder, in which they are ``WHAT.EXPORTER``.
            what: ``"matches"``, ``"decisions"``, ``"standings"``, ``"pairings"``, ``"ratings"``,
                ``"logs"``; all of them by default.
            exporter: As for ``arena.export``.
            measured: Whether matches have their isolation and times, too, which differ from run to
                run.

        Returns:
            The files.

        Raises:
            UnknownName: There is no such list or exporter.
            BadInput: A file cannot be written.
        """
        results = Results(self._registry, self._database, self.number, measured=measured)
        return export_tables(self._registry, results, what, exporter, Path(to))

    @public
    def letters(
        self,
        *,
        dir: str | PathLike[str] | None = None,
        decisions: int = LETTER_DECISIONS,
        url: str = "",
    ) -> list[Document]:
        """A letter to each author, as ``arena tournament letters -o json`` gives them.

        Args:
            dir: A new folder to write, with a file for each letter.
            decisions: Lost matches of each bot to search for its worst decisions; 0 for none.
            url: Address of the site on which the matches are, for links.

        Raises:
            BadInput: The folder is not empty, or an argument is wrong.
        """
        # Here: pages take long to load.
        from arena.pages.letter import letter_document, write_letters

        if dir is not None:
            check_new_folder(Path(dir), "dir")
        database, number = self._database, self.number
        found = tournament_letters(self._registry, database, number, decisions=decisions, url=url)
        if dir is not None:
            write_letters(Path(dir), found, "dir")
        return [*map(letter_document, found)]

    @public
    def report(
        self,
        *,
        html: str | PathLike[str] | None = None,
        single: str | PathLike[str] | None = None,
        match: str | Names = (),
        replays: int = REPLAYS,
        view: str | None = None,
        force: bool = False,
    ) -> Path:
        """Writes pages about it for the browser, as ``arena report`` does, from what is stored now.

        Args:
            html: A folder; or else ``single``, one file in which replays are text.
            match: ``ROUND.PAIRING.MATCH`` of matches to replay besides those with a fault.
            replays: Replays of that many of the closest matches.
            view: ``"public"`` or ``"all"``; by default all is shown of a finished tournament.
            force: Whether an earlier report in the folder is replaced.

        Returns:
            The file to open.

        Raises:
            BadInput: It cannot be written, or there is no such match or view.
        """
        # Here: templates take long to load.
        from arena.pages.report import INDEX, PARTS, report_files, single_report

        if (html is None) == (single is None):
            raise BadInput("a report is written either to a folder (html) or a file (single)")
        file = Path(single or "") if html is None else Path(html) / INDEX
        if html is not None:
            check_replaceable(file.parent, PARTS, force=force)
        contents = report_contents(
            self._registry,
            self._database,
            self.number,
            matches=[match] if isinstance(match, str) else listed("match", match, str),
            replays=replays,
            view=view,
        )
        if html is not None:
            write_folder(file.parent, report_files(contents))
        else:
            with replacing(file) as opened:
                opened.write(single_report(contents).encode())
        return file

    def ledger(self) -> Document:
        """The document of ``arena tournament losses``: bots, pairs and void matches.

        It has what each won and lost on play, and what by which fault.
        """
        return ledger_document(make_ledger(self._database, self._report.stored), self.number)

    def together(self) -> list[Row]:
        """A record for each two bots, both ways: match points at tables together and apart.

        Raises:
            BadInput: No table of it had more than two seats.
        """
        pairs = fares_together(self._database, self._report.stored)
        return rows_of(together_document(self.number, pairs)["pairs"])

    @public
    def luck(self, value_function: str | PathLike[str] | None = None) -> Document:
        """The document of ``arena tournament luck``: scores, plain and luck-adjusted.

        Args:
            value_function: The file of a learned one, instead of the game's.

        Raises:
            BadInput: Its game has no value function, or nothing was played yet.
        """
        stored, played = self._report.stored, self._report.played
        file = None if value_function is None else Path(value_function)
        return tournament_luck(self._registry, self._database, stored, played, file).document()

    @blocking
    @public
    def reask(
        self,
        bot: AnyBot,
        old: str = "",
        *,
        matches: int = REASKED_MATCHES,
        trust: Names = (),
        isolation: Isolation = "auto",
        require: Levels | None = None,
        allow: Names = (),
    ) -> Reasked:
        """Asks a bot the decisions that another one took in it.

        Args:
            bot: The bot, as for a tournament.
            old: Whose decisions; by default those of the bot of the same name.
            matches: At most that many matches, the first ones.
            trust: Bots that the operator vouches for.
            isolation: Where the bot runs if it is not trusted.
            require: The least isolation that will do.
            allow: Installed distributions that it may import.

        Raises:
            BadInput: There is no such bot, or the other decided nothing in it.
            BadPlugin: The bot cannot be started.
        """
        (name,), local = named_bots([bot])
        with (
            plugins(self._registry) as used,
            BotResolver(used, self._database, local=local) as resolver,
        ):
            return reask(
                resolver,
                self._database,
                name,
                self.number,
                old=old,
                matches=matches,
                trust=listed("trust", trust, str),
                isolation=isolation,
                require=require,
                allow=listed("allow", allow, str),
                warn=warn,
            )

    @public
    def export_bundle(self, file: str | PathLike[str]) -> None:
        """Writes all of it to one portable file; ``ResultsDatabase.import_bundle`` reads it.

        It holds records, rounds, field, key, chain, and the files of submitted bots.
        ``arena.open_database`` opens it, too.

        Raises:
            BadInput: It is not finished, or the file cannot be written.
        """
        export_bundle(self._database, self.number, Path(file))

    @public
    def match(self, round: int = 1, pairing: int = 1, leg: int = 1) -> Match:
        """One of its matches, to look at move by move; the numbers count from 1.

        Raises:
            BadInput: It was not played.
        """
        key = MatchKey(round, pairing, leg)
        return shown(stored_match(self._registry, self._database, self.number, key))
