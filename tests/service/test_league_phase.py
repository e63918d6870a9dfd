"""The phase of a season as a function of file, time and results; and the table ``[final]``."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from arena_tournaments.formats.adaptive import GAMES
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadSpec
from arena.service.league.league_file import FinalSpec, LeagueSpec, read_league, shown_left
from arena.service.league.phase import SeasonState, Stage, phase_of

ORDER = [*Stage]
times = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=14))]))
specs = st.builds(
    lambda final: LeagueSpec(name="Cantina", final=final),
    st.none() | st.builds(FinalSpec, at=times),
)
before = st.builds(SeasonState, undecided=st.integers(0, 3))
ended = st.builds(SeasonState, finished=st.just(True), entrants=st.integers(0, 3))
begun = st.builds(SeasonState, finished=st.just(True), final=st.integers(2, 9))
won = st.builds(
    SeasonState, finished=st.just(True), final=st.integers(2, 9), winner=st.just("optimal")
)


@given(specs, times, times, before | ended | begun | won)
def test_a_phase_never_goes_back_while_the_time_goes_on(spec, one, two, state):
    first, then = (phase_of(spec, at, state) for at in sorted([one, two]))
    assert ORDER.index(first.stage) <= ORDER.index(then.stage)


@given(specs, times, before, ended, begun, won)
def test_a_phase_never_goes_back_while_a_season_is_closed_and_played(
    spec, at, waiting, over, playing, done
):
    if over.entrants < 2:  # such a season has no final
        over = SeasonState(finished=True, entrants=2)
    states = (waiting, SeasonState(), over, playing, done)
    found = [ORDER.index(phase_of(spec, at, each).stage) for each in states]
    assert found == sorted(found)


@given(specs, specs, times, times, begun | won)
def test_neither_file_nor_time_changes_a_final_that_has_begun(spec, other, one, two, state):
    phase = phase_of(spec, one, state)
    assert phase == phase_of(other, two, state)
    assert phase.closed
    assert phase.stage is (Stage.OVER if state.winner else Stage.PLAYING)


@given(specs, times, before | ended)
def test_submissions_are_closed_from_the_time_of_the_file_on(spec, now, state):
    phase = phase_of(spec, now, state)
    assert phase.closed == bool(spec.final and now >= spec.final.at)
    assert bool(phase.reason) == bool(spec.final)
    if phase.stage is Stage.DECIDING:
        assert state.undecided
    if phase.stage is Stage.BEGINNING:
        assert state.finished
        assert state.entrants >= 2


@given(times, times, times)
def test_the_time_that_is_left_gets_shorter_until_submissions_close(at, one, two):
    final = FinalSpec(at=at)
    before, after = sorted([one, two])
    assert final.left(before) >= final.left(after)
    # The site draws its pages again when this has changed.
    assert at - final.left(before) <= at - final.left(after)
    assert (shown_left(final.left(after)) == "less than a minute") == (
        at - after < timedelta(minutes=1)
    )


def read(folder, table):
    path = folder / "league.toml"
    path.write_text(f'name = "Cantina"\nhouse = ["stand", "random"]\n{table}')
    return read_league(path)


@pytest.mark.parametrize("at", ["2026-12-20T18:00:00+01:00", '"2026-12-20T17:00:00Z"'])
def test_the_time_of_a_final_is_a_time_of_toml_or_a_text(tmp_path, at):
    spec = read(tmp_path, f'final = {{at = {at}, matches = 400, field = "top 16"}}')
    assert spec.final == FinalSpec(datetime(2026, 12, 20, 17, tzinfo=UTC), 400, "top 16")
    assert spec.final.most == 16
    keys = spec.final_keys(("ann@1", "bob@1"))
    assert (keys["name"], keys["format"]) == ("Cantina, season 1, final", "adaptive")
    assert keys["format_options"] == {"matches": 400}


def test_a_final_has_the_settings_of_the_season_but_its_own_length(tmp_path):
    table = "final = {at = 2026-12-20T18:00:00Z, matches = 1}\n[tournament]\n"
    more = "games = 40\nrounds = 7\nwithin = 9\nconfidence = 99\nmemory_mb = 64\n"
    spec = read(tmp_path, table + more)
    keys = spec.final_keys(tuple(f"bot@{number}" for number in range(7)))
    assert keys["format_options"] == {"confidence": 99.0, "matches": 3 * GAMES}  # one round
    assert keys["memory_mb"] == 64
    assert not {"games", "rounds"} & keys.keys()
    assert read(tmp_path, "").final is None


AT = "at = 2026-12-20T18:00:00+01:00"
EXPECTED = "expected a date and time with its offset, such as 2026-12-20T18:00:00+01:00"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("final = 3", "final: expected a table"),
        ("final = {}", f"final.at: missing; {EXPECTED}"),
        ("final = {at = 2026-12-20T18:00:00}", f"final.at: {EXPECTED}, not 2026-12-20T18:00:00"),
        ("final = {at = 2026-12-20}", f"final.at: {EXPECTED}, not 2026-12-20"),
        ("final = {at = 18:00:00}", f"final.at: {EXPECTED}, not 18:00:00"),
        ("final = {at = 'soon'}", f"final.at: {EXPECTED}, not 'soon'"),
        ("final = {at = true}", f"final.at: {EXPECTED}, not True"),
        (f"final = {{{AT}, matches = 0}}", "final.matches: expected a whole number >= 1, not 0"),
        (
            f"final = {{{AT}, matches = 31, field = 'top 16'}}",
            "final.matches: expected at least 32, one round of 16 bots, not 31",
        ),
        (
            f"final = {{{AT}, field = 'best 16'}}",
            "final.field: expected 'all' or 'top N' with N from 2, such as 'top 16', not 'best 16'",
        ),
        (f"final = {{{AT}, field = 'top 1'}}", "final.field: expected 'all' or 'top N' with N"),
        (
            f"final = {{{AT}, mathces = 9}}",
            "final.mathces: no such key; the keys are at, field, matches; did you mean matches?",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_final_is_one_line_with_its_key(tmp_path, table, problem):
    with pytest.raises(BadSpec) as error:
        read(tmp_path, table)
    assert len(error.value.problems) == 1
    assert error.value.problems[0].startswith(problem)


zones = st.sampled_from([None, UTC, timezone(timedelta(hours=-12, minutes=-30))])
texts = st.text() | st.sampled_from(["all", "top 16", "top 1", "2026-12-20T18:00:00Z"])
scalars = st.one_of(
    texts.map(json.dumps),
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.floats().map(repr),
    st.sampled_from(["true", "[]", "{}"]),
    st.datetimes(timezones=zones).map(datetime.isoformat),
    st.dates().map(str),
    st.times().map(str),
)


@given(st.dictionaries(st.sampled_from(["at", "matches", "field", "in"]), scalars))
def test_any_final_is_read_or_refused_with_its_keys(tmp_path_factory, table):
    pairs = ", ".join(f"{key} = {value}" for key, value in table.items())
    try:
        spec = read(tmp_path_factory.getbasetemp(), f"final = {{{pairs}}}")
    except BadSpec as error:
        for problem in error.problems:
            assert problem.startswith("final" if "TOML" not in problem else "expected TOML"), table
            assert "\n" not in problem
    else:
        assert spec.final.at.utcoffset() is not None
        assert spec.final.when in phase_of(spec, spec.final.at, SeasonState()).reason
        assert spec.final.most is None or spec.final.most >= 2


def test_the_name_of_a_league_leaves_room_for_that_of_its_final(tmp_path):
    path = tmp_path / "league.toml"
    path.write_text(
        f'name = "{"x" * 80}"\nseason = 10000\nhouse = ["stand", "random"]\nfinal = {{{AT}}}\n'
    )
    with pytest.raises(BadSpec, match=r"name: 'x+' is too long: at most 100 characters with the"):
        read_league(path)
