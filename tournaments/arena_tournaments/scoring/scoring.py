"""Computes scores from results: points of pairings and byes, and each participant's history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from arena.core.tournaments.format import USUAL_POINTS, PairingResult, RoundResult, Scoring


def _by_majority(result: PairingResult) -> tuple[float, ...]:
    """Gives one point a pairing to the most match points; equal ones share it.

    Who forfeits has none, and the other one, if it is there, has it.
    """
    if result.forfeited:
        return tuple([float(index not in result.forfeited) for index in result.pairing.seats])
    most = max(result.points)
    share = 1.0 / result.points.count(most)
    return tuple(share if points == most else 0.0 for points in result.points)


def _as_they_are(result: PairingResult) -> tuple[float, ...]:
    return result.points


def _matches(result: PairingResult) -> float:
    """Returns the number of matches played: each gives half a point a seat in all."""
    return tidy(2 * sum(result.points) / len(result.points))


def tidy(value: float) -> float:
    """Rounds a value so that equal scores are equal floats, to rank by.

    Halves add exactly, but at tables of four and six points are thirds and fifths.
    """
    return round(value, 9)


_MAJORITY, _TOTAL = "by the majority of its match points", "by the total amount of its matches"
_POINTS, _BYE, _AVERAGE = "1, 1/2 or 0", "a bye 1", "a bye the average: 1/2"


def points_text(points: float) -> str:
    """Returns points in words: ``3``, ``1/2``, ``1.5``."""
    return "1/2" if points == 0.5 else f"{points:g}"


def summary_of(scoring: Scoring) -> str:
    """Returns what scores, and how many points, in one line for people."""
    win, draw, loss = map(points_text, scoring.points)
    bye = points_text(scoring.of_bye())
    text = scoring.summary.replace(_BYE, f"a bye {bye}")
    if bye != "1/2":
        text = text.replace(_AVERAGE, f"a bye {bye}")
    if scoring.points != USUAL_POINTS:
        text = text.replace(_POINTS, f"{win}, {draw} or {loss}")
        if _POINTS not in scoring.summary:
            text += f"; a win counts {win}, a draw {draw}, a loss {loss}"
    if scoring.forfeit_points:
        text += f", a forfeit {points_text(scoring.forfeit_points)}"
    return f"ranked by {scoring.reached}; {text}" if scoring.reached else text


PAIRING = Scoring(
    name="pairing",
    summary=f"a pairing scores {_POINTS} {_MAJORITY}, {_BYE}",
    scores=_by_majority,
    worth=lambda result: 1.0,
    bye=1.0,
    whole=True,
    tie_breaks=("MPTS", "BH-C1", "BH", "SB", "DE", "WIN", "BWG"),
)
"""Of a Swiss for two."""

MATCH = Scoring(
    name="match",
    summary=f"every match scores {_POINTS}, a bye nothing",
    scores=_as_they_are,
    worth=_matches,
    bye=0.0,
    # The order that FIDE's handbook used to recommend for a round robin (C.02); C.07 defines the
    # same tie-breaks and leaves their order to the organiser.
    tie_breaks=("DE", "WIN", "SB", "KS"),
)
"""Of a round robin for two."""

EACH_PAIRING = msgspec.structs.replace(
    MATCH,
    name="each-pairing",
    summary=f"a pairing scores {_POINTS} {_MAJORITY}, a bye nothing",
    scores=_by_majority,
    worth=lambda result: 1.0,
    whole=True,
)
"""Of a round robin for two in which pairings play until one is ahead: a close pairing plays more
matches than a clear one, so that match points would reward those who win narrowly."""

STRENGTH = msgspec.structs.replace(
    MATCH,
    name="strength",
    summary=f"ranked by strength, a joint fit of all matches; every match scores {_POINTS}",
    tie_breaks=(),
)
"""Standings by strength, of formats in which results decide who plays more matches."""

ELIMINATION = Scoring(
    name="elimination",
    summary=f"ranked by how far each came; a pairing won scores 1, {_BYE}",
    scores=_by_majority,
    worth=lambda result: 1.0,
    bye=1.0,
    whole=True,
    tie_breaks=(),
)
"""Of formats with a bracket."""

TABLE = Scoring(
    name="table",
    summary="every match scores the share of its opponents beaten, a bye nothing",
    scores=_as_they_are,
    worth=_matches,
    bye=0.0,
    tie_breaks=("DE", "TOP", "SB", "KS"),
)
"""Of a round robin at tables."""

TABLE_SWISS = Scoring(
    name="table-swiss",
    summary=f"every match scores the share of its opponents beaten, {_AVERAGE} a match",
    scores=_as_they_are,
    worth=_matches,
    bye=0.5,
    tie_breaks=("BH-C1", "BH", "SB", "DE", "TOP"),
)
"""Of a Swiss at tables."""


def by_amount(scoring: Scoring) -> Scoring:
    """Returns the scoring of the same format where matches are scored by amount.

    Where every match scores, the mean amount per match is the score. Where a pairing scores as a
    whole, so that a bye is one won, it goes by its total amount, and the mean is the first
    tie-break.
    """
    if scoring.bye < 1:
        return msgspec.structs.replace(
            scoring,
            name="amount",
            summary="ranked by the mean amount a match, a bye nothing",
            tie_breaks=scoring.tie_breaks if scoring.own else scoring.tie_breaks[:1],
            by_mean=True,
        )
    others = tuple([name for name in scoring.tie_breaks if name != "MPTS"])
    summary = scoring.summary.replace(_MAJORITY, _TOTAL)
    if _TOTAL not in summary:
        summary += f"; a pairing is won {_TOTAL}"
    return msgspec.structs.replace(
        scoring,
        name=f"{scoring.name}-amount",
        summary=summary,
        tie_breaks=others if scoring.own or not others else ("AMT", *others),
    )


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One round of one participant: its opponents and points.

    Attributes:
        score: What the round gave.
        worth: The most it could give: 1, or a pairing's number of matches. Zero for a round in
            which the format gave the participant nothing to play for (a round robin's bye).
        points: Match points taken. For a bye, half of those a pairing of its round played for:
            its rester shall neither win nor lose by them.
        opponents: Indices of the opponents at the table; none for a bye or an absence.
        against: The score against each of several opponents; ``score`` is their average.
        first: Whether the participant had the first seat.
        won: At tables of more than two, matches it finished alone on top.
        amount: Where matches are scored by amount, what it took of them.
        matches: Where matches are scored by amount, their number.
        played: False for a forfeit, won or lost, against ``opponents``.
        voluntary: Unplayed by the participant's own doing: a requested bye of less than the
            full point, an absence, a forfeit lost (C.07, 16.5).
        usual: Where the event has points of its own, the share of the worth by the usual ones.
    """

    score: float
    worth: float = 1.0
    points: float = 0.0
    opponents: tuple[int, ...] = ()
    against: tuple[float, ...] = ()
    first: bool = False
    won: int = 0
    amount: float = 0.0
    matches: int = 0
    played: bool = True
    voluntary: bool = False
    usual: float | None = None

    @property
    def standard(self) -> float:
        """1 for a round won, 1/2 for one drawn, 0 for one lost, whatever these score."""
        share = self.usual
        if share is None:
            share = tidy(self.score / self.worth) if self.worth else 0.0
        return 1.0 if share > 0.5 else 0.5 if share == 0.5 else 0.0

    @property
    def played_against(self) -> bool:
        """True if the round was played against somebody: no bye, no absence, no forfeit."""
        return bool(self.opponents) and self.played

    def encounters(self) -> Iterator[tuple[int, float]]:
        """Returns each opponent, with the score against it."""
        return zip(self.opponents, self.against or (self.score,), strict=False)


