"""The base of formats that rank by score: points and tie-breaks of an organiser's own."""

from __future__ import annotations

from typing import Annotated

import msgspec

from arena.core.errors import BadKey
from arena.core.options import Option
from arena.core.tournaments.format import USUAL_POINTS, Format, Scoring

Points = Annotated[float, msgspec.Meta(ge=0, le=100)]


class Scored(Format, kw_only=True):
    """Ranks by score, with the options of all formats that do.

    A subclass gives ``score``, its row where nobody sets an option, instead of ``scoring``.

    Attributes:
        points: What a win, a draw and a loss score: of each match where every match scores, else of
            a pairing as a whole.
        bye_points: Points of a bye; ``None`` for the share of a win that ``score`` has.
        forfeit_points: Points of a bot that does not play.
        tiebreaks: The tie-breaks in the order in which they count; ``score`` has the usual ones.
        score: How pairings score.
    """

    points: Annotated[
        tuple[Points, Points, Points],
        Option(
            "Points of a win, a draw and a loss.", default="1,0.5,0", metavar="W,D,L", commas=True
        ),
    ] = USUAL_POINTS
    bye_points: Annotated[
        Points | None, Option("Points of a bye.", default="as for a win", metavar="POINTS")
    ] = None
    forfeit_points: Annotated[
        Points, Option("Points of a bot that does not play.", metavar="POINTS")
    ] = 0.0
    tiebreaks: Annotated[
        tuple[str, ...],
        Option(
            "Tie-breaks of FIDE in their order, such as DE,BH-C1.",
            default="the format's own",
            metavar="NAMES",
            commas=True,
        ),
    ] = ()
    score: Scoring

    def __post_init__(self) -> None:
        win, draw, loss = self.points
        if not win > draw >= loss:
            raise BadKey("points", f"expected a win above a draw above a loss, not {_list(self)}")
        for key in ("points", "bye_points", "forfeit_points"):
            given = getattr(self, key)
            for each in given if isinstance(given, tuple) else (given or 0.0,):
                if round(each, 1) != each:
                    raise BadKey(key, f"expected tenths of a point, not {each:g}")
        if self.bye_points is not None and not self.score.bye:
            raise BadKey("bye_points", f"a bye of {self.name} is no round; leave it out")
        if self.forfeit_points and 2 not in self.seats:
            raise BadKey("forfeit_points", f"only pairings of two are forfeited, not {self.name}")

    @property
    def own_points(self) -> bool:
        """True if anything scores other points than usual."""
        return (self.points, self.bye_points, self.forfeit_points) != (USUAL_POINTS, None, 0.0)

    def scoring(self) -> Scoring:
        """Returns the row of ``score`` with the points and tie-breaks of the options."""
        if not (self.own_points or self.tiebreaks):
            return self.score
        return msgspec.structs.replace(
            self.score,
            points=self.points,
            bye_points=self.bye_points,
            forfeit_points=self.forfeit_points,
            tie_breaks=self.tiebreaks or self.score.tie_breaks,
            own=bool(self.tiebreaks),
        )


def _list(format: Scored) -> str:
    return ",".join(f"{each:g}" for each in format.points)
