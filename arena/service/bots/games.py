"""The games that can be played, as values: their rulesets with all options."""

from __future__ import annotations

import inspect
import re

import msgspec

from arena.core.game import AnyGame, Ruleset

_ENTRY = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def game_row(game: AnyGame) -> dict[str, object]:
    """A game in the list of games; the keys are those of the JSON document."""
    return {
        "name": game.name,
        "summary": game.summary,
        "version": game.version,
        "seats": list(game.seats),
        "rulesets": list(game.rulesets),
    }


def game_document(game: AnyGame) -> dict[str, object]:
    """The JSON document of a game: its row, where each ruleset has its options as a mapping."""
    rows = list(game.rulesets.values())
    rulesets = [
        {
            "name": row.name,
            "source": row.source,
            "default": row is rows[0],
            "options": options(row),
            "rules": game.words.rules(row),
        }
        for row in rows
    ]
    meanings = option_descriptions(type(rows[0]))
    return game_row(game) | {
        "rulesets": rulesets,
        "meanings": meanings,
        "how_to_play": game.how_to_play,
    }


def rules_text(game: AnyGame, ruleset: str = "") -> str:
    """The rules of a game in some lines; of a ruleset in full, as a language model reads them.

    Raises:
        BadInput: There is no such ruleset.
    """
    if ruleset:
        return game.words.rules(game.ruleset(ruleset))
    return game.how_to_play.strip("\n") or f"There is no text on how to play {game.name}."


def option_rows(game: AnyGame) -> list[dict[str, object]]:
    """The options of every ruleset, a row each; ``default`` where it is as in the first ruleset."""
    rows = list(game.rulesets.values())
    default = options(rows[0])
    return [
        {"ruleset": row.name, "option": key, "value": value, "default": value == default[key]}
        for row in rows
        for key, value in options(row).items()
    ]


def options(ruleset: Ruleset) -> dict[str, object]:
    """The value of every option of a ruleset."""
    values: dict[str, object] = msgspec.to_builtins(ruleset)
    return {key: value for key, value in values.items() if key not in ("name", "source")}


def option_descriptions(kind: type[Ruleset]) -> dict[str, str]:
    """The meaning of each option: its line of the class's docstring, section ``Attributes``."""
    _, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    return {
        name: " ".join(text.split()).replace("``", "`") for name, text in _ENTRY.findall(listed)
    }
