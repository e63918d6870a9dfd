"""The replay of a match in the terminal, with a slider."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from arena.service.match.replay_text import name_seats, outcome_lines, parts, seat_labels
from arena.service.match.replays import Match
from arena.tui.board import draw


class Slider(Static):
    """The place within a match; a click moves there."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    def draw(self, at: int, last: int) -> None:
        """Draws the place of a position among all."""
        width = max(2, self.size.width - 2)
        spot = round(at / max(1, last) * (width - 1))
        self.update(f" {'━' * spot}●{'─' * (width - 1 - spot)}")


class ReplayScreen(Screen[None]):
    """Steps through a match, which does not change, from any seat's view."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("right,space,n", "move(1)", "on"),
        ("left,p", "move(-1)", "back"),
        ("home,g", "end(False)", "begin"),
        ("end,G", "end(True)", "end"),
        ("right_square_bracket", "part(1)", "next set or hand"),
        ("left_square_bracket", "part(-1)", "last set or hand"),
        ("v", "view", "view"),
        ("escape,backspace", "app.pop_screen", "back"),
    ]
    DEFAULT_CSS = """
    ReplayScreen .middle { height: 1fr; }
    ReplayScreen .board { width: 1fr; }
    ReplayScreen .beside { width: 30; border-left: solid $panel-lighten-2; padding: 0 0 0 1; }
    ReplayScreen Slider { height: 1; }
    """
    at: reactive[int] = reactive(0, init=False)

    def __init__(self, match: Match) -> None:
        super().__init__()
        self._match, self._labels = match, seat_labels(match.names)
        self._views = ["all", "public", *(f"seat{seat}" for seat in range(len(match.names)))]
        self._look("all")

    def _look(self, view: str) -> None:
        self._view = view
        self._own = int(view.removeprefix("seat")) if view.startswith("seat") else None
        self._replay = self._match.replay(view)
        self._steps = self._replay.steps()

    def compose(self) -> ComposeResult:
        """Builds the board, the events next to it, the slider and the keys."""
        yield Static(classes="head", markup=False)
        with Horizontal(classes="middle"):
            with VerticalScroll(classes="board"):
                yield Static(id="board", markup=False)
            with VerticalScroll(classes="beside"):
                yield Static(id="beside", markup=False)
        yield Slider()
        yield Static(
            " ←→ moves │ Home End │ [ ] sets, hands │ v view │ Esc back │ q quit",
            classes="keys",
            markup=False,
        )

    def on_resize(self, event: events.Resize) -> None:
        """Draws again in the new size."""
        self.call_after_refresh(self.watch_at)

    @property
    def _last(self) -> int:
        return max(0, len(self._steps) - 1)

    def watch_at(self) -> None:
        """Draws the position, or an end before it."""
        index, board = 0, Text("The match ended before the deal.")
        columns = self.query_one(".board").size.width - 2
        lines: list[str] = []
        if self._steps:
            index, number, scene = self._steps[self.at]
            moment = self._replay.moments[index]
            board = draw(scene, self._labels, self._own, columns)
            lines = [name_seats(event, self._labels) for event in moment.told[number]]
            if moment.seat is not None and scene.verdict is None:
                lines += ["", f"> {self._labels[moment.seat]} decides: {moment.action}"]
        if self.at == self._last:
            lines += ["", *outcome_lines(self._replay, self._match.names)]
        last = max(0, len(self._replay.moments) - 1)
        head = f" Match {self._match.number}, move {index} of {last}, view {self._view}: "
        self.query_one(".head", Static).update(head + " · ".join(self._labels))
        self.query_one(Slider).draw(self.at, self._last)
        self.query_one("#board", Static).update(board)
        self.query_one("#beside", Static).update("\n".join(lines))

    def on_click(self, event: events.Click) -> None:
        """Moves to the place of the slider that was clicked."""
        if isinstance(event.widget, Slider):
            width = max(2, event.widget.size.width - 2)
            self.at = min(self._last, max(0, round((event.x - 1) / (width - 1) * self._last)))

    def action_move(self, step: int) -> None:
        """Moves forward or back by that many scenes."""
        self.at = min(max(0, self.at + step), self._last)

    def action_end(self, last: bool) -> None:
        """Goes to the end, or to the begin."""
        self.at = self._last if last else 0

    def action_part(self, step: int) -> None:
        """Goes to the next set or hand, or to the one before."""
        begins = {start for start, _ in parts(self._replay.moments)}
        starts = [
            at
            for at, (index, _, scene) in enumerate(self._steps)
            if index in begins and scene.verdict is None
        ]
        there = [start for start in starts if (start > self.at if step > 0 else start < self.at)]
        if there:
            self.at = there[0] if step > 0 else there[-1]

    def action_view(self) -> None:
        """Looks from the next point of view."""
        turn = self._views.index(self._view) + 1
        self._look(self._views[turn % len(self._views)])
        self.watch_at()
