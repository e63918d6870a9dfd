"""The standings of teams, and the list of their matches, as tables."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.table import Column, Row, Table
from arena_format_teams.lineups import Team


class Played(msgspec.Struct, frozen=True):
    """A match of two teams, by index, with the board points of each."""

    round: int
    home: int
    away: int
    home_boards: float
    away_boards: float

    def boards(self, team: int) -> tuple[float, float]:
        """Returns the board points of a team, and of its opponent."""
        both = self.home_boards, self.away_boards
        return both if team == self.home else both[::-1]


def _result(row: Row) -> str:
    return f"{row['home_boards']:g} : {row['away_boards']:g}"


TEAMS = (
    Column("rank", "#", right=True, type="integer"),
    Column("team", "team", type="text"),
    Column("matches", "matches", right=True, type="integer"),
    Column("won", "W", right=True, type="integer", hint="matches won"),
    Column("drawn", "D", right=True, type="integer", hint="matches drawn"),
    Column("lost", "L", right=True, type="integer", hint="matches lost"),
    Column("points", "points", right=True, digits=1, type="number"),
    Column("boards", "boards", right=True, digits=1, type="number", hint="board points"),
    Column("bots", "bots by board", drop=5, type="text"),
)
MATCHES = (
    Column("round", "round", right=True, type="integer"),
    Column("home", "home", type="text"),
    Column("result", "boards", cell=_result, derived=True),
    Column("away", "away", type="text"),
    Column("home_boards", type="number"),
    Column("away_boards", type="number"),
)


def team_table(
    teams: Sequence[Team], matches: Sequence[Played], points: tuple[float, float]
) -> Table:
    """Returns the standings of teams: by match points, then board points; equals share a rank.

    Args:
        points: For a won and for a drawn match.
    """
    rows = [_row(number, team, matches, points) for number, team in enumerate(teams)]
    keys = [(row["points"], row["boards"]) for row in rows]
    ranked = [
        {"rank": 1 + sum(other > key for other in keys), **row}
        for row, key in zip(rows, keys, strict=True)
    ]
    return Table(columns=TEAMS, rows=sorted(ranked, key=lambda row: row["rank"]))


def _row(number: int, team: Team, matches: Sequence[Played], points: tuple[float, float]) -> Row:
    own = [each.boards(number) for each in matches if number in (each.home, each.away)]
    won, drawn = (sum(test) for test in ((a > b for a, b in own), (a == b for a, b in own)))
    return {
        "team": team.name,
        "matches": len(own),
        "won": won,
        "drawn": drawn,
        "lost": len(own) - won - drawn,
        "points": won * points[0] + drawn * points[1],
        "boards": sum(mine for mine, _ in own),
        "bots": ", ".join(team.bots),
    }


def match_table(teams: Sequence[Team], matches: Sequence[Played]) -> Table:
    """Returns the matches of teams in the order of rounds."""
    rows = [
        {
            "round": each.round,
            "home": teams[each.home].name,
            "away": teams[each.away].name,
            "home_boards": each.home_boards,
            "away_boards": each.away_boards,
        }
        for each in matches
    ]
    return Table(columns=MATCHES, rows=rows)
