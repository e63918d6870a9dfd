"""Draws a world that one seat holds possible, by playing the match again from its knowledge.

The match is played from the deal. At each step an outcome is drawn that the seat could have seen
as it did: what it was shown, its own actions and the public events have to come again, in order.
A card that somebody shows later has to be dealt to that seat, so it is reserved for it. Where play
comes to a dead end it goes back a step, and after some steps begins again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import msgspec

from arena.core.actions import Action
from arena.core.chance.dealer import Sampled
from arena.core.errors import HarnessFault
from arena.core.state import CHANCE
from arena_openspiel.guided import guided
from arena_openspiel.notation import CHANCE_IDS, read_events
from arena_openspiel.observation import SpielObservation
from arena_openspiel.state import SpielState
from arena_openspiel.told import HIDDEN, knowing

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame

_TRIES = 300
"""Times that a world is begun."""
_PATIENCE = 40
"""Dead ends in one of them before the next is begun."""


def resampled(game: SpielGame, observation: SpielObservation, rng: Random) -> SpielState:
    """Returns a full state that looks to the seat of an observation as the real one does.

    Raises:
        HarnessFault: None was found.
    """
    if found := guided(game, observation, rng):
        return found.clone(Sampled(rng))
    search = _Search(game, observation, rng)
    for _ in range(_TRIES):
        spiel = game.loaded(observation.rules, observation.seats).new_initial_state()
        found = search.run(SpielState(game, observation.rules, spiel))
        if found is not None:
            return found.clone(Sampled(rng))
    raise HarnessFault(f"{game.name}: no world was found that looks to seat {observation.seat} so")


class _Search:
    """One search after another for the same observation; it learns from dead ends.

    Args:
        observation: What the world has to look like.
    """

    def __init__(self, game: SpielGame, observation: SpielObservation, rng: Random) -> None:
        # Without numbers: they tell a seat nothing more, which is tested and not taken for granted.
        self._wanted = msgspec.structs.replace(observation, numbers=b"")
        self._game, self._rng = game, rng
        self._events = read_events(observation.history)
        self._holders = game.facts.holders(observation, self._events, rng)
        self._lacks: set[tuple[int, str]] = set()

    def run(self, start: SpielState) -> SpielState | None:
        """Returns a world that was found from the deal on; ``None`` after too many dead ends."""
        if self._is_found(start):
            return start
        path, dead_ends = [self._children(start)], 0
        while path and dead_ends < _PATIENCE:
            child = next(path[-1], None)
            if child is None:
                path.pop()
                dead_ends += 1
            elif self._is_found(child):
                return child
            else:
                path.append(self._children(child))
        return None

    def _is_found(self, world: SpielState) -> bool:
        return world.spiel.current_player() == self._wanted.turn and (
            world.told(self._wanted.seat) == self._wanted
        )

    def _fits(self, world: SpielState) -> bool:
        """Returns whether a world looks as the wanted one did at some time."""
        wanted, known = self._wanted, world.known(self._wanted.seat)
        return (
            wanted.history.startswith(known.history)
            and wanted.seen[: len(known.seen)] == known.seen
            and wanted.own[: len(known.own)] == known.own
            and wanted.dealt[: len(known.dealt)] == known.dealt
        )

    def _children(self, world: SpielState) -> Iterator[SpielState]:
        """Yields the worlds after the next step that fit, likely ones first."""
        player = world.spiel.current_player()
        if player == CHANCE:
            yield from self._dealt(world)
            return
        actions = [*world.legal_actions()]
        self._rng.shuffle(actions)
        if player == self._wanted.seat:
            at = len(world.known(player).own)
            due = self._wanted.own[at : at + 1]
            actions = [action for action in actions if (action.id,) == due]
        else:
            told = self._next_event(world, player)
            if told not in ("", HIDDEN):
                actions = [action for action in actions if action.text == told]
                if not actions:
                    self._learn(world, player)
            else:
                later = self._later(world)
                actions.sort(key=lambda action: self._kept(action.text, player, later))
        yield from self._after(world, actions)

    def _after(self, world: SpielState, actions: list[Action]) -> Iterator[SpielState]:
        for action in actions:
            child = world.clone()
            child.apply_action(action)
            if self._fits(child):
                yield child

    def _next_event(self, world: SpielState, player: int) -> str:
        """Returns what the player is to do next in public; empty if the next event is another's."""
        at, start = world.known(self._wanted.seat).history.count(b"\n"), f"seat {player}: "
        told = self._events[at] if at < len(self._events) else ""
        return told.removeprefix(start) if told.startswith(start) else ""

    def _later(self, world: SpielState) -> list[str]:
        """Returns the events to come."""
        return self._events[world.known(self._wanted.seat).history.count(b"\n") :]

    def _kept(self, text: str, player: int, later: Sequence[str]) -> int:
        """Returns how good it is that a player gives a card away unseen: 0 is best."""
        if text in self._holders:
            return 0 if self._holders[text] == player else 2
        return 2 if any(event.endswith(f": {text}") for event in later) else 1

    def _learn(self, world: SpielState, player: int) -> None:
        """Notes that the player cannot hold what it could have played instead of what it did."""
        shown = {event.removeprefix(f"seat {player}: ") for event in self._events}
        self._lacks |= {
            (player, action.text) for action in world.legal_actions() if action.text not in shown
        }

    def _dealt(self, world: SpielState) -> Iterator[SpielState]:
        """Yields the worlds after an outcome of chance, what is reserved for others last."""
        seat = self._wanted.seat
        odds = {action: float(odd) for action, odd in world.chance_outcomes()}
        order = sorted(odds, key=lambda action: self._rng.random() ** (1 / odds[action]))
        order.reverse()
        due = self._wanted.dealt[len(world.known(seat).dealt) :]
        mine = [deal.text for deal in due if deal.text]
        later = self._later(world)
        receivers = self._receivers(world, order[0])
        if len(receivers) == self._wanted.seats:
            order.sort(key=lambda action: later[:1] != [f"chance: {action}"])
        elif seat in receivers:
            order.sort(key=lambda action: mine[:1] != [action.text])
        else:
            ranks = {action: self._rank(action.text, receivers, mine, later) for action in order}
            order.sort(key=ranks.__getitem__)
        yield from self._after(world, order)

    def _rank(
        self, text: str, receivers: tuple[int, ...], mine: Sequence[str], later: Sequence[str]
    ) -> int:
        """Returns how good it is that these seats are dealt something: 0 is best.

        Args:
            mine: What the searching seat is still to be dealt.
            later: The public events to come.
        """
        if text in self._holders:
            return 0 if self._holders[text] in receivers else 3
        if text in mine or f"chance: {text}" in later:
            return 3
        showing = [event for event in later if event.endswith(f": {text}")]
        if showing:
            return 0 if any(f"seat {to}: {text}" in showing for to in receivers) else 3
        return 2 if any((to, text) in self._lacks for to in receivers) else 1

    def _receivers(self, world: SpielState, action: Action) -> tuple[int, ...]:
        """Returns the seats that will know what chance decides next."""
        game, before, seats = self._game, world.spiel, range(self._wanted.seats)
        id = action.id - CHANCE_IDS
        child = before.child(id)
        was, now = [[game.shown_to(spiel, seat) for seat in seats] for spiel in (before, child)]
        return knowing(
            game, before.clone(), id, now, [seat for seat in seats if was[seat] != now[seat]]
        )
