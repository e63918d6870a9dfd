"""The page of a table: the board with the player's rail, hints, and what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup
from msgspec import structs

from arena.core.scene import Face, Scene
from arena.core.table import Table as Rows
from arena.pages.boards import Board, Ending, board, draw_board
from arena.pages.cards import card_id
from arena.pages.page import Link
from arena.pages.steps import ending as verdict_ending
from arena.pages.templates import render
from arena.service.match.hints import action_hints, chances, hint_note
from arena.service.match.odds import PositionOdds
from arena.service.match.person import Request
from arena.service.match.replay_text import name_seats, result_of_seat
from arena.service.match.replays import replay_command
from arena.web.site.hand import hand_of
from arena.web.site.lists import Place
from arena.web.views.picker import picker_of
from arena.web.views.view import View

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.web.site.tables import Shown, Table

SCRIPTS, STYLES = ("table.js",), ("board.css", "play.css")
"""Files of a table, which other pages do not need."""
MAX_EVENTS = 200
"""Events that a table shows, the latest."""
COUNTS = ("no", "one", "two", "three", "four", "five")
"""Small numbers in words."""


class HintRow(msgspec.Struct, frozen=True):
    """A row of the hints: an action in words, and its cells."""

    action: str
    cells: Sequence[str]
    best: bool


def table_view(
    table: Table, game: AnyGame, place: Place, *, odds: PositionOdds | None = None, notice: str = ""
) -> View:
    """Shows a table as its player may see it.

    Args:
        odds: The odds of the decision, if the player has the hints open.
        notice: Why what the player sent was not done.
    """
    shown, wish = table.shown, table.wish
    heading = heading_of(table)
    request = shown.request
    return View(
        title=heading,
        description=f"A table: {heading}",
        template="table",
        values={
            "heading": heading.split(" \u2013 "),
            "crumb": _crumb(shown),
            "number": shown.number,
            "board": _board(table, place, notice),
            "request": request,
            "picker": picker_of(game, wish.ruleset) if request and request.offer else None,
            "events": [*reversed(shown.events[-MAX_EVENTS:])],
            "commitment": shown.commitment,
            "odds": odds,
            "notice": notice,
            "hints": _hints(odds, request, shown) if odds and request else None,
            "asks_hints": wish.hints and request is not None and request.offer is None,
            "held": bool(shown.held),
            "against": wish.against,
            "about": table.back[1],
            "left": round(table.seat.seconds_left) if request else None,
            "problem": shown.problem.message if shown.problem else "",
            "ended": _ended(table, place) if shown.match and not shown.held else None,
            "here": place.again(),
            "new": place.to("play", game=wish.game, ruleset=wish.ruleset),
            "over": shown.over,
        },
        section="/play",
        running=not shown.over and request is None,
        styles=STYLES,
        scripts=SCRIPTS,
    )


def heading_of(table: Table) -> str:
    """Returns the players: you and a bot, or the number of bots."""
    bots = [each for each in table.shown.labels if each != "You"] or [*table.wish.seats.bots]
    if len(bots) == 1:
        return f"You \u2013 {bots[0]}"
    return f"You and {COUNTS[len(bots)] if len(bots) < len(COUNTS) else len(bots)} bots"


def _crumb(shown: Shown) -> tuple[str, str]:
    """Returns game and ruleset, which may be cut where there is little room, and the part of it."""
    scene = shown.held[0] if shown.held else shown.scene
    title = scene.title if scene and not shown.over else ""
    return shown.title or "The table is being laid", title[:1].lower() + title[1:]


def _board(table: Table, place: Place, notice: str) -> Markup:
    shown, seat = table.shown, table.wish.seats.seat
    scene = shown.held[0] if shown.held else shown.scene
    if scene is None and shown.match:
        scene = Scene()  # no card was dealt
    if scene is None or not shown.labels:
        return Markup()
    ending = verdict_ending(scene.verdict, shown.labels, seat) if scene.verdict else None
    middle = None if shown.match and not shown.held else ending  # the rail says who won at last
    drawn = _yours(board(scene, shown.labels, say=shown.say, ending=middle), seat)
    rail = _rail(table, drawn, scene, ending, place, notice)
    return draw_board(drawn, seat, rail=rail)


def _yours(drawn: Board, seat: int) -> Board:
    """Returns a board that says of the player's seat that it is to move in words to the player."""
    own = drawn.seats[seat]
    if own.state != "turn":
        return drawn
    seats = [*drawn.seats]
    seats[seat] = structs.replace(own, word="your move")
    return structs.replace(drawn, seats=tuple(seats))


