"""A match, move by move, as one view shows it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from arena_results.replays.views import view_named
from arena_results.store.queries import summary
from msgspec import structs

from arena.pages.page import Page
from arena.pages.replay import replay_page
from arena.service.match.replays import Match, parse_numbers
from arena.service.match.transcripts import ShownDecision, shown_decisions
from arena.service.public.documents import check_view, public_match_of, quick_analysis, views
from arena.web.site.lists import Place
from arena.web.site.numbers import number
from arena.web.site.site import Site
from arena.web.views.view import trail


def stamp(site: Site, words: Mapping[str, str]) -> object:
    """Returns everything that the page of a match follows from, besides what never changes.

    While a tournament is the same, with the numbers of its entries and rulings, so are its matches.

    Raises:
        BadInput: There is no such tournament.
    """
    number = parse_numbers(site.database, words["match"]).tournament
    return summary(site.database, number, check_all=False)


def match(site: Site, place: Place, frame: Page) -> str:
    """Draws the page of a match: ``?view=seat0&move=17``.

    Raises:
        BadInput: There is no such match, view or move.
    """
    return _drawn(site, place, frame, transcripts=False)


def match_with_transcript(site: Site, place: Place, frame: Page) -> str:
    """Draws the page of a match for an organiser; see ``match``.

    The view of a seat has the transcript of that seat, all other views those of all seats.

    Raises:
        BadInput: There is no such match, view or move.
    """
    return _drawn(site, place, frame, transcripts=True)


def _drawn(site: Site, place: Place, frame: Page, *, transcripts: bool) -> str:
    found, about = public_match_of(site.registry, site.database, place.words["match"])
    shown = views(found)
    view = place.query.get("view", shown[0])
    check_view(found, view, shown)
    move = number(place.query, "move") or 0
    steps = [
        (about.name or f"tournament {about.id}", place.to("t", about.id)),
        (f"match {found.number}", ""),
    ]
    if about.rated:  # else no leaderboard has it
        board = place.to("g", about.game, about.ruleset)
        steps.insert(0, (f"{about.game}, {about.ruleset}", board))
    query = {"move": str(move)} if move else {}
    addresses = {each: place.to("m", found.number, view=each, **query) for each in shown}
    analysis = site.compute(quick_analysis, found.players, found.played, found.frozen, view)
    return replay_page(
        found,
        view,
        frame=structs.replace(frame, trail=trail(place, *steps)),
        move=move,
        views=addresses,
        step="?" + urlencode(({"view": view} if "view" in place.query else {}) | {"move": ""}),
        analysis=analysis,
        download=place.to("api", "matches", found.number, view=view),
        transcript=_transcript(site, found, view) if transcripts else None,
    )


def _transcript(site: Site, match: Match, view: str) -> list[ShownDecision]:
    numbers = parse_numbers(site.database, match.number)
    seats = view_named(view, len(match.names)).open_seats or range(len(match.names))
    names = {seat: match.names[seat] for seat in seats}
    return shown_decisions(site.database, numbers.tournament, numbers.key, names)
