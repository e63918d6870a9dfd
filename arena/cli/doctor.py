"""``arena doctor``: what this machine offers to keep untrusted bots apart, by trying it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import typer

from arena.cli.output import (
    Column,
    TextOrJson,
    TextOrJsonOption,
    show_json,
    show_table,
    stdout,
    write,
)

if TYPE_CHECKING:
    from arena.host.box.cgroups import Tried
    from arena.host.box.probe import Choice, ProbeReport

EPILOG = """Levels, the weakest first; --isolation takes them.

process: a process of its own, with limits. The bot can still reach your files and the network.

confined: the same, under Landlock and seccomp. No files but its own, no network, no processes.

boxed: the same, in namespaces made by bubblewrap. Nothing else of the machine even exists.
"""

FACTS = (Column("what", "this machine"), Column("here", "has"))
WIDTH = 79
"""Columns of the closing lines."""
UNHIDDEN = (
    "Not hidden at confined: whether a file exists, how long it is, and when it changed (at boxed "
    "it is). No level keeps a bot from slowing others down by its use of memory and caches."
)
WITHOUT_GROUPS = (
    "Each process's threads and memory are limited without. They need version 2 of control groups "
    "in use, and root or a delegated group: systemd-run --user --scope -p Delegate=yes arena ..."
)
STOPPED, THROUGH, UNTRIED = "stopped", "GOT THROUGH", "-"


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("doctor", epilog=EPILOG)
    def doctor(output: TextOrJsonOption = TextOrJson.TABLE) -> None:
        """Tries what hostile bots try, at each level of isolation, and says what got through.

        The attacks are real ones, against files, sockets and processes made for them.
        """
        from arena.host.box.cgroups import try_groups
        from arena.host.box.levels import Level
        from arena.host.box.machine import advice, describe
        from arena.host.box.probe import choose, probe

        reports = [probe(level) for level in Level if level is not Level.TRUSTED]
        groups = try_groups()
        facts = describe() | {"control groups": ", ".join(groups.controllers) or "no"}
        choice = choose(reversed(reports))
        hints = advice() if choice.missing else []
        if output is TextOrJson.JSON:
            show_json(_document(facts, reports, choice, hints, groups))
            return
        show_table("", FACTS, [{"what": what, "here": here} for what, here in facts.items()])
        show_table("", _columns(reports), _rows(reports))
        for line in _closing(reports, choice, hints, groups):
            write(stdout(), fill(line, WIDTH))


def _columns(reports: Sequence[ProbeReport]) -> tuple[Column, ...]:
    levels = (Column(report.level, report.level) for report in reports)
    return (Column("attack", "attack"), Column("harms", "would harm"), *levels)


def _rows(reports: Sequence[ProbeReport]) -> list[dict[str, object]]:
    """A row for each attack, with what each level did with it."""
    from arena.host.box.attacks import ATTACKS

    rows = []
    for number, attack in enumerate(ATTACKS):
        row: dict[str, object] = {"attack": attack.name, "harms": attack.harms}
        for report in reports:
            result = report.results[number] if report.results else None
            answer = UNTRIED if result is None else STOPPED if result.stopped else THROUGH
            row[report.level] = answer
        rows.append(row)
    return rows


def _closing(
    reports: Sequence[ProbeReport], choice: Choice, hints: Sequence[str], groups: Tried
) -> list[str]:
    """What it comes to."""
    from arena.host.box.levels import Level

    counts = [
        f"{report.level}: "
        + (report.failure or f"{_stopped(report)} of {len(report.results)} attacks stopped")
        for report in reports
    ]
    taken = f"--isolation auto takes {choice.level} here."
    missing = [f"Not {level}: {why}." for level, why in choice.missing]
    open_to_all = [
        f"{report.level} holds without namespaces, which this machine does not allow; "
        f"so it does not stop: {', '.join(report.without_namespaces)}."
        for report in reports
        if report.level is Level.CONFINED and report.holds and report.without_namespaces
    ]
    return [*counts, taken, *missing, *open_to_all, _groups_text(groups), *hints, UNHIDDEN]


def _groups_text(groups: Tried) -> str:
    if groups.controllers:
        return f"Control groups limit each bot's process: {', '.join(groups.controllers)}."
    return f"No control groups: {groups.failure}. {WITHOUT_GROUPS}"


def _stopped(report: ProbeReport) -> int:
    return len(report.results) - len(report.through)


def _document(
    facts: dict[str, str],
    reports: Sequence[ProbeReport],
    choice: Choice,
    hints: Sequence[str],
    groups: Tried,
) -> dict[str, object]:
    return {
        "machine": facts,
        "levels": [
            {
                "level": report.level,
                "holds": report.holds,
                "failure": report.failure,
                "attacks": len(report.results),
                "stopped": _stopped(report),
            }
            for report in reports
        ],
        "attacks": _rows(reports),
        "auto": choice.level,
        "missing": [{"level": level, "reason": why} for level, why in choice.missing],
        "advice": list(hints),
        "control_groups": {"controllers": list(groups.controllers), "failure": groups.failure},
    }
