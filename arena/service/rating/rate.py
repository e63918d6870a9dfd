"""Rates players of results from elsewhere, by the rating systems of the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from arena_results.ratings.fits.remarks import FEW_DEALS, FEW_MATCHES, listed

from arena.core.errors import BadInput, UnknownName
from arena.core.text.parsing import Value
from arena.core.tournaments.rating import Rated, Rating, RatingSystem, Results, check_anchor
from arena.plugins.options import option
from arena.plugins.rating_options import unused
from arena.plugins.registry import Registry
from arena.service.rating.result_files import read_before, read_results, seen_and_rated


class Player(msgspec.Struct, frozen=True):
    """A player of a file.

    Attributes:
        results: Number of matches.
        few: Whether the results are too few to rank by.
    """

    name: str
    rating: Rating
    results: int
    few: bool


class RatedFile(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a file, as a rating system rates them.

    Attributes:
        players: The best first, group after group.
        results: Number of matches.
        seat_effect: As ``Rated`` has it.
        notes: Sentences about what the ratings cannot say, and about games that are left out.
        left_out: Numbers of games of the file that are not rated, by reason.
    """

    system: RatingSystem
    players: Sequence[Player]
    results: int
    seat_effect: tuple[float, float] | None
    notes: Sequence[str]
    left_out: Mapping[str, int]


def rate(
    registry: Registry,
    path: Path,
    model: str,
    warn: Callable[[str], object],
    options: Mapping[str, Value] = {},
    *,
    anchors: Mapping[str, float] = {},
    before: Path | None = None,
) -> RatedFile:
    """Rates the players of a file of results.

    Args:
        model: The rating system, with options as in ``elo(k=8)``.
        warn: Is given a line about what of the file is left out.
        options: Options of the system that stand beside its name.
        anchors: Ratings that are given, by name.
        before: A file of the ratings before the first result.

    Raises:
        UnknownName: There is no such rating system.
        BadInput: The file is wrong, or an option is.
    """
    system = registry.rating_system(model, options)
    for given, key, word in ((anchors, "anchors", "anchor"), (before, "before", "before")):
        if given and key not in system.takes:
            raise unused(system, word)
    for name, value in anchors.items():
        check_anchor(name, value)
    file = read_results(path, warn)
    known = {} if before is None else read_before(before)
    names = [*dict.fromkeys((*file.results.names, *known))]
    places = {name: place for place, name in enumerate(names)}
    for name in anchors:
        if name not in places:
            raise UnknownName("player", name, names)
    results = msgspec.structs.replace(
        file.results,
        names=names,
        anchors={places[name]: value for name, value in anchors.items()},
        before={places[name]: rating for name, rating in known.items()},
        ratings_only=True,
    )
    return _rated_file(system, results, system.rate(results), file.left_out)


def _rated_file(
    system: RatingSystem, results: Results, rated: Rated, left_out: Mapping[str, int]
) -> RatedFile:
    played, deals = _played(results)
    number = sum(count * len(unit) for unit, count in results.counted.items())
    players = [
        Player(
            name,
            rating,
            played[place],
            not system.by_order and (played[place] < FEW_MATCHES or deals[place] < FEW_DEALS),
        )
        for place, (name, rating) in enumerate(zip(results.names, rated.ratings, strict=True))
    ]
    notes = [seen_and_rated(number, left_out)] if left_out else []
    notes += rated.notes
    if unsure := [player.name for player in players if player.few]:
        least = f"fewer than {FEW_MATCHES} results, or {FEW_DEALS} deals"
        notes.append(f"too few results to rank by ({least}): {listed(unsure)}")
    players.sort(key=lambda each: (each.rating.component, -each.rating.value, each.name))
    return RatedFile(
        system=system,
        players=players,
        results=number,
        seat_effect=rated.seat_effect,
        notes=notes,
        left_out=dict(left_out),
    )


def _played(results: Results) -> tuple[list[int], list[int]]:
    played, deals = [0] * len(results.names), [0] * len(results.names)
    for unit, count in results.counted.items():
        for match in unit:
            for player in match.players:
                played[player] += count
        for player in {player for match in unit for player in match.players}:
            deals[player] += count
    return played, deals


def rating_document(found: RatedFile) -> dict[str, object]:
    """Returns the JSON document of ``arena rate``."""
    several = any(player.rating.component > 1 for player in found.players)
    rows: list[dict[str, object]] = [
        {"player": player.name, "rating": player.rating.value, "se": player.rating.error}
        | ({"component": player.rating.component} if several else {})
        for player in found.players
    ]
    effect, error = found.seat_effect or (None, None)
    return {
        "model": found.system.name,
        "ratings": rows,
        "seat_effect": effect,
        "seat_effect_se": error,
        "seen": found.results + sum(found.left_out.values()),
        "rated": found.results,
        "left_out": found.left_out,
    }


def read_anchors(given: Iterable[str]) -> dict[str, float]:
    """Given ratings by name, each written ``NAME=RATING``; ``BadInput`` for one that is not."""
    anchors = {}
    for text in given:
        name, equals, value = text.rpartition("=")
        try:
            anchors[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise BadInput(f"{option('anchor')} {text!r} is not NAME=RATING")
    return anchors
