"""Rates players of results from elsewhere: one row a model, values in, values out."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path

import msgspec

from arena.core.errors import BadInput, UnknownName
from arena.service.rating.joint_ratings import bradley_terry, plackett_luce
from arena.service.rating.ratings import FARTHEST, Options, Ratings, Scale
from arena.service.rating.ratings_in_order import rate_elo, rate_glicko2, rate_openskill
from arena.service.rating.result_files import Orders, TwoSeats, read_results, seen_and_rated


class Model(msgspec.Struct, frozen=True):
    """A rating model: a line for people, the options that it takes, and what it does."""

    summary: str
    options: tuple[str, ...]
    rate: Callable[[TwoSeats | Orders, Options], Ratings]


MODELS = {
    "bt": Model(
        "Bradley-Terry, joint maximum likelihood",
        ("prior", "anchor", "scale", "seat_effect"),
        bradley_terry,
    ),
    "pl": Model(
        "Plackett-Luce, joint maximum likelihood",
        ("prior", "anchor", "scale", "seat_effect"),
        plackett_luce,
    ),
    "elo": Model("Elo in the order of the file", ("k", "start", "before"), rate_elo),
    "glicko2": Model("Glicko-2 by rating periods", ("tau", "before"), rate_glicko2),
    "openskill": Model(
        "OpenSkill (Plackett-Luce) in the order of the file", ("before",), rate_openskill
    ),
}
"""The models by name."""


def rate(path: Path, model: str, options: Options, warn: Callable[[str], object]) -> Ratings:
    """Rates the players of a file of results.

    Args:
        warn: Is given a line about what of the file is left out.

    Raises:
        UnknownName: There is no such model.
        BadInput: The file is wrong, or an option is.
    """
    if model not in list(MODELS):
        raise UnknownName("model", str(model), MODELS)
    chosen = MODELS[model]
    for name in Options.__struct_fields__:
        value = getattr(options, name)
        if value is not None and value is not False and value != {} and name not in chosen.options:
            takes = ", ".join(each.replace("_", "-") for each in chosen.options)
            raise BadInput(
                f"{name.replace('_', '-')}: not available for model {model}, which takes {takes}"
            )
    _check(options)
    results = read_results(path, warn)
    try:
        found = chosen.rate(results, options)
    except ArithmeticError:
        raise BadInput(f"{path}: model {model} cannot count with such extreme ratings") from None
    rows = sorted(found.players, key=lambda row: (row.component, -row.rating, row.player))
    found = msgspec.structs.replace(found, model=model, players=rows)
    if isinstance(results, Orders) or not results.left_out:
        return found
    account = seen_and_rated(found.results, results.left_out)
    return msgspec.structs.replace(
        found, notes=[account, *found.notes], left_out=dict(results.left_out)
    )


def read_scale(text: str | None) -> Scale | None:
    """A scale by its name; ``None`` for the default.

    Raises:
        UnknownName: There is no such scale.
    """
    scales: dict[str | None, Scale | None] = {None: None, "elo": "elo", "log": "log"}
    if text not in list(scales):
        raise UnknownName("scale", str(text), ("elo", "log"))
    return scales[text]


def rating_document(found: Ratings) -> dict[str, object]:
    """Returns the JSON document of ``arena rate``."""
    several = any(row.component > 1 for row in found.players)
    rows: list[dict[str, object]] = [
        {"player": row.player, "rating": row.rating, "se": row.error}
        | ({"component": row.component} if several else {})
        for row in found.players
    ]
    return {
        "model": found.model,
        "ratings": rows,
        "seat_effect": found.seat_effect,
        "seat_effect_se": found.seat_error,
        "seen": found.results + sum(found.left_out.values()),
        "rated": found.results,
        "left_out": found.left_out,
    }


def _check(options: Options) -> None:
    """Raises ``BadInput`` for numbers out of bounds."""
    bounds = {
        "prior": (options.prior, 0.0, inf),
        "k": (options.k, 0.0, 1000.0),
        "start": (options.start, -FARTHEST, FARTHEST),
        "tau": (options.tau, 0.01, 10.0),
        **{
            f"anchor {name}": (value, -FARTHEST, FARTHEST)
            for name, value in (options.anchor or {}).items()
        },
    }
    for name, (value, least, most) in bounds.items():
        number = isinstance(value, float | int) and least <= value <= most and value < inf
        if value is not None and not number:
            limits = f"from {least:g}" + (f" to {most:g}" if most < inf else "")
            raise BadInput(f"{name}: expected a number {limits}, not {value!r}")
