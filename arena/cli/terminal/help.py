"""Help strings of commands: subcommands in panels by reader, options under headings.

Typer draws its panels as boxes, which cut lines in pipes and lose brackets. These classes draw
them as plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias, get_args

from typer import Context
from typer.core import TyperCommand, TyperGroup

from arena.core.options import Group

AUTHORS = "Authors of bots"
ORGANISERS = "Organisers"
PLAYERS = "Players and spectators"
RESEARCHERS = "Researchers"
PANELS = (PLAYERS, AUTHORS, ORGANISERS, RESEARCHERS)
"""Panels of ``arena --help``, in their order; those of extensions follow."""
GROUPS: tuple[str, ...] = get_args(Group)
"""Headings of options, in their order. Options without a heading belong to the last."""

HIDDEN = ("--install-completion", "--show-completion")
"""Options of Typer that are not listed, so that the list of commands fits a screen."""

Rows: TypeAlias = Sequence[tuple[str, str]]


class Formatter(Protocol):
    """The part of Typer's formatter that is used here."""

    def section(self, name: str) -> AbstractContextManager[None]: ...
    def indentation(self) -> AbstractContextManager[None]: ...
    def write_paragraph(self) -> None: ...
    def write_heading(self, heading: str) -> None: ...
    def write_dl(self, rows: Rows) -> None: ...


class Panels(TyperGroup):
    """A group of commands, listed by panel."""

    def format_options(self, ctx: Context, formatter: Formatter) -> None:  # type: ignore[override] # as below
        """Writes the options, and then the commands."""
        records = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl([row for row in records if row and row[0] not in HIDDEN])
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Context, formatter: Formatter) -> None:  # type: ignore[override] # Typer's own context is narrower than its base, which is private
        """Writes the commands of each panel."""
        commands = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        shown = [(name, command) for name, command in commands if not command.hidden]
        widest = max((len(name) for name, _ in shown), default=0)
        rows = [
            (
                getattr(command, "rich_help_panel", None) or "Commands",
                (name.ljust(widest), command.get_short_help_str(ctx.make_formatter().width)),
            )
            for name, command in shown
        ]
        for panel, listed in _by_heading(PANELS, rows).items():  # one screen: no lines between
            formatter.write_heading(panel)
            with formatter.indentation():
                formatter.write_dl(listed)


class Grouped(TyperCommand):
    """A command with many options, listed under headings."""

    def format_options(self, ctx: Context, formatter: Formatter) -> None:  # type: ignore[override] # as above
        """Writes the arguments, and the options of each heading."""
        rows = []
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                heading = getattr(parameter, "rich_help_panel", None) or GROUPS[-1]
                if parameter.param_type_name == "argument":
                    heading = "Arguments"
                rows.append((heading, record))
        for heading, listed in _by_heading(("Arguments", *GROUPS), rows).items():
            with formatter.section(heading):
                formatter.write_dl(listed)


def _by_heading(
    order: Iterable[str], rows: Iterable[tuple[str, tuple[str, str]]]
) -> Mapping[str, Rows]:
    """Returns the rows by heading: known headings in their order, then the others."""
    found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in order}
    for heading, row in rows:
        found.setdefault(heading, []).append(row)
    return {heading: listed for heading, listed in found.items() if listed}
