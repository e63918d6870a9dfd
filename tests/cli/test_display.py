"""The drawing of a run's progress; time is injected."""

from __future__ import annotations

import msgspec
import pytest
import trio
import trio.testing
from arena_results.schema.rows import MatchRow
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed, WithWinner
from rich.console import Console

from arena.cli.terminal import progress as module
from arena.cli.terminal.progress import Display
from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.format import Entrant, Tables
from arena.service.run.watching.progress import Progress
from tests.pairing_sums import sums_of

PLAN = Plan(
    format=RoundRobin(),
    field=tuple(map(Entrant, ("ann", "bob", "cid", "dot"))),
    rounds=3,
    schedule=Schedule(SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys(), True, (Fixed(50),) * 3),
)
TOTAL = 3 * 2 * 50


def played(job, gain=1.0, termination=Termination.RULES, expelled=()):
    outcome = Outcome((gain, -gain), (0, 0), termination, expelled=expelled)
    record = MatchRecord("dice", "standard", "1", job.seed, ("a", "b"), (b"", b""), b"", outcome)
    return PlayedMatch(job.key, record, Measurement((1, 1), (1, 1)))


def stored(leg, termination=Termination.RULES, expelled=()):
    key = MatchKey(1, 1, leg)
    fault = (None, None) if termination is Termination.RULES else (1, 2)
    return MatchRow(key, (0, 1), 0, (1.0, -1.0), (0, 0), termination, *fault, expelled)


class Course:
    """A display of a progress that gets a round robin, match by match."""

    def __init__(self, before: int = 0) -> None:
        self.progress = Progress(PLAN, sums_of(map(stored, range(1, before + 1)), mirrored=True))
        self.display = Display(self.progress)
        self.past = []

    def begin(self, stored: int = 0) -> None:
        self.round = PLAN.format.next_round(PLAN.field, self.past, PLAN.rounds)
        self.matches = RoundPlay(PLAN.schedule, self.round)
        self.jobs = list(self.matches.jobs())
        for job in self.jobs[:stored]:
            self.matches.add(job.key, (1.0, -1.0))
        self.progress.round_started(self.matches)

    def play(self, jobs, **more: object) -> None:
        new = [played(job, **more) for job in jobs]
        for match in new:
            self.matches.add(match.key, match.record.outcome.returns)
        self.progress.matches_played(new)

    def end(self) -> None:
        result = self.matches.result()
        self.past.append(result)
        self.progress.round_finished(result)


async def test_a_rate_below_one_a_second_is_given_by_the_minute_or_hour(autojump_clock, nursery):
    course = Course()
    nursery.start_soon(course.display.show)
    await trio.testing.wait_all_tasks_blocked()
    course.begin()
    await trio.sleep(10)
    course.play(course.jobs[:3])
    assert "  18/min  " in course.display.line()
    await trio.sleep(290)
    assert "  36/h  " in course.display.line()
    nursery.cancel_scope.cancel()


async def test_rate_and_time_left_follow_from_the_clock(autojump_clock, nursery):
    course = Course()
    nursery.start_soon(course.display.show)
    await trio.testing.wait_all_tasks_blocked()
    assert course.display.line() == "round 0/3  matches 0/300 (0%)  0/s  starting"
    course.begin()
    await trio.sleep(4)
    course.play(course.jobs[:20])
    assert course.display.line() == "round 1/3  matches 20/300 (7%)  5/s  0:56 left"
    await trio.sleep(6)
    course.play(course.jobs[20:])
    course.end()
    assert course.display.line() == "round 1/3  matches 100/300 (33%)  10/s  0:20 left"
    nursery.cancel_scope.cancel()


async def test_a_resumed_run_counts_what_was_stored_but_not_as_its_own_speed(
    autojump_clock, nursery
):
    course = Course(before=150)
    nursery.start_soon(course.display.show)
    await trio.testing.wait_all_tasks_blocked()
    course.begin()
    await trio.sleep(2)
    course.play(course.jobs[:10])
    assert course.display.line() == "round 1/3  matches 160/300 (53%)  5/s  0:28 left"
    nursery.cancel_scope.cancel()


async def test_losses_are_counted_by_cause(autojump_clock):
    course = Course()
    course.begin()
    course.play(course.jobs[:3], termination=Termination.TIMEOUT)
    course.play(course.jobs[3:5], termination=Termination.CRASH)
    course.play(course.jobs[5:9], termination=Termination.CAP)
    assert course.display.line().endswith("  losses: crash 2, timeout 3")


