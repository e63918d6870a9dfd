"""Plays whole tournaments in tests, with results drawn from a generator."""

from __future__ import annotations

from arena.core.tournament import Entrant, PairingResult, RoundResult


def field_of(size):
    return [Entrant(f"bot {number}") for number in range(1, size + 1)]


def finish(round, rng, games=1):
    """Some result for every pairing: each match 1, 1/2 or 0 for the first seat."""
    results = []
    for pairing in round.pairings:
        points = sum(rng.choice((0.0, 0.5, 1.0)) for _ in range(games))
        results.append(PairingResult(pairing, (points, games - points)))
    return RoundResult(round, tuple(results))


def play(format, size, rounds, rng, games=1):
    played = []
    while (upcoming := format.next_round(field_of(size), played, rounds)) is not None:
        played.append(finish(upcoming, rng, games))
    return played
