"""The luck of stored matches by the value function that their tournament fixed.

Luck and scores are in match points: 1 for a match that is won, 0 for one that is lost.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from arena_results.rows import TournamentSummary
from arena_tournaments.schedule import match_points

from arena.core.errors import BadInput, UnknownName
from arena.core.game import AnyGame
from arena.core.record import MatchRecord
from arena.core.value import LEARNED, SHORT_HASH, ValueFunction
from arena.match.luck import ChanceEvent, chance_events
from arena.plugins.registry import Registry
from arena.service.learned_files import value_function_at
from arena.service.rows import Document


class MatchLuck(msgspec.Struct, frozen=True):
    """The luck in one match.

    Attributes:
        value_function: Name of the value function.
        hash: Its SHA-256.
        scores: The match points of each seat.
        luck: The luck of each seat, in match points.
        events: What chance did, in order; luck and values of an event are in match points, too.
    """

    value_function: str
    hash: str
    scores: tuple[float, ...]
    luck: tuple[float, ...]
    events: tuple[ChanceEvent, ...]

    @property
    def adjusted(self) -> tuple[float, ...]:
        """The match points of each seat less its luck."""
        return tuple([score - luck for score, luck in zip(self.scores, self.luck, strict=True)])

    def document(self) -> Document:
        """The value of ``luck`` in the JSON document of ``arena replay --luck``."""
        seats = zip(self.scores, self.luck, self.adjusted, strict=True)
        return {
            "value_function": self.value_function,
            "hash": self.hash,
            "seats": [
                {"seat": seat, "score": score, "luck": luck, "adjusted": adjusted}
                for seat, (score, luck, adjusted) in enumerate(seats)
            ],
            "events": msgspec.to_builtins(self.events),
        }


class FrozenValues(msgspec.Struct, frozen=True):
    """The value function that a tournament fixed before its first match.

    Attributes:
        name: Its name; ``None`` if none was fixed.
        hash: Its SHA-256.
    """

    name: str | None = None
    hash: str | None = None

    @property
    def learned(self) -> bool:
        """True if it was learned: luck by it takes its file."""
        return LEARNED in (self.name or "")

    def problem(self, values: ValueFunction[Any] | None) -> str:
        """Returns the reason why luck is not computed by a value function; empty if it may be."""
        if self.hash is None or (values and values.hash == self.hash):
            return ""
        fixed = (
            f"luck is switched off: the value function fixed before play is {self.name} "
            f"(sha256 {self.hash[:SHORT_HASH]})"
        )
        if self.learned:
            return f"{fixed}; give its file with --value-function"
        now = f"{values.name} (sha256 {values.hash[:SHORT_HASH]})" if values else "none"
        return f"{fixed}, and the game now has {now}"

    def checked(
        self, game: AnyGame, engine: str, ruleset: str, file: Path | None = None
    ) -> ValueFunction[Any]:
        """Returns the game's value function for matches of a tournament.

        Args:
            file: A learned value function instead, which need not be the one that was fixed.

        Raises:
            BadInput: The game has none, or another one than was fixed.
        """
        played = game.at_version(engine)
        if file is not None:
            return value_function_at(played, played.ruleset(ruleset), file)
        values = played.value_function(played.ruleset(ruleset))
        if problem := self.problem(values):
            raise BadInput(problem)
        if values is None:
            raise BadInput(f"no luck is known of {game.name}: the game has no value function")
        return values


def frozen_values(about: TournamentSummary) -> FrozenValues:
    """Returns the value function that a stored tournament fixed before its first match."""
    return FrozenValues(about.value_function, about.value_hash)


def luck_switched_off(registry: Registry, about: TournamentSummary) -> str:
    """Returns the reason why a stored tournament has no luck, where one was fixed; else empty."""
    frozen, values = frozen_values(about), None
    if frozen.hash is None:
        return ""
    with suppress(UnknownName):  # neither game nor version of its engine need be here
        played = registry.game(about.game).at_version(about.engine)
        values = played.value_function(played.ruleset(about.ruleset))
    return frozen.problem(values)


def luck_of(
    game: AnyGame,
    record: MatchRecord,
    *,
    all_seen: bool = True,
    frozen: FrozenValues = FrozenValues(),  # noqa: B008 - immutable
    file: Path | None = None,
) -> MatchLuck:
    """Returns the luck of every chance event of a match.

    Args:
        all_seen: Whether the reader may know all hidden cards.
        frozen: The value function that its tournament fixed.
        file: A learned value function instead.

    Raises:
        BadInput: The game has no value function, one that depends on hidden cards, or another one
            than was fixed.
        Divergence: The record does not re-execute to what it says.
    """
    values = frozen.checked(game, record.engine, record.ruleset, file)
    if not (values.public or all_seen):
        raise BadInput(f"luck by {values.name} follows from hidden cards: only view all shows it")
    events = tuple(
        [
            msgspec.structs.replace(
                event,
                luck=tuple([each / 2 for each in event.luck]),
                value=tuple([(1 + each) / 2 for each in event.value]),
            )
            for event in chance_events(game, record, values)
            if event.line is not None or any(event.luck)
        ]
    )
    sums = tuple([sum(event.luck[seat] for event in events) for seat in range(len(record.seats))])
    scores = match_points(record.outcome.returns)
    return MatchLuck(values.name, values.hash, tuple(scores), sums, events)
