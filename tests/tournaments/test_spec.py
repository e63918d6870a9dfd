"""Tournament files: every problem at once, each with its key."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest
from arena_tournaments.spec.files import load_keys, overrule, placed
from arena_tournaments.spec.keys import TournamentSpec, gathered, read_spec
from arena_tournaments.spec.stages import stage_specs
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.seeding import SEED_BITS
from arena.core.errors import AlteredResults, BadInput, BadSpec
from arena.core.text.printable import MAX_TITLE_LENGTH

MAX_SEED = 2**SEED_BITS - 1


def problems_of(**keys: object) -> list[str]:
    problems: list[str] = []
    read_spec(keys, problems)
    return problems


def test_a_good_file_is_read_as_it_stands(tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text(
        'name = "cup"\nformat = "swiss"\nbots = ["stand(at=17)", "random"]\ngames = 4\n'
        "rounds = 1\nseed = 7\nmirrored = false\nseed_by = 'rating'\ndecision_seconds = 1\n"
        '[options]\ndeck = "good"\n'
    )
    problems: list[str] = []
    spec = read_spec(load_keys(file), problems)
    assert problems == []
    assert spec == TournamentSpec(
        name="cup",
        format="swiss",
        bots=("stand(at=17)", "random"),
        games=4,
        rounds=1,
        seed=7,
        mirrored=False,
        seed_by="rating",
        decision_seconds=1.0,
        options={"deck": "good"},
    )


def test_all_problems_are_reported_at_once_in_the_order_of_the_file():
    keys = ["gmaes", "games", "rounds", "bots", "seed_by"]
    found = problems_of(gmaes=3, games="x", name="fine", rounds=0, bots="stand", seed_by="luck")
    assert [problem.partition(":")[0] for problem in found] == keys
    assert found[0].startswith("gmaes: no such key; the keys are adjusted, all_logs, ")


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("name", 3, "text"),
        ("games", "20", "a whole number"),
        ("games", 20.5, "a whole number"),
        ("games", True, "a whole number"),
        ("games", 0, "a whole number >= 1"),
        ("games", 10**6 + 1, "a whole number <= 1000000"),
        ("rounds", -1, "a whole number >= 1"),
        ("seed", -1, "a whole number >= 0"),
        ("seed", MAX_SEED + 1, f"a whole number <= {MAX_SEED}"),
        ("mirrored", 1, "true or false"),
        ("seed_by", "luck", "entry or rating"),
        ("bots", "stand", "a list"),
        ("trust", {"a": 1}, "a list"),
        ("options", ["deck"], "a table"),
        ("options", {"deck": [1]}, "text, a number, true or false for every key"),
        ("concurrency", 0, "a whole number >= 1"),
        ("stake", -1, "a whole number >= 0"),
        ("purse", 1.5, "a whole number"),
        ("decision_seconds", 0, "a number > 0.0"),
        ("decision_seconds", math.nan, "a number > 0.0"),
        ("match_seconds", math.inf, "a number <= 86400.0"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_what_was_expected(key, value, wanted):
    assert problems_of(**{key: value}) == [f"{key}: expected {wanted}, not {value!r}"]


def test_every_entry_that_is_no_text_is_named_and_the_others_go_on():
    problems = []
    spec = read_spec({"bots": ["stand", 3, "random", None]}, problems)
    assert problems == [
        "bots: expected text as entry 2, not 3",
        "bots: expected text as entry 4, not None",
    ]
    assert spec.bots == ("stand", "random")


def test_a_wrong_value_is_replaced_by_its_default():
    problems: list[str] = []
    assert read_spec({"games": 0, "seed": 8}, problems) == TournamentSpec(seed=8)
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"games = [", "expected TOML: Invalid value (at end of document)"),
        (b"games = 1\ngames = 2", "expected TOML: Cannot overwrite a value (at end of document)"),
        (b'name = "\xff"', "is not UTF-8 text (byte 8); save it as UTF-8"),
    ],
)
def test_a_file_that_is_not_toml_is_refused_with_the_position(tmp_path, text, message):
    file = tmp_path / "cup.toml"
    file.write_bytes(text)
    with pytest.raises(BadSpec) as raised:
        load_keys(file)
    assert raised.value.where == str(file)
    assert raised.value.problems[0].startswith(message)


def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path):
    with pytest.raises(BadSpec, match="cannot be read: No such file or directory"):
        load_keys(tmp_path / "none.toml")
    with pytest.raises(BadSpec, match="cannot be read: Is a directory"):
        load_keys(tmp_path)


def test_a_bots_file_is_looked_for_beside_the_tournament_file_first(tmp_path):
    (tmp_path / "near.py").touch()
    (tmp_path / "my.pybots").mkdir()
    (tmp_path / "my.pybots" / "deep.py").touch()
    file = tmp_path / "cup.toml"
    file.write_text(
        'bots = ["near.py:Near(at=3)", "far.py", "stand(at=17)", "my.pybots/deep.py", 3]\n'
        'trust = ["near", "near.py"]\n'
    )
    keys = load_keys(file)
    assert keys["bots"] == [
        f"{tmp_path}/near.py:Near(at=3)",
        "far.py",
        "stand(at=17)",
        f"{tmp_path}/my.pybots/deep.py",
        3,
    ]
    assert keys["trust"] == ["near", f"{tmp_path}/near.py"]


def test_an_absolute_path_is_kept(tmp_path):
    (tmp_path / "near.py").touch()
    assert placed(f"{tmp_path}/near.py(at=3)", Path("/")) == f"{tmp_path}/near.py(at=3)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"games = " + b"[" * 5_000, "is nested too deeply to be read"),
        (b"games = " + b"{a=" * 5_000, "is nested too deeply to be read"),
        (b"games = " + b"9" * 5_000, "expected TOML: a number has too many digits"),
        (b"games = 0x" + b"f" * 5_000, "holds a number outside the 64-bit integers"),
        (b"bots = [[0x" + b"f" * 5_000 + b"]]", "holds a number outside the 64-bit integers"),
        (b"games = 1\n#" + b" " * 500_000, "is longer than 500000 bytes"),
        (b"a" + b".a" * 200_000 + b"=1", "has a line with more than 500 dots"),
    ],
)
def test_a_file_past_a_limit_of_the_reader_is_refused(tmp_path, text, message):
    file = tmp_path / "cup.toml"
    file.write_bytes(text)
    with pytest.raises(BadSpec) as raised:
        load_keys(file)
    assert raised.value.problems[0].startswith(message)


def test_unprintable_text_is_refused_by_its_key(tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text(r'name = "a\u0000b"' + "\n" + r'bots = ["stand", "\u001b[2J"]' + "\n")
    problems: list[str] = []
    read_spec(load_keys(file) | {"options": {"\udcff": "x"}}, problems)
    assert problems == [
        r"name: 'a\x00b' holds a character that cannot be shown",
        r"bots: '\x1b[2J' holds a character that cannot be shown",
        r"options: '\udcff' holds a character that cannot be shown",
    ]


def test_a_name_has_a_length():
    problems: list[str] = []
    assert read_spec({"name": "n" * 100}, problems).name == "n" * 100
    assert problems == []
    read_spec({"name": "n" * 100_000}, problems)
    assert problems == ["name: 100000 characters; expected at most 100"]
    assert len(TournamentSpec.from_json(TournamentSpec(name="n" * 101).to_json()).name) == 101


def test_no_file_is_looked_up_for_a_name_longer_than_file_names(tmp_path):
    assert placed("x" * 5_000 + ".py", tmp_path) == "x" * 5_000 + ".py"


TEXT = st.text().filter(str.isprintable)
TITLE = st.text(max_size=MAX_TITLE_LENGTH).filter(str.isprintable)


@given(
    st.builds(
        TournamentSpec,
        name=TITLE,
        ruleset=TEXT,
        options=st.dictionaries(TEXT, st.booleans() | st.integers(-9, 9) | TEXT),
        bots=st.lists(TEXT).map(tuple),
        games=st.integers(1, 10**6),
        rounds=st.none() | st.integers(1, 9),
        seed=st.none() | st.integers(0, MAX_SEED),
        mirrored=st.booleans(),
        seed_by=st.sampled_from(("entry", "rating")),
        scoring=st.sampled_from(("wins", "amount")),
        match_seconds=st.floats(0.001, 86_400),
    )
)
def test_a_spec_is_read_from_the_database_as_it_was_stored(spec):
    assert TournamentSpec.from_json(spec.to_json()) == spec
    problems: list[str] = []
    keys = {key: value for key, value in msgspec.structs.asdict(spec).items() if value is not None}
    assert read_spec(keys, problems) == spec
    assert problems == []


def test_a_stored_spec_with_an_unknown_key_is_refused_and_the_key_is_named():
    with pytest.raises(AlteredResults, match=r"damaged: .*unknown field `third_place`"):
        TournamentSpec.from_json('{"format": "knockout", "third_place": true}')


def test_keys_that_are_none_of_the_spec_are_the_formats():
    keys = {"format": "chain(laps=3, first=lower)", "games": 4, "laps": 2}
    found = {"format": "chain", "games": 4, "format_options": {"laps": 2, "first": "lower"}}
    assert gathered(keys) == gathered(found) == found
    given = {"format_options": {"links": 1}, "first": "upper"}
    assert overrule(keys, given)["format_options"] == {"laps": 2, "first": "upper", "links": 1}
    assert gathered({"format": "chain(laps="}) == {"format": "chain(laps="}


def test_a_stage_has_its_own_keys_in_place_of_the_tournaments():
    spec = TournamentSpec(
        games=10,
        mirrored=False,
        stages=({"format": "swiss", "rounds": 7}, "knockout(take=8, first_to=4, third_place=true)"),
    )
    first, second = stage_specs(spec)
    assert (first.format, first.rounds, first.games, first.take) == ("swiss", 7, 10, None)
    assert (second.format, second.take, second.first_to) == ("knockout", 8, 4)
    assert (second.games, second.rounds, second.format_options) == (
        None,
        None,
        {"third_place": True},
    )
    assert not first.mirrored
    assert first.stages == second.stages == ()


@pytest.mark.parametrize(
    ("stages", "problem"),
    [
        (({"rounds": 2},), "stage 1: format: every stage needs one"),
        (("swiss(take=4)",), "stage 1: take: the first stage takes the whole field"),
        (("swiss", "knockout(seed=4)"), "stage 2: seed: no key of a stage; they are format, take,"),
        (("swiss", "knockout(take=1)"), "stage 2: take: expected a whole number >= 2, not 1"),
        (
            ("swiss", "knockout(first_to='x')"),
            "stage 2: first_to: expected a whole number, not 'x'",
        ),
    ],
)
def test_a_wrong_stage_is_named_with_its_key(stages, problem):
    with pytest.raises(BadInput) as raised:
        stage_specs(TournamentSpec(stages=stages))
    assert str(raised.value).startswith(problem)
