"""Tournaments as they are played, in the terminal (``arena watch``)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import ClassVar

from arena_results.file.changes import Changes
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_results.store.queries import tournament, tournaments
from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import DataTable, Static

from arena.core.errors import ArenaError
from arena.core.record import MatchKey
from arena.core.table import Cell, Column, Row, Table, fitted
from arena.core.tournaments.format import Round
from arena.plugins.registry import Registry
from arena.service.match.listing import Wanted, find_matches, match_table
from arena.service.match.replay_text import seat_labels
from arena.service.match.replays import Match, stored_match
from arena.service.report.comparing.verdict import verdict
from arena.service.report.filed.tournament_rows import TOURNAMENTS, summary_row
from arena.service.report.report import stored_report
from arena.service.report.tables.standings import all_standings, plain
from arena.tui.board import draw
from arena.tui.replay import ReplayScreen

WIDE, ASIDE = 110, 54
"""Columns of a window that shows more next to a table, and of that part."""
POLL_SECONDS = 0.5
"""Seconds between two looks at the database."""
MAX_MATCHES = 60
"""Matches of a pairing that are listed next to it."""
ROUNDS = (
    Column("round", "round", right=True),
    Column("board", "board", right=True),
    Column("names", "bots"),
    Column("matches", "matches", right=True),
)
"""The columns of pairings as they are played."""


class ListScreen(Screen[None]):
    """A table of rows, of which Enter opens one; it follows the database.

    When nothing can be read, a line above the rows says why, and they stay.
    """

    app: WatchApp
    AUTO_FOCUS = "DataTable"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,backspace,left", "back", "back")]

    def __init__(self, registry: Registry, database: Database) -> None:
        super().__init__()
        self.registry, self.database = registry, database
        self._filled = False

    def compose(self) -> ComposeResult:
        """Builds the title, the table, the details of its row, and the keys."""
        yield Static(classes="head", markup=False)
        with Horizontal():
            yield DataTable(cursor_type="row", zebra_stripes=True)
            with VerticalScroll(classes="aside", can_focus=False):
                yield Static(classes="about", markup=False)
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
        if not self.query(DataTable):
            return  # the screen is being closed
        if self.app.problem:
            self.show_title(f"{self.app.problem}; waiting for it")
            return
        table = self.query_one(DataTable)
        cursor = table.cursor_row
        try:
            listed = self.read()
        except ArenaError as error:
            self.show_title(str(error))
            return
        self._filled = True
        self.show_title(listed.title)
        drawn, rows = listed.drawn()
        wide = self.app.size.width >= WIDE
        columns, _ = fitted(drawn, rows, self.app.size.width - wide * ASIDE, cell_len)
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
        self.query_one(".aside").display = wide
        self.show_about()

    def show_title(self, title: str) -> None:
        """Shows the line above the table."""
        self.query_one(".head", Static).update(f" {title}")

    def show_about(self) -> None:
        """Shows details of the cursor's row next to the table, if the window is wide."""
        if self.app.size.width >= WIDE and self._filled and not self.app.problem:
            row = self.query_one(DataTable).cursor_row
            try:
                about = self.about(row)
            except (ArenaError, IndexError) as error:
                about = Text(str(error))
            self.query_one(".about", Static).update(about)

    def about(self, number: int) -> Text:
        """Returns the text next to the table, in a wide window."""
        return Text()

    def on_resize(self, event: events.Resize) -> None:
        """Fits the table to the new size."""
        if self.is_mounted:
            self.call_after_refresh(self.refill)

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Shows what belongs to the row."""
        self.show_about()

    def read(self) -> Table:
        """Returns the list with the line above it."""
        raise NotImplementedError

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the screen of a row; ``None`` where there is nothing to open."""
        raise NotImplementedError

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Opens the row of the cursor."""
        if self.app.problem:
            return  # the line above says so
        try:
            screen = self.opened(event.cursor_row)
        except ArenaError as error:
            self.show_title(str(error))
            return
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
        title = f"Tournaments of {self.database.name}"
        return Table(title=title, columns=TOURNAMENTS, rows=self._rows)

    def about(self, number: int) -> Text:
        """Returns the result of the tournament so far, and its standings."""
        report = stored_report(self.registry, tournament(self.database, self._rows[number]["id"]))
        lines = [f"{line.rank:>3}  {line.name}" for line in report.table]
        return Text("\n").join([Text(verdict(report), "bold"), Text(""), *map(Text, lines)])

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
        report = self._report = stored_report(self.registry, stored)
        tables = [*map(plain, all_standings(report))]
        shown = tables[self._shown % len(tables)]
        if len(tables) > 1:
            head = f"{shown.title} (Tab: next of {len(tables)} tables); {head}"
        return replace(shown, title=head)

    def about(self, number: int) -> Text:
        """Returns the result so far, and the pairings of the last round."""
        stored = self._report.stored
        text = Text(verdict(self._report), "bold")
        if stored.rounds:
            text.append(f"\n\nRound {stored.rounds[-1].number}\n", "bold")
            for row in _pairings(stored, stored.rounds[-1]):
                text.append(f"{row['board']:>3}  {row['names']}: {row['matches']} played\n", "")
        return text

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the rounds of the tournament."""
        return RoundsScreen(self.registry, self.database, self.number)


