"""Compares a bot with a baseline: the test that is asked for, and what the matches say of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite

import msgspec
from arena_results.ratings.comparing.by_amount import AmountScores
from arena_results.ratings.comparing.changes import (
    MAX_MORE,
    AmountInterval,
    Look,
    Test,
    look,
    look_by_amount,
    look_without_luck,
    make_test,
    read_test,
    write_test,
)
from arena_results.ratings.comparing.sequential import Decision, Sprt
from arena_results.ratings.comparing.without_luck import AdjustedScores
from arena_results.ratings.intervals.statistics import FEWEST, ResultBlock, result_block_of
from arena_results.store.luck_sums import kept_luck

from arena.core.errors import BadInput
from arena.core.text.parsing import Value, parse_call
from arena.core.tournaments.format import Participant
from arena.plugins.options import option
from arena.service.answers.rows import Document
from arena.service.report.report import Report
from arena.service.report.sums.tallies import deals
from arena.service.setup.field import at_one_table
from arena.service.setup.until_tested import amount_scores_of

NAME = "compare"
"""The name of the tournament of a comparison."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a test of a candidate against a baseline.

    Attributes:
        names: Candidate and baseline, each unlike the other.
        block: The results from the candidate's point of view.
        split: Of pairs with one point each, those with a win for both, and those of two draws.
        look: What the test says so far.
        adjusted: The luck-adjusted scores, if the test goes by them.
        amounts: The amounts, if the test goes by them.
        unit: Their unit, in the plural.
    """

    names: tuple[str, str]
    test: Test
    block: ResultBlock
    split: tuple[int, int]
    look: Look
    adjusted: AdjustedScores | None = None
    amounts: AmountScores | None = None
    unit: str = ""

    @property
    def elo(self) -> float | None:
        """The estimated difference, luck-adjusted if the test is."""
        return self.adjusted.elo if self.adjusted else self.block.estimate.elo

    @property
    def passed(self) -> bool:
        """True if the candidate is decided to be above ``elo`` of the test, or ``elo0``."""
        return self.look.decision is Decision.H1

    @property
    def more(self) -> float | None:
        """Number of further matches until a decision, about; ``None`` where it is not known."""
        more = self.look.more
        return None if more is None else more * (2 if self.block.pairs else 1)

    @property
    def least_more(self) -> float | None:
        """Number of further matches that a decision by an interval takes at least, where ``more``
        is not known: the matches are too few, then as many again, or the two too alike.
        """
        if self.more is not None or isinstance(self.test, Sprt):
            return None
        games, fewest = self.block.games, FEWEST * (2 if self.block.pairs else 1)
        return float(max(fewest - games, games) if games < fewest else games * MAX_MORE)

    def document(self) -> Document:
        """The test and what it says, as in the document of ``arena compare``."""
        candidate, baseline = self.names
        found, block, test = self.look, self.block, self.test
        bounds = (test.lower, test.upper) if isinstance(test, Sprt) else (None, None)
        document: Document = {
            "baseline": baseline,
            "candidate": candidate,
            "test": write_test(test),
            "scoring": "amount" if self.amounts else "wins",
            "games": block.games,
            "won": block.won,
            "lost": block.lost,
            "drawn": block.drawn,
            "ptnml": block.pairs,
            **msgspec.to_builtins(block.estimate),
            "low": found.low if isfinite(found.low) else None,
            "high": found.high if isfinite(found.high) else None,
            "llr": found.llr,
            "lower": bounds[0],
            "upper": bounds[1],
            "decision": found.decision.value,
            "verdict": found.verdict.value,
            "more": None if self.more is None else round(self.more),
            "passed": self.passed,
        }
        if self.amounts is not None:
            document |= {"amount": self.amounts.mean, "unit": self.unit}
        if self.adjusted is not None:
            document["adjusted"] = _adjusted_row(self.adjusted)
        return document


def _adjusted_row(scores: AdjustedScores) -> Document:
    low, high = scores.interval()
    return {
        "score": scores.score,
        "elo": scores.elo,
        "low": low if isfinite(low) else None,
        "high": high if isfinite(high) else None,
        "worth": scores.worth,
    }


def compared(
    names: tuple[str, str],
    test: Test,
    units: Mapping[tuple[float, ...], int],
    *,
    mirrored: bool,
    adjusted: AdjustedScores | None = None,
    amounts: AmountScores | None = None,
    unit: str = "",
) -> Comparison | None:
    """Tests the results of two bots; ``None`` before the first whole unit.

    Args:
        names: Candidate and baseline.
        units: How many deals gave the candidate these points, match by match.
        mirrored: Whether a deal is played by both from each seat.
        adjusted: The candidate's luck-adjusted scores, if the test goes by them.
        amounts: The candidate's amounts, if the test goes by them.
        unit: Their unit, in the plural.
    """
    size = 2 if mirrored else 1
    whole = {points: count for points, count in units.items() if len(points) == size}
    if not whole:
        return None
    sums = Counter[int]()
    for points, count in whole.items():
        sums[int(2 * sum(points))] += count
    counts = [sums[step] for step in range(2 * size + 1)]
    level = whole.get((0.0, 1.0), 0) + whole.get((1.0, 0.0), 0), whole.get((0.5, 0.5), 0)
    return Comparison(
        names=names,
        test=test,
        block=result_block_of(units),
        split=level,
        look=_look(test, counts, adjusted, amounts),
        adjusted=adjusted,
        amounts=amounts,
        unit=unit,
    )


def _look(
    test: Test, counts: Sequence[int], adjusted: AdjustedScores | None, amounts: AmountScores | None
) -> Look:
    if isinstance(test, AmountInterval):
        assert amounts is not None
        return look_by_amount(test, amounts)
    return look_without_luck(test, adjusted) if adjusted else look(test, counts)


def compared_by_amount(
    names: tuple[str, str], test: Test, points: Sequence[float], unit: str, *, mirrored: bool
) -> Comparison | None:
    """Tests the amounts of two bots; ``None`` before the first whole unit.

    Args:
        names: Candidate and baseline.
        points: The candidate's points in each match by amount: 1/2 more than half its lead.
        unit: Unit of the amounts, in the plural.
        mirrored: Whether a deal is played by both from each seat.
    """
    group = 2 if mirrored else 1
    if len(points) < group:
        return None
    won = [(each > 0.5) + (each == 0.5) / 2 for each in points]
    amounts = amount_scores_of(points, group)
    return compared(
        names, test, units_of(won, group), mirrored=mirrored, amounts=amounts, unit=unit
    )


def stored_comparison(report: Report) -> Comparison | None:
    """The comparison that a stored tournament of two is, if it plays until a test is decided."""
    summary, names = report.stored.summary, report.stored.names
    spec = report.spec
    if not spec.test or len(names) != 2 or spec.stages or summary.rounds != 1:
        return None
    test, units, adjusted = read_test(spec.test), deals(report.stored.sums.values()), None
    pair = names[0], names[1]
    if isinstance(test, AmountInterval):
        points = _points_by_amount(report)
        return compared_by_amount(pair, test, points, report.unit, mirrored=summary.mirrored)
    if spec.adjusted:
        sums = kept_luck(report.stored).get((1, 1))
        if report.luck_off or sums is None:
            return None
        adjusted = AdjustedScores.of(sums, 0, 2 if summary.mirrored else 1)
    return compared(pair, test, units, mirrored=summary.mirrored, adjusted=adjusted)


def _points_by_amount(report: Report) -> list[float]:
    """Returns the candidate's points in each match before the first that is not played."""
    schedule, found = report.decoded.schedule, list[float]()
    for row in sorted(report.stored.played.values(), key=lambda row: row.key):
        if row.key.leg != len(found) + 1:
            break
        found.append(schedule.points(row.seats.index(0), schedule.values(row)))
    return found


