"""The line of a table in which an amount or a loadout is typed."""

from __future__ import annotations

from textual.widgets import Input


class AnswerLine(Input):
    """A line that is hidden until an answer is asked for; Enter sends what is typed."""

    DEFAULT_CSS = """
    AnswerLine { height: 1; border: none; padding: 0 2; display: none; }
    AnswerLine.asked { display: block; }
    """

    @property
    def asked(self) -> bool:
        """True while an answer is asked for."""
        return self.has_class("asked")

    def ask(self, value: str, *, digits: bool) -> None:
        """Shows the line with a value to start from, for digits or for any text."""
        self.restrict = "[0-9]*" if digits else None
        self.value = value
        self.add_class("asked")
        self.app.set_focus(self)

    def close(self) -> None:
        """Hides the line, so that keys stand for actions again."""
        self.remove_class("asked")
        self.app.set_focus(None)
