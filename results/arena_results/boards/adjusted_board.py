"""Rates the players of a board by luck-adjusted results, from sums that are stored by pairing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.errors import BadInput
from arena_results.boards.board_rows import Board
from arena_results.schema.rows import MemberLuck, StoredTournament
from arena_results.store.luck_sums import kept_luck


def with_adjusted(board: Board, played: Sequence[StoredTournament]) -> Board:
    """Returns a board with luck-adjusted ratings besides its own, where they are available.

    They can on boards of two seats, if all tournaments fixed the same value function before play,
    mirrored their deals, and the luck of all their matches is stored; not where amounts count, nor
    of bots whose luck-adjusted scores lie so far beyond 0..1 that the prior alone holds them. They
    are a joint fit of the same kind, of scores less luck, with errors by deal; mirrored pairs need
    no seat effect.
    """
    hashes = {stored.summary.value_hash for stored in played}
    if None in hashes or len(hashes) != 1 or any(row.unit for row in board.rows):
        return board
    places = {row.participant: place for place, row in enumerate(board.rows)}
    found: dict[tuple[int, int], list[float]] = {}
    for stored in played:
        kept = kept_luck(stored)
        if not stored.summary.mirrored or len(kept) != len(stored.sums):
            return board
        for sums in kept.values():
            if len(sums.members) != 2:
                return board
            mine, its = sums.members
            place, rival = (places[stored.field[each.index].participant] for each in (mine, its))
            lower, own = (place, mine) if place < rival else (rival, its)
            terms = _terms(own, sums.matches, sums.legs_legs, sums.deals)
            before = found.setdefault((lower, max(place, rival)), [0.0] * len(terms))
            before[:] = [one + more for one, more in zip(before, terms, strict=True)]
    return _rated(board, found)


def _terms(own: MemberLuck, matches: int, squares: int, deals: int) -> tuple[float, ...]:
    return (
        own.points - own.luck,
        float(matches),
        own.points_points - 2 * own.points_luck + own.luck_luck,
        own.legs_points - own.legs_luck,
        float(squares),
        float(deals),
    )


def _rated(board: Board, found: dict[tuple[int, int], list[float]]) -> Board:
    # Here: numpy takes long to load.
    import numpy as np

    from arena_results.ratings.fits import joint
    from arena_results.ratings.fits.fitting import ELO, PRIOR
    from arena_results.ratings.fits.reference import about_reference
    from arena_results.ratings.systems.elo import START

    keys = sorted(found)
    score, legs, squared, crossed, squares, deals = np.array([found[key] for key in keys]).T
    products = np.zeros((5, 5, len(keys)))
    products[joint.FIRST, joint.FIRST] = squared
    products[joint.FIRSTS, joint.FIRSTS] = squares
    products[joint.ONE, joint.ONE] = deals
    for one, other, sums in (
        (joint.FIRST, joint.FIRSTS, crossed),
        (joint.FIRST, joint.ONE, score),
        (joint.FIRSTS, joint.ONE, legs),
    ):
        products[one, other] = products[other, one] = sums
    lower, higher = np.array(keys).T
    try:
        fitted = joint.fit(joint.Sums(len(board.rows), lower, higher, products, singles=0))
    except BadInput:  # few scores may lie so far beyond 0..1 that no rating expects them
        return board
    fitted = about_reference(fitted, ())
    rows = [
        msgspec.structs.replace(row, adjusted=round(value, 2), adjusted_error=round(error, 2))
        if error <= ELO * PRIOR  # more where somebody won nearly everything
        else row
        for row, value, error in zip(
            board.rows,
            (START + ELO * fitted.ratings).tolist(),
            (ELO * fitted.errors).tolist(),
            strict=True,
        )
    ]
    return msgspec.structs.replace(board, rows=tuple(rows))
