"""Reads the tags and results of games in PGN, by the import format of its standard.

Moves are not read, so that the games need not be of chess. Comments (``{}``, which do not nest, and
``;`` to the end of the line), lines that ``%`` begins, and variations in brackets are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from arena.core.errors import BadInput

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that each game has; one of them that comes again begins another game."""
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""Points of the first player by the results as ``plain_result`` writes them."""
UNFINISHED = ("*", "?", "")
BOTH_LOST = "0-0"

_PLAIN = {
    **dict.fromkeys(("1-0", "1:0", "+/-", "+:-", "+--", "+-"), "1-0"),
    **dict.fromkeys(("0-1", "0:1", "-/+", "-:+", "--+", "-+"), "0-1"),
    **dict.fromkeys(("½-½", "½:½", "½"), "1/2-1/2"),
    **dict.fromkeys(("0-0", "0:0", "-/-", "-:-", "---", "--"), BOTH_LOST),
}
_MAX_LENGTH = 200
"""Letters of a result with a comment; longer ones would take time to search."""
_NOT_THE_RESULT = re.compile(
    r"""\{[^}]*\} | \([^)]*\)  # comments
    | (?<=\S)\s*(?:by\s+)?(?:forfeit|default|walkover|f)\s*$ | \s""",
    re.VERBOSE | re.IGNORECASE,
)
_DASHES = str.maketrans("–—−", "---")

_TOKEN = re.compile(
    r"""
    [{;%\[()01½*]      # one of these first: the reader of expressions looks for them alone
    (?:
      (?: (?<=\{)[^}]*\} | (?<=;)[^\n]* | (?<=^%)[^\n]* ) (?P<comment>)
    | (?<=\{) (?P<open>)
    | (?<=\[) \s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.){0,1000})"\s*\]
    # also with quotes within the quotes
    | (?<=\[) \s*(?P<loose>\w+)\s*"(?P<rest>[^\n]{0,1000}?)"\s*\](?=\s*(?:\[|$))
    | (?<=\() (?P<deeper>)
    | (?<=\)) (?P<back>)
    | (?<![^\s.})].) (?: (?<=1)(?:-0|/2-1/2|/2) | (?<=0)-1 | (?<=½)-½ | (?<=\*) )
      (?![^\s{;(\[]) (?P<end>)
    )
    """,
    re.VERBOSE | re.MULTILINE,
)


def plain_result(text: str) -> str:
    """Returns a result in the standard's form, without comments; an unusual one as it is."""
    if text in SCORES or len(text) > _MAX_LENGTH:
        return text
    plain = _NOT_THE_RESULT.sub("", text).translate(_DASHES)
    halves = re.sub(r"\b1/2\b|(?<![\d.,])0?[.,]5\b", "½", plain)
    bare = re.sub(r"\b([01])[.,]0\b", r"\1", halves)
    return _PLAIN.get(bare, plain if plain in UNFINISHED else text)


class Game(msgspec.Struct, frozen=True):
    """A game in a file.

    Attributes:
        line: The line in which it begins.
        tags: Its tags by name.
        end: The result at the end of its moves; empty without one.
    """

    line: int
    tags: dict[str, str]
    end: str = ""

    def tag(self, name: str) -> str:
        """Returns a tag without space around it; empty for one that is missing or unknown."""
        value = self.tags.get(name, "").strip()
        return "" if value == "?" else value

    @property
    def result(self) -> str:
        """The plain result by its tag; by the moves' end where the tag is missing or unfinished.

        The standard wants both to be alike.
        """
        by_tag = plain_result(self.tag("Result"))
        return plain_result(self.end) if by_tag in UNFINISHED and self.end else by_tag

    @property
    def disagrees(self) -> bool:
        """True if tag and moves end with different results."""
        given = (SCORES.get(plain_result(self.tag("Result"))), SCORES.get(plain_result(self.end)))
        return None not in given and given[0] != given[1]


def read_games(text: str) -> Iterator[Game]:
    """Yields the games of a file; raises ``BadInput`` for a comment that does not end."""
    game = _Started(text)
    depth = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "comment":
            game.comment(token)
        elif kind == "open":
            line = text.count("\n", 0, token.start()) + 1
            raise BadInput(f"line {line}: the comment that begins here does not end; add }}")
        elif kind in ("deeper", "back"):
            depth = max(depth + (1 if kind == "deeper" else -1), 0)
        elif kind == "end":
            if not depth and (ended := game.ended(token)):
                yield ended
        else:
            depth = 0  # a variation holds no tags
            if ended := game.tagged(token):
                yield ended
    if last := game.taken(""):
        yield last


class _Started:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tags: dict[str, str] = {}
        self._moved = False
        self._after = self._counted = 0  # places: after the last tag, of the last line number
        self._line = 1

    def comment(self, token: re.Match[str]) -> None:
        """Skips a comment."""
        if not self._has_moved(token):
            self._after = token.end()

    def tagged(self, token: re.Match[str]) -> Game | None:
        """Takes a tag; returns the game before if another one begins with it."""
        name = token["tag"] or token["loose"]
        ended = None
        if self._has_moved(token) or (name in ROSTER and name in self._tags):
            ended = self.taken("")
        if not self._tags:
            self._begins_at(token.start())
        value = token["value"] if token["tag"] else token["rest"]
        self._tags.setdefault(name, re.sub(r"\\(.)", r"\1", value))
        self._after, self._moved = token.end(), False
        return ended

    def ended(self, token: re.Match[str]) -> Game | None:
        """Ends the game by its result; ``None`` for a result without a game, such as a second."""
        moved = self._has_moved(token)
        if moved and not self._tags:
            self._begins_at(self._after)
        ended = self.taken(token[0], also_without_tags=moved)
        self._after = token.end()
        return ended

    def taken(self, end: str, *, also_without_tags: bool = False) -> Game | None:
        game = Game(self._line, self._tags, end) if self._tags or also_without_tags else None
        self._tags, self._moved = {}, False
        return game

    def _has_moved(self, token: re.Match[str]) -> bool:
        """Returns whether a word stands between the last tag and this place."""
        if not self._moved:
            self._moved = bool(re.search(r"\w", self._text[self._after : token.start()]))
        return self._moved

    def _begins_at(self, place: int) -> None:
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