def units_of(points: Sequence[float], group: int) -> Counter[tuple[float, ...]]:
    """Counts deals by the points of each of their matches."""
    return Counter(tuple(points[start : start + group]) for start in range(0, len(points), group))


def spoken_names(one: Participant, other: Participant) -> tuple[str, str]:
    """Two bots in a sentence: of two versions of one bot the second is its version only."""
    if one.name == other.name:
        return f"{one.name} {one.version}", other.version
    return one.name, other.name


def comparison_keys(
    baseline: str,
    candidate: str,
    keys: Mapping[str, object],
    *,
    sprt: str | Mapping[str, Value] | None = None,
    confidence: float | None = None,
    games: int | None = None,
    max_games: int | None = None,
    fail_below: float | None = None,
) -> dict[str, object]:
    """The keys of the tournament that compares two bots.

    Args:
        keys: Further keys.
        sprt: The values of an SPRT, e.g. ``"elo0=0 elo1=10"``.
        confidence: Of the interval, in percent.
        games: A number of matches, after which the interval is checked once.
        max_games: The most matches of a test that is checked often.
        fail_below: The difference that the candidate has to exceed.

    Raises:
        BadInput: They do not go together, or one is wrong.
    """
    for name, value, other, rival in (
        ("games", games, "sprt", sprt),
        ("games", games, "max_games", max_games),
        ("games", games, "budget", keys.get("budget") or None),
        ("confidence", confidence, "sprt", sprt),
    ):
        if value is not None and rival is not None:
            message = f"{option(name)}: cannot be combined with {option(other)}; give one of them"
            raise BadInput(message)
    if sprt is not None:
        test = make_test("sprt", _sprt_values(sprt, fail_below))
    else:
        kind = "sequence" if games is None else "fixed"
        given = {"elo": fail_below, "confidence": confidence}
        test = make_test(kind, {key: each for key, each in given.items() if each is not None})
    most = games if games is not None else max_games
    chosen = {"name": NAME, **keys, "test": write_test(test)}
    if most is not None:
        chosen["games"] = most
    return at_one_table([candidate, baseline], chosen)


def _sprt_values(given: str | Mapping[str, Value], fail_below: float | None) -> dict[str, Value]:
    if isinstance(given, str):
        words = ",".join(word for word in re.split(r"[\s,]+", given) if word)
        _, values = parse_call(f"sprt({words})")
    else:
        values = dict(given)
    if fail_below is not None and values.setdefault("elo0", fail_below) != fail_below:
        raise BadInput(
            f"{option('fail_below')}: is elo0 of {option('sprt')}; leave one out: {fail_below:g}, "
            f"{values['elo0']}"
        )
    return values
