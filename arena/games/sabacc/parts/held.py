"""The end of each hand of Sabacc: all laid cards open, who won with what, the pot paid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from arena.core.scene import Fact, Role, Scene, Verdict
from arena.games.sabacc.cards import showdown
from arena.games.sabacc.cards.pots import pots
from arena.games.sabacc.cards.value import Value
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.parts.following import Followed, followed
from arena.games.sabacc.parts.scene import CATEGORY, public_scene, worth


def held(before: SabaccState, after: SabaccState, open_seats: Collection[int]) -> tuple[Scene, ...]:
    """The hands that ended between two positions, with their verdicts.

    Cards that were not laid down lie open only for who sees the seat's cards.

    Args:
        before: The state at a decision; either may be one that a seat holds possible.
        after: A later state of the same match.
        open_seats: Seats whose cards lie open for the onlooker.
    """
    if before.is_terminal() or before.hand.match.hand_number == _over(after):
        return ()
    hands = followed(before, after, open_seats).hands()
    return tuple([_hand_over(hand) for hand in hands])


def _over(after: SabaccState) -> int:
    """The number of the hand that has not ended; 0 when the match is over."""
    match = after.hand.match
    return 0 if match.ending else match.hand_number


def _hand_over(hand: Followed) -> Scene:
    end = HandEnd(hand)
    seen = hand.observation()
    shown = public_scene(seen, {seat: tuple(cards) for seat, cards in hand.own.items()})
    facts = [
        Fact("stage", "showdown") if fact.label == "stage" and hand.laid else fact
        for fact in shown.facts
    ]
    if hand.match.chips:
        facts.append(Fact("pot", hand.at_stake, role="large"))
        if hand.match.carried:
            facts.append(Fact("carried over", hand.match.carried))
    verdict = Verdict(
        f"hand {seen.hand_number}",
        end.winners,
        end.reason(),
        " : ".join(map(str, seen.amounts)),
        hand.events,
    )
    return replace(shown, turn=None, facts=(*facts, *end.facts()), verdict=verdict)


class HandEnd:
    """The winners of a hand, and the reason.

    Attributes:
        winners: Who won it: the main pot, or the most points.
    """

    def __init__(self, hand: Followed) -> None:
        self._hand, match = hand, hand.match
        self._ranks, self._mode = match.ranks, match.rules.mode
        self._values = {seat: self._ranks.rank(cards) for seat, cards in hand.laid.items()}
        self._won = Counter[int]()
        for _, seat, amount in hand.gains:
            self._won[seat] += amount
        self._side: list[tuple[tuple[int, ...], int]] = []
        if self._mode == "chips":
            self.winners = self._pots()
        else:
            most = max(self._won.values(), default=0)
            won = [seat for seat, amount in self._won.items() if amount == most > 0]
            self.winners = tuple(sorted(won))

    def _pots(self) -> tuple[int, ...]:
        """The winners of the main pot; side pots are noted: pots are paid in order."""
        hand, match = self._hand, self._hand.match
        wins = [(seat, chips) for kind, seat, chips in hand.gains if kind == "win"]
        carried = hand.at_stake - sum(hand.staked)
        found: list[tuple[tuple[int, ...], int]] = []
        for puts, _ in pots(hand.staked, match.in_hand(match.left), hand.all_in):
            left = chips = sum(puts) + carried
            carried, seats = 0, []
            while wins and left:
                seat, got = wins.pop(0)
                seats.append(seat)
                left -= got
            found.append((tuple(seats), chips))
        main = found[0][0]
        self._side = [(seats, chips) for seats, chips in found[1:] if seats and seats != main]
        return tuple(sorted(main))

    def facts(self) -> Iterator[Fact]:
        """A fact a seat that won something, or laid its cards down in vain."""
        back = {seat for kind, seat, _ in self._hand.gains if kind == "share"}
        for seat in range(self._hand.match.seats):
            got = self._won[seat]
            if seat in back:
                yield Fact(f"gets {got} back", seat=seat)
            elif self._mode == "points" and seat in self._values:
                role: Role = "won" if seat in self.winners else ""
                yield Fact(f"scores {got}", seat=seat, role=role)
            elif got:
                amount = got if self._mode == "chips" else "the hand"
                yield Fact(f"wins {amount}", seat=seat, role="won")
            elif seat in self._values:
                yield Fact(self._lacks(self._values[seat]), seat=seat, role="lost")

    def _lacks(self, value: Value) -> str:
        if value.bomb:
            return "bombs out"
        best = max([self._values[seat].strength for seat in self.winners], default=0)
        short = best - value.strength
        return f"{short} short" if value.category == "points" and short > 0 else "loses"

    def reason(self) -> str:
        """The reason of the win: the best hand and those below it, or nobody else is left."""
        if not self._values:
            return "nobody else is left in the hand"
        if self._mode == "points":
            return self._points()
        if not self.winners:
            return f"{_listed(map(_short, self._ranked(self._values)))}: {self._nobody()}"
        sides = [
            f"; {_listed([f'seat {seat}' for seat in seats])} "
            f"{'wins' if len(seats) == 1 else 'share'} the side pot of {chips}"
            for seats, chips in self._side
        ]
        return self._beats() + "".join(sides)

    def _beats(self) -> str:
        first, *others = self.winners
        mine = self._worth(first)
        if others:
            return f"equal hands: {_short(self._values[first])} each"
        order = {seat: self._hand.laid[seat] for seat in self._values}
        best, _ = showdown.leaders(self._ranks, order)
        if len(best) > 1 and first in best:
            return f"equal hands, {_short(self._values[first])} each; an extra card decides"
        rest = self._ranked([seat for seat in self._values if seat != first])
        return f"{mine} beats {_listed(map(_short, rest))}"

    def _nobody(self) -> str:
        if self._mode != "chips":
            return "all of them lose"
        hand = self._hand
        return (
            f"all of them lose, and {hand.match.carried} is carried over"
            if hand.match.carried
            else "all of them lose, and the pot is shared out"
        )

    def _points(self) -> str:
        if not self.winners:
            return "nobody scores"
        first = self.winners[0]
        most = self._won[first]
        won = f"{most} points for {self._worth(first)}"
        rest = sorted([self._won[seat] for seat in self._values if seat not in self.winners])
        others = f"; the others score {_listed(map(str, rest[::-1]))}" if rest else ""
        return f"{won}{others}"

    def _worth(self, seat: int) -> str:
        return worth(self._ranks, self._hand.laid[seat])

    def _ranked(self, seats: Collection[int]) -> list[Value]:
        return sorted([self._values[seat] for seat in seats], key=lambda value: value.key)[::-1]


def _short(value: Value) -> str:
    """A hand's rank in a word or two."""
    if value.total is None:
        return CATEGORY.get(value.category, "a combination")
    if value.category not in ("bomb", "points"):
        return CATEGORY[value.category]
    plain = value.bomb or value.strength == abs(value.total)
    return f"{value.total}" if plain else f"{value.total} (worth {value.strength})"


def _listed(texts: Iterator[str] | Sequence[str]) -> str:
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
