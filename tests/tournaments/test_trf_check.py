"""Checks of whole reports: valid ones pass, and damaged ones name what was damaged."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from arena_tournaments.checker.check import check_report
from arena_tournaments.checker.finding import KINDS
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.play.rulings import disqualified, ruled
from arena_tournaments.trf.reading import read_flawed, read_trf
from arena_tournaments.trf.report import Cell, Forbidden
from arena_tournaments.trf.tournament import report_of_swiss
from arena_tournaments.trf.writing import write_trf
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.core.tournaments.rulings import RulingKind
from tests.sizes import volume
from tests.tournaments.reports import DATA, play_report
from tests.tournaments.test_rulings import Event

WHOLE = sorted((DATA / "swiss").glob("bbp6_*.trf"))
HISTORIES = sorted((DATA / "swiss").glob("*.input"))
GOLDEN = json.loads((DATA / "swiss" / "chesspairing.json").read_text())
seeds = st.integers(0, 10**6)


def checked(text):
    return check_report(read_flawed(text.encode() if isinstance(text, str) else text))


def arbiters_rounds(found):
    """The rounds that the rules cannot pair: whatever they hold, the arbiter decided."""
    return {
        *map(int, re.findall(r"round (\d+): the rules allow no pairing", "; ".join(found.notes)))
    }


def findings(text):
    return [(each.kind, each.round, each.player) for each in checked(text).findings]


@pytest.mark.parametrize("path", [*WHOLE, *HISTORIES], ids=lambda path: path.stem)
def test_events_of_bbppairings_pass(path):
    found = checked(path.read_bytes())
    assert found.findings == ()
    assert found.paired == found.report.played_rounds > 0


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_events_pass(name):
    event = GOLDEN[name]
    cells = {who: [] for who in range(1, event["players"] + 1)}
    for pairs in event["rounds"]:
        for first, second in pairs:
            won = first < second
            cells[first].append(Cell(second, "w", "01"[won]) if second else Cell(result="U"))
            if second:
                cells[second].append(Cell(first, "b", "10"[won]))
        for mine in cells.values():
            if len(mine) < max(map(len, cells.values())):
                mine.append(Cell())
    players = "\n".join(f"001 {who:4}" for who in cells)
    report = replace(read_trf(players.encode()), rounds=len(event["rounds"]), initial_colour="w")
    players = [replace(each, cells=tuple(cells[each.number])) for each in report.players]
    found = checked(write_trf(replace(report, players=tuple(players))))
    assert (found.findings, found.paired) == ((), len(event["rounds"]))


def test_exercises_with_colours_by_hand_are_found():
    found = checked((DATA / "held_swiss_5.trf").read_bytes())
    assert [(each.kind, each.round, each.board, each.expected) for each in found.findings] == [
        ("colour", 3, 6, "14 - 12"),
        ("colour", 4, 7, "11 - 9"),
    ]
    assert "the ranks are the starting numbers, and are not checked" in found.notes


def test_an_event_by_another_system_differs():
    kinds = {
        each.kind for each in checked((DATA / "swiss/mid_16p_after4.trf").read_bytes()).findings
    }
    assert kinds == {"pairing", "colour"}


def standing(report):
    """The report with its points and ranks."""
    players = [
        replace(each, points=sum(report.scores(each, report.played_rounds)))
        for each in report.players
    ]
    order = sorted(players, key=lambda each: (-each.points, each.number))
    ranks = {each.number: place for place, each in enumerate(order, 1)}
    players = [replace(each, rank=ranks[each.number]) for each in players]
    return replace(report, name="Open", players=tuple(players))


@settings(max_examples=volume(40), deadline=None)
@given(size=st.integers(2, 24), rounds=st.integers(1, 9), seed=seeds)
def test_events_with_forfeits_byes_and_late_entries_pass(size, rounds, seed):
    report = standing(play_report(size, rounds, seed))
    found = checked(write_trf(report))
    assert (found.findings, found.paired) == ((), report.played_rounds)


class Counted(Event):
    """A tournament with withdrawals, disqualifications, late entries and byes.

    No game is annulled: a report has no place for one that was paired and does not count.
    """

    def rule(self, round, now=False):
        super().rule(round, now)
        self.rulings = [replace(each, void=False) for each in self.rulings]


def exported(event, played, **more):
    """The report of an event, as ``arena tournament trf`` writes it."""
    out, table = disqualified(event.rulings), {}
    for line in event.table():
        table[line.index] = line.rank
    return report_of_swiss(
        event.names(),
        played,
        event.rounds,
        scoring=event.format.scoring(),
        ranks=[0 if index in out else table[index] for index in range(event.size)],
        acceleration=event.format.acceleration,
        forbidden=[each.split(" | ") for each in event.format.forbidden],
        forbidden_later=[
            Forbidden(each.round, event.rounds, tuple([index + 1 for index in group]))
            for each in event.rulings
            if each.kind is RulingKind.FORBID
            for group in each.entries
        ],
        late=sum(each.kind is RulingKind.ADD and each.round > 1 for each in event.rulings),
        hand=sorted({each.round for each in event.rulings if each.kind is RulingKind.PAIR}),
        **more,
    )


SWISS = {
    "plain": Swiss(),
    "baku": Swiss(acceleration="baku"),
    "forbidden": Swiss(forbidden=("bot 1 | bot 2 | bot 3", "bot 4 | bot 5")),
}


@pytest.mark.parametrize("name", SWISS)
@settings(max_examples=volume(25), deadline=None)
@given(seed=seeds, size=st.integers(3, 14), rulings=st.integers(0, 2))
def test_exports_of_a_swiss_pass(name, seed, size, rulings):
    event = Counted(SWISS[name], size, Random(seed))
    assert all(event.play(rulings))
    played = ruled(event.results, event.rulings)
    found = checked(write_trf(exported(event, played)))
    assert found.findings == ()
    assert found.paired + sum("round" in note for note in found.notes) >= len(played)


class Cyclic(Swiss, kw_only=True):
    """A Swiss of so many rounds that it is played in cycles."""

    def rounds(self, entrants, requested, tables=None):
        return super().rounds(entrants, self.requested)


POINTS = [(1.0, 0.5, 0.0), (3.0, 1.0, 0.0), (2.0, 1.0, 0.0)]


@settings(max_examples=volume(10), deadline=None)
@given(
    seed=seeds,
    size=st.integers(3, 8),
    cycles=st.floats(1.1, 2.6),
    points=st.sampled_from(POINTS),
    bye=st.sampled_from([None, 0.0, 0.5, 1.0, 3.0]),
    name=st.sampled_from([*SWISS]),
)
def test_exports_in_cycles_and_with_own_points_pass(seed, size, cycles, points, bye, name):
    rounds = max(size + 1, round(cycles * size))
    plain = SWISS[name]
    format = Cyclic(
        requested=rounds,
        points=points,
        bye_points=bye,
        acceleration=plain.acceleration,
        forbidden=plain.forbidden if size > 5 else (),
    )
    event = Counted(format, size, Random(seed))
    assert all(event.play(0))
    report = exported(event, ruled(event.results, event.rulings))
    text = write_trf(report)
    again = read_trf(text.encode())
    for key in ("players", "points", "rounds", "forbidden", "accelerations"):
        assert getattr(again, key) == getattr(report, key)
    found = checked(text)
    assert found.findings == ()
    free = sum("the arbiter decided" in note for note in found.notes)
    assert found.paired + free == report.played_rounds
    assert not free or event.rulings or format.forbidden


@settings(max_examples=volume(10), deadline=None)
@given(seed=seeds, size=st.integers(3, 8), rulings=st.integers(1, 2))
def test_exports_in_cycles_pass_with_rulings(seed, size, rulings):
    event = Counted(Cyclic(requested=2 * size + 3), size, Random(seed))
    assert all(event.play(rulings))
    played = ruled(event.results, event.rulings)
    assume(all(past.round.pairings for past in played))  # a file cannot tell a round of one bye
    found = checked(write_trf(exported(event, played)))
    assert found.findings == ()


@settings(max_examples=volume(10), deadline=None)
@given(
    seed=seeds,
    size=st.integers(2, 7),
    rounds=st.integers(2, 15),
    bye=st.sampled_from([0.0, 0.5, 1.0]),
    rulings=st.integers(0, 1),
)
def test_twice_the_points_pair_the_same_event(seed, size, rounds, bye, rulings):
    made = []
    for times in (1, 2):
        points = (1.0 * times, 0.5 * times, 0.0)
        format = Cyclic(requested=rounds, points=points, bye_points=bye * times)
        event = Counted(format, size, Random(seed))
        made.append([*event.play(rulings)])
    assert made[0] == made[1]


@settings(max_examples=volume(10), deadline=None)
@given(seed=seeds, size=st.integers(4, 8), data=st.data())
def test_exchanged_boards_of_a_cycle_are_found(seed, size, data):
    event = Counted(Cyclic(requested=2 * size + 2), size, Random(seed))
    assert all(event.play(0))
    report = exported(event, event.results)
    damage = Damage(report, data.draw)
    arbiters = arbiters_rounds(checked(write_trf(report)))
    damage.played = [each for each in damage.played if each[1] not in arbiters]
    text, names = damage.boards()
    found = checked(text)
    assert [each for each in found.findings if names(each)], (found.findings, found.notes)


class Damage:
    """A valid event, and ways to damage it: each returns the text and what has to be found."""

    def __init__(self, report, draw):
        self.report, self.draw = report, draw
        self.cells = {each.number: list(each.cells) for each in report.players}
        self.played = [
            (each.number, round, cell)
            for each in report.players
            for round, cell in enumerate(each.cells, 1)
            if cell.played
        ]

    def one(self, choices):
        choices = list(choices)
        assume(choices)
        return self.draw(st.sampled_from(choices))

    def written(self):
        players = [
            replace(each, cells=tuple(self.cells[each.number])) for each in self.report.players
        ]
        return write_trf(replace(self.report, players=tuple(players)))

    def set(self, number, round, **changes):
        self.cells[number][round - 1] = replace(self.cells[number][round - 1], **changes)

    def player(self, number, **changes):
        players = [replace(e, **changes) if e.number == number else e for e in self.report.players]
        self.report = replace(self.report, players=tuple(players))
        return self.written()

    def boards(self):
        """Two boards whose players with Black are exchanged."""
        white, round, cell = self.one(each for each in self.played if each[2].colour == "w")
        third, _, other = self.one(
            (who, when, met)
            for who, when, met in self.played
            if when == round and met.colour == "w" and who != white
        )
        for one, met in ((white, other), (third, cell)):
            self.set(one, round, opponent=met.opponent)
            self.set(met.opponent, round, opponent=one)
        results = {number: self.cells[number][round - 1].result for number in (white, third)}
        for number, met in ((white, other), (third, cell)):
            lost = {"1": "0", "0": "1", "W": "L", "L": "W"}.get(results[number], results[number])
            self.set(met.opponent, round, result=lost)
        return (
            self.written(),
            lambda each: (
                each.kind == "pairing" and each.round == round and each.player in (white, third)
            ),
        )

    def result(self):
        number, round, cell = self.one(self.played)
        self.set(number, round, result=self.one({*"10="} - {cell.result}))
        return (
            self.written(),
            lambda each: (
                (
                    each.kind == "result"
                    and each.round == round
                    and each.player in (number, cell.opponent)
                )
                or (each.kind in ("points", "bye-points") and each.player == number)
            ),
        )

    def both_won(self):
        number, round, cell = self.one(each for each in self.played if each[2].result == "0")
        self.set(number, round, result="1")
        return (
            self.written(),
            lambda each: (
                each.kind == "result"
                and each.round == round
                and each.player in (number, cell.opponent)
            ),
        )

    def missing(self):
        number, round, _ = self.one(self.played)
        lines = self.written().split("\n")
        at = next(n for n, line in enumerate(lines) if line.startswith(f"001 {number:4}"))
        column = 98 + 10 * (round - 1)
        lines[at] = lines[at][:column] + " " + lines[at][column + 1 :]
        return (
            "\n".join(lines),
            lambda each: (
                (each.kind, each.round, each.player, each.line)
                == ("missing", round, number, at + 1)
            ),
        )

    def points(self):
        player = self.one(self.report.players)
        found = max(0, player.points + self.one([-10, -5, 5, 10]))
        assume(found != player.points)
        return self.player(
            player.number, points=found
        ), lambda each: each.kind in ("points", "bye-points") and each.player == player.number

    def rank(self):
        player = self.one(self.report.players)
        equal = [each.rank for each in self.report.players if each.points == player.points]
        size = len(self.report.players)
        rank = self.one({*range(1, size + 2)} - {*equal})
        return self.player(
            player.number, rank=rank
        ), lambda each: each.kind == "rank" and each.player == player.number

    def colour(self):
        number, round, cell = self.one(self.played)
        self.set(number, round, colour="b" if cell.colour == "w" else "w")
        return (
            self.written(),
            lambda each: (
                each.kind == "colour"
                and each.round == round
                and each.player in (number, cell.opponent)
            ),
        )

    def colours(self):
        number, round, cell = self.one(each for each in self.played if each[2].colour == "w")
        self.set(number, round, colour="b")
        self.set(cell.opponent, round, colour="w")
        return (
            self.written(),
            lambda each: (
                each.kind == "colour"
                and each.round == round
                and each.expected == f"{number} - {cell.opponent}"
            ),
        )

    def opponent(self):
        number, round, cell = self.one(self.played)
        others = {*self.cells, 9_999} - {number, cell.opponent}
        self.set(number, round, opponent=self.one(others))
        return (
            self.written(),
            lambda each: (each.kind, each.round, each.player) == ("opponent", round, number),
        )

    def line(self):
        number, round, cell = self.one(self.played)
        players = [each for each in self.report.players if each.number != number]
        self.report = replace(self.report, players=tuple(players))
        return (
            self.written(),
            lambda each: (each.kind, each.round, each.player) == ("opponent", round, cell.opponent),
        )

    def bye(self):
        at = {
            round
            for mine in self.cells.values()
            for round, cell in enumerate(mine, 1)
            if cell.result == "U"
        }
        number, round = self.one(
            (number, round)
            for number, mine in self.cells.items()
            for round, cell in enumerate(mine, 1)
            if round in at and cell.result in "HFZ"
        )
        self.set(number, round, result="U")
        text = self.written()
        assume(round not in arbiters_rounds(checked(text)))  # its byes are for the test below
        return (text, lambda each: (each.kind, each.round, each.player) == ("bye", round, number))

    def columns(self):
        number, round, _ = self.one(self.played)
        lines = self.written().split("\n")
        at = next(n for n, line in enumerate(lines) if line.startswith(f"001 {number:4}"))
        column = 89 + 10 * (round - 1)
        moved = self.one([" " + lines[at][column:], lines[at][column + 1 :]])
        whole = read_trf("\n".join(lines).encode())
        lines[at] = lines[at][:column] + moved
        text = "\n".join(lines)
        # A last round with a short opponent may be one to the left.
        assume(read_flawed(text.encode()).flaws or read_flawed(text.encode()).report != whole)
        return text, lambda each: (each.kind, each.player, each.line) == ("columns", number, at + 1)


DAMAGES = [name for name, value in vars(Damage).items() if callable(value) and name[0] != "_"]
DAMAGES = [name for name in DAMAGES if name not in ("one", "written", "set", "player")]


@pytest.mark.parametrize("name", DAMAGES)
@settings(max_examples=volume(25), deadline=None)
@given(size=st.integers(6, 16), rounds=st.integers(2, 6), seed=seeds, data=st.data())
def test_damage_is_named(name, size, rounds, seed, data):
    damage = Damage(standing(play_report(size, rounds, seed)), data.draw)
    text, names = getattr(damage, name)()
    found = checked(text)
    assert [each for each in found.findings if names(each)], (found.findings, found.notes)


def test_several_byes_of_a_round_that_the_rules_cannot_pair_are_a_note():
    """Of the six that round 6 then has, players 1 and 2 have both met all but player 8."""
    damage = Damage(standing(play_report(9, 6, 805)), None)
    assert [damage.cells[number][5].result for number in (2, 3)] == ["H", "U"]
    damage.set(2, 6, result="U")
    found = checked(damage.written())
    assert arbiters_rounds(found) == {6}
    assert [(each.kind, each.player) for each in found.findings] == [("bye-points", 2)]
    assert any(note.startswith("round 6: players 2 and 3 have the") for note in found.notes)


def test_every_kind_of_finding_is_documented():
    page = (DATA.parents[2] / "docs" / "howto" / "check-a-trf.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for kind in KINDS:
        assert f"| `{kind.name}` | {kind.summary} |" in rows
    assert len({kind.name for kind in KINDS}) == len(KINDS)
