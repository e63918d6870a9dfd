"""Computes the values of a match by set score and hand cards, which a house bot has as a table."""

from __future__ import annotations

from arena_bots.pazaak.match_values import KINDS, flat
from arena_bots.pazaak.set_table import Grid, Kinds, Stakes, Values, solve

from arena.games.pazaak.engine.rulesets import HAND_SIZE, SETS_TO_WIN

ROUNDS = 4
COUNTS = range(HAND_SIZE + 1)


def derive(kinds: Kinds = KINDS) -> dict[tuple[int, int], tuple[tuple[int, ...], ...]]:
    """Computes ``VALUES`` for this side deck in both seats' hands."""
    start: dict[tuple[int, int, bool], Grid] = {}
    for score in range(SETS_TO_WIN):
        for starts in (True, False):
            start[SETS_TO_WIN, score, starts] = flat(1.0)
            start[score, SETS_TO_WIN, starts] = flat(-1.0)
    values: dict[tuple[int, int], Grid] = {}
    for both in range(2 * SETS_TO_WIN - 2, -1, -1):
        for sets in range(SETS_TO_WIN - 1, (both - 1) // 2, -1):
            rivals = both - sets
            if rivals < 0:
                continue
            won, lost = start[sets + 1, rivals, True], start[sets, rivals + 1, False]
            tied = mean(won, lost)
            for _ in range(ROUNDS):  # a tie leads back to the same score
                first, second = solve(kinds, Stakes(won, tied, lost))
                starting, waiting = opening(first.drawn), opening(second.drawn)
                reply = Stakes(waiting, waiting, waiting).rivals().tied
                tied = mean(starting, reply)
            values[sets, rivals] = tied
            start[sets, rivals, True], start[sets, rivals, False] = starting, reply
            turned = Stakes(reply, tied, starting).rivals()
            start[rivals, sets, True], start[rivals, sets, False] = turned.lost, turned.won
    return {
        score: tuple(tuple(round(1000 * cell) for cell in row) for row in grid)
        for score, grid in values.items()
    }


def opening(drawn: Values) -> Grid:
    """The value of drawing the set's first card, by cards left."""
    return tuple(tuple(sum(drawn[mine][its][0][1:11]) / 10 for its in COUNTS) for mine in COUNTS)


def mean(one: Grid, other: Grid) -> Grid:
    return tuple(
        tuple((a + b) / 2 for a, b in zip(*rows, strict=True))
        for rows in zip(one, other, strict=True)
    )
