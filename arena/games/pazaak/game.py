"""The game of Pazaak as the harness meets it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from arena.core.chance.dealer import Dealer
from arena.core.game import Game
from arena.core.parts import Board, FullState, Luck, Positions, Wire
from arena.core.scene import Scene
from arena.games.pazaak.engine.actions import SEAT_ACTIONS
from arena.games.pazaak.engine.chance import came
from arena.games.pazaak.engine.following import Follower, Sender
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.procedure import ask_chance
from arena.games.pazaak.engine.rulesets import RULESETS, PazaakRules
from arena.games.pazaak.engine.stages import DEAL
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.engine.wire import PACKING, described, unpack
from arena.games.pazaak.parts.full_state import PazaakFullStateFacts
from arena.games.pazaak.parts.held import held
from arena.games.pazaak.parts.loadouts import SideDecks, side_deck
from arena.games.pazaak.parts.moves import PazaakMoves
from arena.games.pazaak.parts.notation import EXAMPLES, PazaakNotation, lines_of
from arena.games.pazaak.parts.odds import PazaakOdds
from arena.games.pazaak.parts.patterns import pattern
from arena.games.pazaak.parts.playout import PazaakSearch
from arena.games.pazaak.parts.render import draw, render
from arena.games.pazaak.parts.resample import resample
from arena.games.pazaak.parts.scene import scene
from arena.games.pazaak.parts.situation import situation
from arena.games.pazaak.parts.value import NoHands, no_hands
from arena.games.pazaak.parts.view import PazaakViews
from arena.games.pazaak.words.positions import PazaakWords

if TYPE_CHECKING:
    from arena.core.parts.value import DecisionValues
    from arena.games.pazaak.parts.decisions import OwnHand


HOW_TO_PLAY = """\
Two players. Who wins three sets wins the match; an even set counts for nobody.
A set: end with a total nearer to 20 than the rival's, and not above it.
1. Before the match each brings a side deck of ten cards (such as +3, -2, ±4);
   four of them, drawn at random, are the hidden hand for the whole match.
2. On your turn a card of the main deck, worth 1 to 10, is laid on your table.
3. Then you may play one card of your hand; it is not replaced.
4. Then end the turn, and draw again in the next one, or stand: keep the total
   and wait for the rival. A total of 20 stands by itself.
5. Who ends a turn above 20 loses the set. Nine cards on the table without
   going above 20 win it at once.
Actions: end turn, stand, play CARD (play ±4 as -4)."""


class PazaakWire(Wire[PazaakRules, PazaakObservation, PazaakState]):
    """Observations as plain values; a match is sent as the events that are new to a seat."""

    pack = staticmethod(PACKING.pack)
    unpack = staticmethod(unpack)

    def packer(self) -> Callable[[PazaakState, int], object]:
        return Sender().pack

    def unpacker(self, ruleset: PazaakRules) -> Callable[[Any], PazaakObservation]:
        return Follower(ruleset).unpack

    def describe(self, observation: PazaakObservation) -> dict[str, object]:
        return {**super().describe(observation), **described(observation)}


class PazaakBoard(Board[PazaakState]):
    """Two tables of nine squares."""

    scene = staticmethod(scene)

    def held(
        self, before: PazaakState, after: PazaakState, open_seats: Collection[int]
    ) -> tuple[Scene, ...]:
        return (*held(before, after, open_seats), *super().held(before, after, open_seats))

    def text(self, state: PazaakState, open_seats: Collection[int]) -> str:
        return draw(scene(state, open_seats))


class PazaakLuck(Luck[PazaakRules, PazaakState]):
    """Values of sets and hands, as the solved match has them."""

    outcome = staticmethod(came)
    pattern = staticmethod(pattern)

    def value_function(self, ruleset: PazaakRules) -> NoHands:
        return no_hands(ruleset)

    def decision_values(self, ruleset: PazaakRules) -> OwnHand:
        # Imported here: it brings numpy, which no bot and no match has to wait for.
        from arena.games.pazaak.parts.decisions import OwnHand

        return OwnHand(ruleset)

    def response_values(
        self, ruleset: PazaakRules, seen: Iterable[tuple[PazaakState, Any]]
    ) -> DecisionValues[PazaakState]:
        from arena.games.pazaak.parts.response import Response  # it brings numpy, too

        return Response(ruleset, seen)


class PazaakFullState(FullState[PazaakRules, PazaakState]):
    """Facts of totals, sets and hands."""

    def facts(self, ruleset: PazaakRules) -> PazaakFullStateFacts:
        return PazaakFullStateFacts()


class PazaakPositions(Positions[PazaakRules, PazaakState]):
    """Any situation of a set."""

    state = staticmethod(situation)


class Pazaak(Game[PazaakRules, PazaakObservation, PazaakState]):
    """Pazaak for two seats: the whole rule book, by named rulesets with every option a field."""

    name = "pazaak"
    summary = "reach 20 or come nearer to it than your rival, with four hidden cards a match"
    how_to_play = HOW_TO_PLAY
    version = "1"
    seats = range(2, 3)
    rulesets = RULESETS
    notation = PazaakNotation(SEAT_ACTIONS, lines_of, EXAMPLES)
    resample = staticmethod(resample)
    render = staticmethod(render)
    loadouts = cached_property(SideDecks)
    wire = cached_property(PazaakWire)
    board = cached_property(PazaakBoard)
    moves = cached_property(PazaakMoves)
    words = cached_property(PazaakWords)
    search = cached_property(PazaakSearch)
    odds = cached_property(PazaakOdds)
    luck = cached_property(PazaakLuck)
    full_state = cached_property(PazaakFullState)
    view = cached_property(PazaakViews)
    positions = cached_property(PazaakPositions)

    def new_state(
        self, ruleset: PazaakRules, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> PazaakState:
        first, second = loadouts
        decks = side_deck(ruleset, first), side_deck(ruleset, second)
        state = PazaakState(ruleset, decks, dealer)
        ask_chance(state, DEAL, 0)
        return state
