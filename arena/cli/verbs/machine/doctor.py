"""``arena doctor``: draws the isolation of untrusted bots that this machine offers."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import (
    TextOrJson,
    TextOrJsonOption,
    show_json,
    show_table,
    stdout,
    write,
)
from arena.core.table import Column, Row

if TYPE_CHECKING:
    from arena.host.box.cgroups import Tried
    from arena.service.lookup.machine import Examination

EPILOG = """Levels, the weakest first; --isolation takes them.

process: a process of its own, with limits. The bot can still reach your files and the network.

confined: the same, under Landlock and seccomp. No files but its own, no network, no processes.

boxed: the same, in namespaces made by bubblewrap. Nothing else of the machine even exists.
"""

FACTS = (Column("what", "this machine"), Column("here", "has", prose=True, drop=0))
ATTACKS = (
    Column("attack", "attack", prose=True),
    Column("harms", "would harm", prose=True, drop=2),
)
PLACES = (
    Column("name", "place"),
    Column("version", "version"),
    Column("level", "level"),
    Column("slots", "slots"),
    Column("speed", "speed"),
    Column("refused", "refused because", prose=True),
)
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


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("doctor", rich_help_panel=ORGANISERS, epilog=EPILOG)
    def doctor(
        every: Annotated[
            bool, typer.Option("--all", help="Show every attack and its result at each level.")
        ] = False,
        executor: Annotated[
            str, typer.Option(metavar="NAME(...)", help="Show the places of an executor instead.")
        ] = "",
        output: TextOrJsonOption = TextOrJson.TABLE,
    ) -> None:
        """Try attacks of hostile bots at each isolation level.

        The attacks are real ones, against files, sockets and processes made for them.
        """
        from arena.service.lookup.machine import examine

        if executor:
            _show_places(executor, output)
            return

        found = examine()
        if output is TextOrJson.JSON:
            show_json(found.document())
            return
        show_table("", FACTS, [{"what": what, "here": here} for what, here in found.facts.items()])
        if every:
            levels = (Column(report.level, report.level) for report in found.reports)
            show_table("", (*ATTACKS, *levels), found.attack_rows())
        for line in _closing(found):
            write(stdout(), fill(line, WIDTH))
        if not every:
            write(stdout(), "What each attack is, and which got through: arena doctor --all")


def _show_places(executor: str, output: TextOrJson) -> None:
    """Shows each place where an executor can play, or why it cannot play there."""
    from arena.service.lookup.places import places_of

    found = places_of(executor)
    if output is TextOrJson.JSON:
        show_json({"places": found})
        return
    rows: list[Row] = [
        {**place, "speed": f"{place['speed']:.0%}" if place["speed"] else ""} for place in found
    ]
    show_table("", PLACES, rows)


def _closing(found: Examination) -> list[str]:
    from arena.host.box.levels import Level
    from arena.service.lookup.machine import stopped

    reports, choice = found.reports, found.choice
    counts = [
        f"{report.level}: "
        + (report.failure or f"{stopped(report)} of {len(report.results)} attacks stopped")
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
    groups = _groups_text(found.groups)
    return [*counts, taken, *missing, *open_to_all, groups, *found.hints, UNHIDDEN]


def _groups_text(groups: Tried) -> str:
    if groups.controllers:
        return f"Control groups limit each bot's process: {', '.join(groups.controllers)}."
    return f"No control groups: {groups.failure}. {WITHOUT_GROUPS}"
