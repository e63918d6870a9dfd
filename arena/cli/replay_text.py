"""A replay as lines of plain text for a person: heading, moments, ending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent

from arena.core.tournament import Participant
from results.replays.views import Moment, Replay

Participants = Mapping[str, Participant]
"""Who they are, by key."""


def heading(match: str, replay: Replay, players: Participants) -> list[str]:
    """What is played, by whom, with what."""
    seed = "" if replay.seed is None else f", seed {replay.seed}"
    lines = [
        f"Match {match}: {replay.game}, {replay.ruleset} (engine {replay.engine}){seed}; "
        f"view: {replay.view}"
    ]
    for seat in replay.seats:
        player = players[seat.participant]
        brings = "" if seat.loadout is None else f", brings {seat.loadout}"
        lines.append(f"  seat {seat.seat}: {player.name} {player.version}{brings}")
    return lines


def moment_lines(moment: Moment, before: Moment | None) -> list[str]:
    """What happened since the moment before, the table, and what is decided."""
    lines = [f"Move {moment.move}"]
    lines += [f"  - {event}" for event in moment.events]
    if before is not None and moment.scores != before.scores:
        lines.append(f"  - the score is {score_text(moment.scores)}")
    if moment.table:
        lines.append(moment.table)
    if moment.seat is not None:
        lines.append(f"  > seat {moment.seat} decides: {moment.action}")
    return lines


def ending_lines(replay: Replay, players: Participants) -> list[str]:
    """How it ended and why; for an adjudicated match the offender and its own traceback."""
    ending = replay.ending
    names = [f"{players[seat.participant].name} (seat {seat.seat})" for seat in replay.seats]
    winners = [name for name, gain in zip(names, ending.returns, strict=True) if gain > 0]
    result = f"won by {' and '.join(winners)}" if winners else "drawn"
    lines = [f"The end: {result}, {score_text(ending.scores)}; cause: {ending.termination}"]
    if ending.offender is not None:
        lines.append(f"  lost by {names[ending.offender]} at move {ending.move}")
        if ending.reason is None:
            lines.append("  (what it did may tell its hidden cards; see it with --view all)")
    if ending.reason is not None:
        lines.append(f"  reason: {_harmless(ending.reason)}")
    if ending.error is not None and ending.error != ending.reason:
        lines += ["  its own words:", indent(_harmless(ending.error.rstrip()), "    ")]
    return lines


def score_text(scores: Sequence[int]) -> str:
    """The game's own amounts, seat after seat."""
    return " : ".join(map(str, scores))


def _harmless(text: str) -> str:
    """A bot's words without what would steer the reader's terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )
