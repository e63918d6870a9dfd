"""Stored matches: found by their numbers, shown from a point of view, and re-executed."""

from __future__ import annotations

import re

import msgspec
from arena_results.agreement import check_columns
from arena_results.database import Database
from arena_results.queries import field, played_match, stored_matches, summary, tournaments
from arena_results.replays.views import Replay, View, replay_view, view_named
from arena_results.rows import Status

from arena.core.errors import Divergence, ParseError
from arena.core.game import AnyGame
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournament import Participant
from arena.match.replay import verify as execute_again
from arena.plugins.registry import Registry

FORM = "TOURNAMENT.ROUND.PAIRING.LEG, all from 1, e.g. 3.1.2.1"


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of a match, or of several: those that are left out of ``rest`` stand for all."""

    tournament: int
    rest: tuple[int, ...] = ()

    @property
    def key(self) -> MatchKey:
        """The match; of several the first."""
        return MatchKey(*self.rest, *[1] * (3 - len(self.rest)))


class ShownMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A played match with its game and its players by seat, to be shown from any point of view.

    Attributes:
        number: ``TOURNAMENT.ROUND.PAIRING.LEG``; empty when it is not stored.
        shows_seed: Whether the seed of the deal may be shown.
    """

    number: str = ""
    game: AnyGame
    players: tuple[Participant, ...]
    played: PlayedMatch
    shows_seed: bool = True

    def view(self, name: str) -> View:
        """The point of view ``public``, ``seat0``, ``seat1``, ... or ``all``."""
        view = view_named(name, len(self.players))
        return view if self.shows_seed else msgspec.structs.replace(view, shows_seed=False)

    def replay(self, view: str) -> Replay:
        """The match move by move; no card, seed or traceback that the view may not know.

        Raises:
            UnknownName: There is no such view.
            Divergence: The match does not re-execute to what its record says.
        """
        error = self.played.measurement.error
        return replay_view(self.game, self.played.record, self.view(view), error)

    def document(self, view: str) -> dict[str, object]:
        """The JSON document of ``arena replay``."""
        replay = self.replay(view)
        document: dict[str, object] = {"match": self.number, **msgspec.to_builtins(replay)}
        document["seats"] = [
            {"seat": seat.seat, **msgspec.structs.asdict(player), "loadout": seat.loadout}
            for seat, player in zip(replay.seats, self.players, strict=True)
        ]
        return document


class Verified(msgspec.Struct, frozen=True):
    """The result of a re-execution, up to the first difference.

    Attributes:
        matches: Number of matches that are what their records say.
        decisions: Number of their decisions.
        differs: Name of the match that is not; empty if there is none.
        difference: What is different in it.
    """

    matches: int
    decisions: int
    differs: str = ""
    difference: str = ""

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena replay --verify``."""
        if self.differs:
            return {"verified": False, "match": self.differs, "difference": self.difference}
        return {"verified": True, "matches": self.matches, "decisions": self.decisions}


def parse_numbers(database: Database, text: str) -> Numbers:
    """Reads the numbers of a match: ``TOURNAMENT[.ROUND[.PAIRING[.LEG]]]``.

    Raises ``ParseError`` with the tournaments that there are.
    """
    if not re.fullmatch(r"0*[1-9]\d{0,8}(\.0*[1-9]\d{0,8}){0,3}", text, re.ASCII):
        ids = [str(each.id) for each in tournaments(database)]
        there = f"there are tournaments {ids[0]} to {ids[-1]}" if ids else "there is none yet"
        raise ParseError(f"cannot read the match {text!r}; write {FORM}; {there}")
    tournament, *rest = map(int, text.split("."))
    return Numbers(tournament, tuple(rest))


def stored_match(
    registry: Registry, database: Database, tournament: int, key: MatchKey
) -> ShownMatch:
    """A match of a stored tournament; raises ``BadInput`` if there is none."""
    played = played_match(database, tournament, key)
    players = {each.participant.key: each.participant for each in field(database, tournament)}
    return ShownMatch(
        number=f"{tournament}.{key}",
        game=registry.game(played.record.game),
        players=tuple(players[seat] for seat in played.record.seats),
        played=played,
        # Before, legs of the same deal may still be to be played.
        shows_seed=summary(database, tournament).status is Status.FINISHED,
    )


def verify(registry: Registry, database: Database, numbers: Numbers) -> Verified:
    """Re-executes stored matches one by one, up to the first that differs.

    They are one match, or all of a pairing, round or tournament; ``BadInput`` if there are none.
    """
    id = numbers.tournament
    played_match(database, id, numbers.key)  # there is one
    about, entries = summary(database, id), field(database, id)
    count = decisions = 0
    for row, played in stored_matches(database, id, *numbers.rest):
        try:
            decisions += execute_again(registry.game(played.record.game), played.record)
            check_columns(about, entries, row, played.record)
        except Divergence as error:
            return Verified(count, decisions, f"{id}.{played.key}", str(error))
        count += 1
    return Verified(count, decisions)
