"""Career matches of Pazaak as the harness meets them: a game that is never rated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, partial
from itertools import chain, repeat
from typing import TYPE_CHECKING

from msgspec import structs

from arena.core.chance.dealer import Dealer, Sampled
from arena.core.game import Game
from arena.core.outcome import Outcome, Termination
from arena.core.parts import Board, ExactOdds, Loadouts, Move, Moves, Odds, Picker
from arena.core.parts.moves import in_words
from arena.core.scene import Fact, Scene, Zone
from arena.core.state import TERMINAL
from arena.games.pazaak.career.actions import PERSONS, CareerAction
from arena.games.pazaak.career.extras import alter
from arena.games.pazaak.career.history import (
    CAUGHT,
    CHANGED,
    SWAPPED,
    TURNED,
    alteration,
    by_seat,
    lines_of,
)
from arena.games.pazaak.career.observation import PLAY, SKILL, CareerObservation
from arena.games.pazaak.career.rules import PERSON, RIVAL, RULESETS_OF_CAREER, CareerRules, plain
from arena.games.pazaak.career.state import CareerState
from arena.games.pazaak.engine.actions import SEAT_ACTIONS, PazaakAction
from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.observation import SideDeckOffer
from arena.games.pazaak.engine.procedure import settle_landing
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.game import Pazaak
from arena.games.pazaak.parts.held import dealt_in, places_of_ends, set_ends, set_over
from arena.games.pazaak.parts.looks import card_face
from arena.games.pazaak.parts.moves import move_of
from arena.games.pazaak.parts.notation import EXAMPLES, PazaakNotation
from arena.games.pazaak.parts.render import choices_line, draw, render

if TYPE_CHECKING:
    from random import Random

    from arena.core.actions import Action

PAZAAK = Pazaak()

HOW_TO_PLAY = """\
Pazaak against one rival, for a career: arena career. Without options it is
Pazaak; see: arena rules pazaak. The options are those of rule book section 7:
skill_roll=true   no card is played: who alone succeeds in a roll of skill wins
auxiliary=true    once a set, before a draw: a roll of skill lets you see four
                  other cards, and exchange one of your hand for one of them
