"""The format: a round robin of teams, in which board 1 meets board 1, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from arena.core.errors import BadInput, BadKey
from arena.core.options import Option
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Format,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
    Scoring,
    Section,
    Tables,
)
from arena_format_teams.lineups import Team, check_names, read_teams, rounds_per_cycle, team_round
from arena_format_teams.standings import Played, match_table, team_table

_Points = Annotated[float, Meta(ge=0, le=100)]


class Teams(Format, kw_only=True):
    """Teams that all meet each other, on as many boards as each has bots.

    A board scores 1, 1/2 or 0 by the majority of its match points. A team wins a match with more
    board points than the other one.

    Attributes:
        teams: ``TEAM: NAME | NAME``, the bot of board 1 first.
        team_win: Points of a team for a won match.
        team_draw: Points of a team for a drawn match.
    """

    teams: Annotated[
        tuple[str, ...], Option("A team: 'TEAM: NAME | NAME'. Repeatable.", metavar="TEAM")
    ] = ()
    team_win: Annotated[_Points, Option("Points of a team for a won match.")] = 2.0
    team_draw: Annotated[_Points, Option("Points of a team for a drawn match.")] = 1.0
    name: str = "teams"
    summary: str = "teams meet board by board; --rounds counts cycles (default 1)"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "void", "now"))

    def __post_init__(self) -> None:
        if not self.team_win > self.team_draw:
            raise BadKey("team_draw", f"expected less than team_win, not {self.team_draw:g}")

    def check_field(self, names: Sequence[str]) -> None:
        check_names(read_teams(self.teams), names)

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        teams = read_teams(self.teams)
        bots = sum(len(team.bots) for team in teams)
        if entrants != bots:
            raise BadInput(f"{len(teams)} teams have {bots} bots, and {entrants} are entered")
        cycles = 1 if requested is None else requested
        if cycles < 1:
            raise BadInput(f"teams play 1 cycle or more, not {cycles} (rounds = cycles)")
        return cycles * rounds_per_cycle(len(teams))

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        teams = read_teams(self.teams)
        return [len(teams) // 2 * len(teams[0].bots)] * rounds

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        if len(played) >= rounds:
            return None
        lineups = _lineups(read_teams(self.teams), [each.name for each in field])
        pairings = [
            Pairing((one, other) if board % 2 == 0 else (other, one))
            for home, away in team_round(len(lineups), len(played))
            for board, (one, other) in enumerate(zip(lineups[home], lineups[away], strict=True))
        ]
        seated = {index for pairing in pairings for index in pairing.seats}
        resting = tuple(index for index in range(len(field)) if index not in seated)
        return Round(len(played) + 1, tuple(pairings), resting)

    def scoring(self) -> Scoring:
        return BOARDS

    def sections(self, names: Sequence[str], played: Sequence[RoundResult]) -> Iterator[Section]:
        """Yields the standings of the teams, their matches, and the bots of each board."""
        teams = read_teams(self.teams)
        lineups = _lineups(teams, names)
        matches = [*_matches(lineups, played)]
        points = (self.team_win, self.team_draw)
        yield Section(title="Teams", table=team_table(teams, matches, points))
        yield Section(title="Matches of teams", table=match_table(teams, matches))
        for board, members in enumerate(zip(*lineups, strict=True), 1):
            yield Section(title=f"Board {board}", members=members)


def _lineups(teams: Sequence[Team], names: Sequence[str]) -> list[tuple[int, ...]]:
    """Returns the indices of each team's bots, board 1 first."""
    place = {name: index for index, name in enumerate(names)}
    return [tuple(place[bot] for bot in team.bots) for team in teams]


def _matches(lineups: Sequence[Sequence[int]], played: Sequence[RoundResult]) -> Iterator[Played]:
    """Yields the matches of teams with their board points; annulled boards do not count."""
    team = {index: number for number, lineup in enumerate(lineups) for index in lineup}
    for past in played:
        met = team_round(len(lineups), past.round.number - 1)
        points = {pair: [0.0, 0.0] for pair in met}
        counted = dict.fromkeys(met, 0)
        for result in past.results:
            if result.void:
                continue
            own = dict(zip(result.pairing.seats, by_majority(result), strict=True))
            teams = {team[index]: score for index, score in own.items()}
            pair = next(each for each in met if {*each} == teams.keys())
            counted[pair] += 1
            for side, number in enumerate(pair):
                points[pair][side] += teams[number]
        for pair in met:
            if counted[pair]:
                yield Played(past.round.number, *pair, *points[pair])


def by_majority(result: PairingResult) -> tuple[float, ...]:
    """Returns 1 for more match points than the opponent, 1/2 for as many."""
    first, second = result.points
    if first == second:
        # A board on which both forfeited is lost for both.
        return (0.0, 0.0) if len(result.forfeited) > 1 else (0.5, 0.5)
    return (1.0, 0.0) if first > second else (0.0, 1.0)


BOARDS = Scoring(
    name="boards",
    summary="a board scores 1, 1/2 or 0 by the majority of its matches, a bye nothing",
    scores=by_majority,
    worth=lambda result: 1.0,
    bye=0.0,
    tie_breaks=("WIN", "SB"),
)
