"""Computes OpenSkill ratings: its Plackett-Luce model, match by match.

Source: R. C. Weng and C.-J. Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12
(2011), algorithm 4, as the library openskill has it, with its defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

START, DEVIATION = 25.0, 25.0 / 3
"""Of a player without results."""


def openskill(
    ratings: Sequence[tuple[float, float]], orders: Iterable[tuple[Sequence[int], Sequence[float]]]
) -> list[tuple[float, float]]:
    """Returns the ratings after matches, and their standard deviations.

    Args:
        ratings: Of all players, with their standard deviations, before the first match.
        orders: For each match its players, and their ranks: the least is first.
    """
    # Here: no other model needs it.
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated = [model.rating(mu=mean, sigma=deviation) for mean, deviation in ratings]
    for players, ranks in orders:
        teams = model.rate([[rated[player]] for player in players], ranks=list(ranks))
        for player, (rating,) in zip(players, teams, strict=True):
            rated[player] = rating
    return [(rating.mu, rating.sigma) for rating in rated]
