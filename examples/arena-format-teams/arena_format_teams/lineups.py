"""Teams with their bots by board, and the round robin that they play."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.errors import BadKey, UnknownName


class Team(msgspec.Struct, frozen=True):
    """A team as it is entered.

    Attributes:
        bots: Names of its bots, board 1 first.
    """

    name: str
    bots: tuple[str, ...]


def read_teams(texts: Sequence[str]) -> tuple[Team, ...]:
    """Reads teams written as ``TEAM: NAME | NAME``.

    Raises:
        BadKey: There are fewer than two, or they differ in size, or one is written wrongly.
    """
    teams = tuple(map(_read_team, texts))
    if len(teams) < 2:
        raise BadKey(
            "teams", f"expected at least two teams as 'TEAM: NAME | NAME', not {len(teams)}"
        )
    names = [team.name for team in teams]
    bots = [bot for team in teams for bot in team.bots]
    for kind, given in (("team", names), ("bot", bots)):
        if twice := sorted({each for each in given if given.count(each) > 1}):
            raise BadKey("teams", f"{kind} {twice[0]!r} is there twice")
    sizes = {len(team.bots): team.name for team in teams}
    if len(sizes) > 1:
        shown = " and ".join(f"{name} has {size}" for size, name in sorted(sizes.items()))
        raise BadKey("teams", f"every team needs as many bots as the others; {shown}")
    return teams


def _read_team(text: str) -> Team:
    name, colon, rest = text.partition(":")
    bots = tuple(bot.strip() for bot in rest.split("|"))
    if not (name.strip() and colon and all(bots)):
        raise BadKey("teams", f"expected 'TEAM: NAME | NAME', not {text!r}")
    return Team(name.strip(), bots)


def check_names(teams: Sequence[Team], names: Sequence[str]) -> None:
    """Raises ``BadKey`` if the bots of the teams are not those of the field."""
    bots = [bot for team in teams for bot in team.bots]
    for bot in bots:
        if bot not in names:
            raise BadKey("teams", str(UnknownName("bot of the tournament", bot, names)))
    if without := [name for name in names if name not in bots]:
        raise BadKey("teams", f"no team has {', '.join(without)}")


def rounds_per_cycle(teams: int) -> int:
    """Returns the rounds in which each team meets every other one."""
    return teams - 1 + teams % 2


def team_round(teams: int, number: int) -> list[tuple[int, int]]:
    """Returns the teams that meet in a round, home first, by index; one of an odd number rests.

    All teams but the last go round a circle; every second cycle exchanges home and away.

    Args:
        number: 0 and up.
    """
    cycle, row = divmod(number, rounds_per_cycle(teams))
    last = teams - 1 + teams % 2
    fixed = (row, last) if row % 2 else (last, row)
    met = [
        fixed,
        *(((row + step) % last, (row - step) % last) for step in range(1, (last + 1) // 2)),
    ]
    return [
        (away, home) if cycle % 2 else (home, away)
        for home, away in met
        if teams not in (home, away)
    ]
