"""The table in the terminal: a person plays a match against bots (``arena play``)."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar

from arena_results.store.queries import summary
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ItemGrid, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Static

from arena.core.choices import Choice
from arena.core.errors import ArenaError, BadInput
from arena.core.record import MatchKey
from arena.core.scene import Scene, split_events
from arena.service.match.odds import odds_text
from arena.service.match.person import HumanSeat, Request
from arena.service.match.person_choices import label, labels, letters, numbered
from arena.service.match.replay_text import (
    name_seats,
    outcome_lines,
    result_of_seat,
    seat_labels,
    told,
)
from arena.service.match.replays import Match, replay_command
from arena.service.run.run import Run
from arena.tui.board import draw
from arena.tui.dialogs import Question, TextScreen
from arena.tui.line import AnswerLine
from arena.tui.messages import Asked, Began, Ended
from arena.tui.table import Table

SHORT_SECONDS = 120
"""Seconds for a decision from which on the screen shows how many are left."""
YOU = "You"
"""The label of the person's own seat."""
OWN = "hl?q"
"""Keys that keep their meaning at the end of a set or hand; any other continues."""
HELP = """\
1 2 3 ...    take the action of that number (two digits where there are more than nine)
a letter     take the action that alone begins with it: e end turn, s stand, f fold
Tab, Enter   walk the buttons, and press one
an amount    type it within its bounds, Enter puts it, Esc takes it back
a line       Enter sends it, Esc leaves it for the other keys, Enter goes back to it
h            exact odds of this decision (with --hints)
l            everything that has happened
any key      after a set or hand: go on from its end
r            after the match: the same deal again, with the seats moved by one
q            leave: during a match that loses it; it is stored, and can be replayed

Cards that lie face down are ▒▒. ▶ marks who is to act, ● what holds for a seat.
On a table, 3* is a card that counts 3 and is named otherwise."""


