"""Templates of prompts: Jinja in its sandbox; each part of a template becomes a message."""

from __future__ import annotations

import traceback
from functools import lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias

from jinja2 import FunctionLoader, StrictUndefined, TemplateError, TemplateSyntaxError, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from arena.core.errors import BadInput, describe
from arena.core.text.printable import printable_line

PromptPart: TypeAlias = Literal["system", "position", "loadout", "again"]
"""The parts of a template: the first message, a decision, an offer, or a wrong answer."""
DEFAULT = "default"
"""Name of the default template, which others extend."""
MAX_MESSAGE_LENGTH = 400_000
"""Characters of one message."""
MAX_STEPS = 50_000
"""Rounds of loops, and calls of macros and blocks, for one message."""
MAX_POWER = 100
"""Greatest exponent of a power."""
_OWN = "own"
_COUNTED = (nodes.For, nodes.Macro, nodes.CallBlock, nodes.Block, nodes.Template)
"""Parts of a template that can be repeated."""


class PromptTemplate:
    """A template of prompts; docs/reference/prompts.md lists the values that it may use.

    Args:
        text: Its text; empty for the default.

    Raises:
        BadInput: The text is not a template.
    """

    def __init__(self, text: str = "") -> None:
        texts = {DEFAULT: _default(), _OWN: text}

        def load(name: str) -> tuple[str, str, None] | None:
            return (texts[name], name, None) if name in texts else None

        self._environment = _Bounded(
            loader=FunctionLoader(load),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        try:
            self._template = self._environment.get_template(_OWN if text else DEFAULT)
        except TemplateError as error:
            raise _wrong(error) from None

    def render(self, part: PromptPart, values: dict[str, object]) -> str:
        """Returns one message.

        Raises:
            BadInput: The template fails, repeats too much, or says nothing or too much for this
                part.
        """
        self._environment.steps = length = 0
        pieces = []
        try:
            for piece in self._template.generate(values, part=part):
                length += len(piece)
                if length > MAX_MESSAGE_LENGTH:
                    break
                pieces.append(piece)
        except Exception as error:  # it is a program of the author's
            raise _wrong(error) from None
        text = "".join(pieces).strip()
        if not text or length > MAX_MESSAGE_LENGTH:
            found = "0" if not text else f"more than {MAX_MESSAGE_LENGTH}"
            raise BadInput(
                f"prompt: {found} characters where part is {part!r}; write 1 to "
                f'{MAX_MESSAGE_LENGTH}, or begin with {{% extends "{DEFAULT}" %}}'
            )
        return text


class _Bounded(ImmutableSandboxedEnvironment):
    """A sandbox in which a template ends soon: rounds, calls and powers are limited.

    Attributes:
        steps: The number of rounds and calls so far.
    """

    intercepted_binops = frozenset(["*", "**"])

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.steps = 0

    def step(self) -> str:
        """Counts one round or call."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise OverflowError(f"more than {MAX_STEPS} rounds of loops and calls")
        return ""

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Multiplies where the result fits into a message."""
        for one, other in ((left, right), (right, left)):
            if (
                isinstance(one, str | list | tuple)
                and isinstance(other, int)
                and len(one) * other > MAX_MESSAGE_LENGTH
            ):
                raise OverflowError(f"* makes more than {MAX_MESSAGE_LENGTH} of them")
        if operator == "**" and isinstance(right, int) and abs(right) > MAX_POWER:
            raise OverflowError(f"** with an exponent above {MAX_POWER}")
        return super().call_binop(context, operator, left, right)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        for node in [template, *template.find_all(_COUNTED)]:
            step = nodes.Call(nodes.EnvironmentAttribute("step"), [], [], None, None)
            body: list[nodes.Node] = node.body  # type: ignore[attr-defined]
            body.insert(0, nodes.ExprStmt(step, lineno=node.lineno))
        template.set_environment(self)
        return template


@lru_cache
def _default() -> str:
    return files("arena.host.prompts").joinpath("default.jinja").read_text("utf-8")


def _wrong(error: Exception) -> BadInput:
    what = error.message if isinstance(error, TemplateError) and error.message else describe(error)
    return BadInput(f"prompt: {_place(error)}{printable_line(what)}")


def _place(error: Exception) -> str:
    """The line in which an error arose: the last one of the author's own, if there is one."""
    if isinstance(error, TemplateSyntaxError):
        return f"line {error.lineno}: "
    frames = traceback.extract_tb(error.__traceback__)
    for name, called in ((_OWN, ""), (DEFAULT, " of the default template")):
        lines = [frame.lineno for frame in frames if frame.filename == name]
        if lines:
            return f"line {lines[-1]}{called}: "
    return ""
