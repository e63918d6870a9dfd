"""``arena bots show``: draws all that is known of one bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from arena.cli.output import Column, TextOrJson, one_line, show_json, show_table, stdout, write
from arena.core.tournament import SHOWN_DIGITS
from arena.service.bots import BotDetails, version_row

if TYPE_CHECKING:
    from arena_results.submissions import Submission

VERSIONS = (
    Column("version", "version"),
    Column("status", "status"),
    Column("games", "games"),
    Column("deterministic", "deterministic"),
    Column("content", "content", most=SHOWN_DIGITS),
    Column("submitted", "submitted"),
)
CHECKS = (
    Column("game", "game"),
    Column("ruleset", "ruleset"),
    Column("against", "against"),
    Column("matches", "matches", right=True),
    Column("points", "points", right=True),
    Column("deterministic", "deterministic"),
    Column("isolation", "ran"),
)
RATINGS = (
    Column("game", "game"),
    Column("ruleset", "ruleset"),
    Column("name", "bot"),
    Column("version", "version"),
    Column("rating", "rating", right=True, digits=0),
    Column("games", "matches", right=True),
)


def show(details: BotDetails, output: TextOrJson) -> None:
    """Prints all that is known of a bot."""
    if output is TextOrJson.JSON:
        show_json(details.document())
        return
    chosen = details.submission
    if chosen is None:
        _show_about(details.about)
    else:
        _show_about({**details.about, "content": chosen.content[:SHOWN_DIGITS]})
        rows = [
            version_row(each) | {"submitted": f"{each.submitted_at:%Y-%m-%d %H:%M}"}
            for each in details.versions
        ]
        show_table("versions", VERSIONS, rows)
        show_table(f"qualification of {chosen.version}", CHECKS, _checks(chosen))
    if details.ratings:
        show_table("ratings", RATINGS, details.ratings)
    else:
        write(stdout(), "no rated matches yet")


def _show_about(about: Mapping[str, object]) -> None:
    """A line for everything that is known."""
    column = Column("", "")
    width = max(map(len, about))
    for key, value in about.items():
        if value not in ("", ()):
            write(stdout(), f"{key:{width}}  {one_line(column.text(value))}")
    write(stdout(), "")


def _checks(chosen: Submission) -> list[dict[str, object]]:
    return [
        {"game": game, "ruleset": report.ruleset, "against": opponent, **asdict(check)}
        for game, report in chosen.report.items()
        for opponent, check in report.against.items()
    ]
