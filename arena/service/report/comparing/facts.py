"""The facts of a tournament, for everything that draws them."""

from __future__ import annotations

import msgspec
from arena_results.schema.rows import Status

from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.service.report.report import Report, shown_key, shown_nonce
from arena.service.report.report_text import seeds_text


class Fact(msgspec.Struct, frozen=True):
    """A fact of a tournament.

    Attributes:
        hint: What the label stands for, in full.
        proof: Whether deals and results are verified by it: a long line of digits.
    """

    label: str
    value: str
    hint: str = ""
    proof: bool = False


def rounds_text(report: Report) -> str:
    """Returns how many rounds are finished, of how many."""
    summary = report.stored.summary
    # A format may need fewer rounds in the end than were planned, as without a second final.
    over = summary.status is Status.FINISHED and not report.ending
    planned = report.finished if over else summary.rounds
    return f"{report.finished} of {planned}"


def state_text(report: Report) -> str:
    """Returns how far a tournament is, in a few words: ``"Round 5 of 9"``."""
    summary = report.stored.summary
    if summary.status is Status.FINISHED:
        at = summary.finished_at
        return f"Finished {at.day} {at:%B %Y}" if at else "Finished"
    if summary.status is Status.WAITING:
        return "Waiting for the next bot"
    number = report.running.round.number if report.running else report.finished
    of = "" if report.decoded.format.open_ended else f" of {summary.rounds}"
    if not number:
        return "Not begun"
    stopped = summary.status is Status.INTERRUPTED
    return f"Stopped in round {number}{of}" if stopped else f"Round {number}{of}"


def facts(report: Report, expected: int = 0) -> list[Fact]:
    """Returns the facts of a tournament that everybody may know, those that prove it last.

    Args:
        expected: Number of matches of the whole tournament; 0 where it is not known.
    """
    summary = report.stored.summary
    of = f" of {expected:,}" if expected > summary.matches else ""
    found = [
        Fact("Game", f"{summary.game}, {summary.ruleset}"),
        Fact("Format", f"{summary.format}, {report.volume}"),
        Fact("Bots", str(summary.entries)),
        Fact("Seats", f"up to {report.seats}" if report.seats > 2 else ""),
        Fact("Rounds", rounds_text(report)),
        Fact("Matches", f"{summary.matches:,}{of}"),
        Fact("Deals from", _origin(report)),
    ]
    return [each for each in [*found, *proofs(report)] if each.value]


def proofs(report: Report) -> list[Fact]:
    """Returns the facts by which deals and results are verified."""
    summary = report.stored.summary
    values = f"{summary.value_function}, sha256 {summary.value_hash}"
    found = [
        Fact("Commitment", summary.commitment or "", "SHA-256 of key and nonce", proof=True),
        Fact("Key", shown_key(summary) or "", "decides all deals", proof=True),
        Fact("Nonce", shown_nonce(summary) or "", proof=True),
        Fact("Value function", values if summary.value_function else "", proof=True),
        Fact("Result chain", report.stored.chain or "", "over all records", proof=True),
    ]
    return [each for each in found if each.value]


def luck_notes(report: Report, db: str = "") -> list[str]:
    """Says how scores were adjusted for luck, or why they were not."""
    summary = report.stored.summary
    if report.luck_off:
        return [f"Note: {report.luck_off}."]
    if report.adjusted and not report.means and not report.stages:
        return [
            f"{LUCK_ADJUSTED.capitalize()}: {LESS_LUCK}.",
            f"± 95 % over deals; luck and more: arena tournament luck {summary.id}{db}",
        ]
    if summary.value_function and report.stored.sums and report.adjusted is None:
        return [f"Luck is not computed yet: arena tournament luck {summary.id}{db}."]
    return []


def _origin(report: Report) -> str:
    """Returns the source of the deals; of a running tournament without an open seed."""
    summary = report.stored.summary
    finished = summary.status is Status.FINISHED
    return seeds_text(summary) if finished and not summary.key else str(summary.seeds.origin)
