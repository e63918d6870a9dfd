"""The report of a tournament as tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from arena_results.ratings.intervals.amounts import ENOUGH
from arena_results.ratings.intervals.statistics import ResultBlock
from arena_tournaments.scoring.scoring import summary_of

from arena.cli.terminal.output import counted, draw, draw_abreast, stdout, write
from arena.cli.texts.bracket import bracket_lines
from arena.cli.texts.estimate import estimate_lines
from arena.cli.texts.ledgers import void_text
from arena.core.parts.value import LUCK_ADJUSTED
from arena.core.table import fitted
from arena.service.match.replays import replay_command
from arena.service.report.comparing.endpoints import endpoint_table
from arena.service.report.comparing.facts import luck_notes, proofs, rounds_text
from arena.service.report.comparing.verdict import verdict
from arena.service.report.report import Report, StageReport, part_of
from arena.service.report.report_text import cut_texts, ending_text, scoring_text, seeds_text
from arena.service.report.sums.ruling_rows import ruling_text
from arena.service.report.tables.grids import playoff_grids, points_grid, rounds_grid, section_grids
from arena.service.report.tables.standings import (
    ADJUSTED,
    plain,
    section_tables,
    stage_standings,
    standing_table,
)

MAX_CROSSTABLE = 12
"""Entrants up to which a crosstable by pairs fits a terminal."""
PROOFS = 16
"""Columns of text for the label of what results are verified by."""
MAX_LOSSES = 12
"""Lines of first losses; the others are counted."""
PIPED_STANDINGS = 80
"""Columns of text of standings that are piped with luck-adjusted scores."""
PIPED_BRACKET = 160
"""Columns of text of a bracket that is piped."""


def print_report(report: Report, db: str, *, details: bool = False) -> None:
    """Prints the verdict, standings, crosstable, causes of losses, and what to do next.

    Args:
        db: What the commands to continue with need to find the database.
        details: Whether tie-breaks are columns, and hashes, key and value function lines.
    """
    console = stdout()
    write(console, f"{verdict(report)}\n", style="bold")
    show_standings(report, _title(report, details=details), details=details)
    _show_sections(report, details=details)
    for number, stage in enumerate(report.stages, 1):
        _show_stage(report, number, stage, details=details)
    if not report.stages:
        _show_played(report)
    if report.separation:
        draw(report.separation.table())
    if report.exchanges:
        draw(endpoint_table(report.exchanges))
    if report.block is not None:
        console.print(block_text(report), markup=False)
        console.print()
    write(console, "\n".join(_notes(report, db, details=details)), style="dim")
    for line in loss_lines(report, db):
        write(console, line)
    write(console, "\n".join(_next_steps(report, db, details=details)))


def _notes(report: Report, db: str, *, details: bool) -> list[str]:
    number = report.stored.summary.id
    notes = [f"Adjudicated losses: {cause_counts(report.losses, report.names) or 'none'}."]
    if any(report.wins):
        won = {name: sum(row.values()) for name, row in zip(report.names, report.wins, strict=True)}
        gained = ", ".join(f"{name} {count}" for name, count in won.items() if count)
        notes.append(f"Won by them: {gained} (arena tournament losses {number}{db}).")
    if void := void_text(report.stored.void, report.names, number, db):
        notes.append(f"{void}.")
    source = "FIDE C.07"
    if report.seats > 2:
        source = "after FIDE C.07; first: matches finished alone on top"
        if report.sizes:
            seating = seating_text(len(report.names), report.seats, report.sizes)
            tables = [f"Tables: {seating}."]
            if unfilled := unfilled_text(len(report.names), report.seats, report.sizes):
                tables.append(f"{unfilled}.")
            if report.crowded:
                tables.append(f"Authors: {crowded_text(report.crowded, len(report.sizes))}.")
            notes = [*tables, *notes]
    scorings = {f"Scoring of the {each.format}": each.scoring for each in report.stages}
    scorings = scorings or {"Scoring": report.scoring}
    texts = {
        name: scoring_text(each, source) if details else summary_of(each)
        for name, each in scorings.items()
    }
    lines = [f"{name}: {text}." for name, text in texts.items()]
    rulings = [ruling_text(each, report.names) for each in report.stored.rulings]
    ruled = ["Rulings:", *(f"  {text}." for text in rulings)] if rulings else []
    if early := ending_text(report):
        lines.insert(0, early)
    proven = [f"{each.label + ':':{PROOFS}}{each.value}" for each in proofs(report)]
    lines += [*_few_deals(report), *notes, *ruled, *luck_notes(report, db)]
    return [*lines, *(proven if details else ())]


def _few_deals(report: Report) -> list[str]:
    if not report.means:
        return []
    interval = f"Mean {report.unit} a match, with half the 95 % interval over deals"
    if min(mean.deals for mean in report.means) >= ENOUGH:
        return [f"{interval}."]
    return [f"{interval}; with fewer than {ENOUGH} deals (Student's t) it is rough."]


def _show_stage(report: Report, number: int, stage: StageReport, *, details: bool) -> None:
    title = (
        f"Stage {number}: {stage.format}, {len(stage.members)} entrants, "
        f"{len(stage.played)} of {counted(stage.rounds, 'round')}, {stage.volume}"
    )
    table = stage_standings(report, stage) if details else plain(stage_standings(report, stage))
    draw(msgspec.structs.replace(table, title=title))
    for text in cut_texts(report, number):
        write(stdout(), f"{text}\n")
    own = part_of(report, stage)
    _show_sections(own, details=details)
    _show_played(own)
    for grid in playoff_grids(report, stage):
        draw(grid)


def _show_sections(report: Report, *, details: bool) -> None:
    tables = section_tables(report)
    draw_abreast(tables if details else [*map(plain, tables)])


def _show_played(report: Report) -> None:
    if report.bracket:
        _show_bracket(report)
    elif not report.scoring.all_meet:
        draw(rounds_grid(report))
    else:
        grids = section_grids(report) or [points_grid(report)]
        draw_abreast([each for each in grids if len([*each.rows]) <= MAX_CROSSTABLE])


def show_standings(report: Report, title: str, *, details: bool = False) -> None:
    """Prints the standings under a title; with details the columns of tie-breaks, too."""
    table = standing_table(report) if details else plain(standing_table(report))
    table = msgspec.structs.replace(table, title=title)
    if not stdout().is_terminal and fitted(*table.drawn(), PIPED_STANDINGS)[1]:
        columns = tuple([each for each in table.columns if each.key not in ADJUSTED])
        table = msgspec.structs.replace(table, columns=columns)
    draw(table)


def _title(report: Report, *, details: bool) -> str:
    summary = report.stored.summary
    rounds = rounds_text(report)
    seeds = f", {seeds_text(summary)}" if details or summary.seeds.open else ""
    return (
        f"Tournament {summary.id}{f' {summary.name!r}' if summary.name else ''}: {summary.game} "
        f"{summary.ruleset}, {summary.format}, {rounds} round{'s' * (not rounds.endswith(' 1'))}, "
        f"{report.volume}{seeds}"
    )


def _show_bracket(report: Report) -> None:
    console = stdout()
    width = console.width if console.is_terminal else PIPED_BRACKET
    write(console, f"Bracket: {report.unit or 'match points'}", style="italic")
    write(console, "\n".join(bracket_lines(report.names, report.bracket, width)))


def block_text(report: Report) -> str:
    """The result block, after the mean amount where matches are scored by amount."""
    assert report.block is not None
    text = "\n".join([result_text(report.names, report.block), *luck_lines(report)])
    if not report.means:
        return text
    mean, (title, *lines) = report.means[0], text.split("\n")
    error = "not bounded" if mean.error is None else f"{mean.error:.3f}"
    amount = f"Amount: {mean.mean:+.3f} ± {error} {report.unit} a match (95 %, {mean.deals} deals)"
    return "\n".join([title, amount, *lines])


def luck_lines(report: Report) -> list[str]:
    """The first one's luck-adjusted score, if it is known."""
    own = report.adjusted.bots.get(0) if report.adjusted else None
    if own is None:
        return []
    error = "not bounded" if own.adjusted_error is None else f"{own.adjusted_error:.3f}"
    adjusted = f"{LUCK_ADJUSTED.capitalize()} score: {own.adjusted:.3f} ± {error}"
    return [f"{adjusted} ({own.score:.3f} with luck)"]


