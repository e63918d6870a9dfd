"""The pages of play: the choice of a match, and a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from arena.core.errors import UnknownName
from arena.core.game import Ruleset
from arena.pages.boards import board, draw_board
from arena.pages.page import Fact, Link
from arena.service.bots.games import option_descriptions
from arena.service.bots.games import options as game_options
from arena.service.match.person import Choice, Request
from arena.service.match.person_choices import label, letters
from arena.service.match.replay_text import outcome_lines, result_of_seat
from arena.service.match.replays import replay_command
from arena.web.site.lists import Place
from arena.web.site.site import Site
from arena.web.views.view import View, trail

if TYPE_CHECKING:
    from arena.web.site.tables import Table, Tables

SCRIPTS, STYLES = ("table.js",), ("board.css", "play.css")
"""Files of a table, besides those of every page."""
MAX_EVENTS = 200
"""Events that a table shows, the latest."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """An action as a button.

    Attributes:
        number: Its number, from 1: its key.
        letter: Its letter; empty if it has none.
        least: The least amount, where there are amounts.
        most: The greatest.
    """

    number: int
    text: str
    letter: str = ""
    least: int | None = None
    most: int | None = None


def choice_view(
    site: Site, tables: Tables, place: Place, own: Sequence[Table], refused: str = ""
) -> View:
    """Shows the form of a new match, and the player's tables.

    Args:
        refused: Why the match that the form describes cannot be played.

    Raises:
        UnknownName: There is no such game.
    """
    games = {game.name: game for game in site.registry.games()}
    name = place.query.get("game", next(iter(games)))
    if name not in games:
        raise UnknownName("game", name, games)
    game = games[name]
    rulesets = list(game.rulesets.values())
    row, _, options = place.query.get("ruleset", "").partition("(")
    return View(
        title="Play",
        description=f"Play {' or '.join(games)} against bots",
        template="play",
        values={
            "action": place.to("play"),
            "refused": refused,
            "game": game,
            "games": [
                Link(each, place.to("play", game=each), each == name) for each in games
            ],
            "rulesets": rulesets,
            "how_to_play": _paragraphs(game.how_to_play),
            "ruleset": row,
            "options": options.removesuffix(")"),
            "meanings": _meanings(rulesets[0]),
            "example": _example(rulesets[0]),
            "bots": tables.opponents(name),
            "chosen": place.query.get("bots", "").split(" "),
            "hints": "hints" in place.query,
            "least": min(game.seats) - 1,
            "most": max(game.seats) - 1,
            "own": [
                (Link(_heading(each), place.to("play", each.id)), each.shown.over) for each in own
            ],
            "minutes": site.settings.limits.think_seconds / 60,
        },
        trail=trail(place, ("Play", "")),
        section="/play",
        styles=("play.css",),
    )  # fmt: skip


def _paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a text; a line that is indented continues with the one before."""
    return re.sub(r"\n +", " ", text).splitlines()


def _meanings(ruleset: Ruleset) -> list[tuple[str, str]]:
    meanings = option_descriptions(type(ruleset))
    return [
        (f"{name}={str(value).lower()}", meanings.get(name, ""))
        for name, value in game_options(ruleset).items()
    ]


def _example(ruleset: Ruleset) -> str:
    return ",".join([text for text, _ in _meanings(ruleset)[:2]])


def _heading(table: Table) -> str:
    shown = table.shown
    return (
        " – ".join(shown.labels) or f"{table.wish.game} against {', '.join(table.wish.seats.bots)}"
    )


def table_view(table: Table, place: Place, *, odds: str = "", notice: str = "") -> View:
    """Shows a table as its player may see it.

    Args:
        odds: The odds of the decision, if they were asked for.
        notice: Why what the player sent was not done.
    """
    shown, wish = table.shown, table.wish
    seat, request = wish.seats.seat, shown.request
    scenes = shown.match.scenes() if shown.match else ()  # none where no card was dealt
    scene = scenes[-1] if scenes else shown.scene
    drawn = draw_board(board(scene, shown.labels), seat) if scene and shown.labels else ""
    heading = _heading(table)
    return View(
        title=heading,
        description=f"A table: {heading}",
        template="table",
        values={
            "heading": heading,
            "title": shown.title,
            "number": shown.number,
            "board": drawn,
            "request": request,
            "offer": _offer(request),
            "actions": _actions(request.choices) if request else [],
            "events": shown.events[-MAX_EVENTS:],
            "count": len(shown.events),
            "commitment": shown.commitment,
            "odds": odds,
            "notice": notice,
            "hints": wish.hints,
            "left": round(table.seat.seconds_left) if request else None,
            "problem": shown.problem.message if shown.problem else "",
            "ending": _ending(table, place) if shown.match else None,
            "here": place.again(),
            "new": place.to("play", game=wish.game, ruleset=wish.ruleset),
        },
        trail=trail(place, ("Play", place.to("play")), (heading, "")),
        section="/play",
        running=not shown.over and request is None,
        styles=STYLES,
        scripts=SCRIPTS,
    )


def _actions(choices: Sequence[Choice]) -> list[Action]:
    keys = {index: letter for letter, index in letters(choices).items()}
    return [
        Action(
            number=index + 1,
            text=label(choice),
            letter=keys.get(index, ""),
            least=choice.least,
            most=choice.most,
        )
        for index, choice in enumerate(choices)
    ]


def _offer(request: Request | None) -> list[Fact]:
    offer = (request and request.offer) or {}
    return [
        Fact("size" if name == "sizes" else name, _offered(name, value))
        for name, value in offer.items()
        if name != "seat" and not isinstance(value, bool)
    ]


def _offered(name: str, value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    if name == "sizes":  # the least and the greatest number of cards
        return " to ".join(dict.fromkeys(f"{each} cards" for each in value))
    return " ".join(map(str, value))


def _ending(table: Table, place: Place) -> dict[str, object]:
    match = table.shown.match
    assert match is not None
    replay, seat = match.replay(), table.wish.seats.seat
    return {
        "result": result_of_seat(match.outcome, seat),
        "lines": outcome_lines(replay, match.names),
        "loadouts": [
            (match.names[each.seat], each.loadout) for each in replay.seats if each.loadout
        ],
        "replay": place.to("m", match.number, view="all"),
        "number": match.number,
        "command": replay_command(
            int(match.number.partition(".")[0]), match.played.key
        ),
    }  # fmt: skip
