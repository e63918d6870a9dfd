"""A match, move by move, as one view shows it."""

from __future__ import annotations

from arena_results.queries import summary
from msgspec import structs

from arena.pages.page import Page
from arena.pages.replay import replay_page
from arena.service.public import check_view, public_analysis, public_match, views
from arena.web.lists import Place
from arena.web.numbers import number
from arena.web.site import Site
from arena.web.views.view import trail


def match(site: Site, place: Place, frame: Page) -> str:
    """Draws the page of a match: ``?view=seat0&move=17``.

    Raises:
        BadInput: There is no such match, view or move.
    """
    found = public_match(site.registry, site.database, place.words["match"])
    shown = views(found)
    view = place.query.get("view", shown[0])
    check_view(found, view, shown)
    move = number(place.query, "move") or 0
    tournament = int(found.number.partition(".")[0])
    about = summary(site.database, tournament)
    steps = [
        (about.name or f"tournament {tournament}", place.to("t", tournament)),
        (f"match {found.number}", ""),
    ]
    if about.rated:  # else no leaderboard has it
        board = place.to("g", about.game, about.ruleset)
        steps.insert(0, (f"{about.game}, {about.ruleset}", board))
    query = {"move": str(move)} if move else {}
    addresses = {each: place.to("m", found.number, view=each, **query) for each in shown}
    analysis = site.run(public_analysis, found.number, view) if found.evaluated else None
    return replay_page(
        found,
        view,
        frame=structs.replace(frame, trail=trail(place, *steps)),
        move=move,
        views=addresses,
        queries=True,
        analysis=analysis,
    )
