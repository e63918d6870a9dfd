"""An error in an extension's object is one line that names its distribution."""

from __future__ import annotations

import re
from inspect import isfunction

import pytest
import trio

from arena.core.errors import BadInput, BadPlugin, HarnessFault
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Format,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
    Wanted,
)
from arena.core.tournaments.rating import Results
from arena.plugins.registry import Registry
from tests.plugins.test_manager import FORMAT

FIELD = [Entrant(name) for name in ("ann", "bob", "cid")]
PLAYED = [
    RoundResult(Round(1, (Pairing((0, 1)),), (2,)), (PairingResult(Pairing((0, 1)), (1, 1)),))
]
OTHERS = """
from arena.core.errors import BadInput
from arena.core.tournaments.rating import Rated, Rating, RatingSystem
from arena.core.tournaments.format import Pairing, Round

class Other(RatingSystem, kw_only=True):
    name: str = "other"
    def rate(self, results): return {answer}

class Lines:
    name, summary = "other", ""
    def export(self, columns, rows): return {answer}

def arena_rating_systems(): return [Other()]

def arena_exporters(): return [Lines()]
"""


@pytest.fixture
def installed(install):
    """A registry with the format ``playoff``, a rating system and an exporter, as changed."""

    def put(answer: str = "None", was: str = "", now: str = "") -> Registry:
        code = OTHERS.format(answer=answer)
        code += FORMAT.format(name="playoff").replace(was, now)
        install(
            "arena-other", {"arena": {"other": "other_extension"}}, {"other_extension.py": code}
        )
        return Registry()

    return put


def fault(kind: str, says: str) -> str:
    return rf"^{kind} of distribution arena-other 1.0 {says}; fix it, .*uninstall arena-other$"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("Round(2, (Pairing((0, 0)),), (1, 2))", "a pairing of the entrants (0, 0), one of them"),
        ("Round(1, (Pairing((0, 1)),), (2,))", "round 1, where round 2 is next"),
        ("Round(2, (Pairing((0, 3)),))", "entrants {3} in a field of 3"),
        ("Round(2, (Pairing((0, -1)),))", "entrants {-1} in a field of 3"),
        ("Round(2, (Pairing((0, 1, 2)),))", "(0, 1, 2), not of 2 to 2"),
        ("Round(2, (Pairing((0,)),))", "(0,), not of 2 to 2"),
        ("Round(2, (Pairing((0, 1)),), (1,))", "for an entrant who plays or has one already: (1,)"),
        (
            "Round(2, (Pairing((0, 1)),), (2, 2))",
            "for an entrant who plays or has one already: (2, 2)",
        ),
        ("Round(2, (Pairing((0, None)),))", "Expected `int`, got `null`"),
        ("Round(2, None)", "Expected `array`, got `null`"),
        ("(0, 1)", "a tuple, not a Round"),
        ("None", "it ended after 1 of 2 rounds"),
    ],
)
def test_a_round_that_cannot_be_played_is_refused(installed, answer, says):
    registry = installed(
        "None", "rounds, tables): return None", f"rounds, tables): return {answer}"
    )
    wrong = fault("format playoff", f"gave a wrong answer in next_round: .*{re.escape(says)}.*")
    with pytest.raises(BadPlugin, match=wrong):
        registry.format("playoff").next_round(FIELD, PLAYED, 2, PAIRS)


