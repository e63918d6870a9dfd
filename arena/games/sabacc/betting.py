"""Chips on the table: entry, stakes, orbits of betting, and the pot's way to its winners."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.sabacc import rules as legality
from arena.games.sabacc.actions import (
    ALL_IN_,
    BET_,
    CALL_,
    CHECK_,
    DEMAND_,
    PUT_,
    RAISE_,
    SabaccAction,
)
from arena.games.sabacc.history import numbered, plain
from arena.games.sabacc.pots import Pot, pots, shares
from arena.games.sabacc.stages import BETTING, OPEN_BETTING, RAISING
from arena.games.sabacc.table import Table, replaced


class Betting(Table):
    """Section 7 and I11: the betting of a hand, in three ways."""

    def pay(self, kind: str, seat: int, chips: int) -> None:
        """Chips go from a seat's stack into the pot, and everybody sees it."""
        self.amounts = replaced(self.amounts, seat, self.amounts[seat] - chips)
        self.staked = replaced(self.staked, seat, self.staked[seat] + chips)
        self.pot += chips
        self.history += numbered(kind, seat, chips)
        if not self.amounts[seat] and self.rules.short_stack == "all_in":
            self.all_in = replaced(self.all_in, seat, True)

    def able(self, first: int) -> tuple[int, ...]:
        """The seats in the hand that can still put chips, in order from that one."""
        return tuple(seat for seat in self.in_hand(first) if not self.all_in[seat])

    def begin_betting(self) -> tuple[int, ...]:
        """A stage of betting begins; who decides in it."""
        self.raises, self.raised, self.to_call = 0, False, 0
        self.round_put = (0,) * self.seats
        if self.rules.betting == "poker":
            self.last_stake = self.rules.ante
        self.opener = self.left
        return self.begin_orbit()

    def begin_orbit(self) -> tuple[int, ...]:
        """One decision by everybody who can put chips; none when there is no rival to put any."""
        self.raised, self.round_put = False, (0,) * self.seats
        able = self.able(self.opener)
        return able if self._may_bet(able) else ()

    def _may_bet(self, able: Sequence[int]) -> bool:
        """Section 14: whether there are two who have chips, and one of them could put the stake.

        Who cannot leaves (B14); but when nobody can, there is nobody to leave the pot to.
        """
        if len(able) < 2:
            return False
        rules = self.rules
        if rules.betting == "poker" or rules.short_stack == "all_in":
            return True
        could = any(self.amounts[seat] >= self.last_stake for seat in able)
        return could or not self.engine.idle_without_stakes

    def end_idle_orbit(self) -> None:
        """A seat has left: nobody goes on to bet when there is no stake to meet, nor one to come.

        A stake that was put in this orbit has to be met all the same.
        """
        orbit = self.stage in BETTING and self.rules.betting != "poker"
        if orbit and self.engine.idle_without_stakes and not self._may_bet(self.able(0)):
            met = any(self.round_put[seat] for seat in self.in_hand(self.left))
            self.waiting = self.waiting if met else ()

    def next_orbit(self) -> tuple[int, ...]:
        """Section 11: orbits repeat until one passes without a raise (stage 6: at most three)."""
        if not self.raised or self.stage not in (RAISING, OPEN_BETTING):
            return ()
        if self.stage == RAISING:
            self.raises += 1
            if self.raises >= self.rules.max_raises:
                return ()
        return self.begin_orbit()

    def stakes_of(self, seat: int) -> tuple[SabaccAction, ...]:
        """What a seat may do when it is to bet."""
        rules, stack = self.rules, self.amounts[seat]
        if rules.betting != "poker":
            may_demand = self.stage == OPEN_BETTING and not self.demanded
            return legality.puts(rules, self.last_stake, stack, may_demand)
        owed = self.to_call - self.round_put[seat]
        may_raise = self.raises < rules.max_raises and len(self.able(seat)) > 1
        return legality.bets(rules, self.last_stake, stack, owed, may_raise)

    def stake(self, seat: int, action: SabaccAction) -> None:
        """A seat puts chips, or checks; it has been taken off those who wait."""
        kind, chips = action.kind, action.value
        if kind in (PUT_, DEMAND_):
            self.raised |= chips > self.last_stake
            self.last_stake = chips
            self._put_in_round("put" if kind == PUT_ else "demand", seat, chips)
            if kind == DEMAND_:
                self.demanded, self.opener = True, (seat + 1) % self.seats
        elif kind == CHECK_:
            self.history += plain("check", seat)
        elif kind == ALL_IN_:
            self._put_in_round("all in", seat, self.amounts[seat])
        elif kind == CALL_:
            self._put_in_round("call", seat, self.to_call - self.round_put[seat])
        elif kind in (BET_, RAISE_):
            owed = self.to_call - self.round_put[seat]
            self._put_in_round("bet" if kind == BET_ else "raise", seat, owed + chips)
            self.to_call = self.round_put[seat]
            self.last_stake = chips
            self.raises += kind == RAISE_
            self.waiting = tuple(other for other in self.able(seat) if other != seat)

    def _put_in_round(self, kind: str, seat: int, chips: int) -> None:
        self.round_put = replaced(self.round_put, seat, self.round_put[seat] + chips)
        self.pay(kind, seat, chips)

    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots of this hand."""
        return pots(self.staked, self.in_hand(self.left), self.all_in)

    def contests(self) -> tuple[tuple[int, ...], ...]:
        """Who can win each pot; where no chips are played for, one that everybody can win."""
        if self.chips:
            return tuple(can_win for _, can_win in self.pots())
        return (self.in_hand(self.left),)

    def pay_out(self) -> None:
        """Every pot goes to its winners (004:322), to the main one what was carried over."""
        carried, self.carried = self.carried, 0
        lost: list[tuple[int, Pot]] = []
        for pot, winners in zip(self.pots(), self.won, strict=True):
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
                self.amounts = replaced(self.amounts, seat, self.amounts[seat] + chips)
                self.history += numbered(kind, seat, chips)

    def _nobody_wins(self, lost: Sequence[tuple[int, Pot]]) -> None:
        """B13: everybody loses; the pots wait, are split, or go back to where they came from.

        Args:
            lost: Pots for which everybody loses: their chips, and what came from this hand.
        """
        rule = self.rules.all_bomb
        if rule == "carry_over" and self.another_hand():
            self.carried = sum(chips for chips, _ in lost)
            self.history += numbered("carry", self.button, self.carried)
            return
        for chips, (puts, seats) in lost:
            back = {seat: puts[seat] if rule == "refund" else 0 for seat in seats}
            rest = shares(chips - sum(back.values()), seats)
            self._hand_out("share", {seat: back[seat] + rest[seat] for seat in seats})

    def can_enter(self, seat: int) -> bool:
        """Whether a seat can pay the entry to another hand."""
        if seat in self.expelled or self.out_since[seat]:
            return False
        least = 1 if self.rules.short_stack == "all_in" else self.rules.ante
        return not self.chips or self.amounts[seat] >= least

    def another_hand(self) -> bool:
        """Whether there will be another hand, for two seats or more."""
        more = self.hand_number < self.rules.hands
        return more and sum(map(self.can_enter, range(self.seats))) > 1
