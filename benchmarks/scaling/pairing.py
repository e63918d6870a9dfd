"""The part about pairing: one round of each format, after five rounds of a Swiss."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time

from arena_tournaments.spec.keys import TournamentSpec

from arena.core.tournaments.format import (
    Entrant,
    Format,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
)
from arena.plugins.registry import Registry
from arena.service.setup.formats import make_format
from benchmarks.scaling.parts import Measured

PLAYED = 5
"""Rounds before the measured one."""
GAMES = 2
"""Matches of a pairing."""
MEMBERS = 20
"""Bots of a league with many rounds."""
TOO_LARGE = 1_000
"""Bots above which formats by strength are not measured: they take minutes."""


def of_bots(bots: int) -> Measured:
    """Measures one round of each format for a number of bots."""
    rng = Random(bots)
    field = [Entrant(f"bot-{index:05}") for index in range(bots)]
    swiss = _format("swiss")
    played: list[RoundResult] = []
    for _ in range(PLAYED):
        played.append(_result(_next(swiss, field, played), rng))
    for name in ("round-robin", "swiss"):
        yield name, _seconds(_format(name), field, played)
    knockout = _format("knockout")
    first = [_result(_next(knockout, field, []), rng)]
    yield "knockout", _seconds(knockout, field, first)
    if bots <= TOO_LARGE:
        for name in ("adaptive", "league"):
            yield name, _seconds(_format(name), field, played)


def paired_after(rounds: int) -> float:
    """Returns the seconds of pairing a league of 20 bots after some rounds of one pairing."""
    rng, field = Random(rounds), [Entrant(f"bot-{index:05}") for index in range(MEMBERS)]
    played = []
    for number in range(1, rounds + 1):
        pairing = Pairing(tuple(rng.sample(range(MEMBERS), 2)))
        played.append(_result(Round(number, (pairing,)), rng))
    return _seconds(_format("league"), field, played)


def _format(name: str) -> Format:
    return make_format(Registry(), TournamentSpec(format=name))


def _next(format: Format, field: Sequence[Entrant], played: Sequence[RoundResult]) -> Round:
    made = format.next_round(field, played, format.rounds(len(field), None))
    assert made is not None
    return made


def _seconds(format: Format, field: Sequence[Entrant], played: Sequence[RoundResult]) -> float:
    began = process_time()
    _next(format, field, played)
    return process_time() - began


def _result(made: Round, rng: Random) -> RoundResult:
    """Returns a result of each pairing; the lower index is the stronger bot, mostly."""
    results = []
    for pairing in made.pairings:
        won = sum(rng.random() < 0.6 for _ in range(GAMES))
        if pairing.seats[0] > pairing.seats[1]:
            won = GAMES - won
        results.append(PairingResult(pairing, (float(won), float(GAMES - won))))
    return RoundResult(made, tuple(results))
