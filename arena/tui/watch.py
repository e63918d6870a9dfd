"""Tournaments as they are played, in the terminal (``arena watch``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from arena_results.file.changes import Changes
from arena_results.file.database import Database
from arena_results.store.queries import matches, tournament, tournaments
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Static

from arena.core.errors import ArenaError
from arena.core.record import MatchKey
from arena.plugins.registry import Registry
from arena.service.match.replay_text import score_text
from arena.service.match.replays import stored_match
from arena.service.report.documents import standing_rows
from arena.service.report.report import stored_report
from arena.tui.replay import ReplayScreen

POLL_SECONDS = 0.5
"""Seconds between two looks at the database."""
Rows = Sequence[tuple[str, Sequence[object]]]
"""Rows of a table, each with its key."""


class ListScreen(Screen[None]):
    """A table of rows, of which Enter opens one; it follows the database."""

    AUTO_FOCUS = "DataTable"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,backspace,left", "back", "back")]
    TITLES: ClassVar[tuple[str, ...]] = ()
    """The titles of the columns."""

    def __init__(self, registry: Registry, database: Database) -> None:
        super().__init__()
        self.registry, self.database = registry, database

    def compose(self) -> ComposeResult:
        """Builds a line of title, the table, and the keys."""
        yield Static(classes="head", markup=False)
        yield DataTable(cursor_type="row", zebra_stripes=True)
        yield Static(" ↑↓ Enter open │ Esc back │ q quit", classes="keys", markup=False)

    def on_mount(self) -> None:
        """Fills the table for the first time."""
        self.query_one(DataTable).add_columns(*self.TITLES)
        self.refill()

    def on_screen_resume(self) -> None:
        """Shows what changed while another screen stood above."""
        if self.is_mounted and self.query_one(DataTable).columns:
            self.refill()

    def refill(self) -> None:
        """Reads the rows again; the cursor stays where it is."""
        table = self.query_one(DataTable)
        cursor = table.cursor_row
        try:
            head, rows = self.read()
        except ArenaError as error:
            head, rows = str(error), ()
        self.query_one(".head", Static).update(f" {head}")
        table.clear()
        for key, cells in rows:
            table.add_row(*map(_cell, cells), key=key)
        table.move_cursor(row=min(cursor, max(0, len(rows) - 1)))

    def read(self) -> tuple[str, Rows]:
        """Returns the line above the table, and its rows."""
        raise NotImplementedError

    def opened(self, key: str) -> Screen[None] | None:
        """Returns the screen of a row; ``None`` where there is nothing to open."""
        raise NotImplementedError

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Opens the row of the cursor."""
        screen = self.opened(str(event.row_key.value))
        if screen is not None:
            self.app.push_screen(screen)

    def action_back(self) -> None:
        """Goes back to the list that this one came from; the first stays."""
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()


class TournamentsScreen(ListScreen):
    """All tournaments, the last first."""

    TITLES: ClassVar[tuple[str, ...]] = (
        "id",
        "name",
        "status",
        "bots",
        "matches",
        "game",
        "ruleset",
        "format",
    )

    def read(self) -> tuple[str, Rows]:
        """Returns the tournaments of the database."""
        found = tournaments(self.database)
        keys = ("id", "name", "status", "entries", "matches", "game", "ruleset", "format")
        rows = [(str(each.id), [getattr(each, key) for key in keys]) for each in reversed(found)]
        return f"Tournaments of {self.database.path.name}", rows

    def opened(self, key: str) -> Screen[None] | None:
        """Returns the tournament of a row."""
        return StandingsScreen(self.registry, self.database, int(key))


class StandingsScreen(ListScreen):
    """The standings of a tournament as they are now; Enter shows its pairings."""

    TITLES: ClassVar[tuple[str, ...]] = (
        "rank",
        "name",
        "score",
        "won",
        "drawn",
        "lost",
        "losses by cause",
    )

    def __init__(self, registry: Registry, database: Database, number: int) -> None:
        super().__init__(registry, database)
        self.number = number

    def read(self) -> tuple[str, Rows]:
        """Returns the standings of the tournament."""
        stored = tournament(self.database, self.number)
        about = stored.summary
        rows: list[tuple[str, Sequence[object]]] = []
        for row in standing_rows(stored_report(self.registry, stored)):
            causes = row["losses_by_cause"]
            lost = (
                ", ".join(f"{n} {cause}" for cause, n in causes.items() if n)
                if isinstance(causes, dict)
                else ""
            )
            shown = [row[key] for key in ("rank", "name", "score", "won", "drawn", "lost")]
            rows.append((str(len(rows)), [*shown, lost]))
        head = f"Tournament {about.id} {about.name}: {about.status.value}, "
        head += f"round {len(stored.rounds)} of {about.rounds}, {about.matches} matches; "
        return f"{head}{about.game} {about.ruleset}, {about.format}", rows

    def opened(self, key: str) -> Screen[None] | None:
        """Returns the rounds of the tournament."""
        return RoundsScreen(self.registry, self.database, self.number)


