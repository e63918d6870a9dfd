"""Rules of how many matches per pairing plays: a fixed number, a race, or until it is decided.

A rule is asked again after every wave of a pairing's matches, and goes by their results only. So
what is played is a function of the stored matches: no number of workers, order of finishing or
stop in between can change it. Every wave consists of whole mirrored sets, and all of it counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, exp, log, log1p
from typing import Protocol

import msgspec

from arena.core.errors import BadInput

MAX_UNTIL_DECIDED = 1_000
"""Matches after which a pairing is left undecided, when nobody says how many."""
EXTRA_GROUPS = 16
"""Mirrored sets added to a drawn pairing that needs a winner. Of two near equals every second
group, about, is drawn; so one such pairing in 65,000 is left to the initial order."""
FIRST_LOOK, GROWTH = 5, 10
"""Groups before the first look of ``UntilDecided``; each wave is that, or a tenth of what was
played: it looks often while little is played, and plays at most a tenth too much."""
STAKES = tuple(2.0**-power for power in range(8))
"""Shares that ``UntilDecided`` bets: each suits a strength, from lopsided to a few Elo apart."""
RULES = ("first_to", "best_of", "until_decided", "test")
"""Keys of tournaments whose pairings play until one is ahead."""


class Volume(Protocol):
    """The number of matches of a pairing.

    Attributes:
        games: The most that a pairing plays, or all if the number is fixed.
    """

    @property
    def games(self) -> int: ...

    def more(self, points: Sequence[float], group: int, luck: Sequence[float] = ()) -> int:
        """Returns the size of the next wave; 0 when the pairing has played its matches.

        Args:
            points: Match points of the first entrant, of each match so far in order; at a table
                of two the other one has 1 less that.
            group: Matches of a mirrored set; 1 for matches with deals of their own.
            luck: The first entrant's luck in each of these matches, in match points, where the
                schedule has it computed; empty elsewhere.
        """

    def describe(self) -> str:
        """Returns the rule in words."""


class Fixed(msgspec.Struct, frozen=True):
    """The same number of matches in every pairing, in one wave."""

    games: int

    def more(self, points: Sequence[float], group: int, luck: Sequence[float] = ()) -> int:
        return max(0, self.games - len(points))

    def describe(self) -> str:
        return f"{self.games} games a pairing"


class Race(msgspec.Struct, frozen=True):
    """Matches until one has that many match points, the other fewer.

    The next wave is the least number of groups after which that can be so: the same matches are
    played as if the pairing were checked after each group.

    Attributes:
        target: Match points to reach; a drawn match is half a point for both.
        games: The most matches, whole mirrored sets: then the pairing is drawn.
        words: The rule in words.
    """

    target: float
    games: int
    words: str

    def more(self, points: Sequence[float], group: int, luck: Sequence[float] = ()) -> int:
        leader = max(sum(points), len(points) - sum(points))
        if leader >= self.target or len(points) >= self.games:
            return 0
        return min(whole_groups(ceil(self.target - leader), group), self.games - len(points))

    def describe(self) -> str:
        return f"pairings {self.words}"


class UntilDecided(msgspec.Struct, frozen=True):
    """Matches until one of the two is the better one, with a stated probability of error.

    A bet against "the first takes at most half of the points", and one against the reverse: each
    begins with 1 and stakes a share on every group's score; the share is not a choice but the mean
    of ``STAKES``. Such a capital is a nonnegative martingale where its claim is true at equality,
    so that it ever reaches 2/error with probability error/2 at most (Ville 1939; Waudby-Smith and
    Ramdas, Estimating means of bounded random variables by betting, JRSS B 2024). That holds at
    any number of looks, for scores of any distribution, and with few matches.

    Attributes:
        error: The most that the probability may be that the pairing is decided although neither
            is better, or for the worse one.
        games: The most matches; then the pairing stays undecided, and counts as it stands.
    """

    error: float
    games: int

    def more(self, points: Sequence[float], group: int, luck: Sequence[float] = ()) -> int:
        left = self.games - len(points)
        if left <= 0 or self.decided(points, group):
            return 0
        groups = len(points) // group
        return min(left, group * max(FIRST_LOOK, groups // GROWTH))

    def decided(self, points: Sequence[float], group: int) -> bool:
        """True once one of the two capitals has reached its bound."""
        scores = Counter(
            sum(points[start : start + group]) / group - 0.5
            for start in range(0, len(points) - group + 1, group)
        )
        bound = log(2 / self.error)
        return any(_log_capital(scores, side) >= bound for side in (1, -1))

    def describe(self) -> str:
        return f"pairings until decided (error {self.error:g}, at most {self.games} games)"


def _log_capital(scores: Counter[float], side: int) -> float:
    """Returns the logarithm of the capital, a mean over shares."""
    grown = [
        sum(count * log1p(share * side * score) for score, count in sorted(scores.items()))
        for share in STAKES
    ]
    highest = max(grown)
    return highest + log(sum(exp(each - highest) for each in grown) / len(grown))


class WithWinner(msgspec.Struct, frozen=True):
    """A rule that continues after a draw, group by group, until one is ahead.

    After ``EXTRA_GROUPS`` that were drawn as well, it is left to the format: in the formats here
    the one who is higher in the initial order continues.
    """

    rule: Volume

    @property
    def games(self) -> int:
        return self.rule.games

    def more(self, points: Sequence[float], group: int, luck: Sequence[float] = ()) -> int:
        if wave := self.rule.more(points, group, luck):
            return wave
        drawn = 2 * sum(points) == len(points)
        if not drawn or len(points) >= self.games + EXTRA_GROUPS * group:
            return 0
        return group - len(points) % group

    def describe(self) -> str:
        text = self.rule.describe()
        return text if isinstance(self.rule, Race) else f"{text}, more if drawn"


def volume(
    games: int | None,
    first_to: int | None,
    best_of: int | None,
    until_decided: float | None,
    *,
    group: int,
) -> Fixed | Race | UntilDecided:
    """Returns the rule for these keys of a tournament.

    Args:
        games: Matches of a pairing, or the most until it is decided; ``None`` for races.
        group: Matches of a mirrored set; 1 for matches with deals of their own.

    Raises:
        BadInput: Keys that exclude each other.
    """
    keys: dict[str, object] = {"games": games, "first_to": first_to, "best_of": best_of}
    keys["until_decided"] = until_decided
    given = [name for name, value in keys.items() if value is not None]
    if len(given) > 1 and given != ["games", "until_decided"]:
        raise BadInput(f"give one of {', '.join(given)}: each says how long a pairing is")
    if first_to is not None:
        return Race(first_to, whole_groups(2 * first_to - 1, group), f"first to {first_to}")
    if best_of is not None:
        return Race((best_of + 1) / 2, whole_groups(best_of, group), f"best of {best_of}")
    assert games is not None
    if until_decided is None:
        return Fixed(games)
    return UntilDecided(until_decided, whole_groups(games, group))


def whole_groups(games: int, group: int) -> int:
    """Returns a number of matches, rounded up to whole mirrored sets."""
    return -(-games // group) * group