def result_text(names: Sequence[str], block: ResultBlock) -> str:
    """The block that engine testers know, from the first one's point of view."""
    one, other = names
    lines = [
        f"Results of {one} against {other} ({one}'s point of view):",
        *estimate_lines(block.estimate),
        f"Games: {block.games}, Wins: {block.won}, Losses: {block.lost}, Draws: {block.drawn}",
    ]
    if block.pairs is not None:
        lines.append(f"Ptnml(0-2): {list(block.pairs)}")
        if alone := block.games - 2 * sum(block.pairs):
            lines.append(
                f"{alone} of the games {'is' if alone == 1 else 'are'} in no pair: Ptnml, Elo and "
                "LOS count whole pairs only, the score all"
            )
    return "\n".join(lines)


def _next_steps(report: Report, db: str, *, details: bool) -> list[str]:
    summary = report.stored.summary
    first = min((key for key, _ in report.stored.endings), default=None)
    steps = [] if first is None else [f"Replay a match: arena replay {summary.id}.{first}{db}"]
    if not details:
        steps.append(f"Tie-breaks and hashes: arena tournament show {summary.id} --details{db}")
    steps.append(f"Ratings: arena leaderboard --game {summary.game}{db}")
    return steps


def cause_counts(losses: Sequence[Mapping[str, int]], names: Sequence[str]) -> str:
    """Adjudicated losses in one line, e.g. ``crash 3 (reckless 3)``; empty without any."""
    causes = sorted({cause for row in losses for cause in row})
    parts = []
    for cause in causes:
        by = {name: row[cause] for name, row in zip(names, losses, strict=True) if cause in row}
        who = ", ".join(f"{name} {count}" for name, count in by.items())
        parts.append(f"{cause} {sum(by.values())} ({who})")
    return "; ".join(parts)


