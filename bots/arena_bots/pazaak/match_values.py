"""Tabulates the value of a match by set score and hand cards left: the price of hand cards.

``VALUES`` was computed by a backward induction over set scores, in which the end of each set has
the value of the match after it (``set_table`` solves the set). It is kept as a table because that
takes two seconds, and a test computes it again (tests/bots/pazaak/deriving.py). Both seats
play the same side deck there (``KINDS``), the winner starts the next set, and the starter's small
disadvantage is averaged away; other decks and starter rules take the same prices.
"""

from __future__ import annotations

from functools import cache

from arena.games.pazaak.engine.rulesets import HAND_SIZE, SETS_TO_WIN
from arena_bots.pazaak.set_table import Grid, Kinds, Stakes

KINDS: Kinds = ((3, (1, -1, 2, -2)), (3, (1, -1)), (2, (3, -3)), (2, (4, -4)))
"""The side deck that the table was computed with, as ``set_table`` takes it."""

VALUES: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {
    (0, 0): (
        (0, -443, -739, -893, -960),
        (443, 0, -414, -707, -871),
        (739, 414, 0, -393, -681),
        (893, 707, 393, 0, -375),
        (960, 871, 681, 375, 0),
    ),
    (1, 0): (
        (393, -52, -441, -707, -859),
        (751, 432, 27, -359, -646),
        (914, 747, 449, 62, -316),
        (972, 899, 732, 444, 76),
        (991, 964, 886, 716, 437),
    ),
    (1, 1): (
        (0, -468, -756, -894, -957),
        (468, 0, -425, -708, -864),
        (756, 425, 0, -393, -674),
        (894, 708, 393, 0, -370),
        (957, 864, 674, 370, 0),
    ),
    (2, 0): (
        (773, 487, 141, -191, -460),
        (948, 827, 598, 277, -61),
        (986, 942, 828, 613, 314),
        (996, 982, 935, 821, 616),
        (999, 995, 977, 927, 814),
    ),
    (2, 1): (
        (524, 94, -287, -554, -740),
        (841, 575, 204, -155, -450),
        (943, 814, 569, 240, -96),
        (979, 922, 790, 561, 261),
        (993, 969, 905, 771, 555),
    ),
    (2, 2): (
        (0, -485, -712, -847, -924),
        (485, 0, -358, -612, -784),
        (712, 358, 0, -315, -560),
        (847, 612, 315, 0, -285),
        (924, 784, 560, 285, 0),
    ),
}
"""By sets won (own >= rival's): rows by own cards left, columns by the rival's; thousandths."""

_COUNTS = range(HAND_SIZE + 1)


def flat(value: float) -> Grid:
    """Returns a grid with the same value for all numbers of cards left."""
    return ((value,) * len(_COUNTS),) * len(_COUNTS)


@cache
def match_value(sets: int, rival_sets: int) -> Grid:
    """The match's value to a seat, -1..1, with that many sets won, by cards left."""
    if SETS_TO_WIN in (sets, rival_sets):
        return flat(1.0 if sets > rival_sets else -1.0)
    if sets < rival_sets:
        return Stakes(*(match_value(rival_sets, sets),) * 3).rivals().tied
    return tuple(tuple(cell / 1000 for cell in row) for row in VALUES[sets, rival_sets])


@cache
def stakes(sets: int, rival_sets: int, last: bool, refilled: bool) -> Stakes:
    """Returns the values to a seat of winning, tying and losing the set played at this score.

    Args:
        last: Whether the match ends with this set whoever wins it (A18).
        refilled: Whether both get new hands after it, so that a saved card has no value (C1).
    """
    if last:
        lead = sets - rival_sets
        won, tied, lost = (flat(float((x > 0) - (x < 0))) for x in (lead + 1, lead, lead - 1))
        return Stakes(won, tied, lost)
    after = (
        match_value(sets + 1, rival_sets),
        match_value(sets, rival_sets),
        match_value(sets, rival_sets + 1),
    )
    if refilled:
        return Stakes(*(flat(grid[HAND_SIZE][HAND_SIZE]) for grid in after))
    return Stakes(*after)
