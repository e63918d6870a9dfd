"""The page of play where a match is chosen: opponents, rules, and the cards of a loadout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.core.errors import BadInput, UnknownName
from arena.core.game import Ruleset
from arena.pages.page import Link
from arena.service.bots.games import option_descriptions
from arena.service.bots.games import options as game_options
from arena.service.run.opponents import Opponent, medium
from arena.web.site.lists import Place
from arena.web.site.site import Site
from arena.web.views.picker import PickerForm, picker_of
from arena.web.views.table import SCRIPTS, STYLES, table_link
from arena.web.views.view import View

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.web.site.tables import Table, Tables

USUAL = 3
"""Opponents that are chosen at a table of many seats."""


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
    opponents = tables.opponents(name)
    most = max(game.seats) - 1
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
            "rules": _rules(game, place.query.get("ruleset", "")),
            "ruleset": row,
            "options": options.removesuffix(")"),
            "meanings": _meanings(rulesets[0]),
            "example": _example(rulesets[0]),
            "opponents": opponents,
            "chosen": place.query.get("bots", "").split() or _usual(opponents, most),
            "hints": "hints" in place.query,
            "least": min(game.seats) - 1,
            "most": most,
            "picker": _picker(game, place),
            "careers": [
                Link(each.title, place.to(*each.path.strip("/").split("/")))
                for each in site.registry.play_pages()
                if each.game == name
            ],
            "own": [(table_link(each, place), each.shown.over) for each in own],
            "minutes": site.settings.limits.think_seconds / 60,
        },
        section="/play",
        styles=STYLES,
        scripts=SCRIPTS,
    )  # fmt: skip


def _rules(game: AnyGame, spelling: str) -> list[str]:
    """Returns the rules of a ruleset in full; of the default one where it is unknown."""
    try:
        ruleset = game.ruleset(spelling)
    except BadInput:
        ruleset = game.ruleset()
    return game.words.rules(ruleset).splitlines()


def _paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a text: a line after an unfinished one continues it."""
    return re.sub(r"(?<![.:])\n *|\n +", " ", text).splitlines()


def _meanings(ruleset: Ruleset) -> list[tuple[str, str]]:
    meanings = option_descriptions(type(ruleset))
    return [
        (f"{name}={str(value).lower()}", meanings.get(name, ""))
        for name, value in game_options(ruleset).items()
    ]


def _example(ruleset: Ruleset) -> str:
    return ",".join([text for text, _ in _meanings(ruleset)[:2]])


def _usual(opponents: list[Opponent], most: int) -> list[str]:
    """Returns the opponents of a new player: those nearest to medium difficulty."""
    if most == 1:
        return [each.name for each in filter(None, [medium(opponents)])]
    nearest = sorted(opponents, key=lambda each: abs((each.level or 9) - 3))
    return [each.name for each in nearest[:USUAL]]


def _picker(game: AnyGame, place: Place) -> PickerForm | None:
    """Returns the choice of cards; of the default ruleset where the one asked for is unknown."""
    for ruleset in (place.query.get("ruleset", ""), ""):
        try:
            return picker_of(game, ruleset, place.query.get("cards", ""))
        except BadInput:
            continue
    return None
