"""Sanitizes untrusted text for terminals, logs, tables and records.

Bots, plugins, files and archives name things as they like. All their text passes one of these
two functions where it enters: control codes, escape sequences, line and paragraph separators, lone
surrogates and the invisible characters that turn the direction of writing (U+202E and its like)
are no part of any name or message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_LINE_LENGTH = 200
"""Characters of a name, a cause or a licence that are stored."""
MAX_TITLE_LENGTH = 100
"""Characters of the name of a tournament."""
MAX_TEXT_LENGTH = 20_000
"""Characters of a text of several lines, such as a traceback."""
_CUT = "..."
_FOLDERS = re.compile(r"(?<![\w./:])/(?:[^\s/\"'<>:;,()]+/)+")
"""The folders of an absolute path."""
MAX_NAMED = 10
"""Names that one line lists; the others are counted."""


def joined(names: Sequence[str]) -> str:
    """Returns names as words of a sentence, e.g. ``a, b and c``; of many, the first."""
    if len(names) > MAX_NAMED:
        return f"{', '.join(names[:MAX_NAMED])} and {len(names) - MAX_NAMED} others"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def printable_line(text: str, longest: int = MAX_LINE_LENGTH) -> str:
    """Returns a text as one line of printable characters, its blanks single, cut at a length.

    Characters that cannot be printed become ``?``; line breaks and tabs are blanks.
    """
    # Cut before the work: a text of megabytes costs no more than its beginning. Blanks shrink.
    line = " ".join(text[: 8 * longest + 8].split())
    line = "".join(char if char.isprintable() else "?" for char in line)
    return line if len(line) <= longest else line[: longest - len(_CUT)] + _CUT


def printable_text(text: str, longest: int = MAX_TEXT_LENGTH) -> str:
    """Returns a text as printable lines; tabs stay, other invisible characters become ``?``.

    Of a text that is too long the end is stored, as the end of a traceback matters most.
    """
    shown = text if len(text) <= longest else _CUT + text[len(_CUT) - longest :]
    shown = shown.replace("\r\n", "\n")
    return "".join(char if char.isprintable() or char in "\n\t" else "?" for char in shown)


def without_folders(text: str) -> str:
    """Returns a text with only the file names of absolute paths, for people elsewhere."""
    return _FOLDERS.sub("", text)
