"""The values written to and read from a results database: plain and immutable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum

import msgspec

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.outcome import RULE_ENDINGS, Fault, Termination
from arena.core.record import MatchKey
from arena.core.tournaments.format import EXHIBITION, Participant, Round, shown_names
from arena.core.tournaments.rulings import Ruling


class Status(StrEnum):
    """The status of a tournament."""

    RUNNING = "running"
    """Being played by some process."""
    INTERRUPTED = "interrupted"
    """Stopped, or its process was killed: it can be resumed."""
    WAITING = "waiting"
    """Open-ended, and nobody needs a match: it continues when its field changes."""
    FINISHED = "finished"
    """Every match was played."""
    DELETED = "deleted"
    """Only its number is left, which is not given again; no function returns it."""


class NewTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament to be created.

    Attributes:
        name: Free text for people.
        ruleset: Name of the ruleset, with its options.
        games: Matches a pairing.
        mirrored: Whether the legs of a mirrored set share their deal.
        rounds: Number of rounds planned.
        seed: Its open seed, 0 .. 2**53-1; ``None`` when it has a key.
        key: Its key; ``None`` when it has a seed.
        seed_origin: Which of them, and who knows it.
        nonce: Drawn with the key; ``None`` where the key was not drawn.
        commitment: The published commitment to key and nonce (``SeedSource.commitment``).
        value_function: Name of the value function by which its luck is computed, fixed before the
            first match; ``None`` where none was.
        value_hash: Its SHA-256.
        stake: Credits each match is played for; 0 without wagers.
        purse: Credits each entry starts with.
    """

    name: str
    game: str
    ruleset: str
    engine: str
    format: str
    games: int
    mirrored: bool
    rounds: int
    seed: int | None = None
    key: str | None = None
    seed_origin: SeedOrigin = SeedOrigin.OPEN_SEED
    nonce: str | None = None
    commitment: str | None = None
    value_function: str | None = None
    value_hash: str | None = None
    stake: int = 0
    purse: int = 0
    spec: str = "{}"

    @property
    def seeds(self) -> SeedSource:
        """The source from which the seeds of its matches are derived."""
        return SeedSource(self.seed_origin, self.seed, self.key, self.nonce)

    @property
    def seeds_problem(self) -> str:
        """The reason why no tournament has this source and commitment; empty if one can."""
        return self.seeds.problem(self.commitment)


class EntryRow(msgspec.Struct, frozen=True):
    """A member of a tournament's field, with its rating when the tournament began.

    The field index is its position in the list. The author is empty where none is known.
    """

    participant: Participant
    rating: float = 1500.0
    author: str = ""


class TournamentSummary(NewTournament, frozen=True, kw_only=True):
    """A stored tournament, with its progress.

    Attributes:
        id: Number that people type.
        created_at: When it was created, UTC.
        finished_at: When it was finished, UTC.
    """

    id: int
    status: Status
    entries: int
    matches: int
    created_at: datetime
    finished_at: datetime | None

    @property
    def rated(self) -> bool:
        """True if leaderboards count its matches."""
        return self.format != EXHIBITION


