"""The final of a season: how far it is, the bots that play in it, and what its file may change."""

from __future__ import annotations

from datetime import UTC, datetime

from arena_results.bots.seasons import final_of, seasons
from arena_results.bots.submissions import SubmissionStatus, submissions
from arena_results.bots.uploads import WAITING, uploads
from arena_results.file.database import Database
from arena_results.schema.rows import Status, StoredTournament
from arena_results.store.queries import summary, tournament
from arena_tournaments.play.rulings import has_left
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput
from arena.plugins.registry import Registry
from arena.service.league.league_file import LeagueSpec, shown_time
from arena.service.league.phase import Phase, SeasonState
from arena.service.report.report import make_report
from arena.service.setup.decoded import decode


def final_row(spec: LeagueSpec, phase: Phase, state: SeasonState) -> dict[str, object]:
    """Returns the JSON document of a season's final, which its file has."""
    final = spec.final
    assert final is not None
    return {
        "league": spec.name,
        "season": spec.season,
        "name": spec.final_title,
        "at": final.at.isoformat(),
        "matches": final.matches,
        "field": final.field,
        "stage": phase.stage.value,
        "closed": phase.closed,
        "reason": phase.reason,
        "tournament": state.final or None,
        "winner": state.winner or None,
    }


class Closed(BadInput):
    """Raised for a submission to a season whose submissions are closed."""


def check_open(spec: LeagueSpec, now: datetime) -> None:
    """Raises ``Closed`` if a season takes no submissions any more."""
    if spec.final and spec.final.is_due(now):
        raise Closed(f"submissions to {spec.title} closed at {spec.final.when}")


def season_state(registry: Registry, database: Database, spec: LeagueSpec) -> SeasonState:
    """Reads the state of a season, by which its phase is known."""
    begun = [each for each in seasons(database, spec.name) if each.number == spec.season]
    if not begun or spec.final is None:
        return SeasonState()
    season, final = begun[0].tournament_id, final_of(database, spec.name, spec.season)
    if final is None:
        finished = summary(database, season, check_all=False).status is Status.FINISHED
        playing = entrants(registry, database, spec, season) if finished else ()
        waiting = len(uploads(database, WAITING))
        return SeasonState(finished=finished, undecided=waiting, entrants=len(playing))
    return SeasonState(finished=True, final=final, winner=winner(registry, database, final))


def winner(registry: Registry, database: Database, final: int) -> str:
    """Returns the name of the winner of a final; empty before it is finished."""
    if summary(database, final, check_all=False).status is not Status.FINISHED:
        return ""
    report = make_report(decode(registry, tournament(database, final)))
    return report.table[0].name


def entrants(
    registry: Registry,
    database: Database,
    spec: LeagueSpec,
    season: int,
    final: StoredTournament | None = None,
) -> tuple[str, ...]:
    """Returns the bots that play in the final of a season by name and version, the best first.

    They are the first of its standings, without built-in bots and those that have left. A disabled
    one does not play, unless it was disabled after the final had begun.

    Args:
        season: Number of the tournament of the season.
        final: The final, once it has begun.
    """
    assert spec.final is not None
    stored = tournament(database, season)
    entered = {each.participant for each in final.field} if final else set()
    known = {(each.name, each.version, each.content): each.status for each in submissions(database)}
    found = []
    for line in make_report(decode(registry, stored)).table:
        about = stored.field[line.index].participant
        status = known.get((about.name, about.version, about.content))
        plays = status is SubmissionStatus.ENABLED or about in entered
        if status and plays and not has_left(stored.rulings, line.index):
            found.append(f"{about.name}@{about.version}")
    return tuple(found[: spec.final.most])


def check_final(registry: Registry, database: Database, spec: LeagueSpec, season: int) -> None:
    """Checks that the file of a league says of a final that has begun what it said then.

    Args:
        season: Number of the tournament of the season.

    Raises:
        BadInput: It says something else.
    """
    number = final_of(database, spec.name, spec.season)
    if number is None:
        return
    stored = tournament(database, number, matches=False)
    began = f"the final of {spec.title} has begun as tournament {number}"
    if spec.final is None:
        raise BadInput(f"final: missing, but {began}; write it again")
    if spec.final.at > stored.summary.created_at.replace(tzinfo=UTC):
        at = shown_time(stored.summary.created_at.replace(tzinfo=UTC))
        raise BadInput(f"final.at: {spec.final.when} is too late: {began} at {at}")
    bots = entrants(registry, database, spec, season, stored)
    if len(bots) != len(stored.field):
        raise BadInput(
            f"final.field: {began} with {len(stored.field)} bots; {spec.final.field!r} "
            f"would be {len(bots)}"
        )
    played = TournamentSpec.from_json(stored.summary.spec).format_options
    wanted = spec.final_keys(bots)["format_options"]
    assert isinstance(wanted, dict)
    if wanted["matches"] != played.get("matches"):
        raise BadInput(
            f"final.matches: {began} with {played.get('matches')} matches at most, "
            f"not {spec.final.matches}"
        )
