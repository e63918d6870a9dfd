"""Pairs Swiss rounds; the only file that uses the library ``gacrux``.

A pairer reads the history in TRF, FIDE's tournament report format, as every pairing program
does, so that another one can take its place. ``report`` writes a tournament as TRF.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from arena.core.errors import HarnessFault
from arena.core.tournament import RoundResult
from arena_tournaments.scoring import PAIRING

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Pairing numbers (1 and up) in board order, the first seat first; a second 0 is the bye."""

_RESULTS = {1.0: "1", 0.5: "=", 0.0: "0"}


class Pairer(Protocol):
    """Pairs one round of a Swiss."""

    def pair(self, report: str, round: int) -> Pairs | None:
        """Pairs everybody who is not marked absent in that round.

        Args:
            report: The tournament so far in TRF: players, results, and the number of rounds
                (record 142).
            round: The round to pair, from 1.

        Returns:
            The pairs, or ``None`` when the rules allow no pairing (C.04.3, 1.9.3).

        Raises:
            HarnessFault: The report cannot be read.
        """


class Dutch:
    """The FIDE Dutch system (C.04.3, in force since 1 February 2026), paired by ``gacrux``."""

    def pair(self, report: str, round: int) -> Pairs | None:
        # Imported here: it brings networkx, which no other verb has to wait for.
        from gacrux.gacruxexeptions import GacruxError, GacruxNoLegalPairing
        from gacrux.pairingdutch import pairing_dutch
        from gacrux.trf2json import trf2json

        try:
            reader = trf2json()
            reader.parse_file(report, 0)
            if reader.get_status():
                raise HarnessFault(f"the pairing library: {reader.chessjson['status']['error']}")
            options = {"experimental": [], "verbose": 0, "top_color": "w"}
            engine = pairing_dutch(reader.get_tournament(1), round, options)
            brackets = engine.compute_pairing(checkonly=False)
        except GacruxNoLegalPairing:
            return None
        except GacruxError as error:
            raise HarnessFault(f"the pairing library: {error}") from error
        pairs = [pair for bracket in brackets for pair in bracket["pairs"]]
        pairs.sort(key=lambda pair: pair["board"])
        return tuple((pair["w"], pair["b"]) for pair in pairs)


def report(entrants: int, played: Sequence[RoundResult], rounds: int) -> str:
    """Writes a Swiss as TRF: results 1, 1/2, 0 by majority, byes as pairing-allocated byes.

    The index in the field, plus 1, is the pairing number. The number of rounds that there will be
    is part of it: the last one has rules of its own.
    """
    cells: list[list[str]] = [[] for _ in range(entrants)]
    scores = [0.0] * entrants
    for past in played:
        for result in past.results:
            first, second = result.pairing.seats
            for index, opponent, colour, score in zip(
                (first, second), (second, first), "wb", PAIRING.scores(result), strict=True
            ):
                cells[index].append(f"  {opponent + 1:4} {colour} {_RESULTS[score]}")
                scores[index] += score
        for index in past.round.byes:
            cells[index].append("  0000 - U")
            scores[index] += PAIRING.bye
    lines = [
        f"001 {index + 1:4}{'':6}{'':33}{'':33}{scores[index]:4.1f} {index + 1:4}"
        + "".join(cells[index])
        for index in range(entrants)
    ]
    # Record 152 is the drawing of lots for the initial colour: pairing number 1 sits first.
    return "\n".join([*lines, f"142 {rounds}", "152 W", ""])