class MatchRow(msgspec.Struct, frozen=True):
    """A stored match without its record's bytes.

    Attributes:
        seats: Field index of the participant in each seat.
        returns: One utility a seat; sorted, they are the finishing order.
        scores: The game's own amounts a seat.
        offender: The seat whose fault ended it.
        move: Number of decisions taken before the fault.
        expelled: The seats that were eliminated while the others played on, in that order.
        isolation: The level at which its bots ran, as in its measurement.
    """

    key: MatchKey
    seats: tuple[int, ...]
    seed: int
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    termination: Termination
    offender: int | None
    move: int | None
    expelled: tuple[Fault, ...] = ()
    isolation: str = "trusted"

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault of the match in order, the one that ended it last, without its reason."""
        if self.termination in RULE_ENDINGS or self.offender is None or self.move is None:
            return self.expelled
        return (*self.expelled, Fault(self.offender, self.termination, self.move))


class Ending(msgspec.Struct, frozen=True, array_like=True):
    """The number of matches of a pairing that ended alike.

    Attributes:
        seats: Field index of the participant in each seat.
        returns: One utility a seat.
        faults: Seat and cause of each fault, in order.
        isolation: The level at which its bots ran.
        count: Number of such matches.
        scores: Sums of the game's own amounts, by seat.
        first: Leg of the first of them.
        moves: Decisions taken in the first one before each fault.
    """

    seats: tuple[int, ...]
    returns: tuple[float, ...]
    faults: tuple[tuple[int, Termination], ...]
    isolation: str
    count: int
    scores: tuple[int, ...]
    first: int
    moves: tuple[int, ...]


class PairingSums(msgspec.Struct, frozen=True, array_like=True):
    """The sums of one pairing.

    Attributes:
        endings: Sorted by their first legs.
        deals: How often the matches of one deal gave the pairing's lowest member these points,
            leg by leg. Matches are legs of a deal where the tournament is mirrored, a group of as
            many in a row as there are seats; else each has a deal of its own.
        begun: Deals of which legs are missing, by number from 0: leg and points of each match.
    """

    endings: tuple[Ending, ...] = ()
    deals: tuple[tuple[tuple[float, ...], int], ...] = ()
    begun: tuple[tuple[int, tuple[tuple[int, float], ...]], ...] = ()

    @property
    def matches(self) -> int:
        """Number of matches."""
        return sum(ending.count for ending in self.endings)

    @property
    def units(self) -> int:
        """Number of deals of which a match is stored."""
        return sum(count for _, count in self.deals) + len(self.begun)


class MemberLuck(msgspec.Struct, frozen=True, array_like=True):
    """The sums of one member of a pairing over the deals, in match points.

    A deal has the sums of its legs: their number, the member's points, its luck, and the points
    less the luck by coefficients fitted on earlier deals (``ratings.predictable``).

    Attributes:
        index: Of the member, in the field.
    """

    index: int
    points: float
    legs_points: float
    points_points: float
    luck: float
    legs_luck: float
    luck_luck: float
    points_luck: float
    fitted: float
    legs_fitted: float
    fitted_fitted: float


class LuckSums(msgspec.Struct, frozen=True, array_like=True):
    """The sums over the luck of one pairing.

    Attributes:
        matches: Number of its matches that are in them.
        deals: Number of deals.
        legs_legs: Sum of the squared numbers of legs a deal.
        members: By index in the field.
    """

    matches: int
    deals: int
    legs_legs: int
    members: tuple[MemberLuck, ...]


class VoidMatch(msgspec.Struct, frozen=True):
    """A match that was begun and does not count; it was played again, or is still to be.

    Attributes:
        cause: ``HARNESS_FAULT``, or the cause of a loss that was taken back.
        reason: One line for people.
        offender: Of such a loss, whose it was: an index into the field.
        attempt: Counts the void attempts of one match from 1; the store gives it.
        at: When it was void, UTC.
    """

    key: MatchKey
    cause: Termination
    reason: str
    offender: int | None = None
    attempt: int = 0
    at: datetime = msgspec.field(default_factory=lambda: datetime.now(UTC))


class StoredTournament(msgspec.Struct, frozen=True):
    """A stored tournament with everything that a resumed run needs.

    Attributes:
        field: Its entries, in initial order.
        rounds: The rounds paired so far, in order; the last ones may be unfinished.
        played: The matches stored so far, in schedule order; they are read when they are asked for.
        sums: The sums over them, by round and pairing, in the order of these.
        heads: The head of the results' chain after each round (``chain``); ``None`` for one that is
            not finished, or was finished by a version without chains.
        void: Matches that were begun and do not count, in schedule order.
        rulings: The organiser's decisions, in their order.
        luck: The sums over the luck of its matches that are stored, by round and pairing.
        values: Reads the file of the learned value function that it fixed; ``None`` where it fixed
            none, or the file is not kept.
    """

    summary: TournamentSummary
    field: tuple[EntryRow, ...]
    rounds: tuple[Round, ...]
    played: Mapping[MatchKey, MatchRow]
    heads: tuple[str | None, ...] = ()
    void: tuple[VoidMatch, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    sums: Mapping[tuple[int, int], PairingSums] = msgspec.field(default_factory=dict)
    luck: Mapping[tuple[int, int], LuckSums] = msgspec.field(default_factory=dict)
    values: Callable[[], bytes | None] = lambda: None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its field as they are shown, in initial order."""
        return shown_names([entry.participant for entry in self.field])

    @property
    def endings(self) -> tuple[tuple[MatchKey, Ending], ...]:
        """Its endings, each with the key of the first match, in the order of the pairings."""
        return tuple(
            (MatchKey(*board, ending.first), ending)
            for board, sums in self.sums.items()
            for ending in sums.endings
        )

    @property
    def chain(self) -> str | None:
        """The head of the chain over all results, once the tournament is finished."""
        finished = self.summary.status is Status.FINISHED
        return self.heads[-1] if finished and self.heads else None


def spec_with(spec: str, **keys: object) -> str:
    """Returns a tournament's spec with other values for these keys."""
    return msgspec.json.encode(msgspec.json.decode(spec, type=dict[str, object]) | keys).decode()
