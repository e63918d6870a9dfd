"""The first page: a featured match, leaders, the events that run, the last champions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import msgspec
from arena_results.boards.leaderboard import Asked
from arena_results.replays.views import ALL
from arena_results.schema.rows import Status, TournamentSummary
from arena_results.store.queries import tournaments
from markupsafe import Markup

from arena.pages.boards import board, draw_board
from arena.pages.drawing import drawn_table
from arena.pages.page import Link
from arena.pages.replay import MAX_SMALL, SCRIPTS, SMALL_STYLES, small_player
from arena.pages.tables import Table
from arena.service.boards.leaders import leaders_table
from arena.service.match.replays import Match
from arena.service.public import front
from arena.service.public.documents import public_match, public_report, quick_analysis
from arena.web.site.guard.pace import clock
from arena.web.site.lists import Place
from arena.web.site.season import final_notice, season_board, season_of
from arena.web.site.site import Site
from arena.web.views.view import View, titled

BOARDS = 4
"""Leaderboards on the first page: the last ones that were played."""
EVENTS = 3
"""Events that run of which it has more than the name."""
LEADING = 3
"""Bots of an event that it names."""
GAMES = 3
"""Games that it names."""
PLAYER_BYTES = 34_000
"""Size of the featured match in the page, which is 150 kB with everything that it loads."""
MIN_MOVES = 4
"""Moves of that match that are shown, however large they are."""


RUN = "arena tournament run --format swiss \\\n  --bot optimal --bot counter \\\n  --bot random"
"""The command that plays a first tournament."""
SUBMIT = ("arena submit my_bot/", "arena submit my_bot/ --server ADDRESS")
"""The commands that submit a bot, without and with a league."""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """A table on the first page, with the page that has all of it.

    Attributes:
        whole: Leads to all of it.
        current: Whether matches of it are being played.
    """

    title: str
    ruleset: str
    table: Table
    whole: Link
    current: bool = False


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event that runs.

    Attributes:
        tag: How far it is, in a few words.
        clock: The time that is left; empty as long as nobody knows it.
        left: What ends then.
        lines: Further facts.
        share: The share of the round that is played, in percent; ``None`` without rounds.
    """

    link: Link
    tag: str
    clock: str
    left: str
    lines: tuple[str, ...]
    share: int | None
    table: Table


def home(site: Site, place: Place) -> View:
    """Shows what is played here, and how to take part."""
    known = tournaments(site.database)
    rated = [each for each in known if each.rated]
    season = season_of(site)
    playing = [
        each
        for each in rated
        if each.status is Status.RUNNING and each.id != (season and season.id)
    ]
    games = [game.name for game in site.registry.games()]
    finished = front.newest(known)
    played = any(each.matches for each in rated)
    values: dict[str, object] = {
        "games": _names(games),
        "play": place.to("play") if site.settings.play else "",
        "submit": place.to("submit") if site.settings.league else "",
        "boards": _boards(site, place, rated, playing),
        "events": _events(site, place, season, playing),
        "more": [
            Link(front.event_name(each), place.to("t", each.id)) for each in playing[::-1][EVENTS:]
        ],
        "champions": [_champion(site, place, each) for each in finished[: front.CHAMPIONS]],
        "final": "" if season else final_notice(site),
        "league": Link(site.settings.league.title, place.to("league"))
        if site.settings.league
        else None,
        "leaders": place.to("leaders"),
    }
    if played:
        values |= _featured(site, place, finished)
    else:
        values |= _opening(site, place, games)
        values["commands"] = {"run": RUN, "submit": SUBMIT[bool(site.settings.league)]}
    matches = sum(each.matches for each in rated)
    return View(
        title="Arena",
        description=f"{len(rated)} tournaments with {matches:,} matches of card-game bots",
        template="home" if played else "empty",
        values=values,
        section="/",
        matches=sum(each.matches for each in known),
        running=bool(playing),
        styles=(*SMALL_STYLES, "home.css"),
        scripts=SCRIPTS if played else (),
    )


def _names(games: Sequence[str]) -> str:
    """Returns the games in one phrase."""
    names = [titled(name) for name in games[:GAMES]]
    if len(games) > GAMES:
        names.append(f"{len(games) - GAMES} more")
    return " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def _featured(site: Site, place: Place, finished: Sequence[TournamentSummary]) -> dict[str, object]:
    """Returns the values of the featured match; a finished match is drawn once."""

    def make() -> dict[str, object]:
        found = front.featured(site.database)
        return {"feature": found and _drawn(site, place, found)}

    return site.keep(("featured", place.prefix, *finished[: front.TOURNAMENTS]), make)


def _drawn(site: Site, place: Place, found: front.Featured) -> dict[str, object]:
    match = public_match(site.registry, site.database, found.match)
    return {
        "why": found.why,
        "about": f"{found.event}, round {found.round}",
        "match": found.match.replace(".", "-"),
        "board": _player(site, match, place.to("m", found.match, view="all")),
    }


