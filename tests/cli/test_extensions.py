"""An installed extension adds formats, ratings, exporters and executors."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena.service.answers.rows import rows_of
from tests.cli.tournament_runs import Place, check_same
from tests.preloaded import Preloaded

EXTENSION = '''
import json
import math
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import trio
from msgspec import Meta

from arena.core.options import Option
from arena.core.tournaments.executor import NoOptions
from arena.core.tournaments.rating import Rated, Rating, RatingSystem
from arena.core.tournaments.wire import decode_matches, encode
from arena.core.tournaments.format import Format, Pairing, Round, Scoring


class EndsMeet(Format, kw_only=True):
    """The first meets the last, the second the last but one; a match won counts three points."""

    name: str = "ends-meet"
    summary: str = "one round: the first meets the last"

    def rounds(self, entrants, requested, tables):
        return 1

    def next_round(self, field, played, rounds, tables):
        if played:
            return None
        pairs = [(one, len(field) - 1 - one) for one in range(len(field) // 2)]
        middle = (len(field) // 2,) if len(field) % 2 else ()
        return Round(1, tuple(map(Pairing, pairs)), middle)

    def scoring(self):
        return Scoring(
            name="three-points",
            summary="a match won scores 3, a bye as much as all matches won",
            scores=lambda result: tuple(3 * points for points in result.points),
            worth=lambda result: 3 * sum(result.points),
            bye=1.0,
            tie_breaks=TIE_BREAKS,
        )


class Relay(EndsMeet, kw_only=True):
    """The first meets the second, then the second the third: a round names no byes."""

    name: str = "relay"

    def rounds(self, entrants, requested, tables):
        return entrants - 1

    def next_round(self, field, played, rounds, tables):
        number = len(played)
        return Round(number + 1, (Pairing((number, number + 1)),)) if number < rounds else None


TIE_BREAKS = ("WIN",)


class Wins(RatingSystem, kw_only=True):
    """Rates by the share of the matches won, without any interval."""

    name: str = "wins"
    summary: str = "the share of the matches won, in percent"
    note: str = "rating: matches won in percent"
    digits: int = 2
    whole: Annotated[float, Meta(gt=0, le=1000), Option("What all matches won are.")] = 100.0

    def rate(self, results):
        players = len(results.names)
        won, played = [0.0] * players, [0] * players
        for units in results.in_order():
            for unit in units:
                for match in unit:
                    one, other = match.players
                    won[one] += match.scores[0]
                    won[other] += 1 - match.scores[0]
                    played[one] += 1
                    played[other] += 1
        shares = [self.whole * mine / (games or 1) for mine, games in zip(won, played)]
        return Rated([Rating(share, share, share) for share in shares])


def arena_rating_systems():
    return [Wins()]


class Lines:
    """A JSON object a line."""

    name, summary = "ndjson", "a JSON object a line"

    def export(self, columns, rows):
        return "".join(json.dumps({key: row[key] for key in columns}) + "\\n" for row in rows)


def arena_exporters():
    return [Lines()]


class Here:
    """Plays in a thread of the harness's own process, and notes that it did."""

    name, summary, options = "here", "a thread of this process", NoOptions

    @asynccontextmanager
    async def open(self, work, options):
        self.work = work
        assert not Path("open").exists()
        Path("open").touch()
        try:
            yield self
        finally:
            Path("open").unlink()
        Path("played-here").write_text(str(self.matches))

    matches = 0

    async def play(self, jobs, deliver):
        async with deliver:
            for job in jobs:
                if self.work.pace.holding:
                    break
                data = await trio.to_thread.run_sync(
                    self.work.play, self.work.setup, encode([job]), math.inf
                )
                self.matches += 1
                await deliver.send(decode_matches(data))


def arena_executors():
    return [Here()]


def arena_formats():
    return [EndsMeet(), Relay()]