def loss_lines(report: Report, db: str) -> list[str]:
    """The first loss of each bot and cause, with the command that shows it.

    E.g. ``my-bot: crash 3 times, first: arena replay 4.2.1.3 --move 17``.
    """
    number, lines = report.stored.summary.id, []
    for loss in report.first_losses:
        count = report.losses[loss.entrant][loss.cause]
        times = "once" if count == 1 else f"{count} times, first"
        command = replay_command(number, loss.key, loss.move)
        lines.append(f"{report.names[loss.entrant]}: {loss.cause} {times}: {command}{db}")
    if (more := len(lines) - MAX_LOSSES) > 0:
        lines[MAX_LOSSES:] = [f"+{more} more, see: arena matches {number} --cause CAUSE{db}"]
    return lines


def seating_text(entrants: int, seats: int, sizes: Sequence[int]) -> str:
    """Describes the tables of a round, given by their sizes, in one line.

    E.g. ``7 entrants at tables of up to 6: 1 table of 4 and 1 of 3 a round``.
    """
    kinds = [
        f"{count} {('table' if count == 1 else 'tables') + ' ' if place == 0 else ''}of {size}"
        for place, (size, count) in enumerate(sorted(Counter(sizes).items(), reverse=True))
    ]
    rest = entrants - sum(sizes)
    resting = f", {rest} {'rests' if rest == 1 else 'rest'}" if rest else ""
    up_to = "" if {*sizes} == {seats} else "up to "
    return (
        f"{entrants} entrants at tables of {up_to}{seats}: {' and '.join(kinds)} a round{resting}"
    )


def unfilled_text(entrants: int, seats: int, sizes: Sequence[int]) -> str | None:
    """Says if no table of a round is full, as the tables of a field are as equal as possible.

    E.g. ``4 bots do not fill tables of 3: they sit at tables of 2 and 2``.
    """
    if max(sizes) == seats:
        return None
    *others, last = map(str, sizes)
    of = f"tables of {', '.join(others)} and {last}" if others else f"a table of {last}"
    return f"{entrants} bots do not fill tables of {seats}: they sit at {of}"


def crowded_text(crowded: Sequence[tuple[str, int]], tables: int) -> str:
    """Says whose bots sit together because the field leaves no other way, in one line."""
    whose = ", ".join(f"{bots} by {author}" for author, bots in crowded)
    return f"{whose} at {counted(tables, 'table')}: as few as can be sit together"


def games_text(games: int, sizes: Sequence[int]) -> str | None:
    """Says if a number of matches per pairing is unfair to seats; tables of two always pass."""
    uneven = sorted({size for size in sizes if size > 2 and games % size})
    if not uneven:
        return None
    seats = " or ".join(map(str, uneven))
    return (
        f"{games} games per pairing are not a multiple of {seats} seats: "
        "not everybody sits in every seat equally often"
    )
