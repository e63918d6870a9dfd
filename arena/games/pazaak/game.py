"""The game of Pazaak as the harness meets it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from arena.core.actions import type_name
from arena.core.dealer import Dealer
from arena.core.errors import IllegalLoadout, ParseError
from arena.core.game import Game
from arena.core.odds import Odds
from arena.games.pazaak import odds
from arena.games.pazaak.actions import PazaakAction
from arena.games.pazaak.cards import CATALOGUE, DECK_CARDS, Card, card_named
from arena.games.pazaak.chance import came
from arena.games.pazaak.features import PazaakFeatures
from arena.games.pazaak.following import Follower, Sender
from arena.games.pazaak.notation import PazaakNotation
from arena.games.pazaak.observation import PazaakObservation, SideDeckOffer
from arena.games.pazaak.playout import evaluate, playout_action
from arena.games.pazaak.procedure import ask_chance
from arena.games.pazaak.render import draw, render
from arena.games.pazaak.resample import resample
from arena.games.pazaak.rules import check_side_deck, default_side_deck, side_deck_choice
from arena.games.pazaak.rulesets import RULESETS, PazaakRules
from arena.games.pazaak.scene import scene
from arena.games.pazaak.side_decks import deck_named
from arena.games.pazaak.situation import situation
from arena.games.pazaak.stages import DEAL
from arena.games.pazaak.state import PazaakState
from arena.games.pazaak.value import NoHands, no_hands
from arena.games.pazaak.wire import PACKING, described, unpack

if TYPE_CHECKING:
    from random import Random

    from arena.games.pazaak.decisions import OwnHand

T = TypeVar("T")


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


class Pazaak(Game[PazaakRules, PazaakObservation, PazaakState]):
    """Pazaak for two seats: the whole rule book, by named rulesets with every option a field."""

    name = "pazaak"
    summary = "reach 20 or come nearer to it than your rival, with four hidden cards a match"
    how_to_play = HOW_TO_PLAY
    version = "1"
    seats = range(2, 3)
    rulesets = RULESETS
    notation = PazaakNotation()
    position = staticmethod(situation)
    resample = staticmethod(resample)
    evaluate = staticmethod(evaluate)
    came = staticmethod(came)
    render = staticmethod(render)
    scene = staticmethod(scene)
    pack = staticmethod(PACKING.pack)
    unpack = staticmethod(unpack)

    def new_state(
        self, ruleset: PazaakRules, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> PazaakState:
        first, second = loadouts
        decks = _side_deck(ruleset, first), _side_deck(ruleset, second)
        state = PazaakState(ruleset, decks, dealer)
        ask_chance(state, DEAL, 0)
        return state

    def offer(self, ruleset: PazaakRules, seat: int) -> SideDeckOffer | None:
        """Asks for a side deck (S8), unless every bot is handed the same."""
        return _offer(ruleset, seat)

    def accept_loadout(self, ruleset: PazaakRules, answer: object) -> bytes:
        """A side deck as its cards' ids in catalogue order (S8, C3, A14, C15).

        A bot answers with cards, with their names, or with one text: names, or the name of a
        ready-made deck.
        """
        if answer is None:
            return _ids(default_side_deck(ruleset))
        if type(answer) is str:
            answer = _read(deck_named, answer)
        # Exact types: a subclass could change its mind between the check and the match.
        if type(answer) is not tuple and type(answer) is not list:
            raise IllegalLoadout(f"a side deck is cards or their names, not {type_name(answer)}")
        deck = tuple([_read(card_named, it) if type(it) is str else it for it in answer])
        for card in deck:
            # Only the catalogue's own objects: a card made by the bot could hold anything.
            if type(card) is not Card or card not in CATALOGUE:
                raise IllegalLoadout(f"{_describe(card)} is not a side card")
        return _ids(check_side_deck(ruleset, deck))

    def value_function(self, ruleset: PazaakRules) -> NoHands:
        return no_hands(ruleset)

    def decision_values(self, ruleset: PazaakRules) -> OwnHand:
        # Imported here: it brings numpy, which no bot and no match has to wait for.
        from arena.games.pazaak.decisions import OwnHand

        return OwnHand(ruleset)

    def odds_position(self, ruleset: PazaakRules, keys: Mapping[str, str]) -> PazaakState:
        return odds.position(ruleset, keys)

    def odds(self, state: PazaakState, seat: int) -> tuple[Odds, ...]:
        return tuple(odds.odds(state, seat))

    def features(self, ruleset: PazaakRules) -> PazaakFeatures:
        return PazaakFeatures()

    def playout_action(self, state: PazaakState, rng: Random) -> PazaakAction:
        return playout_action(state)

    def render_table(self, state: PazaakState, open_seats: Collection[int]) -> str:
        return draw(self.scene(state, open_seats))

    def packer(self) -> Callable[[PazaakState, int], object]:
        return Sender().pack

    def unpacker(self, ruleset: PazaakRules) -> Callable[[Any], PazaakObservation]:
        return Follower(ruleset).unpack

    def describe(self, observation: PazaakObservation) -> dict[str, object]:
        return {**super().describe(observation), **described(observation)}


@cache
def _offer(ruleset: PazaakRules, seat: int) -> SideDeckOffer | None:
    if ruleset.fixed_deck:
        return None
    choice = side_deck_choice(ruleset)
    return SideDeckOffer(seat, ruleset, ruleset.deck_sizes, choice, not ruleset.collection)


@cache
def _side_deck(ruleset: PazaakRules, loadout: bytes) -> tuple[Card, ...]:
    if loadout and max(loadout) >= len(CATALOGUE):
        raise IllegalLoadout(f"no side card has id {max(loadout)}")
    return check_side_deck(ruleset, tuple(CATALOGUE[number] for number in loadout))


def _read(reader: Callable[[str], T], text: str) -> T:
    """Reads cards that a bot wrote as text; unreadable text is an illegal loadout."""
    try:
        return reader(text)
    except ParseError as error:
        raise IllegalLoadout(str(error)) from None


def _describe(thing: object) -> str:
    """Name of a bot's loadout, without running any code of the bot's."""
    if type(thing) is Card and thing in DECK_CARDS:
        return thing.name
    return f"a {type_name(thing)}"


@cache
def _ids(deck: tuple[Card, ...]) -> bytes:
    return bytes(card.id for card in deck)