def test_a_round_after_the_last_is_refused(installed):
    last = "rounds, tables): return Round(2, (Pairing((0, 1)),), (2,))"
    registry = installed("None", "rounds, tables): return None", last)
    form = registry.format("playoff")
    assert form.next_round(FIELD, PLAYED, 2, PAIRS) == Round(2, (Pairing((0, 1)),), (2,))
    with pytest.raises(BadPlugin, match="round 2 of 1"):
        form.next_round(FIELD, PLAYED, 1, PAIRS)


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ("result.points", "1 / 0", "failed in scores: ZeroDivisionError: division by zero"),
        ("result.points", "(1.0,)", "gave a wrong answer in scores: 1 scores for 2 seats"),
        ("result.points", "None", "gave a wrong answer in scores: Expected `array`, got `null`"),
        ("result.points", "(float('nan'), 1)", "gave a wrong .* scores: the scores .nan, 1.0."),
        ("result: 1.0", "result: None", "gave a wrong answer in worth: Expected `float`, got .*"),
        ("bye=1.0", "bye='1'", "gave a wrong answer in scoring: Expected `float`, got `str`.*"),
        ("return 1\n", "return 0\n", "gave a wrong answer in rounds: Expected `int` >= 1"),
        ("return 1\n", "return 1 / 0\n", "failed in rounds: ZeroDivisionError: .*"),
    ],
)
def test_a_scoring_or_a_count_of_rounds_that_is_none_is_refused(installed, was, now, says):
    form = installed("None", was, now).format("playoff")

    def use() -> None:
        form.rounds(3, None, PAIRS)
        scoring = form.scoring()
        scoring.scores(PLAYED[0].results[0])
        scoring.worth(PLAYED[0].results[0])

    with pytest.raises(BadPlugin, match=fault("format playoff", says)):
        use()


def test_what_a_format_says_of_bad_input_stays_as_it_is(installed):
    refusal = "raise BadInput('too few')\n"
    form = installed("None", "return 1\n", refusal).format("playoff")
    with pytest.raises(BadInput, match=r"^too few$"):
        form.rounds(3, None, PAIRS)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("Rated([])", "gave a wrong answer in rate: 0 ratings for 2 players"),
        ("None", "gave a wrong answer in rate: a NoneType, not a Rated"),
        ("Rated([Rating(1, 1, 1), Rating(None, 1, 1)])", "gave .* in rate: Expected `float`.*"),
        ("Rated([Rating(float('nan'), 1, 1)] * 2)", "gave .* in rate: the rating .nan, .*"),
        ("Rated([Rating(1, 1, 1)] * 2, [[1.0]])", "gave .* in rate: a covariance that is not 2 .*"),
        ("1 / 0", "failed in rate: ZeroDivisionError: division by zero"),
    ],
)
def test_ratings_that_are_none_are_refused(installed, answer, says):
    system = installed(answer).rating_system("other")
    with pytest.raises(BadPlugin, match=fault("rating system other", says)):
        system.rate(Results(["a", "b"], {}, list))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("", "gave a Other, expected a subclass of arena.core.tournaments.rating.RatingSystem"),
        ("(RatingSystem, kw_only=True)", "its name is None, not a str"),
    ],
)
def test_a_rating_system_that_is_none_is_left_out(installed, body, says):
    registry = installed(f"None\n\nclass Other{body}:\n    name: str = None")
    assert "other" not in registry.rating_systems()
    assert says in " ".join(registry.problems())


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("configured(self, options): return 4", "gave a .* in configured: a int, not a RatingSy.*"),
        ("configured(self, options): return 1 / 0", "failed in configured: ZeroDivisionError: .*"),
    ],
)
def test_a_rating_system_that_cannot_be_configured_is_refused(installed, method, says):
    registry = installed("None", "def arena_formats", "Other.{}\n\ndef arena_formats")
    del registry


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("None", "gave a wrong answer in export: a NoneType, not a text"),
        ("b'x'", "gave a wrong answer in export: a bytes, not a text"),
        ("[][0]", "failed in export: IndexError: list index out of range"),
    ],
)
def test_documents_that_are_no_text_are_refused(installed, answer, says):
    exporter = installed(answer).exporters()["other"]
    with pytest.raises(BadPlugin, match=fault("exporter other", says)):
        exporter.export([], [])


METHODS = {
    "options": (),
    "configured": ({}, Wanted()),
    "rounds": (3, None, PAIRS),
    "next_round": (FIELD, PLAYED, 2, PAIRS),
    "scoring": (),
    "ending": (FIELD, PLAYED, PAIRS),
    "pairings": (3, 2, PAIRS),
    "reached": (3, PLAYED),
    "sections": (("a", "b", "c"), PLAYED),
    "seatable": (FIELD, PLAYED),
    "forbidding": ([("a", "b")],),
    "bracket": (3, PLAYED),
    "estimated_by": (None,),
    "check_field": (("a", "b", "c"),),
    "neighbours": (3, PLAYED),
}
"""Every method of a format, with arguments."""


