"""The result of a tournament in one sentence: who won, by how much, and how sure that is."""

from __future__ import annotations

from collections import Counter
from math import isinf

from arena_results.ratings.intervals.statistics import FEWEST, ResultBlock, elo_interval
from arena_results.schema.rows import Status
from arena_tournaments.scoring.scoring import history

from arena.core.text.printable import joined
from arena.core.tournaments.format import Bout
from arena.service.report.comparing.comparison import stored_comparison
from arena.service.report.comparing.comparison_text import sentence
from arena.service.report.comparing.facts import rounds_text
from arena.service.report.report import Report, decided_by, part_of

MAX_SHARED = 3
"""Names of a shared first place that are listed; of more their number is."""
FEW_MATCHES = "with too few matches to know who is better"
UNKNOWN = "but it is not known yet who is better"


def verdict(report: Report) -> str:
    """Returns the result in one sentence, for every face of a tournament.

    It says plainly what is drawn, not over, or not known yet. Faults that decided it are named.
    """
    if not (report.stored.sums or any(line.score for line in report.table)):
        return "No match has been played yet."
    if (compared := stored_comparison(report)) is not None:
        return sentence(compared, report)
    if len(report.names) == 2 and report.block and not (report.stages or report.bracket):
        so_far = "" if report.stored.summary.status is Status.FINISHED else "So far "
        return f"{so_far}{_of_two(report, report.block)}."
    return f"{_of_field(report)}{_faults(report)}."


def _of_two(report: Report, block: ResultBlock) -> str:
    """Returns who of two bots is better, as far as their matches say."""
    level = block.won == block.lost
    first = 0 if block.won >= block.lost else 1
    won = max(block.won, block.lost)
    one, other = report.names[first], report.names[1 - first]
    if report.means:
        return _by_amount(report, block.games)
    if block.games == 1:
        return _of_one_match(report, one, other, first, level=level)
    size, low = _elo(block, turned=first == 1)
    drawn = f", {block.drawn:,} drawn" if block.drawn else ""
    count = f"{won:,} of {block.games:,} matches"
    if level:
        return f"{one} and {other} are level: {count} each{drawn}, {size}"
    fault, units = _lost_by_fault(report, 1 - first), sum(block.pairs or (block.games,))
    text = f"{count}{drawn}, {size}{fault}"
    if low > 0 and units >= FEWEST:
        return f"{one} beats {other}: {text}"
    return f"{one} leads {other}, {FEW_MATCHES if units < FEWEST else UNKNOWN}: {text}"


def _elo(block: ResultBlock, *, turned: bool) -> tuple[str, float]:
    """Returns the Elo difference with its 95 % interval in words, and the interval's lower end."""
    low, high = elo_interval(block.pairs or (block.lost, block.drawn, block.won))
    value = block.estimate.elo
    if turned:
        low, high = -high, -low
        value = None if value is None else -value
    if (isinf(low) and isinf(high)) or (value is None and low <= 0):
        return "Elo not known yet", low
    if value is None:
        return f"at least {_whole(low, sign='+')} Elo", low
    ends = f"{_whole(low)} to {_whole(high)}"
    if isinf(high):
        ends = f"{_whole(low)} or more"
    elif isinf(low):
        ends = f"{_whole(high)} or less"
    return f"{_whole(value, sign='+')} Elo ({ends})", low


def _whole(value: float, sign: str = "") -> str:
    """Returns a whole number, e.g. ``+78`` or ``−31``; 0 has no sign."""
    whole = round(value)
    return format(whole, f"{sign},d").replace("-", "−") if whole else "0"


def _by_amount(report: Report, games: int) -> str:
    """Returns the result of two bots in a tournament that is scored by amount."""
    mean, unit = report.means[0], f"{report.unit} per match"
    first = 0 if mean.mean >= 0 else 1
    one, other = report.names[first], report.names[1 - first]
    count = "one match" if games == 1 else f"{games:,} matches"
    gain, error = abs(mean.mean), mean.error
    if not gain:
        return f"{one} and {other} are level: 0 {unit} in {count}"
    if error is None:
        return f"{one} leads {other}, {FEW_MATCHES}: {_amount(gain)} {unit} in {count}"
    ends = f"{_amount(gain - error)} to {_amount(gain + error)}"
    text = f"{_amount(gain)} {unit} ({ends}) in {count}"
    return (
        f"{one} beats {other}: {text}"
        if gain > error
        else f"{one} leads {other}, {UNKNOWN}: {text}"
    )


def _amount(value: float) -> str:
    return f"{value:+,.2f}".replace("-", "−")


