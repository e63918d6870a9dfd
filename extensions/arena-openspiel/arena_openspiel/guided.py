"""Draws a world that one seat holds possible, by a plan of who was dealt what.

For games in which each seat knows of each deal and each action at least to whom it belongs
(``open`` and ``counted`` in their facts). What is shown later was dealt before to whom showed it:
such cards are put at random into the deals that they can come from, and all others into the rest.
The match is played by this plan from the deal on, and what the seat is shown has to come again.
Where it does not, a reason is noted if there is one, and another plan is made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from arena.core.state import CHANCE, TERMINAL
from arena_openspiel.library import SpielState as Spiel
from arena_openspiel.notation import read_events
from arena_openspiel.observation import SpielObservation, digest
from arena_openspiel.rules import SpielRules
from arena_openspiel.state import SpielState
from arena_openspiel.told import HIDDEN, Known, Taken
from arena_openspiel.wording import plain_text

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame

T = TypeVar("T")
U = TypeVar("U")
_TRIES, _TRIES_OF_A_ROUND = 200, 1000
"""Plans that are tried for a match, or for each round of several."""
_ASIDE = re.compile(r"all seats see: |seat \d+ sees: |seat \d+: is next$", re.ASCII)
"""Events that are no actions."""


def guided(game: SpielGame, observation: SpielObservation, rng: Random) -> SpielState | None:
    """Returns a full state that looks to the seat of an observation as the real one does.

    ``None`` if the game is none of these, or none was found.
    """
    if not (game.facts.open and game.facts.counted):
        return None
    start = _Start(game, observation, rng)
    play: _Play | None = _Play(start)
    for first, stop in start.rounds():
        if play:
            play = _round(start, play, first, stop)
    if not play:
        return None
    known = Known(
        observation.seat, play.view, observation.history, observation.seen, observation.own,
        observation.dealt,
    )  # fmt: skip
    return SpielState(game, observation.rules, play.spiel, None, play.path, known)


def _round(start: _Start, before: _Play, first: int, stop: int | None) -> _Play | None:
    """Returns a match that is played on to the end of a round; ``None`` if no plan leads there.

    Args:
        first: The number of deals before the round.
        stop: The number of deals after it; ``None`` in the last one.
    """
    start.begin(first, stop)
    for _ in range(_TRIES_OF_A_ROUND if start.game.facts.round(2) else _TRIES):
        play = before.twin(start.plan())
        if play.run(stop):
            return play
    return None


class _Slot(NamedTuple):
    """Something dealt to others, which the seat did not see.

    Attributes:
        place: Its place in what was dealt.
        at: The number of events before it.
        seats: The seats that know it.
    """

    place: int
    at: int
    seats: tuple[int, ...]


class _Start:
    """The parts that all tries for one observation share.

    Attributes:
        events: What the seat knows of the match.
        cards: The ids of all cards by their texts; empty where something can be dealt twice.
        lacks: The cards that seats cannot have been dealt.
        holders: By card, the seat that was dealt it, of the present plan.
    """

    def __init__(self, game: SpielGame, observation: SpielObservation, rng: Random) -> None:
        self.game, self.wanted, self.rng = game, observation, rng
        self.events = read_events(observation.history)
        self.lacks: set[tuple[int, str]] = set()
        self.holders: Mapping[str, int] = {}
        self.cards = _cards(game, observation.rules, observation.seats)
        self._begun = game.started(observation.rules, observation.seats)
        self._slots: Sequence[_Slot] = ()
        self._pool: Sequence[str] = ()

    def rounds(self) -> list[tuple[int, int | None]]:
        """Returns the number of deals before each round and after it, which the last has not."""
        size, dealt = self.game.facts.round(self.wanted.seats), len(self.wanted.dealt)
        ends = range(size, dealt, size) if size else ()
        return list(zip([0, *ends], [*ends, None], strict=True))

    def begin(self, first: int, stop: int | None) -> None:
        """Begins to plan a round.

        Args:
            first: The number of deals before it.
            stop: The number of deals after it.
        """
        deals = self.wanted.dealt
        self._slots = [
            _Slot(place, deal.at, deal.seats)
            for place, deal in enumerate(deals[:stop])
            if place >= first and not deal.text
        ]
        seen = {deal.text for deal in deals[first:stop]}
        self._pool = [card for card in self.cards if card not in seen]
        self.lacks = set()
        self._from = deals[first].at if first else 0
        self.until = deals[stop].at if stop else len(self.events)
        if self.game.facts.suit is not None:
            self._note_voids(self.game.facts.suit)

    def cards_of(self, text: str) -> list[str]:
        """Returns the cards that the text of an action names."""
        verb = self.game.facts.verb
        if not verb:
            return [text]
        action = self.game.notation.listed.get(text)
        if action is None:
            return []
        if self.game.notation.numbered:
            text = plain_text(self._begun.action_to_string(0, action.id))
        return text.removeprefix(verb).split()

    def _note_voids(self, suit: int) -> None:
        """Notes the suits that seats did not follow.

        Args:
            suit: Where the text of a card has its suit.
        """
        plays = [event.partition(": ") for event in self.events]
        plays = [
            (who, "", card) for who, _, card in plays if who != "chance" and card in self.cards
        ]
        for first in range(0, len(plays), self.wanted.seats):
            led = plays[first][2][suit]
            for who, _, card in plays[first : first + self.wanted.seats]:
                if card[suit] != led:
                    seat = int(who.removeprefix("seat "))
                    self.lacks |= {(seat, each) for each in self._pool if each[suit] == led}

    def plan(self) -> Mapping[int, str]:
        """Returns what was dealt by the place of the deal, where the seat did not see it."""
        if not self._slots or not self._pool:
            return {}
        self.holders = self.game.facts.holders(self.wanted, self.events, self.rng)
        needed = self._needed()
        slots, pool = [*self._slots], [*self._pool]
        self.rng.shuffle(slots)
        self.rng.shuffle(pool)
        fits = {
            card: [slot.place for slot in slots if slot.seats == (to,) and slot.at <= until]
            for card, (to, until) in needed.items()
        }
        taken = _matched([card for card in pool if card in needed], fits)
        free = [card for card in pool if card not in needed]
        rest = [slot for slot in slots if slot.place not in taken]
        barred = {
            slot.place: {card for to, card in self.lacks if to in slot.seats} for slot in rest
        }
        open_to = {
            slot.place: [card for card in free if card not in barred[slot.place]] for slot in rest
        }
        rest.sort(key=lambda slot: len(open_to[slot.place]))
        dealt = _matched([slot.place for slot in rest], open_to)
        return taken | {place: card for card, place in dealt.items()}

    def _needed(self) -> Mapping[str, tuple[int, int]]:
        """Returns who was dealt cards that came to light, and before which event."""
        needed: dict[str, tuple[int, int]] = {}
        pool = {*self._pool}
        for at, event in enumerate(self.events[: self.until]):
            who, _, what = event.partition(": ")
            if at < self._from or not who.startswith("seat "):
                continue
            for card in self.cards_of(what):
                if card in pool and card not in needed:
                    needed[card] = int(who.removeprefix("seat ")), at
        never = len(self.events)
        for card, to in self.holders.items():
            if card in pool:
                shown_by, until = needed.get(card, (to, never))
                needed[card] = to, until if shown_by == to else never
        return needed


class _Play:
    """A match that is played by a plan.

    Attributes:
        spiel: OpenSpiel's state.
        path: All actions.
        view: What the seat is shown; at the end what it was shown last.
    """

    def __init__(self, start: _Start) -> None:
        self._start, self._wanted = start, start.wanted
        self._plan: Mapping[int, str] = {}
        self.spiel = start.game.started(self._wanted.rules, self._wanted.seats)
        self.path: list[Taken] = []
        self._all = self._knowing = tuple(range(self._wanted.seats))
        self._at = self._deals = self._own = self._views = 0
        self.view = start.game.shown_to(self.spiel, self._wanted.seat)

    def twin(self, plan: Mapping[int, str]) -> _Play:
        """Returns a match that goes on from here by a plan.

        Args:
            plan: What is dealt unseen, by its place.
        """
        twin = copy(self)
        twin.spiel, twin.path, twin._plan = self.spiel.clone(), [*self.path], plan
        return twin

    def run(self, stop: int | None) -> bool:
        """Plays to the observation, or up to some deal; returns whether that was possible.

        Args:
            stop: The number of deals before that one.
        """
        events, wanted, spiel = self._start.events, self._wanted, self.spiel
        shown_to, seat = self._start.game.shown_to, wanted.seat
        while True:
            player = spiel.current_player()
            while self._at < len(events) and _ASIDE.match(events[self._at]):
                self._at += 1
            if player == CHANCE and self._deals == stop:
                return True
            if self._deals == len(wanted.dealt) and self._at == len(events):
                break
            id = None if player == TERMINAL else self._choice(player)
            if id is None:
                return self._is_over(player)
            spiel.apply_action(id)
            self.path.append(Taken(id, self._knowing))
            if spiel.is_terminal():
                continue
            view = shown_to(spiel, seat)
            if view != self.view:
                self.view = view
                self._views += 1
                if wanted.seen[self._views : self._views + 1] != (digest(view),):
                    return False
        return player == wanted.turn and self._views == len(wanted.seen) - 1

    def _is_over(self, player: int) -> bool:
        """Returns whether the match has ended as it did."""
        if not player == self._wanted.turn == TERMINAL:
            return False
        gains = [f"seat {seat}: {gain:+g}" for seat, gain in enumerate(self.spiel.returns())]
        return self._start.events[self._at :] == gains

    def _choice(self, player: int) -> int | None:
        """Returns the id of what is done next; ``None`` at a dead end."""
        legal: Sequence[int] = self.spiel.legal_actions()
        if player == CHANCE:
            return self._dealt(legal)
        if self._at == len(self._start.events):
            return None
        told = self._start.events[self._at].removeprefix(f"seat {player}: ")
        self._at += 1
        self._knowing = () if told == HIDDEN else self._all
        if player == self._wanted.seat:
            self._own += 1
            due = self._wanted.own[self._own - 1 : self._own]
            return due[0] if due and due[0] in legal else None
        if told == HIDDEN:
            return self._given(player, legal)
        action = self._start.game.notation.listed.get(told)
        if action is not None and action.id in legal:
            return action.id
        if told in self._start.cards:
            self._learn(player, legal)
        return None

    def _texts(self, player: int, legal: Sequence[int]) -> dict[str, int]:
        """Returns the ids of legal actions by their texts."""
        return {self._start.game.action(self.spiel, player, id).text: id for id in legal}

    def _dealt(self, legal: Sequence[int]) -> int | None:
        """Returns the id of what chance deals."""
        if self._deals == len(self._wanted.dealt):
            return None
        deal, planned = self._wanted.dealt[self._deals], self._plan.get(self._deals, "")
        self._deals += 1
        self._knowing = deal.seats
        text = deal.text or planned
        if not text:
            ids, odds = zip(*self.spiel.chance_outcomes(), strict=True)
            drawn: int = self._start.rng.choices(ids, odds)[0]
            return drawn
        if self._start.events[self._at : self._at + 1] == [f"chance: {text}"]:
            self._at += 1
        if text in self._start.cards:
            id = self._start.cards[text]
            return id if id in legal else None
        return _texts_of_chance(self.spiel).get(text)

    def _given(self, player: int, legal: Sequence[int]) -> int:
        """Returns what a player gives away unseen: what came to light elsewhere, or at random."""
        start, ids = self._start, self._texts(player, legal)
        texts = [*ids]
        start.rng.shuffle(texts)
        later = {
            card
            for event in start.events[self._at : start.until]
            if event.startswith(f"seat {player}: ")
            for card in start.cards_of(event.partition(": ")[2])
        }
        lacking = {card for _, card in start.lacks}

        def rank(text: str) -> int:
            if text in start.holders:
                return 0 if start.holders[text] == player else 3
            shown = later.intersection(start.cards_of(text))
            return 3 if shown else 2 if text in lacking else 1

        return ids[min(texts, key=rank)]

    def _learn(self, player: int, legal: Sequence[int]) -> None:
        """Notes what the player was not dealt, as it would have had to play that."""
        events = {*self._start.events}
        self._start.lacks |= {
            (player, text)
            for text in self._texts(player, legal)
            if f"seat {player}: {text}" not in events
        }


@cache
def _cards(game: SpielGame, rules: SpielRules, seats: int) -> Mapping[str, int]:
    """Returns the ids of the deck by their texts: of what chance deals before the first decision.

    Empty if it rolls dice, or deals only one card.
    """
    spiel: Spiel = game.started(rules, seats)
    deck: dict[str, int] = {}
    left: list[str] = []
    while spiel.is_chance_node():
        texts = _texts_of_chance(spiel)
        if [*texts] != left:
            deck = texts
        left = [*texts][1:]
        spiel.apply_action(min(texts.values()))
    return deck if len(deck) > len(left) + 1 else {}


def _texts_of_chance(spiel: Spiel) -> dict[str, int]:
    return {plain_text(spiel.action_to_string(CHANCE, id)): id for id in spiel.legal_actions()}


def _matched(left: Sequence[T], fits: Mapping[T, Sequence[U]]) -> dict[U, T]:
    """Returns which of the left is put where, for as many of them as possible.

    Args:
        fits: Where each can be put, the best first.
    """
    taken: dict[U, T] = {}

    def put(item: T, tried: set[U]) -> bool:
        for place in fits[item]:
            if place not in taken:
                taken[place] = item
                return True
        for place in fits[item]:
            if place not in tried:
                tried.add(place)
                if put(taken[place], tried):
                    taken[place] = item
                    return True
        return False

    for item in left:
        put(item, set())
    return taken
