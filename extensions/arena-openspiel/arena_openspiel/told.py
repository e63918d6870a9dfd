"""The knowledge of each seat in a match: events, cards shown, and outcomes of chance.

What a seat sees of an action is compared with what it would have seen of other actions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.core.state import CHANCE
from arena_openspiel.library import SpielState as Spiel
from arena_openspiel.notation import write_event
from arena_openspiel.observation import Deal, digest
from arena_openspiel.wording import plain_text

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame

_CACHED, _MAX_LOOKS = 1, 64
"""Nodes of chance after fewer actions are the same ones in all worlds; that many are kept."""
_LOOKS: dict[tuple[str, str, tuple[int, ...]], Sequence[Counter[str]]] = {}
HIDDEN = "something hidden"
"""The event of an action that others do not see in full."""


class Known(NamedTuple):
    """The knowledge of one seat in a match.

    Attributes:
        seat: The seat.
        view: What it is shown; at the end what it was shown last.
        history: The events that it knows: public ones, and of a game in which actions are not
            counted, that it may act again.
        seen: The digests of what it was shown.
        own: The ids of its actions.
        dealt: What chance dealt, as in an observation.
    """

    seat: int
    view: str
    history: bytes
    seen: tuple[str, ...]
    own: tuple[int, ...] = ()
    dealt: tuple[Deal, ...] = ()


def at_start(game: SpielGame, spiel: Spiel) -> tuple[Known, ...]:
    """Returns what each seat knows before the deal."""
    views = [game.shown_to(spiel, seat) for seat in range(spiel.num_players())]
    return tuple([Known(seat, view, b"", (digest(view),)) for seat, view in enumerate(views)])


class Taken(NamedTuple):
    """An action of a seat or of chance.

    Attributes:
        id: OpenSpiel's id of it.
        knowing: The seats that know which it was, where that has been found out before.
    """

    id: int
    knowing: tuple[int, ...] | None = None


def after_steps(
    game: SpielGame, start: Spiel, known: Sequence[Known | None], steps: Iterable[Taken]
) -> tuple[Known | None, ...]:
    """Returns what each seat knows after some actions; ``None`` where it was ``None``.

    Args:
        start: OpenSpiel's state before them.
        known: What each seat knew in it.
    """
    spiel = start.clone()
    views = [each.view if each else game.shown_to(spiel, seat) for seat, each in enumerate(known)]
    for taken in steps:
        step = _Step(game, spiel, taken, views)
        known, views = [each and step.told(each) for each in known], step.views
    return tuple(known)


class _Step:
    """One action, of a seat or of chance, and what the seats are told of it.

    Args:
        spiel: OpenSpiel's state, to which the action is applied.
        taken: The action.
        was: What each seat was shown before it.

    Attributes:
        views: What each seat is shown after it.
    """

    def __init__(self, game: SpielGame, spiel: Spiel, taken: Taken, was: Sequence[str]) -> None:
        self._game, self._id, self._player = game, taken.id, spiel.current_player()
        self._text = _text_of(game, spiel, self._player, taken.id)
        before = spiel.clone() if taken.knowing is None else None
        spiel.apply_action(taken.id)
        seats = range(len(was))
        self._after, self._was = spiel, was
        self.views = [game.shown_to(spiel, seat) for seat in seats]
        self._knowing = taken.knowing or ()
        if before:
            noticed = [seat for seat in seats if self.views[seat] != was[seat]]
            self._knowing = knowing(game, before, taken.id, self.views, noticed)
        self._public = {*seats} <= {*self._knowing, self._player}
        self._over = spiel.is_terminal()
        self._notes: list[tuple[Iterable[int], str]] = []
        self._tell(seats)

    def _tell(self, seats: range) -> None:
        player = self._player
        who = "chance" if player == CHANCE else f"seat {player}"
        if self._public:
            self._notes.append((seats, f"{who}: {self._text}"))
        elif player != CHANCE and self._game.facts.counted:
            self._notes.append((seats, f"{who}: {HIDDEN}"))
        if self._over:
            # OpenSpiel may show all hands now; what counts is the result
            gains = enumerate(self._after.returns())
            self._notes += [(seats, f"seat {seat}: {gain:+g}") for seat, gain in gains]
            return
        if player != CHANCE:
            self._say_turn(seats)
        self._reveal(seats)

    def _say_turn(self, seats: range) -> None:
        """Notes whose turn it is, if that tells something."""
        facts, player, turn = self._game.facts, self._player, self._after.current_player()
        if not facts.counted and player == turn:
            self._notes.append(((player,), f"seat {player}: acts again"))
        if facts.turns and turn != (player + 1) % len(seats):
            self._notes.append((seats, f"seat {turn}: is next"))

    def _reveal(self, seats: range) -> None:
        """Notes what seats are shown from now on."""
        facts = self._game.facts
        if not (facts.sights or facts.shown):
            return
        pairs = zip(self._was, self.views, strict=True)
        shown = [_new_lines(facts.sights, *pair) or _begun(facts.shown, *pair) for pair in pairs]
        if shown[0] and len({*shown}) == 1:
            self._notes.append((seats, f"all seats see: {shown[0]}"))
            return
        self._notes += [
            ((seat,), f"seat {seat} sees: {shown[seat]}") for seat in seats if shown[seat]
        ]

    def told(self, known: Known) -> Known:
        """Returns what a seat knows after the action.

        Args:
            known: What it knew before.
        """
        seat = known.seat
        events = b"".join([write_event(text) for seats, text in self._notes if seat in seats])
        view, seen, own = known.view, known.seen, known.own
        if not self._over and self.views[seat] != view:
            view = self.views[seat]
            seen = (*seen, digest(view))
        if seat == self._player:
            own = (*own, self._id)
        history = known.history + events
        return Known(seat, view, history, seen, own, (*known.dealt, *self._dealt(known)))

    def _dealt(self, known: Known) -> tuple[Deal, ...]:
        """Returns what the seat is to remember of a deal: nothing or one thing."""
        if self._player != CHANCE:
            return ()
        told, open = known.seat in self._knowing, self._game.facts.open
        if not open and (self._public or not told):
            return ()
        at, seats = known.history.count(b"\n"), self._knowing if open else ()
        return (Deal(at, self._text if told else "", seats),)


def _new_lines(pattern: str, was: str, now: str) -> str:
    """Returns the lines of a seat's view that match a pattern and are new."""
    if not pattern or was == now:
        return ""
    old = {*was.splitlines()}
    lines = [line for line in now.splitlines() if line not in old and re.match(pattern, line)]
    return " / ".join(" ".join(line.split()) for line in lines)


