"""Optional parts of a game: each works as it is, and a game overrides what it knows better."""

from arena.core.parts.amounts import Amounts as Amounts
from arena.core.parts.board import Board as Board
from arena.core.parts.full_state import FullState as FullState
from arena.core.parts.loadouts import LoadoutCard as LoadoutCard
from arena.core.parts.loadouts import Loadouts as Loadouts
from arena.core.parts.loadouts import Picker as Picker
from arena.core.parts.luck import Luck as Luck
from arena.core.parts.luck import Pattern as Pattern
from arena.core.parts.moves import Move as Move
from arena.core.parts.moves import Moves as Moves
from arena.core.parts.odds import ExactOdds as ExactOdds
from arena.core.parts.odds import Odds as Odds
from arena.core.parts.part import Part as Part
from arena.core.parts.positions import Positions as Positions
from arena.core.parts.search import Search as Search
from arena.core.parts.view import Piece as Piece
from arena.core.parts.view import View as View
from arena.core.parts.view import Views as Views
from arena.core.parts.wire import Wire as Wire
from arena.core.parts.words import Words as Words