class PlayApp(App[None]):
    """Plays match after match at one table, beginning with the given one.

    Attributes:
        closing: Lines for after the last match: its result, and the command that replays it.
        error: The reason for which a match could not be played.
    """

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        ("h", "hints", "odds"),
        ("l", "log", "log"),
        ("question_mark", "help", "help"),
        ("q", "leave", "leave"),
        Binding("ctrl+c,ctrl+q", "leave", "leave", priority=True),  # also while a line is typed
    ]
    CSS = """
    #head { height: auto; max-height: 3; background: $panel; text-style: bold; }
    #middle { height: 1fr; }
    #table { width: 1fr; padding: 0 1 0 0; }
    #events { width: 27; border-left: solid $panel-lighten-2; padding: 0 0 0 1; }
    #events Static { width: 1fr; }
    #actions {
        height: auto; max-height: 5; border-top: solid $panel-lighten-2;
        /* Else the bar and the columns change each other for ever. */
        scrollbar-gutter: stable; scrollbar-size-horizontal: 0;
    }
    #actions ItemGrid { height: auto; grid-gutter: 0 1; }
    #actions Button { width: 1fr; min-width: 8; height: 1; text-align: left; }
    #amount { height: 1; border: none; }
    #status { height: 1; background: $panel; }
    #hints { display: none; width: 34; border-left: solid $panel-lighten-2; padding: 0 0 0 1; }
    PlayApp.wide #events { width: 44; }
    PlayApp.wide.hinted #events { width: 34; }
    PlayApp.wide.hinted #hints { display: block; }
    """

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table
        self._seat, self._line = HumanSeat(), AnswerLine(id="amount")
        self._run: Run | None = None
        self._labels: list[str] = []
        self._request: Request | None = None
        self._match: Match | None = None
        self._amount: Choice | None = None
        self._typed = self._notice = ""
        self._happened: list[str] = []
        self._scene: Scene | None = None
        self._held: list[Scene] = []
        self._later: list[list[str]] = []
        """The events after each scene at which the match stops."""
        self._hint = (0, "")
        self.closing = ""
        self.error: BaseException | None = None

    def compose(self) -> ComposeResult:
        """Builds the table, the events and the odds next to it, and the actions below."""
        yield Static(id="head", markup=False)
        with Horizontal(id="middle"):
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="board", markup=False)
            with VerticalScroll(id="events", can_focus=False):
                yield Static(id="happened", markup=False)
            with VerticalScroll(id="hints", can_focus=False):
                yield Static(id="odds", markup=False)
        with VerticalScroll(id="actions", can_focus=False):
            yield ItemGrid(id="buttons", min_column_width=17)
        yield self._line
        yield Static(id="status", markup=False)

    def on_mount(self) -> None:
        """Begins the first match."""
        self.set_class(self._table.hints, "hinted")
        self.set_interval(1, self._tick)
        self._begin(self._table)

    def on_unmount(self) -> None:
        """Leaves the table where the application ends otherwise, so that its thread ends."""
        self._seat.leave()

    def on_resize(self, event: events.Resize) -> None:
        """Uses the width of a wide terminal."""
        self.set_class(event.size.width >= 100, "wide")
        self.call_after_refresh(self._draw)

    def _begin(self, table: Table) -> None:
        self._table, self._match, self._request, self._run = table, None, None, None
        self._happened = []
        self._scene = None
        self._held = []
        self._hint = (0, "")
        self._seat = HumanSeat(
            lambda request: self.post_message(Asked(request)), table.seats.seconds
        )
        self._play(table, self._seat)

    @work(thread=True, exclusive=True)
    def _play(self, table: Table, seat: HumanSeat) -> None:
        try:
            match = table.play(seat, lambda run: self.post_message(Began(run)))
        except (ArenaError, BaseExceptionGroup) as error:
            self.post_message(Ended(None, error))
        else:
            self.post_message(Ended(match))

    def on_began(self, message: Began) -> None:
        """Shows the players."""
        run = self._run = message.run
        self._labels = seat_labels(run.resolved.names)
        self._labels[self._table.seats.seat] = YOU
        title = self._table.note or f"{run.resolved.game.name} {run.resolved.ruleset.name}"
        self.query_one("#head", Static).update(f" {title}: {' · '.join(self._labels)}")
        self._status("")

    async def on_asked(self, message: Asked) -> None:
        """Shows the table and the actions of a decision."""
        request = self._request = message.request
        self._scene = request.scene or self._scene
        labels, own = self._labels, self._table.seats.seat
        new = [told(event, labels, own) for event in request.events]
        now, *self._later = map(list, split_events(new, request.held))
        self._happened += now
        self._held = list(request.held)
        await self._show()

    async def _show(self) -> None:
        """Shows each end, and then the question, or the choices after the match."""
        self._draw()
        request = self._request
        if self._held:
            await self._buttons(["go on"])
            self._status("any key: go on")
        elif request is None:
            again = ["r  same deal, seats moved"] if self._table.playing is None else []
            await self._buttons([*again, "q  quit"])
            self._status(self.closing.partition("\n")[0])
        elif request.offer is None:
            await self._buttons(labels(request.choices))
            self._status("")
        else:
            await self._buttons([])
            self._line.ask(request.suggestion, digits=False)
            self._status("Enter brings these cards; or type others, or the name of a deck")

    async def on_ended(self, message: Ended) -> None:
        """Shows the whole table and the result."""
        self._request = None
        self._amount = None
        self._line.close()
        match = self._match = message.match
        if match is None:
            self.exit()
            self.error = message.error
            return
        replay = match.replay()
        seen = match.moments(f"seat{self._table.seats.seat}")
        result = result_of_seat(match.outcome, self._table.seats.seat)
        labels, own = self._labels, self._table.seats.seat
        held = replay.moments[-1].held if replay.moments else ()
        self._held, self._scene = list(held[:-1]), held[-1] if held else None
        known = [[told(each, labels, own) for each in moment.events] for moment in seen]
        now, *later = map(list, split_events(known.pop() if known else [], self._held))
        _, *causes = outcome_lines(replay, self._labels)
        you = f"{YOU} (seat {own})"
        closing = ["", result, *(line.replace(you, YOU) for line in causes)]
        brought = [each for each in replay.seats if each.loadout]
        closing += [f"{self._labels[each.seat]}: {each.loadout}" for each in brought]
        command = f"{replay_command(*_place(match))}{self._table.database.option}"
        self.closing = f"{result}\nReplay it: {command}"
        closing += ["", f"Replay it: {command}"]
        (later[-1] if later else now).extend(closing)
        self._happened, self._later = [*chain.from_iterable(known), *now], later
        await self._show()

    def _draw(self) -> None:
        if self._scene is not None and self._labels:
            columns = self.query_one("#table").size.width - 2
            scene = self._held[0] if self._held else self._scene
            board = draw(scene, self._labels, self._table.seats.seat, columns)
        elif self._request is not None and self._request.offer is not None:
            board = _offer(self._request)
        else:
            board = Text("")
        self.query_one("#board", Static).update(board)
        self.query_one("#happened", Static).update("\n".join(self._happened[-200:]))
        self.query_one("#odds", Static).update(self._odds())
        box = self.query_one("#events", VerticalScroll)
        box.call_after_refresh(box.scroll_end, animate=False)

    def _odds(self) -> str:
        """Returns the odds of the decision, if they fit next to the events."""
        request = self._request
        shown = self.has_class("wide") and self.has_class("hinted") and not self._held
        if not shown or request is None or request.offer is not None:
            return ""
        if self._hint[0] != request.number:
            try:
                cards, _, actions = odds_text(self._seat.odds()).partition("\n\n")
                text = name_seats(f"{actions}\n\n{cards}".strip(), self._labels)
            except BadInput as error:
                text = str(error)
            self._hint = (request.number, f"Odds, by what you see\n\n{text}")
        return self._hint[1]

    async def _buttons(self, texts: list[str]) -> None:
        grid = self.query_one("#buttons", ItemGrid)
        await grid.remove_children()
        buttons = [
            Button(Content(text), compact=True, name=str(number))  # names are no markup
            for number, text in enumerate(texts, 1)
        ]
        await grid.mount(*buttons)
        self._typed = ""

    def _status(self, text: str) -> None:
        self._notice = text
        keys = "? help  l log  q leave" if self._match is None else "? help  l log"
        if isinstance(self.focused, Input):
            keys = "Esc: keys"
        hints = "  h odds" if self._table.hints and self._match is None else ""
        turn = "your turn  " if self._request is not None else ""
        self.query_one("#status", Static).update(
            f" {text or turn.strip() or 'wait'} │ {keys}{hints}{self._time_left()}"
        )

    def _time_left(self) -> str:
        """Returns the remaining time for the decision, when that is not much."""
        left = round(self._seat.seconds_left)
        if self._request is None or left > SHORT_SECONDS:
            return ""
        return f" │ {left // 60}:{left % 60:02} left"

    def _tick(self) -> None:
        if self._time_left():
            self._status(self._notice)

    def _leave_line(self) -> None:
        """Undoes an amount; a line that must be answered waits for Enter."""
        if self._amount is not None:
            self._amount = None
            self._line.close()
            self._status("")
        elif self._line.asked:
            self.set_focus(None)
            self._status("Enter: type again")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Sends the amount or the loadout that was typed."""
        text = event.value.strip()
        if self._amount is None:
            self._send(text)
            return
        bounds = f"{self._amount.least} to {self._amount.most}"
        least, most = self._amount.least or 0, self._amount.most or 0
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            self._status(f"an amount from {bounds}, not {text[:12]!r}")
            return
        self._send(self._amount.text.format(int(text)))

    def _send(self, answer: str) -> None:
        """Answers the question; an answer that is refused is shown, and asked again."""
        try:
            self._seat.answer(answer)
        except BadInput as error:
            self._status(str(error))
            return
        self._amount = None
        self._line.close()
        self._request = None
        self._status("")

    async def _take(self, index: int) -> None:
        if self._held:
            self._held.pop(0)
            self._happened += self._later.pop(0)
            await self._show()
        elif self._match is not None:
            await self._after(index)
        elif self._request is not None and self._request.offer is None:
            choice = self._request.choices[index]
            if choice.least is None:
                self._send(choice.text)
                return
            self._amount = choice
            self._line.ask(str(choice.least), digits=True)
            self._status(f"{label(choice)}: type the amount, Enter puts it")

    async def _after(self, index: int) -> None:
        if index or self._table.playing is not None:
            self.exit()
            return
        match = self._match
        assert match is not None
        key = summary(self._table.database, _place(match)[0]).key
        await self._buttons([])
        self._begin(self._table.turned(key))

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """Takes the action of a button."""
        await self._take(int(event.button.name or 1) - 1)

    async def on_key(self, event: events.Key) -> None:
        """Takes the action of a number or a letter; Esc takes back an amount."""
        if len(self.screen_stack) > 1:
            return
        if event.key == "escape":
            self._leave_line()
        if isinstance(self.focused, Input):
            return
        if event.key == "enter" and self._line.asked:
            self.set_focus(self._line)
            self._status("Enter sends the line")
            return
        character = event.character or ""
        if self._held:
            pressed = event.key == "enter" and isinstance(self.focused, Button)
            typed = character.isprintable() and character not in OWN
            if not pressed and (event.key == "enter" or typed):
                await self._take(0)
        elif self._match is not None:
            if character == "r" and self._table.playing is None:
                await self._after(0)
        elif self._request is not None and self._request.offer is None:
            await self._typed_key(event.key, character, self._request.choices)

    async def _typed_key(self, key: str, character: str, choices: tuple[Choice, ...]) -> None:
        if key == "enter" and self._typed:
            index, self._typed = int(self._typed) - 1, ""
            await self._take(index)
        elif character.isascii() and character.isdecimal():
            found, self._typed = numbered(self._typed + character, len(choices))
            self._status(f"action {self._typed}_: another digit, or Enter" if self._typed else "")
            if found is not None:
                await self._take(found)
        elif character in letters(choices):
            await self._take(letters(choices)[character])

    def action_help(self) -> None:
        """Shows the keys."""
        self.push_screen(TextScreen("Keys", HELP))

    def action_log(self) -> None:
        """Shows everything that has happened."""
        commitment = self._run and self._run.stored.summary.commitment
        about = [f"Commitment to the key of the deal: {commitment}", ""] if commitment else []
        self.push_screen(TextScreen("All that has happened", "\n".join([*about, *self._happened])))

    def action_hints(self) -> None:
        """Shows the odds of the decision, if that was asked for."""
        if not self._table.hints:
            self._status("odds are shown with --hints")
        elif self._request is not None:
            try:
                odds = self._seat.odds()
            except BadInput as error:
                self._status(str(error))
            else:
                shown = name_seats(odds_text(odds), self._labels)
                self.push_screen(TextScreen("Odds, by what you see", shown))

    def action_leave(self) -> None:
        """Leaves: after the match at once, before its end when that is affirmed."""
        if self._match is not None or self._run is None:
            self._seat.leave()
            self.exit()
            return

        def leave(sure: bool | None) -> None:
            if sure:
                self._seat.leave()

        self.push_screen(Question("Leave the table? The match is lost."), leave)


def _place(match: Match) -> tuple[int, MatchKey]:
    return int(match.number.partition(".")[0]), match.played.key


def _offer(request: Request) -> Text:
    offer = request.offer or {}
    text = Text("Choose what you bring\n", "bold")
    for name, value in offer.items():
        if name != "seat" and not isinstance(value, bool):
            words = "  ".join(map(str, value)) if isinstance(value, list) else str(value)
            text.append(f"\n{name}\n", "dim")
            text.append(f"  {words}\n")
    return text
