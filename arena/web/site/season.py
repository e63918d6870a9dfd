"""The season of the site's league: its tournament, its anchors, and how far its final is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from arena_results.boards.board_rows import Board
from arena_results.boards.leaderboard import Asked
from arena_results.bots.seasons import seasons
from arena_results.schema.rows import EntryRow, TournamentSummary
from arena_results.store.queries import summary
from arena_results.store.queries import tournament as stored_tournament

from arena.core.errors import UnknownName
from arena.service.league.final import final_row, season_state
from arena.service.league.league_file import shown_left
from arena.service.league.phase import Stage, phase_of
from arena.web.site.site import Site


class SeasonBoard(msgspec.Struct, frozen=True):
    """The leaderboard of a season, by its own matches.

    Attributes:
        about: The tournament of the season.
        asked: The request for its leaderboard, with the anchors.
        boards: The leaderboards; empty before the first match.
    """

    about: TournamentSummary
    asked: Asked
    boards: tuple[Board, ...]

    @property
    def title(self) -> str:
        """The name of the season."""
        return self.about.name or "the season"


def season_of(site: Site) -> TournamentSummary | None:
    """Returns the tournament of the season that is played, if the site has a league."""
    league = site.settings.league
    begun = seasons(site.database, league.name) if league else ()
    return summary(site.database, begun[-1].tournament_id) if begun else None


def final_of_season(site: Site) -> dict[str, object] | None:
    """Returns the document of the season's final; ``None`` if the league has none."""
    league = site.settings.league
    if league is None or league.final is None:
        return None
    state = season_state(site.registry, site.database, league)
    return final_row(league, phase_of(league, site.clock(), state), state)


def final_notice(site: Site) -> str:
    """Returns a sentence about how far the season's final is; empty if the league has none."""
    league, found = site.settings.league, final_of_season(site)
    if league is None or league.final is None or found is None:
        return ""
    sentence, when = str(found["reason"]), league.final.when
    if found["stage"] == Stage.OPEN:
        left = shown_left(league.final.left(site.clock()))
        sentence = sentence.replace(when, f"{when}, in {left}")
    return f"{sentence[:1].upper()}{sentence[1:]}."


def season_board(site: Site, *, all_versions: bool = False) -> SeasonBoard | None:
    """Returns the leaderboard of the season that is played; ``None`` without one."""
    about = season_of(site)
    if about is None:
        return None
    asked = Asked(game=about.game, ruleset=about.ruleset, tournament=about.id)
    return SeasonBoard(about, *pinned_boards(site, asked, about.id, all_versions=all_versions))


def pinned_boards(
    site: Site, asked: Asked, tournament: int, *, all_versions: bool = False
) -> tuple[Asked, tuple[Board, ...]]:
    """Returns a request with the anchors of a season, and its leaderboards."""
    field = stored_tournament(site.database, tournament, matches=False).field
    anchors = season_anchors(site, tournament, field)
    anchored = msgspec.structs.replace(asked, anchors=anchors)
    try:
        return anchored, site.boards.now(anchored, all_versions=all_versions)
    except UnknownName:  # nobody has played a match of the season yet, or there is no such board
        return asked, site.boards.now(asked, all_versions=all_versions)


def season_anchors(
    site: Site, tournament: int, entered: Sequence[EntryRow]
) -> Mapping[str, float | None]:
    """Returns the fixed ratings of a tournament: in a season of the league its anchors.

    The version of an anchor that was entered first has its rating. Without any of them in the field
    there are none.
    """
    league = site.settings.league
    if league is None or not league.pinned:
        return {}
    if tournament not in {each.tournament_id for each in seasons(site.database, league.name)}:
        return {}
    versions: dict[str, str] = {}
    for entry in entered:
        name, version = entry.participant.name, entry.participant.version
        for spelling in (name, f"{name}@{version}"):
            versions.setdefault(spelling, f"{name}@{version}")
    if not versions.keys() >= league.pinned.keys():
        return {}
    return {versions[name]: rating for name, rating in league.pinned.items()}
