"""Estimates the chance to finish a match for chips ahead, from all chips and the hands left.

A match is won by who has most chips at its end, whatever the margin. With more than half of all
chips left after the entries of every hand to come, folding wins it: the lead is *safe*
(``lead_is_safe``). Before that the lead over a rival is taken for a Brownian motion whose standard
deviation a hand follows from the ruleset (``deviation``).

Of two players the one who folds as soon as the lead is safe wins as soon as the lead L, at first
d, crosses the falling line of the cost of folding n hands: 2a a hand, the own entry a and the
rival's gain of it. With S for the standard deviation of n hands,

    P = Phi(d / S) + exp(4a (2an - d) n / S^2) Phi((d - 4an) / S)

(the line ends at one chip, for a lead of none is none: d is the lead less that chip), which is
Phi(d / S), the chance to be ahead at the end, plus the gain of being able to stop. At larger
tables no lead over one rival is safe while a third can lose to him: there it is Phi(d / S) alone.

Source: first passage of a straight line (Bachelier 1900, Levy; Siegmund, "Sequential Analysis",
Springer, 1985, eq. 3.14); that a safe lead ends the play and a lost one asks for risks is bold play
(Dubins and Savage, "How to Gamble If You Must", McGraw-Hill, 1965).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.engine.observation import SabaccObservation

DEVIATION = 20
"""Entries that a seat wins or loses in a hand (root of the mean square): 17 to 22 between bettors
by equity at 2, 4 and 6 seats, with stacks of 100 and 1000 entries, in staged and poker betting."""
STAKES = 5
"""Stakes of the cap that are as much as a hand between such bettors costs."""
_FAR = 30.0


def lead_is_safe(observation: SabaccObservation) -> bool:
    """Returns whether folding this hand and all others wins a match for chips.

    It does when the seat has, after the entries of all hands left, more than half of the chips that
    can still change hands: then no rival can have as many.
    """
    if observation.rules.mode != "chips":
        return False
    amounts, gone = observation.amounts, {*observation.expelled}
    seats = [s for s in range(len(amounts)) if s not in gone and not observation.out_since[s]]
    chips = sum(amounts[seat] for seat in seats) + observation.pot + observation.carried
    return _safe(observation, amounts[observation.seat], chips)


def chances(observation: SabaccObservation, amounts: Sequence[int]) -> float:
    """Returns the expected share of rivals that the seat leaves behind, a tie half, 0..1.

    Args:
        observation: Gives the ruleset, the hands left and who is in the match.
        amounts: Chips by seat when this hand is over.
    """
    seat, rules = observation.seat, observation.rules
    gone, out = {*observation.expelled}, observation.out_since
    least = 1 if rules.short_stack == "all_in" else rules.ante
    mine = amounts[seat]
    in_match = [s for s in range(len(amounts)) if s not in gone and not out[s]]
    if _safe(observation, mine, sum(amounts[s] for s in in_match)):
        return 1.0
    entering = [s for s in in_match if amounts[s] >= least]
    hands = observation.hands_left if len(entering) > 1 else 0
    total = 0.0
    for rival, theirs in enumerate(amounts):
        if rival == seat:
            continue
        if rival in gone:
            total += 1
        elif out[rival]:
            total += mine >= theirs  # who went broke later ranks higher
        elif hands and mine >= least and theirs >= least:
            total += ahead(rules, mine - theirs, hands, len(entering))
        else:
            total += _decided(mine - theirs)
    return total / (len(amounts) - 1)


def ahead(rules: SabaccRules, lead: int, hands: int, seats: int) -> float:
    """Returns the chance to end ahead of a rival (see the module).

    Args:
        lead: Own chips less the rival's, between two hands.
        hands: Hands left, 1 and up.
    """
    # One seat's gain is the others' loss, so that two seats' gains are negatively correlated.
    spread = deviation(rules) * sqrt(2 * seats / (seats - 1) * hands)
    if seats > 2:
        return _below(lead / spread)
    safe = 2 * rules.ante * hands
    above = lead - 1
    if above >= safe:
        return 1.0
    # exp(...) Phi(-far), written so that neither factor leaves the range of floats.
    now, far = above / spread, (2 * safe - above) / spread
    return _below(now) + exp(-now * now / 2) * _tail(far)


def deviation(rules: SabaccRules) -> float:
    """Returns the standard deviation of a seat's gain in a hand, in chips."""
    most = STAKES * rules.cap if rules.cap else rules.stack
    return float(min(DEVIATION * rules.ante, most, rules.stack))


def _safe(observation: SabaccObservation, mine: int, chips: int) -> bool:
    return 2 * (mine - observation.hands_left * observation.ante) > chips


def _decided(lead: int) -> float:
    """Returns the value of a lead when no hand is left."""
    return 1.0 if lead > 0 else 0.0 if lead else 0.5


def _below(z: float) -> float:
    return erfc(-z / sqrt(2)) / 2


def _tail(z: float) -> float:
    """Returns ``exp(z**2 / 2)`` times the chance of a normal variable above z, for z >= 0."""
    if z < _FAR:
        return exp(z * z / 2) * erfc(z / sqrt(2)) / 2
    return 1 / (z * sqrt(2 * pi))
