"""``/api/...``: the documents of ``-o json``, a row for each address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TypeAlias

import msgspec
from arena_results.boards.leaderboard import Asked

from arena.core.errors import UnknownName
from arena.service.answers.rows import Document
from arena.service.boards.table import board_row
from arena.service.bots.games import game_document, game_row
from arena.service.public.documents import (
    board_rows,
    bot_document,
    bot_rows,
    match_rows,
    profile_document,
    public_document,
    public_match,
    public_report,
    replay_document,
    tournament_rows,
)
from arena.service.report.tables.explain import explanation
from arena.web.site.numbers import number, tournament_number, wanted_matches
from arena.web.site.season import final_of_season, pinned_boards, season_board
from arena.web.site.site import Site

Words: TypeAlias = Mapping[str, str]
"""The variable parts of an address, or its query."""
SEASON = "/api/league"
"""The address of a league's season, which a site without a league does not have."""
FINAL = "/api/league/final"
"""The address of a season's final, which a league without one does not have."""
USUAL_MATCHES = 1_000
"""Matches that a list has unless ``limit`` says how many."""


class Answer(msgspec.Struct, frozen=True):
    """A stored body with a tag that differs from those of other bodies.

    Attributes:
        later: The same with its time, for when it is out of date.
    """

    body: bytes
    tag: str
    later: Answer | None = None


def answer(body: bytes, later: bytes = b"") -> Answer:
    """Returns a body with its tag."""
    tag = f'"{sha256(body).hexdigest()[:20]}"'
    return Answer(body, tag, answer(later) if later else None)


def _tournament(site: Site, path: Words, query: Words) -> dict[str, object]:
    id = tournament_number(site.database, path["id"])
    return public_document(public_report(site.registry, site.database, id))


def _part(key: str) -> Callable[[Site, Words, Words], object]:
    return lambda site, path, query: _tournament(site, path, query)[key]


def _explained(site: Site, path: Words, query: Words) -> object:
    id = tournament_number(site.database, path["id"])
    return explanation(public_report(site.registry, site.database, id), path["name"]).document()


def _matches(site: Site, path: Words, query: Words) -> object:
    if "id" in path:
        tournament: int | None = tournament_number(site.database, path["id"])
    else:
        tournament = number(query, "tournament")
    wanted = wanted_matches(query, tournament)
    most = number(query, "limit")
    return match_rows(site.database, wanted, USUAL_MATCHES if most is None else most)


def _leaderboard(site: Site, path: Words, query: Words) -> object:
    name = query.get("rating", "joint")
    if "(" in name:  # everybody could ask for boards without end
        raise UnknownName("rating system", name, site.registry.rating_systems())
    system = site.registry.rating_system(name)
    tournament, every = number(query, "tournament"), "all_versions" in query
    asked = Asked(
        game=query.get("game"), ruleset=query.get("ruleset"), tournament=tournament, system=system
    )
    if tournament is None or "anchors" not in system.takes:
        return board_rows(site.boards, asked, every)
    _, boards = pinned_boards(site, asked, tournament, all_versions=every)
    return [board_row(row) for board in boards for row in board.rows]


def _league(site: Site, path: Words, query: Words) -> object:
    every = "all_versions" in query
    found = season_board(site, all_versions=every)
    if found is None:
        raise UnknownName("page", SEASON, _index(site, path, query))
    return [board_row(row) for board in found.boards for row in board.rows]


def _final(site: Site, path: Words, query: Words) -> object:
    found = final_of_season(site)
    if found is None:
        raise UnknownName("page", FINAL, _index(site, path, query))
    return found


def _replay(site: Site, path: Words, query: Words) -> object:
    match = public_match(site.registry, site.database, path["match"])
    return replay_document(match, query.get("view", "public"))


_WANTED = ("bot", "against", "result", "cause", "round", "closest", "limit")


class Resource(msgspec.Struct, frozen=True):
    """One address of the API.

    Attributes:
        parameters: Allowed parameters of its query.
        make: Makes its document, from the variable parts of the address and the query.
    """

    path: str
    make: Callable[[Site, Words, Words], object]
    parameters: tuple[str, ...] = ()


def _index(site: Site, path: Words, query: Words) -> list[str]:
    return [site.settings.prefix + each.path.replace(":path", "") for each in resources(site)]


def _bot(site: Site, path: Words, query: Words) -> Document:
    about = bot_document(site.registry, site.boards, path["name"])
    return about | site.run(profile_document, path["name"])


RESOURCES: tuple[Resource, ...] = (
    Resource("/api", _index),
    Resource("/api/games", lambda site, path, query: [*map(game_row, site.registry.games())]),
    Resource(
        "/api/games/{game}",
        lambda site, path, query: game_document(site.registry.game(path["game"])),
    ),
    Resource("/api/bots", lambda site, path, query: [*bot_rows(site.registry, site.database)]),
    Resource("/api/bots/{name:path}", _bot),
    Resource("/api/tournaments", lambda site, path, query: tournament_rows(site.database)),
    Resource("/api/tournaments/{id}", _tournament),
    Resource("/api/tournaments/{id}/standings", _part("standings")),
    Resource("/api/tournaments/{id}/crosstable", _part("crosstable")),
    Resource("/api/tournaments/{id}/rounds", _part("rounds")),
    Resource("/api/tournaments/{id}/matches", _matches, _WANTED),
    Resource("/api/tournaments/{id}/explain/{name:path}", _explained),
    Resource(
        "/api/leaderboard",
        _leaderboard,
        ("game", "ruleset", "tournament", "rating", "all_versions"),
    ),
    Resource(SEASON, _league, ("all_versions",)),
    Resource(FINAL, _final),
    Resource("/api/matches", _matches, ("tournament", *_WANTED)),
    Resource("/api/matches/{match}", _replay, ("view",)),
)


def resources(site: Site) -> list[Resource]:
    """Returns the addresses of the API that a site has."""
    league = site.settings.league
    there = {SEASON: league is not None, FINAL: league is not None and league.final is not None}
    return [each for each in RESOURCES if there.get(each.path, True)]


Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Keys and values of an address, in order; unlike a mapping it can be part of a key."""


def document(site: Site, resource: Resource, path: Pairs, query: Pairs) -> Answer:
    """Returns the answer of a resource as JSON.

    Raises:
        BadInput: The address has an unknown part.
    """
    for key, _ in query:
        if key not in resource.parameters:
            raise UnknownName(f"parameter of {resource.path}", key, resource.parameters)
    return answer(msgspec.json.encode(resource.make(site, dict(path), dict(query))))
