"""Findings of a check, and the kinds that there are."""

from __future__ import annotations

import msgspec


class Kind(msgspec.Struct, frozen=True):
    """A kind of finding: a row of docs/howto/check-a-trf.md."""

    name: str
    summary: str


KINDS = (
    Kind("record", "a line or a field that cannot be read"),
    Kind("columns", "a player's line with shifted fields"),
    Kind("player", "a record of a player that is not in the file, or a wrong number of players"),
    Kind("rounds", "more rounds than the file says"),
    Kind("acceleration", "virtual points that Baku acceleration does not give"),
    Kind("opponent", "an opponent that is missing, is the player, or has another opponent"),
    Kind("missing", "a game without a result"),
    Kind("result", "results of a game that contradict each other, or an unknown letter"),
    Kind("colour", "a missing, equal or wrong colour, or a third one in a row"),
    Kind("bye", "a second bye, several in a round, a wrong player's, or not as record 240 says"),
    Kind("repeat", "players that met before"),
    Kind("forbidden", "players that must not meet"),
    Kind("pairing", "a board that the rules pair otherwise"),
    Kind("points", "points that the results do not give"),
    Kind("bye-points", "points that fit if a bye scores otherwise"),
    Kind("rank", "a rank that points and tie-breaks do not allow"),
)
_LAST = ("points", "bye-points", "rank")
_ORDER = {kind.name: place for place, kind in enumerate(KINDS)}


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong.

    Attributes:
        kind: Name of one of ``KINDS``.
        finding: What is wrong, for people.
        round: 0 where it is of no round.
        board: Place of the board in the round (C.04.2, 3.6); 0 for none.
        player: Number of the player, White's of a board; 0 for none.
        expected: What the rules or the other records give; empty where nothing does.
        found: What the file has.
        line: Line of the file; 0 where several disagree.
    """

    kind: str
    finding: str
    round: int = 0
    board: int = 0
    player: int = 0
    expected: str = ""
    found: str = ""
    line: int = 0

    @property
    def place(self) -> tuple[bool, int, int, int, int]:
        """The place in a list: by round, kind and board, and at the end the standings."""
        last = self.kind in _LAST
        return last, self.round, _ORDER[self.kind], self.board, self.player or self.line
