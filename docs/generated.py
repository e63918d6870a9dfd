"""The parts of the documentation site that are made of the code, and a check of what was built.

Pages are Markdown that reads well on a code host, too: there the links on the index are
the navigation, and the pages of commands and of Python refer to ``--help`` and to docstrings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import ismodule, isroutine
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import arena
from arena.cli.app import build

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
SECTIONS = {
    "Tutorials": ("tutorials/*.md",),
    "How-to guides": ("howto/*.md",),
    "Reference": ("reference/*.md", "reference/game/*.md", "rules/*.md"),
    "Explanation": ("explanation/*.md",),
    "Project": ("*.md", "../*.md"),
}
"""Sections of the site, with the pages of each."""
FOREIGN = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\b(?:src|data)=\"((?:https?:)?//[^\"]*)"
    r"|<link\b(?=[^>]*\brel=\"(?:stylesheet|preload|prefetch|preconnect|dns-prefetch|icon)\")"
    r"[^>]*?\bhref=\"((?:https?:)?//[^\"]*)"
    r"|url\(['\"]?((?:https?:)?//[^)]*)|@import\s+['\"]((?:https?:)?//[^'\"]*)"
)
"""Addresses of another host that a browser would load, in pages and in style sheets."""
NO_WRAP = "\b\n"
"""Opens a paragraph of a help text of which the lines stay as they are."""
NAMES = {
    "Functions, databases, tournaments": ("arena.api", "arena.service"),
    "For bots, games and formats": ("arena.core", "arena.plugins", "arena.testing"),
}
"""Headings of the names that ``import arena`` gives, by the packages that they come from."""


MODULES = {
    "arena.league": arena.league,
    "arena.stats": arena.stats,
    "arena.stats.pictures": arena.stats.pictures,
}
"""Modules of the facade; autodoc asks for a module by its own name."""


def append_generated(app: Sphinx, page: str, source: list[str]) -> None:
    """Adds the part of a page that is generated to its text."""
    if page in PAGES:
        source[0] += "\n" + PAGES[page](source[0])


def navigation(text: str) -> str:
    """Returns the navigation of the site: all pages, by section."""
    listed = []
    for caption, patterns in SECTIONS.items():
        found = [path for pattern in patterns for path in sorted(DOCS.glob(pattern))]
        names = (
            path.resolve().relative_to(DOCS.parent).with_suffix("").as_posix()
            for path in found
            if path.name not in ("index.md", "README.md")
        )
        pages = "\n".join(f"/{name}" for name in names)
        listed.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n")
    return "\n".join(listed)


def commands(text: str) -> str:
    """Returns the reference of every command: usage, arguments, options."""
    return "\n".join(_command(typer.main.get_command(build()), "arena", None))


def _command(
    command: typer.core.TyperCommand, name: str, parent: typer.Context | None
) -> Iterator[str]:
    context = command.context_class(command, info_name=name, parent=parent)
    children: dict[str, typer.core.TyperCommand] = getattr(command, "commands", {})
    if parent and not (children and command.no_args_is_help):
        usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
        yield f"\n## {context.command_path}\n\n```text\n{usage}\n```\n"
        yield _plain(command.help or "")
        for parameter in command.params:
            shown, meaning = parameter.get_help_record(context) or ("", "")
            if shown:
                yield f"\n`{shown}`\n: {_plain(meaning).strip() or '&nbsp;'}"
        yield (
            f"\n```text\n{command.epilog.replace(NO_WRAP, '').strip(chr(10))}\n```\n"
            if command.epilog
            else ""
        )
    for child in children.values():
        yield from _command(child, child.name, context)


def _plain(text: str) -> str:
    """Returns a text whose marks mean nothing in Markdown."""
    return re.sub(r"([\\`*_<>\[\]{}#|$&~])", r"\\\1", text)


def functions(text: str) -> str:
    """Returns the reference of what ``import arena`` gives, from docstrings."""
    parts = []
    for heading, packages in NAMES.items():
        parts.append(f"## {heading}\n\n```{{eval-rst}}\n")
        for name in arena.__all__:
            home = arena._HOMES[name]
            if home.startswith(packages) and not ismodule(value := getattr(arena, name)):
                parts.append(_directive(name, home, value))
        parts.append("```\n")
    modules = (
        f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {module.__name__}\n```\n"
        for name, module in MODULES.items()
    )
    return "\n".join((*parts, *modules))


def _directive(name: str, home: str, value: object) -> str:
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    elif isroutine(value):
        kind = "autofunction"
    else:  # constants and types are documented where they are defined
        return f".. autodata:: {home}.{name}\n"
    return f".. {kind}:: arena.{name}\n"


PAGES: dict[str, Callable[[str], str]] = {
    "docs/index": navigation,
    "docs/reference/cli": commands,
    "docs/reference/python": functions,
}


def foreign(text: str) -> list[str]:
    """Returns the addresses of other hosts that a page or a style sheet has a browser load."""
    return ["".join(found) for found in FOREIGN.findall(text)]


def find_foreign(app: Sphinx, error: Exception | None) -> None:
    """Fails the build if something that was written asks another host."""
    folder = Path(app.outdir)
    for path in (*folder.rglob("*.html"), *folder.rglob("*.css"), *folder.rglob("*.svg")):
        for address in foreign(path.read_text("utf-8")):
            raise SystemExit(f"{path}: asks another host: {address}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Adds the generated parts of pages, and the check of what was built."""
    app.connect("source-read", append_generated)
    app.connect("build-finished", find_foreign)
    return {"parallel_read_safe": True}
