"""``arena pair`` and ``arena standings``: rounds and standings of Tournament Report Files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from arena.cli.output import Column, TextOrJson, TextOrJsonOption, show_json, show_table

TrfOption: TypeAlias = Annotated[
    Path, typer.Option("--trf", metavar="FILE", help="A Tournament Report File of FIDE.")
]
PAIRINGS = (
    Column("board", "board", right=True),
    Column("white", "#", right=True),
    Column("white_name", "white", drop=0),
    Column("black", "#", right=True),
    Column("black_name", "black", drop=0),
)


def register(app: typer.Typer) -> None:
    """Adds the verbs."""

    @app.command("pair", epilog="Example: arena pair --trf open.trf -o json")
    def pair(trf: TrfOption, output: TextOrJsonOption = TextOrJson.TABLE) -> None:
        """Pairs the next round of a Swiss in a report, by the FIDE Dutch system of 2026.

        Reads TRF16, TRF25 and TRF26 with the codes of JaVaFo (XXR, XXC, XXP, XXA, XXZ, XXS)
        and bbpPairings (BBW, ...): byes on request, absences, forbidden pairs, accelerations,
        other points. The first of a pairing has White; one alone has the bye.
        """
        from arena.service import tournament_reports as service

        report = service.read_report(trf)
        pairings = service.next_round(trf, report)
        if output is TextOrJson.JSON:
            show_json(service.pairings_document(pairings))
            return
        names = {player.number: player.name for player in report.players}
        rows = [
            {
                "board": board,
                "white": seats[0],
                "white_name": names[seats[0]],
                "black": seats[1] if len(seats) > 1 else None,
                "black_name": names[seats[1]] if len(seats) > 1 else "bye",
            }
            for board, seats in enumerate(pairings, 1)
        ]
        title = f"{report.name or trf.name}, round {report.played_rounds + 1}"
        show_table(title, PAIRINGS, rows)