class History(msgspec.Struct, frozen=True):
    """All participants' rounds so far: a row each in field order, one turn a finished round.

    Attributes:
        draw: What a draw scores, as a share of what a round is worth.
        capped: Whether the dummy of an unplayed round is capped, as since 2026 (C.07, 16.4);
            before, it had the participant's own score.
        finished: Whether the last round was the tournament's last, as far as is known.
        numbers: Starting numbers; empty for places in the field.
        ratings: Of a report; 0 for none.
        bonuses: Of a report: points and penalties besides those of the rounds.
    """

    turns: tuple[tuple[Turn, ...], ...]
    draw: float = 0.5
    capped: bool = True
    finished: bool = True
    numbers: tuple[int, ...] = ()
    ratings: tuple[int, ...] = ()
    bonuses: tuple[float, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds so far."""
        return max(map(len, self.turns), default=0)

    def score(self, index: int, *, bonus: bool = False) -> float:
        """Returns the sum of a participant's scores, with or without its bonus."""
        more = self.bonuses[index] if bonus and self.bonuses else 0.0
        return tidy(sum((turn.score for turn in self.turns[index]), more))

    def mean_amount(self, index: int) -> float:
        """Returns a participant's mean amount per match; 0 without matches."""
        matches = self.matches(index)
        return tidy(sum(turn.amount for turn in self.turns[index]) / matches) if matches else 0.0

    def matches(self, index: int) -> int:
        """Returns the number of a participant's matches, where these are scored by amount."""
        return sum(turn.matches for turn in self.turns[index])

    def match_points(self, index: int) -> float:
        """Returns the match points that a participant took in pairings; byes add none."""
        turns = self.turns[index]
        return tidy(sum((turn.points for turn in turns if turn.opponents), 0.0))


def history(entrants: int, played: Sequence[RoundResult], scoring: Scoring) -> History:
    """Collects everybody's turns from finished rounds."""
    rows: list[list[Turn]] = [[] for _ in range(entrants)]
    for past in played:
        valid = [result for result in past.results if not result.void]
        for result in valid:
            for index, turn in zip(result.pairing.seats, _turns(scoring, result), strict=True):
                rows[index].append(turn)
        matches = max(map(_matches, valid), default=0.0)
        worth = max(map(scoring.worth, valid), default=1.0)
        for index, share in unpaired(scoring, past):
            given = index in past.round.byes
            points = scoring.of_bye() if given else scoring.of_share(share)
            rows[index].append(_rest(scoring, share, points, worth, matches))
    return History(tuple(map(tuple, rows)), draw=scoring.draw)


def unpaired(scoring: Scoring, past: RoundResult) -> Iterator[tuple[int, float]]:
    """Yields who has no pairing that counts, with what that scores: a share of the round's worth.

    An annulled pairing counts as a bye for the others.
    """
    for result in past.results:
        if result.void:
            guilty = {*result.void, *result.forfeited}
            for index in result.pairing.seats:
                yield index, 0.0 if index in guilty else scoring.bye
    for index in past.round.byes:
        yield index, scoring.bye
    if absent := past.round.absent:
        paired = {index for result in past.results for index in result.pairing.seats}
        paired.update(past.round.byes)
        for absence in absent:
            if absence.index not in paired:
                yield absence.index, absence.points


def _rest(scoring: Scoring, share: float, points: float, worth: float, matches: float) -> Turn:
    """Returns a round without a pairing that counts.

    Args:
        share: Its score as a share of the worth.
        points: Its points per unit of the worth.
        worth: The most that the pairings of the round gave, by the usual points.
        matches: The most matches that they played.
    """
    if not scoring.bye:
        return Turn(score=0.0, worth=0.0)
    win, draw, _ = scoring.points
    return Turn(
        score=points * worth,
        worth=win * worth,
        points=matches / 2 * share / scoring.bye,
        voluntary=share < scoring.bye,
        usual=None
        if scoring.usual and scoring.bye_points is None
        else (points >= win) / 2 + (points >= draw) / 2,
    )


def _turns(scoring: Scoring, result: PairingResult) -> Iterator[Turn]:
    usual, worth, seats = scoring.scores(result), scoring.worth(result), result.pairing.seats
    priced = result if scoring.usual or scoring.whole else _priced(scoring, result)
    scores = _whole(scoring, result, usual) if scoring.whole else scoring.scores(priced)
    share = worth / (_matches(result) or 1.0)
    for seat, score in enumerate(scores):
        others = [other for other in range(len(seats)) if other != seat]
        several = len(others) > 1
        yield Turn(
            score=score,
            worth=scoring.points[0] * worth,
            points=result.points[seat],
            opponents=tuple([seats[other] for other in others]),
            against=tuple([share * priced.against(seat, other) for other in others])
            if several
            else (),
            first=seat == 0,
            won=result.won[seat] if several else 0,
            amount=result.amounts[seat] if result.amounts else 0.0,
            matches=result.matches,
            # Where everybody meets everybody forfeits count as played (C.07, 16.1).
            played=not result.unplayed or scoring.all_meet,
            voluntary=seats[seat] in result.forfeited,
            usual=None if scoring.usual else tidy(usual[seat] / worth) if worth else 0.0,
        )


def _whole(scoring: Scoring, result: PairingResult, usual: Sequence[float]) -> tuple[float, ...]:
    """Returns the event's points of a pairing as a whole, from the usual ones."""
    lost = scoring.points[2]
    absent = result.forfeited if result.unplayed else ()
    return tuple(
        [
            scoring.forfeit_points if index in absent else scoring.of_share(score, lost)
            for index, score in zip(result.pairing.seats, usual, strict=True)
        ]
    )


def _priced(scoring: Scoring, result: PairingResult) -> PairingResult:
    """Returns a pairing with the event's points of every match in place of 1, 1/2 and 0."""
    seats = result.pairing.seats
    matches = _matches(result)
    win, draw, loss = scoring.points

    def taken(seat: int, other: int) -> float:
        if seat == other:
            return 0.0
        drawn = result.drawn[seat][other] if result.drawn else 0
        won = result.against(seat, other) - drawn / 2
        missed = result.awarded if seats[seat] in result.forfeited else 0.0
        lost = matches - won - drawn - missed
        return tidy(win * won + draw * drawn + loss * lost + scoring.forfeit_points * missed)

    duels = tuple(
        [tuple([taken(one, other) for other in range(len(seats))]) for one in range(len(seats))]
    )
    points = tuple([sum(row) / (len(seats) - 1) for row in duels])
    return msgspec.structs.replace(result, points=points, duels=duels if result.duels else ())
