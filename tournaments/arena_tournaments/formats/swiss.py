"""Pairs Swiss tournaments: near scores meet, and nobody meets the same opponent twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, combinations, permutations
from typing import Annotated, Any, Literal

import msgspec

from arena.core.errors import BadInput, BadKey, UnknownName
from arena.core.options import Option
from arena.core.text.printable import joined
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Format,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Tables,
    Wanted,
)
from arena.core.tournaments.scored import Scored
from arena_tournaments.dutch.cycles import pair_in_cycle
from arena_tournaments.formats.adaptive import MatchesRow, UntilRow, until_separated
from arena_tournaments.pairing.factors import Pair, cycle_of
from arena_tournaments.pairing.repair import NOBODY, fewest_repeats, seated_round
from arena_tournaments.scoring.scoring import PAIRING, Turn, history
from arena_tournaments.trf.report import Forbidden, Report
from arena_tournaments.trf.tournament import report_of_swiss


class Swiss(Scored, kw_only=True):
    """Swiss tournaments by the FIDE Dutch system.

    More rounds than there are opponents are played in cycles (``cycles``): nobody meets or rests
    again before everybody has met everybody.

    The order of the field is the initial order: index 0 is pairing number 1, and has the first
    seat in round 1 (the initial colour, which FIDE draws by lot, is fixed so that a tournament
    can be repeated). The first seat is FIDE's white. A pairing scores 1, 1/2 or 0 by the
    majority of its match points, a bye scores 1.

    Attributes:
        acceleration: ``"baku"`` for Baku acceleration (C.04.5.1): in the first half of the rounds
            the first half of the field is paired as if it had a point more, then half a point.
        forbidden: Groups of names of whom no two are to meet. Where the rules leave no other
            pairing, two of them meet all the same, as few as possible.
        requested: The number of rounds that was requested.
    """

    acceleration: Annotated[
        Literal["baku"] | None, Option("Accelerated pairing: baku.", metavar="METHOD")
    ] = None
    forbidden: Annotated[
        tuple[tuple[str, ...] | str, ...],
        Option("Bots that never meet: 'NAME | NAME'. Repeatable.", metavar="NAMES"),
    ] = ()
    until: UntilRow = ""
    matches: MatchesRow = None
    requested: int | None = None
    score: Scoring = PAIRING
    name: str = "swiss"
    summary: str = "FIDE Dutch Swiss; --rounds defaults to ceil(log2 entrants) + 1"
    rulings: frozenset[str] = frozenset(
        ("withdraw", "disqualify", "add", "bye", "void", "now", "pair", "forbid", "lots")
    )

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> Format:
        made = msgspec.structs.replace(self, **options, requested=wanted.rounds)
        return until_separated(made, made.until, made.matches, wanted)

    def check_field(self, names: Sequence[str]) -> None:
        for name in chain.from_iterable(name_groups(self.forbidden)):
            if name not in names:
                raise BadKey("forbidden", str(UnknownName("bot of the tournament", name, names)))

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns ``requested``, or ceil(log2 n) + 1, at most as many as need no repeats."""
        if entrants < 2:
            raise BadInput(f"a Swiss needs at least 2 entrants, not {entrants}")
        if requested is None:
            return min((entrants - 1).bit_length() + 1, cycle_of(entrants))
        if requested < 1:
            raise BadInput(f"a Swiss plays 1 round or more, not {requested}")
        return requested

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        number = len(played) + 1
        if number > rounds or self._ending(field, played, rounds):
            return None
        present = [index for index, each in enumerate(field) if not each.absent]
        if len(present) < 2:
            return Round(number, (), tuple(present))
        report = report_of_swiss(
            [each.name for each in field],
            played,
            rounds,
            scoring=self.scoring(),
            acceleration=self.acceleration,
            forbidden=name_groups(self.forbidden),
            absent=[index for index, each in enumerate(field) if each.absent],
            late=sum(each.joined > 1 for each in field),
        )
        groups = (group.numbers for group in report.forbidden)
        apart = {(one - 1, other - 1) for group in groups for one, other in permutations(group, 2)}
        past = history(len(field), played, self.scoring())
        if rounds > cycle_of(len(field)):
            rules, last = partial(_by_rules, report), number == rounds
            found = pair_in_cycle(report, present, apart, rules, last=last)
            if found is not None and not found.by_rules:
                return seated_round(past, number, found.pairs, reverse=True)
            pairs = found.pairs if found else None
        else:
            pairs = _by_rules(report, 0, None)
        if pairs is None:
            return fewest_repeats(past, number, apart, present, report.unit / 10)
        return Round(
            number,
            tuple(Pairing(pair) for pair in pairs if NOBODY not in pair),
            tuple(first for first, second in pairs if second == NOBODY),
        )

    def ending(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], tables: Tables = PAIRS
    ) -> str:
        """Returns why those who are left cannot be paired any more; empty while somebody can.

        Without an opponent the last one has one bye at most (C2). Who only rests comes back.
        """
        return self._ending(field, played, self.requested or 0)

    def _ending(self, field: Sequence[Entrant], played: Sequence[RoundResult], rounds: int) -> str:
        left = [index for index, each in enumerate(field) if not each.gone]
        resting = len(left) > 1 and any(field[index].absent for index in left)
        if len(left) == len(field) or resting:
            return ""
        turns = history(len(field), played, self.scoring()).turns
        rested = {index for past in played for index in past.round.byes}
        may_rest = not all(index in rested or any(map(_free_win, turns[index])) for index in left)
        if len(left) < 2:
            if may_rest:
                return ""
            if not left:
                return "no bot is left"
            name = field[left[0]].name
            return f"{name} is the only one left, and nobody has the bye twice (C.04.3, C2)"
        if rounds > cycle_of(len(field)):  # they meet again in the next cycle
            return ""
        names = joined([field[index].name for index in left])
        met = {
            (one, other)
            for one in left
            for turn in turns[one]
            if turn.played_against
            for other in turn.opponents
        }
        if all(pair in met for pair in combinations(left, 2)):
            return f"{names} are left, and have met (C.04.3, C1)"
        if len(left) % 2 and not may_rest:
            return f"{names} are left, and each of them has had the bye (C.04.3, C2)"
        return ""

    def forbidding(self, groups: Sequence[tuple[str, ...]]) -> Swiss:
        return msgspec.structs.replace(self, forbidden=(*self.forbidden, *groups))


def _by_rules(report: Report, forgotten: int, apart: Pair | None) -> Sequence[Pair] | None:
    """Returns the pairs of a round by the rules, as indices; see ``cycles``."""
    # Imported here: it brings numpy, which no other verb has to wait for.
    from arena_tournaments.dutch.rounds import pair_next_round

    if apart is not None:
        one_more = Forbidden(1, 0, tuple([index + 1 for index in apart]))
        report = msgspec.structs.replace(report, forbidden=(*report.forbidden, one_more))
    pairs = pair_next_round(report, forgotten)
    return None if pairs is None else [(one - 1, other - 1) for one, other in pairs]


def name_groups(forbidden: Sequence[tuple[str, ...] | str]) -> tuple[tuple[str, ...], ...]:
    """Returns the groups of names of whom no two are to meet."""
    found = (each.split("|") if isinstance(each, str) else each for each in forbidden)
    return tuple(tuple(name.strip() for name in group) for group in found)


def _free_win(turn: Turn) -> bool:
    """Returns whether a round gave a win's points without a game, which nobody gets twice (C2)."""
    return not turn.played_against and turn.score >= turn.worth
