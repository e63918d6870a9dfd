"""Tournaments as they are played, in the terminal (``arena watch``)."""

from __future__ import annotations

from typing import ClassVar

from arena_results.file.changes import Changes
from arena_results.file.database import Database
from arena_results.store.queries import tournament, tournaments
from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Static

from arena.core.errors import ArenaError
from arena.core.record import MatchKey
from arena.core.table import Cell, Column, Row, Table, fitted
from arena.plugins.registry import Registry
from arena.service.match.listing import Wanted, find_matches, match_table
from arena.service.match.replays import stored_match
from arena.service.report.report import stored_report
from arena.service.report.standings import all_standings
from arena.service.report.tournament_rows import TOURNAMENTS, summary_row
from arena.tui.replay import ReplayScreen

POLL_SECONDS = 0.5
"""Seconds between two looks at the database."""
ROUNDS = (
    Column("round", "round", right=True),
    Column("board", "board", right=True),
    Column("names", "bots"),
    Column("matches", "matches", right=True),
)
"""The columns of pairings as they are played."""


class ListScreen(Screen[None]):
    """A table of rows, of which Enter opens one; it follows the database."""

    AUTO_FOCUS = "DataTable"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,backspace,left", "back", "back")]

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
        self.refill()

    def on_screen_resume(self) -> None:
        """Shows what changed while another screen stood above."""
        if self.is_mounted:
            self.refill()

    def refill(self) -> None:
        """Reads the rows again; the cursor stays where it is."""
        table = self.query_one(DataTable)
        cursor = table.cursor_row
        try:
            listed = self.read()
        except ArenaError as error:
            listed = Table(title=str(error), columns=(), rows=())
        self.query_one(".head", Static).update(f" {listed.title}")
        drawn, rows = listed.drawn()
        columns, _ = fitted(drawn, rows, self.app.size.width, cell_len)
        heads = [column.heading for column in columns]
        if heads != [str(each.label) for each in table.columns.values()]:
            table.clear(columns=True)
            table.add_columns(*heads)
        table.clear()
        for number, row in enumerate(rows):
            # Names are no markup.
            texts = (_text(column, row[column.key]) for column in columns)
            table.add_row(*texts, key=str(number))
        table.move_cursor(row=min(cursor, max(0, len(rows) - 1)))

    def read(self) -> Table:
        """Returns the list with the line above it."""
        raise NotImplementedError

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the screen of a row; ``None`` where there is nothing to open."""
        raise NotImplementedError

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Opens the row of the cursor."""
        screen = self.opened(event.cursor_row)
        if screen is not None:
            self.app.push_screen(screen)

    def action_back(self) -> None:
        """Goes back to the list that this one came from; the first stays."""
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()


class TournamentsScreen(ListScreen):
    """All tournaments, the last first."""

    def read(self) -> Table:
        """Returns the tournaments of the database."""
        self._rows = [*map(summary_row, reversed(tournaments(self.database)))]
        title = f"Tournaments of {self.database.path.name}"
        return Table(title=title, columns=TOURNAMENTS, rows=self._rows)

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the tournament of a row."""
        return StandingsScreen(self.registry, self.database, self._rows[number]["id"])


class StandingsScreen(ListScreen):
    """The standings of a tournament as they are now; Enter shows its pairings.

    Tab shows the next table: a section, or a stage and its sections.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "next", "next", priority=True)]

    def __init__(self, registry: Registry, database: Database, number: int) -> None:
        super().__init__(registry, database)
        self.number, self._shown = number, 0

    def action_next(self) -> None:
        """Shows the next of the tables; after the last the first."""
        self._shown += 1
        self.refill()

    def read(self) -> Table:
        """Returns the standings of the tournament."""
        stored = tournament(self.database, self.number)
        about = stored.summary
        head = f"Tournament {about.id} {about.name}: {about.status.value}, "
        head += f"round {len(stored.rounds)} of {about.rounds}, {about.matches} matches; "
        head += f"{about.game} {about.ruleset}, {about.format}"
        tables = all_standings(stored_report(self.registry, stored))
        shown = tables[self._shown % len(tables)]
        if len(tables) > 1:
            head = f"{shown.title} (Tab: next of {len(tables)} tables); {head}"
        return replace(shown, title=head)

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the rounds of the tournament."""
        return RoundsScreen(self.registry, self.database, self.number)


class RoundsScreen(StandingsScreen):
    """The pairings of a tournament, round by round, the last round first."""

    def read(self) -> Table:
        """Returns the pairings of the tournament."""
        stored = tournament(self.database, self.number)
        self._rows: list[Row] = [
            {
                "round": made.number,
                "board": board,
                "names": " – ".join(stored.names[index] for index in pairing.seats),
                "matches": sums.matches if (sums := stored.sums.get((made.number, board))) else 0,
            }
            for made in reversed(stored.rounds)
            for board, pairing in enumerate(made.pairings, 1)
        ]
        title = f"Tournament {self.number}: rounds"
        return Table(title=title, columns=ROUNDS, rows=self._rows)

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the matches of a pairing."""
        row = self._rows[number]
        wanted = Wanted(tournament=self.number, round=row["round"], pairing=row["board"])
        return MatchesScreen(self.registry, self.database, wanted)


class MatchesScreen(ListScreen):
    """The matches of a pairing."""

    def __init__(self, registry: Registry, database: Database, wanted: Wanted) -> None:
        super().__init__(registry, database)
        self._wanted = wanted

    def read(self) -> Table:
        """Returns the matches that are stored of the pairing."""
        _, rows = find_matches(self.database, self._wanted)
        self._rows, wanted = [*rows], self._wanted
        title = f"Tournament {wanted.tournament}, round {wanted.round}, board {wanted.pairing}"
        return match_table(title, self._rows)

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the replay of a match."""
        row = self._rows[number]
        key = MatchKey(row["round"], row["pairing"], row["leg"])
        return ReplayScreen(stored_match(self.registry, self.database, row["tournament"], key))


class WatchApp(App[None]):
    """Shows the tournaments of a database, that of the number first, and follows their progress."""

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


def _text(column: Column, cell: Cell) -> Text:
    return Text(column.text(cell), justify="right" if column.right else "left")
