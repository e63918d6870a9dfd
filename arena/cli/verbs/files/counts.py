"""``arena elo`` and ``arena sprt``: strength and tests of a change from counts of results alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer
from arena_results.ratings.comparing.sequential import (
    ERROR_RATE,
    Decision,
    Evidence,
    Model,
    Sprt,
    evidence,
)
from arena_results.ratings.intervals.statistics import (
    FEWEST,
    elo_interval,
    elo_sequence,
    estimate,
    is_few,
    matches,
)

from arena.cli.terminal.help import RESEARCHERS
from arena.cli.terminal.output import (
    TextOrJson,
    TextOrJsonOption,
    counted,
    show_json,
    stdout,
    write,
)
from arena.cli.texts.estimate import estimate_lines
from arena.service.rating.counts import elo_document, read_counts, sprt_document
from arena.service.report.comparing.elo_text import bounds_text, more_text, size_text

ELO_EPILOG = """\b
Examples:
  arena elo --wdl 136 111 96
  arena elo --pentanomial 34 54 63 64 75 -o json
"""

SPRT_EPILOG = """\b
Examples:
  arena sprt --pentanomial 365 16618 36229 16974 390 --elo0 0 --elo1 2
  arena sprt --wdl 57433 106593 57030 --elo0 0 --elo1 2 --model logistic -o json
"""

WdlOption: TypeAlias = Annotated[
    tuple[int, int, int] | None,
    typer.Option("--wdl", metavar="W D L", help="Matches won, drawn and lost."),
]
PairsOption: TypeAlias = Annotated[
    tuple[int, int, int, int, int] | None,
    typer.Option(
        "--pentanomial",
        metavar="LL LD MID WD WW",
        help="Mirrored pairs with 0, 1/2, 1, 3/2 and 2 points.",
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command("elo", rich_help_panel=RESEARCHERS, epilog=ELO_EPILOG)(elo)
    app.command("sprt", rich_help_panel=RESEARCHERS, epilog=SPRT_EPILOG)(sprt)


def elo(
    wdl: WdlOption = None,
    pentanomial: PairsOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Estimate a strength difference from counts of results.

    Errors are half 95 % intervals; of mirrored matches give the pairs, whose matches share their
    luck.
    """
    counts = read_counts(wdl, pentanomial)
    found = estimate(counts)
    if output is TextOrJson.JSON:
        show_json(elo_document(found))
        return
    lines = [*estimate_lines(found), _counts_line(counts), *_verdict(counts, found.elo)]
    write(stdout(), "\n".join(lines))


def sprt(
    wdl: WdlOption = None,
    pentanomial: PairsOption = None,
    *,
    elo0: Annotated[float, typer.Option(help="Elo difference of hypothesis H0.")],
    elo1: Annotated[float, typer.Option(help="Elo difference of hypothesis H1, above elo0.")],
    alpha: Annotated[
        float, typer.Option(help="Probability to accept H1 if H0 is true.")
    ] = ERROR_RATE,
    beta: Annotated[
        float, typer.Option(help="Probability to accept H0 if H1 is true.")
    ] = ERROR_RATE,
    model: Annotated[
        Model, typer.Option(help="Scale of elo0 and elo1. bayesian needs --wdl.")
    ] = Model.NORMALIZED,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Test a strength difference from counts of results.

    It may be asked after every match or pair: alpha and beta hold although one looks often.
    """
    counts = read_counts(wdl, pentanomial)
    test = Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, model=model)
    found = evidence(test, counts)
    if output is TextOrJson.JSON:
        show_json(sprt_document(found))
        return
    lines = [
        f"SPRT: {model} Elo {elo0:g} against {elo1:g}, alpha {alpha:g}, beta {beta:g}",
        f"LLR: {found.llr:z.2f}, bounds {found.lower:.2f} .. {found.upper:.2f}",
        *estimate_lines(estimate(counts)),
        _counts_line(counts),
        f"Elo at 95 %, however often one looks: {bounds_text(*elo_sequence(counts))}",
        _decision(test, found, counts),
    ]
    write(stdout(), "\n".join(lines))


def _counts_line(counts: Sequence[int]) -> str:
    if len(counts) == 3:
        lost, drawn, won = counts
        return f"Games: {sum(counts)}, Wins: {won}, Losses: {lost}, Draws: {drawn}"
    return f"Games: {matches(counts) * sum(counts)}, Ptnml(0-2): {list(counts)}"


def _verdict(counts: Sequence[int], value: float | None) -> list[str]:
    low, high = elo_interval(counts)
    single = len(counts) == 3
    unit, units = ("match", "matches") if single else ("pair", "pairs")
    if sum(counts) < FEWEST:
        finding = "Too few results to say which side is better"
    elif low > 0:
        finding = "It is better than its opponent"
    elif high < 0:
        finding = "It is weaker than its opponent"
    else:
        finding = "The better side is not known yet"
    lines = [f"{finding}: {size_text(value, low, high)}, {counted(sum(counts), unit, units)}."]
    if is_few(counts):
        lines.append(f"The figures with ± are too sure: few {units}, or all alike.")
    return lines


def _decision(test: Sprt, found: Evidence, counts: Sequence[int]) -> str:
    sides = {Decision.H0: (test.elo0, test.elo1), Decision.H1: (test.elo1, test.elo0)}
    if found.decision in sides:
        taken, other = sides[found.decision]
        return f"{found.decision} is accepted: {taken:g} {test.model} Elo rather than {other:g}."
    if found.more is None:
        return "Undecided: bayesian Elo needs a match won and one lost."
    more = more_text(found.more * matches(counts))
    return f"Undecided: about {more} needed if they go on like these."
