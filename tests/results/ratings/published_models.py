"""Published ratings with their sources, and the files of results that should give them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

DATA = Path(__file__).parent / "data"
PUBLISHED = json.loads((DATA / "published_models.json").read_text())
ELO = json.loads((DATA / "published.json").read_text())["elo_update"][0]
BASEBALL = PUBLISHED["bradley_terry_baseball"]
TEAMS = sorted({row[0] for row in BASEBALL["rows_home_away_homewins_awaywins"]})


def games() -> list[tuple[str, str, int]]:
    """Every game of the baseball season: home team, away team, and whether home won."""
    return [
        (home, away, won)
        for home, away, wins, losses in BASEBALL["rows_home_away_homewins_awaywins"]
        for won in [1] * wins + [0] * losses
    ]


def lines(header: str, rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV."""
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def baseball() -> str:
    return lines("player1,player2,score", games())


def opponents(case: dict[str, object], volatility: float) -> tuple[str, str]:
    """The results of Glickman's example, and the ratings before them."""
    results = [("me", f"opponent{each}", score) for each, (_, _, score) in enumerate(case["opp"])]
    before = [("me", case["r"], case["rd"], volatility)]
    before += [
        (f"opponent{each}", rating, deviation, 0.06)
        for each, (rating, deviation, _) in enumerate(case["opp"])
    ]
    header = "player,rating,se,volatility"
    return lines("player1,player2,score", results), lines(header, before)
