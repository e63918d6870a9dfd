"""The career in the browser: an extension of play, which enters by the hook ``arena_play_pages``.

The file of a career is in a folder next to the database, by the visitor's cookie. It has the form
of ``arena career``, which can continue it.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path

from arena_results.file.database import Database
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.core.errors import BadInput, BadStore
from arena.service.match.person import HumanSeat
from arena.service.match.replays import Match
from arena.service.run.opponents import Opponent
from arena.service.run.person.career import (
    BASE,
    GAME,
    new_career,
    open_career,
    rival_named,
    ruleset_with,
)
from arena.service.run.person.career_file import Career, read_career
from arena.service.run.person.exhibition import OnBegin, Seats
from arena.web.routes.pages import draw_view, html, place_of, see_other
from arena.web.routes.play import form_of, player_of, whole, with_cookie
from arena.web.site.guard.errors import Refused, problem_of
from arena.web.site.site import Site
from arena.web.site.tables import Table, Tables, Wish
from arena.web.views.career import career_view

PATH = "/play/career"


class CareerPages:
    """The pages of careers, as ``arena_play_pages`` gives them.

    Attributes:
        name: Their name.
        title: The text of the link to them.
        game: The game that has the link on its page.
        path: Their first page.
    """

    name = "career"
    title = "Play a career: a purse, wagers, and rivals of growing strength"
    game = BASE
    path = PATH

    def routes(self, site: Site, tables: Tables) -> list[Route]:
        """Returns their addresses."""
        rows = (("GET", PATH, _show), ("POST", PATH, _post), ("GET", f"{PATH}/file", _file))
        return [
            Route(path, partial(endpoint, site, tables), methods=[method])
            for method, path, endpoint in rows
        ]


def _path(database: Database, player: str) -> Path:
    """Returns the file of a player's career."""
    return database.place.beside("-careers") / f"{player}.json"


async def _show(site: Site, tables: Tables, request: Request) -> Response:
    return await _page(site, tables, request)


async def _page(site: Site, tables: Tables, request: Request, refused: str = "") -> Response:
    place = place_of(site, request, ())
    player = player_of(request)
    own = _own(tables, player)
    career = await site.work(_career, site, player, bool(own)) if player else None
    view = career_view(place, career, own, refused)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return with_cookie(request, html(draw_view(site.settings, view), status))


def _own(tables: Tables, player: str) -> list[Table]:
    """Returns the player's tables of a career at which a match is played."""
    own = tables.of(player)
    return [each for each in own if each.wish.game == GAME.name and not each.shown.over]


def _career(site: Site, player: str, playing: bool) -> Career | None:
    """Returns a player's career; a match that no program plays any more is settled first."""
    path = _path(site.database, player)
    if not path.exists():
        return None
    career = read_career(path)
    if career.stake is not None and not playing:
        with suppress(BadInput), open_career(path, site.registry) as opened:
            return opened.career
    return career


async def _post(site: Site, tables: Tables, request: Request) -> Response:
    """Begins a career, or plays a match of it for a wager."""
    player = player_of(request)
    if not player:
        raise Refused(HTTPStatus.FORBIDDEN, "this browser keeps no cookie of this site")
    form, own = await form_of(request), _own(tables, player)
    if own and "rival" in form:  # sent twice
        return see_other(site, f"/play/{own[0].id}")
    try:
        career = await site.work(_career, site, player, bool(own))
        if "rival" not in form:
            extras = {name: form.get(name) == "yes" for name in ("auxiliary", "cheats")}
            await site.work(partial(_begin, site.database, player, career, **extras))
            return see_other(site, PATH)
        if career is None:
            raise BadInput("you have no career here: begin one")
        rival, wager = str(form["rival"]), whole(form, "wager")
        wish = _wish(site, career, rival)
        hints = form.get("hints") == "yes"
        table = await tables.open(
            wish(hints),
            player,
            request.scope["visitor"],
            partial(_play, site, _path(site.database, player), rival, wager),
            (PATH, f"Your career; the wager is {wager}"),
        )
    except BadStore:
        raise
    except BadInput as error:
        return await _page(site, tables, request, problem_of(error).message)
    except Refused as error:
        if error.status_code != HTTPStatus.UNPROCESSABLE_ENTITY:
            raise
        return await _page(site, tables, request, error.detail)
    return see_other(site, f"/play/{table.id}")


def _begin(
    database: Database, player: str, career: Career | None, *, auxiliary: bool, cheats: bool
) -> None:
    """Begins a career; one that is there ends by it, unless a match of it is played."""
    path = _path(database, player)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if career is not None and career.stake is not None:
        raise BadInput("a match of your career is being played: finish it first")
    path.unlink(missing_ok=True)
    new_career(path, database.place.home, ruleset=ruleset_with("", None, auxiliary, cheats))


def _wish(site: Site, career: Career, rival: str) -> partial[Wish]:
    against = Opponent(name=rival)
    if row := rival_named(career, rival):
        level = 1 + 5 * (row.level - 1) // len(career.purses)
        about = f"level {row.level}, it plays like {row.bot}"
        against = Opponent(name=rival, about=about, level=min(5, level))
    seconds = site.settings.limits.think_seconds

    def wish(hints: bool) -> Wish:
        return Wish(
            game=GAME.name,
            ruleset=career.ruleset,
            seats=Seats(bots=(rival,), name=career.name, seconds=seconds),
            hints=hints,
            against=(against,),
        )

    return partial(wish)


def _play(
    site: Site, path: Path, rival: str, wager: int, person: HumanSeat, on_begin: OnBegin
) -> Match:
    seconds = site.settings.limits.think_seconds
    with open_career(path, site.registry) as career:
        match, _ = career.play(rival, wager, person, seconds=seconds, on_begin=on_begin)
    return match


async def _file(site: Site, tables: Tables, request: Request) -> Response:
    """Sends the file, with which ``arena career`` continues."""
    path = _path(site.database, player_of(request) or "none")
    try:
        data = await site.work(path.read_bytes)
    except FileNotFoundError:
        raise Refused(HTTPStatus.NOT_FOUND, "you have no career here: begin one") from None
    headers = {"Content-Disposition": 'attachment; filename="career.json"'}
    return Response(data, media_type="application/json", headers=headers)
