"""Finds stored matches by who played, how they ended, and how close they were."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from fnmatch import fnmatchcase
from heapq import nsmallest
from itertools import chain
from typing import Any

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import EntryRow, MatchRow, StoredTournament
from arena_results.store.queries import matches, tournament, tournaments

from arena.core.actions import unpack_ids
from arena.core.errors import BadInput, UnknownName
from arena.core.outcome import RULE_ENDINGS, Termination
from arena.core.record import PlayedMatch
from arena.core.table import Column, Table, known_values
from arena.core.table import Row as Shown
from arena.core.text.parsing import join_version
from arena.core.tournaments.format import Pairing, Participant
from arena.plugins.options import option
from arena.service.answers.rows import Row
from arena.service.match.replays import replay_command

RESULTS = ("won", "drawn", "lost")
"""Results of a bot in a match; at tables it wins by finishing first, unshared."""
CAUSES = tuple(each for each in Termination if each is not Termination.HARNESS_FAULT)
"""Endings of stored matches."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The matches to find; empty values and ``None`` do not matter.

    Names of bots are as in the standings, also with ``@VERSION``; ``*`` stands for anything.

    Attributes:
        tournament: Number of the tournament; all by default.
        bot: Plays in it.
        against: Plays in it as well.
        result: One of ``RESULTS``, for the bot; ``drawn`` also without one.
        cause: One of ``CAUSES``, by which it ended or a seat was eliminated. With a bot that has
            lost, the bot's own fault.
        round: Number of the round.
        pairing: Number of the pairing in that round.
        closest: Only that many, the closest first: those with the smallest margin between the
            two best scores, of equals those with the most decisions. Only matches that were
            played to their end are compared.
    """

    tournament: int | None = None
    bot: str = ""
    against: str = ""
    result: str = ""
    cause: str = ""
    round: int | None = None
    pairing: int | None = None
    closest: int | None = None


class FoundMatch(msgspec.Struct, frozen=True):
    """A match with its tournament, and the names of its field."""

    stored: StoredTournament
    names: tuple[str, ...]
    row: MatchRow
    played: PlayedMatch


def find_matches(
    database: Database, wanted: Wanted, *, hidden: Collection[int] = ()
) -> tuple[tuple[Column, ...], Generator[Row]]:
    """Finds the wanted matches.

    Args:
        hidden: Numbers of tournaments to leave out.

    Returns:
        The columns, and the rows in schedule order (with ``closest``, by that). They are read as
        they are taken: close them before the database.

    Raises:
        BadInput: A wanted value is unknown, or needs a bot.
    """
    cause = _checked_cause(wanted)
    if wanted.closest is not None and wanted.closest < 1:
        raise BadInput(f"the closest {wanted.closest}: expected a number from 1")
    if wanted.tournament is None:
        numbers = [each.id for each in tournaments(database)]
    else:
        numbers = [wanted.tournament]
    chosen = [tournament(database, number, matches=False) for number in numbers]
    _check_names(wanted, chosen)
    found: Iterator[FoundMatch] = chain.from_iterable(
        _found(database, wanted, cause, each) for each in chosen if each.summary.id not in hidden
    )
    if wanted.closest is not None:
        ended = (each for each in found if each.row.termination in RULE_ENDINGS)
        found = iter(nsmallest(wanted.closest, ended, key=_closeness))
    seats = max((len(made.seats) for each in chosen for made in _pairings(each)), default=2)
    return match_columns(seats), (match_line(each, seats) for each in found)


def one_result(**asked: bool) -> str:
    """Returns the one of ``RESULTS`` that is asked for, or nothing."""
    chosen = [name for name, wanted in asked.items() if wanted]
    if len(chosen) > 1:
        raise BadInput(f"{chosen[0]} and {chosen[1]}: a match has one result")
    return "".join(chosen)


def _checked_cause(wanted: Wanted) -> Termination | None:
    if wanted.result and wanted.result not in RESULTS:
        raise UnknownName("result", wanted.result, RESULTS)
    if wanted.against and not wanted.bot:
        raise BadInput(f"{option('against')}: needs {option('bot')}, too")
    if wanted.result in ("won", "lost") and not wanted.bot:
        raise BadInput(f"{option(wanted.result)}: needs {option('bot')}, too")
    if not wanted.cause:
        return None
    text = wanted.cause.replace("-", " ").replace("_", " ")
    if text not in CAUSES:
        raise UnknownName("cause", wanted.cause, CAUSES)
    return Termination(text)


def _check_names(wanted: Wanted, chosen: Sequence[StoredTournament]) -> None:
    entries = [entry for each in chosen for entry in each.field]
    for name in filter(None, (wanted.bot, wanted.against)):
        if not any(is_named(entry, name) for entry in entries):
            raise UnknownName("bot", name, {name for each in chosen for name in each.names})
    rounds = max((len(each.rounds) for each in chosen), default=0)
    if wanted.round is not None and not 1 <= wanted.round <= rounds:
        there = f"rounds 1 to {rounds} were paired" if rounds else "no round was paired yet"
        raise BadInput(f"there is no round {wanted.round}: {there}")


def is_named(entry: EntryRow, pattern: str) -> bool:
    """Returns whether a pattern is for an entry: ``NAME`` or ``NAME@VERSION``, with any ``*``."""
    return has_name(entry.participant, pattern)


def has_name(participant: Participant, pattern: str) -> bool:
    """Returns whether a pattern is for a participant, as ``is_named``."""
    named = participant.name, join_version(participant.name, participant.version)
    return any(fnmatchcase(each, pattern) for each in named)


def _pairings(stored: StoredTournament) -> Iterator[Pairing]:
    return chain.from_iterable(made.pairings for made in stored.rounds)


def _found(
    database: Database, wanted: Wanted, cause: Termination | None, stored: StoredTournament
) -> Iterator[FoundMatch]:
    own, others = (
        {index for index, entry in enumerate(stored.field) if is_named(entry, name)}
        for name in (wanted.bot, wanted.against)
    )
    boards = None
    if wanted.bot:
        boards = [
            (made.number, number)
            for made in stored.rounds
            for number, pairing in enumerate(made.pairings, 1)
            if _meets(pairing.seats, own, others if wanted.against else None)
        ]
    key = tuple([each for each in (wanted.round, wanted.pairing) if each is not None])
    number, names = stored.summary.id, stored.names
    for row, played in matches(database, number, *key, boards=boards, cause=cause):
        if _ended_so(row, wanted, cause, own):
            yield FoundMatch(stored, names, row, played)


def _meets(seats: Sequence[int], own: set[int], others: set[int] | None) -> bool:
    return any(
        others is None or any(other in others for other in seats if other != seat)
        for seat in seats
        if seat in own
    )


def _ended_so(row: MatchRow, wanted: Wanted, cause: Termination | None, own: set[int]) -> bool:
    if not wanted.result:
        return True
    best = max(row.returns)
    top = "drawn" if row.returns.count(best) > 1 else "won"
    if not wanted.bot:
        return top == "drawn"
    faults = {fault.seat: fault.cause for fault in row.faults}
    return any(
        (top if utility == best else "lost") == wanted.result
        and (cause is None or wanted.result != "lost" or faults.get(seat) is cause)
        for seat, (index, utility) in enumerate(zip(row.seats, row.returns, strict=True))
        if index in own
    )


def _closeness(found: FoundMatch) -> tuple[int, int]:
    best, second, *_ = sorted(found.row.scores, reverse=True)
    return best - second, -decisions(found.played)


def decisions(played: PlayedMatch) -> int:
    """Returns the number of decisions of a match."""
    packed = played.record.actions
    return len(packed) if packed.isascii() else len(unpack_ids(packed))


def _seated(row: Shown, key: str) -> list[Any]:
    return [
        row[f"{key}{name[4:]}"] for name in row if name.startswith("name") and row[name] is not None
    ]


def _result(row: Shown) -> str:
    winner, names = row["winner"], _seated(row, "name")
    if len(names) > 2:
        return "drawn" if winner is None else f"won by {winner}"
    return "1/2" if winner is None else "1-0" if winner == names[0] else "0-1"


def _scores(row: Shown) -> str:
    return " : ".join(map(str, _seated(row, "score")))


def _tone(row: Shown) -> str:
    return "bad" if row["offender"] or row["expelled"] else ""


def match_columns(seats: int) -> tuple[Column, ...]:
    """The columns of lists of matches, of that many seats at most."""
    of_seats = [
        Column(f"name{seat}", f"seat {seat}", drop=0, type="text", when=known_values(f"name{seat}"))
        for seat in range(seats)
    ]
    return (
        Column("match", "match", drop=0, type="text", names="match"),
        *(Column(key, type="integer") for key in ("tournament", "round", "pairing", "leg")),
        *(Column(key, type="text") for key in ("game", "ruleset")),
        *of_seats,
        *(Column(f"score{seat}", type="integer") for seat in range(seats)),
        *(Column(f"return{seat}", type="number") for seat in range(seats)),
        Column("result", "result", drop=0, cell=_result, derived=True),
        Column("scores", "score", right=True, drop=1, cell=_scores, derived=True),
        Column("winner", type="text"),
        Column("termination", "ending", drop=1, type="text", tone=_tone),
        Column("offender", "fault by", drop=2, type="text", when=known_values("offender")),
        Column("move", "move", right=True, drop=1, type="integer", when=known_values("move")),
        Column(
            "moves",
            "moves",
            right=True,
            drop=3,
            sort="decisions",
            cell=lambda row: row["decisions"],
            derived=True,
        ),
        Column("reason", "reason", drop=5, prose=True, type="text", when=known_values("reason")),
        Column(
            "expelled", "taken out", drop=4, prose=True, type="text", when=known_values("expelled")
        ),
        Column("decisions", type="integer"),
        Column("replay", type="text"),
    )


def match_table(title: str, rows: Sequence[Shown]) -> Table:
    """A list of matches, from rows of ``find_matches``."""
    seats = max((sum(key.startswith("name") for key in row) for row in rows), default=2)
    return Table(title=title, columns=match_columns(seats), rows=rows)


def match_line(found: FoundMatch, seats: int) -> Row:
    """Returns the row of a match in a list of matches, of that many seats at most."""
    stored, row, played = found.stored, found.row, found.played
    key, outcome = row.key, played.record.outcome
    names = [found.names[index] for index in row.seats]
    best = max(row.returns)
    alone = row.returns.count(best) == 1
    values: Row = {
        "match": f"{stored.summary.id}.{key}",
        "tournament": stored.summary.id,
        "round": key.round,
        "pairing": key.pairing,
        "leg": key.leg,
        "game": stored.summary.game,
        "ruleset": stored.summary.ruleset,
        "winner": names[row.returns.index(best)] if alone else None,
        "termination": row.termination.value,
        "offender": None if row.offender is None else names[row.offender],
        "move": row.move,
        "reason": outcome.reason,
        "expelled": "; ".join(
            f"{names[fault.seat]}: {fault.cause} at move {fault.move}" for fault in row.expelled
        ),
        "decisions": decisions(played),
        "replay": replay_command(stored.summary.id, key, row.move),
    }
    for key_of, each in (("name", names), ("score", row.scores), ("return", row.returns)):
        values |= {
            f"{key_of}{seat}": each[seat] if seat < len(each) else None for seat in range(seats)
        }
    return values
