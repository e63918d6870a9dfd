"""Draws the templates of this package: every value is escaped, and a missing one is an error."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from arena.pages.page import ICON
from arena.pages.tables import cell_kind, cell_text


def render(template: str, **values: object) -> str:
    """Draws a template, such as ``"tournament.html.jinja"``, from values."""
    return environment().get_template(template).render(values)


@cache
def asset(name: str) -> str:
    """Returns the text of a style sheet or script of this package, such as ``"style.css"``."""
    return (files("arena.pages") / "static" / name).read_text(encoding="utf-8")


def breakable(text: str) -> Markup:
    """Returns a text that may continue in the next line after the options of a ruleset or bot."""
    return Markup(_OPTION.sub(r"\g<0><wbr>", str(escape(text))))  # escaped


@cache
def drawn_icon(name: str, style: str = "") -> Markup:
    """Returns an icon for a page that has it many times; macros take as long as small rows."""
    drawn: Markup = environment().get_template("icons.html.jinja").module.icon(name, style)  # type: ignore[attr-defined]  # a macro
    return drawn


_OPTION = re.compile(r",(?=[a-z])|(?<=\w)\((?=[^()]+,)|(?<=\w)\+(?=[a-z])")


@cache
def environment() -> Environment:
    """The templates, which never change while the program runs."""
    made = Environment(
        loader=PackageLoader("arena.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["cell"] = cell_text
    made.filters["kind"] = cell_kind
    made.filters["breakable"] = breakable
    made.filters["icon"] = drawn_icon
    made.globals["icon"] = ICON
    return made
