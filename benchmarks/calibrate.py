"""Coverage of 95 % intervals: populations of known strength are played, and estimated as ever.

    python -m benchmarks.calibrate [SHARE [FOLDER]]      1 by default; 0.05 is a quick look

Run by ``make calibrate``, which writes the report as values (``calibration.json``) and as a picture
(``calibration.svg``) into FOLDER. Bots have ratings with a standard deviation of 200 Elo; the legs
of a mirrored pair share their luck in four of five deals. A population is played and estimated many
times; the share of its intervals that hold the truth should be 94-96 %.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path

import msgspec
import numpy as np
from arena_results.ratings.fits.fitting import ELO, Fit
from arena_results.ratings.fits.joint import fit
from arena_results.ratings.fits.orders import fit_orders
from arena_results.ratings.fits.rounds import strengths
from arena_results.ratings.intervals.amounts import estimate_amount
from arena_results.ratings.intervals.statistics import elo_interval, elo_sequence
from arena_tournaments.formats.adaptive import Adaptive
from numpy.typing import NDArray

from arena.cli.texts.chart import PIPED, chart_text
from arena.core.chance.seeding import derive_seed
from arena.core.tournaments.format import Entrant, PairingResult, RoundResult
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.luck import luck_by_seat
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from arena.service.charts.charts import Interval, Intervals, Mark, chart_document
from benchmarks.summing import sum_results

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Random = np.random.Generator

SHARED = 0.8
"""Share of deals whose luck falls to the same seat in both legs."""
BOTS, SPREAD = 8, 200 / ELO
GAMES = 8
"""Matches of a pairing of an adaptive tournament."""


class Row(msgspec.Struct, frozen=True):
    """The intervals of one population that hold the truth, of all of them."""

    name: str
    held: int
    intervals: int

    @property
    def share(self) -> float:
        return self.held / self.intervals

    @property
    def error(self) -> float:
        """Half the 95 % interval of the share itself, by chance of the simulation."""
        return 1.96 * sqrt(max(self.share * (1 - self.share), 1e-9) / self.intervals)


def population(rng: Random, bots: int = BOTS) -> Floats:
    truth = rng.normal(0, SPREAD, bots)
    return truth - truth.mean()


def mirrored(rng: Random, truth: Floats, one: Whole, other: Whole) -> tuple[Floats, Floats]:
    """Plays a mirrored pair of each two; the points of ``one`` in both legs."""
    chance = 1 / (1 + np.exp(truth[other] - truth[one]))
    luck = rng.random(len(one))
    again = np.where(rng.random(len(one)) < SHARED, 1 - luck, rng.random(len(one)))
    return (luck < chance) * 1.0, (again < chance) * 1.0


class League:
    """Mirrored pairs that were played among bots, whose ratings are fitted jointly."""

    def __init__(self) -> None:
        self._first: list[Whole] = []
        self._second: list[Whole] = []
        self._scores: list[Floats] = []

    def play(self, rng: Random, truth: Floats, one: Whole, other: Whole) -> Floats:
        """Plays a pair of each two; returns the points of ``one`` in it."""
        legs = mirrored(rng, truth, one, other)
        self._first.append(np.stack([one, other], 1).ravel())
        self._second.append(np.stack([other, one], 1).ravel())
        self._scores.append(np.stack([legs[0], 1 - legs[1]], 1).ravel())
        return legs[0] + legs[1]

    def fit(self, bots: int) -> Fit:
        first, second, scores = map(np.concatenate, (self._first, self._second, self._scores))
        return fit(sum_results(bots, first, second, scores, np.arange(len(first)) // 2))


def everybody(bots: int, pairs: int) -> tuple[Whole, Whole]:
    """Every two bots, so many times."""
    one, other = np.triu_indices(bots, 1)
    return np.tile(one, pairs), np.tile(other, pairs)


def held(found: Fit, truth: Floats) -> tuple[int, int]:
    """Counts the ratings whose intervals hold the truth."""
    return int((np.abs(found.ratings - truth) <= 1.96 * found.errors).sum()), len(truth)


def round_robin(pairs: int) -> Callable[[Random], tuple[int, int]]:
    def play(rng: Random) -> tuple[int, int]:
        truth, league = population(rng), League()
        league.play(rng, truth, *everybody(BOTS, pairs))
        return held(league.fit(BOTS), truth)

    return play


def adaptive(rng: Random) -> tuple[int, int]:
    """Plays an adaptive tournament, which has those meet of whom most is learned."""
    truth, league = population(rng), League()
    format = Adaptive(matches=720, games=GAMES, estimate=strengths)
    field, played = [Entrant(str(bot)) for bot in range(BOTS)], list[RoundResult]()
    rounds = format.rounds(BOTS, None)
    while made := format.next_round(field, played, rounds):
        seats = np.array([pairing.seats for pairing in made.pairings])
        one, other = np.repeat(seats, GAMES // 2, axis=0).T
        points = league.play(rng, truth, one, other).reshape(len(seats), -1).sum(axis=1)
        results = zip(made.pairings, points.tolist(), strict=True)
        won = tuple(PairingResult(pairing, (each, GAMES - each)) for pairing, each in results)
        played.append(RoundResult(made, won))
    return held(league.fit(BOTS), truth)


def growing(rng: Random) -> tuple[int, int]:
    """Plays a league that a new bot joins after each season, to meet four who are there."""
    bots = 16
    truth, league = population(rng, bots), League()
    league.play(rng, truth, *everybody(6, 10))
    for new in range(6, bots):
        met = np.repeat(rng.choice(new, 4, replace=False), 15)
        league.play(rng, truth, np.full(len(met), new), met)
    return held(league.fit(bots), truth)


def tables(seats: int, deals: int, shared: float) -> Callable[[Random], tuple[int, int]]:
    """Tables at which everybody plays every seat of a deal, whose luck stays with the seats.

    The luck of seats makes results say less about strength. So the truth is not what bots were
    given, but what a fit of fifty times the tables finds.
    """
    truth = population(np.random.default_rng(5))

    def fitted(rng: Random, deals: int) -> Fit:
        orders = []
        for _ in range(deals):
            sat = rng.choice(BOTS, seats, replace=False)
            luck = rng.gumbel(0, shared, seats) if shared else np.zeros(seats)
            for turn in range(seats):
                who = np.roll(sat, turn)
                came = truth[who] + luck + rng.gumbel(0, 1, seats)
                orders.append((tuple(who.tolist()), tuple((-came).argsort().argsort().tolist())))
        return fit_orders(BOTS, orders, [match // seats for match in range(len(orders))])

    limit = fitted(np.random.default_rng(6), 50 * deals).ratings if shared else truth

    return lambda rng: held(fitted(rng, deals), limit)


def two_bots(elo: float, pairs: int) -> Callable[[Random], tuple[int, int]]:
    """A match of two bots, with the interval of its one sentence."""

    def play(rng: Random) -> tuple[int, int]:
        low, high = elo_interval(next(counts(rng, elo, pairs, pairs)))
        return int(low <= elo <= high), 1

    return play


def peeking(elo: float, pairs: int) -> Callable[[Random], tuple[int, int]]:
    """Two bots, whose interval is looked at after every 20 pairs: it has to hold each time."""

    def play(rng: Random) -> tuple[int, int]:
        looks = (elo_sequence(each) for each in counts(rng, elo, pairs, 20))
        return int(all(low <= elo <= high for low, high in looks)), 1

    return play


def counts(rng: Random, elo: float, pairs: int, step: int) -> Iterator[tuple[int, ...]]:
    """Plays pairs of two bots; yields the counts of pairs by their points after every step."""
    truth = np.array([elo / ELO, 0.0])
    legs = mirrored(rng, truth, np.zeros(pairs, np.int64), np.ones(pairs, np.int64))
    points = (2 * (legs[0] + legs[1])).astype(int)
    for end in range(step, pairs + 1, step):
        yield tuple(np.bincount(points[:end], minlength=5).tolist())


def adjusted(share: float) -> Callable[[Random], tuple[int, int]]:
    """Scores without luck of real mirrored pairs, drawn from many whose mean is the truth."""
    scores = _without_luck("hand-saver(gain=0.8)", "counter", max(200, round(8_000 * share)))
    truth = scores.mean()

    def play(rng: Random) -> tuple[int, int]:
        found = estimate_amount([(each, 2) for each in rng.choice(scores, 50).tolist()])
        assert found.error is not None
        return int(abs(found.mean - truth / 2) <= found.error), 1

    return play


def _without_luck(one: str, other: str, pairs: int) -> Floats:
    """Plays mirrored pairs of Pazaak; the points of ``one`` in each, less its luck."""
    registry, game, limits = Registry(), Pazaak(), Limits()
    ruleset = game.ruleset()
    values = game.luck.value_function(ruleset)
    bots = [load_bot(registry.resolve_bot(name)) for name in (one, other)]
    scores = np.zeros(pairs)
    for pair in range(pairs):
        deal = derive_seed(21, "deal", pair)
        for leg in (0, 1):
            seated = bots if leg == 0 else bots[::-1]
            own = derive_seed(21, "bots", pair, leg)
            record, _ = play_inline(game, ruleset, deal, own, seated, (one, other), limits)
            result = record.outcome.returns[leg] - luck_by_seat(game, record, values)[leg]
            scores[pair] += (1 + result) / 2
    return scores


def report(share: float) -> Iterator[Row]:
    """Plays and estimates every population; yields a row for each."""
    populations: list[tuple[str, int, Callable[[Random], tuple[int, int]]]] = [
        ("round robin, 20 pairs a pairing", 800, round_robin(20)),
        ("round robin, 4 pairs a pairing", 800, round_robin(4)),
        ("adaptive, 720 matches", 400, adaptive),
        ("a league that grows, 16 bots", 400, growing),
        ("tables of 3, 60 deals", 1200, tables(3, 60, 0)),
        ("tables of 3, seats' luck shared", 1200, tables(3, 60, 1.0)),
        ("tables of 6, 40 deals", 800, tables(6, 40, 0)),
        ("tables of 6, 10 deals", 800, tables(6, 10, 0)),
        ("two bots, 10 pairs, 100 Elo apart", 4000, two_bots(100, 10)),
        ("two bots, 200 pairs, 11 Elo apart", 4000, two_bots(11, 200)),
        ("looked at 100 times, 11 Elo apart", 4000, peeking(11, 2000)),
        ("without luck, 50 real pairs", 6000, adjusted(share)),
    ]
    for number, (name, times, play) in enumerate(populations):
        rng = np.random.default_rng([2026, number])
        found = [play(rng) for _ in range(max(5, round(times * share)))]
        yield Row(name, sum(each for each, _ in found), sum(each for _, each in found))


def chart(rows: list[Row]) -> Intervals:
    return Intervals(
        title="Coverage of 95 % intervals",
        axis="share of intervals that hold the truth, with the chance of the simulation",
        rows=tuple(
            Interval(
                label=row.name,
                value=row.share * 100,
                low=(row.share - row.error) * 100,
                high=min(1.0, row.share + row.error) * 100,
            )
            for row in rows
        ),
        marks=(Mark("from", 94.0), Mark("to", 96.0)),
        digits=1,
    )


def main() -> None:
    from arena.service.charts.figures import write_figure

    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    rows = []
    print(f"{'population':36} {'intervals':>9} {'hold':>7} {'+-':>6}")
    for row in report(share):
        rows.append(row)
        print(f"{row.name:36} {row.intervals:9} {row.share:7.1%} {row.error:6.1%}", flush=True)
    drawn = chart(rows)
    print(f"\n{chart_text(drawn, PIPED)}")
    document = msgspec.json.format(msgspec.json.encode(chart_document(drawn)), indent=2)
    (folder / "calibration.json").write_bytes(document + b"\n")
    write_figure(drawn, folder / "calibration.svg")
    print(f"\nwritten: {folder / 'calibration.json'}, {folder / 'calibration.svg'}")


if __name__ == "__main__":
    main()