def _player(site: Site, match: Match, address: str) -> Markup:
    """Draws as many of the last moves as fit the first page."""
    known = site.compute(quick_analysis, match.players, match.played, match.frozen, ALL)
    most = MAX_SMALL
    while True:
        drawn = small_player(match, analysis=known, address=address, most=most)
        if len(drawn) <= PLAYER_BYTES or most <= MIN_MOVES:
            return drawn
        most = max(MIN_MOVES, min(most - 1, most * PLAYER_BYTES // len(drawn)))


def _opening(site: Site, place: Place, games: Sequence[str]) -> dict[str, object]:
    """Returns the values of a page of a site where nothing was played: a table that is laid."""

    def make() -> Markup:
        scene, names = front.opening(site.registry)
        return draw_board(board(scene, names), size="feature")

    return {
        "board": site.keep(("opening",), make),
        "tables": [
            Link(f"Play {titled(name)}", place.to("play", game=name)) for name in games[:GAMES]
        ],
    }


def _boards(
    site: Site,
    place: Place,
    rated: Sequence[TournamentSummary],
    playing: Sequence[TournamentSummary],
) -> list[Panel]:
    """Returns the leaders of each leaderboard, the one that was played last first."""
    last: dict[tuple[str, str], list[TournamentSummary]] = {}
    for each in rated:
        if each.matches:
            last.setdefault((each.game, each.ruleset), []).append(each)
    busy = {(each.game, each.ruleset) for each in playing}
    newest = sorted(last, key=lambda rules: last[rules][-1].id, reverse=True)
    found: list[Panel] = []
    for rules in newest[:BOARDS]:
        make = partial(_leaders, site, place, *rules, current=rules in busy)
        found += site.keep(("leaders", place.prefix, *last[rules]), make)
    return found


def _leaders(site: Site, place: Place, game: str, ruleset: str, *, current: bool) -> list[Panel]:
    """Returns the leaders of the leaderboards of a game and ruleset."""
    asked = Asked(game=game, ruleset=ruleset)
    found = []
    for each in site.boards.now(asked):
        query = {"unit": each.unit} if each.unit else {}
        title = f"{titled(game)} leaders" + (f", by {each.unit}" if each.unit else "")
        table = leaders_table(site.boards, each, asked)
        found.append(
            Panel(
                title=title,
                ruleset=ruleset,
                table=drawn_table(table, place.address),
                whole=Link(f"All {len(each.rows)}", place.to("g", game, ruleset, **query)),
                current=current,
            )
        )
    return found


def _events(
    site: Site, place: Place, season: TournamentSummary | None, playing: Sequence[TournamentSummary]
) -> list[Event]:
    """Returns the events that run: the league's season, and the newest tournaments."""
    found = [*_season(site, place)] if season else []
    return [*found, *(_running(site, place, about) for about in playing[::-1][:EVENTS])]


def _running(site: Site, place: Place, about: TournamentSummary) -> Event:
    report = public_report(site.registry, site.database, about.id)
    rounds, now = report.stored.rounds, report.running
    open_ended = report.decoded.format.open_ended
    left, lines = "", [f"{about.entries} bots, {titled(about.game)}"]
    if now:
        ahead = now.expected - now.matches
        matches, number = report.stored.summary.matches, now.round.number
        seconds = site.pace.of(about.id, matches, ahead, number).left
        left = "" if seconds is None else clock(seconds)
        lines.append(f"{now.over} of {len(now.pairings)} pairings done")
    return Event(
        link=Link(front.event_name(about), place.to("t", about.id)),
        tag=_round(len(rounds), 0 if open_ended else about.rounds),
        clock=left,
        left="left in this round" if left else "its time left is being measured" * bool(now),
        lines=(*lines,),
        share=round(100 * now.matches / now.expected) if now and now.expected else None,
        table=drawn_table(front.leading(report, LEADING), place.address),
    )


def _round(number: int, rounds: int) -> str:
    if not number:
        return "about to begin"
    return f"Round {number} of {rounds}" if rounds else f"Round {number}"


def _season(site: Site, place: Place) -> list[Event]:
    found, league = season_board(site), site.settings.league
    if found is None or league is None:
        return []
    tables = [
        drawn_table(leaders_table(site.boards, each, found.asked, LEADING), place.address)
        for each in found.boards[:1]
    ]
    about = found.about
    lines = f"{about.entries} bots, {titled(about.game)}", f"{about.matches:,} matches played"
    event = Event(
        link=Link(found.title, place.to("league")),
        tag=f"Season {league.season}",
        clock="",
        left=final_notice(site) or "Submit a bot at any time: it is rated within minutes.",
        lines=lines,
        share=None,
        table=tables[0] if tables else Table(caption="", columns=(), rows=[]),
    )
    return [event]


def _champion(site: Site, place: Place, about: TournamentSummary) -> dict[str, object]:
    def make() -> front.Champion:
        return front.champion(site.registry, site.database, about)

    found = site.keep(("champion", about), make)
    return {
        "bots": [Link(name, place.to("b", name)) for name in found.names[:LEADING]],
        "event": Link(found.event, place.to("t", found.tournament)),
        "date": _date(found.finished, site.clock().year),
    }


def _date(time: datetime | None, year: int) -> str:
    """Returns a day as people write it: ``21 Nov``, and of another year ``21 Nov 2025``."""
    if time is None:
        return ""
    return f"{time.day} {time:%b}" if time.year == year else f"{time.day} {time:%b %Y}"
