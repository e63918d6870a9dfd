"""Rulings over every format: who is paired, what is forfeited, what counts, and the same again."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.ratings.fits.rounds import strengths
from arena_tournaments.dutch.rounds import pair_next_round
from arena_tournaments.formats.adaptive import Adaptive, UntilSeparated
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.gauntlet import Gauntlet
from arena_tournaments.formats.groups import Groups
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.rulings import (
    disqualified,
    drawn,
    field_of_round,
    has_left,
    ruled,
    under,
    void_pairings,
)
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed, WithWinner
from arena_tournaments.scoring.scoring import PAIRING, history
from arena_tournaments.scoring.standings import ranked
from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.tournament import report_of_swiss
from arena_tournaments.trf.writing import write_trf
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.tournaments.format import PAIRS, Tables, Wanted
from arena.core.tournaments.rulings import NAMES_SEVERAL, Ruling, RulingKind, absences
from tests.sizes import volume
from tests.tournaments.plays import SEVEN, field_of, so_far

KNOCKOUT, DOUBLE, LADDER = FORMATS
PAIRED = {
    "swiss": Swiss(),
    "baku": Swiss(acceleration="baku"),
    "round-robin": RoundRobin(),
    "adaptive": Adaptive(matches=30, games=2, estimate=strengths),
    "until": UntilSeparated(
        format=Swiss(), requested=None, confidence=95.0, matches=54, games=2, estimate=strengths
    ),
    "gauntlet": Gauntlet(champions=2),
    "groups": Groups(groups=2),
    "knockout": KNOCKOUT,
    "double-elimination": DOUBLE.configured({"bracket_reset": True}, Wanted()),
    "ladder": LADDER,
    "stages": Staged(stages=(Stage(Swiss(), 3), Stage(KNOCKOUT, take=4))),
    "play-offs": Staged(stages=(Stage(Groups(groups=2)), Stage(KNOCKOUT, take=4))),
}
AT_TABLES = {"tables": TableRoundRobin(), "table-swiss": TableSwiss()}
GAMES = 2


class Event:
    """A tournament that is played with results and rulings from a generator."""

    def __init__(self, format, size, rng, tables=PAIRS):
        self.format, self.rng, self.tables = format, rng, tables
        self.rounds = format.rounds(size, None, tables)
        self.size, self.rulings, self.results, self.returns = size, [], [], {}
        volume = WithWinner(Fixed(GAMES)) if format.eliminates else Fixed(GAMES)
        self.schedule = Schedule(SEVEN, True, (volume,) * self.rounds)

    def plan(self):
        return Plan(
            format=self.format,
            field=tuple(field_of(self.size)),
            rounds=self.rounds,
            schedule=self.schedule,
            tables=self.tables,
            rulings=tuple(self.rulings),
        )

    def rule(self, round, now=False):
        """Makes a ruling at random, of those that the format takes."""
        kinds = sorted(self.format.rulings - {"void", "now"})
        staged = isinstance(self.format, Staged)
        if staged and self.format.stage_of(round, self.size) == 0:
            kinds += sorted(self.format.stages[0].format.rulings & {"add", "bye", "pair", "forbid"})
        kind = RulingKind(self.rng.choice(["withdraw", "disqualify"] if now else kinds))
        points, void = self.rng.choice((0.0, 0.5)), False
        if kind is RulingKind.ADD:
            self.rulings.append(Ruling(kind=kind, entry=self.size, round=round, points=points))
            self.size += 1
            return
        here = [entry for entry in range(self.size) if not has_left(self.rulings, entry)]
        if not here:
            return
        if kind in NAMES_SEVERAL:
            self.rulings += self.several(kind, round, here)
            return
        entry = self.rng.choice(here)
        if kind is RulingKind.BYE:
            last = self.format.lengths(self.size)[0] if staged else self.rounds
            round = self.rng.randint(round, last)
        else:
            void, points = "void" in self.format.rulings and self.rng.random() < 0.5, 0.0
        self.rulings.append(
            Ruling(kind=kind, entry=entry, round=round, now=now, points=points, void=void)
        )

    def several(self, kind, round, here):
        """Makes a ruling that names several: tables of two or more, a forbidden pair, lots."""
        chosen = self.rng.sample(here, self.rng.randint(0, len(here)))
        if kind is RulingKind.PAIR:
            away = {each.index for each in absences(self.rulings, round)}
            chosen = [entry for entry in chosen if entry not in away]
            entries = tuple(zip(chosen[::2], chosen[1::2], strict=False))
        elif kind is RulingKind.FORBID:
            entries = (tuple(chosen[:2]),)
        else:
            entries = (drawn(SEVEN, chosen),)
        first = entries[0][0] if entries and entries[0] else 0
        yield Ruling(kind=kind, entry=first, round=round, entries=entries)

    def play(self, rulings):
        """Plays to the end; yields every round as it is paired."""
        while True:
            number = len(self.results) + 1
            if number <= self.rounds:
                for _ in range(rulings):
                    if self.rng.random() < 0.4:
                        self.rule(number)
            made = self.plan().next_round(self.results)
            if made is None:
                return
            yield made
            self.results.append(self._played(made))

    def _played(self, made):
        number, now = made.number, "now" in self.format.rulings
        while True:
            play = so_far(self.schedule, made, self.returns)
            if not play.left:
                return play.result()
            for job in play.jobs():
                if now and self.rng.random() < 0.05:
                    self.rule(number + 1, now=True)
                    made = msgspec.structs.replace(made, absent=absences(self.rulings, number))
                if made.away.isdisjoint(job.seats):
                    self.returns[job.key] = tuple(float(self.rng.randrange(3)) for _ in job.seats)

    def ending(self):
        plan, number = self.plan(), len(self.results) + 1
        field = field_of_round(plan.field, plan.rulings, number)
        return self.format.ending(field, ruled(self.results, plan.rulings), self.tables)

    def names(self):
        return [f"bot {number}" for number in range(1, self.size + 1)]

    def table(self):
        counted = ruled(self.results, self.rulings)
        last = disqualified(self.rulings)
        format = under(self.format, self.names(), self.rulings)
        return ranked(format, self.names(), counted, last=last)


def check(event, made, alone):
    """Checks every round: nobody is seated twice, nor absent where nobody has to be."""
    seated = [index for pairing in made.pairings for index in pairing.seats]
    assert len({*seated, *made.byes}) == len(seated) + len(made.byes)
    joined = {each.entry: each.round for each in event.rulings if each.kind is RulingKind.ADD}
    field = {index for index in range(event.size) if joined.get(index, 1) <= made.number}
    assert {*seated, *made.byes} <= field
    if alone:
        assert {*seated, *made.byes} == field - made.away
        if event.tables is PAIRS:
            present = len(field - made.away)
            assert len(made.byes) == present % 2


@pytest.mark.parametrize("name", [*PAIRED, *AT_TABLES])
@settings(max_examples=volume(25), deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(5, 11), rulings=st.integers(0, 3))
@pytest.mark.thorough("other formats", everyday=["swiss", "adaptive", "until", "gauntlet"])
def test_any_rulings_leave_a_tournament_that_is_paired_the_same_again(name, rng, size, rulings):
    at_tables = name in AT_TABLES
    tables = Tables(4, 2) if at_tables else PAIRS
    event = Event(AT_TABLES.get(name) or PAIRED[name], size, rng, tables)
    rounds = []
    for made in event.play(rulings):
        check(event, made, alone=at_tables or name in ("swiss", "baku"))
        rounds.append(made)
    ends = ("double-elimination", "knockout", "ladder", "stages", "play-offs", "adaptive", "until")
    if name not in ends:
        assert len(rounds) == event.rounds or event.ending()
    # With what is known in the end every round is paired the same, as verification does.
    plan = event.plan()
    for done, played in enumerate(event.results):
        assert plan.next_round(event.results[:done]) == played.round
        play = so_far(event.schedule, played.round, event.returns)
        assert (play.left, play.surplus) == (0, None)
        assert play.result() == played
    table = event.table()
    assert sorted(line.index for line in table) == list(range(event.size))
    assert [line.rank for line in table] == sorted(line.rank for line in table)
    out = disqualified(event.rulings)
    assert {line.index for line in table[len(table) - len(out) :]} == out


@settings(max_examples=volume(40), deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(3, 12))
def test_a_swiss_with_rulings_is_the_same_tournament_as_a_report(rng, size):
    event = Event(Swiss(), size, rng)
    for made in event.play(2):
        assert made.absent == absences(event.rulings, made.number)
    played = ruled(event.results, event.rulings)
    late = sum(each.kind is RulingKind.ADD and each.round > 1 for each in event.rulings)
    report = report_of_swiss(event.names(), played, event.rounds, late=late)
    again = read_trf(write_trf(report).encode())
    past = history(event.size, played, PAIRING)
    assert [player.points for player in again.players] == [
        round(10 * past.score(index)) for index in range(event.size)
    ]
    assert all(len(turns) == len(played) for turns in past.turns)
    assert {player.cells for player in again.players} == {player.cells for player in report.players}


def forfeit(format, size=4, **more):
    """A finished first round of a format in which entry 0 withdrew before it was paired."""
    event = Event(format, size, None)
    event.rulings = [Ruling(kind=RulingKind.WITHDRAW, entry=0, round=1, **more)]
    made = event.plan().next_round([])
    returns = {job.key: (0.0,) * 2 for job in RoundPlay(event.schedule, made).jobs()}
    return event, so_far(event.schedule, made, returns).result()


def test_the_opponent_of_one_who_left_wins_if_pairings_are_fixed():
    _, past = forfeit(RoundRobin())
    (lost,) = [each for each in past.results if 0 in each.pairing.seats]
    assert (lost.points, lost.forfeited, lost.awarded) == ((0.0, 2.0), (0,), 2.0)
    table = ranked(RoundRobin(), [*"abcd"], [past])
    assert (table[0].name, table[0].score) == ("d", 2.0)
    event, past = forfeit(KNOCKOUT)
    assert [bout.winner for bout in KNOCKOUT.bracket(4, [past])[:2]] == [3, 1]
    event.results = [past]
    assert [each.seats for each in event.plan().next_round([past]).pairings] == [(1, 3)]


@pytest.mark.parametrize("format", [KNOCKOUT, LADDER, DOUBLE], ids=lambda each: each.name)
def test_who_leaves_a_bout_loses_it_whatever_it_had_won(format):
    event = Event(format, 4, None)
    made = event.plan().next_round([])
    leaver, other = made.pairings[0].seats
    event.rulings = [Ruling(kind=RulingKind.WITHDRAW, entry=leaver, round=2, now=True)]
    schedule = msgspec.structs.replace(event.schedule, volumes=(WithWinner(Fixed(4)),))
    jobs = [*RoundPlay(schedule, made).jobs()][:3]
    won = {job.key: tuple(1.0 - 2 * (each == other) for each in job.seats) for job in jobs}
    made = msgspec.structs.replace(made, absent=absences(event.rulings, 1))
    past = so_far(schedule, made, won).result()
    assert past.results[0].points == (3.0, 1.0)
    (bout,) = [each for each in format.bracket(4, [past]) if {*each.entrants} == {leaver, other}]
    assert (bout.winner, bout.forfeited) == (other, (leaver,))
    assert {bout.points} <= {(3.0, 1.0), (1.0, 3.0)}


def test_both_lose_a_pairing_that_both_forfeit():
    event, past = forfeit(Swiss())
    seats = past.results[0].pairing.seats
    both = tuple(Ruling(kind=RulingKind.WITHDRAW, entry=each, round=2, now=True) for each in seats)
    made = msgspec.structs.replace(past.round, absent=absences(both, 1))
    result = so_far(event.schedule, made, {}).result().results[0]
    assert (PAIRING.scores(result), result.forfeited, result.awarded) == ((0.0, 0.0), seats, 0.0)


def test_a_pairing_that_was_begun_is_lost_as_a_whole_and_counts_as_played():
    event = Event(Swiss(), 4, None)
    made = event.plan().next_round([])
    leaver, other = made.pairings[0].seats
    event.rulings = [Ruling(kind=RulingKind.WITHDRAW, entry=leaver, round=2, now=True)]
    whole = RoundPlay(event.schedule, made).jobs()
    returns = {job.key: (1.0, -1.0) for job in whole if job.key.leg == 1}
    made = msgspec.structs.replace(made, absent=absences(event.rulings, 1))
    past = so_far(event.schedule, made, returns).result()
    assert past.results[0].points == (1.0, 1.0)
    (mine,), (theirs,) = (history(4, [past], PAIRING).turns[each] for each in (leaver, other))
    assert (mine.score, mine.played, mine.voluntary) == (0.0, True, True)
    assert (theirs.score, theirs.played, theirs.voluntary) == (1.0, True, False)
    unplayed = history(4, [so_far(event.schedule, made, {}).result()], PAIRING).turns[other][0]
    assert (unplayed.score, unplayed.played) == (1.0, False)


@pytest.mark.parametrize(("format", "bye"), [(Swiss(), 1.0), (RoundRobin(), 0.0)])
def test_an_annulled_pairing_counts_as_a_bye_for_the_other(format, bye):
    event = Event(format, 4, None)
    made = event.plan().next_round([])
    jobs = RoundPlay(event.schedule, made).jobs()
    past = so_far(event.schedule, made, {job.key: (1.0, -1.0) for job in jobs}).result()
    winner, other = made.pairings[0].seats
    rulings = (Ruling(kind=RulingKind.DISQUALIFY, entry=winner, round=2, void=True),)
    counted = ruled([past], rulings)
    assert void_pairings(counted) == {(1, 1)}
    assert history(4, counted, format.scoring()).score(other) == bye
    assert history(4, counted, format.scoring()).score(winner) == 0
    table = ranked(format, [*"abcd"], counted, last=disqualified(rulings))
    assert (table[-1].index, table[-1].rank) == (winner, 4)


def test_late_entries_are_not_accelerated_and_byes_not_paired():
    played, late = [], Ruling(kind=RulingKind.ADD, entry=8, round=2, points=0.5)
    event = Event(Swiss(acceleration="baku"), 8, None)
    first = event.plan().next_round([])
    returns = {job.key: (1.0, -1.0) for job in RoundPlay(event.schedule, first).jobs()}
    played.append(so_far(event.schedule, first, returns).result())
    event.size, event.rulings = 9, [late, Ruling(kind=RulingKind.BYE, entry=0, round=2, points=0.5)]
    report = report_of_swiss(
        event.names(),
        ruled(played, event.rulings),
        event.rounds,
        acceleration="baku",
        absent=[0],
        late=1,
    )
    assert (report.system, report.accelerations[0].last) == ("", 4)
    assert [cell.result for cell in report.players[8].cells] == ["H"]
    pairs = pair_next_round(report)
    assert 1 not in {number for pair in pairs for number in pair}
    assert tuple((one - 1, other - 1) for one, other in pairs if other) == tuple(
        each.seats for each in event.plan().next_round(played).pairings
    )