def _begun(pattern: str, was: str, now: str) -> str:
    """Returns what matches a pattern in a seat's view, if nothing did before."""
    found = pattern and not re.search(pattern, was) and re.search(pattern, now)
    return " ".join(found[0].split()) if found else ""


def _text_of(game: SpielGame, spiel: Spiel, player: int, id: int) -> str:
    if player == CHANCE:
        return plain_text(spiel.action_to_string(CHANCE, id))
    return str(game.action(spiel, player, id))


def knowing(
    game: SpielGame, before: Spiel, id: int, views: Sequence[str], noticed: Iterable[int]
) -> tuple[int, ...]:
    """Returns those of some seats that can tell an action from all others by what they see.

    Args:
        before: OpenSpiel's state before the action; it is used up.
        id: OpenSpiel's id of it.
        views: What each seat is shown after it.
        noticed: The seats, to which something else was shown before it.
    """
    if len(before.history()) < _CACHED and before.is_chance_node():
        counts = _looks(game, before)
        return tuple([seat for seat in noticed if counts[seat][views[seat]] == 1])
    open = game.facts.open or (game.facts.open_deals and before.is_chance_node())
    left = [*noticed]
    for other_id in before.legal_actions():
        if other_id == id or not left:
            continue
        other = before if open else before.clone()
        other.apply_action(other_id)
        left = [seat for seat in left if game.shown_to(other, seat) != views[seat]]
        if open:
            break
    return tuple(left)


def _looks(game: SpielGame, before: Spiel) -> Sequence[Counter[str]]:
    """Returns how many outcomes of chance look so to each seat; kept for the next time."""
    key = game.name, str(before.get_game()), tuple(before.history())
    if key not in _LOOKS:
        if len(_LOOKS) == _MAX_LOOKS:
            _LOOKS.pop(next(iter(_LOOKS)))
        children = [before.child(id) for id in before.legal_actions()]
        seats = range(before.num_players())
        _LOOKS[key] = [Counter(game.shown_to(child, seat) for child in children) for seat in seats]
    return _LOOKS[key]