async def test_seats_that_were_taken_out_count_as_losses(autojump_clock):
    course = Course()
    course.begin()
    out = (Fault(1, Termination.CRASH, 3), Fault(0, Termination.TIMEOUT, 5))
    course.play(course.jobs[:2], expelled=out)
    assert course.display.line().endswith("  losses: crash 2, timeout 2")


async def test_losses_before_a_stop_are_counted_too():
    crash = Fault(1, Termination.CRASH, 3)
    before = [stored(1, Termination.TIMEOUT), stored(2), stored(3, expelled=(crash,))]
    progress = Progress(PLAN, sums_of(before, mirrored=True))
    assert progress.losses == {"timeout": 1, "crash": 1}
    round = PLAN.format.next_round(PLAN.field, [], PLAN.rounds)
    jobs = list(RoundPlay(PLAN.schedule, round).jobs())
    progress.matches_played([played(jobs[4], termination=Termination.CRASH)])
    assert (progress.done, progress.losses) == (4, {"timeout": 1, "crash": 2})


async def test_matches_are_counted_by_tables(autojump_clock):
    plan = msgspec.structs.replace(
        PLAN, format=TableSwiss(), field=tuple(map(Entrant, "abcdefg")), tables=Tables(3, 2)
    )
    assert Display(Progress(plan)).line() == "round 0/3  matches 0/450 (0%)  0/s  starting"


async def test_bouts_that_go_on_after_draws_are_counted_to_the_whole(autojump_clock):
    plan = msgspec.structs.replace(
        PLAN,
        format=FORMATS[0],
        rounds=2,
        schedule=msgspec.structs.replace(PLAN.schedule, volumes=(WithWinner(Fixed(2)),) * 2),
    )
    progress = Progress(plan)
    round = plan.format.next_round(plan.field, [], plan.rounds)
    play = RoundPlay(plan.schedule, round)
    for _ in range(3):  # all drawn
        progress.round_started(play)
        new = [played(job, gain=0.0) for job in play.jobs()]
        for match in new:
            play.add(match.key, match.record.outcome.returns)
        progress.matches_played(new)
        play.extend()
    assert (progress.done, progress.total) == (12, 14)
    assert Display(progress).line().startswith("round 1/2  matches 12/14 (86%)")


async def test_without_a_terminal_plain_lines_come_at_intervals(autojump_clock, nursery, capsys):
    course = Course()
    nursery.start_soon(course.display.show)
    await trio.testing.wait_all_tasks_blocked()
    course.begin()
    course.play(course.jobs[:10])
    await trio.sleep(2.5 * module.LINE_SECONDS)
    nursery.cancel_scope.cancel()
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "round 1/3  matches 10/300 (3%)  2/s  2:25 left\n"
        "round 1/3  matches 10/300 (3%)  1/s  4:50 left\n"
    )


def picture(course, width=80):
    console = Console(width=width, color_system=None)
    with console.capture() as shown:
        console.print(course.display.picture())
    return shown.get()


async def test_the_standings_are_live(autojump_clock):
    course = Course()
    course.begin()
    assert [row.split()[-1] for row in picture(course).splitlines()[3:7]] == ["0"] * 4
    course.play([job for job in course.jobs if job.seats == (0, 3)], gain=1.0)
    rows = picture(course).splitlines()
    assert rows[3].split() == ["1", "ann", "25", "25"]
    course.end()
    course.begin()
    course.play(course.jobs[:1])
    assert max(map(len, picture(course, 40).splitlines())) <= 40


async def test_the_stored_part_of_a_round_counts_in_the_live_standings(autojump_clock):
    course = Course(before=10)
    course.begin(stored=10)
    assert sum(int(row.split()[-1]) for row in picture(course).splitlines()[3:7]) == 10


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (0.4, "0:00"), (59.6, "1:00"), (61, "1:01"), (3600, "1:00:00"), (-1, "0:00")],
)
def test_spans_of_time_are_short(seconds, text):
    assert module.span_text(seconds) == text


async def test_a_live_table_that_is_cut_says_how_many_more_there_are(autojump_clock, monkeypatch):
    course = Course()
    course.begin()
    assert "more" not in picture(course)
    monkeypatch.setattr(module, "stderr", lambda: Console(width=80, height=12))
    lines = [line.split() for line in picture(course).splitlines()]
    assert ["+1", "more"] in lines
    assert not any("dot" in line for line in lines)


async def test_a_note_is_the_last_line_and_printed_once_without_a_terminal(autojump_clock, capsys):
    course = Course()
    course.begin()
    course.display.note("Finishing up to 4 matches")
    assert capsys.readouterr().err == "Finishing up to 4 matches\n"
    assert picture(course).rstrip().splitlines()[-1].strip() == "Finishing up to 4 matches"
