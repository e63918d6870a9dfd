"""Statistics of results from anywhere: strength and sequential tests from counts alone."""

from __future__ import annotations

from collections.abc import Sequence

from arena_results.ratings.sequential import Model, Sprt, evidence
from arena_results.ratings.statistics import estimate

from arena.core.errors import UnknownName
from arena.service.counts import elo_document, read_counts, sprt_document
from arena.service.rows import Document


def elo(*, wdl: Sequence[int] | None = None, pentanomial: Sequence[int] | None = None) -> Document:
    """Estimates how much stronger one side is, from counts of results alone.

    Args:
        wdl: Matches won, drawn and lost; either these or pairs.
        pentanomial: Mirrored pairs with 0, 1/2, 1, 3/2 and 2 points.

    Returns:
        ``elo``, ``nelo`` (normalized), each with its ``_error``, half the 95 % interval; ``los``,
        the chance that it is the stronger side; ``score``. ``None`` where the counts give none.

    Raises:
        BadInput: There are no counts, or both, or they are none.
    """
    return elo_document(estimate(read_counts(wdl, pentanomial)))


def sprt(
    *,
    wdl: Sequence[int] | None = None,
    pentanomial: Sequence[int] | None = None,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "normalized",
) -> Document:
    """Tests a change sequentially (SPRT) from counts of results alone.

    Args:
        wdl: As for ``elo``.
        pentanomial: As for ``elo``.
        elo0: Elo difference of hypothesis H0.
        elo1: Elo difference of hypothesis H1, above ``elo0``.
        alpha: Chance of H1 where H0 is true.
        beta: Chance of H0 where H1 is true.
        model: The scale of both Elos: ``"normalized"``, ``"logistic"`` or ``"bayesian"``, which
            takes ``wdl`` only.

    Returns:
        ``llr``, the log likelihood ratio of H1 to H0, its bounds ``lower`` and ``upper``, and the
        ``decision``: ``"H0"``, ``"H1"`` or ``"continue"``.

    Raises:
        BadInput: Counts or hypotheses are none.
    """
    if model not in list(Model):
        raise UnknownName("model", str(model), list(Model))
    test = Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, model=Model(model))
    return sprt_document(evidence(test, read_counts(wdl, pentanomial)))
