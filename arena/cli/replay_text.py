"""A replay as lines of plain text for a person: heading, moments, ending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent

from arena_results.replays.views import Ending, Moment, Replay

from arena.core.tournament import Participant

Participants = Mapping[str, Participant]
"""Participants by key."""


def heading(match: str, replay: Replay, players: Participants) -> list[str]:
    """The match, its players and their loadouts."""
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
    """The events since the moment before, the table, and the decision."""
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
    """The ending and its cause; after faults the offenders and their own tracebacks."""
    ending = replay.ending
    names = [f"{players[seat.participant].name} (seat {seat.seat})" for seat in replay.seats]
    best = max(ending.returns)
    winners = [name for name, gain in zip(names, ending.returns, strict=True) if gain == best]
    result = f"won by {' and '.join(winners)}" if len(winners) < len(names) else "drawn"
    lines = [f"The end: {result}, {score_text(ending.scores)}; cause: {ending.termination}"]
    table = len(names) > 2
    if table:
        lines += _places(ending, names)
    for out in ending.expelled:
        name = players[replay.seats[out.seat].participant].name
        lines.append(f"  seat {out.seat} ({name}) was taken out at move {out.move}: {out.cause}")
        lines += _reason(out.reason)
    if ending.offender is not None:
        verb = "ended" if table else "lost"
        lines.append(f"  {verb} by {names[ending.offender]} at move {ending.move}")
        lines += _reason(ending.reason)
    elif ending.reason is not None:
        lines += _reason(ending.reason)
    if ending.error is not None and ending.error not in _reasons(ending):
        owner = "their" if len(_reasons(ending)) > 1 else "its"
        lines += [f"  {owner} own words:", indent(_harmless(ending.error.rstrip()), "    ")]
    return lines


def _places(ending: Ending, names: Sequence[str]) -> list[str]:
    """The finishing order of a table, a line a seat."""
    order = sorted(range(len(names)), key=lambda seat: -ending.returns[seat])
    return [
        f"  {1 + sum(gain > ending.returns[seat] for gain in ending.returns)}. {names[seat]}: "
        f"{ending.scores[seat]}"
        for seat in order
    ]


def _reasons(ending: Ending) -> list[str | None]:
    """The reason of each fault; the one that ended the match comes last."""
    last = [] if ending.offender is None else [ending.reason]
    return [*(out.reason for out in ending.expelled), *last]


def _reason(reason: str | None) -> list[str]:
    if reason is None:
        return ["  (what it did may tell its hidden cards; see it with --view all)"]
    return [f"  reason: {_harmless(reason)}"]


def score_text(scores: Sequence[int]) -> str:
    """The game's own amounts, seat after seat."""
    return " : ".join(map(str, scores))


def _harmless(text: str) -> str:
    """A bot's words without what would steer the reader's terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )
