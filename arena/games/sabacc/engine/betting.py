"""The chips of a hand: entry, stakes, orbits of betting, and the pot's way to its winners."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.sabacc.cards.pots import Pot, pots, shares
from arena.games.sabacc.engine import actions
from arena.games.sabacc.engine import rules as legality
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.history import numbered, plain
from arena.games.sabacc.engine.match import Match, replaced
from arena.games.sabacc.engine.stages import OPEN_BETTING, RAISING

BETTING = (
    "match", "last_stake", "staked", "round_put", "all_in", "pot", "to_call", "raises", "raised",
    "demanded", "opener",
)  # fmt: skip
"""The names of the fields of a betting round."""


class Betting:
    """Section 7 and I11: the betting of one hand, in three ways."""

    __slots__ = BETTING

    match: Match  # the match that the hand belongs to
    last_stake: int  # the last stake: the least that may be put
    staked: tuple[int, ...]  # by seat: chips put in this hand
    round_put: tuple[int, ...]  # by seat: chips put in this betting round (``poker``) or orbit
    all_in: tuple[bool, ...]  # who is all in, by seat
    pot: int  # chips on the table in this hand
    to_call: int  # what everybody has to have put in this betting round (``poker``)
    raises: int  # raises of this betting round (``poker``), orbits of stage 6 (``staged``)
    raised: bool  # whether somebody raised in this orbit
    demanded: bool  # whether the exchange was demanded (``alternating``)
    opener: int  # the seat that began this orbit (``alternating``)

    def copy(self) -> Betting:
        """A copy that belongs to the same match."""
        twin = Betting()
        twin.match, twin.last_stake, twin.staked = self.match, self.last_stake, self.staked
        twin.round_put, twin.all_in, twin.pot = self.round_put, self.all_in, self.pot
        twin.to_call, twin.raises, twin.raised = self.to_call, self.raises, self.raised
        twin.demanded, twin.opener = self.demanded, self.opener
        return twin

    def pay(self, kind: str, seat: int, chips: int) -> None:
        """Chips go from a seat's stack into the pot, and everybody sees it."""
        match = self.match
        left = match.amounts[seat] - chips
        match.amounts = replaced(match.amounts, seat, left)
        match.history = match.history + numbered(kind, seat, chips)
        self.staked = replaced(self.staked, seat, self.staked[seat] + chips)
        self.pot += chips
        if not left and match.rules.short_stack == "all_in":
            self.all_in = replaced(self.all_in, seat, True)

    def able(self, first: int) -> tuple[int, ...]:
        """The seats in the hand that can still put chips, in order from that one."""
        all_in = self.all_in
        return tuple([seat for seat in self.match.in_hand(first) if not all_in[seat]])

    def rivals(self, seat: int) -> tuple[int, ...]:
        """The others who can still put chips, in order from that seat."""
        return tuple([other for other in self.able(seat) if other != seat])

    def begin(self) -> tuple[int, ...]:
        """A stage of betting begins; who decides in it."""
        rules = self.match.rules
        self.raises, self.to_call = 0, 0
        if rules.betting == "poker":
            self.last_stake = rules.ante
        self.opener = self.match.left
        return self.begin_orbit()

    def begin_orbit(self) -> tuple[int, ...]:
        """One decision by everybody who can put chips; none when no rival can put chips."""
        self.raised, self.round_put = False, (0,) * self.match.seats
        able = self.able(self.opener)
        return able if self._may_bet(able) else ()

    def _may_bet(self, able: Sequence[int]) -> bool:
        """Section 14: whether there are two who have chips, and one of them could put the stake.

        Who cannot leaves (B14); but when nobody can, there is nobody to leave the pot to.
        """
        if len(able) < 2:
            return False
        match = self.match
        if match.rules.betting == "poker" or match.rules.short_stack == "all_in":
            return True
        return any(match.amounts[seat] >= self.last_stake for seat in able)

    def still_waiting(self, waiting: tuple[int, ...]) -> tuple[int, ...]:
        """Seats that still bet after one has left: none when no stake will be met or to come.

        A stake that was put in this orbit has to be met all the same.
        """
        match = self.match
        if match.rules.betting == "poker":
            return waiting
        met = any(self.round_put[seat] for seat in match.in_hand(0))
        return waiting if met or self._may_bet(self.able(0)) else ()

    def next_orbit(self, stage: int) -> tuple[int, ...]:
        """Section 11: orbits repeat until one passes without a raise (stage 6: at most three)."""
        if not self.raised or stage not in (RAISING, OPEN_BETTING):
            return ()
        if stage == RAISING:
            self.raises += 1
            if self.raises >= self.match.rules.max_raises:
                return ()
        return self.begin_orbit()

    def stakes_of(self, seat: int, stage: int) -> tuple[SabaccAction, ...]:
        """Legal actions of a seat that is to bet."""
        rules, stack = self.match.rules, self.match.amounts[seat]
        if rules.betting != "poker":
            may_demand = stage == OPEN_BETTING and not self.demanded
            return legality.puts(rules, self.last_stake, stack, may_demand)
        owed = self.to_call - self.round_put[seat]
        may_raise = self.raises < rules.max_raises and len(self.able(seat)) > 1
        return legality.bets(rules, self.last_stake, stack, owed, may_raise)

    def stake(self, seat: int, action: SabaccAction) -> None:
        """A seat bets chips, or checks."""
        kind, chips = action.kind, action.value
        if kind in (actions.PUT_, actions.DEMAND_):
            self.raised |= chips > self.last_stake
            self.last_stake = chips
            self._put_in_round("put" if kind == actions.PUT_ else "demand", seat, chips)
            if kind == actions.DEMAND_:
                self.demanded, self.opener = True, (seat + 1) % self.match.seats
        elif kind == actions.CHECK_:
            self.match.history = self.match.history + plain("check", seat)
        elif kind == actions.ALL_IN_:
            self._put_in_round("all in", seat, self.match.amounts[seat])
        elif kind == actions.CALL_:
            self._put_in_round("call", seat, self.to_call - self.round_put[seat])
        elif kind in (actions.BET_, actions.RAISE_):
            owed = self.to_call - self.round_put[seat]
            self._put_in_round("bet" if kind == actions.BET_ else "raise", seat, owed + chips)
            self.to_call = self.round_put[seat]
            self.last_stake = chips
            self.raises += kind == actions.RAISE_

    def _put_in_round(self, kind: str, seat: int, chips: int) -> None:
        self.round_put = replaced(self.round_put, seat, self.round_put[seat] + chips)
        self.pay(kind, seat, chips)

    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots of this hand."""
        return pots(self.staked, self.match.in_hand(self.match.left), self.all_in)

    def contests(self) -> tuple[tuple[int, ...], ...]:
        """Seats that can win each pot; without chips there is one that everybody can win."""
        if self.match.chips:
            return tuple(can_win for _, can_win in self.pots())
        return (self.match.in_hand(self.match.left),)

    def pay_out(self, won: Sequence[tuple[int, ...]]) -> None:
        """Every pot goes to its winners, if any (004:322), the main one with what was carried."""
        carried, self.match.carried = self.match.carried, 0
        lost: list[tuple[int, Pot]] = []
        for pot, winners in zip(self.pots(), won, strict=True):
            chips, carried = sum(pot[0]) + carried, 0
            if winners:
                self._hand_out("win", shares(chips, winners))
            else:
                lost.append((chips, pot))
        if lost:
            self._nobody_wins(lost)
        self.pot = 0

    def _hand_out(self, kind: str, chips_of: dict[int, int]) -> None:
        for seat, chips in chips_of.items():
            if chips:
                self.match.gain(kind, seat, chips)

    def _nobody_wins(self, lost: Sequence[tuple[int, Pot]]) -> None:
        """B13: everybody loses; the pots wait, are split, or go back to where they came from.

        Args:
            lost: Pots for which everybody loses: their chips, and what came from this hand.
        """
        match, rule = self.match, self.match.rules.all_bomb
        if rule == "carry_over" and match.another_hand():
            match.carried = sum(chips for chips, _ in lost)
            match.history = match.history + numbered("carry", match.button, match.carried)
            return
        for chips, (puts, seats) in lost:
            back = {seat: puts[seat] if rule == "refund" else 0 for seat in seats}
            rest = shares(chips - sum(back.values()), seats)
            self._hand_out("share", {seat: back[seat] + rest[seat] for seat in seats})


def new_betting(match: Match) -> Betting:
    """An empty pot."""
    betting = Betting()
    betting.match, betting.last_stake = match, match.rules.ante
    betting.staked = betting.round_put = (0,) * match.seats
    betting.all_in = (False,) * match.seats
    betting.pot = 0
    betting.to_call = 0
    betting.raises = 0
    betting.raised = False
    betting.demanded = False
    betting.opener = 0
    return betting
