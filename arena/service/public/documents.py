"""The documents of stored results for everybody, without secrets.

Until a tournament is finished, further matches of a deal may follow: its seed, hidden cards, and
bots' own messages, which may name one, stay secret. Logs and tracebacks are only for their authors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec
from arena_results.boards.leaderboard import Asked
from arena_results.bots.uploads import Upload
from arena_results.file.database import Database
from arena_results.replays.views import PUBLIC
from arena_results.schema.rows import Status, TournamentSummary
from arena_results.store.queries import tournament, tournaments
from msgspec import structs

from arena.core.errors import BadInput
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Participant, shown_names
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document, Row
from arena.service.boards.history import BotHistory, bot_history
from arena.service.boards.kept import Boards
from arena.service.boards.own_matches import own_match_rows
from arena.service.boards.profile import Profile, profile
from arena.service.boards.table import board_row
from arena.service.bots import listing as bots
from arena.service.bots.listing import bot_details, submitted_bots
from arena.service.match.analysis import Analysis
from arena.service.match.listing import Wanted, find_matches
from arena.service.match.luck import FrozenValues
from arena.service.match.replays import Match, match_and_summary, parse_numbers
from arena.service.report.filed.tournament_rows import summary_row
from arena.service.report.report import Report, stored_report
from arena.service.report.tables.documents import document
from arena.service.run.watching.progress import matches_by_round

MAX_MATCHES = 10_000
"""Matches that one list has at most."""
RECENT = 30
"""Matches of a bot over which its history is summed, unless another number is asked for."""


def tournament_rows(database: Database) -> list[Row]:
    """Returns every tournament, the oldest first."""
    return [summary_row(each, public=True) for each in tournaments(database)]


def upload_row(upload: Upload, *, own: bool = False) -> dict[str, object]:
    """Returns the JSON document of a submission to a league.

    Args:
        own: Whether its author asks, and may see the reasons of a refusal.
    """
    row: dict[str, object] = {
        "id": upload.id,
        "author": upload.author,
        "file": upload.file,
        "size": upload.size,
        "state": upload.state.value,
        "bot": upload.bot,
    }
    if own:
        row["text"] = upload.text
        row["report"] = msgspec.json.decode(upload.document) if upload.document else None
    return row


def public_report(registry: Registry, database: Database, number: int) -> Report:
    """Returns the report of a tournament; of a running one without scores less luck.

    Raises:
        UnknownName: There is no such tournament.
    """
    stored = tournament(database, number)
    finished = stored.summary.status is Status.FINISHED
    return stored_report(registry, stored, database if finished else None)


def public_document(report: Report) -> Document:
    """Returns the document of a tournament."""
    shown = document(report)
    if report.stored.summary.status is not Status.FINISHED:
        shown["tournament"] |= {"seed": None}
    return shown


def expected_matches(registry: Registry, report: Report) -> int:
    """Returns the number of matches of the whole tournament, as far as that is known.

    It is 0 for one that is open-ended.
    """
    if report.decoded.format.open_ended:
        return 0
    planned = sum(matches_by_round(report.decoded.plan(registry)))
    return max(planned, report.stored.summary.matches)


def board_rows(boards: Boards, asked: Asked, every: bool) -> list[Row]:
    """Returns the rows of leaderboards, board after board.

    Args:
        every: Whether every version has a row.
    """
    found = boards.now(asked, all_versions=every)
    return [board_row(row) for board in found for row in board.rows]


def match_rows(database: Database, wanted: Wanted, most: int) -> list[Row]:
    """Returns the matches that are wanted, in the order of ``arena matches``.

    Those of a bot are without its exhibitions, unless the tournament is given.

    Raises:
        BadInput: Something of what is wanted is no such thing.
    """
    if not 1 <= most <= MAX_MATCHES:
        raise BadInput(f"limit {most}: expected a number from 1 to {MAX_MATCHES}")
    known = tournaments(database)
    finished = {each.id for each in known if each.status is Status.FINISHED}
    of_bot = bool(wanted.bot or wanted.against) and wanted.tournament is None
    hidden = {each.id for each in known if of_bot and not each.rated}
    _, rows = find_matches(database, wanted, hidden=hidden)
    return [
        row if row["tournament"] in finished else row | {"reason": None}
        for row in islice(rows, most)
    ]


def own_rows(database: Database, bot: str, wanted: Wanted, most: int) -> list[Row]:
    """Returns the newest matches of a bot that are wanted: see ``own_match_rows``."""
    return own_match_rows(database, bot, wanted, most, finished=True)


def public_match(registry: Registry, database: Database, number: str) -> Match:
    """Returns a stored match without logs and tracebacks; of a shorter number the first.

    Raises:
        BadInput: There is no such match.
    """
    return public_match_of(registry, database, number)[0]


def public_match_of(
    registry: Registry, database: Database, number: str
) -> tuple[Match, TournamentSummary]:
    """Returns what ``public_match`` does, and the tournament of the match.

    Raises:
        BadInput: There is no such match.
    """
    numbers = parse_numbers(database, number)
    match, about = match_and_summary(registry, database, numbers.tournament, numbers.key)
    measured = structs.replace(match.measurement, error="", logs=())
    return structs.replace(match, played=structs.replace(match.played, measurement=measured)), about


def quick_analysis(
    registry: Registry,
    players: tuple[Participant, ...],
    played: PlayedMatch,
    frozen: FrozenValues,
    view: str,
) -> Analysis | None:
    """Returns the win probabilities and mistakes of a match, if they take less than a second.

    Args:
        players: The attribute of the ``Match``, as all that follow.
    """
    game, names = registry.game(played.record.game), shown_names(players)
    match = Match(game=game, players=players, names=names, played=played, frozen=frozen)
    return match.known_analysis(view, learned=False)


def views(match: Match) -> list[str]:
    """Returns the views of a match that everybody may have, the plainest first."""
    if not match.shows_seed:  # its tournament is not finished
        return [PUBLIC]
    return [PUBLIC, *(f"seat{seat}" for seat in range(len(match.names))), "all"]


def check_view(match: Match, view: str, shown: Sequence[str]) -> None:
    """Raises ``BadInput`` for a view that is not available."""
    if view in shown:
        return
    if len(shown) == 1:
        raise BadInput(
            f"view {view!r}: match {match.number} has only the view {shown[0]} until its "
            "tournament is finished, as other matches of its deal may follow"
        )
    raise BadInput(f"view {view!r}: match {match.number} has the views {', '.join(shown)}")


def replay_document(match: Match, view: str) -> Document:
    """Returns the document of a match as one view shows it.

    Raises:
        BadInput: Not everybody may have that view.
    """
    check_view(match, view, views(match))
    return match.document(view)


def bot_rows(registry: Registry, database: Database) -> Iterator[Mapping[str, object]]:
    """Yields the bots that can be named: built-in bots, installed and submitted ones."""
    yield from bots.bot_rows(registry.bots(), submitted_bots(database.url))


def bot_document(registry: Registry, boards: Boards, bot: str) -> Document:
    """Returns the public facts of a bot, with the report of its qualification.

    Raises:
        UnknownName: The bot does not exist.
    """
    return bot_details(registry, boards.database.url, bot, boards).document()


def public_profile(registry: Registry, database: Database, bot: str) -> Profile:
    """Returns the facts of a bot from its matches in finished tournaments."""
    return profile(registry, database, bot, finished=True)


def profile_document(registry: Registry, database: Database, bot: str) -> Document:
    """Returns the keys of the facts of a bot in the document of ``bot_document``."""
    return public_profile(registry, database, bot).document()


def public_history(
    registry: Registry, database: Database, bot: str, matches: int = RECENT
) -> BotHistory:
    """Returns the sums over the last matches of a bot, of finished tournaments."""
    return bot_history(registry, database, bot, matches, finished=True, learned=False)
