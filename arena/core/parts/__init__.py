"""Optional parts of a game: each works as it is, and a game overrides what it knows better."""

from arena.core.parts.amounts import Amounts
from arena.core.parts.board import Board
from arena.core.parts.learning import Learning
from arena.core.parts.loadouts import Loadouts
from arena.core.parts.luck import Luck
from arena.core.parts.odds import ExactOdds, Odds
from arena.core.parts.part import Part
from arena.core.parts.positions import Positions
from arena.core.parts.search import Search
from arena.core.parts.wire import Wire

__all__ = [
    "Amounts", "Board", "ExactOdds", "Learning", "Loadouts", "Luck", "Odds", "Part", "Positions",
    "Search", "Wire",
]  # fmt: skip
