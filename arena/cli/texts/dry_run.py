"""The text of a dry run: field, rounds that are known, number of matches, and estimated time."""

from __future__ import annotations

from math import inf

from arena.cli.terminal.output import counted, draw, show_table, stdout, write
from arena.cli.terminal.progress import span_text
from arena.core.table import Column, Table, known_values
from arena.core.tournaments.format import Round
from arena.service.report.comparing.endpoints import dollars
from arena.service.run.ahead.dry_run import DryRun
from arena.service.run.ahead.precision import Precision
from arena.service.run.executors.model_estimate import ModelEstimate
from arena.service.setup.formats import volumes_text

FIELD = (
    Column("number", "#", True),
    Column("name", "bot", drop=0),
    Column("version", "version"),
    Column("rating", "rating", True, digits=0),
    Column("section", "section", when=known_values("section")),
)
ROUNDS = (Column("round", "round", True), Column("pairings", "pairings", drop=0, prose=True))


def print_dry_run(shown: DryRun) -> None:
    """Prints a dry run for people."""
    resolved, row = shown.resolved, shown.resolved.new()
    volume = f"budget {shown.budget}: " if shown.budget else ""
    volume += volumes_text(resolved.volumes)
    most = "at most " if resolved.format.ends_early else ""
    title = (
        f"Dry run: {row.game} {row.ruleset}, {row.format}, {len(shown.field)} bots, "
        f"{most}{counted(row.rounds, 'round')}, {volume}"
    )
    entries = enumerate(shown.entries(), 1)
    rows = [{"number": number, "section": None, **each} for number, each in entries]
    draw(Table(title=title, columns=FIELD, rows=rows))
    whole = len(shown.rounds) == row.rounds
    heading = "Rounds" if whole else "Round 1; later ones follow from the results"
    rounds = [{"round": made.number, "pairings": _round_text(shown, made)} for made in shown.rounds]
    show_table(heading, ROUNDS, rows=rounds)
    speed, most = shown.speed, "at most " if shown.at_most else ""
    workers, played = counted(speed.workers, "worker"), counted(speed.matches, "match", "matches")
    console = stdout()
    if shown.precision:
        write(console, "\n".join(_precision_lines(shown, shown.precision)))
    write(console, f"Matches: {most}{shown.matches}")
    write(
        console,
        f"Time: {most}about {span_text(shown.seconds)}{_parts(shown)} with {workers}, by {played} "
        f"that were played in {speed.seconds:.1f} s and not stored",
    )
    if shown.models:
        write(console, f"Language models: {most}{_models_text(shown.models)}")
    if shown.affordable is not None:
        write(console, _limit_text(shown, shown.affordable))


def _parts(shown: DryRun) -> str:
    if shown.models is None:
        return ""
    own = span_text(shown.speed.time(shown.matches))
    return f" ({own} for Arena, {span_text(shown.models.seconds)} for language models)"


def _limit_text(shown: DryRun, affordable: int) -> str:
    limit = f"--max-cost {shown.resolved.spec.max_cost:g}"
    if affordable < shown.matches:
        return f"{limit} pauses it after about {affordable} of {shown.matches} matches"
    most = None if shown.models is None else shown.models.most_cost
    if most is not None and most <= (shown.resolved.spec.max_cost or 0.0):
        return f"{limit} is enough"
    return f"{limit} is enough, unless matches are longer or more answers illegal than expected"


def _models_text(found: ModelEstimate) -> str:
    tokens = "unknown tokens" if found.tokens is None else f"{found.tokens:,.0f} tokens"
    cost = "unknown cost" if found.cost is None else dollars(found.cost)
    text = f"about {found.calls:,.0f} calls, {tokens}, {cost}, {span_text(found.seconds)}"
    if found.most_calls == found.calls:
        return text
    most = "" if found.most_cost is None else f" and {dollars(found.most_cost)}"
    return (
        f"{text}; up to {found.most_calls:,.0f} calls{most} by longer matches and illegal answers"
    )


def _precision_lines(shown: DryRun, found: Precision) -> list[str]:
    if found.elo < inf:
        lines = [f"Precision: strengths within about {found.elo:.0f} Elo (95 %)"]
    else:
        lines = ["Precision: none for the field as a whole: not all are linked by these pairings"]
    if found.separable is not None:
        text = f"Separated: neighbours at least {found.separable:.0f} Elo apart, about"
        lines.append(f"{text}, if all are as close")
    if found.matches is not None:
        games = f" ({found.games} games a pairing)" if found.games else ""
        span = span_text(shown.speed.time(found.matches))
        asked = shown.models_asked
        models = f"; language models {_models_text(asked)}" if asked else ""
        lines.append(
            f"Within {found.asked:g} Elo: about {found.matches} matches{games}, about {span}"
            f"{models}"
        )
    return lines


def _round_text(shown: DryRun, made: Round) -> str:
    pairings = ", ".join(" - ".join(shown.names(each.seats)) for each in made.pairings)
    resting = ", ".join(shown.names(made.byes))
    return f"{pairings}; {resting} rest" if resting else pairings
