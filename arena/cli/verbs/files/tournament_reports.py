"""``arena pair`` and ``arena standings``: rounds and standings of Tournament Report Files."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import (
    TextOrJson,
    TextOrJsonOption,
    counted,
    say,
    show_json,
    show_table,
)
from arena.core.table import Column

if TYPE_CHECKING:
    from arena_tournaments.trf.report import Report

    from arena.service.report.filed.tournament_reports import Standing

TrfOption: TypeAlias = Annotated[
    Path, typer.Option("--trf", metavar="FILE", help="Tournament Report File of FIDE.")
]


class Rules(StrEnum):
    """The values of ``--rules``: years of FIDE's tie-break regulations."""

    OF_2023 = "2023"
    OF_2026 = "2026"


STANDINGS = (
    Column("rank", "rank", right=True),
    Column("number", "#", right=True),
    Column("name", "name"),
    Column("points", "points", right=True, digits=1),
)
PAIRINGS = (
    Column("board", "board", right=True),
    Column("white", "#", right=True),
    Column("white_name", "white", drop=0),
    Column("black", "#", right=True),
    Column("black_name", "black", drop=0),
)


PAIR_EPILOG = "Example: arena pair --trf open.trf -o json"
STANDINGS_EPILOG = "Example: arena standings --trf open.trf --tiebreaks BH/C1,BH,SB,DE"


def register(app: typer.Typer) -> None:
    """Adds the verbs."""

    @app.command("pair", rich_help_panel=ORGANISERS, epilog=PAIR_EPILOG)
    def pair(trf: TrfOption, output: TextOrJsonOption = TextOrJson.TABLE) -> None:
        """Pair the next Swiss round of a FIDE report file.

        Uses the FIDE Dutch system of 2026. Reads TRF16, TRF25 and TRF26 with the codes of JaVaFo
        (XXR, XXC, XXP, XXA, XXZ, XXS) and bbpPairings (BBW, ...): byes on request, absences,
        forbidden pairs, accelerations, other points. The first of a pairing has White; one alone
        has the bye.
        """
        from arena.service.report.filed import tournament_reports as service

        report = service.read_report(trf, _warn)
        pairings = service.next_round(trf, report, _warn)
        if output is TextOrJson.JSON:
            show_json(service.pairings_document(report, pairings))
            return
        _show_pairings(trf, report, pairings)

    @app.command("standings", rich_help_panel=ORGANISERS, epilog=STANDINGS_EPILOG)
    def standings(
        trf: TrfOption,
        tiebreaks: Annotated[
            str | None,
            typer.Option(
                help="Tie-breaks of C.07 in order. [record 212 of the file, else BH/C1,BH,SB,DE]"
            ),
        ] = None,
        rules: Annotated[Rules, typer.Option(help="Year of the regulations.")] = Rules.OF_2026,
        output: TextOrJsonOption = TextOrJson.TABLE,
    ) -> None:
        """Rank the players of a FIDE report file.

        Uses points and the tie-breaks of FIDE's C.07. Tie-breaks: DE WIN WON BPG BWG PS REP GE BH
        AOB FB SB KS ARO TPR PTP APRO APPO RTNG TPN PTS STD. Modifiers follow a slash: BH/C1
        without the least significant, BH/M1 without the least and the most, BH/P forfeits counting
        as played, KS/L60 for 60 per cent, ARO/U1000 with 1000 for players without a rating, who do
        not count otherwise.
        """
        from arena.service.report.filed import tournament_reports as service

        report = service.read_report(trf, _warn)
        asked = None if tiebreaks is None else tiebreaks.split(",")
        lines = service.standings(report, asked, int(rules), lambda text: _warn(f"{trf}: {text}"))
        if output is TextOrJson.JSON:
            show_json(service.standings_document(int(rules), lines))
            return
        own = " as record 212 orders them" if asked is None and report.tie_breaks else ""
        _show_standings(trf, report, lines, f"tie-breaks of {rules}{own}")


def _warn(warning: str) -> None:
    say(f"warning: {warning}")


def _show_pairings(trf: Path, report: Report, pairings: Sequence[tuple[int, ...]]) -> None:
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
    show_table(f"{report.name or trf.name}, round {report.played_rounds + 1}", PAIRINGS, rows)


def _show_standings(trf: Path, report: Report, lines: Sequence[Standing], note: str) -> None:
    names = {player.number: player.name for player in report.players}
    rows = [
        {
            "rank": line.rank,
            "number": line.number,
            "name": names[line.number],
            "points": line.points,
            **line.tiebreaks,
        }
        for line in lines
    ]
    played = counted(report.played_rounds, "round")
    columns = [*STANDINGS, *(Column(each, each, right=True) for each in lines[0].tiebreaks)]
    show_table(f"{report.name or trf.name} after {played}, {note}", columns, rows)
