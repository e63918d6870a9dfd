"""The contents of a Tournament Report File (TRF16, TRF25, TRF26) as values.

Sources: FIDE Handbook C.04, Annex 2 (TRF16) and its versions of 2025 and 2026; the codes that begin
with XX are JaVaFo's, those that begin with BB bbpPairings'. All points are in tenths, so that
equal scores are equal numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

import msgspec

PLAYED = "10=WDL"
"""Results of games that were played; W, D and L lasted less than a move."""

USUAL_POINTS: Mapping[str, int] = {
    "WW": 10,
    "BW": 10,
    "WD": 5,
    "BD": 5,
    "WL": 0,
    "BL": 0,
    "FW": 10,
    "FL": 0,
    "PAB": 10,
    "FPB": 10,
    "HPB": 5,
    "ZPB": 0,
}
"""Points by JaVaFo's codes: win, draw, loss with White and Black; forfeits; the four byes."""

_BYES = {"U": "PAB", "F": "FPB", "H": "HPB", "Z": "ZPB"}
_FORFEITS = {"+": "FW", "-": "FL"}
_GAMES = {"1": "W", "W": "W", "=": "D", "D": "D", "0": "L", "L": "L"}


class Cell(msgspec.Struct, frozen=True):
    """One round of one player.

    Attributes:
        opponent: The opponent's number; 0 for none.
        colour: ``"w"``, ``"b"``, or ``"-"``.
        result: One of ``10=WDL`` (played), ``+-`` (forfeits), ``UFHZ`` (byes and absences).
    """

    opponent: int = 0
    colour: str = "-"
    result: str = "Z"

    @property
    def played(self) -> bool:
        """True for a game that was played."""
        return self.result in PLAYED

    @property
    def paired(self) -> bool:
        """True if the player took part in the pairing: a game, a forfeit, an allocated bye."""
        return bool(self.opponent) or self.result == "U"

    def free_win(self, score: int, win: int) -> bool:
        """Returns whether it scored a win's worth without a game: nobody gets two of these (C2)."""
        return self.result == "U" or (not self.played and score >= win)

    @property
    def kind(self) -> str:
        """The code of its points in ``USUAL_POINTS``."""
        if self.played:
            return ("B" if self.colour == "b" else "W") + _GAMES[self.result]
        return _FORFEITS.get(self.result) or _BYES[self.result]


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player (record 001).

    Attributes:
        number: Starting rank, 1 .. 9999: the pairing number.
        rating: 0 for none.
        points: Points in tenths as the file has them; ``None`` for none.
        rank: Place in the standings; 0 for none.
        cells: The rounds, from the first; byes that are known before a round may follow.
    """

    number: int
    sex: str = ""
    title: str = ""
    name: str = ""
    rating: int = 0
    federation: str = ""
    fide_number: str = ""
    birth: str = ""
    points: int | None = None
    rank: int = 0
    cells: tuple[Cell, ...] = ()


class Forbidden(msgspec.Struct, frozen=True):
    """Players of whom no two may meet in some rounds (records 260, XXP; 0: to the end)."""

    first_round: int
    last_round: int
    numbers: tuple[int, ...]


class Acceleration(msgspec.Struct, frozen=True):
    """Virtual points of some players in some rounds (records 250, XXA)."""

    points: int
    first_round: int
    last_round: int
    first: int
    last: int


class Adjustment(msgspec.Struct, frozen=True):
    """Points of a player that differ from the usual (record 299).

    Attributes:
        result: The result that scores ``points``; empty for a bonus or a penalty.
        round: 0 for every round.
    """

    result: str
    points: int
    round: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Holds a whole tournament.

    Attributes:
        rounds: Rounds that will be played; 0 if the file has no number.
        players: In the file's order.
        initial_colour: ``"w"`` or ``"b"``: the colour of the first pairing number in round 1;
            empty if the file does not give it.
        system: Encoded type of tournament (record 192), e.g. ``"FIDE_DUTCH_BAKU"``.
        by_line: True if the order of the lines, and not the numbers, is the initial order
            (``XXC rank``).
        points: Points by code, as in ``USUAL_POINTS``.
        byes: Results (F, H, Z) of byes by round and number (records 240).
        adjustments: Points that differ from the usual, by number.
        absent: Numbers that are not paired in the next round (XXZ).
        tie_breaks: The event's own, as the file writes them, in the order in which they count
            (record 212).
        other: Records that nothing here depends on, whole.
    """

    name: str = ""
    rounds: int = 0
    players: tuple[Player, ...] = ()
    initial_colour: str = ""
    system: str = ""
    by_line: bool = False
    points: Mapping[str, int] = msgspec.field(default_factory=lambda: dict(USUAL_POINTS))
    accelerations: tuple[Acceleration, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    byes: Mapping[tuple[int, int], str] = {}
    absent: frozenset[int] = frozenset()
    adjustments: Mapping[int, tuple[Adjustment, ...]] = {}
    tie_breaks: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    @property
    def unit(self) -> int:
        """The most tenths that divide the points of every result: 5 of the usual points."""
        return gcd(*self.points.values()) or 1

    @property
    def played_rounds(self) -> int:
        """The number of rounds that were paired.

        A round in which nobody has an opponent was one if everybody has an entry in it, not all of
        them absences, and no points of the file leave it out. Else its entries are byes known
        before it is paired.
        """
        with_games = (
            n for each in self.players for n, cell in enumerate(each.cells, 1) if cell.opponent
        )
        rounds = max(with_games, default=0)
        while self._played_without_games(rounds + 1):
            rounds += 1
        return rounds

    @property
    def placeholders(self) -> bool:
        """True if everybody has an entry in the round to be paired, so that nobody were left.

        Its absences are then placeholders of a program, and nobody's wish.
        """
        played = self.played_rounds
        coming = [each.cells[played:][:1] for each in self.players]
        return all(coming) and any(cell.result == "Z" for (cell,) in coming)

    @property
    def by_hand(self) -> frozenset[int]:
        """The rounds of which a comment says that they were paired by hand."""
        lines = set(self.other)
        return frozenset(n for n in range(1, self.played_rounds + 1) if by_hand(n) in lines)

    def _played_without_games(self, round: int) -> bool:
        entries = [each.cells[round - 1] for each in self.players if len(each.cells) >= round]
        if len(entries) < len(self.players) or all(cell.result == "Z" for cell in entries):
            return False
        return not any(self._leaves_out(each, round) for each in self.players)

    def _leaves_out(self, player: Player, round: int) -> bool:
        scores = self.scores(player, round)
        earned = sum(scores) + self.bonus(player)
        return bool(scores[-1]) and player.points == earned - scores[-1]

    def cells(self, player: Player, rounds: int) -> tuple[Cell, ...]:
        """Returns a player's first rounds; those without an entry are byes or absences."""
        missing = range(len(player.cells) + 1, rounds + 1)
        byes = (Cell(result=self.byes.get((n, player.number), "Z")) for n in missing)
        return (*player.cells[:rounds], *byes)

    def scores(self, player: Player, rounds: int) -> list[int]:
        """Returns what each of the first rounds gave a player, in tenths."""
        scores = [self.points[cell.kind] for cell in self.cells(player, rounds)]
        for adjustment in self.adjustments.get(player.number, ()):
            if adjustment.result:
                for n, cell in enumerate(self.cells(player, rounds)):
                    if adjustment.round in (0, n + 1) and _same(adjustment.result, cell):
                        scores[n] = adjustment.points
        return scores

    def virtual_points(self, round: int) -> Mapping[int, int]:
        """Returns the points by which players are accelerated in a round, by number, in tenths.

        Records 250 and XXA come first, then Baku acceleration if the type of tournament asks for
        it (C.04.5.1: the first half of the field, rounded up to an even number, in the first half
        of the rounds: a win, and in the second half of those, a draw).
        """
        virtual: dict[int, int] = {}
        for each in self.accelerations:
            if each.first_round <= round <= each.last_round:
                virtual |= dict.fromkeys(range(each.first, each.last + 1), each.points)
        accelerated = (self.rounds + 1) // 2
        if self.accelerations or not self.system.endswith("_BAKU") or round > accelerated:
            return virtual
        numbers = sorted(player.number for player in self.players)
        points = self.points["WW" if round <= (accelerated + 1) // 2 else "WD"]
        return dict.fromkeys(numbers[: 2 * -(-len(numbers) // 4)], points)

    def bonus(self, player: Player) -> int:
        """Returns the points given to a player besides those of its rounds (299)."""
        mine = self.adjustments.get(player.number, ())
        return sum(each.points for each in mine if not each.result)


def by_hand(round: int) -> str:
    """Returns the comment that a round was paired by hand; no record has a place for that."""
    return f"### round {round} was paired by hand"


def _same(result: str, cell: Cell) -> bool:
    kind = Cell(cell.opponent, cell.colour, result).kind
    return kind == cell.kind


def numbers_of(players: Sequence[Player]) -> dict[int, Player]:
    """Returns players by number."""
    return {player.number: player for player in players}
