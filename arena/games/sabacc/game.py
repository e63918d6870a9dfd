"""The game of Sabacc as the harness meets it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer
from arena.core.errors import BadInput
from arena.core.game import Game
from arena.core.outcome import Ending
from arena.core.parts import Amounts, Board, FullState, Luck, Positions, Search, Wire
from arena.core.scene import Scene
from arena.games.sabacc.cards.rulesets import RULESETS, SabaccRules
from arena.games.sabacc.engine.actions import EXCHANGE_, SabaccAction
from arena.games.sabacc.engine.chance import came
from arena.games.sabacc.engine.hand import new_hand
from arena.games.sabacc.engine.match import new_match
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.engine.wire import PACKING, described
from arena.games.sabacc.parts.full_state import SabaccFullStateFacts
from arena.games.sabacc.parts.held import held
from arena.games.sabacc.parts.moves import SabaccMoves
from arena.games.sabacc.parts.notation import SabaccNotation
from arena.games.sabacc.parts.odds import SabaccOdds
from arena.games.sabacc.parts.patterns import pattern
from arena.games.sabacc.parts.playout import playout_action
from arena.games.sabacc.parts.render import draw, render
from arena.games.sabacc.parts.resample import resample
from arena.games.sabacc.parts.scene import scene
from arena.games.sabacc.parts.situation import situation
from arena.games.sabacc.parts.view import SabaccViews
from arena.games.sabacc.words.positions import SabaccWords

if TYPE_CHECKING:
    from random import Random


HOW_TO_PLAY = """\
Two to six players. A match is some hands: for won hands, chips or points.
A hand: hold the best cards when all are laid open. Best is a total of 23 (pure
sabacc), then some combinations, 46 and -23; then the highest total, where 24 to
45 counts 23 less. Above 46 or below -23 the hand is lost.
1. Three cards each: numbers 1 to 11, ranks 12 to 15, characters whose values,
   one of them below 0, depend on the variant. A five is wild: any 1 to 11, + or -.
2. Twice round the table: draw a card or pass; five cards at most.
3. Once, in order: exchange as many cards as the variant allows, or keep all.
4. All cards are laid open, and the best hand wins. A tie is broken by one more card.
For chips (mode=chips) there are stages of betting between: put more, or fold.
Actions: draw, pass, exchange 1 3 (by their places), keep, put N, fold, and others."""


class SabaccAmounts(Amounts[SabaccRules]):
    """Credits, points or hands won, by the ruleset's mode."""

    def unit(self, ruleset: SabaccRules) -> str:
        return {"chips": "credits", "points": "points", "showdown": "hands"}[ruleset.mode]

    def of(self, ruleset: SabaccRules, ending: Ending) -> tuple[float, ...]:
        """Returns chips won or lost, points, or hands won; a seat that was eliminated loses all."""
        stack = ruleset.stack if ruleset.mode == "chips" else 0
        out = {fault.seat for fault in ending.expelled} | {ending.offender}
        least = min(0, *ending.scores)
        return tuple(
            float((least if seat in out else score) - stack)
            for seat, score in enumerate(ending.scores)
        )


class SabaccWire(Wire[SabaccRules, SabaccObservation, SabaccState]):
    """Observations as plain values; a match is sent as what has changed for a seat."""

    pack = staticmethod(PACKING.pack)
    unpack = staticmethod(PACKING.unpack)

    def packer(self) -> Callable[[SabaccState, int], object]:
        return PACKING.packer(SabaccState.fields)

    def unpacker(self, ruleset: SabaccRules) -> Callable[[Any], SabaccObservation]:
        return PACKING.unpacker(ruleset)

    def describe(self, observation: SabaccObservation) -> dict[str, object]:
        return {**super().describe(observation), **described(observation)}


class SabaccBoard(Board[SabaccState]):
    """Hands, the pot, and what is laid open."""

    scene = staticmethod(scene)

    def held(
        self, before: SabaccState, after: SabaccState, open_seats: Collection[int]
    ) -> tuple[Scene, ...]:
        return (*held(before, after, open_seats), *super().held(before, after, open_seats))

    def text(self, state: SabaccState, open_seats: Collection[int]) -> str:
        return draw(scene(state, open_seats))

    def public_action(self, action: Action) -> str:
        """Text without the places of exchanged cards in a hidden hand, with their number."""
        if type(action) is SabaccAction and action.kind == EXCHANGE_ and action.value:
            return f"exchange {action.count} card{'s' * (action.count > 1)}"
        return action.text


class SabaccSearch(Search[SabaccState]):
    """Plays by the own hand, and judges by the scores."""

    def playout_action(self, state: SabaccState, rng: Random) -> SabaccAction:
        return playout_action(state)


class SabaccLuck(Luck[SabaccRules, SabaccState]):
    """Knows which card came; values are learned."""

    pattern = staticmethod(pattern)

    def outcome(self, node: SabaccState, later: SabaccState) -> SabaccAction:
        return came(node.hand, later.hand)


class SabaccFullState(FullState[SabaccRules, SabaccState]):
    """Facts of hands, stakes and stages."""

    def facts(self, ruleset: SabaccRules) -> SabaccFullStateFacts:
        return SabaccFullStateFacts()


class SabaccPositions(Positions[SabaccRules, SabaccState]):
    """Any decision of a hand."""

    state = staticmethod(situation)


class Sabacc(Game[SabaccRules, SabaccObservation, SabaccState]):
    """Sabacc for two to six seats: nine variants, dice, changing variants, chips and points."""

    name = "sabacc"
    how_to_play = HOW_TO_PLAY
    summary = "come to 23 with three to five cards, by draws, one exchange and nerve at the pot"
    seats = range(2, 7)
    rulesets = RULESETS
    notation = SabaccNotation()
    expels = True
    version = "2"
    resample = staticmethod(resample)
    render = staticmethod(render)
    amounts = cached_property(SabaccAmounts)
    wire = cached_property(SabaccWire)
    board = cached_property(SabaccBoard)
    moves = cached_property(SabaccMoves)
    words = cached_property(SabaccWords)
    search = cached_property(SabaccSearch)
    odds = cached_property(SabaccOdds)
    luck = cached_property(SabaccLuck)
    full_state = cached_property(SabaccFullState)
    view = cached_property(SabaccViews)
    positions = cached_property(SabaccPositions)

    def new_state(
        self, ruleset: SabaccRules, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> SabaccState:
        if len(loadouts) not in self.seats:  # 004:8
            raise BadInput(f"sabacc is played by 2 to 6 seats, not {len(loadouts)}")
        match = new_match(ruleset, len(loadouts))
        match.dealer = dealer
        state = SabaccState(new_hand(match))
        state.begin_hand()
        state.go_on()
        return state