def _of_one_match(report: Report, one: str, other: str, first: int, *, level: bool) -> str:
    """Returns the result of a tournament of a single match."""
    (_, ending), *_ = report.stored.endings
    scores = dict(zip(ending.seats, ending.scores, strict=True))
    score = f"{scores[first]:g} : {scores[1 - first]:g}"
    if level:
        return f"{one} and {other} draw their only match, {score}"
    causes = [cause.value for seat, cause in ending.faults if ending.seats[seat] != first]
    if causes:
        return f"{one} beats {other} in their only match: {other} lost it by {causes[-1]}"
    return f"{one} beats {other} in their only match, {score}; one match does not say who is better"


def _lost_by_fault(report: Report, loser: int) -> str:
    causes = report.losses[loser]
    if not causes:
        return ""
    return f"; {report.names[loser]} lost {_causes(causes)}"


def _causes(causes: dict[str, int]) -> str:
    """Returns numbers of lost matches by cause: ``12 by crash and 3 by timeout``."""
    return joined([f"{count:,} by {cause}" for cause, count in sorted(causes.items())])


def _of_field(report: Report) -> str:
    """Returns the winner or the leader of more than two bots, and the distance to the next."""
    last = report.stages[-1] if report.stages else None
    own = part_of(report, last) if last else report
    title, top, score = _title(report), own.table[0], _score(own)
    level = [line.name for line in own.table if line.rank == top.rank]
    who = f"{len(level)} bots" if len(level) > MAX_SHARED else joined(level)
    if report.stored.summary.status is not Status.FINISHED:
        start = title if title == report.stored.summary.name else title.capitalize()
        so_far = f"{start} is not over"
        if not report.decoded.format.open_ended:
            so_far += f" ({rounds_text(report)} rounds)"
        if own.bracket or not top.score:
            return so_far
        if len(level) > 1:
            return f"{so_far}: {who} share the lead{f' with {score}' * bool(score)}"
        return f"{so_far}: {who} leads{f' with {score}' * bool(score)}{_before(own)}"
    if len(level) > 1:
        return f"{who} share first place in {title}{f': {score}' * bool(score)}"
    won = [bout for bout in own.bracket if bout.winner == top.index]
    if won:
        return f"{top.name} wins {title}{_last_bout(report, won[-1])}"
    return f"{top.name} wins {title}{f': {score}' * bool(score)}{_before(own)}"


def _title(report: Report) -> str:
    summary, rounds = report.stored.summary, report.stored.rounds
    if len(rounds) == summary.rounds == len(rounds[0].pairings) == 1:
        return f"the table of {len(report.names)}"
    return summary.name or "the tournament"


def _score(report: Report) -> str:
    """Returns the score of the first one, with the most that it could have had."""
    line, scoring = report.table[0], report.scoring
    if report.bracket:
        return ""
    if report.means and scoring.by_mean:
        return f"{_amount(report.means[line.index].mean)} {report.unit} per match"
    turns = history(len(report.names), report.played, scoring).turns[line.index]
    return f"{line.score:,.6g} of {sum(turn.worth for turn in turns):,.6g}"


def _before(report: Report) -> str:
    """Returns how far the first one is ahead of the second."""
    if len(report.table) < 2:
        return ""
    one, two = report.table[:2]
    gap = one.score - two.score
    reached = report.decoded.format.reached(len(report.names), report.played)
    if reached is not None or gap < 0 or (report.means and report.scoring.by_mean):
        return f", before {two.name}"
    if not gap:
        return f", before {two.name} by tie-break"
    ahead = "half a point" if gap == 0.5 else f"{gap:,.6g} point{'s' * (gap != 1)}"
    return f", {ahead} before {two.name}"


def _last_bout(report: Report, bout: Bout) -> str:
    """Returns how the winner of a bracket won its last bout."""
    other = next((each for each in bout.entrants if each not in (None, bout.winner)), None)
    if other is None or bout.points is None:
        return ""
    loser = report.names[other]
    ahead, behind = sorted(bout.points, reverse=True)
    score = f"{ahead:g} : {behind:g}"
    why = decided_by(bout)
    if why == "forfeit":
        return f": {loser} forfeited the {bout.name}"
    if why:
        return f" as the higher seed: {score} against {loser} in the {bout.name}"
    return f": {score} against {loser} in the {bout.name}"


def _faults(report: Report) -> str:
    """Names the bots that lost matches by faults."""
    total = Counter(
        {name: sum(row.values()) for name, row in zip(report.names, report.losses, strict=True)}
    )
    guilty = [(name, count) for name, count in total.most_common() if count]
    if not guilty:
        return ""
    listed = [f"{name} lost {count:,}" for name, count in guilty[:MAX_SHARED]]
    if (more := len(guilty) - MAX_SHARED) > 0:
        listed.append(f"{more} more bot{'s' * (more != 1)} some")
    return f"; by faults {joined(listed)}"
