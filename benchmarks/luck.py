"""Luck taken out of Pazaak's results: how much less they vary, that it has mean zero, its time.

    python -m benchmarks.luck [PAIRS [BOTS]]

It plays 2,000 mirrored pairs, or PAIRS, of each two bots whose names have BOTS in them. Run by
``make bench-stats``. Factors are variances a match: of independent deals by those of mirrored
pairs, by those of mirrored pairs without luck, and without luck by coefficients that are fitted on
earlier pairs. The mean luck and the mean fitted luck are those of the first bot, in standard
errors. Times are those of the process.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import fmean, stdev, variance
from time import process_time

from arena_results.ratings.comparing.predictable import Coefficients

from arena.core.chance.seeding import derive_seed
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.luck import luck_by_seat
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

PAIRS = (
    ("stand(at=17)", "stand(at=16)"),
    ("hand-saver(gain=0.8)", "hand-saver(gain=0.6)"),
    ("counter", "hand-saver"),
    ("optimal", "hand-saver"),
    ("random", "stand(at=17)"),
)


def played_pairs(one: str, other: str, pairs: int) -> tuple[list[float], list[float], float, float]:
    """Plays mirrored pairs.

    Returns:
        Result and luck of the first bot in each match, -1..1, and the seconds of process time that
        playing and computing the luck took.
    """
    registry, game, limits = Registry(), Pazaak(), Limits()
    ruleset = game.ruleset()
    values = game.luck.value_function(ruleset)
    makers = [load_bot(registry.resolve_bot(name)) for name in (one, other)]
    results, luck = [], []
    playing = adjusting = 0.0
    for pair in range(pairs):
        deal = derive_seed(12, "deal", pair)
        for leg in (0, 1):
            began, private = process_time(), derive_seed(12, "bots", pair, leg)
            seated = makers if leg == 0 else makers[::-1]
            record, _ = play_inline(game, ruleset, deal, private, seated, (one, other), limits)
            played = process_time()
            luck.append(luck_by_seat(game, record, values)[leg])
            results.append(record.outcome.returns[leg])
            playing += played - began
            adjusting += process_time() - played
    return results, luck, playing, adjusting


def measure(one: str, other: str, pairs: int) -> None:
    results, luck, playing, adjusting = played_pairs(one, other, pairs)
    means, lucky = (
        [fmean(of_pair) for of_pair in zip(each[::2], each[1::2], strict=True)]
        for each in (results, luck)
    )
    single = variance(results)
    fit = Coefficients()
    fitted = [fit.corrected(mean, (own,)) for mean, own in zip(means, lucky, strict=True)]
    taken = [mean - rest for mean, rest in zip(means, fitted, strict=True)]
    without = [mean - own for mean, own in zip(means, lucky, strict=True)]
    print(
        f"{one + ' v ' + other:42} {pairs:7} {fmean(results) / 2 + 0.5:7.4f}"
        f" {fmean(without) / 2 + 0.5:7.4f} {single / 2 / variance(means):9.2f}"
        f" {single / 2 / variance(without):8.1f} {single / 2 / variance(fitted):7.1f}"
        f" {_errors(lucky):+8.2f} {_errors(taken):+9.2f}"
        f" {playing / pairs / 2 * 1e6:8.0f} {adjusting / pairs / 2 * 1e6:8.0f}",
        flush=True,
    )


def _errors(values: Sequence[float]) -> float:
    """Returns the mean in standard errors."""
    return fmean(values) / stdev(values) * len(values) ** 0.5


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    named = sys.argv[2] if len(sys.argv) > 2 else ""
    head = ("pairs", "score", "without", "mirrored", "adjusted", "fitted", "luck/SE", "fitted/SE")
    head += ("play, µs", "luck, µs")
    widths = (7, 7, 7, 9, 8, 7, 8, 9, 8, 8)
    print(f"{'bots':42}", *(f"{each:>{width}}" for each, width in zip(head, widths, strict=True)))
    for one, other in PAIRS:
        if named in one + other:
            measure(one, other, pairs)


if __name__ == "__main__":
    main()