def _rail(
    table: Table, drawn: Board, scene: Scene, ending: Ending | None, place: Place, notice: str
) -> Markup:
    shown, seat = table.shown, table.wish.seats.seat
    request = None if shown.held else shown.request
    hand = hand_of(request, scene) if request else None
    return Markup(  # drawn by a template of ours
        render(
            "site/rail.html.jinja",
            me=drawn.seats[seat],
            facing=drawn.facing,
            hand=hand,
            cards=[] if hand is None else [(each, card_id(each.face)) for each in hand.cards],
            own=[] if hand else _own(scene, shown.zone, seat),
            worth=scene.zone(shown.zone, seat).worth,
            request=request,
            ending=ending,
            held=len(shown.held),
            after=_after(shown),
            ended=_ended(table, place) if shown.match and not shown.held else None,
            say=shown.say,
            notice=notice,
            here=place.again(),
        )
    )


def _own(scene: Scene, zone: str, seat: int) -> list[tuple[str, str]]:
    """Returns the own cards while nothing is asked: names, and their drawings."""
    return [(str(face), card_id(face)) for face in _open(scene, zone, seat)]


def _open(scene: Scene, zone: str, seat: int) -> list[Face]:
    return [face for face in scene.zone(zone, seat).cards if not face.hidden]


def _after(shown: Shown) -> str:
    """Returns the name of the next scene, such as a set."""
    after = shown.held[1] if len(shown.held) > 1 else shown.scene
    if after is None or after.verdict is not None or shown.held[:1] == (after,):
        return "Go on"
    return after.title.split(",")[0] or "Go on"


def _hints(odds: PositionOdds, request: Request, shown: Shown) -> dict[str, object]:
    actions = action_hints(odds, request.choices)
    others = chances(odds, request.choices)
    columns = [column for column in actions.columns[1:] if column.head]
    columns = [*columns[:2], *columns[2:][-1:]]  # the side has room for three
    rows = [
        HintRow(row["action"], [column.text(column.of(row)) for column in columns], row["best"])
        for row in actions.rows
    ]
    return {
        "heads": [column.heading for column in columns],
        "rows": rows,
        "others": _named(others, shown.labels),
        "note": hint_note(odds),
    }


def _named(table: Rows, labels: Sequence[str]) -> list[tuple[str, str]]:
    return [(name_seats(str(row["event"]), labels), str(row["odds"])) for row in table.rows]


def _ended(table: Table, place: Place) -> dict[str, object]:
    shown, match = table.shown, table.shown.match
    assert match is not None
    own = table.wish.seats.seat
    labels = shown.labels
    parts = [
        (held.verdict, [labels[seat] for seat in held.verdict.winners])
        for moment in match.moments()
        for held in moment.held
        if held.verdict is not None and held.verdict.over != "match"
    ]
    last = shown.scene
    kept = [
        (labels[seat], ", ".join(map(str, faces)))
        for seat in (last.seats if last else ())
        if last and seat != own and (faces := _open(last, shown.zone, seat))
    ]
    return {
        "result": result_of_seat(match.outcome, own),
        "back": place.to(*table.back[0].strip("/").split("/")) if table.back[0] else "",
        "cause": str(match.outcome.termination),
        "mistakes": shown.mistakes,
        "parts": parts,
        "kept": kept,
        "replay": place.to("m", match.number, view="all"),
        "number": match.number,
        "command": replay_command(int(match.number.partition(".")[0]), match.played.key),
    }


def table_link(table: Table, place: Place) -> Link:
    """Returns the link to a player's table."""
    return Link(heading_of(table), place.to("play", table.id))
