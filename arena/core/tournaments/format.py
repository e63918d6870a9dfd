"""The types of tournaments, in FIDE's terms, on the layer below the hooks that use them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Rows, rows_of
from arena.core.record import MatchKey, PlayedMatch
from arena.core.table import Table
from arena.core.text.parsing import join_version

SHOWN_DIGITS = 12
"""Hexadecimal digits of a content hash that people are shown."""


class Participant(msgspec.Struct, frozen=True):
    """An entered bot version, to which ratings belong.

    Attributes:
        name: Name with its parameters, e.g. ``"stand(at=17)"``; with the version unique within a
            tournament.
        version: Version of its distribution, file or submission.
        content: SHA-256 of its code, 64 hexadecimal digits.
    """

    name: str
    version: str
    content: str

    @property
    def key(self) -> str:
        """The identity over all tournaments: ``name@version+content``."""
        return f"{self.name}@{self.version}+{self.content}"

    @property
    def label(self) -> str:
        """The key as people see it, with the digits of the content that are shown."""
        return f"{self.name}@{self.version}+{self.content[:SHOWN_DIGITS]}"


def shown_names(field: Sequence[Participant]) -> tuple[str, ...]:
    """Returns the names by which the members of a field are shown, each of them another.

    Where several versions of one bot meet, theirs are ``NAME@VERSION``.
    """
    entered = Counter(each.name for each in field)
    return tuple(
        join_version(each.name, each.version) if entered[each.name] > 1 else each.name
        for each in field
    )


class Pairing(msgspec.Struct, frozen=True):
    """The participants who meet, as indices into the field; the first seat is FIDE's white.

    Attributes:
        seats: 2-6 distinct indices into the field.
    """

    seats: tuple[int, ...]


class Absence(msgspec.Struct, frozen=True):
    """An entrant that an organiser's decision (``rulings``) keeps from a round.

    Attributes:
        index: Its index into the field.
        points: Its score, as a share of the worth of a pairing of the round.
        gone: Whether it had left for good before the round was paired.
        rests: Whether it returns later: nobody takes points for its missing matches.
    """

    index: int
    points: float = 0.0
    gone: bool = False
    rests: bool = False


class Round(msgspec.Struct, frozen=True):
    """One round: its pairings in board order, and its byes.

    Attributes:
        number: 1 and up.
        pairings: The pairings; the pairing number of a match's key counts them from 1.
        byes: Indices of participants without an opponent, which score a bye. A participant left
            out of a round altogether scores nothing in it.
        absent: The entrants that do not play it. A seated one forfeits the matches of its pairing
            that are not played.
    """

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    absent: tuple[Absence, ...] = ()

    @property
    def away(self) -> frozenset[int]:
        """The indices of absent entrants."""
        return frozenset([each.index for each in self.absent])

    @property
    def forfeiting(self) -> frozenset[int]:
        """The indices of absent entrants that do not just rest."""
        return frozenset([each.index for each in self.absent if not each.rests])


class PairingResult(msgspec.Struct, frozen=True):
    """The result of one pairing.

    Attributes:
        points: Match points each of them took over the pairing's matches: of each match the
            share of the opponents that it beat, a tie half; of two, a won match 1, a drawn one
            1/2 (same order as ``pairing.seats``).
        duels: For more than two, the points of each (row) against each other (column): 1, 1/2
            or 0 a match; 0 against itself. For two, empty, as ``points`` is enough.
        won: For more than two, the number of matches that each finished alone on top.
        forfeited: Indices of entrants that did not play all of its matches; the other one, if there
            is one, wins it.
        awarded: Match points among ``points`` for matches that were forfeited.
        void: Indices of entrants with annulled results; nobody has points of the pairing then.
        amounts: Where matches are scored by amount, what each took of them in all, in the game's
            unit. The points then go by these: the one with more has beaten the other in all of
            the pairing's matches.
        matches: Where matches are scored by amount, their number.
        drawn: The number of matches that each (row) tied with each other (column); empty where
            none was.
    """

    pairing: Pairing
    points: tuple[float, ...]
    duels: tuple[tuple[float, ...], ...] = ()
    won: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()
    awarded: float = 0.0
    void: tuple[int, ...] = ()
    amounts: tuple[float, ...] = ()
    matches: int = 0
    drawn: tuple[tuple[int, ...], ...] = ()

    def against(self, seat: int, other: int) -> float:
        """Returns the match points that one seat took from another: 1, 1/2 or 0 a match."""
        return self.duels[seat][other] if self.duels else self.points[seat]

    @property
    def unplayed(self) -> bool:
        """True if all of its matches were forfeited."""
        return bool(self.forfeited) and sum(self.points) <= self.awarded


class RoundResult(msgspec.Struct, frozen=True):
    """A finished round with its results, one a pairing in the order of ``round.pairings``."""

    round: Round
    results: tuple[PairingResult, ...]


class Entrant(msgspec.Struct, frozen=True):
    """A member of the field, for pairing.

    Attributes:
        name: Shown in errors.
        rating: Its rating when the tournament began; breaks no tie unless seeding is by rating.
        author: Who wrote it, where bots of one author will be kept apart; else empty.
        absent: Whether it does not play the round that will be paired.
        gone: Whether it has left for good.
        joined: Its first round; later than 1 for late entries, which are last in initial order.
        seated: Its pairing in the round that will be paired, if an organiser made that by hand, as
            indices into the field; itself only for a bye. It is then absent for the format, which
            pairs the others.
    """

    name: str
    rating: float = 1500.0
    author: str = ""
    absent: bool = False
    gone: bool = False
    joined: int = 1
    seated: tuple[int, ...] = ()


class Lots(msgspec.Struct, frozen=True):
    """An order of entrants that was drawn by lot.

    Attributes:
        round: First round that is paired by it.
        order: Indices into the field, the first drawn first.
    """

    round: int
    order: tuple[int, ...]


class Tables(msgspec.Struct, frozen=True):
    """The number of seats at a table.

    Attributes:
        most: Seats of a full table, as the tournament was set up, 2 and up.
        least: The fewest that the game can seat, 2 .. ``most``.
    """

    most: int = 2
    least: int = 2

    def sizes(self, entrants: int) -> tuple[int, ...]:
        """Returns the sizes of one round's tables, the largest first; entrants left over rest.

        As few tables as seat everybody, as equal as possible: 7 entrants at tables of up to 6 sit 4
        and 3. Where a table would fall below ``least`` there is one less, and some rest. A field
        that does not fill one table raises ``BadInput``.
        """
        if entrants < self.least:
            raise BadInput(f"a table needs at least {self.least} entrants, not {entrants}")
        tables = min(-(-entrants // self.most), entrants // self.least)
        size, larger = divmod(min(entrants, tables * self.most), tables)
        return tuple([size + 1] * larger + [size] * (tables - larger))


PAIRS = Tables()
"""Tables of two."""

EXHIBITION = "exhibition"
"""Name of the format with matches that no rating counts."""


USUAL_POINTS = (1.0, 0.5, 0.0)
"""Points of a win, a draw and a loss, where nobody says others."""


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """One way to score pairings, as a row that a format supplies.

    Attributes:
        name: Its name in documents.
        summary: One line for people, by the usual points; ``1, 1/2 or 0`` in it becomes the
            points of the event.
        scores: The score of each seat of a pairing, in seat order, where a win scores 1, a draw
            1/2, a loss 0.
        worth: The most that a pairing can give a seat, by the same points.
        bye: What a bye scores, as a share of what a pairing of its round is worth. 0: a bye is
            no round at all, its rester misses nothing.
        tie_breaks: Acronyms of the tie-breaks in the order in which they count, of those that
            there are (``arena_tournaments.scoring.tiebreaks``, of which none needs ratings).
        by_mean: Whether the mean amount per match is the score, and ranks first.
        whole: Whether ``scores`` gives a pairing 1, 1/2 or 0; else every match scores.
        points: What a win, a draw and a loss score: of a pairing as a whole, or of every match.
        bye_points: What an allocated bye scores in these points, per match where every match
            scores; ``None`` for the share ``bye``.
        forfeit_points: Points of a bot that does not play: for a whole pairing without a match
            played, or for every match that was not played.
        own: Whether the tie-breaks are the organiser's, and not the row's.
        reached: What the format's ``reached`` counts, in words, e.g. ``"the place in the group"``;
            empty if the summary says it.
    """

    name: str
    summary: str
    scores: Callable[[PairingResult], tuple[float, ...]]
    worth: Callable[[PairingResult], float]
    bye: float
    tie_breaks: tuple[str, ...]
    by_mean: bool = False
    whole: bool = False
    points: tuple[float, float, float] = USUAL_POINTS
    bye_points: float | None = None
    forfeit_points: float = 0.0
    own: bool = False
    reached: str = ""

    @property
    def all_meet(self) -> bool:
        """True for formats in which everybody meets everybody.

        There every match point counts as soon as it is taken; elsewhere a round counts, and
        decides who meets next, when it is over.
        """
        return not self.bye

    @property
    def usual(self) -> bool:
        """True if a win scores 1, a draw 1/2, a loss and a forfeit 0."""
        return self.points == USUAL_POINTS and not self.forfeit_points

    @property
    def draw(self) -> float:
        """The points of a draw, as a share of a win."""
        return self.points[1] / self.points[0]

    def of_share(self, share: float, least: float = 0.0) -> float:
        """Returns the points of a share of a win: 1 is a win, 1/2 a draw.

        Args:
            least: The points of a share of 0.
        """
        win, draw, _ = self.points
        bend = (draw - (win + least) / 2) * (1 - abs(2 * share - 1))
        return share * win + (1 - share) * least + bend

    def of_bye(self) -> float:
        """Returns the points of an allocated bye: of a pairing as a whole, or per match."""
        return self.of_share(self.bye) if self.bye_points is None else self.bye_points


class Strengths(msgspec.Struct, frozen=True):
    """The strengths of a field, estimated jointly from its results.

    Attributes:
        values: One an entrant, in natural units (1 is 174 Elo); only differences mean anything.
        covariance: Of the values, as the results show it.
    """

    values: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]


EstimateStrengths: TypeAlias = Callable[[int, Sequence[RoundResult]], Strengths]
"""Estimates the strengths of a number of entrants from finished rounds of two-seat matches; pure.
Higher layers connect formats to a rating system."""


class Neighbours(msgspec.Struct, frozen=True):
    """Two entrants next to each other in the order of strength.

    Attributes:
        upper: The one that the results call stronger.
        ahead: By how much, in natural units.
        low: Lower end of the interval of that, which holds for all neighbours at once and however
            often one looks; minus infinity while too little is known.
        high: The upper end.
        separated: Whether it and everybody above it is stronger than everybody below it.
    """

    upper: int
    lower: int
    ahead: float
    low: float
    high: float
    separated: bool


class Bout(msgspec.Struct, frozen=True, kw_only=True):
    """One bout of a bracket, as it stands.

    Attributes:
        name: Its name, e.g. ``"final"``.
        round: Round in which it is played.
        entrants: The two that meet; ``None`` for one not known yet.
        sides: What each of them comes from, in words, e.g. ``"loser of semifinal 1"``.
        winner_of: Index within the bracket of the bout that each of them won before; ``None`` if
            it comes from elsewhere, as both sides of a second final.
        points: Match points of each, or amounts, once it was played.
        winner: Who won it.
        forfeited: Who did not play all of it, and so lost it; if both, the higher seed continues.
    """

    name: str
    round: int
    entrants: tuple[int | None, int | None]
    sides: tuple[str, str]
    winner_of: tuple[int | None, int | None]
    points: tuple[float, float] | None = None
    winner: int | None = None
    forfeited: tuple[int, ...] = ()


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A named part of the standings, such as a group, or a table of something else, such as teams.

    Attributes:
        title: Its heading, e.g. ``"Group A"``.
        members: Who belongs to it, by index into the field. Without a table of its own it lists
            them, ranked by the format's scoring over their pairings with each other. Members are
            rivals, who do not meet again in the first round of a bracket that follows.
        table: Its own table with rows of any kind; its title is not used.
    """

    title: str
    members: tuple[int, ...] = ()
    table: Table | None = None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a tournament's keys that its format has to know, besides its own options.

    Attributes:
        rounds: The rounds (or cycles) that were requested.
        games: Matches of a pairing that were requested.
        raced: Whether a pairing continues until one is ahead, so that pairings differ in length.
    """

    rounds: int | None = None
    games: int | None = None
    raced: bool = False


class Format(msgspec.Struct, kw_only=True):
    """A kind of tournament; pure: the same field and results give the same round.

    A format is a subclass. It has to have a name, ``rounds``, ``next_round`` and ``scoring``; all
    else has a default. Its options are its fields that are annotated with an ``Option``.

    Attributes:
        name: Name that people type, e.g. ``"swiss"``.
        summary: One line for lists.
        seats: The sizes of a full table that it can pair: ``range(2, 3)`` for pairs.
        rulings: How its field may change between its rounds (``arena.core.tournaments.rulings``):
            ``"withdraw"``, ``"disqualify"``, ``"add"``, ``"bye"``; ``"void"`` for results that are
            annulled, ``"now"`` for changes within a round, ``"rest"`` for entrants that pause in
            the middle of a round and return. It may seat absent entrants
            (``Entrant.absent``): they forfeit their pairings. ``"pair"`` for pairings by hand: such
            a format seats nobody who is absent. ``"forbid"`` for forbidden pairs (``forbidding``),
            ``"lots"`` for ties that are decided by lot.
        ends_early: Whether the number of rounds is the most that it plays.
        plays_off: Whether its rounds without ``pairings`` are play-offs, which only ties need.
        open_ended: Whether it has no end of its own: where it pairs no round, it waits for another
            entrant, and its organiser ends it.
        for_people: Whether a program has to bring a person; nobody chooses it for a tournament.
        eliminates: Whether each pairing needs a winner; such a format has a ``bracket``.
        by_strength: Whether it ranks by strengths, which are estimated from the results
            (``estimated_by``), until they are known; such a format has ``neighbours``.
        confidence: Of ``by_strength``, the chance, in percent, that no neighbours are ever called
            separated wrongly.
        games: Matches of a pairing, where the format says how many; 0 elsewhere.
        lots: Orders that an organiser had drawn; ``ranked`` goes by them where all of a tie were
            drawn together.
    """

    name: str = ""
    summary: str = ""
    seats: range = range(2, 3)
    rulings: frozenset[str] = frozenset()
    ends_early: bool = False
    plays_off: bool = False
    open_ended: bool = False
    for_people: bool = False
    eliminates: bool = False
    by_strength: bool = False
    confidence: float = 0.0
    games: int = 0
    lots: tuple[Lots, ...] = ()

    def options(self) -> Rows:
        """Returns its options by key, each with its default here."""
        return {
            key: msgspec.structs.replace(row, default=getattr(self, key))
            for key, row in rows_of(type(self)).items()
        }

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> Format:
        """Returns the format with the options that were given; they were checked by their rows.

        Raises:
            BadInput: They do not go together.
        """
        return msgspec.structs.replace(self, **options)

    def check_field(self, names: Sequence[str]) -> None:
        """Refuses a field that its options do not fit; by default every field fits.

        Args:
            names: The field's names in initial order.

        Raises:
            BadInput: The options name bots that are not entered, or do not go with the field.
        """

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the number of rounds that will be played.

        Args:
            requested: The user's request; ``None`` takes the format's default.
            tables: How many sit at a table; ``tables.most`` is one of ``seats``.

        Raises:
            BadInput: The field or the request does not fit the format.
        """
        raise NotImplementedError

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        """Pairs the next round; ``None`` when the tournament is over.

        Args:
            field: The entrants in initial order (pairing number 1 first).
            rounds: The number that ``rounds`` returned.
            tables: How many sit at a table.
        """
        raise NotImplementedError

    def scoring(self) -> Scoring:
        """Returns the scoring of pairings and byes, with the tie-breaks of equals."""
        raise NotImplementedError

    def ending(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], tables: Tables = PAIRS
    ) -> str:
        """Returns why no further round can be paired, in words; empty if one can.

        It is for formats that end before their last round where that many have left.
        """
        return ""

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round, at most; by default all are seated."""
        return [len(tables.sizes(entrants))] * rounds

    def reached(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[float] | None:
        """Returns what each entrant has reached, in initial order; the higher stands higher.

        Equals stand in the order of their scores; where the scoring has no tie-breaks, they share
        their rank. ``None``: the score alone counts.
        """
        return None

    def sections(self, names: Sequence[str], played: Sequence[RoundResult]) -> Sequence[Section]:
        """Returns the parts that the standings have as well; by default there are none.

        Args:
            names: The field's names in initial order.
        """
        return ()

    def seatable(self, field: Sequence[Entrant], played: Sequence[RoundResult]) -> Sequence[int]:
        """Returns the indices of the entrants that an organiser may seat in the next round."""
        return [index for index, entrant in enumerate(field) if not entrant.absent]

    def forbidding(self, groups: Sequence[tuple[str, ...]]) -> Format:
        """Returns the format in which no two of a group of names meet any more."""
        return self

    def bracket(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[Bout]:
        """Returns all bouts of a bracket, each after the bouts that feed it.

        A pairing drawn to the end counts for the one higher in the initial order.
        """
        return ()

    def estimated_by(self, estimate: EstimateStrengths) -> Format:
        """Returns the format with this way to estimate strengths."""
        return self

    def neighbours(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[Neighbours]:
        """Returns the neighbours from the strongest down, without entrants that have left."""
        return ()


class Job(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One scheduled match, with everything fixed at scheduling.

    Attributes:
        seed: Seed of the deal; the matches of one mirrored set share it.
        bot_seed: The bots' private seeds come from it; different in every match.
        seats: Index into the field of the participant in each seat.
    """

    key: MatchKey
    seed: int
    bot_seed: int
    seats: tuple[int, ...]


BotDriver: TypeAlias = Callable[[Sequence[Job]], Sequence[PlayedMatch]]
"""Plays matches of one game and ruleset among a fixed field, as a tournament would, with new bots
in each; returns them in the order of the jobs, and raises ``HarnessFault`` for a void one. Higher
layers connect it to a host; member 0 of the field is the bot that is examined."""