cheats=true       once a turn, after the draw: alter a deck card, turn the sign
                  of a hand card, or change its value; who is caught has lost"""


class CareerLoadouts(Loadouts[CareerRules]):
    """Side decks as in Pazaak (S8), unless no card is played."""

    text = staticmethod(PAZAAK.loadouts.text)
    parse = staticmethod(PAZAAK.loadouts.parse)

    def picker(self, ruleset: CareerRules) -> Picker | None:
        return None if ruleset.skill_roll else PAZAAK.loadouts.picker(plain(ruleset))

    def offer(self, ruleset: CareerRules, seat: int) -> SideDeckOffer | None:
        """Asks for a side deck (S8), unless no card is played."""
        return None if ruleset.skill_roll else PAZAAK.loadouts.offer(plain(ruleset), seat)

    def accept(self, ruleset: CareerRules, answer: object) -> bytes:
        return PAZAAK.loadouts.accept(plain(ruleset), answer)


class CareerBoard(Board[CareerState]):
    """Pazaak's table with the person's extras."""

    def scene(self, state: CareerState, open_seats: Collection[int]) -> Scene:
        """Pazaak's table; for who sees the person's hand also the auxiliary hand and the risk."""
        table = PAZAAK.board.scene(state.table, open_seats)
        player = state.current_player()
        turn = None if player == TERMINAL else player if player >= 0 else state.table.turn
        table = structs.replace(table, turn=turn)
        return _with_extras(table, state, state.auxiliary, open_seats)

    def held(
        self, before: CareerState, after: CareerState, open_seats: Collection[int]
    ) -> tuple[Scene, ...]:
        new = _since(before, after, PERSON)
        # Who sees no hand may not know how often the person cheated, not even by a number.
        noticed = _since(before, after, min(open_seats)) if open_seats else b""
        numbers = chain(places_of_ends(noticed), repeat(None))
        auxiliary = after.auxiliary or before.auxiliary
        step = partial(_step, after=after)
        return (
            *(
                _with_extras(set_over(table, open_seats, events), after, auxiliary, open_seats)
                for table, events in zip(
                    set_ends(before.table, new, dealt_in(after.table), step), numbers, strict=False
                )
            ),
            *super().held(before, after, open_seats),
        )

    def over(self, state: CareerState, outcome: Outcome, open_seats: Collection[int]) -> Scene:
        scene = super().over(state, outcome, open_seats)
        lines = lines_of(state.histories[RIVAL][-2:])  # those that everybody notices
        if outcome.termination is not Termination.RULES or scene.verdict is None:
            return scene
        if state.rules.skill_roll:
            reason = "; ".join(line.replace(":", "", 1) for line in lines)
        elif state.histories[RIVAL][-1:] == by_seat(PERSON, CAUGHT):
            reason = f"seat {PERSON} is caught cheating"
        else:
            return scene
        return structs.replace(scene, verdict=structs.replace(scene.verdict, reason=reason))

    def text(self, state: CareerState, open_seats: Collection[int]) -> str:
        scene = self.scene(state, open_seats)
        lines = [draw(scene)]
        if cards := scene.zone("auxiliary", PERSON).cards:
            lines.append(f"  seat {PERSON}'s auxiliary hand: {' '.join(map(str, cards))}")
        return "\n".join(lines)

    def public_action(self, action: Action) -> str:
        return action.public if isinstance(action, CareerAction) else action.text


class CareerMoves(Moves[CareerObservation]):
    """The moves of Pazaak; the extras are buttons."""

    def of(self, observation: CareerObservation) -> Sequence[Move]:
        table = observation.table
        return [
            move_of(action, table.hand, table.total)
            if isinstance(action, PazaakAction)
            else Move(in_words(action))
            for action in observation.legal_actions
        ]


class CareerOdds(ExactOdds[CareerRules, CareerState]):
    """The odds of Pazaak."""

    def at(self, state: CareerState, seat: int) -> tuple[Odds, ...]:
        return PAZAAK.odds.at(state.table, seat)


class PazaakCareer(Game[CareerRules, CareerObservation, CareerState]):
    """Pazaak with the extras of section 7 for the person in seat 0; the rival plays Pazaak."""

    name = "pazaak-career"
    summary = "Pazaak with the role-playing extras, for one person's career; never rated"
    how_to_play = HOW_TO_PLAY
    version = "1"
    seats = range(2, 3)
    rulesets = RULESETS_OF_CAREER
    notation = PazaakNotation((*SEAT_ACTIONS, *PERSONS), lines_of, EXAMPLES)
    loadouts = cached_property(CareerLoadouts)
    board = cached_property(CareerBoard)
    moves = cached_property(CareerMoves)
    odds = cached_property(CareerOdds)

    def new_state(
        self, ruleset: CareerRules, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> CareerState:
        table = PAZAAK.new_state(plain(ruleset), loadouts)
        state = CareerState(ruleset, table, dealer, SKILL if ruleset.skill_roll else PLAY)
        state.begin()
        return state

    def resample(self, observation: CareerObservation, rng: Random) -> CareerState:
        """A state that the seat holds possible: the table as in Pazaak, the extras as it knows."""
        o = observation
        table = PAZAAK.resample(o.table, rng)
        table.dealer = table.pile = None
        state = CareerState(o.ruleset, table, None, o.stage)
        mine = o.history, o.table.history
        state.histories = mine if o.seat == PERSON else (o.table.history, o.history)
        state.followed = len(o.table.history)
        state.auxiliary, state.attempts, state.cheated = o.auxiliary, o.attempts, o.cheated
        state.tried = table.set_number if o.tried else 0
        state.rolls, state.skilled = o.rolls, o.skilled
        if o.legal_actions or o.table.turn != o.seat:
            state.begin()
        if state.player >= 0:  # else the state stays where the observation is
            state.dealer = Sampled(rng)
        return state

    def render(self, observation: CareerObservation) -> str:
        """The observation for a person, in at most 80 columns."""
        o = observation
        lines = [render(structs.replace(o.table, legal_actions=()))]
        if o.seat == PERSON:
            lines += [f"  {fact}" for fact in _facts(o.ruleset, o.attempts)]
        if o.auxiliary:
            lines.append(f"  auxiliary hand: {' '.join(map(str, o.auxiliary))}")
        return "\n".join([*lines, *choices_line(o.legal_actions)])


def _with_extras(
    table: Scene, state: CareerState, auxiliary: Sequence[Card], open_seats: Collection[int]
) -> Scene:
    title = "A roll of skill" if state.rules.skill_roll else table.title
    zones, facts = table.zones, table.facts
    if PERSON in open_seats:
        facts = (*facts, *_facts(state.rules, state.attempts))
        if auxiliary:
            zones = (*zones, Zone("auxiliary", tuple(map(card_face, auxiliary)), PERSON))
    return structs.replace(table, title=title, zones=zones, facts=facts)


def _since(before: CareerState, after: CareerState, seat: int) -> bytes:
    """The events that a seat notices between two positions."""
    return after.histories[seat][len(before.histories[seat]) :]


def _step(table: PazaakState, code: int, after: CareerState) -> None:
    """Takes a table through what the person does besides Pazaak."""
    if (altered := alteration(code)) is not None:
        alter(table, *altered)
        settle_landing(table, PERSON)
    elif code in (SWAPPED, TURNED, CHANGED) and table.rules.hand_scope == "match":
        table.give_hand(PERSON, after.table.hands[PERSON])


def _facts(rules: CareerRules, attempts: int) -> tuple[Fact, ...]:
    facts = []
    if rules.skill_roll or rules.auxiliary:
        facts.append(Fact("skill %", rules.skill, PERSON))
    if rules.cheats:
        facts.append(Fact("cheat %", rules.chance_of_cheat(attempts), PERSON))
    return tuple(facts)
