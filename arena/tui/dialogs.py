"""Small screens over another one: a text to read, a question of yes or no, and one line to type."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class TextScreen(ModalScreen[None]):
    """Shows a text until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter,l,h,question_mark", "dismiss", "close")
    ]
    DEFAULT_CSS = """
    TextScreen { align: center middle; }
    TextScreen > VerticalScroll {
        width: 90%; max-width: 100; height: auto; max-height: 90%; border: round $accent;
        padding: 0 1; background: $surface;
    }
    """

    def __init__(self, title: str, text: str | Text) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Builds the box and its text."""
        with VerticalScroll() as box:
            box.border_title = self._title
            box.border_subtitle = "Esc closes"
            yield Static(self._text, markup=False)


class Question(ModalScreen[bool]):
    """Asks a question that ``y`` affirms, and any of the other keys denies."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("y", "answer(True)", "yes"),
        ("n,escape,q,enter", "answer(False)", "no"),
    ]
    DEFAULT_CSS = """
    Question { align: center middle; }
    Question > Vertical {
        width: auto; height: auto; border: round $warning; padding: 0 1; background: $surface;
    }
    Question Static { width: auto; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Builds the box and its question."""
        with Vertical():
            yield Static(f"{self._text}\ny: yes   n: no", markup=False)

    def action_answer(self, answer: bool) -> None:
        """Closes the question with its answer."""
        self.dismiss(answer)
