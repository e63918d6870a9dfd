"""Limits the cost of one run: of calls, of matches in progress, and of new matches."""

from __future__ import annotations

from collections.abc import Mapping

from arena.core.record import MatchKey
from arena.plugins.endpoints.spec import Endpoint


def worst_cost(endpoint: Endpoint, body: bytes) -> float:
    """Returns the most that a call can cost, in dollars; 0 without prices.

    Every token of a prompt has at least one byte of the request's body. Where the cost is limited,
    every endpoint has ``max_tokens``.
    """
    prompt = len(body) * (endpoint.price_in or 0.0)
    return (prompt + (endpoint.max_tokens or 0) * (endpoint.price_out or 0.0)) / 1e6


CALLS_FORESEEN = 100
"""Calls of a match, as long as none has ended."""


class Purse:
    """Keeps the cost of a tournament below a limit; used in one event loop, it does no I/O.

    Each call reserves its worst price before it is sent, so that the limit is exact. A match
    begins only if it, and each match in progress, may cost as much as the dearest so far, and the
    last of their calls its worst price. So matches that begin are played to their end.

    Args:
        limit: Dollars; ``None`` for no limit.
        spent: Dollars that were spent before this run.
        dearest: Dollars of the dearest match so far, or of a match as it is estimated.
        open: Dollars that were spent on each match that is not finished.
    """

    def __init__(
        self,
        limit: float | None = None,
        spent: float = 0.0,
        dearest: float = 0.0,
        open: Mapping[MatchKey, float] | None = None,
    ) -> None:
        self.limit, self._spent, self._dearest = limit, spent, dearest
        self._held, self._open = 0.0, dict(open or {})
        self._worst = self._short = 0.0
        self._ended = int(dearest > 0)
        self._begun: set[MatchKey] = set()

    @property
    def spent(self) -> float:
        """Dollars that were spent so far, before this run and in it."""
        return self._spent

    @property
    def enough(self) -> float:
        """A limit in dollars, twice the present one or more, that the last refusal fits in."""
        limit = self.limit or 0.0
        return max(2 * limit, float(f"{1.1 * self._short:.2g}") if self._short > 2 * limit else 0.0)

    def may_begin(self, match: MatchKey) -> bool:
        """Returns whether a match may begin; then its cost is foreseen until ``end``.

        Until a match with calls has ended, one of them is foreseen as a hundred calls at their
        worst price; before the first call only one begins. While few have ended, and several are
        in progress, each may cost more than the dearest: twice as much after one, half more after
        two, and so on.
        """
        others = self._begun - {match}
        if self.limit is not None and (others or self._ended):
            dearest = self._foreseen(alone=not others)
            coming = self._spent + self._worst
            coming += sum(
                max(0.0, dearest - self._open.get(each, 0.0)) for each in (match, *others)
            )
            if coming > self.limit or not (self._ended or self._worst):
                self._short = coming
                return False
        self._begun.add(match)
        return True

    def fits(self, worst: float) -> bool:
        """Returns whether a call may be paid once those under way are; in dollars, at its worst."""
        fitting = self.limit is None or self._spent + worst <= self.limit
        if not fitting:
            self._short = self._spent + worst
        return fitting

    def reserve(self, worst: float) -> bool:
        """Reserves the worst price of a call, in dollars, until ``pay``.

        Returns:
            False if the limit could be passed: nothing is reserved. Where the call ``fits`` it may
            be reserved when others are paid.
        """
        self._worst = max(self._worst, worst)
        if self.limit is not None and self._spent + self._held + worst > self.limit:
            return False
        self._held += worst
        return True

    def pay(self, match: MatchKey, worst: float, cost: float | None) -> None:
        """Replaces the reserved price of a call by its cost.

        Args:
            worst: The price that was reserved.
            cost: 0 if nothing has reached the model; ``None`` where no tokens are counted, or no
                answer came, and the call counts at its worst price.
        """
        self._held -= worst
        paid = worst if cost is None else cost
        self._spent += paid
        self._open[match] = self._open.get(match, 0.0) + paid

    def end(self, match: MatchKey, *, finished: bool = True) -> None:
        """Ends a match, or sets it aside, to be begun again."""
        self._begun.discard(match)
        if finished and match in self._open:
            self._ended += 1
            self._dearest = max(self._dearest, self._open.pop(match))

    def _foreseen(self, *, alone: bool) -> float:
        if not self._ended:
            return CALLS_FORESEEN * self._worst
        return self._dearest if alone else self._dearest * (1 + 1 / self._ended)
