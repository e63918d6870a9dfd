"""Templates of prompts: Jinja in its sandbox; each part of a template becomes a message."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias

from jinja2 import DictLoader, StrictUndefined, TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from arena.core.errors import BadInput, describe
from arena.core.text.printable import printable_line

PromptPart: TypeAlias = Literal["system", "position", "loadout", "again"]
"""The parts of a template: the first message, a decision, an offer, or a wrong answer."""
DEFAULT = "default"
"""Name of the default template, which others extend."""
MAX_MESSAGE_LENGTH = 400_000
"""Characters of one message."""
_OWN = "own"


class PromptTemplate:
    """A template of prompts; docs/reference/prompts.md lists the values that it may use.

    Args:
        text: Its text; empty for the default.

    Raises:
        BadInput: The text is not a template.
    """

    def __init__(self, text: str = "") -> None:
        environment = ImmutableSandboxedEnvironment(
            loader=DictLoader({DEFAULT: _default(), _OWN: text}),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        try:
            self._template = environment.get_template(_OWN if text else DEFAULT)
        except TemplateError as error:
            raise _wrong(error) from None

    def render(self, part: PromptPart, values: dict[str, object]) -> str:
        """Returns one message.

        Raises:
            BadInput: The template fails, says nothing for this part, or too much.
        """
        try:
            text = self._template.render(values, part=part).strip()
        except Exception as error:  # it is a program of the author's
            raise _wrong(error) from None
        if not 0 < len(text) <= MAX_MESSAGE_LENGTH:
            raise BadInput(
                f"prompt: {len(text)} characters where part is {part!r}; write 1 to "
                f'{MAX_MESSAGE_LENGTH}, or begin with {{% extends "{DEFAULT}" %}}'
            )
        return text


@lru_cache
def _default() -> str:
    return files("arena.host.prompts").joinpath("default.jinja").read_text("utf-8")


def _wrong(error: Exception) -> BadInput:
    place = f"line {error.lineno}: " if isinstance(error, TemplateSyntaxError) else ""
    what = error.message if isinstance(error, TemplateError) and error.message else describe(error)
    return BadInput(f"prompt: {place}{printable_line(what)}")
