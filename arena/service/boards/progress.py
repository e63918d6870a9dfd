"""The progress of a bot: its versions on a leaderboard, each against its own past and others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote

import msgspec
from arena_results.boards.board_rows import Board, LeaderboardRow, better_chance
from arena_results.boards.leaderboard import Asked
from arena_results.bots.submissions import Submission, SubmissionStatus, ages, submissions

from arena.core.errors import BadInput, UnknownName
from arena.core.table import Column, Row, Table, known_values, percent
from arena.core.text.parsing import join_version, split_version
from arena.core.text.printable import joined
from arena.core.tournaments.format import Participant
from arena.service.answers.rows import Document
from arena.service.boards.kept import Boards
from arena.service.boards.table import amounts_title, board_columns, board_row
from arena.service.boards.versions import (
    UNKNOWN,
    VersionChange,
    change_of,
    plain_name,
    rules_options,
)

MAX_ANCHORS = 3
"""Other bots that versions are measured against: those with the most matches."""
MAX_PAST = 4
"""Earlier versions that a new one is played against; the joint rating links it to all others."""
GAMES = 200
"""Matches against each of them."""
SUBMITTED = Column("submitted", "submitted", unit="UTC", type="text", drop=3)
"""Column with the time at which a version was submitted."""
_BETTER = Column(
    "better_than_last",
    "P(beats last)",
    right=True,
    type="number",
    cell=lambda row: percent(row["better_than_last"]),
    hint="chance to be better than the version before",
)
_SHOWN = ("version", "rating", "half", "low", "high", "interval", "exploitability", "games")
_WRITTEN = ("game", "ruleset", "unit", "name", "content", "se", "few")
_OF_ANCHORS = ("version", "rating", "low", "high", "games")


def _columns(rows: Sequence[Row]) -> tuple[Column, ...]:
    """Returns those of leaderboards that say something of versions, and two of their own."""
    found = {each.key: each for each in board_columns([row for row in rows if row["games"]])}
    bare = [Column(key, type=found[key].type) for key in _WRITTEN]
    version, *ratings, exploitability, games = (found[key] for key in _SHOWN)
    submitted = msgspec.structs.replace(SUBMITTED, when=known_values("submitted"))
    version = msgspec.structs.replace(version, names="version")
    return (*bare, version, submitted, *ratings, _BETTER, exploitability, games)


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of a bot on one leaderboard.

    Attributes:
        name: The bot, as it was entered.
        unit: The unit of amounts, in the plural, where the rating is the mean amount per match.
        rows: The versions that have played, the oldest first.
        anchors: Other bots of the group of the newest one by name, the best first.
        submitted: When versions were submitted, by version and content.
        waiting: Submitted versions without a match here, the oldest first.
        disabled: Names and contents of submitted versions that may not be entered.
    """

    game: str
    ruleset: str
    name: str
    unit: str
    rows: tuple[LeaderboardRow, ...]
    anchors: Mapping[str, LeaderboardRow]
    submitted: Mapping[tuple[str, str], str]
    waiting: tuple[Submission, ...]
    disabled: frozenset[tuple[str, str]] = frozenset()

    @property
    def last_step(self) -> VersionChange | None:
        """The newest version that has played, compared with the one before it."""
        return change_of(self.rows[-1]) if self.rows[-1].history else None

    @property
    def text(self) -> str:
        """Sentences on what the last step is worth, and on what has not played."""
        step, last = self.last_step, self.rows[-1].participant.version
        if step is None:
            text = f"{last} is the only version that has played."
        else:
            verdict = "whether it is better is" if step.verdict == UNKNOWN else "it is"
            text = f"The last step is {last}: {verdict} {step.text}."
        if not self.waiting:
            return text
        verb = "has" if len(self.waiting) == 1 else "have"
        return f"{text} {joined([each.version for each in self.waiting])} {verb} not played yet."

    @property
    def next_command(self) -> str:
        """The command that plays what is waiting or undecided; empty if there is nothing.

        It names no version that is disabled.
        """
        step, name = self.last_step, self.name
        played = [row.participant.version for row in self.rows if self._enters(row)]
        if self.waiting:
            versions = [*played, *(each.version for each in self.waiting)]
            others = [name for name, row in self.anchors.items() if self._enters(row)]
            return _play_command(name, versions, others, self.game, self.ruleset)
        if step is None or step.verdict != UNKNOWN or step.previous == step.version:
            return ""
        return step.compare_command if {step.previous, step.version} <= {*played} else ""

    def _enters(self, row: LeaderboardRow) -> bool:
        own = row.participant
        return (plain_name(own.name), own.content) not in self.disabled

    def table(self) -> Table:
        """The versions as a table, the oldest first; those without a match are the last."""
        rows: list[Row] = []
        for before, row in zip((None, *self.rows), self.rows, strict=False):
            error = row.history[0].error if row.history else None
            chance = better_chance(row, before, error) if before and error is not None else None
            own = {"submitted": self._submitted(row.participant), "better_than_last": chance}
            rows.append(board_row(row) | own)
        columns = _columns(rows)
        title = f"{self.name} in {self.game}, {self.ruleset}{amounts_title(self.unit)}"
        about = {key: getattr(self, key) for key in ("game", "ruleset", "unit", "name")}
        for each in self.waiting:
            known = {"version": each.version, "content": each.content, "games": 0, "few": True}
            nothing = dict.fromkeys(column.key for column in columns if not column.derived)
            rows.append(nothing | about | known | {"submitted": self._submitted(each)})
        return Table(title=title, columns=columns, rows=rows)

    def document(self) -> Document:
        """One of the JSON document of ``arena progress``."""
        step = self.last_step
        return {
            "game": self.game,
            "ruleset": self.ruleset,
            "name": self.name,
            "unit": self.unit,
            "versions": self.table().written_rows,
            "anchors": [
                {"name": name} | {key: board_row(row)[key] for key in _OF_ANCHORS}
                for name, row in self.anchors.items()
            ],
            "last_step": step and step.document(),
            "text": self.text,
            "next": self.next_command,
        }

    def _submitted(self, version: Participant | Submission) -> str | None:
        return self.submitted.get((version.version, version.content))


