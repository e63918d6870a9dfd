"""The parts of a bot's page as values: figures, form, findings, worst decisions, matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from arena_results.boards.board_rows import BOUND, ESTIMATE, Board
from markupsafe import Markup

from arena.core.table import MINUS, Row, minus
from arena.pages.boards import board, draw_boards, draw_cards
from arena.pages.page import Link
from arena.service.boards.bot_tables import Opponents, rating_rows
from arena.service.boards.findings import Finding
from arena.service.boards.history import BadDecision, BotHistory, Position
from arena.service.boards.versions import UNKNOWN, VersionChange
from arena.service.match.listing import CAUSES, RESULTS
from arena.web.site.lists import Place


class Figure(msgspec.Struct, frozen=True):
    """A number in large letters, with its name and a word after it."""

    value: str
    label: str
    word: str = ""


class Worst(msgspec.Struct, frozen=True, kw_only=True):
    """One of the worst decisions.

    Attributes:
        against: The opponents.
        chances: The win probability before and after, in words.
    """

    board: Markup
    action: str
    better: str
    against: str
    chances: str
    link: str


class Choice(msgspec.Struct, frozen=True):
    """A filter of the list of matches: its parameter, and the values to choose from."""

    key: str
    label: str
    values: tuple[tuple[str, str], ...]
    chosen: str


def main_row(ratings: Sequence[Row], boards: Sequence[Board], name: str) -> Row | None:
    """Returns the row of a bot on the leaderboard on which it has played most.

    Args:
        ratings: Its rows, with one for every version.
        boards: Leaderboards of latest versions, on which ranks count; empty for one version.
    """
    latest = rating_rows([("", each) for each in boards], name)
    rows = [row for row in latest if not row["unit"]] or latest or [*ratings]
    return max(rows, key=lambda row: (not row["unit"], row["games"]), default=None)


def figures(row: Row | None, changes: Iterable[VersionChange]) -> list[Figure]:
    """Returns the figures of a bot on one leaderboard; none before its first match.

    Args:
        row: The row of its latest version.
        changes: Each version compared with the last one.
    """
    if row is None:
        return []
    digits = 3 if row["unit"] else 0
    half = "?" if row["few"] else f"{(row['high'] - row['low']) / 2:.{digits}f}"
    rating = signed(row["rating"], digits, plus=False)
    found = [
        Figure(rating, f"{row['unit'] or 'rating'}, ± {half}"),
        Figure(str(row["rank"]), f"rank of {row['field']}"),
        Figure(f"{100 * row['firsts'] / row['games']:.0f} %", f"won of {row['games']:,}"),
    ]
    own = row["game"], row["ruleset"], row["name"], row["version"]
    found += [
        _compared(each)
        for each in changes
        if (each.game, each.ruleset, each.name, each.version) == own
    ]
    return found


def _compared(change: VersionChange) -> Figure:
    if change.elo is None or change.low is None or change.high is None:
        return Figure("?", f"against {change.previous}, too few matches", change.verdict)
    digits = 3 if change.unit else 0
    low, high = (signed(each, digits, plus=False) for each in (change.low, change.high))
    about = f"against {change.previous} ({low} to {high})"
    return Figure(signed(change.elo, digits), about, change.verdict)


def signed(value: float, digits: int, *, plus: bool = True) -> str:
    """Returns a number with its sign, as pages write it."""
    return f"{value:{'+' if plus else ''}.{digits}f}".replace("-", MINUS)


def verdict(changes: Sequence[VersionChange]) -> str:
    """Returns what a verdict on the newest version takes; empty if there is one."""
    unknown = [each for each in changes[:1] if each.verdict == UNKNOWN and each.needed]
    return next(
        (
            f"It takes about {each.needed:,} rated matches of each version to know whether "
            f"{each.version} is better than {each.previous}."
            for each in unknown
        ),
        "",
    )


def finding_link(finding: Finding, place: Place, name: str) -> Link:
    """Returns the link to an example of a finding."""
    if finding.kind == "opponent":
        against = finding.text.removeprefix("lost to ")
        return Link("Show", place.to("b", name, tab="matches", against=against, result="lost"))
    return Link("Show", match_address(place, finding.match, finding.move))


def match_address(place: Place, match: str, move: int | None) -> str:
    """Returns the address of a finished match with all hands open, at a move."""
    query = {"view": "all"} | ({} if move is None else {"move": str(move)})
    return place.to("m", match, **query)


def worst_decisions(
    decisions: Sequence[BadDecision], positions: Sequence[Position], place: Place
) -> tuple[Markup, list[Worst]]:
    """Returns the cards that boards refer to, and the worst decisions with their boards."""
    boards = [
        msgspec.structs.replace(board(each.scene, each.names), label=f"table {number}")
        for number, each in enumerate(positions, 1)
    ]
    drawn = [
        draw_boards([each], position.seat)[0]
        for each, position in zip(boards, positions, strict=True)
    ]
    found = [
        Worst(
            board=drawn[number],
            action=_sentence(each.action),
            better=_sentence(each.better),
            against=", ".join(
                name for seat, name in enumerate(position.names) if seat != position.seat
            ),
            chances=_chances(each, position.assumption),
            link=match_address(place, each.match, each.move),
        )
        for number, (each, position) in enumerate(zip(decisions, positions, strict=False))
    ]
    return draw_cards(boards) if boards else Markup(), found


def _sentence(text: str) -> str:
    return minus(text[:1].upper() + text[1:])


def sums(history: BotHistory) -> str:
    """Returns the luck and the mistakes of the last matches of a bot in one sentence."""
    parts = []
    if history.luck is not None:
        parts.append(f"mean luck {minus(f'{history.luck:+.3f}')} match points")
    if history.decisions:
        mistakes = "1 mistake" if history.mistakes == 1 else f"{history.mistakes} mistakes"
        parts.append(f"{mistakes} in {history.decisions:,} evaluated decisions")
    found = ", ".join(parts)
    return f"In its last {history.matches} matches: {found}." if parts else ""


def _chances(each: BadDecision, assumption: str) -> str:
    before, after = 100 * each.chance, 100 * (each.chance - each.given_away)
    given = f", {assumption}" if assumption else ""
    return f"Chance to win {before:.0f} %, after it {after:.0f} %{given}."


def choices(place: Place, met: Opponents) -> list[Choice]:
    """Returns the filters of the list of matches."""
    names = [(row["opponent"], row["opponent"]) for row in met.rows]
    numbers = [(str(each.id), each.name or f"tournament {each.id}") for each in met.events]
    return [
        Choice(key, label, (("", "any"), *values), place.query.get(key, ""))
        for key, label, values in (
            ("against", "Opponent", names),
            ("result", "Result", [(each, each) for each in RESULTS]),
            ("cause", "Ending", [(each.value, each.value) for each in CAUSES]),
            ("tournament", "Event", numbers),
        )
    ]


def exploited(rows: Iterable[Row]) -> list[str]:
    """Returns how exploitable a bot is, a sentence or two for each version and ruleset."""
    return [_exploited(row) for row in rows if row["exploitability"] is not None]


def _exploited(row: Row) -> str:
    unit, error = row["unit"] or "points", row["exploit_error"]
    known, kind, its = row["exploit_kind"], row["exploit_kind"], "the exploitability is"
    if kind == ESTIMATE:
        known = f"an estimate by {row['exploit_answers']} answers"
    elif kind == BOUND:
        known, its = "lower end of a 95 % interval", "the exploitability is at least"
    if row["exploit_seats"] != 2:
        known += f", at a table of {row['exploit_seats']} seats"
    proof = f"{row['exploit_won']:+.2f}" + (f" ± {error:.2f}" if error is not None else "")
    best = "a responder" if kind == BOUND else "its best opponent"
    return minus(
        f"Version {row['version']} at {row['board']}: {its} "
        f"{row['exploitability']:.4f} {unit} a match ({known}). "
        f"In matches {best} won {proof} {unit} a match (95 %)."
    )