def test_every_method_of_the_class_is_tried_below():
    assert {*METHODS} == {name for name, each in vars(Format).items() if isfunction(each)}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_that_fails_is_one_line(installed, name):
    failing = f"    def {name}(self, *given): return 1 / len(NONE)\n"
    registry = installed("None", "def arena_formats", f"{failing}\ndef arena_formats")
    if name in ("options", "scoring"):  # they are asked when formats are collected
        assert "playoff" not in [form.name for form in registry.formats()]
        assert f"its {name} failed: NameError" in " ".join(registry.problems())
        return
    form = registry.format("playoff")
    with pytest.raises(BadPlugin, match=fault("format playoff", f"failed in {name}: NameError.*")):
        getattr(form, name)(*METHODS[name])


@pytest.mark.parametrize(
    "name", ["pairings", "reached", "sections", "seatable", "bracket", "neighbours"]
)
def test_an_answer_that_fails_while_it_is_read_is_one_line(installed, name):
    lazy = f"    def {name}(self, *given): return (1 / 0 for _ in range(2))\n"
    form = installed("None", "def arena_f", f"{lazy}\ndef arena_f").format("playoff")
    with pytest.raises(BadPlugin, match=fault("format playoff", f"failed in {name}: ZeroDiv.*")):
        getattr(form, name)(*METHODS[name])


@pytest.mark.parametrize(
    ("name", "answer", "says"),
    [
        ("ending", "3", "a int, not a text"),
        ("pairings", "[1]", "1 numbers for 2 rounds"),
        ("pairings", "['a', 2]", r"not whole numbers: \('a', 2\)"),
        ("reached", "[1.0]", "1 numbers for 3 entrants"),
        ("reached", "[1.0, None, 1.0]", r"not numbers: \(1.0, None, 1.0\)"),
        ("sections", "[1]", "not a Section"),
        ("seatable", "[9]", "not indices of . entrants: .9,."),
        ("bracket", "[1]", "not a Bout"),
        ("neighbours", "[1]", "not a Neighbours"),
    ],
)
def test_an_answer_of_another_kind_is_refused(installed, name, answer, says):
    wrong = f"    def {name}(self, *given): return {answer}\n\ndef arena_formats"
    form = installed("None", "def arena_formats", wrong).format("playoff")
    wanted = fault("format playoff", f"gave a wrong answer in {name}: {says}")
    with pytest.raises(BadPlugin, match=wanted):
        getattr(form, name)(*METHODS[name])


def test_a_format_may_end_early_if_it_says_so(installed):
    early = "    ends_early: bool = True\n    def rounds"
    form = installed("None", "    def rounds", early).format("playoff")
    assert form.next_round(FIELD, PLAYED, 2, PAIRS) is None


def test_a_format_may_end_early_when_it_says_why(installed):
    why = "    def ending(self, *given): return 'all have met'\n    def rounds"
    form = installed("None", "    def rounds", why).format("playoff")
    assert form.next_round(FIELD, PLAYED, 2, PAIRS) is None


@pytest.mark.parametrize("name", ["configured", "estimated_by", "forbidding"])
def test_what_a_format_makes_is_guarded_as_well(installed, name):
    form = installed().format("playoff")
    assert type(getattr(form, name)(*METHODS[name])) is type(form)


@pytest.mark.parametrize("name", ["configured", "estimated_by", "forbidding"])
def test_what_a_format_makes_is_a_format(installed, name):
    wrong = f"    def {name}(self, *given): return 4\n\ndef arena_formats"
    form = installed("None", "def arena_formats", wrong).format("playoff")
    with pytest.raises(BadPlugin, match=fault("format playoff", f"gave .* in {name}: a int, .*")):
        getattr(form, name)(*METHODS[name])