class RoundsScreen(StandingsScreen):
    """The pairings of a tournament, round by round, the last round first."""

    def read(self) -> Table:
        """Returns the pairings of the tournament."""
        stored = tournament(self.database, self.number)
        rounds = reversed(stored.rounds)
        self._rows: list[Row] = [row for made in rounds for row in _pairings(stored, made)]
        title = f"Tournament {self.number}: rounds"
        return Table(title=title, columns=ROUNDS, rows=self._rows)

    def about(self, number: int) -> Text:
        """Returns the matches of the pairing, a line each."""
        row = self._rows[number]
        wanted = Wanted(tournament=self.number, round=row["round"], pairing=row["board"])
        _, found = find_matches(self.database, wanted)
        with closing(found):
            lines = [Text(_match_line(each)) for each in islice(found, MAX_MATCHES)]
        return Text("\n").join([Text(row["names"], "bold"), Text(""), *lines])

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

    def about(self, number: int) -> Text:
        """Returns the table at the end of the match."""
        match = self._match(number)
        if not (moments := match.moments()):
            return Text("The match ended before the deal.")
        last = moments[-1]
        scene = last.held[-1] if last.held else last.scene
        return draw(scene, seat_labels(match.names), None, ASIDE - 3)

    def opened(self, number: int) -> Screen[None] | None:
        """Returns the replay of a match."""
        return ReplayScreen(self._match(number))

    def _match(self, number: int) -> Match:
        row = self._rows[number]
        key = MatchKey(row["round"], row["pairing"], row["leg"])
        return stored_match(self.registry, self.database, row["tournament"], key)


class WatchApp(App[None]):
    """Shows the tournaments of a database, that of the number first, and follows their progress.

    Attributes:
        problem: Why the database cannot be read now; empty when it can.

    Raises:
        BadStore: It cannot be followed.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("q,ctrl+c,ctrl+q", "quit", "quit")]
    CSS = """
    .head { height: auto; max-height: 3; background: $panel; text-style: bold; }
    .keys { height: 1; background: $panel; }
    DataTable { height: 1fr; width: 1fr; }
    .aside { width: 54; border-left: solid $panel-lighten-2; padding: 0 0 0 1; }
    """

    def __init__(self, registry: Registry, database: Database, number: int | None = None) -> None:
        super().__init__()
        self._plugins, self._database, self._number = registry, database, number
        self._changes = Changes(database)
        self._version = self._changes.version()
        self.problem = ""

    def on_mount(self) -> None:
        """Shows the list, and the tournament above it."""
        self.push_screen(TournamentsScreen(self._plugins, self._database))
        if self._number is not None:
            self.push_screen(StandingsScreen(self._plugins, self._database, self._number))
        self.set_interval(POLL_SECONDS, self._look)

    def on_unmount(self, event: events.Unmount) -> None:
        """Closes the connection that follows the database."""
        self._changes.close()

    def _look(self) -> None:
        before, problem = (self._version, self.problem), ""
        try:
            self._version = self._changes.version()
        except ArenaError as error:
            problem = str(error)
        self.problem = problem
        if (self._version, problem) != before and isinstance(self.screen, ListScreen):
            self.screen.refill()


def _pairings(stored: StoredTournament, made: Round) -> Iterator[Row]:
    for board, pairing in enumerate(made.pairings, 1):
        sums = stored.sums.get((made.number, board))
        yield {
            "round": made.number,
            "board": board,
            "names": " – ".join(stored.names[index] for index in pairing.seats),
            "matches": sums.matches if sums else 0,
        }


def _match_line(row: Row) -> str:
    scores = [str(row[f"score{seat}"]) for seat in range(len(row)) if f"score{seat}" in row]
    return f"{row['leg']:>4}  {' : '.join(scores)}  {row['winner'] or 'drawn'}"


def _text(column: Column, cell: Cell) -> Text:
    return Text(column.text(cell), justify="right" if column.right else "left")
