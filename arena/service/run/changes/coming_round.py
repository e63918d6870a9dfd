"""The next round of a stored tournament: who can be seated, and the pairing as of now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import Status, StoredTournament
from arena_results.store.queries import tournament
from arena_tournaments.formats.stages import Staged
from arena_tournaments.play.runner import Plan

from arena.core.errors import BadInput, UnknownName
from arena.core.tournaments.format import Format, Round, RoundResult
from arena.core.tournaments.rulings import RulingKind, absences
from arena.plugins.registry import Registry
from arena.service.report.sums.tallies import result_so_far
from arena.service.setup.byes import check_takes
from arena.service.setup.decoded import decode
from arena.service.setup.formats import forbidden_groups
from arena.service.setup.pair_lines import pair_line, pairings_of


class ComingRound(msgspec.Struct, frozen=True, kw_only=True):
    """The next round of a tournament.

    Attributes:
        results: Of the rounds before it; ``None`` while the last of them is played.
        forbidden: Groups of names; bots of one group never meet.
    """

    stored: StoredTournament
    plan: Plan
    results: tuple[RoundResult, ...] | None
    forbidden: tuple[tuple[str, ...], ...]

    @property
    def number(self) -> int:
        """The number of the round."""
        return len(self.stored.rounds) + 1

    def made(self) -> Round:
        """Pairs it as the tournament would now.

        Raises:
            BadInput: The round before it is played, or it is not to be played.
        """
        id = self.stored.summary.id
        if self.results is None:
            raise BadInput(
                f"round {self.number} of tournament {id} is paired by the results of round "
                f"{self.number - 1}, which is not finished"
            )
        made = self.plan.next_round(self.results)
        if made is None:
            raise BadInput(f"tournament {id} pairs no further round")
        return made

    def format_of(self, round: int) -> Format:
        """Returns the format of a round, in stages the format of its stage."""
        format, entrants = self.plan.format, len(self.plan.field)
        if isinstance(format, Staged):
            return format.stages[format.stage_of(round, entrants)].format
        return format

    def pairings(self, pairs: Sequence[tuple[str, str]], round: int) -> tuple[tuple[int, ...], ...]:
        """Returns pairings of a round that are made by hand, as indices into the field.

        Args:
            pairs: The place and the text of each.

        Raises:
            BadInput: One does not parse, or cannot be played.
        """
        names, format = self.stored.names, self.format_of(round)
        found = pairings_of(pairs, names, self.plan.tables, self._unseatable(round))
        for group, (where, text) in zip(found, pairs, strict=True):
            if len(group) == 1 and not format.scoring().bye:
                raise BadInput(f"{where}: {format.name} gives no byes, so not {text!r}")
            self.check_allowed(group, f"{where}: ")
        return tuple(found)

    def check_allowed(self, group: Sequence[int], where: str = "") -> None:
        """Raises ``BadInput`` if two of a pairing are never to meet."""
        for pair in combinations([self.stored.names[index] for index in group], 2):
            if any({*pair} <= {*each} for each in self.forbidden):
                raise BadInput(f"{where}{pair[0]} and {pair[1]} are a forbidden pair")

    def _unseatable(self, round: int) -> dict[int, str]:
        """Returns why entries cannot be seated in a round, in words that follow their names."""
        words = {}
        for each in absences(self.stored.rulings, round):
            away = "rests" if each.rests else f"has a bye in round {round}"
            words[each.index] = "has left the tournament" if each.gone else away
        format, entrants = self.plan.format, len(self.plan.field)
        if not isinstance(format, Staged) or not (stage := format.stage_of(round, entrants)):
            return words
        if self.results is None or stage != format.stage_of(self.number, entrants):
            raise BadInput(f"round {round} is in stage {stage + 1}, whose bots are not known yet")
        here = self.plan.seatable(self.results)
        outside = f"does not play in stage {stage + 1}"
        return {index: outside for index in range(entrants) if index not in here} | words


def is_running(stored: StoredTournament) -> bool:
    """Returns whether the last round that was paired is not finished."""
    return bool(stored.heads) and stored.heads[-1] is None


def next_round(stored: StoredTournament) -> int:
    """Returns the number of the next round, or raises ``BadInput`` after the last."""
    id, number = stored.summary.id, len(stored.rounds) + 1
    if stored.summary.status is Status.FINISHED:
        raise BadInput(f"tournament {id} is finished")
    if number > stored.summary.rounds:
        raise BadInput(f"tournament {id} is in its last round ({stored.summary.rounds})")
    return number


def round_to_pair(stored: StoredTournament, format: Format, round: int | None) -> int:
    """Returns the number of a round that can be paired by hand."""
    first, last = next_round(stored), stored.summary.rounds
    number = first if round is None else round
    choices = f"rounds {first} to {last}" if first < last else f"round {first}"
    if number < first:
        raise BadInput(f"round {number} is paired already; choices: {choices}")
    if number > last:
        raise BadInput(f"tournament {stored.summary.id} has {last} rounds; choices: {choices}")
    check_takes(format, RulingKind.PAIR, len(stored.field), number)
    return number


def coming_round(registry: Registry, database: Database, number: int) -> ComingRound:
    """Returns the next round of a stored tournament.

    Raises:
        UnknownName: There is no such tournament, or its game or format is not installed.
    """
    decoded = decode(registry, tournament(database, number))
    stored = decoded.stored
    ruled = (each.entries for each in stored.rulings if each.kind is RulingKind.FORBID)
    groups = (tuple([stored.names[entry] for entry in each]) for each in chain(*ruled))
    return ComingRound(
        stored=stored,
        plan=decoded.plan(registry),
        results=None
        if is_running(stored)
        else tuple([result_so_far(decoded, made)[0] for made in stored.rounds]),
        forbidden=(*forbidden_groups(decoded.spec), *groups),
    )


def swapped(coming: ComingRound, one: str, other: str) -> tuple[tuple[int, ...], ...]:
    """Returns the pairings of the next round with two bots exchanged.

    Two who meet exchange their seats. All pairings are returned, so that the others stay.

    Raises:
        BadInput: One of them is not in the round, they are one bot, or a forbidden pair would meet.
    """
    made, names = coming.made(), coming.stored.names
    groups = _groups(made)
    paired = {names[index]: index for group in groups for index in group}
    for name in (one, other):
        if name not in paired:
            raise UnknownName(f"bot in round {made.number}", name, paired)
    if one == other:
        raise BadInput(f"{one}: expected two different bots")
    pair = {paired[one]: paired[other], paired[other]: paired[one]}
    found = tuple([tuple([pair.get(index, index) for index in group]) for group in groups])
    for group in found:
        coming.check_allowed(group)
    return found


def pairing_text(coming: ComingRound) -> str:
    """Returns the next round as it would be paired now, as a file of pairings made by hand."""
    id = coming.stored.summary.id
    head = f"# Round {coming.number} of tournament {id}, as it would be paired now"
    return "".join(f"{line}\n" for line in (head, *pairing_lines(coming)))


def pairing_lines(coming: ComingRound) -> list[str]:
    """Returns the pairings and byes of ``pairing_text``."""
    return [pair_line(group, coming.stored.names) for group in _groups(coming.made())]


def pairing_rows(coming: ComingRound) -> list[dict[str, object]]:
    """Returns the next round as it would be paired now, a pairing or bye a row."""
    made, names = coming.made(), coming.stored.names
    return [
        {
            "round": made.number,
            "board": board if len(group) > 1 else None,
            "names": [names[index] for index in group],
        }
        for board, group in enumerate(_groups(made), 1)
    ]


def _groups(made: Round) -> list[tuple[int, ...]]:
    return [*(pairing.seats for pairing in made.pairings), *((index,) for index in made.byes)]