'''
RUN = ("tournament", "run", "--seed", "5", "--concurrency", "1", "--games", "4")
BOTS = ("--bot", "random", "--bot", "stand", "--bot", "stand(at=15)")


class Extended(Place):
    """A folder with an environment in which an extension is installed."""

    def __init__(self, folder: Path, preloaded: Preloaded) -> None:
        super().__init__(folder, preloaded)
        site = folder / "site"
        about = site / "arena_more-1.0.dist-info"
        about.mkdir(parents=True)
        (site / "arena_more.py").write_text(EXTENSION)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-more\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[arena]\nmore = arena_more\n")
        self.env["PYTHONPATH"] = os.pathsep.join([str(site), self.env.get("PYTHONPATH", "")])


@pytest.fixture
def place(tmp_path, preloaded) -> Extended:
    return Extended(tmp_path, preloaded)


def test_a_format_may_have_a_scoring_of_its_own(place):
    run = place.process(*RUN, "--format", "ends-meet", *BOTS, "-o", "json")
    assert run.code == 0, run.err
    assert run.document["tournament"]["scoring"] == "three-points"
    rows = {row["name"]: row for row in run.document["standings"]}
    assert rows["stand"]["score"] == 3 * 4  # it has the bye
    for name in ("random", "stand(at=15)"):
        assert rows[name]["score"] == 3 * rows[name]["match_points"]
        assert rows[name]["tie_breaks"] == {"WIN": rows[name]["tie_breaks"]["WIN"]}
    assert sum(rows[name]["score"] for name in ("random", "stand(at=15)")) == 12
    table = place.process("tournament", "show", "1", "--details").out
    assert "Scoring: a match won scores 3, a bye as much as all matches won; then by WIN" in table


def test_a_scoring_with_an_unknown_tie_break_is_refused_before_play(place):
    break_it(place, '("WIN",)', '("LUCK",)')
    run = place.process(*RUN, "--format", "ends-meet", *BOTS)
    assert run.code == 2
    assert "format: unknown tie-break 'LUCK'; choices: AMT, AOB, BH" in run.err
    assert place.stored() == 0


def test_a_round_may_leave_entrants_out(place):
    assert place.process(*RUN, "--format", "relay", *BOTS).code == 0
    shown = place.process("tournament", "show", "1")
    assert (shown.code, shown.err) == (0, "")
    cells = {
        row.split()[1]: row.split()[-2:] for row in shown.out.splitlines() if "-" in row.split()
    }
    assert {name: row.index("-") for name, row in cells.items()} == {"random": 1, "stand(at=15)": 0}
    report = place.process("report", "1", "--html", "pages")
    assert (report.code, "Traceback" in report.err) == (0, False)


@pytest.fixture(scope="module")
def played(tmp_path_factory, preloaded) -> Extended:
    """A place with one tournament, played by the extension's executor."""
    place = Extended(tmp_path_factory.mktemp("played"), preloaded)
    place.run = place.process(*RUN, *BOTS, "--executor", "here", "-o", "json")
    return place


def test_another_executor_plays_the_same_matches(played, tmp_path):
    assert played.run.code == 0, played.run.err
    assert (played.folder / "played-here").read_text() == "12"
    local = Place(tmp_path)
    assert local.arena(*RUN, *BOTS, "-o", "json").out == played.run.out
    check_same(local.outcome(), played.outcome())


def test_a_tournament_is_resumed_by_the_executor_that_played_it(played):
    again = played.arena("tournament", "resume", "1", "-o", "json")
    assert (again.code, again.out) == (0, played.run.out)


def test_a_tournament_is_resumed_by_another_executor(place):
    words = (*RUN, "--rounds", "2", *BOTS, "-o", "json")
    first = place.process(*words, "--executor", "here", "--pause-after-round", "1")
    assert first.code == 0, first.err
    wrong = place.process("tournament", "resume", "1", "--executor", "there")
    says = "arena: --executor: unknown executor 'there'; choices: here, local; did you mean here?\n"
    assert (wrong.code, wrong.err) == (2, says)
    break_it(place, "return [Here()]", "return []")  # the extension is gone
    again = place.process("tournament", "resume", "1", "--executor", "local", "-o", "json")
    assert again.code == 0, again.err
    whole = place.process(*words)
    chains = [run.document["tournament"]["chain"] for run in (again, whole)]
    assert chains[0] == chains[1]


def test_matches_of_a_budget_are_measured_before_the_executor_opens(place):
    words = ("tournament", "run", *BOTS, "--budget", "6s", "--concurrency", "1")
    run = place.process(*words, "--executor", "here", "-o", "json")
    assert run.code == 0, run.err


def test_another_rating_system_makes_the_leaderboard(played):
    board = played.arena("leaderboard", "--rating", "wins", "-o", "json").document
    assert {row["name"]: row["rating"] for row in board} == {
        row["name"]: round(100 * row["points"] / row["games"], 2) for row in board
    }
    assert [row["rating"] for row in board] == sorted((r["rating"] for r in board), reverse=True)
    text = played.arena("leaderboard", "--rating", "wins").out
    assert "rating: matches won in percent" in text
    assert "Elo" not in text


def test_a_rating_system_takes_options_on_leaderboards_and_for_files(played):
    board = played.arena("leaderboard", "--rating", "wins(whole=10)", "-o", "json").document
    assert {row["name"]: row["rating"] for row in board} == {
        row["name"]: round(10 * row["points"] / row["games"], 2) for row in board
    }
    (played.folder / "results.csv").write_text(
        "player1,player2,score\na,b,1\nb,a,0.5\na,c,1\nc,b,0\n"
    )
    rated = played.arena("rate", "results.csv", "--model", "wins(whole=10)", "-o", "json").document
    assert rated["model"] == "wins"
    assert [(row["player"], round(row["rating"], 2), row["se"]) for row in rated["ratings"]] == [
        ("a", 8.33, None), ("b", 5.0, None), ("c", 0.0, None),
    ]  # fmt: skip
    text = played.arena("rate", "results.csv", "--model", "wins").out
    assert text.startswith("the share of the matches won, in percent; 3 players, 4 results")
    assert "83.33" in text
    wins, whole = "rating system wins, which takes", "whole: expected a number"
    for words, problem in (
        ("rate results.csv --model wins(part=1)", f"part: not available for {wins} whole\n"),
        ("rate results.csv --model wins --k 8", f"--k: not available for {wins} --whole\n"),
        ("rate results.csv --model wins --whole 0", f"--{whole} above 0 to 1000, not 0.0\n"),
        ("rate results.csv --model wins(whole=abc)", f"{whole} above 0 to 1000, not 'abc'\n"),
        ("leaderboard --rating wins(whole=x)", f"{whole} above 0 to 1000, not 'x'\n"),
    ):
        answer = played.arena(*words.split())
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"arena: {problem}"


def test_an_option_of_its_own_is_one_of_the_command_line(played):
    (played.folder / "two.csv").write_text("player1,player2,score\na,b,1\n")
    words = ("rate", "two.csv", "--model")
    beside = played.arena(*words, "wins", "--whole", "10", "-o", "json")
    assert beside.out == played.arena(*words, "wins(whole=10)", "-o", "json").out
    shown = " ".join(played.arena("rate", "--help").out.split())
    assert "openskill, bt, pl, wins. [bt]" in shown
    assert "wins: What all matches won are. [100]" in shown


def test_the_joint_fit_is_the_default(played):
    asked = played.arena("leaderboard", "--rating", "joint", "-o", "csv")
    assert asked.code == 0
    assert asked.out == played.arena("leaderboard", "-o", "csv").out


@pytest.mark.parametrize(
    "words", [("leaderboard",), ("tournament", "show", "1"), ("games",), ("tournament", "list")]
)
def test_another_exporter_writes_every_list(played, words):
    answer = played.arena(*words, "-o", "ndjson")
    assert answer.code == 0, answer.err
    rows = [json.loads(line) for line in answer.out.splitlines()]
    document = played.arena(*words, "-o", "json").document
    full = document if isinstance(document, list) else document["standings"]
    full = rows_of(full) if document is not full else full  # of standings, mappings are columns
    assert rows == [{key: each[key] for key in row} for each, row in zip(full, rows, strict=True)]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("leaderboard", "--rating", "x"),
            "unknown rating system 'x'; choices: bt, elo, glicko2, joint, openskill, pl, wins",
        ),
        (
            ("leaderboard", "-o", "x"),
            "'x' is not one of 'table', 'json', 'csv', 'jsonl', 'parquet', 'ndjson'. "
            "(see: arena leaderboard --help)",
        ),
        ((*RUN, *BOTS, "--executor", "x"), "executor: unknown executor 'x'; choices: here, local"),
    ],
)
def test_unknown_names_are_refused_with_the_choices(played, words, says):
    answer = played.arena(*words)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err


@pytest.mark.parametrize("kind", ["Wins", "Lines", "Here"])
@pytest.mark.thorough("other contracts", everyday=["Wins"])
def test_an_implementation_without_the_contract_is_left_out_with_a_line(place, kind):
    break_it(place, f"return [{kind}()]", "return [object()]")
    assert place.process(*RUN, *BOTS, "-o", "json").code == 0
    assert place.process("leaderboard", "-o", "csv").code == 0


def break_it(place: Extended, was: str, now: str) -> None:
    """Replaces a piece of the extension's code."""
    code = EXTENSION.replace(was, now)
    assert code != EXTENSION
    (place.folder / "site" / "arena_more.py").write_text(code)


@pytest.mark.parametrize(
    ("was", "now", "code", "says"),
    [
        (
            "            for job in jobs:\n",
            "            for job in jobs[1:]:\n",
            1,
            "executor here of distribution arena-more 1.0 delivered 3 of 4 matches of round 1",
        ),
        (
            "        if played:\n            return None\n",
            "        return Round(1, (Pairing((0, 0)),), (1, 2))\n",
            2,
            "format ends-meet of distribution arena-more 1.0 gave a wrong answer in next_round: "
            "a pairing of the entrants (0, 0), one of them twice; fix it, or remove it with: "
            "pip uninstall arena-more",
        ),
    ],
    ids=["executor", "format"],
)
def test_a_tournament_stops_with_one_line_where_a_plugin_is_wrong(place, was, now, code, says):
    break_it(place, was, now)
    run = place.process(*RUN, *BOTS, "--executor", "here", "--format", WITH[code])
    assert (run.code, run.out) == (code, "")
    assert run.err.splitlines()[-1] == f"arena: {says}"
    assert "Continue with:\n  arena tournament resume 1" in run.err
    (place.folder / "site" / "arena_more.py").write_text(EXTENSION)  # the plugin is fixed
    assert place.process("tournament", "resume", "1").code == 0


WITH = {1: "round-robin", 2: "ends-meet"}


@pytest.mark.parametrize(
    ("was", "now", "says", "stored"),
    [
        ("self.matches += 1\n", "self.matches += 1 / (self.matches < 5)\n", "play", 5),
        ("        self.work = work\n", "        self.work = work / 0\n", "open", 0),
    ],
)
@pytest.mark.thorough("another moment", everyday=["*play-5"])
def test_an_executor_that_fails_stops_with_one_line_and_goes_on(place, was, now, says, stored):
    break_it(place, was, now)
    run = place.process(*RUN, *BOTS, "--executor", "here")
    assert (run.code, run.out) == (2, "")
    assert "Traceback" not in run.err
    line = run.err.splitlines()[-1]
    assert line.startswith(f"arena: executor here of distribution arena-more 1.0 failed in {says}:")
    assert line.endswith("fix it, or remove it with: pip uninstall arena-more")
    assert "Continue with:\n  arena tournament resume 1" in run.err
    assert place.stored() == stored
    (place.folder / "site" / "arena_more.py").write_text(EXTENSION)  # the plugin is fixed
    assert place.process("tournament", "resume", "1").code == 0
    assert place.stored() == 12


@pytest.mark.thorough("tests/plugins/test_problem_reports.py has it")
def test_an_observer_that_fails_in_a_run_is_one_line_and_the_run_goes_on(place):
    hook = "def arena_match_finished(tournament_id, match):\n    1 / 0\n\n\n"
    break_it(place, "def arena_formats", f"{hook}def arena_formats")
    run = place.process(*RUN, *BOTS)
    assert run.code == 0
    assert run.err.count("failed in arena_match_finished: ZeroDivisionError") == 1
    assert "pip uninstall arena-more" in run.err.splitlines()[-1]


def test_a_scoring_that_fails_is_one_line_wherever_standings_are_shown(place):
    break_it(place, "tuple(3 * points for points in result.points)", "1 / 0")
    for words in ((*RUN, "--format", "ends-meet", *BOTS), ("tournament", "show", "1")):
        answer = place.process(*words)
        assert answer.code == 2
        assert "ends-meet of distribution arena-more 1.0 failed in scores: Zero" in answer.err
        assert "Traceback" not in answer.err


def test_a_rating_system_and_an_exporter_that_fail_are_one_line(place):
    break_it(place, "        return Rated(", "        return [][0] and Rated(")
    (place.folder / "site" / "arena_more.py").write_text(
        (place.folder / "site" / "arena_more.py").read_text().replace('return "".join', "list")
    )
    assert place.process(*RUN, *BOTS).code == 0
    for words, says in (
        ("--rating wins", "rating system wins of distribution arena-more 1.0 failed in rate: Ind"),
        ("-o ndjson", "exporter ndjson of distribution arena-more 1.0 gave a wrong answer"),
    ):
        answer = place.process("leaderboard", *words.split())
        assert (answer.code, answer.out) == (2, "")
        assert len(answer.err.splitlines()) == 1
        assert says in answer.err