class RoundsScreen(StandingsScreen):
    """The pairings of a tournament, round by round, the last round first."""

    TITLES: ClassVar[tuple[str, ...]] = ("round", "board", "bots", "matches")

    def read(self) -> tuple[str, Rows]:
        """Returns the pairings of the tournament."""
        stored = tournament(self.database, self.number)
        rows: list[tuple[str, Sequence[object]]] = []
        for made in reversed(stored.rounds):
            for board, pairing in enumerate(made.pairings, 1):
                names = " · ".join(stored.names[index] for index in pairing.seats)
                sums = stored.sums.get((made.number, board))
                played = sums.matches if sums else 0
                rows.append((f"{made.number}.{board}", (made.number, board, names, played)))
        return f"Tournament {self.number}: rounds", rows

    def opened(self, key: str) -> Screen[None] | None:
        """Returns the matches of a pairing."""
        round, board = map(int, key.split("."))
        return MatchesScreen(self.registry, self.database, self.number, round, board)


class MatchesScreen(ListScreen):
    """The matches of a pairing."""

    TITLES: ClassVar[tuple[str, ...]] = ("match", "seats", "score", "ended by")

    def __init__(
        self, registry: Registry, database: Database, number: int, round: int, board: int
    ) -> None:
        super().__init__(registry, database)
        self._place = number, round, board

    def read(self) -> tuple[str, Rows]:
        """Returns the matches that are stored of the pairing."""
        number, round, board = self._place
        names = tournament(self.database, number).names
        rows = [
            (
                str(row.key.leg),
                (
                    f"{number}.{row.key}",
                    " · ".join(names[index] for index in row.seats),
                    score_text(row.scores),
                    row.termination.value,
                ),
            )
            for row, _ in matches(self.database, number, round, board)
        ]
        return f"Tournament {number}, round {round}, board {board}", rows

    def opened(self, key: str) -> Screen[None] | None:
        """Returns the replay of a match."""
        number, round, board = self._place
        key_of = MatchKey(round, board, int(key))
        return ReplayScreen(stored_match(self.registry, self.database, number, key_of))


class WatchApp(App[None]):
    """Shows the tournaments of a database, and follows whatever plays into it.

    Args:
        registry: Knows games and formats.
        database: The database.
        number: The tournament that is shown first.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("q,ctrl+c,ctrl+q", "quit", "quit")]
    CSS = """
    .head { height: 1; background: $panel; text-style: bold; }
    .keys { height: 1; background: $panel; }
    DataTable { height: 1fr; }
    """

    def __init__(self, registry: Registry, database: Database, number: int | None = None) -> None:
        super().__init__()
        self._plugins, self._database, self._number = registry, database, number

    def on_mount(self) -> None:
        """Shows the list, and the tournament above it; begins to follow the database."""
        self._changes = Changes(self._database)
        self._version = self._changes.version()
        self.push_screen(TournamentsScreen(self._plugins, self._database))
        if self._number is not None:
            self.push_screen(StandingsScreen(self._plugins, self._database, self._number))
        self.set_interval(POLL_SECONDS, self._look)

    def on_unmount(self, event: events.Unmount) -> None:
        """Closes the connection that follows the database."""
        self._changes.close()

    def _look(self) -> None:
        version = self._changes.version()
        if version != self._version:
            self._version = version
            if isinstance(self.screen, ListScreen):
                self.screen.refill()


def _cell(value: object) -> Text:
    """A cell as text: names are no markup; numbers stand at the right."""
    if isinstance(value, float):
        return Text(f"{value:g}", justify="right")
    return Text(str(value), justify="right" if isinstance(value, int) else "left")
