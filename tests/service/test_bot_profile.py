"""The facts of a bot from its stored matches: form, versions, opponents, what to look at next."""

from __future__ import annotations

import re
from functools import partial
from random import Random

import pytest
from arena_results.boards.leaderboard import Asked
from arena_results.file.database import open_database

import arena
from arena.core.chance.dealer import Sampled
from arena.core.table import Table
from arena.games.pazaak.engine.actions import END_TURN, STAND
from arena.games.pazaak.engine.stages import ACT
from arena.games.pazaak.game import Pazaak
from arena.games.pazaak.parts.situation import situation
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.engine.actions import FOLD_
from arena.games.sabacc.game import Sabacc
from arena.plugins.registry import Registry
from arena.service.boards.bot_tables import rating_table
from arena.service.boards.findings import MAX_MATCHES
from arena.service.boards.kept import Boards
from arena.service.boards.own_matches import own_matches
from arena.service.boards.profile import profile
from arena.service.boards.versions import (
    TOLD_APART,
    change_table,
    needed_matches,
    unplayed_change,
    version_changes,
)
from arena.service.bots.listing import bot_details
from tests.pages.played import Stands


def bot(name, at, version="1", breaks=99):
    return arena.PythonBot(partial(Stands, at, breaks), name=name, version=version)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The address of a database: a bot in three versions, one that breaks, tables, exhibitions."""
    file = tmp_path_factory.mktemp("profile") / "cups.db"
    with arena.open_database(file) as db:
        db.run([bot("cem", 11, "1.0"), bot("fay", 17)], format="round-robin", games=100, seed=1)
        db.run([bot("cem", 17, "1.1"), bot("fay", 17)], format="round-robin", games=100, seed=2)
        db.run(
            [bot("cem", 16, "1.2"), bot("bad", 17, breaks=9)], format="round-robin", games=4, seed=3
        )
        db.run(
            ["random", "target-total", "cautious-folder"],
            game="sabacc", format="tables", seats=3, games=6, seed=4,
        )  # fmt: skip
    return f"sqlite:///{file}"


@pytest.fixture(scope="module")
def database(stored):
    with open_database(stored) as found:
        yield found


def of(database, name, **options):
    return profile(Registry(), database, name, **options)


def boards(database):
    return Boards(Registry(), database).now(Asked(), all_versions=True)


def test_versions_are_compared_by_their_joint_ratings(database):
    late, better = version_changes(boards(database), "cem")
    assert (better.version, better.previous, better.verdict) == ("1.1", "1.0", "better")
    rows = {row.participant.version: row for row in boards(database)[0].rows if row.history}
    assert better.elo == pytest.approx(rows["1.1"].rating - rows["1.1"].history[0].rating)
    assert 0 < better.low < better.elo < better.high
    assert better.needed is None
    assert better.text == (
        f"better than 1.0: {better.elo:+.0f} ({better.low:.0f} to {better.high:.0f})"
    )
    assert (late.version, late.verdict, late.elo, late.matches) == ("1.2", "not yet known", None, 4)
    assert late.text == (
        f"not yet known: 4 matches; it takes about {late.needed:,} of each version to tell "
        f"{TOLD_APART} points apart from 1.1"
    )


def test_the_interval_is_that_of_the_difference_of_correlated_ratings(database):
    (board,) = [each for each in boards(database) if each.game == "pazaak"]
    at = {row.participant.version: n for n, row in enumerate(board.rows) if row.history}
    new = at["1.1"]
    (old,) = [n for n, row in enumerate(board.rows) if row.participant.version == "1.0"]
    spread = board.covariance
    variance = spread[new][new] + spread[old][old] - 2 * spread[new][old]
    assert board.rows[new].history[0].error == pytest.approx(variance**0.5, abs=0.01)


def test_one_version_of_a_bot_has_one_comparison(database):
    (change,) = version_changes(boards(database), "cem", "1.1")
    assert change.version == "1.1"
    assert version_changes(boards(database), "fay") == []


def test_twice_the_difference_needs_a_quarter_of_the_matches():
    assert needed_matches(120_000, 30) == pytest.approx(4 * needed_matches(120_000, 60), rel=0.1)
    assert needed_matches(120_000, 0) == needed_matches(120_000, 10)
    known = unplayed_change("pazaak", "standard", "cem", ("1.1", "1.2"))
    assert known.text.startswith(f"not yet known: no matches; it takes about {known.needed:,} of")


def test_the_last_matches_of_the_schedule_come_first(database):
    numbers = [each.number for each in own_matches(database, "cem")]
    keys = [tuple(map(int, number.split("."))) for number in numbers]
    assert keys == sorted(keys, reverse=True)
    assert len(keys) == 204


def test_the_form_is_the_last_ten_results_the_newest_last(database):
    newest = []
    for own in own_matches(database, "cem"):
        mine = own.row.returns[own.seat]
        newest.append("W" if mine > 0 else "L" if mine < 0 else "D")
        if len(newest) == 10:
            break
    assert of(database, "cem").recent.form == "".join(reversed(newest))
    assert of(database, "cem").recent.form.endswith("WWWW")


def test_matches_of_two_versions_are_no_form_and_no_losses(tmp_path):
    file = tmp_path / "cups.db"
    with arena.open_database(file) as db:
        field = [bot("cem", 17, "1.0"), bot("cem", 16, "1.1"), "random"]
        db.run(field, format="round-robin", games=4, seed=1)
    with open_database(f"sqlite:///{file}") as database:
        both, late = of(database, "cem").recent, of(database, "cem@1.1").recent
    assert (both.matches, late.matches) == (8, 8), "4 of each version, and 4 of both"


def test_faults_are_counted_with_the_part_of_the_match(database):
    (fault,) = of(database, "bad").recent.findings
    assert (fault.kind, fault.lead) == ("fault", "4 matches")
    assert fault.text == "lost by a crash, all in set 1"
    assert fault.replay == f"arena replay {fault.match} --move {fault.move}"


def test_patterns_are_counted_over_lost_matches_with_an_example(database):
    found = of(database, "cem").recent
    assert (found.matches, found.more) == (MAX_MATCHES, True)
    patterns = {each.text: each for each in found.findings if each.kind == "pattern"}
    below = patterns["stood below a standing rival"]
    assert below.lead.endswith(f" of {found.lost} losses")
    record = next(each for each in own_matches(database, "cem") if each.number == below.match)
    assert record.row.returns[record.seat] < 0
    assert below.example.startswith("at ")
    small = of(database, "cem", most=5).recent
    assert (small.matches, small.won) == (5, 4 + (small.form[0] == "W"))


def test_tables_of_three_have_a_form_and_opponents(database):
    found = of(database, "random")
    assert {row["opponent"] for row in found.met.rows} == {"target-total", "cautious-folder"}
    assert len(found.recent.form) == 6


def test_a_bot_without_matches_has_nothing(database):
    found = of(database, "optimal").recent
    assert (found.matches, found.form, found.findings) == (0, "", ())


def test_a_bot_that_only_played_is_known_with_its_kind(stored):
    about = bot_details(Registry(), stored, "cem", looked=True).document()
    assert (about["kind"], about["version"]) == ("local", "1.2")
    assert [each["version"] for each in about["changes"]] == ["1.2", "1.1"]
    assert about["recent"]["matches"] == MAX_MATCHES
    assert "opponents" in about


def test_a_board_by_amount_and_two_contents_of_a_version_are_named(tmp_path):
    file = tmp_path / "chips.db"
    with arena.open_database(file) as db:
        for seed, at in ((1, 12), (2, 16)):
            sides = [bot("cem", at), bot("fay", 17)]
            db.run(sides, games=20, seed=seed, scoring="amount", format="round-robin")
    details = bot_details(Registry(), f"sqlite:///{file}", "cem")
    columns, rows = rating_table(details.rated).drawn()
    assert {row["unit"] for row in details.rated} == {"points"}
    assert {row["board"] for row in rows} == {"pazaak, standard, by points"}
    assert len({row["content"] for row in rows}) == 2
    assert "content" in [column.key for column in columns]
    assert all(re.fullmatch(r"[+-]\d\.\d{3}", row["rating"]) for row in rows)
    (change,) = details.changes
    assert (change.unit, change.verdict) == ("points", change.text.split(" than ")[0].split(":")[0])


def test_verdicts_are_a_table_of_eighty_columns(database):
    columns, rows = change_table(version_changes(boards(database), "cem")).drawn()
    assert isinstance(change_table([]), Table)
    assert [row["verdict"] for row in rows] == ["not yet known", "better"]
    assert [each.head for each in columns][:3] == ["version", "last one", "verdict"]


@pytest.mark.parametrize(
    ("tables", "hands", "standing", "action", "text"),
    [
        (((10, 7, 5), (9, 9)), ("-3", ""), (False, True), END_TURN, "at 22, -3 makes 19"),
        (((10, 7, 5), (10, 9)), ("-3", ""), (False, True), END_TURN, None),
        (((10, 7, 5), (9,)), ("-6", ""), (False, False), END_TURN, None),
        (((10, 7), (9, 9)), ("-3", ""), (False, True), STAND, "at 17 against 18"),
        (((10, 8), (9, 9)), ("-3", ""), (False, True), STAND, None),
        (((10, 9), (9, 9)), ("-3", ""), (False, True), END_TURN, "at 19 against 18"),
        (((10, 9), (9, 9)), ("-3", ""), (False, False), END_TURN, None),
    ],
)
def test_patterns_of_pazaak(tables, hands, standing, action, text):
    game = Pazaak()
    state = situation(
        game.ruleset(), tables=tables, hands=hands, standing=standing, phase=ACT, turn=0
    )
    found = game.luck.pattern(state, action)
    assert (found and found.detail) == text


def test_a_fold_of_the_best_hand_is_a_pattern_of_sabacc():
    game, rng, found = Sabacc(), Random(1), set()
    for seed in range(6):
        state = game.new_state(
            game.ruleset("old_republic(mode=chips)"), [b""] * 3, Sampled(Random(seed))
        )
        while not state.is_terminal():
            legal = state.legal_actions()
            for action in legal:
                if action.kind == FOLD_:
                    match, hands = state.hand.match, state.hand.deck.hands
                    ranks = ranker(match.rules, match.variant)
                    keys = {
                        seat: ranks.rank(hands[seat]).key
                        for seat, active in enumerate(match.active)
                        if active
                    }
                    own = keys.pop(state.current_player())
                    best = own > max(keys.values())
                    pattern = game.luck.pattern(state, action)
                    found.add((best, pattern and pattern.text))
            state.apply_action(rng.choice(legal))
    assert (True, "folded the best hand at the table") in found
    assert (False, None) in found
    assert (False, "folded the best hand at the table") not in found
