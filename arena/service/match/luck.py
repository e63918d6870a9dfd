"""The luck of stored matches by the value function that their tournament fixed.

Luck and scores are in match points: 1 for a match that is won, 0 for one that is lost.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from arena_results.schema.rows import StoredTournament
from arena_tournaments.play.schedule import LuckOf, match_points

from arena.core.errors import AlteredResults, BadInput, UnknownName
from arena.core.game import AnyGame
from arena.core.parts.value import LEARNED, SHORT_HASH, ValueFunction
from arena.core.record import MatchRecord
from arena.match.learned.file import ValueFile
from arena.match.luck import ChanceEvent, chance_events, luck_by_seat
from arena.plugins.options import option
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.lookup.learned_files import file_at, fixed_file, learned_values


class MatchLuck(msgspec.Struct, frozen=True):
    """The luck in one match.

    Attributes:
        value_function: Name of the value function.
        hash: Its SHA-256.
        independent: Whether the values were learned from other deals than the tournament's, or not
            at all; ``None`` if it is not known.
        scores: The match points of each seat.
        luck: The luck of each seat, in match points.
        events: What chance did, in order; luck and values of an event are in match points, too.
    """

    value_function: str
    hash: str
    independent: bool | None
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
            "independent": self.independent,
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
        file: The file of a learned one; ``None`` if it is not stored.
        deals: Names the deals of the tournament (``SeedSource.deals``).
    """

    name: str | None = None
    hash: str | None = None
    file: ValueFile | None = None
    deals: str = ""

    @property
    def learned(self) -> bool:
        """True if it was learned."""
        return LEARNED in (self.name or "")

    def problem(self, values: ValueFunction[Any] | None) -> str:
        """Returns the reason why luck is not computed by a value function; empty if it may be."""
        if self.hash is None or (values and values.hash == self.hash):
            return ""
        fixed = (
            f"luck is switched off: the value function fixed before play is {self.name} "
            f"(sha256 {self.hash[:SHORT_HASH]})"
        )
        if self.learned and self.file is None:
            return f"{fixed}; give its file with {option('value_function', ...)}"
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
        rules = played.ruleset(ruleset)
        learned = self.file if file is None else file_at(file, played, rules)
        if learned is not None:
            return learned_values(learned, played, rules)
        values = played.luck.value_function(rules)
        if problem := self.problem(values):
            raise BadInput(problem)
        if values is None:
            raise BadInput(f"no luck is known of {game.name}: the game has no value function")
        return values


def frozen_values(stored: StoredTournament) -> FrozenValues:
    """Returns the value function that a stored tournament fixed before its first match.

    Raises:
        AlteredResults: The stored file is another one.
    """
    about = stored.summary
    try:
        content = stored.values()
        file = None if content is None else fixed_file(content, about.value_hash)
    except AlteredResults as error:
        raise AlteredResults(f"tournament {about.id}: {error}") from None
    return FrozenValues(about.value_function, about.value_hash, file, about.seeds.deals)


def luck_switched_off(registry: Registry, stored: StoredTournament) -> str:
    """Returns the reason why a stored tournament has no luck, where one was fixed; else empty."""
    about, frozen, values = stored.summary, frozen_values(stored), None
    if frozen.hash is None:
        return ""
    with suppress(UnknownName):  # neither game nor version of its engine need be here
        played = registry.game(about.game).at_version(about.engine)
        rules = played.ruleset(about.ruleset)
        if frozen.file is not None:
            try:
                frozen.file.check_fits(played, rules)
            except BadInput as error:
                return f"luck is switched off: {error}"
            return ""
        values = played.luck.value_function(rules)
    return frozen.problem(values)


def win_probability(value: float) -> float:
    """Returns a value as a win probability; learned values may lie a little outside of -1..1."""
    return min(max((1 + value) / 2, 0.0), 1.0)


def luck_of_matches(game: AnyGame, values: ValueFunction[Any]) -> LuckOf:
    """Returns the function that computes the luck in a match by a value function."""

    def luck(record: MatchRecord) -> tuple[float, ...]:
        return tuple([own / 2 for own in luck_by_seat(game, record, values)])

    return luck


def luck_of(
    game: AnyGame,
    record: MatchRecord,
    values: ValueFunction[Any],
    *,
    deals: str,
    all_seen: bool = True,
) -> MatchLuck:
    """Returns the luck of every chance event of a match.

    Args:
        values: A value function for the match's ruleset and engine (``FrozenValues.checked``).
        deals: Names the deals of its tournament (``SeedSource.deals``).
        all_seen: Whether the reader may know all hidden cards.

    Raises:
        BadInput: The values depend on hidden cards that the reader may not know.
        Divergence: The record does not re-execute to its contents.
    """
    if not (values.public or all_seen):
        raise BadInput(f"luck by {values.name} follows from hidden cards: only view all shows it")
    events = tuple(
        [
            msgspec.structs.replace(
                event,
                luck=tuple([each / 2 for each in event.luck]),
                value=tuple(map(win_probability, event.value)),
            )
            for event in chance_events(game, record, values)
            if event.line is not None or any(event.luck)
        ]
    )
    sums = tuple([sum(event.luck[seat] for event in events) for seat in range(len(record.seats))])
    scores = tuple(match_points(record.outcome.returns))
    independent = values.independent_of(deals)
    return MatchLuck(values.name, values.hash, independent, scores, sums, events)