@pytest.mark.parametrize("seats", ["2", "range(0, 0)", "range(1, 3)"])
def test_a_format_for_no_tables_is_left_out(installed, seats):
    registry = installed("None", "seats: range = range(2, 3)", f"seats: range = {seats}")
    assert "playoff" not in [form.name for form in registry.formats()]
    assert f"its seats {'is' if seats == '2' else 'are'} {seats}" in " ".join(registry.problems())


EXECUTOR = """
from contextlib import asynccontextmanager, suppress

import trio

from arena.core.errors import HarnessFault
from arena.core.tournaments.executor import NoOptions

class Grid:
    name, summary, options = "grid", "", NoOptions

    @asynccontextmanager
    async def open(self, work, options):
        async with trio.open_nursery() as self.nursery:
            {open}

    async def play(self, jobs, deliver):
        {play}

    def fail(self, error):
        raise error

async def fail():
    await trio.lowlevel.checkpoint()
    raise ZeroDivisionError("no machines")

async def fail_in_a_nursery():
    async with trio.open_nursery() as lanes:
        lanes.start_soon(fail)

class Nothing(Grid):
    open = lambda self, work, options: 4

def arena_executors(): return [{made}]
"""


@pytest.fixture
def executor(install):
    """The kind of executor ``grid`` with these lines."""

    def put(open: str = "yield self", play: str = "pass", made: str = "Grid()"):
        code = EXECUTOR.format(open=open, play=play, made=made)
        install("arena-other", {"arena": {"other": "other_grid"}}, {"other_grid.py": code})
        return Registry().executor("grid")

    return put


async def errors_of(kind, body: Exception | None = None) -> list[BaseException]:
    """The errors with which an executor ends that is sent nothing to play."""
    try:
        async with kind.open(None) as executor, trio.open_nursery() as nursery:
            nursery.start_soon(executor.play, [], None)
            if body is not None:
                raise body
    except Exception as error:
        return leaves(error)
    return []


def leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in leaves(each)]
    return [error]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ({"play": "await fail()"}, "failed in play: ZeroDivisionError: no machines"),
        ({"play": "await fail_in_a_nursery()"}, "failed in play: ZeroDivisionError: no machines"),
        ({"open": "await fail(); yield"}, "failed in open: ZeroDivisionError: no machines"),
        ({"open": "yield self; await fail()"}, "failed in open: ZeroDivisionError: no machines"),
        ({"play": "self.nursery.start_soon(fail)"}, "failed in open: ZeroDivisionError: no .*"),
        (
            {"play": "self.nursery.start_soon(fail); await trio.sleep_forever()"},
            "failed in open: ZeroDivisionError: no machines",
        ),
        ({"open": "yield 4"}, "gave a wrong answer in open: a int, which has no play"),
        ({"made": "Nothing()"}, "failed in open: TypeError: .*asynchronous context manager.*"),
    ],
)
async def test_an_executor_that_fails_is_one_error_that_names_it(executor, lines, says):
    (error,) = await errors_of(executor(**lines))
    assert isinstance(error, BadPlugin)
    assert re.match(fault("executor grid", says), str(error))


@pytest.mark.parametrize("kind", [MemoryError, HarnessFault])
@pytest.mark.parametrize("where", [{"open": "yield {}"}, {"play": "{}"}], ids=["open", "play"])
async def test_a_fault_of_the_machine_stays_as_it_is(executor, kind, where):
    raising = f"self.fail({kind.__name__}('full'))"
    lines = {name: line.format(raising) for name, line in where.items()}
    (error,) = await errors_of(executor(**lines))
    assert (type(error), str(error)) == (kind, "full")


@pytest.mark.parametrize(
    "open",
    [
        "yield self",
        "with suppress(Exception): yield self",
        "try: yield self\n            finally: 1 / 0",
    ],
)
async def test_an_error_outside_an_executor_is_not_its_own(executor, open):
    stopped = LookupError("enough")
    assert await errors_of(executor(open=open, play="await trio.sleep_forever()"), stopped) == [
        stopped
    ]


async def test_an_executor_is_cancelled(executor):
    with trio.CancelScope() as scope:
        async with executor(play="await trio.sleep_forever()").open(None) as opened:
            scope.cancel()
            await opened.play([], None)
    assert scope.cancelled_caught