def progress(boards: Boards, bot: str, asked: Asked) -> list[Progress]:
    """Returns the versions of a bot on each leaderboard on which any of them has played.

    Args:
        bot: Its name, without a version; without parameters it is every entry of that name.
        asked: Which leaderboards.

    Raises:
        UnknownName: There is no such bot; or no tournament in the database has that game or
            ruleset, or number.
        BadInput: No version has played; the message has the command that plays them.
    """
    name, version = split_version(bot)
    if version:
        raise BadInput(f"{bot}: expected a bot without a version, as {name}; all of them are shown")
    plain = plain_name(name)
    every = submissions(boards.database)
    stored = [each for each in every if each.name == plain]
    disabled = frozenset(
        (each.name, each.content) for each in every if each.status is not SubmissionStatus.ENABLED
    )
    found = boards.now(asked, all_versions=True)
    age = ages(boards.database)
    own = []
    for board in found:
        named: dict[str, list[LeaderboardRow]] = {}
        for row in sorted(board.rows, key=lambda row: age[row.participant]):
            entered = row.participant.name
            if name in (entered, plain_name(entered)):
                named.setdefault(entered, []).append(row)
        own += [_progress(board, tuple(rows), stored, disabled) for rows in named.values()]
    if own:
        return own
    if not stored or asked.tournament is not None:
        names = {row.participant.name for board in found for row in board.rows}
        raise UnknownName("bot on a leaderboard", name, names)
    game = asked.game or stored[-1].games[0]
    versions = [each.version for each in stored if _enabled(each, game)]
    if not versions:
        raise BadInput(
            f"no version of {name} has played yet, and none may play {game}; enable one: "
            f"arena bots enable {name}{boards.database.option}"
        )
    tested = stored[-1].report.get(game)
    others = [*tested.against][:2] if tested else ["random"]
    command = _play_command(name, versions, others, game, asked.ruleset or "")
    raise BadInput(
        f"no version of {name} has played yet; play them: {command}{boards.database.option}"
    )


def _progress(
    board: Board,
    rows: tuple[LeaderboardRow, ...],
    stored: Sequence[Submission],
    disabled: frozenset[tuple[str, str]],
) -> Progress:
    newest = rows[-1]
    played = {(row.participant.version, row.participant.content) for row in rows}
    waiting = [
        each
        for each in stored
        if _enabled(each, board.game) and (each.version, each.content) not in played
    ]
    return Progress(
        game=board.game,
        ruleset=board.ruleset,
        name=newest.participant.name,
        unit=board.unit,
        rows=rows,
        anchors=_anchors(board, newest),
        submitted={
            (each.version, each.content): f"{each.submitted_at:%Y-%m-%d %H:%M}" for each in stored
        },
        waiting=tuple(waiting),
        disabled=disabled,
    )


def _anchors(board: Board, newest: LeaderboardRow) -> dict[str, LeaderboardRow]:
    """Returns the other bots with the most matches; of several versions each has its number."""
    others = [
        row
        for row in board.rows
        if row.participant.name != newest.participant.name and row.component == newest.component
    ]
    names = [row.participant.name for row in others]
    often = sorted(others, key=lambda row: -row.games)[:MAX_ANCHORS]

    def called(row: LeaderboardRow) -> str:
        name, version = row.participant.name, row.participant.version
        return join_version(name, version) if names.count(name) > 1 else name

    return {called(row): row for row in sorted(often, key=lambda row: -row.rating)}


def _enabled(version: Submission, game: str) -> bool:
    return game in version.games and version.status is SubmissionStatus.ENABLED


def _play_command(
    name: str, versions: Sequence[str], others: Sequence[str], game: str, ruleset: str
) -> str:
    """Returns the command that plays the newest version against those before it and others.

    Args:
        versions: The oldest first.
    """
    newest = [*dict.fromkeys(reversed(versions))][: MAX_PAST + 1]
    own = [join_version(name, each) for each in newest]
    bots = " ".join(f"--bot {quote(each)}" for each in (*own, *others))
    rules = rules_options(game, ruleset)
    form = "--format 'gauntlet(champions=1)'"
    return f"arena tournament run {bots} --games {GAMES} {form}{rules}"
