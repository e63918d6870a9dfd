"""Matches are found from Python, at tables of more than two, too."""

from __future__ import annotations

import pytest

import arena
from tests.api.test_play_match import Clumsy


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with arena.open_database(tmp_path_factory.mktemp("find") / "a.db") as db:
        db.run(["counter", "random"], games=2)
        bots = ["target-total", "random", Clumsy]
        db.run(bots, game="sabacc", format="tables", seats=3, games=3, rounds=1, seed=5)
        yield db


def test_rows_have_a_place_for_each_seat_of_the_largest_table(db):
    rows = list(arena.find_matches(db=db))
    assert [row["match"] for row in rows] == [
        *("1.1.1.1", "1.1.1.2"),
        *("2.1.1.1", "2.1.1.2", "2.1.1.3"),
    ]
    assert len({tuple(row) for row in rows}) == 1
    assert rows[0]["name2"] is rows[0]["score2"] is None
    assert {rows[2][f"name{seat}"] for seat in range(3)} == {"target-total", "random", "Clumsy"}
    assert "name2" not in next(arena.find_matches(1, db))


def test_who_was_taken_out_is_found_by_the_cause(db):
    rows = list(arena.find_matches(2, db, cause="crash"))
    assert len(rows) == 3
    for row in rows:
        assert row["expelled"].startswith("Clumsy: crash at move ")
        assert row["termination"] in ("rules", "cap")
    assert [*arena.find_matches(2, db, bot="Clumsy", lost=True, cause="crash")] == rows
    assert not [*arena.find_matches(2, db, bot="random", lost=True, cause="crash")]
    won = [row["winner"] for row in arena.find_matches(2, db, bot="random", won=True)]
    assert set(won) <= {"random"}
    assert not [*arena.find_matches(2, db, bot="Clumsy", won=True)]


def test_an_end_is_a_limit_or_the_closest(db):
    assert len([*arena.find_matches(db=db, limit=3)]) == 3
    (closest,) = arena.find_matches(2, db, closest=1)
    scores = [
        sorted((row[f"score{seat}"] for seat in range(3)), reverse=True)
        for row in arena.find_matches(2, db)
    ]
    best = sorted((closest[f"score{seat}"] for seat in range(3)), reverse=True)
    assert best[0] - best[1] == min(one - other for one, other, _ in scores)


def test_arguments_of_a_wrong_kind_are_one_line(db):
    for keys in ({"closest": 0}, {"limit": "x"}, {"number": 1.5}, {"round": "1"}):
        with pytest.raises(arena.BadInput, match="expected a whole number"):
            arena.find_matches(db=db, **keys)
